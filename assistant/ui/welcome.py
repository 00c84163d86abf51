"""The first minute: what Ebb is and is not, before anything is said.

Shown until the talk has been opened once since the program started. Short, so that it
can be read with a racing heart; “Start” is there from the first moment and skips it.
"""

from __future__ import annotations

from typing import Final

from assistant.ui.markup import text

LINES: Final = (
    "Ebb is a program for thinking about someone who hurts you, and about the pull to "
    "go back. It is not a person, not a therapist and not an emergency service. It can "
    "be wrong, and it calls nobody.",
    "What you say stays in this computer’s memory until you end. Nothing is sent "
    "anywhere, and only what you choose to save is kept.",
    "“Leave this page”, or Shift three times, hides the page and wipes the talk. The "
    "browser’s history may still show that a page was opened.",
    "It does not make a watched computer safe, and nothing here can.",
)
"""Shown before “Start”; 120 words at most."""

MORE: Final = (
    (
        "What Ebb does",
        (
            "It listens for danger first and shows people you can reach. Then it looks "
            "in a small library and answers in a few sentences.",
            "Most of its sentences were written beforehand. No outside specialist has "
            "read them yet. It can miss danger, and it can misunderstand you.",
            "It only knows English.",
        ),
    ),
    (
        "What stays on this computer, and what does not",
        (
            "Your words are kept in memory only. They are gone when you end the talk, "
            "leave the page or close the program.",
            "The program’s folder, its model files and its search index stay. So may "
            "the browser’s note that this page may use the microphone. The screen "
            "“Settings and traces” says how each can be removed.",
            "The page itself asks nothing of the internet. A website you open from "
            "Help does, as any website.",
        ),
    ),
    (
        "What the exit does, and what it does not",
        (
            "It covers the page at once, stops the microphone, wipes the talk and "
            "leads to an empty sheet. You can choose another place in the settings.",
            "It does not clear the browser’s history, close other windows or stop the "
            "program. An empty history can be noticed too.",
        ),
    ),
    (
        "If someone watches this computer",
        (
            "Programs that spy can show everything that happens on a screen, private "
            "windows too. Ebb can neither find nor stop them.",
            "A computer or phone the other person cannot reach is the better place to "
            "look for help.",
        ),
    ),
)
"""Behind “More about this”."""

_COUNTRY = "Help is shown for one country. You can choose yours there."


def block() -> str:
    """Give the welcome."""
    return (
        '<section id="welcome" aria-label="Before you start">'
        f"{''.join(f'<p>{text(line)}</p>' for line in LINES)}</section>"
    )


def more() -> str:
    """Give what stands behind “More about this”; closed at first."""
    parts = "".join(
        f"<h2>{text(heading)}</h2>"
        f"<ul>{''.join(f'<li>{text(point)}</li>' for point in points)}</ul>"
        for heading, points in MORE
    )
    return (
        '<details id="more"><summary>More about this</summary>'
        f'{parts}<p><a href="#help">{text(_COUNTRY)}</a></p></details>'
    )
