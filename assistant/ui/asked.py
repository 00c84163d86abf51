"""Read the small JSON records that the page's own scripts send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assistant.reading import from_json

if TYPE_CHECKING:
    from starlette.requests import Request


async def record(request: Request) -> dict[str, Any]:
    """Read a small JSON record; a beacon sends it as text. Anything else is empty."""
    try:
        read = from_json(await request.body())
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
