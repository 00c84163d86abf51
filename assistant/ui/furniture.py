"""HTML that several pages share: the bar, the cover of the quick exit, the empty page.

Everything that a page needs from this computer is named here; nothing else is asked
for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.ui.markup import text

TITLE: Final = "Notes"
EXIT_PAGE: Final = "/bye"

HEAD: Final = (
    '<meta name="color-scheme" content="light dark">'
    '<meta name="robots" content="noindex">'
    '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
    '<link rel="stylesheet" href="/static/base.css">'
)

_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'

COVER: Final = '<div id="cover" aria-hidden="true"></div>'

_ONE_PERSON = (
    "Ebb is a program on this computer: it is not a person, it can be wrong, and it "
    "calls nobody. Nothing you say is sent anywhere, and nothing is kept unless you "
    "ask for it."
)


def bar(*, with_help: bool, menu: str = "") -> str:
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
        f'<a id="exit" href="{EXIT_PAGE}" rel="noreferrer" draggable="false">'
        "Leave this page"
        '<span class="keys"> or press Shift three times</span></a>'
        '<span id="exit-dots" aria-hidden="true"><i></i><i></i><i></i></span>'
        '<span id="exit-said" class="unseen" role="status"></span>'
        f"{menu}{help_button}</header>"
    )


def about() -> str:
    """Say in two sentences what Ebb is."""
    return f'<p class="about">{text(_ONE_PERSON)}</p>'


def page(body: str, *, head: str = "") -> str:
    """Give a whole page of our own."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"{_VIEWPORT}<title>{TITLE}</title>{HEAD}{head}</head>"
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


def bye() -> str:
    """Give the neutral page that the quick exit leads to: an empty sheet."""
    return page(
        '<main class="sheet"><h1 class="unseen">Notes</h1>'
        '<textarea aria-label="Notes" autocomplete="off" '
        'spellcheck="false" rows="20"></textarea></main>'
    )
