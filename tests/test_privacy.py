"""A canary word goes in; it is in no log, no repr, no error and no file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from assistant import log
from assistant.adapters.scripted import ScriptedChat
from assistant.domain import History, Message, Role, Sentence, Utterance
from assistant.pipeline import Pipeline
from assistant.talk import Talk
from tests.conftest import CANARY

Make = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]


@pytest.mark.parametrize(
    "text",
    [
        f"A long day. {CANARY}.",
        f"I want to kill myself, {CANARY}",
        f"should I leave him, {CANARY}?",
        f"how do I bake {CANARY} bread?",
    ],
)
def test_nothing_the_person_says_is_logged_or_shown_by_a_repr(
    make_pipeline: Make,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    text: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    pipeline, _ = make_pipeline([f"It may hurt, {CANARY}.", "It may hurt a lot."])
    talk = Talk(lambda: pipeline, lambda: 1)
    events = list(talk.say(text, country="GB"))
    seen = caplog.text + repr(events) + "".join(capsys.readouterr())
    assert CANARY not in seen


def test_values_that_hold_words_hide_them() -> None:
    values = (
        Utterance(CANARY),
        Message(Role.USER, CANARY),
        History((Message(Role.USER, CANARY),)),
        Sentence(CANARY, "model"),  # type: ignore[arg-type]  # any origin will do
    )
    assert all(CANARY not in repr(value) for value in values)


def test_the_log_has_no_place_for_words() -> None:
    with pytest.raises(ValueError, match="not loggable"):
        log.done(logging.getLogger("assistant"), "turn", words=3)


@pytest.mark.parametrize(("verbose", "shown"), [(False, False), (True, True)])
def test_what_a_library_says_of_an_error_is_not_shown(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    verbose: bool,
    shown: bool,
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    log.set_up(verbose=verbose)
    try:
        raise ValueError(f"cannot read {CANARY}")
    except ValueError:
        logging.getLogger("library.part").exception("Failed with %s", CANARY)
    finally:
        logging.getLogger("assistant").setLevel(logging.WARNING)
    said = capsys.readouterr().err
    assert (CANARY in said) is shown
    if not shown:
        assert said == "ERROR library.part failed (ValueError)\n"


def test_no_file_is_written_by_a_talk(
    make_pipeline: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    pipeline, _ = make_pipeline(["It may hurt a lot."] * 4)
    talk = Talk(lambda: pipeline, lambda: 1)
    list(talk.say(f"A long day. {CANARY}."))
    list(talk.say(f"I want to kill myself. {CANARY}."))
    assert list(tmp_path.rglob("*")) == []
