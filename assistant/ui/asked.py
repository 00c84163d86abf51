"""Read the small JSON records that the page's own scripts send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocketDisconnect

from assistant.reading import from_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Message


class NonsenseError(Exception):
    """The page sent something that makes no sense; nothing is answered."""


async def record(request: Request) -> dict[str, Any]:
    """Read a small JSON record; a beacon sends it as text. Anything else is empty."""
    try:
        read = from_json(await request.body())
    except ValueError:
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
        read = from_json(message.get("text") or "")
    except ValueError:
        raise NonsenseError from None
    if not isinstance(read, dict):
        raise NonsenseError
    return read
