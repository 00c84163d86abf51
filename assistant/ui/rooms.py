"""The talks that are open now: one room a browser tab, in memory only.

Thread-safe: Gradio runs turns in worker threads, and a wipe must not wait for them.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.domain import Card
    from assistant.keeping import Pad
    from assistant.talk import Talk

MAX_ROOMS = 40
"""More tabs than anybody opens; the oldest is wiped beyond that."""


class Room:
    """One tab's talk and notes. ``writing`` is held while a turn runs."""

    def __init__(self, talk: Talk, pad: Pad) -> None:
        """Open a room around a new talk and a new pad."""
        self.id = secrets.token_urlsafe(24)
        self.talk = talk
        self.pad = pad
        self.writing = threading.Lock()
        self._sittings = 0
        self._turns = 0

    @property
    def sitting(self) -> int:
        """A number that changes with every wipe: older turns may show nothing more."""
        return self._sittings

    def next_turn(self) -> int:
        """Count a turn; numbers are never used again in this room."""
        self._turns += 1
        return self._turns

    def wipe(self) -> None:
        """Stop a turn that runs; forget what was said and noted; lock the notebook."""
        self._sittings += 1
        self.talk.stop()
        self.talk.wipe()
        self.pad.wipe()

    def put_aside(self, card: Card) -> None:
        """Put a raised card aside, as the person asked."""
        self.talk.put_aside(card)


class Rooms:
    """All open rooms, found by Gradio's session or by the room's own secret id."""

    def __init__(
        self, new_talk: Callable[[], Talk], new_pad: Callable[[], Pad]
    ) -> None:
        """Start without any room."""
        self._new_talk, self._new_pad = new_talk, new_pad
        self._by_session: dict[str, Room] = {}
        self._lock = threading.Lock()

    def of_session(self, session: str) -> Room:
        """Give a session's room; opens one where there is none."""
        with self._lock:
            room = self._by_session.get(session)
            if room is None:
                room = Room(self._new_talk(), self._new_pad())
                self._by_session[session] = room
            left = self._crowded_out()
        for old in left:
            old.wipe()
        return room

    def _crowded_out(self) -> list[Room]:
        oldest_first = list(self._by_session)
        crowd = oldest_first[: max(0, len(oldest_first) - MAX_ROOMS)]
        return [self._by_session.pop(session) for session in crowd]

    def by_id(self, room_id: str) -> Room | None:
        """Give the room with this secret id."""
        wanted = room_id.encode("utf-8", "surrogatepass")
        with self._lock:
            for room in self._by_session.values():
                if secrets.compare_digest(room.id.encode(), wanted):
                    return room
        return None

    def leave(self, session: str) -> None:
        """Wipe a session's room and close it; nothing happens where there is none."""
        with self._lock:
            room = self._by_session.pop(session, None)
        if room is not None:
            room.wipe()

    def leave_room(self, room_id: str) -> None:
        """Wipe the room with this id and close it."""
        if (room := self.by_id(room_id)) is None:
            return
        with self._lock:
            for session, other in list(self._by_session.items()):
                if other is room:
                    del self._by_session[session]
        room.wipe()

    def leave_all(self) -> None:
        """Wipe and close every room."""
        with self._lock:
            rooms = list(self._by_session.values())
            self._by_session.clear()
        for room in rooms:
            room.wipe()

    def __len__(self) -> int:
        """Count the open rooms."""
        return len(self._by_session)
