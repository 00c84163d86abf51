"""Bring a transcript into one spoken form, so that only real errors count.

Covers: case, punctuation, whole numbers below a million, years, English titles.
Does not cover: money, dates, fractions, ordinal numbers, other languages' numbers.
"""

from __future__ import annotations

import re
import unicodedata

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_TITLES = {"mr": "mister", "mrs": "missus", "dr": "doctor", "st": "saint"}
_YEARS = range(1100, 2000)
_BEYOND = 1_000_000


def spoken_form(text: str) -> str:
    """Give lower-case words as they are said, separated by single spaces."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", plain)
    plain = re.sub(r"\d+", lambda found: f" {_spell(int(found.group()))} ", plain)
    plain = plain.replace("'", "")
    words = re.sub(r"[^\w\s]|_", " ", plain).split()
    return " ".join(_TITLES.get(word, word) for word in words)


def _spell(number: int) -> str:
    if number >= _BEYOND:
        return " ".join(_ONES[int(digit)] for digit in str(number))
    if number in _YEARS:
        century, rest = divmod(number, 100)
        return f"{_spell(century)} {_spell(rest) if rest else 'hundred'}"
    if number >= 1000:
        return _join(number, 1000, "thousand")
    if number >= 100:
        return _join(number, 100, "hundred")
    if number >= 20:
        tens, rest = divmod(number, 10)
        return f"{_TENS[tens]} {_ONES[rest]}" if rest else _TENS[tens]
    return _ONES[number]


def _join(number: int, unit: int, name: str) -> str:
    count, rest = divmod(number, unit)
    return (
        f"{_spell(count)} {name} {_spell(rest)}" if rest else f"{_spell(count)} {name}"
    )
