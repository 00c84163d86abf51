"""Word lists of the guard's checks; English, apart from ``FOREIGN``."""

from __future__ import annotations

import re

FUNCTION = frozenset(
    "a an the this that these those and or but so if then than as at by for from in "
    "into of off on onto out over to up with without about after before between "
    "through during under again be am is are was were been being do does did done "
    "doing have has had having will would shall should can could may might must not "
    "no nor only very too also just even still yet more most much many some any each "
    "all both few other such own same there here when where why how what which who "
    "whom whose i me my mine myself you your yours yourself he him his himself she "
    "her hers herself it its itself we us our ours they them their theirs themselves "
    "it's that's there's you're you've you'll don't doesn't didn't isn't aren't "
    "wasn't can't won't i'm i've i'll one ones because while like".split()
)
FIRST_PERSON = frozenset("i i'm i've i'll i'd my me mine myself im ive".split())
TURNED = {
    "i": "you", "i'm": "you are", "im": "you are", "i've": "you have",
    "ive": "you have", "i'll": "you will", "i'd": "you would", "my": "your",
    "me": "you", "mine": "yours", "myself": "yourself", "am": "are",
    "we": "you", "our": "your", "us": "you",
}  # fmt: skip
LEAD_IN = re.compile(
    r"(?:(?:so|oh|okay|and|then|yes|it sounds like|it seems like|it seems that"
    r"|it sounds as if|sounds like|i hear that|i hear you|i understand that|i see that"
    r"|i can hear that|i can see that"
    r"|you(?:'re| are) saying that|you(?:'re| are) saying"
    r"|you say that|you say|you said that|you said|you feel like|you feel that"
    r"|you(?:'re| are) feeling like|you mean that|you told me that|in other words"
    r"|what i hear is that|i'm sorry that|i am sorry that|i'm sorry) )+"
)
CAPITALISED = frozenset(
    "i ebb english help notes tv ok ai i'm i'd i'll i've earth internet sms".split()
)
"""Capitalised words that are nobody's name."""

SHORT_CODES = frozenset(
    "100 101 102 103 105 108 110 111 112 113 114 115 116 117 118 119 122 123 124 128 "
    "131 144 180 181 190 191 192 193 197 199 211 311 411 611 711 811 911 933 937 988 "
    "991 995 997 998 999 000 1098 1091 1522 116123 116111 116016 116006 741741 "
    "85258 686868 88788 31636 2255".split()
)

_GROUPS = (
    "child children kid kids son sons daughter daughters baby babies toddler boy girl",
    "mother mum mom mam mama mummy parents family folks",
    "father dad daddy papa parents family folks",
    "parents mother father mum mom dad family folks",
    "sister sisters sis siblings family",
    "brother brothers bro siblings family",
    "husband hubby married marriage spouse wedding",
    "wife married marriage spouse wedding",
    "boyfriend bf",
    "girlfriend gf",
    "fiance fiancee engaged engagement",
    "boss manager work job office",
    "dog dogs puppy pet",
    "cat cats kitten pet",
    "therapist counsellor counselor therapy psychologist psychiatrist counselling",
    "grandmother grandma gran nan granny",
    "aunt auntie aunty",
    "uncle",
    "cousin cousins",
)
_NAMED = (
    "child children kid kids son sons daughter daughters baby",
    "mother mum mom",
    "father dad",
    "parents",
    "sister",
    "brother",
    "husband",
    "wife",
    "boyfriend",
    "girlfriend",
    "fiance fiancee",
    "boss",
    "dog",
    "cat",
    "therapist counsellor counselor psychologist",
    "grandmother",
    "aunt",
    "uncle",
    "cousin",
)
PEOPLE = {
    name: frozenset(group.split())
    for names, group in zip(_NAMED, _GROUPS, strict=True)
    for name in names.split()
}
"""A person a reply may name, and the words that show the writer spoke of them."""

HE_WORDS = frozenset(
    "he he's him his himself husband boyfriend man men guy dad father brother son bf "
    "hubby uncle boy pastor imam king mr".split()
)
SHE_WORDS = frozenset(
    "she she's her hers herself wife girlfriend woman women mum mom mother sister "
    "daughter gf aunt girl auntie ms mrs".split()
)

FOREIGN = frozenset(
    # Spanish, Portuguese, French, Italian
    "el los las una unos que del por para con sin pero muy eres estás está tienes "
    "puedes tu tú su mi lo siento usted nada también você não sim uma com mas isso "
    "seu sua está são le les des une du est vous nous je tu il elle dans avec pour "
    "sur pas mais votre ce cette qui sont être ne ou où et c'est très lui gli della "
    "che non sei sono una per anche ti mi più hai "
    # German, Dutch, Swedish, Polish
    "der die das und ist nicht ich du sie wir ein eine mit für auf dich dir sich auch "
    "kannst bist es tut mir dass leid "
    "het een niet zijn hij je dat voor och är inte att jest nie się że "
    # Turkish, Indonesian, Tagalog, Swahili
    "bir ve bu için değil çok sen ben yang dan tidak kamu dengan untuk ang mga hindi "
    "ako ikaw na ya wa kwa si "
    # Hindi, Urdu and Arabic in Latin letters
    "hai hain nahi nahin aap tum mein mujhe kya ke ki ka ko se ho raha rahi apne "
    "bahut habibi inti enta ana mish wallah inshallah "
    # Nigerian Pidgin
    "dey wey abeg una sabi".split()
)
FOREIGN -= FUNCTION | frozenset("die ben on lo ne se ho ya com per bin si".split())
