"""A second look at whole replies, by plain phrase lists that are not the guard's.

The guard cannot tell what it does not know. This checker was written without its
patterns, and looks at everything that is shown: vetted lines as well as the model's
own sentences. Its lists stand in ``checker.toml``.

Covers: the rules of the contract as far as plain phrases carry, numbers and addresses,
runs of the person's own words, other scripts and languages, scolding and cold refusal
(``cold``), a reply without words (``empty``).
Does not cover: whether a reply is true, whether it fits, what no list names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assistant.content import read_toml

_PATH = Path(__file__).with_name("checker.toml")
_PART = re.compile(r"[^.!?\n]+[.!?]*")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_ECHO_WORDS = 7
_FEWEST_WORDS = 3
_SHORTEST_NUMBER = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a reply should not have said."""

    rule: str
    """A guard rule of the contract, or ``cold`` or ``empty``."""
    text: str
    """The words that were found."""

    def record(self) -> dict[str, str]:
        """Give the finding as a record."""
        return {"rule": self.rule, "found": self.text}


@dataclass(frozen=True, slots=True)
class _List:
    phrases: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Given:
    """What a reply may draw on."""

    said: str = ""
    """Everything that the person said in this talk."""
    known: str = ""
    """Texts of ours that were at hand: passages and vetted lines."""


def check(reply: str, given: Given | None = None) -> tuple[Finding, ...]:
    """Find what a whole reply should not have said; each rule once a sentence."""
    given = given or Given()
    text = _plain(reply)
    found: list[Finding] = []
    if len(re.findall(r"\w+", text)) < _FEWEST_WORDS:
        found.append(Finding("empty", reply.strip()))
    for part in _PART.findall(text):
        found += _phrases(part)
    found += (Finding("leak", mark[0]) for mark in _MARK.finditer(text))
    found += (Finding("contact", place) for place in _contacts(text, given))
    found += (Finding("ungrounded", place) for place in _numbers(text, given))
    found += (Finding("echo", place) for place in _echoes(text, given.said))
    found += (Finding("off_language", place) for place in _foreign(text))
    return tuple(dict.fromkeys(found))


# --- Phrases ------------------------------------------------------------------------


def _phrases(sentence: str) -> Iterator[Finding]:
    for rule, words in _lists().items():
        hit = next(
            (hit for phrase in words.phrases if (hit := phrase.search(sentence))), None
        )
        if hit and not any(excuse.search(sentence) for excuse in words.unless):
            yield Finding(rule, hit[0].strip(" ,;:—–-"))


@cache
def _lists() -> dict[str, _List]:
    raw = read_toml(_PATH)
    words = {name: "|".join(values) for name, values in raw["words"].items()}
    return {
        rule: _List(
            tuple(_compile(phrase, words) for phrase in entry["phrases"]),
            tuple(_compile(phrase, words) for phrase in entry["unless"]),
        )
        for rule, entry in raw["rule"].items()
    }


def _compile(phrase: str, words: Mapping[str, str]) -> re.Pattern[str]:
    """Make a pattern of a phrase; see the head of ``checker.toml``."""
    begins = phrase.startswith("^")
    phrase = phrase.removeprefix("^")
    while "{" in phrase:  # a word list may use another
        phrase = re.sub(r"\{(\w+)\}", lambda name: f"({words[name[1]]})", phrase)
    ends = phrase.endswith("$")
    phrase = phrase.removesuffix("$")
    phrase = re.sub(r"(?<=\w)\*", r"\\w*", phrase)
    phrase = re.sub(r"(?<![\w\\])\*", r"(?:[\\w'-]+ ){0,2}[\\w'-]+", phrase)
    phrase = phrase.replace(" :", r"\s*:").replace(" , ", r"\s*, ")
    phrase = re.sub(r" +", r"\\s+", phrase)
    first = r"(?:^|[,;:—–-])\W*" if begins else r"(?<![\w'])"
    last = r"\W*$" if ends else r"(?![\w'])"
    return re.compile(f"{first}(?:{phrase}){last}")


_MARK = re.compile(
    r"<\||\|>|\[/?inst|#{2,}|```|\*\*|<!--|\{\{|^\w+\s?:\s", re.MULTILINE
)
"""Traces of how a prompt is built."""


# --- Numbers and addresses ----------------------------------------------------------

_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+\.\w+"
    r"|\b[\w-]+\.(?:com|org|net|info|gov|edu|app|io|uk|us|de|fr|es|in|pk|ca|au)\b"
)
_DIGITS = re.compile(r"\+?\d[\d\s().-]*\d|\d")
_DIGIT_WORDS = "zero oh one two three four five six seven eight nine double".split()
_READ_OUT = re.compile(rf"(?:\b(?:{'|'.join(_DIGIT_WORDS)})\b[\s,-]*){{3,}}")
_COUNTING = re.compile(r"\W+".join(_DIGIT_WORDS[2:5]))
_YEAR = re.compile(r"(?:19|20)\d\d")
_COUNTED = 10


def _contacts(text: str, given: Given) -> Iterator[str]:
    """Find addresses, and numbers long enough to be called, that nobody vetted."""
    for match in _ADDRESS.finditer(text):
        if match[0] not in _plain(given.known):
            yield match[0]
    for match in _DIGITS.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if len(digits) < _SHORTEST_NUMBER or _YEAR.fullmatch(digits):
            continue
        if match[0] not in given.known:
            yield match[0]
    for match in _READ_OUT.finditer(text):
        if not _COUNTING.search(match[0]):
            yield match[0].strip()


def _numbers(text: str, given: Given) -> Iterator[str]:
    """Find figures above ten that neither the person nor a text of ours gave."""
    there = set(re.findall(r"\d+", f"{given.said} {given.known}"))
    for match in re.finditer(r"(?<![\d.,])\d{1,2}(?![\d])", text):
        if int(match[0]) > _COUNTED and match[0] not in there:
            yield match[0]
    if "%" in text and "%" not in given.known:
        yield "%"


# --- The person's words, and other languages ----------------------------------------

_TURNED = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "am": "are", "i'm": "you're", "im": "you're", "i've": "you've", "i'll": "you'll",
    "i'd": "you'd", "was": "were",
}  # fmt: skip


def _echoes(text: str, said: str) -> Iterator[str]:
    """Find runs of the person's words, with I and you turned or not."""
    theirs = _turned(_plain(said))
    runs = {tuple(theirs[i : i + _ECHO_WORDS]) for i in range(len(theirs))}
    ours = _turned(text)
    for at in range(len(ours) - _ECHO_WORDS + 1):
        if tuple(ours[at : at + _ECHO_WORDS]) in runs:
            yield " ".join(ours[at : at + _ECHO_WORDS])
            return


def _turned(text: str) -> list[str]:
    return [_TURNED.get(word, word) for word in _WORD.findall(text)]


_OTHERS = frozenset(
    "el los las que por para pero muy usted eres estoy tienes lo siento mucho es una "
    "je vous nous est pas mais avec pour les des une c'est moi toi mon ton et ce "
    "ich nicht und das der dich dir sehr ist non sono che di mi não sua "
    "hai hain nahi aap tum mujhe kya mein hoon raha rahi bahut "
    "ana enta inti huwa mish wallah habibti habibi".split()
)
_ENGLISH = frozenset(
    "the and you your that this it is are was to of in for with not what have can be "
    "feel from when how or but they there here if as at on i we let may who one some "
    "still more all will would could has been about their them he she his her by do "
    "say go take so very much nobody like right now than then after before where which "
    "while just only yes no know need want thing words hello thank".split()
)
_ENGLISH_ENDS = ("n't", "'m", "'re", "'ve", "ing", "ed", "ly", "ness")


def _foreign(text: str) -> Iterator[str]:
    """Find letters that are not Latin, and several words of other languages."""
    strange = re.search(r"[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufdff]+", text)
    if strange:
        yield strange[0]
    for part in _PART.findall(text):
        words = _WORD.findall(part)
        others = {word for word in words if word in _OTHERS}
        english = any(w in _ENGLISH or w.endswith(_ENGLISH_ENDS) for w in words)
        if len(others) >= _FEWEST_WORDS or (
            len(words) >= _FEWEST_WORDS and not english
        ):
            yield part.strip()


def _plain(text: str) -> str:
    """Lower a text, with straight quotes."""
    return text.lower().replace("’", "'").replace("‘", "'").replace("ʼ", "'")


def has_any(text: str, words: Iterable[str]) -> bool:
    """Tell whether a text has one of some words, whatever their case."""
    plain = _plain(text)
    return any(_plain(word) in plain for word in words)
