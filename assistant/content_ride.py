"""Read the vetted texts of the screen “Ride it out”, ``prompts/fixed/ride.en.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from assistant import content
from assistant.errors import ContentError

ACTIVITIES: Final = ("breathe", "ground", "move", "water", "unsent", "list", "call")
"""What can be done meanwhile, in the order shown; the screen knows each by its name."""

MOMENTS: Final = ("first", "high", "higher", "same", "lower", "low")
"""How a wave moves; ``static/ride-wave.js`` tells which it is after an answer."""

_KEYS = content.HEADER_KEYS | {"sources", "say", "lines", "activity", "path"}


@dataclass(frozen=True, slots=True)
class Sayings:
    """The single sentences of the screen, each by what it is for."""

    lead: str
    safety: str
    ask: str
    ask_hint: str
    weakest: str
    strongest: str
    again: str
    again_look: str
    again_same: str
    again_later: str
    wave: str
    meanwhile: str
    meanwhile_lead: str
    next: str
    back: str
    from_start: str
    breathe_start: str
    breathe_stop: str
    breathe_in: str
    breathe_out: str
    tones: str
    tones_hint: str
    tones_missing: str
    unsent_label: str
    unsent_wipe: str
    unsent_wiped: str
    open_notes: str
    open_help: str
    done: str
    helped: str
    helped_lead: str
    helped_other: str
    keep_lead: str
    keep: str
    keep_nothing: str
    go_on: str
    kept: str
    kept_nothing: str
    keep_missing: str
    keep_failed: str


@dataclass(frozen=True, slots=True)
class Activity:
    """One thing to do while the wave moves."""

    name: str
    title: str
    lead: str
    care: str = ""
    """Whom it does not suit, and when to stop."""


@dataclass(frozen=True, slots=True)
class StepPath:
    """Steps to take one at a time, at the person's own pace."""

    activity: str
    """The name of the activity that it is part of."""
    title: str
    """Empty where an activity has one path only."""
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RideTexts:
    """All texts of the screen."""

    say: Sayings
    lines: dict[str, tuple[str, ...]]
    """For each of ``MOMENTS``, lines to be shown one at a time."""
    activities: tuple[Activity, ...]
    """One for each of ``ACTIVITIES``, in that order."""
    paths: tuple[StepPath, ...]
    sources: tuple[str, ...]


def load(root: Path, language: str = "en") -> RideTexts:
    """Read the texts.

    Raises:
        ContentError: If the file is invalid; names the place.
    """
    name = f"ride.{language}.toml"
    raw = content.read_toml(root / "prompts" / "fixed" / name)
    if wrong := raw.keys() ^ _KEYS:
        raise ContentError(f"{name}: {min(wrong)!r:.40} is missing or unknown.")
    return RideTexts(
        say=content.build(Sayings, _table(raw, "say", name), f"{name}: say"),
        lines=_lines(_table(raw, "lines", name), name),
        activities=_activities(
            content.take(raw, "activity", content.TABLES, name), name
        ),
        paths=_paths(content.take(raw, "path", content.TABLES, name), name),
        sources=content.take(raw, "sources", tuple[str, ...], name),
    )


def _lines(raw: Mapping[str, Any], name: str) -> dict[str, tuple[str, ...]]:
    if tuple(raw) != MOMENTS or not all(raw.values()):
        raise ContentError(f"{name}: lines must be {', '.join(MOMENTS)}, none empty.")
    return {
        moment: content.take(raw, moment, tuple[str, ...], name) for moment in MOMENTS
    }


def _table(raw: Mapping[str, Any], key: str, name: str) -> dict[str, Any]:
    table: dict[str, Any] = content.take(raw, key, dict[str, Any], name)
    return table


def _activities(raw: Iterable[dict[str, Any]], name: str) -> tuple[Activity, ...]:
    found = tuple(content.build(Activity, one, f"{name}: activity") for one in raw)
    if tuple(activity.name for activity in found) != ACTIVITIES:
        raise ContentError(
            f"{name}: activities must be {', '.join(ACTIVITIES)}, in order."
        )
    return found


def _paths(raw: Iterable[dict[str, Any]], name: str) -> tuple[StepPath, ...]:
    found = tuple(content.build(StepPath, one, f"{name}: path") for one in raw)
    for path in found:
        if path.activity not in ACTIVITIES or not path.steps:
            raise ContentError(
                f"{name}: the path “{path.title:.40}” needs an activity and steps."
            )
    return found
