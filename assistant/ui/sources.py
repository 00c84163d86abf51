"""Citations for source ids, as ``knowledge/sources.md`` gives them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from assistant import content

_ENTRY = re.compile(r"^- \*\*([a-z0-9-]+)\*\* — (.+)$", re.MULTILINE)
_END_OF_CITATION = re.compile(r" (?:Read|Evidence): ")
_EVIDENCE = re.compile(r" Evidence: (.+?)(?:\.(?:\s|$)|$)")


@cache
def citations(root: Path) -> dict[str, str]:
    """Give every source's citation by its id, without Markdown marks.

    Raises:
        ContentError: If the file is missing.
    """
    text = content.read_text(root / "knowledge" / "sources.md")
    return {
        source: _END_OF_CITATION.split(entry)[0].replace("*", "").strip()
        for source, entry in _ENTRY.findall(text)
    }


@cache
def evidence(root: Path) -> dict[str, str]:
    """Give, by source id, how far each source carries, in the words of the list.

    Raises:
        ContentError: If the file is missing.
    """
    text = content.read_text(root / "knowledge" / "sources.md")
    found = (
        (source, _EVIDENCE.search(entry)) for source, entry in _ENTRY.findall(text)
    )
    return {source: said[1].replace("*", "") for source, said in found if said}


def how_sure(source: str) -> str:
    """Say how far one source carries; nothing where the list does not say."""
    return evidence(content.content_root()).get(source, "")


def cited(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Give the citations of some sources; the id itself where there is none."""
    known = citations(content.content_root())
    return tuple(known.get(source, source) for source in ids)
