"""Sound over the socket: into memory, to text, and nowhere else."""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from assistant.domain import Audio
from assistant.errors import AudioError, TranscribeError
from assistant.ui import sound
from tests.scripted_program import HEARD, ScriptedProgram, settings_for


@pytest.fixture
def program(tmp_path: Path) -> ScriptedProgram:
    return ScriptedProgram(settings_for(tmp_path))


def _decode(data: bytes) -> Iterable[Audio]:
    if not data:
        raise AudioError("The recording is empty.")
    return [Audio(np.zeros(len(data), np.float32), 16_000)]


@pytest.fixture
def client(program: ScriptedProgram) -> TestClient:
    listener = sound.Listener(lambda: program, _decode)  # type: ignore[arg-type]  # scripted
    return TestClient(Starlette(routes=[WebSocketRoute("/sound", listener.answer)]))


def _send(
    client: TestClient, request: dict[str, Any], pieces: Iterable[bytes]
) -> dict[str, Any]:
    with client.websocket_connect("/sound") as socket:
        socket.send_text(json.dumps(request))
        for piece in pieces:
            socket.send_bytes(piece)
        socket.send_text('{"kind": "end"}')
        while True:
            reply: dict[str, Any] = json.loads(socket.receive_text())
            if reply["kind"] != "so_far":
                return reply


def _tone(seconds: float, rate: int) -> bytes:
    count = int(seconds * rate)
    wave = [int(8_192 * np.sin(i / 10)) for i in range(count)]
    return struct.pack(f"<{count}h", *wave)


def test_what_was_said_comes_back_to_be_corrected(
    client: TestClient, program: ScriptedProgram
) -> None:
    reply = _send(
        client, {"kind": "microphone", "rate": 48_000}, [_tone(3, 48_000)] * 4
    )
    assert reply == {"kind": "heard", "text": HEARD, "doubtful": []}
    assert program.heard_s == pytest.approx([12.0])
    assert program.loudest == pytest.approx([0.25], abs=0.01)


def test_doubtful_words_are_named(client: TestClient, program: ScriptedProgram) -> None:
    program.doubtful = (" old messages ",)
    reply = _send(client, {"kind": "microphone", "rate": 16_000}, [_tone(1, 16_000)])
    assert reply["doubtful"] == ["old messages"]


def test_silence_gives_the_one_sentence(
    client: TestClient, program: ScriptedProgram
) -> None:
    program.transcript = ""
    reply = _send(client, {"kind": "microphone", "rate": 16_000}, [_tone(1, 16_000)])
    assert reply == {"kind": "line", "text": program.replies.line("no_speech")}


def test_a_recording_is_decoded_in_memory(
    client: TestClient, program: ScriptedProgram
) -> None:
    reply = _send(client, {"kind": "file"}, [b"x" * 8_000, b"x" * 8_000])
    assert reply["kind"] == "heard"
    assert program.heard_s == pytest.approx([1.0])


def test_a_damaged_recording_gives_its_own_sentence(client: TestClient) -> None:
    reply = _send(client, {"kind": "file"}, [])
    assert reply == {"kind": "line", "text": "The recording is empty."}


def test_a_recording_beyond_the_bound_is_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sound, "MAX_FILE_BYTES", 1_000)
    with client.websocket_connect("/sound") as socket:
        socket.send_text('{"kind": "file"}')
        socket.send_bytes(b"x" * 1_001)
        assert "too big" in json.loads(socket.receive_text())["text"]


@pytest.mark.parametrize(
    "request_",
    [
        "no json",
        "[]",
        '{"kind": "other"}',
        '{"kind": "microphone"}',
        '{"kind": "microphone", "rate": 1}',
        '{"kind": "microphone", "rate": "48000"}',
        '{"kind": "microphone", "rate": true}',
    ],
)
def test_nonsense_closes_the_socket(client: TestClient, request_: str) -> None:
    with client.websocket_connect("/sound") as socket:
        socket.send_text(request_)
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_a_page_that_goes_away_leaves_nothing_to_recognise(
    client: TestClient, program: ScriptedProgram
) -> None:
    with client.websocket_connect("/sound") as socket:
        socket.send_text('{"kind": "microphone", "rate": 16000}')
        socket.send_bytes(_tone(1, 16_000))
    assert program.heard_s == []


def test_sound_that_waits_is_not_recognised_once_the_page_has_gone(
    program: ScriptedProgram,
) -> None:
    live = sound._Live(program, None, 16_000)  # type: ignore[arg-type]  # no page any more
    for _ in range(100):
        live._pieces.put(_tone(1, 16_000))
    blocks = live._blocks()
    assert next(iter(blocks))
    live._gone = True
    with pytest.raises(sound._GoneError):
        next(iter(blocks))


def test_words_so_far_come_while_sound_still_comes(client: TestClient) -> None:
    with client.websocket_connect("/sound") as socket:
        socket.send_text('{"kind": "microphone", "rate": 16000}')
        socket.send_bytes(_tone(1, 16_000))
        told = json.loads(socket.receive_text())
        assert told["kind"] == "so_far"
        assert told["speaking"] == HEARD.split()[0]
        socket.send_text('{"kind": "end"}')
        assert json.loads(socket.receive_text())["kind"] == "heard"


def test_listening_that_is_not_ready_says_so(
    client: TestClient, program: ScriptedProgram
) -> None:
    program.states["speech"] = "loading"
    with client.websocket_connect("/sound") as socket:
        socket.send_text('{"kind": "file"}')
        assert "getting ready" in json.loads(socket.receive_text())["text"]


@pytest.mark.parametrize(
    "failure", [TranscribeError("a stage"), RuntimeError("zanzibar was said")]
)
def test_a_failure_gives_one_sentence_and_logs_no_words(
    client: TestClient,
    program: ScriptedProgram,
    caplog: pytest.LogCaptureFixture,
    failure: Exception,
) -> None:
    caplog.set_level(logging.DEBUG, logger="assistant")

    def fail(blocks: Iterator[Audio]) -> None:
        raise failure

    program.transcribe = fail  # type: ignore[assignment,method-assign]
    reply = _send(client, {"kind": "microphone", "rate": 16_000}, [_tone(1, 16_000)])
    assert reply == {"kind": "line", "text": program.replies.line("could_not_hear")}
    assert "zanzibar" not in caplog.text


def test_a_sample_that_is_cut_in_two_is_put_together(
    client: TestClient, program: ScriptedProgram
) -> None:
    sound_ = _tone(1, 16_000)
    request = {"kind": "microphone", "rate": 16_000}
    reply = _send(client, request, [sound_[:4_001], sound_[4_001:], b"\x01"])
    assert reply["kind"] == "heard"
    assert program.heard_s == pytest.approx([1.0])
    assert program.loudest == pytest.approx([0.25], abs=0.01)
