"""Prompt → stream of whole candidate sentences. Nothing here is shown unchecked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+(?=\S)")
# A model that forgets to stop would go on as somebody else, or make a list.
_STRAY = re.compile(r"\n|<\||\b(?:User|Notes?|Person|Ebb|Assistant):")
MAX_SENTENCE_CHARS = 320


def stream_sentences(deltas: Iterable[str]) -> Iterator[str]:
    """Cut a stream of deltas into sentences; a cut-off last one is dropped.

    Reading ends where the model begins a new line or speaks as somebody else.
    """
    pending = ""
    for delta in deltas:
        pending += delta
        if stray := _STRAY.search(pending.lstrip()):
            pending = pending.lstrip()[: stray.start()]
            break
        *sentences, pending = _SENTENCE_END.split(pending)
        for sentence in sentences:
            yield sentence.strip()
        if len(pending) > MAX_SENTENCE_CHARS:
            return
    for sentence in _SENTENCE_END.split(pending):
        if sentence.strip().endswith((".", "!", "?", "…")):
            yield sentence.strip()
