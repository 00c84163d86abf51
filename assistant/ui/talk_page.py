"""The talk's page around the Gradio application: bar, conversation, Help panel.

Plain HTML with empty places; ``static/talk.js`` fills them from the frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.ui import furniture

if TYPE_CHECKING:
    from assistant.content_texts import Replies

_SOUND_LINES = (
    "microphone_refused",
    "microphone_absent",
    "microphone_busy",
    "microphone_silent",
    "microphone_lost",
    "could_not_hear",
)

HEAD = (
    furniture.HEAD
    + '<link rel="stylesheet" href="/static/talk.css">'
    + furniture.script("talk.js")
)

_HELP_PANEL = (
    '<dialog id="help-panel" aria-labelledby="panel-title">'
    '<div class="panel-head"><h2 id="panel-title">Help</h2>'
    '<button type="button" class="plain" data-close>Close</button></div>'
    '<section id="aside" hidden><h3>Cards you put aside</h3><div></div></section>'
    '<div id="help-place"></div></dialog>'
)


def before(replies: Replies) -> str:
    """Give what stands before the Gradio application."""
    sentences = {key.replace("_", "-"): replies.line(key) for key in _SOUND_LINES}
    return (
        f"{furniture.bar(with_help=True)}"
        '<nav id="raised" aria-label="Cards for you" hidden></nav>'
        '<section id="talk" aria-label="Talk"><h1 class="unseen">Talk</h1>'
        f'<div id="welcome"><h2>I am here to think with you</h2>{furniture.about()}'
        "<p>You can write or speak, and stop at any time.</p></div>"
        '<div id="turns"></div></section>'
        f'<div id="lines" hidden {furniture.data_attributes(sentences)}></div>'
        '<div id="composer"><p id="status" role="status"></p>'
        '<p id="spoken" class="unseen" role="status"></p>'
    )


def after() -> str:
    """Give what follows the Gradio application."""
    return (
        '<div id="listening" hidden>'
        '<meter id="level" min="0" max="1" aria-label="How loud it is"></meter>'
        '<span id="listening-for"></span></div>'
        '<p id="doubts" hidden></p></div>'
        f"{_HELP_PANEL}{furniture.COVER}"
    )
