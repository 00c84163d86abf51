"""The sound socket: any order of texts, bytes and leaving, with a scripted program."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from starlette.websockets import WebSocket

from assistant.domain import Audio
from assistant.errors import AudioError
from assistant.ui.sound import Listener
from tests.fuzz.choices import Choices
from tests.fuzz.harness import Run, Target
from tests.fuzz.seeds import CANARY
from tests.scripted_program import ScriptedProgram, settings_for

_TEXTS = (
    '{"kind": "end"}',
    '{"kind": "microphone", "rate": 48000}',
    '{"kind": "microphone", "rate": 16000}',
    '{"kind": "file"}',
    '{"kind": "microphone", "rate": true}',
    '{"kind": "microphone", "rate": 1e999}',
    '{"kind": []}',
    "{}",
    "[]",
    "null",
    "[" * 2_000,
    '{"kind": "microphone", "rate": ' + "9" * 5_000 + "}",
    f'{{"kind": "{CANARY}"}}',
    "",
)
_MOST_STEPS = 30


def _messages(given: Choices) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while not given.is_empty and len(found) < _MOST_STEPS:
        match given.number(6):
            case 0 | 1:
                text = given.pick(_TEXTS)
                found.append({"type": "websocket.receive", "text": text})
            case 2 | 3:
                data = given.data(given.number(2_000))
                found.append({"type": "websocket.receive", "bytes": data})
            case 4:
                text = given.text(given.number(40))
                found.append({"type": "websocket.receive", "text": text})
            case 5:
                found.append({"type": "websocket.disconnect", "code": 1001})
                return found
    found.append({"type": "websocket.disconnect", "code": 1006})
    return found


def _decode(data: bytes) -> list[Audio]:
    if len(data) < 4:
        raise AudioError("The recording is empty.")
    return [Audio(np.zeros(len(data), np.float32), 16_000)]


@contextmanager
def _socket(folder: Path) -> Iterator[Run]:
    program = ScriptedProgram(settings_for(folder))
    listener = Listener(lambda: program, _decode)  # type: ignore[arg-type,return-value]

    async def answer(data: bytes) -> Hashable:
        program.heard_s.clear()
        coming = [{"type": "websocket.connect"}, *_messages(Choices(data))]
        sent: list[dict[str, Any]] = []

        async def receive() -> Any:
            await asyncio.sleep(0)
            return coming.pop(0) if coming else {"type": "websocket.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "websocket", "path": "/sound", "headers": []}
        await listener.answer(WebSocket(scope, receive, send))
        assert listener._open == 0, "a socket is still counted"
        return _looked_at(sent)

    with asyncio.Runner() as runner:
        yield lambda data: runner.run(answer(data))


def _looked_at(sent: list[dict[str, Any]]) -> Hashable:
    """Every answer is one of the records of the protocol, and quotes nothing."""
    kinds = []
    for message in sent:
        if message["type"] == "websocket.send":
            assert CANARY not in message["text"]
            record = json.loads(message["text"])
            assert record["kind"] in {"so_far", "heard", "line"}
            kinds.append(record["kind"])
        elif message["type"] == "websocket.close":
            assert message["code"] in {1000, 1003}
            kinds.append(str(message["code"]))
    return tuple(dict.fromkeys(kinds))


def _seeds() -> tuple[bytes, ...]:
    end = bytes([0, 0])
    sound = bytes([2, 100, 0]) + bytes(range(100))
    start = [bytes([0, n]) for n in range(len(_TEXTS))]
    return (
        *(one + sound + sound + end for one in start),
        *(one + end for one in start),
        *(one + sound + bytes([5]) for one in start),
        bytes([4, 8]) + b'{"a": 1}' + end,
    )


TARGETS = (Target("socket", _seeds, _socket, 20_000, longest=2_000, bound_s=3.0),)
