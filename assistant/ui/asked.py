"""Read the small JSON records that the page's own scripts send."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocketDisconnect

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Message


class NonsenseError(Exception):
    """The page sent something that makes no sense; nothing is answered."""


async def record(request: Request) -> dict[str, Any]:
    """Read a small JSON record; a beacon sends it as text. Anything else is empty."""
    try:
        read = json.loads(await request.body())
    except (ValueError, RecursionError):  # brackets a thousand deep
        return {}
    return read if isinstance(read, dict) else {}


def control(message: Message) -> dict[str, Any]:
    """Read a small JSON record that came over a socket.

    Raises:
        NonsenseError: If it is none.
        WebSocketDisconnect: If the page has closed the socket.
    """
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    try:
        read = json.loads(message.get("text") or "")
    except (ValueError, RecursionError):  # brackets a thousand deep
        raise NonsenseError from None
    if not isinstance(read, dict):
        raise NonsenseError
    return read
