"""What is shown to a browser that has no key: a neutral page with emergency numbers.

Whoever sees it may be anybody who uses this computer. So it names neither the program
nor what it is for, holds nothing that anybody said or chose here, and runs no script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.ui import cards, furniture
from assistant.ui.choice import Choice
from assistant.ui.markup import paragraph, text
from assistant.ui.preferences import DEFAULT, Preferences

if TYPE_CHECKING:
    from assistant.content_directory import Directory
    from assistant.domain_help import CountryHelp
    from assistant.settings import Settings

_TITLE = "This page is open somewhere else"
_WHY = (
    "It is open in another window or another browser of this computer, or the program "
    "behind it was started again since."
)
_HOW = (
    "To open it here, use the address that is shown in the window where the program "
    "was started."
)
_AGAIN = "It was already open in this browser? Then try again."
_FROM_ELSEWHERE_TITLE = "Open this page?"
_FROM_ELSEWHERE = (
    "You came here from another page, so this one waits until you say that you want "
    "to see it."
)
_OPEN = "Open it"
_COOKIE = (
    "If that leads back here, the browser may refuse every cookie. This page needs "
    "one; it holds nothing about you, and ends with the program."
)
_NOBODY_CALLS = "If you are in danger now, call for help. Nobody is called from here."
_UNKNOWN = "Your local emergency number works without this page."
_GUESS = "Shown for {}, as this computer’s settings suggest."
_OTHERS = "Emergency numbers of all countries"


def render(numbers: str, *, is_strict: bool, preferences: Preferences = DEFAULT) -> str:
    """Give the page.

    Args:
        numbers: The emergency numbers, as HTML; see ``numbers``.
        is_strict: True where the bare address lets nobody in.
        preferences: How the pages look.
    """
    if is_strict:
        title = _TITLE
        said = paragraph(_WHY) + paragraph(_HOW)
        way = f'<p><a href="/">{text(_AGAIN)}</a></p>'
    else:
        title, said = _FROM_ELSEWHERE_TITLE, paragraph(_FROM_ELSEWHERE)
        way = f'<p><a class="go" href="/">{text(_OPEN)}</a></p>'
    return furniture.page(
        f'<main class="last"><h1>{text(title)}</h1>{said}{way}'
        f"{paragraph(_COOKIE, 'quiet')}"
        f'<section aria-label="Emergency numbers">{numbers}</section></main>',
        preferences=preferences,
    )


def numbers(directory: Directory | None, settings: Settings) -> str:
    """Give the emergency numbers, as HTML: of one country first, then of all.

    The country is the one of the settings or of the system, never the one that was
    chosen or said since: that would tell something about the person.
    """
    lead = f"<h2>In an emergency</h2>{paragraph(_NOBODY_CALLS)}"
    if directory is None:
        return lead + paragraph(_UNKNOWN)
    choice = Choice(directory, settings.country)
    known = directory.country(choice.country)
    first = paragraph(_UNKNOWN)
    if known is not None:
        guess = _GUESS.format(known.name) if choice.is_guess else ""
        first = paragraph(guess, "quiet") + cards.emergency(
            known.emergency, known.emergency_note
        )
    rows = "".join(
        _row(entry)
        for code, _ in directory.countries
        if (entry := directory.country(code)) is not None and entry.emergency
    )
    return (
        f"{lead}{first}<details><summary>{text(_OTHERS)}</summary>"
        f"<ul>{rows}</ul></details>"
    )


def _row(entry: CountryHelp) -> str:
    shown = ", ".join(
        f'<span class="number">{text(number.number)}</span>'
        for number in entry.emergency
    )
    return f"<li>{text(entry.name)}: {shown}</li>"
