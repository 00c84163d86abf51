"""The first page: plain HTML, there before any heavy part has loaded.

Help stands on it at once. It works with JavaScript off: a form and a link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.ui import furniture, welcome
from assistant.ui.markup import paragraph, text
from assistant.ui.preferences import DEFAULT, Preferences

if TYPE_CHECKING:
    from assistant.wiring import Part

TALK = "/talk/"

_LEAD = "This page is getting ready, and it can take a moment."
_HELP_FIRST = "Help is here, and you can use it now, before the rest is ready."
_PART_NAMES = {
    "library": "The library",
    "chat": "The language model",
    "speech": "Listening",
}
_STATES = {
    "loading": "is getting ready",
    "ready": "is ready",
    "missing": "is not there",
    "failed": "did not start",
}


def render(
    help_block: str,
    parts: Sequence[Part],
    *,
    open_now: bool,
    failed: str | None,
    texts: dict[str, str] | None = None,
    preferences: Preferences = DEFAULT,
    first_time: bool = False,
) -> str:
    """Give the page.

    Args:
        help_block: The Help block, as HTML.
        parts: What is still loading.
        open_now: True where the talk can be entered.
        failed: One sentence, where the talk cannot start at all.
        texts: The vetted ``[first_page]`` lines, where they could be read.
        preferences: How the pages look.
        first_time: True shows the welcome and waits for “Start”.
    """
    lines = {"lead": _LEAD, "help_first": _HELP_FIRST} | (texts or {})
    start = _start(open_now=open_now, failed=failed, lead=lines["lead"])
    about = welcome.block() if first_time else furniture.about()
    more = welcome.more() if first_time else ""
    return furniture.page(
        furniture.bar(with_help=False, preferences=preferences)
        + '<main class="first"><div id="before">'
        f"<h1>A quiet place to think</h1>{about}"
        f'<section id="start" aria-live="polite">{start}</section>'
        f'<section id="waiting"{" hidden" * (open_now or bool(failed))}>'
        f'<ul id="parts">{part_items(parts)}</ul></section>{more}</div>'
        '<section id="help" tabindex="-1" aria-labelledby="help-title">'
        f'<h2 id="help-title">Help</h2>{paragraph(lines["help_first"], "quiet")}'
        f'<div id="help-place">{help_block}</div></section></main>' + furniture.COVER,
        more_head=furniture.script("first.js"),
        preferences=preferences,
    )


def _start(*, open_now: bool, failed: str | None, lead: str) -> str:
    if failed:
        return f'<p class="failed">{text(failed)}</p>'
    shown = "Everything is ready." if open_now else lead
    # Without JavaScript the talk sends back as long as it is not ready.
    return (
        f'<p><a id="go" class="go" href="{TALK}">Start</a></p>'
        f'<p id="lead" class="quiet">{text(shown)}</p>'
    )


def part_items(parts: Sequence[Part]) -> str:
    """Give one line a part, in words; the dot beside it is only decoration."""
    return "".join(
        f'<li data-state="{text(part.state)}">'
        f"{text(part.sentence or _said_of(part))}</li>"
        for part in parts
    )


def _said_of(part: Part) -> str:
    name = _PART_NAMES.get(part.name, part.name)
    return f"{name} {_STATES.get(part.state, part.state)}."
