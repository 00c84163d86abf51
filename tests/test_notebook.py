"""The notebook's values: what goes in comes out, can be changed, found and erased."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import notebook as notes
from assistant.errors import (
    NoteError,
    StoreDamagedError,
    StoreFullError,
    StoreVersionError,
)
from assistant.notebook import Entry, Kind, Notebook, Wave
from tests.conftest import CANARY

THEN = datetime(2026, 5, 3, 2, 10, tzinfo=UTC)
WAVE = Wave(THEN, ((0, 8), (10, 9), (25, 3)), ("cold water", "walked to the window"))

any_text = st.text(st.characters(exclude_categories=()), max_size=200)
any_zone = st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours)))
any_moment = st.datetimes(
    datetime(1950, 1, 1), datetime(2200, 1, 1), timezones=any_zone
)
any_wave = st.builds(
    Wave,
    any_moment,
    st.lists(st.tuples(st.floats(0, 1000), st.integers(0, 10)), min_size=1, max_size=9)
    .map(sorted)
    .map(tuple),
    st.lists(any_text, max_size=4).map(tuple),
)
any_plain = st.builds(
    Entry,
    st.uuids().map(str),
    st.sampled_from([kind for kind in Kind if kind is not Kind.WAVE]),
    any_moment,
    any_text.filter(str.strip),
    any_text,
)
any_wave_entry = st.builds(
    Entry,
    st.uuids().map(str),
    st.just(Kind.WAVE),
    any_moment,
    any_text,
    any_text,
    any_wave,
)
any_entries = st.lists(any_plain | any_wave_entry, max_size=6, unique_by=lambda e: e.id)


def note(text: str = "a line", entry_id: str = "1", **more: Any) -> Entry:
    return Entry(entry_id, more.pop("kind", Kind.REALITY), THEN, text, **more)


def of(*entries: Entry) -> Notebook:
    made = Notebook()
    for entry in entries:
        made = notes.add(made, entry)
    return made


@given(any_entries)
def test_any_text_comes_back_as_it_was(entries: list[Entry]) -> None:
    before = of(*entries)
    after = notes.from_bytes(notes.to_bytes(before))
    assert after == before


@given(any_entries)
def test_any_notebook_can_be_written_out(entries: list[Entry]) -> None:
    text = notes.as_text(of(*entries), UTC)
    assert all(entry.text in text for entry in entries)


def test_an_entry_can_be_changed_and_erased() -> None:
    made = of(note("one", "1"), note("two", "2"))
    made = notes.edit(made, "1", text="other", more="more")
    assert [entry.text for entry in made.entries] == ["other", "two"]
    assert notes.entry_of(made, "1").more == "more"
    assert [entry.id for entry in notes.erase(made, "1").entries] == ["2"]


def test_what_helped_in_a_wave_can_be_changed() -> None:
    made = of(note("", kind=Kind.WAVE, wave=WAVE))
    made = notes.edit(made, "1", text="it passed", helped=["tea"])
    wave = notes.entry_of(made, "1").wave
    assert wave is not None
    assert wave.helped == ("tea",)
    kept = notes.edit(made, "1", text="").entries[0].wave
    assert kept == wave


def test_a_note_that_is_gone_is_said_to_be() -> None:
    with pytest.raises(NoteError, match="not there any more"):
        notes.edit(Notebook(), "1", text="a")
    with pytest.raises(NoteError, match="not there any more"):
        notes.erase(of(note()), "2")


@pytest.mark.parametrize(
    "entry",
    [
        note(""),
        note(" \n"),
        note("x" * (notes.MAX_CHARS + 1)),
        note("x", more="x" * (notes.MAX_CHARS + 1)),
        note("", kind=Kind.WAVE),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ())),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((0, 11),))),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((0, -1),))),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((5, 1), (0, 1)))),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((-1, 1),))),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((float("nan"), 1),))),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((0, 1),) * 1001)),
        note("", kind=Kind.WAVE, wave=Wave(THEN.replace(tzinfo=None), ((0, 1),))),
        note("", kind=Kind.WAVE, wave=Wave(THEN.replace(year=9999), ((0, 1),))),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((0, 1),), ("x",) * 51)),
        note("", kind=Kind.WAVE, wave=Wave(THEN, ((0, 1),), ("x" * 20_001,))),
    ],
)
def test_what_is_no_note_is_refused(entry: Entry) -> None:
    before = of(note("kept", "0"))
    with pytest.raises(NoteError, match="nothing was added"):
        notes.add(before, entry)
    assert len(before.entries) == 1


def test_a_wave_at_the_edge_of_the_years_stays_readable() -> None:
    edge = datetime(1900, 1, 1, tzinfo=timezone(timedelta(hours=14)))
    with pytest.raises(NoteError):
        of(note("", kind=Kind.WAVE, wave=Wave(edge, ((0, 1),))))


def test_a_notebook_that_is_full_says_so() -> None:
    entries = [note("x" * notes.MAX_CHARS, str(number)) for number in range(199)]
    almost = Notebook(tuple(entries))
    with pytest.raises(StoreFullError, match="full"):
        notes.add(almost, note("x" * notes.MAX_CHARS, "last"))
    notes.add(almost, note("short", "last"))


def test_notes_are_found_by_all_their_words_newest_first() -> None:
    made = of(
        note("A door slammed", "1", more="I felt small"),
        note("A quiet day", "2"),
        note("", "3", kind=Kind.WAVE, wave=WAVE),
        note("the DOOR again", "4", kind=Kind.TRIGGER),
    )
    assert [e.id for e in notes.find(made)] == ["4", "3", "2", "1"]
    assert [e.id for e in notes.find(made, "door")] == ["4", "1"]
    assert [e.id for e in notes.find(made, "small DOOR")] == ["1"]
    assert [e.id for e in notes.find(made, "window")] == ["3"]
    assert [e.id for e in notes.find(made, "door", Kind.TRIGGER)] == ["4"]
    assert notes.find(made, "nothing") == ()


def test_joining_keeps_every_note_once() -> None:
    first, second = of(note("one", "1"), note("two", "2")), of(note("two", "2"))
    joined = notes.join(first, notes.add(second, note("three", "3")))
    assert [entry.id for entry in joined.entries] == ["1", "2", "3"]


def test_waves_are_sorted_by_when_they_started() -> None:
    earlier = Wave(THEN - timedelta(days=1), ((0, 4),))
    made = of(
        note("", "1", kind=Kind.WAVE, wave=WAVE),
        note("not a wave", "2"),
        note("", "3", kind=Kind.WAVE, wave=earlier),
    )
    assert notes.waves(made) == (earlier, WAVE)
    assert (WAVE.peak, WAVE.end, WAVE.minutes) == (9, 3, 25)


def test_the_plain_text_has_everything_under_its_heading() -> None:
    made = of(
        note("I will end the call.", "1", kind=Kind.BOUNDARY),
        note("", "2", kind=Kind.WAVE, wave=WAVE),
        note("", "3", kind=Kind.WAVE, wave=Wave(THEN, ((0, 4),))),
        note("A door slammed", "4", more="small"),
    )
    assert notes.as_text(made, UTC) == (
        "REALITY LIST\n\n2026-05-03\nA door slammed\nsmall\n\n\n"
        "MY BOUNDARIES\n\n2026-05-03\nI will end the call.\n\n\n"
        "MY WAVES\n\n"
        "2026-05-03\nStarted 2026-05-03 02:10\n0 min: 8, 10 min: 9, 25 min: 3\n"
        "Helped: cold water, walked to the window\n\n"
        "2026-05-03\nStarted 2026-05-03 02:10\n0 min: 4\n"
    )
    assert notes.as_text(Notebook()) == ""


@pytest.mark.parametrize(
    ("started", "strengths", "helped"),
    [
        ("yesterday", [[0, 5]], []),
        ("2026-05-03T02:10:00", [[0, 5]], []),
        (17, [[0, 5]], []),
        ("2026-05-03T02:10:00Z", [], []),
        ("2026-05-03T02:10:00Z", [[0]], []),
        ("2026-05-03T02:10:00Z", [[0, "strong"]], []),
        ("2026-05-03T02:10:00Z", [[0, float("inf")]], []),
        ("2026-05-03T02:10:00Z", "strong", []),
        ("2026-05-03T02:10:00Z", [[0, 5]], None),
        ("2026-05-03T02:10:00Z", [[0, 5]], "tea"),
        ("0001-01-01T00:00:00+14:00", [[0, 5]], []),
    ],
)
def test_a_record_that_is_no_wave_is_refused(
    started: Any, strengths: Any, helped: Any
) -> None:
    with pytest.raises(NoteError, match="not a wave"):
        notes.wave_of(started, strengths, helped)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"version": 1, "entries": 3}',
        b'{"version": 1, "entries": ' + b"[" * 100_000,
        b'{"version": ' + b"9" * 5_000 + b"}",
        b'{"version": 1, "entries": [{}]}',
        b'{"version": 1, "entries": [3]}',
        b'{"version": 1, "entries": [{"id": "1", "kind": "odd", "made": "2026-01-01", '
        b'"text": "a", "more": ""}]}',
        b'{"version": 1, "entries": [{"id": "1", "kind": "kept", "made": "2026-01-01", '
        b'"text": "", "more": ""}]}',
    ],
)
def test_content_that_is_no_notebook_is_called_damaged(content: bytes) -> None:
    with pytest.raises(StoreDamagedError, match="not changed"):
        notes.from_bytes(content)


@pytest.mark.parametrize(
    "made",
    ["2026-05-03", "2026-05-03T02:10", "0001-01-01T00:00:00+23:59", "9999-12-31"],
)
def test_a_note_with_an_odd_date_is_kept_and_can_be_written_again(made: str) -> None:
    """A date at the end of what a date can be once stopped every later save."""
    record = {"id": "1", "kind": "kept", "made": made, "text": "a", "more": ""}
    read = notes.from_bytes(json.dumps({"version": 1, "entries": [record]}).encode())
    assert read.entries[0].text == "a"
    assert notes.from_bytes(notes.to_bytes(read)) == read
    assert "a" in notes.as_text(read, UTC)


def test_content_of_a_newer_version_is_called_newer() -> None:
    with pytest.raises(StoreVersionError, match="newer"):
        notes.from_bytes(json.dumps({"version": 2}).encode())


def test_no_repr_shows_what_was_written() -> None:
    entry = note(CANARY, more=CANARY, wave=Wave(THEN, ((0, 1),), (CANARY,)))
    seen = repr((entry, entry.wave, Notebook((entry,))))
    assert CANARY not in seen
    assert "reality" not in seen
