"""Run one turn of a room as a stream of frames; every turn ends in a closing frame."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Final

from assistant.errors import AssistantError
from assistant.events import (
    Event,
    Placed,
)
from assistant.ui import frames

if TYPE_CHECKING:
    from collections.abc import Generator

    from assistant.content_library import Library
    from assistant.ui.rooms import Room

MAX_CHARS: Final = 20_000
"""The most that one message may hold."""

_TOO_LONG = (
    "That is longer than 20,000 characters, so nothing was sent. It is still in the "
    "box; you can send it in pieces."
)
_STILL_WRITING = "I am still writing. “Stop” ends it, and then you can send this."
_BROKEN = (
    "Something in Ebb failed just now. What you see stays, and you can go on writing. "
    "Help is always at the top."
)
_logger = logging.getLogger(__name__)


def stream_frames(
    room: Room,
    their_words: str,
    library: Library,
    country: str | None,
    moved: Callable[[str], None] = lambda country: None,
) -> Iterator[str]:
    """Yield frames of one turn; the last one leaves the page free again.

    Args:
        room: Where the turn happens; a second turn at once is refused.
        their_words: As they stand in the box.
        library: For showing where sentences come from.
        country: ISO 3166-1 alpha-2, where one is chosen.
        moved: Told the country, where the person says that they are in another.
    """
    view = frames.TurnView(room.id, room.next_turn(), library)
    if not room.writing.acquire(blocking=False):
        view.notice(_STILL_WRITING)
        yield view.last_frame()
        return
    sitting = room.sitting
    try:
        yield from _turn(room, their_words, view, country, moved)
    except AssistantError as error:
        view.notice(str(error))
    except Exception as error:
        # Its message may quote what was said, so only its kind is logged.
        _logger.error("a turn failed: %s", type(error).__name__)
        view.notice(_BROKEN)
    finally:
        room.writing.release()
    if room.sitting == sitting:
        yield view.last_frame()
    else:
        yield frames.encode(room=room.id, open=False)


def _turn(
    room: Room,
    their_words: str,
    view: frames.TurnView,
    country: str | None,
    moved: Callable[[str], None],
) -> Iterator[str]:
    if len(their_words) > MAX_CHARS:
        view.notice(_TOO_LONG)
        return
    sitting = room.sitting
    if their_words.strip():
        view.said(their_words)
        yield view.frame()
    events: Generator[Event, None, None] = room.talk.say(their_words, country=country)  # type: ignore[assignment]  # its iterator is a generator
    with closing(events):
        for event in events:
            if room.sitting != sitting:
                return
            if isinstance(event, Placed):
                moved(event.country)
            if view.show(event):
                yield view.frame()
