"""Who may come in, and what every answer carries."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.ui.door import MAX_BODY_BYTES, Door, policy

HERE = "http://127.0.0.1:7861"


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(
        str(len(await request.body())),
        headers={"Access-Control-Allow-Origin": "*", "Set-Cookie": "a=b"},
    )


async def _socket(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("in")
    await socket.close()


@pytest.fixture
def client() -> TestClient:
    inside = Starlette(
        routes=[
            Route("/", _echo, methods=["GET", "POST"]),
            WebSocketRoute("/sound", _socket),
        ]
    )
    return TestClient(Door(inside, 7861), base_url=HERE)


@pytest.mark.parametrize("host", ["127.0.0.1:7861", "localhost:7861", "LOCALHOST:7861"])
def test_this_computer_may_come_in(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example:7861", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example", ""],
)
def test_another_name_for_this_computer_is_turned_away(
    client: TestClient, host: str
) -> None:
    assert client.get("/", headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
        {},
    ],
    ids=["foreign", "other port", "null", "null from elsewhere", "none"],
)
def test_a_post_from_elsewhere_is_turned_away(
    client: TestClient, headers: dict[str, str]
) -> None:
    assert client.post("/", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": HERE},
        {"origin": "http://localhost:7861"},
        {"origin": "null", "sec-fetch-site": "same-origin"},
    ],
    ids=["own", "own by name", "own form under no-referrer"],
)
def test_the_pages_own_post_may_come_in(
    client: TestClient, headers: dict[str, str]
) -> None:
    assert client.post("/", headers=headers).status_code == 200


def test_a_foreign_page_cannot_load_pieces_but_a_person_can_follow_a_link(
    client: TestClient,
) -> None:
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=foreign).status_code == 403
    assert client.get("/", headers=followed).status_code == 200


def test_a_socket_needs_the_pages_own_origin(client: TestClient) -> None:
    with client.websocket_connect(
        "/sound", headers={"origin": HERE, "host": "127.0.0.1:7861"}
    ) as socket:
        assert socket.receive_text() == "in"
    for origin in ("https://evil.example", "null"):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(
                "/sound", headers={"origin": origin, "host": "127.0.0.1:7861"}
            ),
        ):
            pass


def test_a_body_beyond_the_bound_is_refused(client: TestClient) -> None:
    own = {"origin": HERE}
    fits = client.post("/", content=b"x" * MAX_BODY_BYTES, headers=own)
    too_long = client.post("/", content=b"x" * (MAX_BODY_BYTES + 1), headers=own)
    assert (fits.status_code, too_long.status_code) == (200, 413)


def test_an_address_that_is_no_text_is_refused() -> None:
    """Found by strange input: what reads it as text failed with an error of its own."""
    reached: list[str] = []

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["path"])

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"a=\xbb",
        "headers": [(b"host", b"127.0.0.1:7861")],
    }
    asyncio.run(Door(inside, 7861)(scope, receive, send))
    assert sent[0]["status"] == 400
    assert reached == []


def test_every_answer_carries_the_closed_headers(client: TestClient) -> None:
    headers = client.get("/").headers
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    assert "set-cookie" not in headers


def test_the_policy_allows_nothing_foreign_and_no_evaluation() -> None:
    given = policy("127.0.0.1:7861", "abc")
    assert "'unsafe-eval'" not in given
    assert "http:" not in given
    assert "*" not in given
    scripts = next(p for p in given.split("; ") if p.startswith("script-src"))
    assert scripts == "script-src 'self' 'nonce-abc'"
