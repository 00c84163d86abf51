"""Bring text into one plain shape, keeping the way back to the original offsets.

People type curly quotes, look-alike letters, doubled letters and invisible marks; a
rule must see the same words in all of them. ``plain`` folds what is never meant;
``spoken`` goes further, for triage alone: accents, the letter variants of Arabic and
Hindi script, texting style, and the usual misspellings of the words that matter.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

# Cyrillic and Greek letters that look like Latin ones (Unicode's list of confusables,
# the ones that are identical in common fonts).
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһкмтвнοαειυνρτκ",
    "aeopcyxijsdhkmtbhoaeiuvptk",
)
_QUOTES = str.maketrans("’‘‛`´ʼ＇“”„«»–—‐‑", "'''''''\"\"\"\"\"----")
_LATIN = re.compile(r"[a-z]")

# One letter for the variants that people and keyboards mix up, in Arabic and Urdu
# (alef, yeh, kaf, heh), in Hindi (nasal signs), and Latin letters with accents.
_VARIANTS = str.maketrans(
    "أإآٱىيئكةهۃۂؤँ" + "áàâäãåéèêëíìîïóòôöõúùûüñç",
    "اااایییکہہہہوं" + "aaaaaaeeeeiiiiooooouuuunc",
)
# Vowel signs and stretching in Arabic script, the dot under Hindi letters.
_UNWRITTEN = frozenset("ًٌٍَُِّْٰـ़ٓٔ")

_CONTRACTED = (
    "don't doesn't didn't isn't wasn't weren't aren't hasn't haven't hadn't won't "
    "wouldn't couldn't shouldn't can't ain't i'm i've he's she's that's there's "
    "they're they've they'll you're you've he'd who's what's"
)
_SPELLINGS = {word.replace("'", ""): word for word in _CONTRACTED.split()} | {
    # texting style
    "u": "you", "ur": "your", "urself": "yourself", "r": "are", "b4": "before",
    "gonna": "going to", "gna": "going to", "gunna": "going to", "gon": "going to",
    "wanna": "want to", "wana": "want to", "wnt": "want", "hav": "have",
    "imma": "i'm going to", "ima": "i'm going to", "iam": "i am", "dnt": "don't",
    "cnt": "can't", "cudnt": "couldn't", "cudn't": "couldn't",
    "coudn't": "couldn't", "coudnt": "couldn't",
    "wen": "when", "wid": "with", "wiv": "with", "wit": "with", "w/": "with",
    "pls": "please", "plz": "please", "ppl": "people", "bday": "birthday",
    "tmrw": "tomorrow", "tmr": "tomorrow", "tomoro": "tomorrow",
    "tommorow": "tomorrow", "tomorow": "tomorrow", "2moro": "tomorrow",
    "2nite": "tonight", "tonite": "tonight", "2night": "tonight", "2day": "today",
    "rn": "right now", "atm": "at the moment", "n": "and", "nd": "and",
    "bc": "because", "cuz": "because", "coz": "because", "bcoz": "because",
    "becos": "because", "fone": "phone", "hubby": "husband",
    "husbnd": "husband", "husban": "husband", "hisband": "husband",
    "bf": "boyfriend", "gf": "girlfriend", "bfs": "boyfriend's", "b/f": "boyfriend",
    "boyfreind": "boyfriend", "boyfrend": "boyfriend", "girlfreind": "girlfriend",
    "freind": "friend", "frend": "friend", "neice": "niece", "sis": "sister",
    "bro": "brother", "mom": "mum", "mam": "mum", "mums": "mum's", "moms": "mum's",
    "wud": "would", "shud": "should", "cud": "could", "thru": "through",
    # the words that matter, as people and speech recognition write them
    "chocked": "choked", "choaked": "choked", "chokd": "choked", "choke'd": "choked",
    "chockes": "chokes", "chocks": "chokes", "chocking": "choking",
    "choaking": "choking", "chok": "choke", "choak": "choke", "chokeing": "choking",
    "stranged": "strangled", "strangeled": "strangled", "stranglled": "strangled",
    "strangld": "strangled", "strangelled": "strangled", "strangulated": "strangled",
    "straggled": "strangled", "strangel": "strangle", "strangeling": "strangling",
    "strangulate": "strangle", "strangulating": "strangling", "strangl": "strangle",
    "trottled": "throttled", "throtled": "throttled",
    "throte": "throat", "thoat": "throat", "troat": "throat", "nek": "neck",
    "suside": "suicide", "sucide": "suicide", "suiside": "suicide",
    "suicid": "suicide", "sueside": "suicide", "suacide": "suicide",
    "suecide": "suicide", "sewerslide": "suicide", "sewerside": "suicide",
    "sucidal": "suicidal", "suisidal": "suicidal", "suicidle": "suicidal",
    "sueicidal": "suicidal", "suicial": "suicidal", "susidal": "suicidal",
    "kms": "kill myself", "unalive": "kill", "unaliving": "killing",
    "kil": "kill", "kll": "kill", "k1ll": "kill", "kiled": "killed",
    "kiling": "killing",
    "killin": "killing", "myslef": "myself", "mysef": "myself", "meself": "myself",
    "hiself": "himself", "hisself": "himself", "himslef": "himself",
    "himselve": "himself", "hereself": "herself", "themself": "themselves",
    "dye": "die", "dieing": "dying", "ded": "dead", "overdoes": "overdose",
    "od": "overdose", "od'd": "overdosed",
    "oded": "overdosed", "tabelts": "tablets", "tablits": "tablets", "pilss": "pills",
    "r@ped": "raped", "r*ped": "raped",
    "threatend": "threatened", "threatned": "threatened",
    "threathened": "threatened", "thretened": "threatened", "threten": "threaten",
    "threatning": "threatening", "threting": "threatening", "thretening": "threatening",
    "threathens": "threatens", "treatened": "threatened",
    "nife": "knife", "kinfe": "knife", "nives": "knives", "shotting": "shooting",
    "beated": "beat", "beet": "beat", "hitted": "hit",
    "hited": "hit", "hitt": "hit", "puched": "punched", "ponched": "punched",
    "slaped": "slapped", "slapt": "slapped", "smaked": "smacked", "kiked": "kicked",
    "bleading": "bleeding", "bleding": "bleeding", "pregnent": "pregnant",
    "pregant": "pregnant", "preggers": "pregnant", "preg": "pregnant",
    "uncontious": "unconscious", "unconsious": "unconscious",
    "unconcious": "unconscious",
    "folow": "follow", "folowing": "following",
    "folows": "follows", "folowed": "followed", "wieght": "weight",
}  # fmt: skip
_WORD = re.compile(r"[\w@*/]+(?:'\w+)*")


@dataclass(frozen=True, slots=True)
class PlainText:
    """Normalised text; ``offsets[i]`` is where its character ``i`` came from."""

    text: str = field(repr=False)
    offsets: tuple[int, ...] = field(repr=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Turn offsets in the normalised text into offsets in the original."""
        if start >= end:
            return (0, 0)
        return self.offsets[start], self.offsets[end - 1] + 1


def plain(text: str) -> PlainText:
    """Normalise a text; linear in its length.

    Lower case, compatibility forms folded, quotes straight, invisible marks removed,
    look-alike letters in Latin words replaced, a letter repeated three or more times
    kept twice.
    """
    letters: list[str] = []
    offsets: list[int] = []
    run = 0
    for index, original in enumerate(text):
        for char in unicodedata.normalize("NFKC", original).translate(_QUOTES).lower():
            if char in "\n\t\r":
                char = " " if char == "\t" else "\n"
            elif "\u0300" <= char <= "\u036f" or _is_invisible(char):
                continue
            run = run + 1 if letters and letters[-1] == char else 1
            if run > 2:
                continue
            letters.append(char)
            offsets.append(index)
    return PlainText(_unmask("".join(letters)), tuple(offsets))


def spoken(text: str) -> PlainText:
    """Normalise a text as triage hears it; linear in its length.

    As ``plain``; and variants of one letter become one, vowel signs of Arabic script
    go, and common misspellings and texting style become plain words. A word that was
    respelt points back to the whole word that the person wrote.
    """
    base = plain(text)
    letters: list[str] = []
    offsets: list[int] = []
    at = 0
    for word in _WORD.finditer(base.text):
        start, end = word.span()
        letters += base.text[at:start]
        offsets += base.offsets[at:start]
        at = end
        if (better := _SPELLINGS.get(word[0])) is None:
            letters += word[0]
            offsets += base.offsets[start:end]
        else:
            letters += better
            first, last = base.offsets[start], base.offsets[end - 1]
            offsets += [first] * (len(better) - 1) + [last]
    letters += base.text[at:]
    offsets += base.offsets[at:]
    kept = [i for i, char in enumerate(letters) if char not in _UNWRITTEN]
    folded = fold_letters("".join(letters[i] for i in kept))
    return PlainText(folded, tuple(offsets[i] for i in kept))


def fold_letters(text: str) -> str:
    """Make one letter of the variants that people mix up; the length stays."""
    return text.translate(_VARIANTS)


def unwritten(char: str) -> bool:
    """Tell whether ``spoken`` leaves this sign out."""
    return char in _UNWRITTEN


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in {"Cf", "Cc"}


def _unmask(text: str) -> str:
    """Replace look-alike letters, only in words that also have Latin letters."""
    if text.isascii():
        return text
    return re.sub(
        r"\w+",
        lambda word: (
            word[0].translate(_LOOK_ALIKES) if _LATIN.search(word[0]) else word[0]
        ),
        text,
    )
