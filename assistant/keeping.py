"""What a tab keeps: a pad for this sitting alone, or the notebook while it is unlocked.

The tools are the same on both. A pad is memory and nothing else. Only one tab has the
notebook open; to every other tab it is locked. It locks when that tab is left or wiped,
and by itself after a while without use.

Thread-safe. Making a key takes about a second, and leaving never waits for that.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Final

from assistant import notebook as notes
from assistant.errors import NotebookLockedError
from assistant.notebook import Entry, Kind, Notebook, Wave
from assistant.store import Store, StoreState

IDLE_S: Final = 300
"""How long an unlocked notebook waits for its person."""

_TICK_S = 2.0
_LOCKED = "The notebook is locked."


class Where(StrEnum):
    """Where the notes of a tab are."""

    SITTING = "sitting"
    LOCKED = "locked"
    NOTEBOOK = "notebook"


def since_start_s() -> float:
    """Give the seconds since the computer started, its sleep included where known."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class Keeper:
    """The notebook as all tabs share it: knows which of them has it open."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        clock: Callable[[], float] = since_start_s,
        idle_s: float = IDLE_S,
    ) -> None:
        """Look after a store.

        Args:
            store: The one file.
            now: Gives the date and time, with a zone, that a note shows.
            new_id: Gives an id that no note has.
            clock: Gives seconds that only ever grow.
            idle_s: After so long without use the notebook locks.
        """
        self.store = store
        self.now, self.new_id = now, new_id
        self.idle_s = idle_s
        self._clock = clock
        self._holder: Pad | None = None
        self._used_s = 0.0
        self._gate = threading.RLock()
        self._ended = threading.Event()

    @property
    def gate(self) -> threading.RLock:
        """Held for as long as notes are changed, and never while a key is made."""
        return self._gate

    def new_pad(self) -> Pad:
        """Give a tab its pad."""
        return Pad(self)

    def has(self, pad: Pad) -> bool:
        """Tell whether this pad's tab has the notebook open."""
        with self._gate:
            return self._holder is pad and self.store.state is StoreState.OPEN

    def touch(self, pad: Pad) -> None:
        """Take note that the person is there."""
        if self.has(pad):
            self._used_s = self._clock()

    def hand_to(self, pad: Pad) -> None:
        """Let this pad, and no other, have the open notebook."""
        with self._gate:
            self._holder = pad
            self._used_s = self._clock()
            self._ended.set()
            self._ended = threading.Event()
            watch = threading.Thread(
                target=self._watch, args=(self._ended,), name="notes", daemon=True
            )
            watch.start()

    def take_from(self, pad: Pad) -> None:
        """Lock the notebook, unless the tab of another pad has it."""
        with self._gate:
            if self._holder in (None, pad):
                self._lock()

    def lock_if_idle(self) -> None:
        """Lock the notebook where nobody has used it for long enough."""
        with self._gate:
            is_idle = self._clock() - self._used_s >= self.idle_s
            if self._holder is not None and is_idle:
                self._lock()

    def _lock(self) -> None:
        self._holder = None
        self._ended.set()
        self.store.lock()

    def _watch(self, ended: threading.Event) -> None:
        while not ended.wait(min(_TICK_S, self.idle_s / 4)):
            self.lock_if_idle()


class Pad:
    """One tab's notes."""

    def __init__(self, keeper: Keeper) -> None:
        """Begin with nothing."""
        self._keeper = keeper
        self._pad = Notebook()
        self._wipes = 0
        self._gate = keeper.gate

    @property
    def where(self) -> Where:
        """Tell where the notes of this tab are now."""
        self._keeper.lock_if_idle()
        if self._keeper.has(self):
            return Where.NOTEBOOK
        is_off = self._keeper.store.state is StoreState.OFF
        return Where.SITTING if is_off else Where.LOCKED

    @property
    def is_elsewhere(self) -> bool:
        """Tell whether another tab of this program has the notebook open."""
        is_open = self._keeper.store.state is StoreState.OPEN
        return is_open and not self._keeper.has(self)

    @property
    def notebook(self) -> Notebook:
        """Give the notes.

        Raises:
            NotebookLockedError: If the notebook is on and locked for this tab.
        """
        match self.where:
            case Where.SITTING:
                return self._pad
            case Where.NOTEBOOK:
                return self._keeper.store.notebook
        raise NotebookLockedError(_LOCKED)

    @property
    def waiting(self) -> int:
        """How many notes of this sitting wait for the notebook to be unlocked."""
        return len(self._pad.entries) if self.where is Where.LOCKED else 0

    def touch(self) -> None:
        """Take note that the person is there."""
        self._keeper.touch(self)

    def add(self, kind: Kind, text: str, more: str = "") -> None:
        """Add a note.

        Raises:
            NoteError: If it is empty or too long.
            StoreError: If it cannot be kept; what was there before still is.
        """
        self._add(kind, text, more)

    def add_wave(self, wave: Wave, text: str = "") -> None:
        """Add a wave; where the notebook is locked, it waits until it is unlocked.

        Raises:
            NoteError: If it is none.
            StoreError: If it cannot be kept.
        """
        self._add(Kind.WAVE, text, wave=wave, may_wait=True)

    def edit(
        self, entry_id: str, text: str, more: str = "", helped: Sequence[str] = ()
    ) -> None:
        """Change a note; ``helped`` counts for a wave alone."""
        self._change(
            lambda all_notes: notes.edit(
                all_notes, entry_id, text=text, more=more, helped=helped
            )
        )

    def erase(self, entry_id: str) -> None:
        """Take a note out."""
        self._change(lambda all_notes: notes.erase(all_notes, entry_id))

    def as_text(self, zone: tzinfo | None = None) -> str:
        """Give all notes as plain text."""
        return notes.as_text(self.notebook, zone)

    # --- The notebook itself ----------------------------------------------------------

    def turn_on(self, passphrase: str) -> None:
        """Make the notebook, with what is on the pad in it.

        Raises:
            NoteError: If the passphrase is too short or too long.
            StoreError: If it cannot be made.
        """
        wipes = self._wipes
        self._keeper.store.create(passphrase, self._pad)
        self._take(wipes)

    def unlock(self, passphrase: str) -> None:
        """Open the notebook in this tab; what waits on the pad goes in.

        Raises:
            PassphraseError: If that is not the passphrase.
            StoreError: If it cannot be opened.
        """
        wipes = self._wipes
        self._keeper.store.unlock(passphrase)
        self._take(wipes)

    def _take(self, wipes: int) -> None:
        """Have the open notebook, unless the person has left in the meantime."""
        with self._gate:
            if self._wipes != wipes:
                self._keeper.take_from(self)
                raise NotebookLockedError(_LOCKED)
            self._keeper.hand_to(self)
            written = self._keeper.store.notebook
            joined = notes.join(written, self._pad)
            if joined != written:
                self._keeper.store.save(joined)
            self._pad = Notebook()

    def lock(self) -> None:
        """Lock the notebook, if this tab has it."""
        if self._keeper.has(self):
            self._keeper.take_from(self)

    def change_passphrase(self, old: str, new: str) -> None:
        """Encrypt the notebook anew; see ``Store.change_passphrase``."""
        if self.where is not Where.NOTEBOOK:
            raise NotebookLockedError(_LOCKED)
        self._keeper.store.change_passphrase(old, new)

    def erase_all(self) -> None:
        """Erase every note of this sitting, and the notebook with its file."""
        with self._gate:
            self._pad = Notebook()
        if self._keeper.store.state is not StoreState.OFF:
            self._keeper.store.erase()

    def set_aside(self) -> str:
        """Keep a file that will not open under another name; gives that name."""
        return self._keeper.store.set_aside()

    def wipe(self) -> None:
        """Forget what this sitting holds, and lock the notebook if this tab has it."""
        self._wipes += 1
        with self._gate:
            self._pad = Notebook()
        self.lock()

    def _add(
        self,
        kind: Kind,
        text: str,
        more: str = "",
        *,
        wave: Wave | None = None,
        may_wait: bool = False,
    ) -> None:
        made = Entry(self._keeper.new_id(), kind, self._keeper.now(), text, more, wave)
        with self._gate:
            if may_wait and self.where is Where.LOCKED:
                self._pad = notes.add(self._pad, made)
            else:
                self._change(lambda all_notes: notes.add(all_notes, made))

    def _change(self, act: Callable[[Notebook], Notebook]) -> None:
        with self._gate:
            changed = act(self.notebook)
            if self.where is Where.SITTING:
                self._pad = changed
            else:
                self._keeper.store.save(changed)
