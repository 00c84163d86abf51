"""The notebook: what a person keeps, and what can be done with it.

Values and plain functions. No file, no clock: ``store.py`` keeps it, and only where the
person asked for that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Any, Final

from assistant.errors import (
    NoteError,
    StoreDamagedError,
    StoreFullError,
    StoreVersionError,
)
from assistant.reading import from_json

MAX_CHARS: Final = 20_000
"""The most that one field of an entry may hold; as much as one message."""
MAX_BYTES: Final = 4_000_000
"""The most that a notebook may hold: years of notes, and still quick to write."""
MAX_STRENGTH: Final = 10

_MAX_STRENGTHS = 1_000
_MAX_HELPED = 50
_MAX_MINUTES = 7 * 24 * 60
_RECORD_VERSION = 1
# Far from both ends of what a date can hold, so that any time zone can be applied.
_YEARS = range(1900, 9000)
_LONG_AGO = datetime(1900, 1, 1, tzinfo=UTC)

_EMPTY = "There is nothing in it yet, so nothing was added."
_TOO_LONG = (
    f"That is longer than {MAX_CHARS:,} characters, so nothing was added. "
    "You could split it."
)
_NO_WAVE = "That is not a wave I can read, so nothing was added."
_GONE = "That note is not there any more."
_FULL = "The notebook is full, so nothing was added. Erasing old notes makes room."
_BROKEN = "The notebook opened, but what is in it cannot be read. It was not changed."
_NEWER = (
    "The notebook was written by a newer version of Ebb. It was not changed; "
    "that version can open it."
)


class Kind(StrEnum):
    """What a note is about."""

    REALITY = "reality"
    BOUNDARY = "boundary"
    PERSON = "person"
    TRIGGER = "trigger"
    WAVE = "wave"
    KEPT = "kept"


HEADINGS: Final = {
    Kind.REALITY: "Reality list",
    Kind.BOUNDARY: "My boundaries",
    Kind.PERSON: "My people",
    Kind.TRIGGER: "My triggers",
    Kind.WAVE: "My waves",
    Kind.KEPT: "Kept from a talk",
}


@dataclass(frozen=True, slots=True)
class Wave:
    """One wave of longing, as it went."""

    started: datetime
    """With a time zone."""
    strengths: tuple[tuple[float, int], ...] = field(repr=False)
    """Minutes since it started, and how strong it was then, from 0 to 10; in order."""
    helped: tuple[str, ...] = field(default=(), repr=False)

    @property
    def peak(self) -> int:
        """How strong it was at its strongest."""
        return max(strength for _, strength in self.strengths)

    @property
    def end(self) -> int:
        """How strong it was when it was last asked."""
        return self.strengths[-1][1]

    @property
    def minutes(self) -> float:
        """How long it was followed."""
        return self.strengths[-1][0]


@dataclass(frozen=True, slots=True)
class Entry:
    """One note. What ``text`` and ``more`` are for depends on the kind."""

    id: str
    kind: Kind = field(repr=False)
    made: datetime = field(repr=False)
    """When it was added; for showing only, so a clock that is wrong does no harm."""
    text: str = field(default="", repr=False)
    more: str = field(default="", repr=False)
    wave: Wave | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Notebook:
    """All notes, in the order they were added."""

    entries: tuple[Entry, ...] = field(default=(), repr=False)


# --- What can be done -----------------------------------------------------------------


def add(notebook: Notebook, entry: Entry) -> Notebook:
    """Add a note.

    Raises:
        NoteError: If it is empty, too long or no wave.
        StoreFullError: If it does not fit in any more.
    """
    _check(entry)
    return _fitting(Notebook((*notebook.entries, entry)))


def edit(
    notebook: Notebook,
    entry_id: str,
    *,
    text: str,
    more: str = "",
    helped: Iterable[str] | None = None,
) -> Notebook:
    """Change a note's words; ``helped`` changes what helped in a wave.

    Raises:
        NoteError: If there is no such note, or it would be empty or too long.
        StoreFullError: If it does not fit in any more.
    """
    changed = replace(entry_of(notebook, entry_id), text=text, more=more)
    if changed.wave is not None and helped is not None:
        changed = replace(changed, wave=replace(changed.wave, helped=tuple(helped)))
    _check(changed)
    return _fitting(
        Notebook(tuple(changed if e.id == entry_id else e for e in notebook.entries))
    )


def erase(notebook: Notebook, entry_id: str) -> Notebook:
    """Take a note out.

    Raises:
        NoteError: If there is no such note.
    """
    entry_of(notebook, entry_id)
    return Notebook(tuple(e for e in notebook.entries if e.id != entry_id))


def join(first: Notebook, second: Notebook) -> Notebook:
    """Put the notes of the second after those of the first; none stands there twice.

    Raises:
        StoreFullError: If they do not fit together.
    """
    known = {entry.id for entry in first.entries}
    new = tuple(entry for entry in second.entries if entry.id not in known)
    return _fitting(Notebook((*first.entries, *new)))


def entry_of(notebook: Notebook, entry_id: str) -> Entry:
    """Give the note with this id.

    Raises:
        NoteError: If there is none.
    """
    for entry in notebook.entries:
        if entry.id == entry_id:
            return entry
    raise NoteError(_GONE)


def find(
    notebook: Notebook, wanted: str = "", kind: Kind | None = None
) -> tuple[Entry, ...]:
    """Give the notes that hold every word that is looked for, newest first."""
    words = wanted.casefold().split()
    return tuple(
        entry
        for entry in reversed(notebook.entries)
        if kind in (None, entry.kind)
        and all(word in _searched(entry) for word in words)
    )


def waves(notebook: Notebook) -> tuple[Wave, ...]:
    """Give all waves, by the time they started."""
    known = [entry.wave for entry in notebook.entries if entry.wave is not None]
    return tuple(sorted(known, key=lambda wave: wave.started))


def _searched(entry: Entry) -> str:
    helped = entry.wave.helped if entry.wave else ()
    return "\n".join((entry.text, entry.more, *helped)).casefold()


def _check(entry: Entry) -> None:
    if entry.wave is not None:
        _check_wave(entry.wave)
    elif entry.kind is Kind.WAVE or not entry.text.strip():
        raise NoteError(_NO_WAVE if entry.kind is Kind.WAVE else _EMPTY)
    if len(entry.text) > MAX_CHARS or len(entry.more) > MAX_CHARS:
        raise NoteError(_TOO_LONG)


def _check_wave(wave: Wave) -> None:
    times = [minutes for minutes, _ in wave.strengths]
    is_wave = (
        _is_moment(wave.started)
        and 0 < len(times) <= _MAX_STRENGTHS
        and times == sorted(times)
        and all(0 <= minutes <= _MAX_MINUTES for minutes in times)
        and all(0 <= strength <= MAX_STRENGTH for _, strength in wave.strengths)
        and len(wave.helped) <= _MAX_HELPED
    )
    if not is_wave:
        raise NoteError(_NO_WAVE)
    if any(len(words) > MAX_CHARS for words in wave.helped):
        raise NoteError(_TOO_LONG)


def _is_moment(started: datetime) -> bool:
    # The year is looked at before and after: at the ends of what a date can hold, the
    # change to another time zone fails.
    return (
        started.tzinfo is not None
        and started.year in _YEARS
        and started.astimezone(UTC).year in _YEARS
    )


def _fitting(notebook: Notebook) -> Notebook:
    if len(to_bytes(notebook)) > MAX_BYTES:
        raise StoreFullError(_FULL)
    return notebook


# --- As plain text --------------------------------------------------------------------


def as_text(notebook: Notebook, zone: tzinfo | None = None) -> str:
    """Give the whole notebook as plain text, oldest first.

    Args:
        notebook: What to write out.
        zone: For times of day; None takes the computer's.
    """
    parts = [
        "\n\n".join((heading.upper(), *(_as_text(entry, zone) for entry in entries)))
        for kind, heading in HEADINGS.items()
        if (entries := tuple(e for e in notebook.entries if e.kind is kind))
    ]
    return "\n\n\n".join(parts) + "\n" if parts else ""


def _as_text(entry: Entry, zone: tzinfo | None) -> str:
    day = f"{entry.made.astimezone(zone):%Y-%m-%d}"
    wave = (_wave_as_text(entry.wave, zone),) if entry.wave else ()
    return "\n".join(part for part in (day, *wave, entry.text, entry.more) if part)


def _wave_as_text(wave: Wave, zone: tzinfo | None) -> str:
    steps = ", ".join(
        f"{minutes:g} min: {strength}" for minutes, strength in wave.strengths
    )
    lines = [f"Started {wave.started.astimezone(zone):%Y-%m-%d %H:%M}", steps]
    if wave.helped:
        lines.append(f"Helped: {', '.join(wave.helped)}")
    return "\n".join(lines)


# --- As bytes, for the store ----------------------------------------------------------


def to_bytes(notebook: Notebook) -> bytes:
    """Write the notebook as one JSON record; ``from_bytes`` reads it back the same."""
    record = {
        "version": _RECORD_VERSION,
        "entries": [_to_record(entry) for entry in notebook.entries],
    }
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    # A text may hold half a character, from a paste; it must not cost the notebook.
    return text.encode("utf-8", "surrogatepass")


def from_bytes(content: bytes) -> Notebook:
    """Read what ``to_bytes`` wrote.

    Raises:
        StoreVersionError: If a newer version of Ebb wrote it.
        StoreDamagedError: If it is anything else.
    """
    try:
        record = from_json(content.decode("utf-8", "surrogatepass"))
        version = record["version"]
        if version == _RECORD_VERSION:
            return Notebook(tuple(_from_record(entry) for entry in record["entries"]))
    except (AttributeError, KeyError, TypeError, ValueError, NoteError):
        raise StoreDamagedError(_BROKEN) from None
    raise StoreVersionError(_NEWER)


def _to_record(entry: Entry) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": entry.id,
        "kind": str(entry.kind),
        "made": _stamp(entry.made),
        "text": entry.text,
        "more": entry.more,
    }
    if (wave := entry.wave) is not None:
        record["wave"] = {
            "started": _stamp(wave.started),
            "strengths": [list(step) for step in wave.strengths],
            "helped": list(wave.helped),
        }
    return record


def _from_record(record: dict[str, Any]) -> Entry:
    wave = record.get("wave")
    entry = Entry(
        id=str(record["id"]),
        kind=Kind(record["kind"]),
        made=_made_of(record["made"]),
        text=str(record["text"]),
        more=str(record["more"]),
        wave=None
        if wave is None
        else wave_of(wave["started"], wave["strengths"], wave["helped"]),
    )
    _check(entry)
    return entry


def _made_of(stamp: str) -> datetime:
    """Read when a note was made; a date that no clock shows costs no note."""
    made = datetime.fromisoformat(stamp)
    if made.tzinfo is None:
        made = made.replace(tzinfo=UTC)
    return made if _is_moment(made) else _LONG_AGO


def wave_of(
    started: str, strengths: Sequence[Sequence[float]], helped: Sequence[str]
) -> Wave:
    """Make a wave of what a record holds.

    Args:
        started: ISO 8601 with a time zone.
        strengths: Pairs of minutes and strength.
        helped: What helped, in the person's words.

    Raises:
        NoteError: If it cannot be a wave.
    """
    if isinstance(helped, str):
        raise NoteError(_NO_WAVE)
    try:
        wave = Wave(
            datetime.fromisoformat(started),
            tuple((float(minutes), int(strong)) for minutes, strong in strengths),
            tuple(str(words) for words in helped),
        )
    except (AttributeError, OverflowError, TypeError, ValueError):
        raise NoteError(_NO_WAVE) from None
    _check_wave(wave)
    return wave


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
