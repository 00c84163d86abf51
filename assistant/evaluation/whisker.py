"""Draw one share with its interval: a bar, whiskers, and a mark for the aim."""

from __future__ import annotations

from html import escape

from assistant.evaluation.figures import Figure

_WIDTH, _HEIGHT = 240, 22
_MARGIN = 4
_MIDDLE = _HEIGHT / 2
_BAR, _CAP = 10, 7  # height of the bar, half the height of a whisker's end


def draw(figure: Figure, aim: float | None) -> str:
    """Give an inline SVG on a scale from 0 to 1; colours come from the page.

    Returns:
        The drawing with a text alternative; empty for what is not a share or has no
        interval, as there is nothing that a scale from 0 to 1 could show of it.
    """
    low, high = figure.low, figure.high
    if low is None or high is None or not 0 <= figure.value <= 1:
        return ""
    words = f"{figure.value:.3f}, 95 % interval {low:.3f} to {high:.3f}"
    if aim is not None:
        words += f", aim {aim:g}"
    top = _MIDDLE - _BAR / 2
    parts = [
        _box("track", 0, 1, top),
        _box("bar", 0, figure.value, top),
        _line("whisker", _x(low), _MIDDLE, _x(high), _MIDDLE),
        _line("whisker", _x(low), _MIDDLE - _CAP, _x(low), _MIDDLE + _CAP),
        _line("whisker", _x(high), _MIDDLE - _CAP, _x(high), _MIDDLE + _CAP),
    ]
    if aim is not None and 0 <= aim <= 1:
        parts.append(_line("aim", _x(aim), 0, _x(aim), _HEIGHT))
    return (
        f'<svg role="img" aria-label="{escape(words)}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}">{"".join(parts)}</svg>'
    )


def _x(share: float) -> float:
    return _MARGIN + share * (_WIDTH - 2 * _MARGIN)


def _box(kind: str, start: float, end: float, top: float) -> str:
    width = _x(end) - _x(start)
    return (
        f'<rect class="{kind}" x="{_x(start):.1f}" y="{top:g}" '
        f'width="{width:.1f}" height="{_BAR}"/>'
    )


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:g}" x2="{x2:.1f}" y2="{y2:g}"/>'
