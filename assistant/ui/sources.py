"""Citations for source ids, as ``knowledge/sources.md`` gives them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from assistant import content

_ENTRY = re.compile(r"^- \*\*([a-z0-9-]+)\*\* — (.+)$", re.MULTILINE)
_END_OF_CITATION = re.compile(r" (?:Read|Evidence): ")


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


def cited(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Give the citations of some sources; the id itself where there is none."""
    known = citations(content.content_root())
    return tuple(known.get(source, source) for source in ids)
