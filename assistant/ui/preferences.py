"""How the page looks and behaves in this sitting, as the person chose it.

Kept in memory for as long as the program runs; only ``Sitting.keep`` writes to a file,
and only what is harmless, when the person asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from assistant import settings as settings_file
from assistant.errors import SettingsError

if TYPE_CHECKING:
    from assistant.settings import Settings

EXIT_PAGE: Final = "/bye"

TITLES: Final = {"notes": "Notes", "recipes": "Recipes", "tab": "New tab"}


@dataclass(frozen=True, slots=True)
class Preferences:
    """What every page needs to know; the defaults are the program's own."""

    text_size: str = "normal"
    movement: str = "system"
    page_title: str = "notes"
    exit_address: str = ""
    idle_minutes: int = 10
    hands_free: str = "off"
    turn_pause_s: int = 4
    spoken_replies: str = "off"
    """Never kept in a file: a page that speaks unasked could be overheard."""

    @property
    def title(self) -> str:
        """What the browser's tab is called."""
        return TITLES[self.page_title]

    @property
    def icon(self) -> str:
        """Where the tab's picture lies."""
        return f"/static/icon-{self.page_title}.svg"

    @property
    def exit_to(self) -> str:
        """Where the quick exit leads."""
        return self.exit_address or EXIT_PAGE

    @property
    def attributes(self) -> str:
        """Attributes of the ``html`` element; ``base.css`` and scripts read them."""
        return (
            f'data-text="{self.text_size}" data-movement="{self.movement}" '
            f'data-idle-s="{self.idle_minutes * 60}" '
            f'data-hands-free="{self.hands_free}" '
            f'data-turn-pause-s="{self.turn_pause_s}" '
            f'data-spoken="{self.spoken_replies}"'
        )


DEFAULT: Final = Preferences()


def from_settings(settings: Settings) -> Preferences:
    """Begin with what the settings file says."""
    return Preferences(
        text_size=settings.text_size,
        movement=settings.movement,
        page_title=settings.page_title,
        exit_address=settings_file.check_address(settings.exit_address),
        idle_minutes=settings.idle_minutes,
        hands_free=settings.hands_free,
        turn_pause_s=settings.turn_pause_s,
    )


def changed(preferences: Preferences, name: str, value: str) -> Preferences:
    """Change one of them.

    Args:
        preferences: What holds so far.
        name: The field.
        value: As a form sends it.

    Raises:
        SettingsError: If there is no such field, or it cannot have this value; the
            value is not quoted.
    """
    if name == "exit_address":
        address = settings_file.check_address(value)
        return replace(preferences, exit_address=address)
    choices = {"spoken_replies": settings_file.SWITCH, **settings_file.CHOICES}
    for choice in choices.get(name, ()):
        if str(choice) == value:
            change: dict[str, Any] = {name: choice}
            return replace(preferences, **change)
    raise SettingsError("That cannot be chosen here.")


class Sitting:
    """The preferences that hold now, and whether they are kept in the file."""

    def __init__(self, settings: Settings) -> None:
        """Begin with what the settings file says."""
        self._home = settings.home
        self.preferences = from_settings(settings)
        self.is_kept = settings_file.are_kept(settings.home)
        self.is_welcomed = False
        """True once the talk has been opened since the program started."""

    def change(self, name: str, value: str) -> None:
        """Change a preference, and the file where it is kept.

        Raises:
            SettingsError: If the value cannot be, or the file cannot be written.
        """
        self.preferences = changed(self.preferences, name, value)
        if self.is_kept and name in settings_file.KEPT:
            self._write({name: getattr(self.preferences, name)})

    def keep_country(self, country: str | None) -> None:
        """Keep the country, if things are kept; only ever one chosen in the settings.

        Raises:
            SettingsError: If the file cannot be written.
        """
        if self.is_kept:
            self._write({"country": country})

    def keep(self, wanted: bool, country: str | None) -> None:
        """Begin or end to keep the preferences in the settings file.

        Raises:
            SettingsError: If the file cannot be written; then nothing has changed.
        """
        values: dict[str, str | int | None] = dict.fromkeys(settings_file.KEPT)
        if wanted:
            for name in values.keys() - {"country"}:
                values[name] = getattr(self.preferences, name)
            values["country"] = country
        self._write(values)
        self.is_kept = wanted

    def _write(self, values: dict[str, str | int | None]) -> None:
        settings_file.keep(self._home, values)
