"""Spoken replies over the socket: a sentence in, its sound out, nothing kept."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from assistant import wiring_voice
from assistant.domain import Audio
from assistant.errors import ModelFileError, UsageError
from assistant.ports import TextToSpeech
from assistant.settings import Settings
from assistant.ui import voice
from assistant.ui.door import Door
from tests.conftest import CANARY
from tests.scripted_program import ScriptedProgram, settings_for

HERE = "http://127.0.0.1:7861"


@pytest.fixture
def program(tmp_path: Path) -> ScriptedProgram:
    return ScriptedProgram(settings_for(tmp_path))


@pytest.fixture
def client(program: ScriptedProgram) -> TestClient:
    speaker = voice.Speaker(lambda: program)  # type: ignore[arg-type]  # scripted
    app = Starlette(routes=[WebSocketRoute("/voice", speaker.answer)])
    return TestClient(Door(app, 7861), base_url=HERE, headers={"origin": HERE})


def _hear(client: TestClient, text: str) -> tuple[list[dict[str, object]], bytes]:
    records, sound = [], b""
    with client.websocket_connect("ws://127.0.0.1:7861/voice") as socket:
        socket.send_text(json.dumps({"text": text}))
        while True:
            message = socket.receive()
            if "bytes" in message and message["bytes"] is not None:
                sound += message["bytes"]
            else:
                records.append(json.loads(message["text"]))
            if records and records[-1]["kind"] != "begin":
                return records, sound


def test_a_sentence_comes_back_as_sound(
    client: TestClient, program: ScriptedProgram
) -> None:
    records, sound = _hear(client, "The tea is warm. It is late.")
    assert records == [{"kind": "begin", "rate": 16_000}, {"kind": "end"}]
    samples = np.frombuffer(sound, "<i2")
    # 15 and 10 characters, a twentieth of a second each.
    assert len(samples) / 16_000 == pytest.approx(25 / 20, abs=0.01)
    assert abs(samples).max() == pytest.approx(0.1 * 32_767, rel=0.02)
    assert program.spoken == ["The tea is warm. It is late."]


def test_the_voice_is_loaded_once(client: TestClient, program: ScriptedProgram) -> None:
    loaded: list[TextToSpeech] = []
    load = program.load_voice

    def counting() -> TextToSpeech:
        loaded.append(load())
        return loaded[-1]

    program.load_voice = counting  # type: ignore[method-assign]
    for _ in range(3):
        _hear(client, "Tea.")
    assert len(loaded) == 1


class _Endless(TextToSpeech):
    """Speaks on and on, and says when it was let go."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def speak(self, text: str) -> Iterable[Audio]:
        try:
            while True:
                yield Audio(np.zeros(1_000, np.float32), 16_000)
        finally:
            self.closed.set()


def test_closing_the_socket_ends_the_speaking(
    client: TestClient, program: ScriptedProgram
) -> None:
    endless = _Endless()
    program.load_voice = lambda: endless  # type: ignore[method-assign]
    with client.websocket_connect("ws://127.0.0.1:7861/voice") as socket:
        socket.send_text('{"text": "Tea."}')
        socket.receive()
    assert endless.closed.wait(10)


@pytest.mark.parametrize(
    "failure", [ModelFileError("a file"), RuntimeError(f"quoted: {CANARY}")]
)
def test_a_failure_gives_one_sentence_and_logs_no_words(
    client: TestClient,
    program: ScriptedProgram,
    caplog: pytest.LogCaptureFixture,
    failure: Exception,
) -> None:
    caplog.set_level(logging.DEBUG, logger="assistant")

    def fail() -> TextToSpeech:
        raise failure

    program.load_voice = fail  # type: ignore[method-assign]
    (record,), sound = _hear(client, CANARY)
    assert record["kind"] == "line"
    assert "on the screen" in str(record["text"])
    assert sound == b""
    assert CANARY not in caplog.text


@pytest.mark.parametrize(
    "request_",
    [
        "no json",
        "[]",
        "{}",
        '{"text": ""}',
        '{"text": 1}',
        json.dumps({"text": "x" * 5_000}),
    ],
)
def test_nonsense_closes_the_socket(client: TestClient, request_: str) -> None:
    with client.websocket_connect("ws://127.0.0.1:7861/voice") as socket:
        socket.send_text(request_)
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_another_page_is_turned_away(client: TestClient) -> None:
    foreign = {"origin": "https://evil.example"}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://127.0.0.1:7861/voice", headers=foreign),
    ):
        pass


def test_no_file_is_written(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    _hear(client, f"Tea. {CANARY}.")
    assert list(tmp_path.rglob("*")) == []


def test_without_the_voices_files_none_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path)
    monkeypatch.setattr(wiring_voice.importlib.util, "find_spec", lambda name: name)
    assert not wiring_voice.is_there(settings)
    folder = tmp_path / "models" / "en_US-joe-medium"
    folder.mkdir(parents=True)
    for ending in (".onnx", ".onnx.json"):
        (folder / f"en_US-joe-medium{ending}").touch()
    assert wiring_voice.is_there(settings)
    monkeypatch.setattr(wiring_voice.importlib.util, "find_spec", lambda name: None)
    assert not wiring_voice.is_there(settings)


def test_loading_a_voice_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises((ModelFileError, UsageError)):
        wiring_voice.load(Settings(home=tmp_path))


@pytest.mark.weights
def test_the_real_voice_speaks_over_the_socket(
    program: ScriptedProgram, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    from assistant import settings

    program.load_voice = lambda: wiring_voice.load(settings.load())  # type: ignore[method-assign]
    records, sound = _hear(client, f"That pull can be strong at night, {CANARY}.")
    assert records[0] == {"kind": "begin", "rate": 22_050}
    samples = np.frombuffer(sound, "<i2")
    assert 1.5 < len(samples) / 22_050 < 8
    assert abs(samples).max() > 1_000
    assert CANARY not in caplog.text
