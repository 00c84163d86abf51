"""Our own pages, and Gradio's page once it is dressed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.errors import AssistantError
from assistant.ui import choice, first_page, furniture, help, shell, talk, talk_page
from assistant.ui.preferences import Preferences
from tests.scripted_program import Part, ScriptedProgram, directory, settings_for

GRADIO_LIKE = """<!doctype html><html><head>
<meta property="og:url" content="https://gradio.app/" />
<meta
    name="twitter:image"
    content="https://raw.example/picture.jpg"
/>
<link rel="manifest" href="/manifest.json" />
<link rel="preconnect" href="https://fonts.example" />
<script>window.gradio_config = {"title":"Notes"};</script>
<script>s.src = "iframeResizer.contentWindow.min.js";</script>
<script type="module" src="./assets/index.js"></script>
</head><body style="margin: 0"><gradio-app></gradio-app></body></html>"""

_FOREIGN = re.compile(r"""(?:src|href|content|action)=["']?https?://""")


def _dressed() -> str:
    return shell.dress(GRADIO_LIKE, "n0", head="<h>", before="<b>", after="<a>")


def test_no_foreign_address_is_left_in_gradios_page() -> None:
    assert _FOREIGN.search(_dressed()) is None
    assert "manifest" not in _dressed()


def test_every_script_left_carries_the_nonce() -> None:
    scripts = re.findall(r"<script[^>]*>", _dressed())
    assert len(scripts) == 2
    assert all('nonce="n0"' in script for script in scripts)


def test_our_parts_stand_around_the_application() -> None:
    body = _dressed().partition("</head>")[2]
    assert re.search(r"<body[^>]*><b><gradio-app></gradio-app><a>", body)


@pytest.mark.parametrize("broken", ["", "<html></html>", "<head></head><body></body>"])
def test_an_unknown_page_is_refused(broken: str) -> None:
    with pytest.raises(AssistantError):
        shell.dress(broken, "n0", head="", before="", after="")


def _first(**changes: object) -> str:
    arguments: dict[str, object] = {"open_now": False, "failed": None} | changes
    parts = (Part("library", "ready"), Part("chat", "loading"))
    return first_page.render(
        help.block(directory(), "GB"),
        parts,  # type: ignore[arg-type]  # the scripted ones
        **arguments,  # type: ignore[arg-type]
    )


def test_the_first_page_says_what_this_is_and_shows_help() -> None:
    page = _first()
    assert "<title>Notes</title>" in page
    assert "not a person" in page
    assert "it can be wrong" in page
    assert "999" in page
    assert "The language model is getting ready." in page


def test_the_exit_is_the_first_thing_to_reach() -> None:
    for page in (_first(), talk_page.before(_replies())):
        reachable = re.search(
            r"<(?:a|button|select|input|textarea|summary)\b[^>]*", page
        )
        assert reachable is not None
        assert 'id="exit"' in reachable.group()


def test_without_scripts_there_is_a_way_on() -> None:
    for page in (_first(), _first(open_now=True), _first(first_time=True)):
        assert f'href="{first_page.TALK}">Start</a>' in page


def test_the_first_minute_says_what_this_is_in_few_words() -> None:
    page = _first(first_time=True)
    before_start = page[page.index("<h1>") : page.index(">Start</a>")]
    words = re.sub(r"<[^>]*>", " ", before_start).split()
    assert len(words) <= 120
    for said in ("not a person", "not a therapist", "be wrong", "memory", "history"):
        assert said in before_start, said
    assert page.index("<summary>More about this") > page.index(">Start</a>")
    assert "999" in page


def test_after_the_first_minute_the_page_is_short() -> None:
    assert 'id="welcome"' not in _first()
    assert 'id="more"' not in _first()


def test_a_start_that_failed_is_said_and_help_stays() -> None:
    page = _first(failed="It did not start.")
    assert "It did not start." in page
    assert "999" in page


@pytest.mark.parametrize("name", ["first", "bye", "talk"])
def test_our_pages_name_nothing_foreign_that_would_load(name: str) -> None:
    pages = {
        "first": _first(),
        "bye": furniture.bye(),
        "talk": talk_page.head() + talk_page.before(_replies()) + talk_page.after(),
    }
    loaded = re.findall(r"<(?!a\b)[^>]*\bhttps?://[^>]*>", pages[name])
    assert loaded == []


def test_chosen_looks_hold_on_every_page() -> None:
    chosen = Preferences("largest", "none", "recipes", "https://example.org", 5)
    pages = (
        _first(preferences=chosen),
        furniture.bye(chosen),
        shell.dress(
            GRADIO_LIKE,
            "n0",
            head=talk_page.head(chosen),
            before=talk_page.before(_replies(), preferences=chosen),
            after="",
            preferences=chosen,
        ),
    )
    for page in pages:
        assert "<title>Recipes</title>" in page
        assert "/static/icon-recipes.svg" in page
        assert 'data-text="largest" data-movement="none" data-idle-s="300"' in page
        assert "Notes" not in page.partition("</head>")[0]
    for page in (pages[0], pages[2]):
        assert 'id="exit" href="https://example.org"' in page


def test_our_scripts_and_styles_name_nothing_foreign() -> None:
    for path in (Path(shell.__file__).parent / "static").iterdir():
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", text), path.name
        assert "localStorage" not in text
        assert "sessionStorage" not in text
        assert "indexedDB" not in text


@pytest.mark.parametrize(
    ("path", "is_open"),
    [
        ("/talk/", True),
        ("/talk/assets/index-abc.js", True),
        ("/talk/gradio_api/queue/join", True),
        ("/talk/gradio_api/upload", False),
        ("/talk/gradio_api/file=/etc/passwd", False),
        ("/talk/gradio_api/proxy=https://example.org", False),
        ("/talk/gradio_api/info", False),
        ("/talk/gradio_api/runs", False),
        ("/talk/gradio_api/run/say", False),
        ("/talk/gradio_api/call/say", False),
        ("/talk/gradio_api/process_recording", False),
        ("/talk/config", False),
        ("/talk/monitoring", False),
        ("/talk/assets/../config", False),
    ],
)
def test_only_what_the_page_needs_of_gradio_is_open(path: str, is_open: bool) -> None:
    assert talk.is_open(path) is is_open


def test_a_choice_is_a_guess_until_somebody_chooses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice.locale, "getlocale", lambda: ("en_CA", "UTF-8"))
    monkeypatch.setattr(choice.locale, "setlocale", lambda _: "en_CA.UTF-8")
    guessed = choice.Choice(directory(), None)
    assert (guessed.country, guessed.is_guess) == ("CA", True)
    guessed.choose("gb")
    assert (guessed.country, guessed.is_guess) == ("GB", False)
    guessed.choose("nowhere")
    assert guessed.country is None


@pytest.mark.parametrize("name", [None, "C", "English_United Kingdom", "eo"])
def test_a_system_without_a_region_leaves_the_question_open(
    monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    monkeypatch.setattr(choice.locale, "getlocale", lambda: (name, None))
    assert choice.region_of_system() is None


def test_a_system_with_plain_c_settings_is_not_taken_for_america(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python gives en_US for C.UTF-8; a wrong emergency number would follow."""
    monkeypatch.setattr(choice.locale, "getlocale", lambda: ("en_US", "UTF-8"))
    monkeypatch.setattr(choice.locale, "setlocale", lambda _: "C.UTF-8")
    assert choice.region_of_system() is None


def _replies(tmp: Path = Path("unused")) -> object:
    return ScriptedProgram(settings_for(tmp)).replies
