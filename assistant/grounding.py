"""Tell whether a sentence says only what its note says. Pure.

A small model likes to go on: "…, and texting is a good way to stay in touch". As a
whole such a sentence is still close to its note, so each of its parts is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from assistant.guard_words import FUNCTION
from assistant.lexical import words

RESTS_ON = 0.75
"""A sentence at least this like its note says what it says. Of some forty sentences of
three models read by eye, faithful ones lay above 0.75 but for one; at 0.74 one had
turned its note round, and from 0.7 down most had strayed."""
PART_RESTS_ON = 0.4
"""The same for a part of a sentence, which is shorter and says less."""

Likeness = Callable[[str, str], float]
_JOINT = re.compile(
    r"[,;:]|\b(?:and|but|so|because|which|while|without|although|though|unless)\b",
    re.IGNORECASE,
)
_FEW_WORDS = 2
"""A part with no more words of its own than this can hardly claim anything."""
_EMPTY = FUNCTION | frozenset(
    "sense makes make feel feels feeling way ways thing things part one time "
    "people person someone something sometimes often much really seem seems".split()
)


def rests_on(sentence: str, note: str, said: str, likeness: Likeness) -> bool:
    """Tell whether a sentence, and each part of it, has its ground.

    A part has it where it shares a word with the note, is close to it in meaning, or
    only takes up what the person said.

    Args:
        sentence: What the model wrote.
        note: What it was to put into words.
        said: What the person said in this turn.
        likeness: How close two texts are in meaning; 1 is the same.
    """
    if likeness(sentence, note) < RESTS_ON:
        return False
    known, heard = _stems(note), _stems(said)
    for part in _parts(sentence):
        own = _stems(part)
        if len(own) <= _FEW_WORDS or own & known or len(own & heard) * 2 >= len(own):
            continue
        if likeness(part, note) < PART_RESTS_ON:
            return False
    return True


def _parts(sentence: str) -> Iterator[str]:
    for part in _JOINT.split(sentence):
        if part.strip():
            yield part.strip()


def _stems(text: str) -> set[str]:
    """Give the beginnings of the words that carry meaning."""
    return {
        re.sub(r"(?:ing|ed|es|s|ly|y)$", "", word)[:6]
        for word in words(text.replace("’", "'"))
        if word not in _EMPTY
    }
