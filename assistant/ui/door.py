"""The door of the house: who may come in, and what every answer carries.

Pure ASGI, so that it holds for every route alike, Gradio's included.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
COOKIE_KEY: Final = "ebb.cookie"
"""Where the lock puts the one cookie that may go out; any other is taken out."""


class Door:
    """Let in only the page's own requests, addressed to this computer itself.

    Who has the key is asked behind it, by ``lock``.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        """Stand before an app that listens on a port of 127.0.0.1."""
        self._app = app
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
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        if not scope.get("query_string", b"").isascii():
            # Nothing of ours asks so; whoever reads it as text would fail on it.
            await PlainTextResponse("Not readable.", 400)(scope, receive, send)
            return
        if _declared_bytes(headers) > MAX_BODY_BYTES:
            await PlainTextResponse("Too long.", 413)(scope, receive, send)
            return
        await self._app(
            scope, _bounded(receive), _dressed(scope, headers["host"], send)
        )

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


def _dressed(scope: Scope, host: str, send: Send) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            _forget(headers, ("access-control-allow-origin", "set-cookie", "etag"))
            for name, value in _FIXED_HEADERS.items():
                headers[name] = value
            if (cookie := scope.get(COOKIE_KEY)) is not None:
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
