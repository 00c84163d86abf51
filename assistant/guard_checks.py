"""The guard's checks that need counting or comparing, each a small function.

Every check takes one sentence as it was written and what is known, and yields the
places where a rule is broken. Phrases are in ``knowledge/rules/guard.<language>.toml``.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from assistant import guard_words as words
from assistant.domain import Violation
from assistant.normalise import plain

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SAME_RUN = 6
"""So many of the person's words in a row, unchanged, are a repetition."""
_SAME_RUN_FIRST_PERSON = 4
"""Fewer where they still say I or my: "I can't breathe without"."""
_TURNED_RUN = 8
"""So many words in a row, with I turned into you, are a repetition too."""
_SHARED_RUN = 3
_NOTHING_ADDED = 0.8
"""Share of a sentence that only turns the person's words round."""
_SHORTEST_ECHO_WORDS = 4
_SUPPORT = 0.5
"""Share of a claim's content words that a passage must hold to carry it."""

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What a reply may draw on, prepared once for all its sentences."""

    said: Tokens = field(repr=False)
    said_runs: frozenset[Tokens] = field(repr=False)
    """Runs of the person's words, of the lengths that ``echo`` compares."""
    turned_runs: frozenset[Tokens] = field(repr=False)
    """Short runs of their words with I turned into you."""
    words: frozenset[str] = field(repr=False)
    material: frozenset[str] = field(repr=False)
    """The words of the passages alone."""
    has_material: bool

    @classmethod
    def of(cls, said: str, passages: Sequence[str]) -> Known:
        """Prepare the person's words and the passages."""
        said_words = tokens(said)
        turned = turn_round(said_words)
        material = frozenset(word for text in passages for word in tokens(text))
        return cls(
            said=said_words,
            said_runs=_runs(said_words, _SAME_RUN)
            | _runs(said_words, _SAME_RUN_FIRST_PERSON),
            turned_runs=_runs(turned, _SHARED_RUN)
            | _runs(said_words, _SHARED_RUN)
            | _runs(turned, _TURNED_RUN),
            words=frozenset(said_words) | material,
            material=material,
            has_material=bool(passages),
        )

    def has_words(self, text: str) -> bool:
        """Tell whether all content words of a text were given."""
        wanted = [w for w in tokens(text) if w not in words.FUNCTION]
        return bool(wanted) and all(w in self.words for w in wanted)


def find_all(sentence: str, known: Known, language: str) -> Iterator[Violation]:
    """Run every check on one sentence; offsets are characters of it."""
    for rule, check in (
        ("contact", contacts),
        ("leak", markers),
        ("ungrounded", numbers),
        ("ungrounded", names),
        ("ungrounded", claims),
        ("ungrounded", people),
        ("echo", echoes),
    ):
        for start, end in check(sentence, known):
            yield Violation(rule, start, end)
    if language.partition("-")[0] == "en":
        for start, end in other_language(sentence, known):
            yield Violation("off_language", start, end)


Spans = Iterable[tuple[int, int]]

# --- Contacts -----------------------------------------------------------------------

_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.\w+|(?<!\w)@\w{2,}"
    r"|\b[\w-]{2,}\.(?:com|org|net|gov|edu|info|co\.uk|org\.uk|gov\.uk|uk|eu|io)\b"
    r"|\b[\w-]+ dot (?:com|org|net|gov|co)\b"
    r"|\b\d{1,5} (?:[A-Z][a-z]+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive)\b",
    re.IGNORECASE,
)
_TEXT_TO = re.compile(
    r"\btext(?:ing)? (?:the word )?[\"'“‘]?[A-Z]{2,}[\"'”’]? to\b", re.ASCII
)
_DIGITS = re.compile(r"\+?\(?\d(?:[\d().\u2010-\u2015 -]{0,20}\d)?(?!\w)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CALL = re.compile(
    r"\b(?:call|dial|ring|phone|text|number|line|contact)(?:ing| is| at| on| to)*\W*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s*(?:%|per ?cent\b|[a-z]{3,}s\b)", re.IGNORECASE)
_DIGIT_WORD = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|eleven"
    r"|double [a-z]+|triple [a-z]+|eight hundred|\d)"
)
_SPELLED = re.compile(
    rf"\b(?:{_DIGIT_WORD}[\s,-]+){{2,}}{_DIGIT_WORD}\b|\btriple (?:nine|zero|one)\b"
    r"|\bone[\s-]eight hundred\b",
    re.IGNORECASE,
)
_IN_ORDER = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def contacts(sentence: str, known: Known) -> Spans:
    """Find phone numbers, short codes, addresses, links and handles."""
    for pattern in (_ADDRESS, _TEXT_TO):
        for match in pattern.finditer(sentence):
            yield match.span()
    for match in _DIGITS.finditer(sentence):
        if _may_be_phone(sentence, match):
            yield match.span()
    for match in _SPELLED.finditer(sentence):
        if not _is_counting(match[0]):
            yield match.span()


def _may_be_phone(sentence: str, match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match[0])
    if _CALL.search(sentence, 0, match.start()) and len(digits) > 1:
        return not _COUNTED.match(sentence, match.end())
    if len(digits) < 3 or _YEAR.fullmatch(match[0]):
        return False
    return digits in words.SHORT_CODES or not _COUNTED.match(sentence, match.end())


def _is_counting(text: str) -> bool:
    """Tell counting for a breath, "one, two, three", from a number read out."""
    spoken = [w for w in tokens(text) if w in _IN_ORDER]
    places = [_IN_ORDER.index(w) for w in spoken]
    steps = {b - a for a, b in itertools.pairwise(places)}
    return len(places) > 2 and (steps == {1} or steps == {-1})


# --- Traces of the prompt -----------------------------------------------------------

_MARKER = re.compile(
    r"<[|/!]?\w[^>\n]{0,40}>|```|^#{1,6} |\*[a-z][a-z ,]{2,40}\*|\[[^\]\n]{1,60}\]"
    r"|\{\{?[^}\n]{0,60}\}|^\W*\([a-z][^)]{2,60}\)\W*$"
    r"|^\W*\((?:[a-z]+ly|sighs?|pauses?|smil\w+|nods?|whisper\w*|silence)\b[^)]{0,40}\)|\\n|\*\*"
    r"|^\W*(?:user|assistant|system|human|ebb|ai|answer|response|reply|output|note"
    r"|passage(?: \d+)?|material(?: \d+)?|question|me|you)\s?:(?=\s)"
    r"|\b(?:def|import|print|return|const|function|class) ?\w*\(|;$|=>|==|#include",
    re.IGNORECASE,
)


def markers(sentence: str, known: Known) -> Spans:
    """Find marks of prompts, code, sources and stage directions."""
    for match in _MARKER.finditer(sentence):
        yield match.span()


# --- Facts nobody gave --------------------------------------------------------------

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_LIST_MARK = re.compile(r"^\W*\d{1,2}[.)](?=\s)")
_SMALL_COUNT = re.compile(
    r"\s*(?:slow |deep |gentle |small |calm )*(?:things?|breaths?|sounds?|minutes?"
    r"|seconds?|sips?|words?|counts?|steps?|colou?rs?|objects?)\b",
    re.IGNORECASE,
)
_CLAIMED_TIME = re.compile(
    r"\b(?:in|within|after|lasts?|takes?|only|about|around|every|for (?:about|around))"
    r"(?: \w+){0,2} $",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:you (?:could|might|can)|we (?:could|can)|if you|let)\b",
    re.IGNORECASE,
)


def numbers(sentence: str, known: Known) -> Spans:
    """Find digits that neither the passages nor the person gave."""
    list_mark = _LIST_MARK.match(sentence)
    for match in _NUMBER.finditer(sentence, list_mark.end() if list_mark else 0):
        if match[0] in known.words or all(n in known.words for n in tokens(match[0])):
            continue
        small = match[0].isdigit() and int(match[0]) <= 10
        if small and _SMALL_COUNT.match(sentence, match.end()):
            if _OFFER.search(sentence):
                continue
            if not _CLAIMED_TIME.search(sentence, 0, match.start()):
                continue
        yield match.span()


_CAPITAL = re.compile(r"(?<![\w.'’])[A-Z][a-z]+(?:['’-]?[A-Za-z]+)*|\b[A-Z]{2,}s?\b")


_NAMES_SHARE = 0.7


def names(sentence: str, known: Known) -> Spans:
    """Find capitalised names that neither the passages nor the person gave."""
    capitals = list(_CAPITAL.finditer(sentence))
    if len(capitals) > _NAMES_SHARE * len(sentence.split()) > 2:
        return  # everything is capitalised: no names to be told from it
    for match in capitals:
        if _SOME_DAY.search(sentence, 0, match.end()):
            continue
        before = sentence[: match.start()].rstrip(" ")
        begins = not before.strip("\"'“”‘’*-•–—( ") or before[-1:] in ".:!?\"“‘'(…"
        parts = tokens(re.sub(r"['’]s$", "", match[0]))
        if begins or all(p in words.CAPITALISED or p in known.words for p in parts):
            continue
        yield match.span()


_SOME_DAY = re.compile(
    r"\b(?:a|an|ordinary|normal|quiet|next|any|some|good) "
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$"
)

_CLAIM = re.compile(
    r"\b(?:stud(?:y|ies)|research(?:ers?)?|experts?"
    r"|science (?:says|shows|tells|proves|suggests)|scientists?|scientific(?:ally)?"
    r"|psycholog(?:y|ists?)|statistics?|statistically|according to|surveys?"
    r"|evidence (?:shows?|suggests?)|data|proven|specialists|therapists (?:say|agree)"
    r"|it is (?:well )?known|(?:doctors|professionals|clinicians|counsell?ors)"
    r" (?:say|agree|believe|recommend|call))\b",
    re.IGNORECASE,
)


def claims(sentence: str, known: Known) -> Spans:
    """Find an appeal to studies or experts that no passage carries."""
    match = _CLAIM.search(sentence)
    if not match or not known.has_material:
        if match:
            yield match.span()
        return
    content = [w for w in tokens(sentence) if w not in words.FUNCTION]
    held = sum(_stem(w) in {_stem(m) for m in known.material} for w in content)
    if not content or held / len(content) < _SUPPORT:
        yield match.span()


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s|y|ies|er|ers|ly)$", "", word)[:7]


_YOUR_PERSON = re.compile(
    r"\byour (?:own |little |young |oldest |new |two |three )?"
    rf"({'|'.join(words.PEOPLE)})s?\b",
    re.IGNORECASE,
)
_HE = re.compile(r"\b(?:he|him|his|himself)(?:'s|'ll|'d)?\b", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|her|hers|herself)(?:'s|'ll|'d)?\b", re.IGNORECASE)


def people(sentence: str, known: Known) -> Spans:
    """Find people the person never spoke of, and a he made out of a she."""
    if not known.said:
        return
    straight = sentence.replace("’", "'")
    for match in _YOUR_PERSON.finditer(straight):
        if not known.words & words.PEOPLE[match[1].lower()]:
            yield match.span(1)
    said = {word.partition("'")[0] for word in known.said}
    for pronoun, this, that in (
        (_HE, words.HE_WORDS, words.SHE_WORDS),
        (_SHE, words.SHE_WORDS, words.HE_WORDS),
    ):
        if said & that and not said & this and not known.material & this:
            for match in pronoun.finditer(straight):
                yield match.span()


# --- The person's own words ---------------------------------------------------------


def echoes(sentence: str, known: Known) -> Spans:
    """Find the person's own words handed back."""
    places = [m.span() for m in _WORD.finditer(plain_same_length(sentence))]
    said = [plain_same_length(sentence)[a:b] for a, b in places]
    for length in (_SAME_RUN, _SAME_RUN_FIRST_PERSON):
        for at in range(len(said) - length + 1):
            run = tuple(said[at : at + length])
            if run in known.said_runs and (
                length == _SAME_RUN or words.FIRST_PERSON & set(run)
            ):
                yield places[at][0], places[at + length - 1][1]
                return
    for at in range(len(said) - _TURNED_RUN + 1):
        if tuple(said[at : at + _TURNED_RUN]) in known.turned_runs:
            yield places[at][0], places[at + _TURNED_RUN - 1][1]
            return
    if span := _restated(said, known):
        yield places[span[0]][0], places[span[1] - 1][1]


def _restated(said: list[str], known: Known) -> tuple[int, int] | None:
    """Give the words of a sentence that only turns the person's words round."""
    first = _lead_in_words(said)
    rest = said[first:]
    if len(rest) < _SHORTEST_ECHO_WORDS:
        return None
    covered = [False] * len(rest)
    for at in range(len(rest) - _SHARED_RUN + 1):
        if tuple(rest[at : at + _SHARED_RUN]) in known.turned_runs:
            covered[at : at + _SHARED_RUN] = [True] * _SHARED_RUN
    if sum(covered) < _NOTHING_ADDED * len(rest):
        return None
    return first, len(said)


def _lead_in_words(said: list[str]) -> int:
    """Count the words before a restatement, such as "it sounds like"."""
    text = " ".join(said[:8]) + " "
    match = words.LEAD_IN.match(text)
    return len(match[0].split()) if match else 0


def turn_round(said: Sequence[str]) -> Tokens:
    """Turn the person's words to them: I becomes you, my becomes your."""
    return tuple(part for word in said for part in words.TURNED.get(word, word).split())


def _runs(said: Tokens, length: int) -> frozenset[Tokens]:
    return frozenset(said[at : at + length] for at in range(len(said) - length + 1))


# --- Language -----------------------------------------------------------------------

_FOREIGN_SHARE = 0.3
_FEW_WORDS = 4


def other_language(sentence: str, known: Known) -> Spans:
    """Find letters of another script, or words that are mostly not English."""
    for index, char in enumerate(sentence):
        if ord(char) > 127 and char.isalpha() and not _is_latin(char):
            yield index, index + 1
            return
    said = tokens(sentence)
    foreign = sum(w in words.FOREIGN for w in said)
    english = sum(w in words.FUNCTION for w in said)
    mostly = foreign >= 2 and foreign > max(english, _FOREIGN_SHARE * len(said) - 1)
    wholly = foreign and not english and len(said) >= _FEW_WORDS
    if mostly or wholly:
        yield 0, len(sentence)


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith(("LATIN", "FEMININE", "MASCULINE"))


# --- Words --------------------------------------------------------------------------


def tokens(text: str) -> Tokens:
    """Give the words of a text, lower case, with straight apostrophes."""
    return tuple(_WORD.findall(plain(text).text))


def plain_same_length(text: str) -> str:
    """Lower a text and straighten its apostrophes without moving any offset."""
    lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered.replace("’", "'").replace("‘", "'")
