"""What everything that uses the ear shares: thresholds, windows, plain text.

The ear is a small tuned encoder that ships with the program; see ``training/``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.sentences import split_sentences

CANDIDATE = "reply: "
"""Stands before a candidate sentence: the same words mean other things there."""
_WINDOW_WORDS = 60
_STEP_WORDS = 48
FINE_WINDOW_WORDS = 24
_FINE_STEP_WORDS = 16
_FINE_UP_TO_WORDS = 300
_WORD = re.compile(r"\S+")
_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans("’‘“”–—", "''\"\"--")
# A word this long is no word; the tokenizer would spend its time on it.
_LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class EarThresholds:
    """From which chance on something counts as heard."""

    danger: float
    """That there is any danger at all."""
    short: float
    """The same in a few words alone: there is little in them that could mislead."""
    fine: float
    """The same in a few words out of a longer message, below which they do not count:
    torn from what stands around them, calm words can sound like danger."""
    urgent: float
    """Urgent and emergency together, given danger."""
    emergency: float
    """Emergency, given danger."""
    card: float
    """A card beside the likeliest one."""
    joined: float
    """Danger in several turns together, below which they do not count."""
    joined_card: float
    """The same for their likeliest card."""
    hint: float
    """Danger, where a rule that is only a hint has matched."""
    ask: float
    """Danger, from where on Ebb asks gently."""
    pattern: float
    guard: float
    """That a candidate sentence breaks any rule."""
    guard_overrules: float
    """The same, below which a phrase of the guard's rules is let pass."""
    off_topic: float


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Give windows of up to 60 words that overlap by 12, as character offsets.

    Of a text of up to 300 words also windows of 24: one sentence of danger drowns in
    sixty words about the weather. Beyond that they would take too long.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    yield from _windows(words, _WINDOW_WORDS, _STEP_WORDS)
    if FINE_WINDOW_WORDS < len(words) <= _FINE_UP_TO_WORDS:
        yield from _windows(words, FINE_WINDOW_WORDS, _FINE_STEP_WORDS)


def _windows(
    words: Sequence[tuple[int, int]], length: int, step: int
) -> Iterator[tuple[int, int]]:
    for first in range(0, len(words), step):
        part = words[first : first + length]
        yield part[0][0], part[-1][1]
        if first + length >= len(words):
            return


def around(text: str, start: int, end: int) -> str:
    """Give the words about a place, half a fine window on either side."""
    before = text[:start].split()[-FINE_WINDOW_WORDS // 2 :]
    after = text[end:].split()[: FINE_WINDOW_WORDS // 2]
    return plain(" ".join([*before, text[start:end], *after]))


def sentence_at(text: str, start: int, end: int) -> str:
    """Give the sentence, or the sentences, in which a place lies."""
    spans = split_sentences(text)
    first = max((a for a, _ in spans if a <= start), default=0)
    last = min((b for _, b in spans if b >= end), default=len(text))
    sentence = text[first:last]
    if len(sentence.split()) > _WINDOW_WORDS:
        return around(text, start, end)
    return plain(sentence)


def tail(text: str) -> str:
    """Give the last words of a text, as many as one window holds."""
    return " ".join(text.split()[-_WINDOW_WORDS:])


def plain(text: str) -> str:
    """Bring a text into the shape the ear was trained on."""
    words = _SPACES.split(text.translate(_QUOTES).strip())
    return " ".join(word[:_LONGEST_WORD] for word in words)
