"""Words that nobody uses, and every form in which they could turn up somewhere."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_SYLLABLES = 6
_WINDOW_SAMPLES = 24
"""Of sound: 48 bytes that no other sound shares."""
_WINDOWS = 12


@dataclass(frozen=True, slots=True)
class Needle:
    """One form of something that must be found nowhere."""

    what: str
    """For the person: what was found, never the words themselves."""
    data: bytes = field(repr=False)
    folded: bool = True
    """True: capital and small letters are the same; ``data`` is in small ones."""


def new_word() -> str:
    """Make a word of twelve letters that can be spoken and that nobody uses."""
    return "".join(
        secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(_SYLLABLES)
    )


def of_text(text: str, what: str) -> tuple[Needle, ...]:
    """Give the forms of a text: UTF-8, UTF-16, UTF-32, base64, hexadecimal."""
    small = text.lower()
    # Without the last zero bytes, the little-endian form is found in the other as well.
    wide = [small.encode("utf-16-le").rstrip(b"\0")]
    wide.append(small.encode("utf-32-le").rstrip(b"\0"))
    plain = [small.encode(), *wide, small.encode().hex().encode()]
    needles = [Needle(what, data) for data in plain]
    spellings = {text, small, small.upper(), small.capitalize()}
    for spelling in sorted(spellings):
        for data in _base64(spelling.encode()):
            needles.append(Needle(f"{what}, as base64", data, folded=False))
    return tuple(needles)


def _base64(data: bytes) -> set[bytes]:
    """Give what stays the same in base64, wherever the text begins in it."""
    found = set()
    for ahead in range(3):
        coded = base64.b64encode(b"\0" * ahead + data)
        first = -(-ahead * 8 // 6)  # the letters that hold only what is ours
        last = (ahead + len(data)) * 8 // 6
        found |= {
            coded[first:last],
            base64.urlsafe_b64encode(b"\0" * ahead + data)[first:last],
        }
    return found


def of_sound(samples: NDArray[np.int16]) -> tuple[Needle, ...]:
    """Give the loudest moments of a sound, as 16-bit numbers and as floats.

    Args:
        samples: Mono, shape ``(n,)``.
    """
    starts = range(0, len(samples) - _WINDOW_SAMPLES, _WINDOW_SAMPLES)
    loudest = sorted(
        starts, key=lambda at: -int(np.ptp(samples[at : at + _WINDOW_SAMPLES]))
    )
    needles = []
    for at in loudest[:_WINDOWS]:
        window = samples[at : at + _WINDOW_SAMPLES]
        floats = window.astype("<f4") / np.float32(32_768)
        for data in (window.astype("<i2").tobytes(), floats.tobytes()):
            needles.append(Needle("a piece of the sound", data, folded=False))
    return tuple(needles)


def find(data: bytes, needles: Iterable[Needle]) -> tuple[str, ...]:
    """Tell what is found in some bytes; each thing once, in the order given."""
    small = data.lower()
    found = (n.what for n in needles if n.data in (small if n.folded else data))
    return tuple(dict.fromkeys(found))


def longest(needles: Sequence[Needle]) -> int:
    """Give the length of the longest needle, in bytes."""
    return max((len(needle.data) for needle in needles), default=0)
