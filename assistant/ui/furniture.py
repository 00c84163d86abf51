"""HTML that several pages share: the bar, the cover of the quick exit, the empty page.

Everything that a page needs from this computer is named here; nothing else is asked
for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.ui.markup import text
from assistant.ui.preferences import DEFAULT, Preferences

_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'

COVER: Final = '<div id="cover" aria-hidden="true"></div>'

_ONE_PERSON = (
    "Ebb is a program on this computer: it is not a person, it can be wrong, and it "
    "calls nobody. Nothing you say is sent anywhere, and nothing is kept unless you "
    "ask for it."
)


def head(preferences: Preferences = DEFAULT) -> str:
    """Give what the head of every page holds, beside its title."""
    return (
        '<meta name="color-scheme" content="light dark">'
        '<meta name="robots" content="noindex">'
        f'<link rel="icon" href="{text(preferences.icon)}" type="image/svg+xml">'
        '<link rel="stylesheet" href="/static/base.css">'
    )


def bar(*, with_help: bool, menu: str = "", preferences: Preferences = DEFAULT) -> str:
    """Give the bar that is always on top; the exit is the first thing to reach.

    ``menu`` is HTML and stands before Help.

    The exit is a link, so that it leads away with JavaScript off as well.
    """
    help_button = (
        '<button type="button" id="help-button" data-help aria-haspopup="dialog">'
        "Help</button>"
        if with_help
        else '<a id="help-button" href="#help">Help</a>'
    )
    return (
        '<header id="bar">'
        f'<a id="exit" href="{text(preferences.exit_to)}" rel="noreferrer" '
        'draggable="false">'
        "Leave this page"
        '<span class="keys"> or press Shift three times</span></a>'
        '<span id="exit-dots" aria-hidden="true"><i></i><i></i><i></i></span>'
        '<span id="exit-said" class="unseen" role="status"></span>'
        f"{menu}{help_button}</header>"
    )


def about() -> str:
    """Say in two sentences what Ebb is."""
    return f'<p class="about">{text(_ONE_PERSON)}</p>'


def page(body: str, *, more_head: str = "", preferences: Preferences = DEFAULT) -> str:
    """Give a whole page of our own."""
    return (
        f'<!doctype html><html lang="en" {preferences.attributes}><head>'
        f'<meta charset="utf-8">{_VIEWPORT}<title>{text(preferences.title)}</title>'
        f"{head(preferences)}{more_head}</head>"
        f"<body>{body}</body></html>"
    )


def script(name: str) -> str:
    """Load one of our own scripts."""
    return f'<script type="module" src="/static/{text(name)}"></script>'


def data_attributes(values: Mapping[str, str]) -> str:
    """Hand texts to a script as attributes of an element."""
    return " ".join(
        f'data-{text(key)}="{text(value)}"' for key, value in values.items()
    )


def bye(preferences: Preferences = DEFAULT, *, above: str = "") -> str:
    """Give the neutral page that the quick exit leads to: an empty sheet.

    Args:
        preferences: How the pages look.
        above: HTML, to stand above the sheet.
    """
    return page(
        f'<main class="sheet"><h1 class="unseen">{text(preferences.title)}</h1>{above}'
        '<textarea aria-label="Notes" autocomplete="off" '
        'spellcheck="false" rows="20"></textarea></main>',
        preferences=preferences,
    )
