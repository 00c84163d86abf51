"""The panels beside the talk, Help among them, and the menu that leads to them.

A panel lies over the talk, which stays as it is; the bar with the exit stays above all
of them. What a panel holds is made by the screen it belongs to, one file a screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.ui.markup import text


@dataclass(frozen=True, slots=True)
class Panel:
    """One screen beside the talk."""

    name: str
    """Stands in addresses and ids: ``panel-NAME``; ``static/NAME.js`` moves it."""
    title: str
    body: str
    """HTML, escaped."""
    in_menu: bool = True
    """False for Help, which has a button of its own."""


def dialog(panel: Panel) -> str:
    """Give a panel, closed."""
    name = text(panel.name)
    return (
        f'<dialog class="panel" id="panel-{name}" aria-labelledby="title-{name}">'
        f'<div class="panel-head"><h2 id="title-{name}" tabindex="-1">'
        f"{text(panel.title)}</h2>"
        '<button type="button" class="plain" data-close>Close</button></div>'
        f'<div class="panel-body">{panel.body}</div></dialog>'
    )


def menu(panels: Sequence[Panel]) -> str:
    """Give the way to the panels; on a small screen it folds into one button."""
    items = "".join(
        f'<li><button type="button" data-panel="{text(panel.name)}" '
        f'aria-haspopup="dialog">{text(panel.title)}</button></li>'
        for panel in panels
        if panel.in_menu
    )
    if not items:
        return ""
    return (
        '<button type="button" id="menu-button" aria-expanded="false" '
        'aria-controls="menu">Menu</button>'
        f'<nav id="menu" aria-label="Screens"><ul>{items}</ul></nav>'
    )
