"""The picture of the loop: a ring drawn by us, with a button for each of its parts.

The line runs smooth where things are calm, trembles with tension, breaks into points at
the harm and grows smooth again. The buttons lie on the ring where there is room, else
they stand in a column; ``static/understand.css`` decides.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assistant.ui.markup import text

if TYPE_CHECKING:
    from assistant.content_texts import Cycle

_WIDTH, _HEIGHT = 400, 324
_MIDDLE_Y = 162
_RADIUS_X, _RADIUS_Y = 142, 132
_STEP_DEG = 2
_TOP_DEG = -90.0
_WILDEST = 9.0
_POINTS = 45
"""How often the line goes out and in on a whole ring, if it did everywhere."""
# Where the parts stand, clockwise from the top; the same as in the style sheet. The two
# at the bottom keep apart, so that the line between them can be seen on a phone.
_PARTS_DEG = (0, 68, 135, 225, 292)
_HARM_DEG = _PARTS_DEG[2]
_ARROW = "M-7 -8 L8 0 L-7 8 Z"


def draw(cycle: Cycle) -> str:
    """Give the picture with its buttons, in the order of the loop."""
    buttons = "".join(
        f'<li class="at-{place}"><button type="button" '
        f'data-stage="{text(stage.id)}">{text(stage.title)}</button></li>'
        for place, stage in enumerate(cycle.stages)
    )
    following = (*_PARTS_DEG[1:], 360)
    arrows = "".join(
        _arrow((one + other) / 2)
        for one, other in zip(_PARTS_DEG, following, strict=True)
    )
    return (
        f'<div class="loop"><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{text(cycle.texts.picture)}">'
        f'<path class="ring" d="{_ring()}"/>{arrows}</svg>'
        f'<p class="centre">{text(cycle.texts.centre)}</p>'
        f'<ol aria-label="{text(cycle.texts.title)}">{buttons}</ol></div>'
    )


def _ring() -> str:
    """Give the closed line, as a path; sharper the nearer it is to the harm."""
    points = []
    for degree in range(0, 360, _STEP_DEG):
        # Away from the harm the trembling dies down, sooner after it than before.
        away = degree - _HARM_DEG
        width = 58 if away < 0 else 32
        wild = _WILDEST * math.exp(-((away / width) ** 2))
        swing = wild * math.sin(math.radians(degree * _POINTS))
        x, y = _place(degree, swing)
        points.append(f"{x:.1f} {y:.1f}")
    return f"M{' L'.join(points)} Z"


def _place(degree: float, swing: float = 0.0) -> tuple[float, float]:
    """Give a point of the ring; degrees run clockwise from the top."""
    angle = math.radians(degree + _TOP_DEG)
    return (
        _WIDTH / 2 + (_RADIUS_X + swing) * math.cos(angle),
        _MIDDLE_Y + (_RADIUS_Y + swing) * math.sin(angle),
    )


def _arrow(degree: float) -> str:
    x, y = _place(degree)
    return (
        f'<path class="arrow" d="{_ARROW}" '
        f'transform="translate({x:.1f} {y:.1f}) rotate({degree:.0f})"/>'
    )
