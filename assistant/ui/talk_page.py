"""The talk's page around the Gradio application: bar, conversation, Help panel.

Plain HTML with empty places; ``static/talk.js`` fills them from the frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.ui import furniture, panels
from assistant.ui.panels import Panel
from assistant.ui.preferences import DEFAULT, Preferences

if TYPE_CHECKING:
    from assistant.content_texts import Replies

_SOUND_LINES = (
    "microphone_refused",
    "microphone_absent",
    "microphone_busy",
    "microphone_silent",
    "microphone_lost",
    "microphone_withdrawn",
    "could_not_hear",
)

_ASIDE = '<section id="aside" hidden><h3>Cards you put aside</h3><div></div></section>'


def head(preferences: Preferences = DEFAULT) -> str:
    """Give what the page's head needs."""
    return (
        furniture.head(preferences)
        + '<link rel="stylesheet" href="/static/talk.css">'
        + furniture.script("talk.js")
    )


def before(
    replies: Replies,
    screens: Sequence[Panel] = (),
    preferences: Preferences = DEFAULT,
) -> str:
    """Give what stands before the Gradio application.

    Args:
        replies: The fixed sentences.
        screens: The panels beside Help.
        preferences: Where the exit leads.
    """
    sentences = {key.replace("_", "-"): replies.line(key) for key in _SOUND_LINES}
    menu = panels.menu(screens)
    return (
        f"{furniture.bar(with_help=True, menu=menu, preferences=preferences)}"
        '<nav id="raised" aria-label="Cards for you" hidden></nav>'
        '<section id="talk" aria-label="Talk"><h1 class="unseen">Talk</h1>'
        f'<div id="welcome"><h2>I am here to think with you</h2>{furniture.about()}'
        "<p>You can write or speak, and stop at any time.</p></div>"
        '<div id="turns"></div></section>'
        f'<div id="lines" hidden {furniture.data_attributes(sentences)}></div>'
        '<div id="composer"><p id="status" role="status"></p>'
        '<p id="spoken" class="unseen" role="status"></p>'
    )


def after(screens: Sequence[Panel] = (), help_block: str = "") -> str:
    """Give what follows the Gradio application.

    Args:
        screens: The panels beside Help.
        help_block: What Help shows until it is asked for anew, as HTML.
    """
    body = f'{_ASIDE}<div id="help-place">{help_block}</div>'
    all_panels = (*screens, Panel("help", "Help", body, in_menu=False))
    return (
        '<section id="listening" aria-label="Microphone" hidden>'
        '<meter id="level" min="0" max="1" aria-label="How loud it is"></meter>'
        '<span id="paused" hidden>Paused</span>'
        '<button type="button" id="pause">Pause</button></section>'
        '<p id="countdown" aria-hidden="true" hidden></p>'
        '<p id="so-far" aria-hidden="true" hidden><span></span><i></i></p>'
        '<section id="doubts" aria-label="Doubtful words" hidden></section></div>'
        f"{''.join(map(panels.dialog, all_panels))}{furniture.COVER}"
    )
