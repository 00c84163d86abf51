"""Cut a text into sentences, without losing a character."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(
    r"""[.!?…]+["'”’»)\]*]*(?=\s|$)"""  # the usual end
    r"""|(?<=[a-z])[.!?]+(?=[A-Z][a-z])"""  # a space is missing
    r"""|[。！？؟।]+["'”’»)]*"""  # scripts that need no space
    r"""|\n""",
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|st|vs|prof|eg|ie|e\.g|i\.e|a\.m|p\.m|approx|no|sr|jr)"
    r"|(?<![\w.'’])[a-hj-z])\.$",
    re.IGNORECASE,
)
_ABBREVIATION_CHARS = 8
_STRETCH_CHARS = 600
"""A sentence without any stop is looked at in stretches of so many characters ..."""
_OVERLAP_CHARS = 150
"""... that overlap, so that no phrase is lost at a cut."""


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Cut a text into sentences; linear in its length.

    Returns:
        Offsets of each sentence, end exclusive, in order. They do not overlap, and
        only white space lies outside them.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if _ends_here(text, match):
            spans.extend(_trimmed(text, start, match.end()))
            start = match.end()
    spans.extend(_trimmed(text, start, len(text)))
    return spans


def split_stretches(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a sentence that goes on and on into overlapping stretches.

    Looking for phrases stays linear in the length of a text this way.
    """
    while end - start > _STRETCH_CHARS:
        yield start, start + _STRETCH_CHARS
        start += _STRETCH_CHARS - _OVERLAP_CHARS
    yield start, end


def _ends_here(text: str, match: re.Match[str]) -> bool:
    mark = match[0]
    if mark == "\n":
        return True
    before = text[max(0, match.start() - _ABBREVIATION_CHARS) : match.start() + 1]
    after = text[match.end() : match.end() + 3].lstrip()
    if mark == "." and after and _ABBREVIATION.search(before):
        # "No." is an abbreviation before a number, and an answer before a word.
        return before.lower().endswith("no.") and not after[:1].isdigit()
    trails_off = mark.startswith(("...", "…"))
    closes_quote = mark[-1] in "\"'”’»)]*"
    return not (after[:1].islower() and (trails_off or closes_quote))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if stripped := piece.strip():
        first = start + len(piece) - len(piece.lstrip())
        yield first, first + len(stripped)
