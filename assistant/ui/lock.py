"""The lock behind the door: only a browser that has the key of this start comes in.

Pure ASGI, so that it holds for every address there is and ever will be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.ui.door import COOKIE_KEY
from assistant.ui.key import ENTER

if TYPE_CHECKING:
    from assistant.ui.key import Key

REFUSED: Final = (
    "To go on, please open this page again with the address that is shown where the "
    "program was started."
)
OPEN_TO_ALL: Final = frozenset(
    {
        "/bye",
        "/settings/sheet",
        "/static/base.css",
        "/static/icon-notes.svg",
        "/static/icon-recipes.svg",
        "/static/icon-tab.svg",
    }
)
"""The empty sheets, and the looks they share with the page for outside: they tell
nothing, and an exit must lead to them though the program was started again."""
_FRONT: Final = "/"
_READS = frozenset({"GET", "HEAD"})


class Lock:
    """Ask every request for the cookie; hand it out in exchange for a key."""

    def __init__(self, app: ASGIApp, key: Key, outside: Callable[[], str]) -> None:
        """Stand before an app, behind the door.

        Args:
            app: What answers whoever is let in.
            key: Made for this start.
            outside: Gives the page for a browser that has no key, as HTML.
        """
        self._app = app
        self._key = key
        self._outside = outside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, let its browser in, or turn it away."""
        headers = Headers(scope=scope)
        has_key = self._key.is_in(headers.getlist("cookie"))
        if scope["type"] == "websocket":
            if has_key:
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            return
        answer: ASGIApp = self._app
        if _hands_in_a_key(scope):
            # The cookie even for a browser that has one: it holds from now on.
            if self._key.accepts(scope["path"]):
                answer = RedirectResponse(_FRONT, 303)
                scope[COOKIE_KEY] = self._key.set_cookie
            else:
                answer = self._refusal(scope, headers)
        elif not has_key and not _is_open_to_all(scope):
            if not self._key.is_strict and _is_opened(scope, headers):
                scope[COOKIE_KEY] = self._key.set_cookie
            else:
                answer = self._refusal(scope, headers)
        await answer(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> Response:
        """Give a person a page, and a program one sentence."""
        path, is_person = scope["path"], headers.get("sec-fetch-mode") == "navigate"
        is_read = scope["method"] in _READS
        if is_read and (path == _FRONT or (is_person and path.startswith(ENTER))):
            return HTMLResponse(self._outside(), 403)
        if is_person:
            # Such as a reload of the talk after the program was started again.
            return RedirectResponse(_FRONT, 303)
        return PlainTextResponse(REFUSED, 403)


def _hands_in_a_key(scope: Scope) -> bool:
    return bool(scope["method"] == "GET" and scope["path"].startswith(ENTER))


def _is_open_to_all(scope: Scope) -> bool:
    return scope["method"] in _READS and scope["path"] in OPEN_TO_ALL


def _is_opened(scope: Scope, headers: Headers) -> bool:
    """Tell whether somebody opens the front page, sent there by no other page.

    A browser that is too old for these headers counts as a person; what is left open
    to a program that writes them itself is said in the threat model.
    """
    return (
        scope["method"] == "GET"
        and scope["path"] == _FRONT
        and headers.get("sec-fetch-site") in {None, "none", "same-origin"}
        and headers.get("sec-fetch-mode") in {None, "navigate"}
        and headers.get("sec-fetch-dest") in {None, "document"}
    )
