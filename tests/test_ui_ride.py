"""The screen “Ride it out”: nothing chosen beforehand, nothing that can be sent."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.content_ride import ACTIVITIES
from assistant.ui import ride, screens
from tests.scripted_program import ScriptedProgram, settings_for

STATIC = Path(ride.__file__).parent / "static"
SCRIPTS = sorted(STATIC.glob("ride*.js"))
_SENDS = re.compile(
    r"fetch\(|sendBeacon|XMLHttpRequest|WebSocket|EventSource|FormData|\.submit"
    r"|postMessage|location|clipboard|Storage|indexedDB|document\.cookie"
)


@pytest.fixture
def body(tmp_path: Path) -> str:
    starting = SimpleNamespace(program=ScriptedProgram(settings_for(tmp_path)))
    return ride.panel(starting).body  # type: ignore[arg-type]  # all it reads


def test_the_screen_stands_in_the_menu() -> None:
    assert ride in screens.SCREENS
    assert "/static/ride.js" in screens.head()
    assert "/static/ride.css" in screens.head()


def test_before_the_program_is_there_the_panel_is_empty() -> None:
    made = ride.panel(SimpleNamespace(program=None))  # type: ignore[arg-type]
    assert (made.name, made.title, made.body) == ("ride", "Ride it out", "")


def test_eleven_strengths_and_none_is_chosen(body: str) -> None:
    strengths = re.findall(r'<input type="radio"[^>]*value="(\d+)"', body)
    assert strengths == [str(number) for number in range(11)]
    assert "checked" not in body


def test_everything_to_do_opens_in_place(body: str) -> None:
    found = re.findall(r'<details class="ride-do" data-do="(\w+)">', body)
    assert tuple(found) == ACTIVITIES


def test_lines_are_brought_along_unseen(body: str) -> None:
    template = body.partition('<template id="ride-lines">')[2]
    assert template.count("<p data-moment=") >= 12


def test_every_id_stands_once(body: str) -> None:
    ids = re.findall(r' id="([\w-]+)"', body)
    assert len(ids) == len(set(ids))


# --- The message that is never sent --------------------------------------------------


def test_no_browser_can_submit_what_is_typed(body: str) -> None:
    assert "<form" not in body
    (box,) = re.findall(r"<textarea[^>]*>", body)
    assert "name=" not in box
    assert 'spellcheck="false"' in box  # a checker may send words away
    assert 'autocomplete="off"' in box
    assert not re.search(r'type="(?:submit|image)"', body)


def test_the_screen_has_no_address_to_send_to() -> None:
    assert ride.routes(SimpleNamespace()) == ()  # type: ignore[arg-type]


def test_only_the_wave_can_leave_the_page_and_only_for_the_notebook() -> None:
    sending = {path.name: _SENDS.findall(path.read_text("utf-8")) for path in SCRIPTS}
    assert sending.pop("ride.js") == ["fetch("]
    assert set(sending) >= {"ride-unsent.js", "ride-wave.js", "ride-breath.js"}
    assert not any(sending.values())
    main = (STATIC / "ride.js").read_text("utf-8")
    assert main.count('fetch("/notes/wave"') == 1


def test_no_script_reads_the_message() -> None:
    """One file knows the box, and puts nothing into it but emptiness."""
    box = re.compile(r"""ride-unsent["'#\s]|\$\(["']unsent["']\)|textarea""")
    knowing = [p.name for p in SCRIPTS if box.search(_without_imports(p))]
    assert knowing == ["ride-unsent.js"]
    script = (STATIC / "ride-unsent.js").read_text("utf-8")
    assert re.findall(r"\.value\b[^;]*;", script) == ['.value = "";']


def _without_imports(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith(("import", "//")))
