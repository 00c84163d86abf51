"""The house behind its door: any method, address, header, cookie and body."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Hashable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from assistant.adapters.local_disk import LocalDisk
from assistant.adapters.sealed import Effort, SealedVault
from assistant.keeping import Keeper
from assistant.settings import Settings
from assistant.store import Store
from assistant.ui import talk
from assistant.ui.door import MAX_BODY_BYTES, Door
from assistant.ui.house import House
from assistant.ui.rooms import Rooms
from assistant.ui.starting import Starting
from tests.fuzz.choices import Choices
from tests.fuzz.harness import Run, Target
from tests.fuzz.seeds import CANARY, ODD_TEXTS
from tests.scripted_program import ScriptedProgram, directory, settings_for
from tests.speed import slowness

_PORT = 7861
_LONGEST_S = 10.0
_HERE = f"http://127.0.0.1:{_PORT}"
_METHODS = ("POST", "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FOO")
_NOTES = (
    *("view", "touch", "add", "edit", "erase", "on", "unlock", "lock", "passphrase"),
    *("erase-all", "aside", "wave", "export", "x"),
)
_OWN = (
    *("/", "/ready", "/country", "/help-block", "/bye", "/stop", "/wipe", "/aside"),
    *(f"/notes/{act}" for act in _NOTES),
    *("/settings/body", "/settings/models", "/settings/change", "/settings/keep"),
    *("/settings/sheet", "/settings/stopped", "/settings/stop"),
    *("/understand/read", "/understand/stage", "/understand/find"),
    *("/static/base.css", "/static/", "/static/../house.py", "/static/%2e%2e/house.py"),
    *("/static//etc/passwd", "/static/..\\..\\house.py", "/static/\x00", "/sound"),
    *("/favicon.ico", "//", "/static/%00", "/static/" + "a/" * 200, "/notes/"),
)
_GRADIO = (
    *("/talk", "/talk/", "/talk/theme.css", "/talk/config", "/talk/upload"),
    *("/talk/gradio_api/queue/join", "/talk/gradio_api/queue/data"),
    *("/talk/gradio_api/cancel", "/talk/gradio_api/reset", "/talk/gradio_api/info"),
    *("/talk/gradio_api/startup-events", "/talk/gradio_api/heartbeat/x"),
    *("/talk/assets/x", "/talk/assets/../../x", "/talk/static/x", "/talk/file=/etc"),
    *("/talk/gradio_api/file=/etc/passwd", "/talk/proxy=http://a", "/talk/login"),
)
_NAMES = (
    *("room", "kind", "text", "more", "id", "tool", "find", "passphrase", "again"),
    *("old", "started", "strengths", "helped", "minutes", "peak", "end", "country"),
    *("need", "name", "value", "keep", "clean", "card", "leave", "read", "stage"),
    *("words", "data", "fn_index", "session_hash", "event_id", "trigger_id"),
)
_VALUES: tuple[Any, ...] = (
    *("ROOM", "", "x", "reality", "wave", "a long plain passphrase", "GB", "XX"),
    *("2026-05-03T02:10", "2026-05-03T02:10:00+00:00", "0001-01-01T00:00"),
    *("9999-12-31T23:59:59+00:00", "1", "99999", "٣", "²", "suicide", "exit_address"),
    *("example.org", "https://[", "//x", "page_title", "recipes", "denial", "denial#1"),
    *(CANARY, "\ud800", "\x00", "<b>", "he said he would kill me", "a" * 25_000),
    *(None, True, False, 0, -1, 1.5, 10**30, [], {}, [[0, 5]], [["a"]], [[0, 10**20]]),
    *([[0, 5], [1, 3]], [[0, True]], [CANARY], [None], {"a": []}, "n1", "text_size"),
    *([[1e308, 5]], "larger", "idle_minutes", "30", "country", "closeness"),
)
_HEADERS = (
    ("cookie", "a=b; session=\xff"),
    ("content-length", "999999999"),
    ("content-length", "-1"),
    ("content-length", "²"),
    ("content-length", "x"),
    ("content-type", "application/x-www-form-urlencoded"),
    ("content-type", "multipart/form-data; boundary=x"),
    ("content-type", "multipart/form-data"),
    ("content-type", "text/plain; charset=utf-7"),
    ("content-type", "application/x-www-form-urlencoded; charset=nonsense"),
    ("range", "bytes=0-"),
    ("range", "bytes=9-1,5-"),
    ("range", "bytes=99999999-"),
    ("range", "bytes=" + "0-1," * 400),
    ("if-modified-since", "no day"),
    ("if-modified-since", "Mon, 01 Jan 0001 00:00:00 GMT"),
    ("if-none-match", '"x"'),
    ("accept-encoding", "gzip, br, \xff"),
    ("accept-language", "zz"),
    ("x-forwarded-host", "evil.example"),
    ("x-forwarded-for", "1.2.3.4"),
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-site", "same-origin"),
    ("origin", "null"),
    ("origin", "http://evil.example"),
    ("host", "evil.example"),
    ("connection", "upgrade"),
    ("expect", "100-continue"),
    ("transfer-encoding", "chunked"),
    ("x-\xff", "\xff\x00"),
)
_FORMS = (
    "country=GB&need=men",
    "country=%ff%00&need=" + CANARY,
    "=&&=%",
    "&".join(f"a{n}=1" for n in range(30)),
    "--x\r\nContent-Disposition: form-data; name=country\r\n\r\nGB\r\n--x--\r\n",
    "--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\nGB\r\n--x--",
    "--x\r\n\r\n",
)


def _body(given: Choices, room: str) -> bytes:
    match given.number(8):
        case 0:
            return given.data()
        case 1:
            return given.pick(_FORMS).encode()
        case 2:
            odd = given.pick(ODD_TEXTS)
            return json.dumps({given.pick(_NAMES): odd}).encode()
        case 3:
            deep = ("[" * 5_000, "9" * 9_000, "null", "[]", '"x"', "{", '{"a":NaN}')
            return given.pick(deep).encode()
    record: dict[str, Any] = {"room": room}
    for _ in range(1 + given.number(6)):
        value = given.pick(_VALUES)
        record[given.pick(_NAMES)] = room if value == "ROOM" else value
    return json.dumps(record).encode()


def _scope(given: Choices, paths: tuple[str, ...]) -> dict[str, Any]:
    method = given.pick(_METHODS) if given.number(3) == 2 else _METHODS[0]
    path = given.pick(paths)
    if given.number(16) == 15:
        path += "/" + given.text(given.number(12))
    headers = {"host": f"127.0.0.1:{_PORT}", "origin": _HERE}
    extra = [given.pick(_HEADERS) for _ in range(given.number(4))]
    # A second Host or Origin replaces the good one half of the time.
    listed = [(k.encode("latin-1"), v.encode("latin-1")) for k, v in extra]
    named = {name for name, _ in extra} if given.number(2) else set()
    listed += [(k.encode(), v.encode()) for k, v in headers.items() if k not in named]
    return {
        "type": "http",
        "http_version": "1.1",
        "asgi": {"version": "3.0"},
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "root_path": "",
        "query_string": given.data(given.number(20)),
        "headers": listed,
        "client": ("127.0.0.1", 5_000),
        "server": ("127.0.0.1", _PORT),
        "state": {},
    }


@cache
def _longest_s() -> float:
    return _LONGEST_S * slowness()


async def asked(app: Any, scope: dict[str, Any], body: bytes) -> tuple[int, bytes]:
    """Send one request; gives the status and the body of the answer."""
    parts = [body[:1_000], body[1_000:]] if len(body) > 1_000 else [body]
    status, answer = 0, bytearray()
    gone = asyncio.Event()

    async def receive() -> Any:
        if parts:
            part = parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(parts)}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = {k.decode("latin-1"): v for k, v in message["headers"]}
            if status != 403 or b"Not allowed." not in answer:
                _look_at_headers(status, headers)
        elif message["type"] == "http.response.body":
            answer.extend(message.get("body", b""))
            if not message.get("more_body"):
                gone.set()

    await asyncio.wait_for(app(scope, receive, send), _longest_s())
    return status, bytes(answer)


def _look_at_headers(status: int, headers: dict[str, bytes]) -> None:
    if status not in {400, 403, 413}:  # the door itself says these, in a word
        assert headers.get("cache-control") == b"no-store", "an answer may be kept"
        assert "content-security-policy" in headers, "an answer without a policy"
    assert "set-cookie" not in headers
    assert CANARY not in headers.get("location", b"").decode("latin-1")


_EXPECTED = {200, 204, 206, 303, 304, 307, 400, 403, 404, 405, 409, 413, 416, 422, 503}


def _look_at(status: int, answer: bytes) -> None:
    assert status < 500 or status == 503, f"answered with {status}"
    assert status in _EXPECTED, f"an answer of its own kind: {status}"
    assert b"Traceback" not in answer
    assert b"root:x:" not in answer, "a file of the computer was given"
    assert b"from __future__ import" not in answer, "a file of the program was given"


async def _starting(program: ScriptedProgram, settings: Settings) -> Starting:
    """Make the real one; it asks for a running loop, and nothing of it is begun."""
    return Starting(lambda: program, settings, directory())  # type: ignore[arg-type,return-value]


class Stage:
    """What the house needs to be open, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        settings = settings_for(folder, port=_PORT)
        program = ScriptedProgram(settings)
        ids = count(1)
        self.keeper = Keeper(
            Store(
                settings.notebook_path,
                LocalDisk(),
                SealedVault(Effort(memory_kib=8, passes=1), step_bytes=256),
            ),
            now=lambda: datetime.now(UTC),
            new_id=lambda: f"n{next(ids)}",
        )
        self.rooms = Rooms(program.new_talk, self.keeper.new_pad)  # type: ignore[arg-type]
        self.starting: Any = asyncio.run(_starting(program, settings))
        self.starting.program = program
        self.starting.rooms = self.rooms
        self.starting.stop_after = lambda seconds: None
        self.app = Door(House(self.starting), _PORT)


@contextmanager
def _house(folder: Path) -> Iterator[Run]:
    stage = Stage(folder)

    async def answer(data: bytes) -> Hashable:
        given = Choices(data)
        # Notes pile up over a hundred thousand requests; a fresh room keeps it even.
        room = stage.rooms.of_session("tab" if given.number(64) else "other")
        scope = _scope(given, _OWN)
        status, body = await asked(stage.app, scope, _body(given, room.id))
        _look_at(status, body)
        if given.number(8) == 7:
            stage.rooms.leave("tab")
        return status, scope["path"][:20], scope["method"]

    with asyncio.Runner() as runner:
        # The first search makes its index; that is none of the input's doing.
        words = json.dumps({"words": "why do i miss him"}).encode()
        scope = _scope(Choices(bytes([0, _OWN.index("/understand/find")])), _OWN)
        assert runner.run(asked(stage.app, scope, words))[0] == 200
        yield lambda data: runner.run(answer(data))
    stage.rooms.leave_all()
    stage.keeper.store.lock()


@contextlib.asynccontextmanager
async def _with_gradio(stage: Stage, folder: Path) -> AsyncIterator[None]:
    starting = stage.starting
    app = talk.build(starting.program, stage.rooms, starting.choice, folder)
    async with app.router.lifespan_context(app):
        starting.talk_app = app
        yield
        starting.talk_app = None


@contextmanager
def _talk(folder: Path) -> Iterator[Run]:
    """The addresses of Gradio, as far as the house hands them on."""
    stage = Stage(folder)

    async def answer(data: bytes) -> Hashable:
        given = Choices(data)
        scope = _scope(given, _GRADIO)
        if scope["path"] == "/talk/gradio_api/queue/data" and scope["method"] == "GET":
            return "a stream that has no end by design"
        if "heartbeat" in scope["path"]:
            return "a stream that has no end by design"
        status, body = await asked(stage.app, scope, _body(given, "x"))
        _look_at(status, body)
        assert CANARY.encode() not in body, "an answer repeats what was sent"
        return status, scope["path"][:24], scope["method"]

    with asyncio.Runner() as runner:
        running = _with_gradio(stage, folder)
        runner.run(running.__aenter__())
        yield lambda data: runner.run(answer(data))
        runner.run(running.__aexit__(None, None, None))
    stage.rooms.leave_all()


def _seeds(paths: tuple[str, ...]) -> tuple[bytes, ...]:
    every = [bytes([1, 0, n, 0, 0, 0, 0, 4, 5]) for n in range(len(paths))]
    pairs = [
        bytes([1, 0, n, 0, 0, 0, 0, 4, 5, v, k % len(_NAMES), v + 1, k + 3])
        for n in range(len(paths))
        for v, k in ((n % len(_VALUES), n % len(_NAMES)),)
    ]
    headers = [bytes([1, 0, 0, 0, 1, h, 1, 0, 4, 5]) for h in range(len(_HEADERS))]
    return (*every, *pairs, *headers, b"")


assert MAX_BODY_BYTES > 25_000

TARGETS = (
    Target("house", lambda: _seeds(_OWN), _house, 30_000, longest=400, bound_s=3.0),
    Target("talk", lambda: _seeds(_GRADIO), _talk, 4_000, longest=400, bound_s=3.0),
)
