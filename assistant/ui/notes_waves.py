"""Waves as pictures: when they come, how strong they are, what helped.

Plain SVG made here, with the same in words and as a table beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final

from assistant.notebook import MAX_STRENGTH, Wave
from assistant.ui.markup import text

_WIDTH, _HEIGHT = 360, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 14, 12, 30
_HOUR_NAMES = ((0, "midnight"), (6, "6"), (12, "noon"), (18, "18"), (24, "midnight"))
_DAY_PARTS: Final = (
    (6, "between midnight and six"),
    (12, "in the morning"),
    (18, "in the afternoon"),
    (24, "in the evening"),
)
_TOLD_HELPS = 8

_HOW_TO_READ = (
    "Each upright line is one wave. The full dot is how strong it was at its "
    "strongest, the open dot how strong it was at the end."
)


def picture(waves: Sequence[Wave], zone: tzinfo | None = None) -> str:
    """Show waves, oldest first, as two pictures, in words and as a table.

    Args:
        waves: At least one, by the time they started.
        zone: For hours of the day; None takes the computer's.
    """
    starts = [wave.started.astimezone(zone) for wave in waves]
    hours = [start.hour + start.minute / 60 for start in starts]
    by_hour = [(hour / 24, wave) for hour, wave in zip(hours, waves, strict=True)]
    hour_marks = [(hour / 24, name) for hour, name in _HOUR_NAMES]
    return (
        f'<div class="waves"><p class="quiet">{text(_HOW_TO_READ)}</p>'
        f"{_figure('By hour of the day', _in_hours(hours), by_hour, hour_marks)}"
        f"{_over_time(waves, starts)}{_helped(waves)}{_table(waves, starts)}</div>"
    )


def _over_time(waves: Sequence[Wave], starts: Sequence[datetime]) -> str:
    first, last = starts[0], starts[-1]
    span_s = (last - first).total_seconds()
    if not span_s:
        return ""
    places = [(start - first).total_seconds() / span_s for start in starts]
    told = f"{len(waves)} waves from {_day(first)} to {_day(last)}."
    marks = [(0.0, _short_day(first)), (1.0, _short_day(last))]
    points = list(zip(places, waves, strict=True))
    return _figure("Over time", told, points, marks)


def _figure(
    title: str,
    told: str,
    points: Sequence[tuple[float, Wave]],
    marks: Sequence[tuple[float, str]],
) -> str:
    """Draw waves side by side; places and marks go from 0 to 1."""
    name = f"waves-{title.split()[0].lower()}-{title.split()[-1].lower()}"
    body = "".join(_wave(place, wave) for place, wave in points)
    return (
        f"<figure><figcaption>{text(title)}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="{name}">'
        f'<title id="{name}">{text(f"{title}. {told}")}</title>'
        f"{_scale()}{_names(marks)}{body}</svg>"
        f'<p class="quiet">{text(told)}</p></figure>'
    )


def _x(place: float) -> float:
    return round(_LEFT + place * (_WIDTH - _LEFT - _RIGHT), 1)


def _y(strength: float) -> float:
    high = _HEIGHT - _TOP - _BOTTOM
    return round(_HEIGHT - _BOTTOM - strength / MAX_STRENGTH * high, 1)


def _scale() -> str:
    lines = (
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" '
        f'y1="{_y(strength)}" y2="{_y(strength)}"/>'
        f'<text x="{_LEFT - 8}" y="{_y(strength) + 4}" text-anchor="end">'
        f"{strength}</text>"
        for strength in (0, 5, MAX_STRENGTH)
    )
    return "".join(lines)


def _names(marks: Sequence[tuple[float, str]]) -> str:
    return "".join(
        f'<text x="{_x(place)}" y="{_HEIGHT - 8}" text-anchor="{_anchor(place)}">'
        f"{text(name)}</text>"
        for place, name in marks
    )


def _anchor(place: float) -> str:
    return {0.0: "start", 1.0: "end"}.get(place, "middle")


def _wave(place: float, wave: Wave) -> str:
    x, peak, end = _x(place), _y(wave.peak), _y(wave.end)
    return (
        f'<g class="wave"><line x1="{x}" x2="{x}" y1="{peak}" y2="{end}"/>'
        f'<circle class="end" cx="{x}" cy="{end}" r="4.5"/>'
        f'<circle class="peak" cx="{x}" cy="{peak}" r="5"/></g>'
    )


def _in_hours(hours: Sequence[float]) -> str:
    if len(hours) == 1:
        return f"One wave, {_part(hours[0])}."
    parts = Counter(map(_part, hours))
    counts = ", ".join(
        f"{parts[name]} {name}" for _, name in _DAY_PARTS if name in parts
    )
    return f"{len(hours)} waves: {counts}."


def _part(hour: float) -> str:
    return next(name for till, name in _DAY_PARTS if hour < till)


def _helped(waves: Sequence[Wave]) -> str:
    """Say what helped, the most often first, each as it was first written."""
    shown: dict[str, str] = {}
    for wave in waves:
        for words in wave.helped:
            shown.setdefault(words.casefold(), words)
    counts = Counter(words.casefold() for wave in waves for words in wave.helped)
    items = "".join(
        f"<li>{text(shown[key])}{f' ({times} times)' if times > 1 else ''}</li>"
        for key, times in counts.most_common(_TOLD_HELPS)
    )
    return f'<h4>What helped</h4><ul class="helped">{items}</ul>' if items else ""


def _table(waves: Sequence[Wave], starts: Sequence[datetime]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{_day(start)}, {start:%H:%M}</th>'
        f"<td>{wave.peak}</td><td>{wave.end}</td><td>{wave.minutes:.0f}</td>"
        f"<td>{text(', '.join(wave.helped))}</td></tr>"
        for wave, start in zip(waves, starts, strict=True)
    )
    heads = ("When", "Strongest", "At the end", "Minutes", "What helped")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        '<details><summary>The same as a table</summary><div class="wide" tabindex="0" '
        'role="region" aria-label="Waves as a table"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )


def steps(wave: Wave) -> str:
    """Say in one line how a wave went."""
    told = f"strongest {wave.peak} of {MAX_STRENGTH}"
    if wave.minutes:
        told += f", {wave.end} after {wave.minutes:.0f} minutes"
    return told


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _short_day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b}"
