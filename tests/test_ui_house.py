"""The house hands requests to Gradio, and nothing comes back that it must not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from tests.conftest import CANARY
from tests.fuzz.http_targets import Stage

HERE = "http://127.0.0.1:7861"
JOIN = "/talk/gradio_api/queue/join"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def _answering(stage: Stage, status: int) -> TestClient:
    """A client of a house whose Gradio repeats what it was sent."""

    async def echo(scope: Scope, receive: Receive, send: Send) -> None:
        said = (await Request(scope, receive).body()).decode()
        await JSONResponse({"detail": said}, status)(scope, receive, send)

    stage.starting.talk_app = echo
    return TestClient(stage.app, base_url=HERE, headers={"origin": HERE})


@pytest.mark.parametrize("status", [422, 500, 503])
def test_an_error_of_gradio_does_not_repeat_what_was_said(
    stage: Stage, status: int
) -> None:
    """Found by strange input: a record without its fields came back in the error."""
    reply = _answering(stage, status).post(JOIN, json={"text": CANARY})
    assert reply.status_code == status
    assert CANARY not in reply.text
    assert reply.json() == {"detail": "That could not be read."}


@pytest.mark.parametrize(
    ("error", "status"), [(ValueError(CANARY), 400), (RuntimeError(CANARY), 500)]
)
def test_a_failure_inside_gradio_is_answered_and_logged_by_its_kind_alone(
    stage: Stage, error: Exception, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """The server's own log once had the whole story, the message of the error too."""

    async def fails(scope: Scope, receive: Receive, send: Send) -> None:
        raise error

    stage.starting.talk_app = fails
    client = TestClient(stage.app, base_url=HERE, headers={"origin": HERE})
    reply = client.post(JOIN, content=b"{}")
    assert reply.status_code == status
    assert CANARY not in reply.text + caplog.text
    assert type(error).__name__ in caplog.text


def test_any_other_answer_comes_as_it_is(stage: Stage) -> None:
    assert _answering(stage, 200).post(JOIN, content="3").json() == {"detail": "3"}


@pytest.mark.parametrize("body", [CANARY.encode(), b"\xf0", b"[" * 5_000, b"\xff\xfe"])
def test_a_body_that_is_no_record_never_reaches_gradio(
    stage: Stage, body: bytes
) -> None:
    """Found by strange input: Gradio failed on it, with the server's error page."""
    reply = _answering(stage, 200).post(JOIN, content=body)
    assert reply.status_code == 400
    assert CANARY not in reply.text


@pytest.mark.parametrize("room", ["\ud800", "é", "", None, 3, ["a"], "x" * 10_000])
@pytest.mark.parametrize("path", ["/stop", "/aside", "/wipe", "/notes/view"])
def test_a_room_that_is_none_is_not_there(
    stage: Stage, path: str, room: object
) -> None:
    """Half a character in its name once ended the request with an error."""
    client = TestClient(stage.app, base_url=HERE, headers={"origin": HERE})
    reply = client.post(path, content=json.dumps({"room": room, "card": "suicide"}))
    assert reply.status_code == (204 if path == "/wipe" else 404)
