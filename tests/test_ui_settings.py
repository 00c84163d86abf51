"""The screen “Settings and traces”: its form, its addresses, its last page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from assistant import settings as settings_file
from assistant.models import Registry
from assistant.settings import Settings
from assistant.ui import settings, settings_panel, traces
from assistant.ui.choice import Choice
from assistant.ui.door import Door
from assistant.ui.preferences import Sitting
from tests.conftest import ROOT
from tests.scripted_program import ScriptedProgram, directory

HERE = "http://127.0.0.1:7861"


class _Starting:
    """Only what the screen asks of it; remembers what it was told."""

    def __init__(self, home: Path) -> None:
        self.settings = Settings(home=home, country="GB")
        self.sitting = Sitting(self.settings)
        self.directory = directory()
        self.choice = Choice(self.directory, "GB")
        self.is_wound_up = False
        self.cache_is_clear: bool | None = None
        self.stops_after_s: list[float] = []
        self.program = ScriptedProgram(self.settings)

    def wind_up(self, *, clear_cache: bool) -> None:
        self.is_wound_up = True
        self.cache_is_clear = True if clear_cache else None

    def stop_after(self, seconds: float) -> None:
        self.stops_after_s.append(seconds)


@pytest.fixture
def starting(tmp_path: Path) -> _Starting:
    return _Starting(tmp_path)


@pytest.fixture
def client(starting: _Starting) -> TestClient:
    routes = settings.routes(starting)  # type: ignore[arg-type]  # the stand-in
    app = Door(Starlette(routes=list(routes)), 7861)
    return TestClient(app, base_url=HERE, headers={"origin": HERE})


def _body(home: Path) -> str:
    starting = _Starting(home)
    return settings_panel.body(
        starting.sitting.preferences,
        starting.settings,
        starting.directory,
        "GB",
        is_kept=False,
    )


def test_the_form_shows_what_holds(tmp_path: Path) -> None:
    body = _body(tmp_path)
    for name, value in (
        ("text_size", "normal"),
        ("movement", "system"),
        ("page_title", "notes"),
        ("idle_minutes", "10"),
    ):
        assert f'name="{name}" value="{value}" checked' in body
    assert '<option value="GB" selected' in body
    assert 'name="keep" aria-describedby="keep-said">' in body
    assert "the file shows that Ebb was used here" in body


def test_every_field_has_a_label_and_every_hint_is_there(tmp_path: Path) -> None:
    body = _body(tmp_path)
    for described in re.findall(r'aria-describedby="([^"]+)"', body):
        assert f'id="{described}"' in body
    for labelled in re.findall(r'<label for="([^"]+)"', body):
        assert f'id="{labelled}"' in body


def test_an_address_is_escaped(client: TestClient, starting: _Starting) -> None:
    client.post(
        "/settings/change",
        json={"name": "exit_address", "value": "https://example.org/?a=1&b=2"},
    )
    assert "?a=1&amp;b=2" in client.post("/settings/body").text


def test_a_change_holds_and_says_so(client: TestClient, starting: _Starting) -> None:
    answer = client.post(
        "/settings/change", json={"name": "page_title", "value": "recipes"}
    ).json()
    assert answer["ok"] is True
    assert answer["look"]["title"] == "Recipes"
    assert starting.sitting.preferences.page_title == "recipes"


def test_a_wrong_value_changes_nothing_and_is_not_quoted(client: TestClient) -> None:
    answer = client.post(
        "/settings/change", json={"name": "exit_address", "value": "ftp://secret"}
    ).json()
    assert answer["ok"] is False
    assert answer["exitAddress"] == ""
    assert "secret" not in str(answer)


@pytest.mark.parametrize("sent", [b"", b"[1]", b"{", b'{"name": {"a": 1}}'])
def test_nonsense_is_answered_calmly(client: TestClient, sent: bytes) -> None:
    for path in ("change", "keep"):
        assert client.post(f"/settings/{path}", content=sent).status_code == 200


def test_the_country_is_the_one_of_help(
    client: TestClient, starting: _Starting
) -> None:
    client.post("/settings/change", json={"name": "country", "value": "CA"})
    assert starting.choice.country == "CA"


def test_a_country_from_elsewhere_is_never_written(
    client: TestClient, starting: _Starting, tmp_path: Path
) -> None:
    """What a talk found out about the person stays out of the file."""
    client.post("/settings/keep", json={"keep": True})
    starting.choice.choose("CA")
    client.post("/settings/change", json={"name": "text_size", "value": "larger"})
    assert settings_file.load(tmp_path).country == "GB"
    client.post("/settings/change", json={"name": "country", "value": "CA"})
    assert settings_file.load(tmp_path).country == "CA"


def test_a_file_that_cannot_be_written_is_said(
    client: TestClient, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").mkdir()
    answer = client.post("/settings/keep", json={"keep": True}).json()
    assert (answer["ok"], answer["keep"]) == (False, False)


@pytest.mark.parametrize("path", ["body", "models", "change", "keep", "stop"])
def test_nobody_else_can_change_or_stop_anything(
    client: TestClient, starting: _Starting, path: str
) -> None:
    foreign = {"origin": "https://evil.example"}
    assert client.post(f"/settings/{path}", headers=foreign).status_code == 403
    assert client.get(f"/settings/{path}").status_code == 405
    assert not starting.is_wound_up


def test_looking_at_the_last_page_stops_nothing(
    client: TestClient, starting: _Starting
) -> None:
    led = client.get("/settings/stopped", follow_redirects=False)
    assert led.status_code == 303
    assert starting.stops_after_s == []


@pytest.mark.parametrize("clean", [True, False])
def test_shutting_down_wipes_first_and_stops_after_the_last_page(
    client: TestClient, starting: _Starting, clean: bool
) -> None:
    assert client.post("/settings/stop", json={"clean": clean}).status_code == 204
    assert starting.is_wound_up
    page = client.get("/settings/stopped").text
    assert "The program has stopped" in page
    assert ("index has been deleted" in page) is clean
    assert starting.stops_after_s[1] < starting.stops_after_s[0]


def test_the_sheet_is_neutral_and_leads_back(client: TestClient) -> None:
    page = client.get("/settings/sheet").text
    assert "<title>Notes</title>" in page
    assert 'href="/talk/#rested"' in page
    assert "Ebb" not in page


def test_each_missing_model_comes_with_its_command(tmp_path: Path) -> None:
    listed = settings_panel.models(Settings(home=tmp_path))
    registry = Registry.load(ROOT / "models" / "registry.toml")
    for model in registry.models:
        assert f"<code>ebb models pull {model.name}</code>" in listed
    assert "1.1 GB · not there" in listed


def test_spoken_replies_are_explained_where_there_is_no_voice(
    client: TestClient, starting: _Starting
) -> None:
    body = client.post("/settings/body").text
    assert "ebb models pull en_US-joe-medium" in body
    assert 'name="spoken_replies"' not in body
    wanted = {"name": "spoken_replies", "value": "on"}
    answer = client.post("/settings/change", json=wanted).json()
    assert (answer["ok"], answer["look"]["spoken"]) == (False, "off")


def test_spoken_replies_are_offered_where_there_is_a_voice_and_are_off(
    client: TestClient, starting: _Starting
) -> None:
    starting.program.voice_is_there = True
    body = client.post("/settings/body").text
    assert 'name="spoken_replies" value="off" checked' in body
    assert "Someone may listen: headphones" in body
    assert "ebb models pull en_US-joe-medium" not in body
    wanted = {"name": "spoken_replies", "value": "on"}
    answer = client.post("/settings/change", json=wanted).json()
    assert (answer["ok"], answer["look"]["spoken"]) == (True, "on")


def test_hands_free_is_off_and_its_pause_can_be_chosen(
    client: TestClient, starting: _Starting
) -> None:
    body = client.post("/settings/body").text
    assert 'name="hands_free" value="off" checked' in body
    assert '<option value="4" selected>4 seconds' in body
    for seconds, ok in ((2, True), (10, True), (1, False), (11, False)):
        wanted = {"name": "turn_pause_s", "value": str(seconds)}
        answer = client.post("/settings/change", json=wanted).json()
        assert answer["ok"] is ok
    assert answer["look"]["turnPauseS"] == 10


def test_traces_name_every_place_and_browser(tmp_path: Path) -> None:
    shown = traces.block(Settings(home=tmp_path), is_kept=True)
    for place in (tmp_path / "models", tmp_path / ".cache", tmp_path / "settings.toml"):
        assert str(place) in shown
    for browser in ("Firefox", "Chrome", "Edge", "Safari"):
        assert f"<summary>{browser}</summary>" in shown
    unkept = traces.block(Settings(home=tmp_path), is_kept=False)
    assert "not written to any file" in unkept


def test_a_carried_folder_is_named_as_the_place_of_the_program(tmp_path: Path) -> None:
    packages = tmp_path / "Notes" / "parts" / "packages"
    packages.mkdir(parents=True)
    assert traces._own_folder(packages) is None
    (packages.parent / "start.py").touch()
    assert traces._own_folder(packages) == tmp_path / "Notes"
