"""My notes: what the panel shows, what its addresses do, and what never leaves."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from assistant.adapters.local_disk import LocalDisk
from assistant.keeping import Keeper, Pad, since_start_s
from assistant.notebook import Kind, Wave
from assistant.store import Store
from assistant.ui import notes, notes_view, notes_waves, notes_words
from assistant.ui.door import Door
from assistant.ui.rooms import Room, Rooms
from tests.conftest import CANARY
from tests.scripted_program import ScriptedProgram, settings_for
from tests.test_store import NEW, OLD, QUICK

THEN = datetime(2026, 5, 3, 2, 10, tzinfo=UTC)
HERE = "http://127.0.0.1:7861"
HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    store = Store(tmp_path / "notes.dat", LocalDisk(), QUICK)
    ids = count(1)
    made = Keeper(
        store,
        now=lambda: THEN,
        new_id=lambda: f"n{next(ids)}",
        clock=since_start_s,
    )
    yield made
    store.lock()


@pytest.fixture
def rooms(tmp_path: Path, keeper: Keeper) -> Rooms:
    program = ScriptedProgram(settings_for(tmp_path))
    return Rooms(program.new_talk, keeper.new_pad)  # type: ignore[arg-type]  # the scripted one


@pytest.fixture
def room(rooms: Rooms) -> Room:
    return rooms.of_session("a")


@pytest.fixture
def pad(room: Room) -> Pad:
    return room.pad


@pytest.fixture
def client(rooms: Rooms) -> TestClient:
    starting = SimpleNamespace(rooms=rooms)
    app = Starlette(routes=list(notes.routes(starting)))  # type: ignore[arg-type]  # stands for it
    return TestClient(Door(app, 7861), base_url=HERE, headers={"origin": HERE})


class Tab:
    """Asks as the page does."""

    def __init__(self, client: TestClient, room: Room) -> None:
        self.client, self.room = client, room
        self.code = 0

    def __call__(self, act: str, **record: Any) -> dict[str, Any]:
        body = json.dumps({"room": self.room.id, **record})
        reply = self.client.post(f"/notes/{act}", content=body)
        self.code = reply.status_code
        answer: dict[str, Any] = reply.json()
        return answer


@pytest.fixture
def tab(client: TestClient, room: Room) -> Tab:
    return Tab(client, room)


def view(pad: Pad, kind: Kind = Kind.REALITY, find: str = "") -> str:
    return notes_view.view(pad, kind, find, now=THEN, zone=UTC)


# --- What is shown --------------------------------------------------------------------


def test_the_panel_is_empty_until_it_is_opened() -> None:
    panel = notes.panel(SimpleNamespace())  # type: ignore[arg-type]  # not looked at
    assert (panel.name, panel.title) == ("notes", "My notes")
    assert "<form" not in panel.body


def test_every_kind_has_its_tool_and_its_words(pad: Pad) -> None:
    assert set(notes_words.TOOLS) == set(Kind)
    for kind, tool in notes_words.TOOLS.items():
        html = view(pad, kind)
        assert f'<h3 id="notes-title" tabindex="-1">{tool.title}</h3>' in html
        assert f'data-tool="{kind}" aria-current="true"' in html
        assert html.count('aria-current="true"') == 1


def test_a_sitting_says_that_nothing_is_written(pad: Pad) -> None:
    html = view(pad)
    assert "nothing is written to the disk" in html
    assert "Turn the notebook on" in html
    assert "Lock it now" not in html


def test_a_boundary_comes_with_its_danger_and_a_way_to_help(pad: Pad) -> None:
    html = view(pad, Kind.BOUNDARY)
    assert "With someone violent, a boundary can raise the danger" in html
    assert "advocate first" in html
    assert 'data-help data-need="abuse"' in html
    assert "I will end the call if voices are raised." in html


def test_their_words_are_escaped_everywhere(pad: Pad) -> None:
    wave = Wave(THEN, ((0, 8), (25, 3)), (HOSTILE,))
    for kind in Kind:
        if kind is Kind.WAVE:
            pad.add_wave(wave, HOSTILE)
        else:
            pad.add(kind, HOSTILE, HOSTILE)
        assert "<img" not in view(pad, kind)
    found = view(pad, find="onerror")
    assert "<img" not in found
    assert found.count('class="note"') == len(Kind)
    assert "<img" not in view(pad, find=HOSTILE)


def test_what_is_looked_for_is_found_in_all_tools(pad: Pad) -> None:
    pad.add(Kind.REALITY, "A door slammed")
    pad.add(Kind.TRIGGER, "a door at night")
    html = view(pad, find="door")
    assert "Reality list, 3 May 2026" in html
    assert "My triggers, 3 May 2026" in html
    assert "Show all again" in html
    assert notes_words.NOTHING_FOUND in view(pad, find="window")


def test_a_locked_notebook_shows_nothing_but_the_way_in(pad: Pad) -> None:
    pad.add(Kind.REALITY, CANARY)
    pad.turn_on(OLD)
    assert CANARY in view(pad)
    assert "Lock it now" in view(pad)
    pad.lock()
    for html in (view(pad), view(pad, find=CANARY[:4])):
        assert CANARY not in html
        assert "Reality" not in html
        assert 'data-do="unlock"' in html
        assert 'data-do="add"' not in html


def test_a_tab_is_told_that_another_has_it(keeper: Keeper, pad: Pad) -> None:
    pad.turn_on(OLD)
    other = keeper.new_pad()
    assert "open in another tab" in view(other)
    other.add_wave(Wave(THEN, ((0, 5),)))
    assert notes_words.WAITING in view(other)


def test_turning_it_on_says_what_it_does_not_protect_from(pad: Pad) -> None:
    html = view(pad)
    assert "A computer that is watched" in html
    assert "Being made to unlock it" in html
    assert "there is no way in" in html
    assert "solid-state" in notes_words.ERASE_NOTEBOOK


def test_no_passphrase_field_is_of_the_kind_that_browsers_keep(pad: Pad) -> None:
    shown = view(pad)
    pad.turn_on(OLD)
    shown += view(pad)
    pad.lock()
    shown += view(pad)
    assert 'type="password"' not in shown
    fields = re.findall(r'<input class="secret"[^>]*>', shown)
    assert len(fields) == 6
    assert all('autocomplete="off"' in field for field in fields)


def test_every_field_has_a_label_and_no_address_carries_words(pad: Pad) -> None:
    pad.add(Kind.KEPT, "one")
    html = "".join(view(pad, kind) for kind in Kind)
    assert "method=" not in html
    assert "action=" not in html
    for field in re.findall(r"<(?:input|textarea|select)[^>]*>", html):
        assert 'autocomplete="off"' in field
    assert " style=" not in html


# --- Waves ----------------------------------------------------------------------------


def test_waves_are_shown_by_hour_over_time_in_words_and_as_a_table() -> None:
    waves = (
        Wave(THEN, ((0, 8), (10, 9), (25, 3)), ("Cold water", "tea")),
        Wave(THEN + timedelta(days=2, hours=12), ((0, 6), (20, 2)), ("cold water",)),
        Wave(THEN + timedelta(days=3, hours=20), ((0, 5),)),
    )
    html = notes_waves.picture(waves, UTC)
    assert html.count("<svg") == 2
    assert html.count('class="wave"') == 6
    assert "3 waves: 1 between midnight and six, 1 in the afternoon, 1 in the" in html
    assert "3 waves from 3 May 2026 to 6 May 2026." in html
    assert "<li>Cold water (2 times)</li><li>tea</li>" in html
    assert (
        '<th scope="row">3 May 2026, 02:10</th><td>9</td><td>3</td><td>25</td>' in html
    )
    assert html.count('role="img"') == html.count("<title") == 2


def test_one_wave_has_no_picture_over_time() -> None:
    html = notes_waves.picture([Wave(THEN, ((0, 8),))], UTC)
    assert html.count("<svg") == 1
    assert "One wave, between midnight and six." in html
    assert "What helped</h4>" not in html
    assert notes_waves.steps(Wave(THEN, ((0, 8),))) == "strongest 8 of 10"


def test_a_wave_is_drawn_where_it_belongs() -> None:
    noon = Wave(THEN.replace(hour=12, minute=0), ((0, 10), (5, 0)))
    html = notes_waves.picture([noon], UTC)
    assert re.search(r'<line x1="190.0" x2="190.0" y1="12.0" y2="160.0"/>', html)


def test_a_waves_own_note_and_helps_can_be_changed(tab: Tab, pad: Pad) -> None:
    pad.add_wave(Wave(THEN, ((0, 8),), ("tea",)))
    html = tab("edit", id="n1", tool="wave", text="it passed", helped="milk\n\n bread ")
    assert "Helped: milk, bread" in html["html"]
    assert "it passed" in html["html"]


# --- What the addresses do ------------------------------------------------------------


def test_a_note_is_added_changed_found_and_erased(tab: Tab) -> None:
    answer = tab("add", tool="reality", kind="reality", text="A door", more="small")
    assert (answer["said"], answer["where"]) == ("Added.", "sitting")
    assert "A door" in answer["html"]
    answer = tab("edit", tool="reality", id="n1", text="Two\r\ndoors", more="")
    assert "Two<br>doors" in answer["html"]
    assert "Two" in tab("view", tool="boundary", find="doors")["html"]
    assert "Two" not in tab("view", tool="boundary")["html"]
    assert tab("erase", tool="reality", id="n1")["said"] == "Erased."
    assert "Two" not in tab("view", tool="reality")["html"]


def test_what_cannot_be_done_is_said_in_one_sentence(tab: Tab) -> None:
    for act, record in (
        ("add", {"kind": "reality", "text": " "}),
        ("edit", {"id": "none", "text": "a"}),
        ("erase", {"id": "none"}),
        ("on", {"passphrase": "short", "again": "short"}),
        ("on", {"passphrase": OLD, "again": NEW}),
        ("unlock", {"passphrase": OLD}),
        ("aside", {}),
        ("passphrase", {"old": OLD, "passphrase": NEW, "again": NEW}),
        ("add", {"kind": "wave", "started": "soon", "peak": "7", "end": "1"}),
        ("add", {"kind": "wave", "started": "2026-05-03T02:10", "peak": "x"}),
    ):
        answer = tab(act, **record)
        assert tab.code == 409, act
        assert set(answer) == {"said"}
        assert answer["said"].endswith(".")


def test_a_wave_by_hand_is_in_the_computers_own_time(tab: Tab, pad: Pad) -> None:
    wave = {"started": "2026-05-03T02:10", "minutes": "25", "peak": "8", "end": "3"}
    tab("add", kind="wave", tool="wave", helped="tea\nmilk", text="passed", **wave)
    assert tab.code == 200
    entry = pad.notebook.entries[0]
    assert entry.text == "passed"
    assert entry.wave == Wave(
        datetime(2026, 5, 3, 2, 10).astimezone(), ((0, 8), (25, 3)), ("tea", "milk")
    )
    tab("add", kind="wave", tool="wave", **{**wave, "minutes": "0"})
    assert pad.notebook.entries[1].wave.strengths == ((0, 8),)  # type: ignore[union-attr]  # a wave


def test_the_way_from_off_to_erased(tab: Tab, pad: Pad, tmp_path: Path) -> None:
    tab("add", kind="reality", text="A door")
    answer = tab("on", tool="reality", passphrase=OLD, again=OLD)
    assert answer["where"] == "notebook"
    assert "A door" in answer["html"]
    assert tab("lock")["where"] == "locked"
    assert tab("unlock", passphrase=NEW)["said"].startswith("That passphrase does not")
    assert "A door" in tab("unlock", tool="reality", passphrase=OLD)["html"]
    answer = tab("passphrase", old=OLD, passphrase=NEW, again=NEW)
    assert answer["said"] == notes_words.NEW_PASSPHRASE
    tab("lock")
    assert tab("unlock", passphrase=NEW)["where"] == "notebook"
    assert tab("erase-all")["where"] == "sitting"
    assert not (tmp_path / "notes.dat").exists()
    tab("on", passphrase=OLD, again=OLD)
    tab("lock")
    assert "notes.dat.1" in tab("aside")["said"]


def test_everything_can_be_saved_as_plain_text(
    tab: Tab, client: TestClient, room: Room
) -> None:
    tab("add", kind="reality", text="A door \ud800")
    reply = client.post("/notes/export", json={"room": room.id})
    assert reply.headers["content-type"].startswith("text/plain")
    assert reply.headers["cache-control"] == "no-store"
    assert reply.text.startswith("REALITY LIST\n\n2026-05-03\nA door ?")
    tab("on", passphrase=OLD, again=OLD)
    tab("lock")
    reply = client.post("/notes/export", json={"room": room.id})
    assert reply.status_code == 409


WAVE = {
    "started": "2026-05-03T02:10:00.000Z",
    "strengths": [[0, 8], [12.5, 9], [25, 3]],
    "helped": ["tea", "half a \ud800"],
}


def test_a_wave_is_taken_over_from_its_screen(tab: Tab, pad: Pad) -> None:
    assert tab("wave", **WAVE)["where"] == "sitting"
    wave = pad.notebook.entries[0].wave
    assert wave == Wave(THEN, ((0, 8), (12.5, 9), (25, 3)), ("tea", "half a ?"))


@pytest.mark.parametrize(
    "wave",
    [
        {},
        {**WAVE, "started": 3},
        {**WAVE, "strengths": "strong"},
        {**WAVE, "strengths": [[0, 11]]},
        {**WAVE, "strengths": {}},
        {**WAVE, "helped": "tea"},
        {**WAVE, "helped": None},
    ],
)
def test_what_is_no_wave_is_refused(tab: Tab, wave: dict[str, Any]) -> None:
    assert tab("wave", **wave)["said"].startswith("That is not a wave")
    assert tab.code == 409


def test_a_wave_waits_while_the_notebook_is_locked(tab: Tab, pad: Pad) -> None:
    pad.turn_on(OLD)
    pad.lock()
    answer = tab("wave", **WAVE)
    assert answer == {"said": notes_words.WAITING, "where": "locked"}
    assert notes_words.WAITING in tab("view")["html"]
    assert "Strongest 9 of 10" in tab("unlock", tool="wave", passphrase=OLD)["html"]


def test_an_unknown_room_or_act_gets_nothing(client: TestClient, room: Room) -> None:
    reply = client.post("/notes/view", json={"room": "made up"})
    assert (reply.status_code, reply.json()) == (404, {"said": notes_words.NO_ROOM})
    assert client.post("/notes/view", content=b"not json").status_code == 404
    reply = client.post("/notes/all", json={"room": room.id})
    assert reply.status_code == 404
    assert client.get("/notes/view").status_code == 405


def test_before_the_talk_is_open_there_are_no_notes() -> None:
    app = Starlette(routes=list(notes.routes(SimpleNamespace(rooms=None))))  # type: ignore[arg-type]  # stands for it
    assert TestClient(app).post("/notes/view", json={}).status_code == 404


def test_leaving_or_wiping_locks(tab: Tab, rooms: Rooms, room: Room) -> None:
    tab("on", passphrase=OLD, again=OLD)
    room.wipe()
    assert tab("view")["where"] == "locked"
    tab("unlock", passphrase=OLD)
    rooms.leave_room(room.id)
    assert tab("view")["said"] == notes_words.NO_ROOM
    again = Tab(tab.client, rooms.of_session("b"))
    assert again("view")["where"] == "locked"


def test_a_sittings_notes_are_wiped_with_the_talk(tab: Tab, room: Room) -> None:
    tab("add", kind="reality", text=CANARY)
    room.wipe()
    assert CANARY not in tab("view", tool="reality")["html"]


def test_looking_alone_does_not_keep_it_open(tab: Tab, keeper: Keeper) -> None:
    tab("on", passphrase=OLD, again=OLD)
    keeper._used_s -= 200
    tab("view")
    assert since_start_s() - keeper._used_s > 190
    assert tab("touch") == {"said": "", "where": "notebook"}
    assert since_start_s() - keeper._used_s < 100


def test_nothing_of_it_is_logged_or_in_an_error(
    tab: Tab, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = f"{CANARY} and some more words"
    tab("add", kind="reality", text=CANARY, more=CANARY)
    answers = [
        tab("on", passphrase=secret, again=secret + "x"),
        tab("unlock", passphrase=secret),
        tab("add", kind="wave", started=CANARY, peak=CANARY, end=CANARY),
        tab("edit", id=CANARY, text=CANARY),
    ]
    tab("on", passphrase=secret, again=secret)
    tab("lock")
    answers.append(tab("unlock", passphrase=secret + "x"))
    answers.append(tab("view", tool="reality"))
    assert CANARY not in repr(answers)
    assert CANARY not in caplog.text
    for path in tmp_path.rglob("*"):
        assert CANARY not in path.name
        assert path.is_dir() or CANARY.encode() not in path.read_bytes()
