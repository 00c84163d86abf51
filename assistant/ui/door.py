"""The door of the house: who may come in, and what every answer carries.

Pure ASGI, so that it holds for every route alike, Gradio's included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.ui.key import ENTER, REFUSED

if TYPE_CHECKING:
    from assistant.ui.key import Key

MAX_BODY_BYTES: Final = 256_000
"""Room for 20,000 characters of any script in one request, and no more."""

_LOCAL_NAMES = ("127.0.0.1", "localhost")
_SAFE_METHODS = frozenset({"GET", "HEAD"})

# Inline scripts run only with the nonce of this answer; nothing may be evaluated.
# Gradio sets inline styles, so these stay allowed.
_POLICY = (
    "default-src 'none'; script-src 'self'{nonce}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self' ws://{host}; "
    "worker-src 'self'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_FIXED_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
NONCE_KEY: Final = "ebb.nonce"
"""Where a page puts, in its ASGI scope, the nonce its inline scripts carry."""

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
_FRONT = "/"


class Door:
    """Let in only the page's own requests, from a browser that has the key."""

    def __init__(
        self, app: ASGIApp, port: int, key: Key, outside: Callable[[], str]
    ) -> None:
        """Stand before an app.

        Args:
            app: What answers whoever is let in.
            port: Where it listens, of 127.0.0.1.
            key: Made for this start.
            outside: Gives the page for a browser that has no key, as HTML.
        """
        self._app = app
        self._key = key
        self._outside = outside
        # A browser leaves the port out where it is HTTP's own.
        shown = "" if port == 80 else f":{port}"
        self._hosts = frozenset(f"{name}{shown}" for name in _LOCAL_NAMES)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or turn it away."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._is_welcome(scope, headers):
            await _turn_away(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, headers, receive, send)
        elif self._has_key(headers):
            await self._app(scope, receive, send)
        else:
            await _turn_away(scope, receive, send)

    async def _answer(
        self, scope: Scope, headers: Headers, receive: Receive, send: Send
    ) -> None:
        """Answer a request that may ask: with the app, or with what is for outside."""
        host, path = headers["host"], scope["path"]
        answer: ASGIApp = self._app
        cookie = None
        if _declared_bytes(headers) > MAX_BODY_BYTES:
            answer = PlainTextResponse("Too long.", 413)
        elif scope["method"] == "GET" and path.startswith(ENTER):
            # The cookie even for a browser that has one: somebody handed in a key.
            if self._key.accepts(path):
                answer, cookie = RedirectResponse(_FRONT, 303), self._key.set_cookie
            else:
                answer = self._refusal(scope, headers)
        elif not self._has_key(headers) and not _is_open_to_all(scope):
            if not self._key.is_strict and _is_opened(scope, headers):
                cookie = self._key.set_cookie
            else:
                answer = self._refusal(scope, headers)
        await answer(scope, _bounded(receive), _dressed(scope, host, send, cookie))

    def _has_key(self, headers: Headers) -> bool:
        return self._key.is_in(headers.getlist("cookie"))

    def _refusal(self, scope: Scope, headers: Headers) -> Response:
        """Give a person a page, and a program one sentence."""
        path, is_person = scope["path"], headers.get("sec-fetch-mode") == "navigate"
        is_read = scope["method"] in _SAFE_METHODS
        if is_read and (path == _FRONT or (is_person and path.startswith(ENTER))):
            return HTMLResponse(self._outside(), 403)
        if is_person:
            # Such as a reload of the talk after the program was started again.
            return RedirectResponse(_FRONT, 303)
        return PlainTextResponse(REFUSED, 403)

    def _is_welcome(self, scope: Scope, headers: Headers) -> bool:
        hosts = [host.lower() for host in headers.getlist("host")]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return False  # another name for this computer: DNS rebinding
        if scope["type"] == "http" and scope["method"] in _SAFE_METHODS:
            return headers.get("sec-fetch-site") not in {"cross-site", "same-site"} or (
                # A person may follow a link to the page; a foreign page may not
                # load pieces of it.
                headers.get("sec-fetch-mode") == "navigate"
            )
        origin = headers.get("origin")
        if origin in self._origins:
            return True
        # Under “no-referrer” a browser sends the origin of a form or a beacon as
        # "null"; only the browser itself can write the Sec-Fetch headers.
        return (
            scope["type"] == "http"
            and origin in {None, "null"}
            and headers.get("sec-fetch-site") == "same-origin"
        )


def _is_open_to_all(scope: Scope) -> bool:
    return scope["method"] in _SAFE_METHODS and scope["path"] in OPEN_TO_ALL


def _is_opened(scope: Scope, headers: Headers) -> bool:
    """Tell whether somebody opens the front page, sent there by no other page.

    A browser that is too old for these headers counts as a person; what is asked of a
    program that writes them itself is said in the threat model.
    """
    return (
        scope["method"] == "GET"
        and scope["path"] == _FRONT
        and headers.get("sec-fetch-site") in {None, "none", "same-origin"}
        and headers.get("sec-fetch-mode") in {None, "navigate"}
        and headers.get("sec-fetch-dest") in {None, "document"}
    )


def _declared_bytes(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() else MAX_BODY_BYTES + 1


def _bounded(receive: Receive) -> Receive:
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MAX_BODY_BYTES:
            return {"type": "http.disconnect"}
        return message

    return bounded


def _dressed(scope: Scope, host: str, send: Send, cookie: str | None) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            _forget(headers, ("access-control-allow-origin", "set-cookie", "etag"))
            for name, value in _FIXED_HEADERS.items():
                headers[name] = value
            if cookie is not None:
                headers["Set-Cookie"] = cookie
            headers["Content-Security-Policy"] = policy(host, scope.get(NONCE_KEY))
        await send(message)

    return dressed


def policy(host: str, nonce: str | None = None) -> str:
    """Give the content security policy of one answer."""
    return _POLICY.format(host=host, nonce=f" 'nonce-{nonce}'" if nonce else "")


def _forget(headers: MutableHeaders, names: Iterable[str]) -> None:
    for name in names:
        if name in headers:
            del headers[name]


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await PlainTextResponse("Not allowed.", 403)(scope, receive, send)
