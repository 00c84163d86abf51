"""Read the small JSON records that the page's own scripts send."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.requests import Request


async def record(request: Request) -> dict[str, Any]:
    """Read a small JSON record; a beacon sends it as text. Anything else is empty."""
    try:
        read = json.loads(await request.body())
    except (ValueError, RecursionError):  # brackets a thousand deep
        return {}
    return read if isinstance(read, dict) else {}
