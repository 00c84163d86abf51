"""One turn as frames: what is shown, in which order, and what never is."""

from __future__ import annotations

import base64
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from assistant import wiring_notes
from assistant.domain import Plan, Retrieval, TurnKind
from assistant.events import Noticed
from assistant.ui import turns
from assistant.ui.frames import TurnView
from assistant.ui.rooms import Room
from tests.scripted_program import ScriptedProgram, settings_for

HOSTILE = '<img src=x onerror="alert(1)"> & **bold** $x$'


@pytest.fixture
def program(tmp_path: Path) -> ScriptedProgram:
    return ScriptedProgram(settings_for(tmp_path))


@pytest.fixture
def room(program: ScriptedProgram) -> Room:
    pad = wiring_notes.open_keeper(program.settings).new_pad()
    return Room(program.new_talk(), pad)  # type: ignore[arg-type]  # the scripted one


def _read(frame: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(base64.b64decode(frame))
    return record


def _run(
    room: Room, program: ScriptedProgram, said: str, country: str | None = "GB"
) -> list[dict[str, Any]]:
    stream = turns.stream_frames(room, said, program.library, country)
    return [_read(frame) for frame in stream]


def _slots(frame: dict[str, Any]) -> list[str]:
    return [part["slot"] for part in frame["parts"]]


def _html(frame: dict[str, Any], slot: str) -> str:
    return "".join(part["html"] for part in frame["parts"] if part["slot"] == slot)


def test_sentences_arrive_one_by_one(room: Room, program: ScriptedProgram) -> None:
    frames = _run(room, program, "hello")
    assert [_slots(frame).count("reply") for frame in frames] == [0, 1, 2, 3, 3]
    assert [frame["open"] for frame in frames] == [True, True, True, True, False]


def test_every_frame_holds_all_before_it(room: Room, program: ScriptedProgram) -> None:
    frames = _run(room, program, "danger")
    for earlier, later in zip(frames, frames[1:], strict=False):
        kept = later["parts"][: len(earlier["parts"])]
        assert kept == earlier["parts"]


def test_cards_come_before_any_sentence(room: Room, program: ScriptedProgram) -> None:
    first_with_cards = next(
        frame for frame in _run(room, program, "danger") if "cards" in _slots(frame)
    )
    assert _slots(first_with_cards) == ["said", "cards", "cards"]


def test_only_the_first_card_repeats_the_emergency_numbers(
    room: Room, program: ScriptedProgram
) -> None:
    last = _run(room, program, "danger")[-1]
    assert _html(last, "cards").count("<h3>Emergency</h3>") == 1


def test_what_a_person_writes_is_never_markup(
    room: Room, program: ScriptedProgram
) -> None:
    last = _run(room, program, HOSTILE)[-1]
    shown = _html(last, "said")
    assert "<img" not in shown
    assert "&lt;img" in shown
    assert "**bold**" in shown


def test_line_breaks_are_kept(room: Room, program: ScriptedProgram) -> None:
    assert "one<br>two" in _html(_run(room, program, "one\ntwo")[-1], "said")


def test_only_cited_passages_are_named_as_origin(
    room: Room, program: ScriptedProgram
) -> None:
    why = _html(_run(room, program, "hello")[-1], "why")
    assert "Where this comes from" in why
    assert "An urge rises and passes" in why
    assert "2026-11-30" in why


def test_why_names_patterns_and_vetted_sentences(
    room: Room, program: ScriptedProgram
) -> None:
    why = _html(_run(room, program, "hello")[-1], "why")
    assert "craving" in why
    assert "Sentence 2 of 3: text written and checked beforehand" in why


def test_a_craving_brings_one_quiet_way_to_ride_it_out(
    room: Room, program: ScriptedProgram
) -> None:
    frames = _run(room, program, "hello")
    assert [_slots(frame).count("offers") for frame in frames] == [0, 0, 0, 0, 1]
    assert 'data-panel="ride"' in _html(frames[-1], "offers")


def test_another_kind_of_turn_does_not_offer_to_ride_it_out(
    program: ScriptedProgram,
) -> None:
    view = TurnView("room", 1, program.library)
    view.show(
        Noticed((), Retrieval((), weak=True), Plan(TurnKind.SHARING, ("openers",)))
    )
    assert _slots(_read(view.last_frame())) == []


def test_a_notice_is_shown_as_a_quiet_line(
    room: Room, program: ScriptedProgram
) -> None:
    last = _run(room, program, "notice")[-1]
    assert program.replies.line("no_model").partition(".")[0] in _html(last, "notes")


def test_the_chosen_country_reaches_the_talk(
    room: Room, program: ScriptedProgram
) -> None:
    _run(room, program, "hello", country="CA")
    assert program.talks[0].countries == ["CA"]


def test_a_failure_ends_the_turn_kindly_and_quotes_nothing(
    room: Room, program: ScriptedProgram, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    last = _run(room, program, "broken zanzibar")[-1]
    assert last["open"] is False
    assert "Help is always at the top" in _html(last, "notes")
    assert "zanzibar" not in caplog.text
    assert "zanzibar" not in _html(last, "notes")


def test_too_long_a_message_is_not_sent_and_not_lost(
    room: Room, program: ScriptedProgram
) -> None:
    frames = _run(room, program, "x" * (turns.MAX_CHARS + 1))
    assert program.talks[0].said == []
    assert "said" not in _slots(frames[-1])
    assert "still in the box" in _html(frames[-1], "notes")


def test_a_second_turn_at_once_is_refused(room: Room, program: ScriptedProgram) -> None:
    first = turns.stream_frames(room, "hello", program.library, None)
    next(first)
    (refused,) = _run(room, program, "again")
    assert "still writing" in _html(refused, "notes")
    first.close()  # type: ignore[attr-defined]  # it is a generator
    assert _run(room, program, "again")[-1]["open"] is False


def test_nothing_is_shown_after_a_wipe(room: Room, program: ScriptedProgram) -> None:
    stream = turns.stream_frames(room, "hello", program.library, None)
    next(stream)
    next(stream)
    room.wipe()
    rest = [_read(frame) for frame in stream]
    assert rest == [{"room": room.id, "open": False}]


def test_turn_numbers_never_come_again(room: Room, program: ScriptedProgram) -> None:
    numbers = [_run(room, program, "hello")[0]["turn"] for _ in range(2)]
    room.wipe()
    numbers.append(_run(room, program, "hello")[0]["turn"])
    assert numbers == [1, 2, 3]


def test_the_voice_gets_every_sentence_and_nothing_of_the_person(
    room: Room, program: ScriptedProgram
) -> None:
    parts = _run(room, program, "hello marzipan")[-1]["parts"]
    aloud = {slot: [p["aloud"] for p in parts if p["slot"] == slot] for slot in _SLOTS}
    assert len(aloud["reply"]) == 3
    assert all(aloud["reply"])
    assert not any(aloud["said"] + aloud["why"] + aloud["offers"])
    assert "marzipan" not in str(aloud)


_SLOTS = ("said", "reply", "why", "offers")


def test_a_card_is_said_without_its_numbers(
    room: Room, program: ScriptedProgram
) -> None:
    parts = _run(room, program, "danger")[-1]["parts"]
    first, second = (p["aloud"] for p in parts if p["slot"] == "cards")
    assert first.endswith("The numbers are on the screen.")
    assert second.startswith("Another card is on the screen")
    assert not any(character.isdigit() for character in first + second)


def test_a_number_in_a_sentence_is_said_digit_by_digit(
    room: Room, program: ScriptedProgram
) -> None:
    view = TurnView(room.id, 1, program.library)
    view.notice("Help is at 999 for 3 people.")
    (part,) = _read(view.frame())["parts"]
    assert part["aloud"] == "Help is at 9 9 9 for 3 people."
    assert "999" in part["html"]
