"""The house: which address leads where, and what has been started so far.

The first page, Help and the empty page are answered here. Everything below ``/talk`` is
handed to Gradio once that has been built; before that it leads back to the first page.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.domain import Card
from assistant.reading import from_json
from assistant.ui import (
    asked,
    first_page,
    furniture,
    help,
    screens,
    shell,
    talk,
    talk_page,
)
from assistant.ui.door import NONCE_KEY
from assistant.ui.preferences import EXIT_PAGE
from assistant.ui.sound import Listener
from assistant.ui.voice import Speaker

if TYPE_CHECKING:
    from assistant.ui.starting import Starting

_logger = logging.getLogger(__name__)
_NOT_LISTENING = "Listening is still getting ready. You can write in the meantime."
_NO_ECHO = b'{"detail": "That could not be read."}'
_UNREADABLE, _FAILED_FROM = 422, 500
_STATIC = Path(__file__).resolve().parent / "static"


class House:
    """All routes. Holds no words of anybody: those are in the rooms."""

    def __init__(self, starting: Starting) -> None:
        """Answer with what has been started so far."""
        self._starting = starting
        listener = Listener(lambda: starting.program)
        speaker = Speaker(lambda: starting.program)
        routes = [
            Route("/", self._first),
            Route("/ready", self._ready),
            Route("/country", self._country, methods=["POST"]),
            Route("/help-block", self._help_block, methods=["POST"]),
            Route(EXIT_PAGE, self._bye),
            Route("/stop", self._stop, methods=["POST"]),
            Route("/wipe", self._wipe, methods=["POST"]),
            Route("/aside", self._aside, methods=["POST"]),
            WebSocketRoute("/sound", listener.answer),
            WebSocketRoute("/voice", speaker.answer),
            *(r for screen in screens.SCREENS for r in screen.routes(starting)),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ]
        self._own = Starlette(routes=routes)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Every address that is answered here; Gradio has its own."""
        return self._own.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it to Gradio."""
        path = scope.get("path", "")
        is_talk = path == talk.PATH or path.startswith(f"{talk.PATH}/")
        app = self._to_talk if is_talk else self._own
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await app(scope, receive, noted)
        except ClientDisconnect:
            return
        except Exception as error:
            # Its message may quote what was sent, so only its kind is logged.
            _logger.error("a request failed: %s", type(error).__name__)
            if not begun and scope["type"] == "http":
                status = 400 if isinstance(error, ValueError) else _FAILED_FROM
                await Response(_NO_ECHO, status)(scope, receive, send)

    async def _to_talk(self, scope: Scope, receive: Receive, send: Send) -> None:
        app, program = self._starting.talk_app, self._starting.program
        path = scope["path"]
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        elif app is None or program is None:
            await RedirectResponse("/", 303)(scope, receive, send)
        elif path == talk.PATH:
            await RedirectResponse(f"{talk.PATH}/", 307)(scope, receive, send)
        elif not talk.is_open(path):
            await PlainTextResponse("Not here.", 404)(scope, receive, send)
        elif path == f"{talk.PATH}/":
            html = await _page_of(app, scope)
            nonce = scope[NONCE_KEY] = secrets.token_urlsafe(16)
            self._starting.sitting.is_welcomed = True
            preferences = self._starting.sitting.preferences
            beside = [screen.panel(self._starting) for screen in screens.SCREENS]
            dressed = shell.dress(
                html,
                nonce,
                head=talk_page.head(preferences) + screens.head(),
                before=talk_page.before(program.replies, beside, preferences),
                # There from the beginning: it works though the program stops later.
                after=talk_page.after(beside, self._help(None)),
                preferences=preferences,
            )
            await HTMLResponse(dressed)(scope, receive, send)
        else:
            body = await Request(scope, receive).body()
            if body and not _is_json(body):
                await Response(_NO_ECHO, 400)(scope, receive, send)
                return
            await app(scope, _again(body, receive), _without_echo(send))

    async def _first(self, request: Request) -> Response:
        del request
        starting = self._starting
        program = starting.program
        return HTMLResponse(
            first_page.render(
                self._help(None),
                starting.parts(),
                open_now=starting.is_open,
                failed=starting.failed,
                texts=program.replies.first_page if program else None,
                preferences=starting.sitting.preferences,
                first_time=not starting.sitting.is_welcomed,
            )
        )

    async def _ready(self, request: Request) -> Response:
        del request
        starting = self._starting
        parts = starting.parts()
        speech = next((p for p in parts if p.name == "speech"), None)
        return JSONResponse(
            {
                "start": starting.id,
                "open": starting.is_open,
                "settled": starting.is_settled,
                "failed": starting.failed,
                "loading": any(part.state == "loading" for part in parts),
                "speech": speech is not None and speech.state == "ready",
                "speechSentence": (speech.sentence if speech else "") or _NOT_LISTENING,
                "parts": first_page.part_items(parts),
            }
        )

    async def _country(self, request: Request) -> Response:
        """Take the choice of a page without JavaScript; nothing lands in an address."""
        form = await request.form(max_files=0, max_fields=4)
        self._starting.choice.choose(str(form.get("country", "")))
        self._starting.choice.need = str(form.get("need", "")) or None
        return RedirectResponse("/#help", 303)

    async def _help_block(self, request: Request) -> Response:
        """Give the Help block; a choice sent along is remembered in memory."""
        wanted = await asked.record(request)
        if "country" in wanted:
            self._starting.choice.choose(str(wanted["country"]))
        return HTMLResponse(self._help(str(wanted.get("need") or "") or None))

    def _help(self, need: str | None) -> str:
        choice = self._starting.choice
        return help.block(
            self._starting.directory,
            choice.country,
            need=need or choice.need,
            guessed=choice.is_guess,
            guide=self._starting.guide,
        )

    async def _bye(self, request: Request) -> Response:
        del request
        return HTMLResponse(furniture.bye(self._starting.sitting.preferences))

    async def _stop(self, request: Request) -> Response:
        return await self._with_room(request, lambda room, _: room.talk.stop())

    async def _aside(self, request: Request) -> Response:
        return await self._with_room(
            request, lambda room, wanted: room.put_aside(Card(wanted["card"]))
        )

    async def _wipe(self, request: Request) -> Response:
        """Forget a tab's talk; ``leave`` also closes its room."""
        wanted = await asked.record(request)
        room_id, rooms = str(wanted.get("room", "")), self._starting.rooms
        if rooms is not None and wanted.get("leave"):
            rooms.leave_room(room_id)
        elif rooms is not None and (room := rooms.by_id(room_id)) is not None:
            room.wipe()
        return Response(status_code=204)

    async def _with_room(
        self, request: Request, act: Callable[[Any, dict[str, Any]], None]
    ) -> Response:
        wanted = await asked.record(request)
        rooms = self._starting.rooms
        room = rooms.by_id(str(wanted.get("room", ""))) if rooms else None
        if room is None:
            return Response(status_code=404)
        try:
            act(room, wanted)
        except (KeyError, ValueError):
            return Response(status_code=400)
        return Response(status_code=204)


def _is_json(body: bytes) -> bool:
    """Tell whether Gradio can read a body: what it cannot, it fails on."""
    try:
        from_json(body)
    except ValueError:
        return False
    return True


def _again(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read already once more, then what comes after it."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return parts.pop() if parts else await receive()

    return again


def _without_echo(send: Send) -> Send:
    """Take the body out of an answer that says what was wrong: it may quote it."""
    is_echo = False

    async def quiet(message: Message) -> None:
        nonlocal is_echo
        if message["type"] == "http.response.start":
            status = message["status"]
            is_echo = status == _UNREADABLE or status >= _FAILED_FROM
            if is_echo:
                MutableHeaders(scope=message)["content-length"] = str(len(_NO_ECHO))
        elif is_echo:
            more = message.get("more_body", False)
            body = b"" if more else _NO_ECHO
            message = {**message, "body": body}
        await send(message)

    return quiet


async def _page_of(app: ASGIApp, scope: Scope) -> str:
    """Ask Gradio for its page as plain text."""
    # Nothing in the query of an address means anything here; Gradio would read it.
    inner = {**scope, "method": "GET", "query_string": b""}
    inner["headers"] = list(scope["headers"])
    headers = MutableHeaders(scope=inner)
    headers["accept-encoding"] = "identity"
    body = bytearray()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            body.extend(message.get("body", b""))

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(inner, receive, send)
    return body.decode("utf-8")
