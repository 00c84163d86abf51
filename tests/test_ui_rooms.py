"""Rooms: one a tab, wiped when left."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import wiring_notes
from assistant.domain import Card
from assistant.ui.rooms import MAX_ROOMS, Rooms
from tests.scripted_program import ScriptedProgram, settings_for


@pytest.fixture
def program(tmp_path: Path) -> ScriptedProgram:
    return ScriptedProgram(settings_for(tmp_path))


@pytest.fixture
def rooms(program: ScriptedProgram) -> Rooms:
    keeper = wiring_notes.open_keeper(program.settings)
    return Rooms(program.new_talk, keeper.new_pad)  # type: ignore[arg-type]  # the scripted one


def test_two_sessions_never_share_a_talk(rooms: Rooms) -> None:
    first, second = rooms.of_session("a"), rooms.of_session("b")
    assert first.talk is not second.talk
    assert first.id != second.id
    assert rooms.of_session("a") is first


def test_a_room_is_found_by_its_secret_alone(rooms: Rooms) -> None:
    room = rooms.of_session("a")
    assert rooms.by_id(room.id) is room
    assert rooms.by_id("a") is None
    assert rooms.by_id("") is None
    assert rooms.by_id("é") is None
    assert rooms.by_id("\ud800") is None


def test_leaving_wipes_the_talk_and_closes_the_room(
    rooms: Rooms, program: ScriptedProgram
) -> None:
    room = rooms.of_session("a")
    list(room.talk.say("some words", country=None))
    rooms.leave_room(room.id)
    assert program.talks[0].said == []
    assert program.talks[0].wiped == 1
    assert rooms.by_id(room.id) is None
    assert len(rooms) == 0


def test_leaving_twice_or_nowhere_is_harmless(rooms: Rooms) -> None:
    rooms.of_session("a")
    rooms.leave("a")
    rooms.leave("a")
    rooms.leave_room("unknown")


def test_a_wipe_keeps_the_room_open_for_a_new_beginning(rooms: Rooms) -> None:
    room = rooms.of_session("a")
    before = room.sitting
    room.wipe()
    assert room.sitting != before
    assert rooms.of_session("a") is room


def test_too_many_tabs_wipe_the_oldest(rooms: Rooms, program: ScriptedProgram) -> None:
    for number in range(MAX_ROOMS + 1):
        rooms.of_session(str(number))
    assert len(rooms) == MAX_ROOMS
    assert program.talks[0].wiped == 1


def test_leaving_all_wipes_every_talk(rooms: Rooms, program: ScriptedProgram) -> None:
    rooms.of_session("a")
    rooms.of_session("b")
    rooms.leave_all()
    assert [talk.wiped for talk in program.talks] == [1, 1]


def test_a_card_can_be_put_aside(rooms: Rooms, program: ScriptedProgram) -> None:
    rooms.of_session("a").put_aside(Card.LEAVING)
    assert program.talks[0].put_aside_cards == [Card.LEAVING]
