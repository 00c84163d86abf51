"""Change a seed a little, at random: texts by characters, bytes by bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from tests.fuzz.seeds import ODD_BYTES, ODD_TEXTS

Input = Any
"""A text or bytes; a target takes one kind."""
_T = TypeVar("_T", str, bytes)
_MOST_CHANGES = 6
_SELDOM = 400
"""One input in so many may be as long as it likes, up to ``_LONGEST``."""
_LONGEST = 100_000


def mutated(random: Random, seeds: Sequence[_T], longest: int) -> _T:
    """Give a seed with one to six changes."""
    given = random.choice(seeds)
    is_text = isinstance(given, str)
    for _ in range(random.randint(1, _MOST_CHANGES)):
        change = random.choice(_CHANGES)
        given = change(random, given, seeds)
        if random.random() < 0.4:
            given = _odd(random, given, is_text)
    if len(given) > longest and random.randrange(_SELDOM):
        at = random.randrange(len(given) - longest)
        return given[at : at + longest] if random.random() < 0.5 else given[:longest]
    return given[:_LONGEST]


def _place(random: Random, given: _T) -> tuple[int, int]:
    start = random.randint(0, len(given))
    length = random.choice((1, 1, 2, 4, 12, 40, len(given)))
    return start, min(len(given), start + length)


def _left_out(random: Random, given: _T, seeds: Sequence[_T]) -> _T:
    start, end = _place(random, given)
    return given[:start] + given[end:]


def _twice(random: Random, given: _T, seeds: Sequence[_T]) -> _T:
    start, end = _place(random, given)
    times = random.choice((1, 1, 1, 2, 3, 8, 200))
    part = given[start:end]
    times = min(times, 1 + 20_000 // max(1, len(part)))
    return given[:end] + part * times + given[end:]


def _moved(random: Random, given: _T, seeds: Sequence[_T]) -> _T:
    start, end = _place(random, given)
    rest = given[:start] + given[end:]
    at = random.randint(0, len(rest))
    return rest[:at] + given[start:end] + rest[at:]


def _joined(random: Random, given: _T, seeds: Sequence[_T]) -> _T:
    other = random.choice(seeds)
    return (
        given[: random.randint(0, len(given))] + other[random.randint(0, len(other)) :]
    )


def _swapped(random: Random, given: _T, seeds: Sequence[_T]) -> _T:
    """Put a piece of another seed in the place of a piece."""
    start, end = _place(random, given)
    other = random.choice(seeds)
    first, last = _place(random, other)
    return given[:start] + other[first:last] + given[end:]


def _one_changed(random: Random, given: _T, seeds: Sequence[_T]) -> _T:
    if not given:
        return given
    at = random.randrange(len(given))
    if isinstance(given, bytes):
        byte = given[at] ^ (1 << random.randrange(8))
        return given[:at] + bytes([byte]) + given[at + 1 :]
    return given[:at] + chr(random.randrange(0x110000)) + given[at + 1 :]


def _cut_short(random: Random, given: _T, seeds: Sequence[_T]) -> _T:
    return given[: random.randint(0, len(given))]


_CHANGES: tuple[Callable[..., Any], ...] = (
    _left_out,
    _left_out,
    _twice,
    _moved,
    _joined,
    _swapped,
    _swapped,
    _one_changed,
    _one_changed,
    _cut_short,
)


def _odd(random: Random, given: Any, is_text: bool) -> Any:
    """Put in something odd, or write it over what stands there."""
    odd: Any = random.choice(ODD_TEXTS if is_text else ODD_BYTES)
    at = random.randint(0, len(given))
    over = len(odd) if random.random() < 0.5 else 0
    return given[:at] + odd + given[at + over :]
