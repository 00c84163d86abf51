"""The key of one start: without it, no address of the page answers anybody."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from assistant.errors import ContentError
from assistant.ui import outside_page, talk
from assistant.ui.house import House
from assistant.ui.key import ENTER, Key
from assistant.ui.lock import OPEN_TO_ALL, REFUSED
from assistant.ui.server import Application
from tests.scripted_program import (
    ScriptedProgram,
    directory,
    settings_for,
    wait_until,
)

# Gradio makes event loops where it is built in a thread (``utils.safe_get_lock``) and
# leaves them unclosed; the program is gone by then, a test run is not.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)

PORT = 7861
HERE = f"http://127.0.0.1:{PORT}"
_METHODS = ("GET", "HEAD", "POST", "DELETE")
_BY_A_PERSON = {
    "sec-fetch-site": "none",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
}


def _application(home: Path, key: Key, *, works: bool) -> Application:
    settings = settings_for(home, port=PORT)

    def make() -> Any:
        if not works:
            raise ContentError("A file is not as it must be.")
        return ScriptedProgram(settings)

    return Application(make, settings, PORT, key)


class _Open:
    """The whole program, open for talking, and who knocks at its door."""

    def __init__(self, client: TestClient, app: Application, key: Key) -> None:
        self.client, self.app, self.key = client, app, key

    @property
    def cookie(self) -> str:
        return self.key.set_cookie.partition(";")[0]

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        self.client.cookies.clear()
        given = {"origin": HERE} | {k.replace("_", "-"): v for k, v in headers.items()}
        answer = self.client.request(
            method, path, headers=given, follow_redirects=False
        )
        return answer.status_code, answer.text


@pytest.fixture(scope="module", params=[True, False], ids=["strict", "no browser"])
def program(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[_Open]:
    key = Key(PORT, is_strict=request.param)
    app = _application(tmp_path_factory.mktemp("home"), key, works=True)
    with TestClient(app, base_url=HERE) as client:
        wait_until(lambda: app.starting is not None and app.starting.is_open, 300)
        yield _Open(client, app, key)
    gc.collect()  # what is left behind shows up here, not in another file's tests


def _addresses(program: _Open) -> list[str]:
    """Name one address for every route there is, Gradio's and every file included."""
    assert program.app.starting is not None
    found: set[str] = {"/nowhere", "/talk"}
    _collect(House(program.app.starting).routes, "", found)
    assert program.app.starting.talk_app is not None
    _collect(program.app.starting.talk_app.routes, "", found)
    static = Path(outside_page.__file__).parent / "static"
    found |= {f"/static/{file.name}" for file in static.iterdir()}
    return sorted(found)


def _collect(routes: object, before: str, found: set[str]) -> None:
    from fastapi.routing import iter_route_contexts

    for route in iter_route_contexts(routes):  # type: ignore[arg-type]
        path = f"{before}{re.sub('{[^}]*}', 'x', route.path)}"
        if isinstance(route.route, Mount):
            found.add(f"{path}/x")
            _collect(route.route.routes, path, found)
        else:
            found.add(path)


def test_every_route_is_known_to_this_test(program: _Open) -> None:
    addresses = _addresses(program)
    for path in ("/", "/ready", "/wipe", "/stop", "/notes/x", "/settings/stop"):
        assert path in addresses
    for path in ("/talk/", "/talk/config", "/talk/gradio_api/queue/join"):
        assert path in addresses
    assert "/talk/gradio_api/upload" in addresses
    assert len(addresses) > 80


@pytest.mark.parametrize("cookie", ["none", "wrong"])
def test_without_the_key_nothing_answers(program: _Open, cookie: str) -> None:
    name, _, value = program.cookie.partition("=")
    given = {"none": "a=b", "wrong": f"{name}={value[:-1]}"}[cookie]
    free = OPEN_TO_ALL | {"/"}
    for path in _addresses(program):
        for method in _METHODS:
            if method in {"GET", "HEAD"} and path in free:
                continue
            status, text = program.ask(path, method, cookie=given)
            assert status == 403, (method, path)
            assert text == ("" if method == "HEAD" else REFUSED), (method, path)


def test_with_the_key_they_answer(program: _Open) -> None:
    for path in _addresses(program):
        if not path.startswith(("/talk/gradio_api/", ENTER)):
            assert program.ask(path, cookie=program.cookie)[0] != 403, path
    assert program.ask("/", cookie=program.cookie)[0] == 200
    assert program.ask("/ready", cookie=program.cookie)[0] == 200
    assert program.ask("/talk/", cookie=program.cookie)[0] == 200
    assert program.ask("/wipe", "POST", cookie=program.cookie)[0] == 204
    status, _ = program.ask(
        "/talk/gradio_api/queue/join", "POST", cookie=program.cookie
    )
    assert status == 422  # Gradio itself: there was no event in it


def test_with_the_key_only_the_pages_own_part_of_gradio_is_open(program: _Open) -> None:
    """No upload, no file, no description of an API, to nobody."""
    for path in _addresses(program):
        if path.startswith(f"{talk.PATH}/") and not talk.is_open(path):
            for method in ("GET", "POST"):
                status, text = program.ask(path, method, cookie=program.cookie)
                assert (status, text) == (404, "Not here."), path


def test_a_cookie_that_is_nearly_right_is_not_enough(program: _Open) -> None:
    name, _, value = program.cookie.partition("=")
    for wrong in (f"page-1={value}", f"{name}=", value, f"{name}={value}x", ""):
        assert program.ask("/ready", cookie=wrong)[0] == 403, wrong


def test_a_right_cookie_beside_a_wrong_one_is_enough(program: _Open) -> None:
    """Another program at another port may put one of the same name beside ours."""
    name = program.cookie.partition("=")[0]
    both = f"{name}=planted; a; {program.cookie}"
    assert program.ask("/ready", cookie=both)[0] == 200


def test_the_wipe_of_the_real_page_works_and_a_strangers_does_not(
    program: _Open,
) -> None:
    assert program.app.starting is not None
    rooms = program.app.starting.rooms
    assert rooms is not None
    room = rooms.of_session("a tab")
    body = f'{{"room": "{room.id}", "leave": true}}'
    for headers, left in (({}, 1), ({"cookie": program.cookie}, 0)):
        program.client.cookies.clear()
        program.client.post("/wipe", content=body, headers={"origin": HERE, **headers})
        assert len(rooms) == left


def test_a_socket_needs_the_key(program: _Open) -> None:
    program.client.cookies.clear()
    headers = {"origin": HERE, "host": f"127.0.0.1:{PORT}"}
    for cookie in ("", f"{program.cookie}x"):
        with (
            pytest.raises(WebSocketDisconnect),
            program.client.websocket_connect(
                "/sound", headers=headers | {"cookie": cookie}
            ),
        ):
            pass
    with program.client.websocket_connect(
        "/sound", headers=headers | {"cookie": program.cookie}
    ) as socket:
        socket.send_text('{"kind": "nothing"}')
        assert socket.receive()["type"] == "websocket.close"


def test_the_empty_sheets_need_no_key(program: _Open) -> None:
    """An exit leads there though the program was started again in the meantime."""
    for path in OPEN_TO_ALL:
        assert program.ask(path)[0] == 200, path
        assert program.ask(path, "POST")[0] == 403, path
    sheet = program.client.get("/bye").text + program.client.get("/settings/sheet").text
    assert "Ebb" not in sheet
    assert "<script" not in sheet


# --- Entering ------------------------------------------------------------------------


@pytest.fixture(params=[True, False], ids=["strict", "no browser"])
def door(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[_Open]:
    """A program that has just been started; whether it can talk does not matter."""
    key = Key(PORT, is_strict=request.param)
    app = _application(tmp_path, key, works=False)
    with TestClient(app, base_url=HERE, follow_redirects=False) as client:
        yield _Open(client, app, key)


def test_the_address_with_the_key_gives_the_cookie_and_leads_on(door: _Open) -> None:
    for _ in range(2):
        door.client.cookies.clear()
        answer = door.client.get(door.key.path_to_show, headers=_BY_A_PERSON)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        given = answer.headers["set-cookie"]
        assert given == f"{door.cookie}; HttpOnly; SameSite=Strict; Path=/"
        assert door.key.path_to_show.removeprefix(ENTER) not in given
        assert door.client.get("/").status_code == 200
        assert door.client.get("/ready").status_code == 200


def test_the_address_the_browser_is_started_with_works_once(door: _Open) -> None:
    """The system's list of programs may show it to others."""
    opened = door.key.path_to_open
    assert door.client.head(opened).status_code == 403
    assert door.client.get(opened, headers=_BY_A_PERSON).status_code == 303
    door.client.cookies.clear()
    again = door.client.get(opened, headers=_BY_A_PERSON)
    assert again.status_code == 403
    assert "set-cookie" not in again.headers
    with pytest.raises(LookupError):
        _ = door.key.path_to_open


@pytest.mark.parametrize("wrong", ["", "x", "é", "x" * 43, "%00", "%ff"])
def test_a_wrong_key_is_refused(door: _Open, wrong: str) -> None:
    for headers in ({}, _BY_A_PERSON):
        answer = door.client.get(f"{ENTER}{wrong}", headers=headers)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
        assert door.client.get("/ready").status_code == 403


def test_a_key_is_new_at_each_start() -> None:
    first, second = Key(PORT, is_strict=True), Key(PORT, is_strict=True)
    cookie = first.set_cookie.partition(";")[0]
    assert first.is_in([cookie])
    assert not second.is_in([cookie])
    assert not second.accepts(first.path_to_show)
    assert not second.accepts(first.path_to_open)
    assert len({first.path_to_show, first.path_to_open, f"{ENTER}{cookie}"}) == 3


@pytest.mark.parametrize(
    "headers",
    [
        {},
        _BY_A_PERSON,
        _BY_A_PERSON | {"sec-fetch-site": "same-origin"},
    ],
    ids=["old browser", "typed", "reload"],
)
def test_the_bare_address_lets_in_only_without_the_browser(
    door: _Open, headers: dict[str, str]
) -> None:
    answer = door.client.get("/", headers=headers)
    assert ("set-cookie" in answer.headers) is not door.key.is_strict
    assert answer.status_code == (403 if door.key.is_strict else 200)
    inside = 403 if door.key.is_strict else 200
    assert door.client.get("/ready").status_code == inside


@pytest.mark.parametrize(
    "headers",
    [
        _BY_A_PERSON | {"sec-fetch-site": "cross-site"},
        _BY_A_PERSON | {"sec-fetch-site": "same-site"},
        _BY_A_PERSON | {"sec-fetch-dest": "iframe"},
        {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"},
    ],
    ids=["another site", "another port", "in a frame", "by a script"],
)
def test_nobody_is_let_in_by_another_page(door: _Open, headers: dict[str, str]) -> None:
    answer = door.client.get("/", headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert "<script" not in answer.text


def test_no_other_address_gives_the_cookie(door: _Open) -> None:
    for path in ("/bye", "/ready", "/talk/", "/static/base.css", "/settings/sheet"):
        answer = door.client.get(path, headers=_BY_A_PERSON)
        assert "set-cookie" not in answer.headers, path


def test_a_person_who_comes_with_an_old_cookie_is_led_to_the_front(
    door: _Open,
) -> None:
    """A reload of the talk after the program was started again."""
    name = door.cookie.partition("=")[0]
    headers = _BY_A_PERSON | {"sec-fetch-site": "same-origin"}
    old = {"cookie": f"{name}=of-the-start-before"}
    for path in ("/talk/", "/settings/stopped"):
        answer = door.client.get(path, headers=headers | old)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
    front = door.client.get("/", headers=headers | old)
    assert front.status_code == (403 if door.key.is_strict else 200)


def test_every_refusal_carries_the_closed_headers(door: _Open) -> None:
    for path in ("/ready", f"{ENTER}x", "/nowhere"):
        headers = door.client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers


# --- The page outside ----------------------------------------------------------------


def _outside(tmp_path: Path, country: str | None = "GB", strict: bool = True) -> str:
    numbers = outside_page.numbers(directory(), settings_for(tmp_path, country=country))
    return outside_page.render(numbers, is_strict=strict)


@pytest.mark.parametrize("strict", [True, False])
def test_outside_is_neutral_and_has_the_emergency_number(
    tmp_path: Path, strict: bool
) -> None:
    page = _outside(tmp_path, strict=strict)
    assert '<span class="number big">999</span>' in page
    assert "<title>Notes</title>" in page
    assert 'href="/"' in page
    for revealing in (
        "ebb",
        "abuse",
        "violence",
        "partner",
        "talk",
        "therap",
        "<script",
    ):
        assert revealing not in page.lower(), revealing


def test_outside_knows_every_country_and_none_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.ui.choice.region_of_system", lambda: None)
    page = _outside(tmp_path, None)
    assert "local emergency number" in page
    for name, number in (("Andorra", "112"), ("Canada", "911"), ("Australia", "000")):
        assert re.search(rf"{name}: <span[^>]*>{number}<", page), name


def test_outside_does_not_tell_which_country_was_chosen_inside(door: _Open) -> None:
    assert door.app.starting is not None
    before = door.client.get("/", headers={"sec-fetch-mode": "cors"}).text
    door.app.starting.choice.choose("CA")
    door.app.starting.choice.need = "men"
    assert door.client.get("/", headers={"sec-fetch-mode": "cors"}).text == before


def test_without_a_directory_the_page_outside_comes(tmp_path: Path) -> None:
    assert "emergency number" in outside_page.numbers(None, settings_for(tmp_path))


def test_routes_are_of_kinds_this_test_can_read(program: _Open) -> None:
    assert program.app.starting is not None
    for route in House(program.app.starting).routes:
        assert isinstance(route, Route | WebSocketRoute | Mount), route
