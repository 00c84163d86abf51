"""The country a person chose, or the one this computer's settings suggest."""

from __future__ import annotations

import locale
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.content_directory import Directory

_REGION = re.compile(r"^[a-z]{2,3}[_-]([A-Z]{2})\b")


class Choice:
    """Kept in memory for as long as the program runs; never written anywhere."""

    def __init__(self, directory: Directory | None, country: str | None) -> None:
        """Begin with a setting, or else with a guess, which says that it is one."""
        self._directory = directory
        self.need: str | None = None
        self.is_guess = False
        self.country: str | None = None
        if country:
            self.choose(country)
        if self.country is None:
            self.choose(region_of_system() or "")
            self.is_guess = self.country is not None

    def choose(self, country: str) -> None:
        """Choose a country; one that the directory does not have means none."""
        known = self._directory.country(country) if self._directory else None
        self.country = known.code if known else None
        self.is_guess = False


def region_of_system() -> str | None:
    """Give the region of the system's language setting, such as GB of ``en_GB``."""
    # For "C.UTF-8", which names no region, getlocale would say en_US.
    if locale.setlocale(locale.LC_CTYPE).split(".")[0] in {"C", "POSIX"}:
        return None
    name = locale.getlocale()[0] or ""
    found = _REGION.match(name)
    return found.group(1) if found else None
