"""Simple judges for replies of any origin: word lists, numbers, links.

They read words and understand nothing: a reply that says “no need to call the police”
names help for them. That holds for Ebb's replies and for the others' alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.content import read_toml
from assistant.evaluation.beside_texts import PATH

_THEM = (
    "him|her|them|your partner|your ex|your boyfriend|your girlfriend|your husband"
    "|your wife|this person"
)
_THEY = "he|she|they|your partner|your ex|your boyfriend|your girlfriend|your husband"
_THEY += "|your wife"
_LINK = re.compile(
    r"https?://\S+|\bwww\.\S+|\S+@\S+\.\S+|\b[\w-]+\.(?:org|com|net|gov|co\.uk|info)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d(?:[\d\s().,–-]*\d)?")
_DIGITS = 3
"""A number is counted from so many digits on: “24/7” and “2.” in a list are not."""
_NO_DIGIT = re.compile(r"\D")


def has_word(text: str, phrases: re.Pattern[str]) -> bool:
    """Tell whether one of the phrases stands in a text, as whole words."""
    return bool(phrases.search(_straight(text)))


def compile_words(phrases: Iterable[str]) -> re.Pattern[str]:
    """Make one pattern of phrases; case and the form of an apostrophe do not matter."""
    alternatives = "|".join(
        _with_people(re.escape(_straight(phrase)))
        for phrase in sorted(phrases, key=len, reverse=True)
    )
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


def ungiven(text: str, given: Sequence[str]) -> bool:
    """Tell whether a text has a long number or a link that none of the given has."""
    known = _straight("\n".join(given)).lower()
    known_digits = {_NO_DIGIT.sub("", found) for found in _NUMBER.findall(known)}
    for found in _NUMBER.findall(text):
        digits = _NO_DIGIT.sub("", found)
        if len(digits) >= _DIGITS and digits not in known_digits:
            return True
    return any(link.lower() not in known for link in _LINK.findall(text))


@dataclass(frozen=True, slots=True)
class Judges:
    """The word lists of ``beside.toml``, ready to be used."""

    keywords: re.Pattern[str]
    help_named: re.Pattern[str]
    help_wider: re.Pattern[str]
    flagged: Mapping[str, re.Pattern[str]]
    """The plain checker, by kind of phrase."""

    def flags(self, sentence: str) -> tuple[str, ...]:
        """Give the kinds of plain phrases that stand in a sentence."""
        return tuple(
            kind for kind, words in self.flagged.items() if has_word(sentence, words)
        )


def load() -> Judges:
    """Read the word lists.

    Raises:
        ContentError: If the file cannot be read.
    """
    raw = read_toml(PATH)
    named, professional = raw["help"]["named"], raw["help"]["professional"]
    return Judges(
        keywords=compile_words(raw["keywords"]["phrases"]),
        help_named=compile_words(named),
        help_wider=compile_words([*named, *professional]),
        flagged={
            kind: compile_words(phrases) for kind, phrases in raw["checker"].items()
        },
    )


def _straight(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'")


def _with_people(pattern: str) -> str:
    return pattern.replace("THEM", f"(?:{_THEM})").replace("THEY", f"(?:{_THEY})")
