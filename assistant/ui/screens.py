"""The screens beside the talk, one file each; this is the list the menu is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from assistant.ui import furniture, notes, ride, settings, understand
from assistant.ui.panels import Panel

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from assistant.ui.starting import Starting


class Screen(Protocol):
    """What a screen's file offers: its panel, and the addresses it answers itself.

    Its ``static/NAME.js`` moves it and its ``static/NAME.css`` dresses it.
    """

    NAME: str

    def panel(self, starting: Starting) -> Panel:
        """Give the panel as it stands when the page is made."""

    def routes(self, starting: Starting) -> Sequence[BaseRoute]:
        """Give the addresses of this screen; all begin with ``/NAME``."""


SCREENS: tuple[Screen, ...] = (ride, understand, notes, settings)


def head() -> str:
    """Give what the page's head needs for the screens."""
    return "".join(
        f'<link rel="stylesheet" href="/static/{screen.NAME}.css">'
        f"{furniture.script(f'{screen.NAME}.js')}"
        for screen in SCREENS
    )
