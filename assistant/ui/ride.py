"""The screen “Ride it out”: for a pull to go back or to write to them.

Plain HTML with the vetted texts in it; ``static/ride.js`` moves it. How strong the pull
is stays in the page, and so does the message that is never sent: this screen has no
address of its own to send anything to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from assistant.content_ride import Activity, RideTexts, Sayings, StepPath
from assistant.ui import furniture, words
from assistant.ui.markup import paragraph, text
from assistant.ui.panels import Panel

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from assistant.ui.starting import Starting

NAME = "ride"
TITLE = "Ride it out"

_STRENGTHS = range(11)
_PLAIN = 'class="plain"'
_OPENS = 'aria-haspopup="dialog"'
# Told to the script, which shows them when their time comes.
_TOLD = (
    "breathe_start",
    "breathe_stop",
    "breathe_in",
    "breathe_out",
    "tones_missing",
    "unsent_wiped",
    "kept",
    "kept_nothing",
    "keep_missing",
    "keep_failed",
)


def panel(starting: Starting) -> Panel:
    """Give the panel, empty of answers."""
    texts = starting.program.ride if starting.program else None
    return Panel(NAME, TITLE, body(texts) if texts else "")


def routes(starting: Starting) -> Sequence[BaseRoute]:
    """Give no address: nothing of this screen is sent to the program."""
    del starting
    return ()


def body(texts: RideTexts) -> str:
    """Give what the panel holds."""
    say = texts.say
    told = {key.replace("_", "-"): getattr(say, key) for key in _TOLD}
    return (
        f'<div id="ride" {furniture.data_attributes(told)}>'
        '<p id="ride-said" role="status"></p>'
        f'<div id="ride-now">{paragraph(say.lead)}'
        f"{_question(say)}{_again(say)}{_wave(say)}{paragraph(say.safety, 'quiet')}"
        f"<h3>{text(say.meanwhile)}</h3>{paragraph(say.meanwhile_lead, 'quiet')}"
        f"{''.join(_activity(activity, texts) for activity in texts.activities)}"
        f'<p class="ride-row">{_button("ride-done", say.done)}</p></div>'
        f"{_ending(say)}{_lines(texts)}</div>"
    )


def _button(css_id: str, label: str, attributes: str = "") -> str:
    return f'<button type="button" id="{css_id}" {attributes}>{text(label)}</button>'


def _question(say: Sayings) -> str:
    """Ask how strong it is; nothing is chosen beforehand."""
    choices = "".join(
        '<label><input type="radio" name="ride-strength" autocomplete="off" '
        f'value="{strength}"><span>{strength}</span></label>'
        for strength in _STRENGTHS
    )
    return (
        '<fieldset id="ride-ask" aria-describedby="ride-ends">'
        f'<legend>{text(say.ask)}</legend><div class="ride-scale">{choices}</div>'
        f'<p id="ride-ends" class="quiet ride-ends"><span>{text(say.weakest)}</span> '
        f"<span>{text(say.strongest)}</span></p>"
        f"{paragraph(say.ask_hint, 'quiet')}</fieldset>"
    )


def _again(say: Sayings) -> str:
    """Ask once more in a quiet line; the words are put in when it is time."""
    return (
        '<div id="ride-again">'
        f'<p id="ride-again-said" role="status" data-words="{text(say.again)}"></p>'
        '<p id="ride-again-ways" class="ride-row" hidden>'
        f"{_button('ride-again-same', say.again_same)}"
        f"{_button('ride-again-look', say.again_look)}"
        f"{_button('ride-again-later', say.again_later, _PLAIN)}</p></div>"
    )


def _wave(say: Sayings) -> str:
    return (
        '<p id="ride-line" role="status"></p>'
        f'<figure id="ride-wave"><div id="ride-drawn" hidden><h3>{text(say.wave)}</h3>'
        '<div class="ride-drawing"><p class="quiet" aria-hidden="true">'
        f"<span>{_STRENGTHS[-1]}</span><span>{_STRENGTHS[0]}</span></p>"
        '<svg viewBox="0 0 600 180" role="img" aria-labelledby="ride-wave-said">'
        '<path class="guides" d="M0,14 H600 M0,166 H600"></path>'
        '<path class="below"></path><path class="line"></path><g></g></svg></div></div>'
        '<figcaption><p id="ride-wave-said" role="status"></p></figcaption></figure>'
    )


# --- What to do meanwhile -------------------------------------------------------------


def _activity(activity: Activity, texts: RideTexts) -> str:
    """Give one thing to do, closed; it opens in place."""
    inside = _INSIDE.get(activity.name, _nothing)(texts.say)
    paths = "".join(
        _path(path, texts.say) for path in texts.paths if path.activity == activity.name
    )
    return (
        f'<details class="ride-do" data-do="{text(activity.name)}">'
        f"<summary>{text(activity.title)}</summary><div>"
        f"{paragraph(activity.lead)}{paragraph(activity.care, 'caution')}"
        f"{paths}{inside}</div></details>"
    )


def _path(path: StepPath, say: Sayings) -> str:
    """Give steps of which one shows at a time, with the way on and back."""
    steps = "".join(f"<p hidden>{text(step)}</p>" for step in path.steps)
    heading = f"<h4>{text(path.title)}</h4>" if path.title else ""
    return (
        f'<div class="ride-path">{heading}<div role="status">{steps}</div>'
        '<p class="ride-row">'
        f'<button type="button" class="plain" data-step="-1">{text(say.back)}</button>'
        f'<button type="button" data-step="1" data-next="{text(say.next)}" '
        f'data-from-start="{text(say.from_start)}">{text(say.next)}</button></p></div>'
    )


def _breathe(say: Sayings) -> str:
    return (
        f'<p class="ride-row">{_button("ride-breathe", say.breathe_start)}</p>'
        '<div id="ride-breath"><div class="ride-circle" aria-hidden="true"></div>'
        '<p class="ride-word" aria-hidden="true"></p></div>'
        '<label class="ride-check"><input type="checkbox" id="ride-tones" '
        'autocomplete="off" aria-describedby="ride-tones-hint">'
        f"{text(say.tones)}</label>"
        f'<p id="ride-tones-hint" class="quiet">{text(say.tones_hint)}</p>'
        '<p id="ride-tones-said" class="quiet" role="status"></p>'
    )


def _unsent(say: Sayings) -> str:
    """Give the box that sends nothing.

    It has no name and stands in no form, so no browser can submit it; without the
    spelling check, no browser sends its words away to have them looked at.
    """
    return (
        f'<label class="ride-field">{text(say.unsent_label)}'
        '<textarea id="ride-unsent" rows="6" autocomplete="off" autocorrect="off" '
        'spellcheck="false"></textarea></label>'
        f'<p class="ride-row">{_button("ride-unsent-wipe", say.unsent_wipe)}</p>'
        '<p id="ride-unsent-said" class="quiet" role="status"></p>'
    )


def _list(say: Sayings) -> str:
    opens = f'data-panel="notes" {_OPENS}'
    return f'<p class="ride-row">{_button("ride-notes", say.open_notes, opens)}</p>'


def _call(say: Sayings) -> str:
    button = _button("ride-help", say.open_help, f"data-help {_OPENS}")
    return f'{paragraph(words.CALL_TRACE, "quiet")}<p class="ride-row">{button}</p>'


def _nothing(say: Sayings) -> str:
    del say
    return ""


_INSIDE: dict[str, Callable[[Sayings], str]] = {
    "breathe": _breathe,
    "unsent": _unsent,
    "list": _list,
    "call": _call,
}


# --- The end --------------------------------------------------------------------------


def _ending(say: Sayings) -> str:
    """Ask what helped, and offer to keep the wave or nothing."""
    return (
        '<section id="ride-end" aria-labelledby="ride-helped" hidden>'
        f'<h3 id="ride-helped" tabindex="-1">{text(say.helped)}</h3>'
        f"{paragraph(say.helped_lead, 'quiet')}"
        '<div id="ride-opened" role="group" aria-labelledby="ride-helped"></div>'
        f'<label class="ride-field">{text(say.helped_other)}'
        '<input id="ride-other" type="text" maxlength="200" autocomplete="off" '
        'autocorrect="off" spellcheck="false"></label>'
        f"{paragraph(say.keep_lead)}"
        f'<p class="ride-row">{_button("ride-keep", say.keep)}'
        f"{_button('ride-keep-nothing', say.keep_nothing)}"
        f"{_button('ride-go-on', say.go_on, _PLAIN)}</p>"
        '<p id="ride-keep-said" role="status"></p></section>'
    )


def _lines(texts: RideTexts) -> str:
    """Bring the lines along; the page chooses among them without asking anybody."""
    lines = "".join(
        f'<p data-moment="{text(moment)}">{text(line)}</p>'
        for moment, of_moment in texts.lines.items()
        for line in of_moment
    )
    return f'<template id="ride-lines">{lines}</template>'
