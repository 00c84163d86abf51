"""The notebook on disk: one encrypted file, and the only writer of what a person says.

Nothing is there until the person turns it on. Each change writes the whole file anew
beside the old one, waits until it has reached the disk, and then gives it the old one's
name in one step: whatever happens in between, one of the two is there and whole. While
it is unlocked, no other program can open it.

Locking forgets the key and the notes as well as Python lets a program forget.

Does not protect: from someone who watches the screen or the keyboard, from someone who
makes the person unlock it, or while it is unlocked.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Final

from assistant import notebook as notes
from assistant.errors import (
    NotebookLockedError,
    NoteError,
    StoreChangedError,
    StoreError,
)
from assistant.notebook import Notebook
from assistant.ports import Disk, Key, Vault

MIN_PASSPHRASE_CHARS: Final = 12
MAX_PASSPHRASE_CHARS: Final = 1_000

_MOST_FILE_BYTES = 4 * notes.MAX_BYTES
"""Beyond what the padding makes of the fullest notebook."""

_LOCKED = "The notebook is locked."
_OFF = "There is no notebook yet."
_THERE = (
    "There is a notebook already, so no new one was made. You can unlock it, put it "
    "aside, or erase it."
)
_CHANGED = (
    "The notes file was changed or taken away by something else, so nothing was saved. "
    "You can save what is open here as plain text, then lock the notebook and unlock "
    "it again."
)
_SHORT = f"A passphrase needs at least {MIN_PASSPHRASE_CHARS} characters."
_LONG = f"A passphrase may have at most {MAX_PASSPHRASE_CHARS:,} characters."


class StoreState(StrEnum):
    """Whether there is a notebook, and whether it can be read now."""

    OFF = "off"
    LOCKED = "locked"
    OPEN = "open"


@dataclass(slots=True)
class _Opened:
    """What is known while the notebook is unlocked, and no longer."""

    key: Key = field(repr=False)
    notebook: Notebook = field(repr=False)
    fingerprint: bytes = field(repr=False)
    """The fingerprint of the file as it was last read or written."""


class Store:
    """The one file. Safe to use from several threads.

    Making a key takes about a second and never holds up ``lock``.
    """

    def __init__(self, path: Path, disk: Disk, vault: Vault) -> None:
        """Look after a file that may be there or not; nothing is read yet."""
        # A link is followed once, so that the new file lies where the old one does.
        self._path = path.resolve()
        self._new = self._path.with_name(f"{path.name}.new")
        self._held = self._path.with_name(f"{path.name}.lock")
        self._disk, self._vault = disk, vault
        self._opened: _Opened | None = None
        self._release: Callable[[], None] | None = None
        self._lockings = 0
        self._quick = threading.Lock()
        self._slow = threading.Lock()

    @property
    def state(self) -> StoreState:
        """Tell whether there is a notebook, and whether it is unlocked."""
        if self._opened is not None:
            return StoreState.OPEN
        is_there = self._disk.exists(self._path)
        return StoreState.LOCKED if is_there else StoreState.OFF

    @property
    def notebook(self) -> Notebook:
        """Give the notes.

        Raises:
            NotebookLockedError: If it is not unlocked.
        """
        return self._open().notebook

    def create(self, passphrase: str, notebook: Notebook) -> None:
        """Make the file, with a first content; the notebook is then unlocked.

        Raises:
            NoteError: If the passphrase is too short or too long.
            StoreError: If there is a file already, or it cannot be written.
        """
        check_passphrase(passphrase)
        with self._slow, self._holding() as lockings:
            if self._disk.exists(self._path):
                raise StoreError(_THERE)
            key = self._vault.new_key(passphrase)
            with self._quick:
                self._refuse_if_locked_since(lockings, key)
                written = self._write(notebook, key, before=None)
                self._opened = _Opened(key, notebook, written)
                self._disk.sync_folder(self._path.parent)

    def unlock(self, passphrase: str) -> Notebook:
        """Open the notebook, or check a passphrase against one that is open.

        Raises:
            PassphraseError: If that is not the passphrase, or the file was damaged.
            StoreError: If it cannot be read, or another program has it.
        """
        with self._slow, self._holding() as lockings:
            sealed = self._read()
            key = self._vault.key_of(sealed, passphrase)
            notebook = notes.from_bytes(self._vault.open(sealed, key))
            with self._quick:
                self._refuse_if_locked_since(lockings, key)
                if self._opened is None:
                    self._opened = _Opened(key, notebook, _print_of(sealed))
                else:
                    key.forget()
                return self._opened.notebook

    def save(self, notebook: Notebook) -> None:
        """Write the notebook; on an error, the old one stays, here and on disk.

        Raises:
            StoreChangedError: If the file is not the one that was last written.
            StoreError: If it is locked or cannot be written.
        """
        with self._quick:
            opened = self._open()
            opened.fingerprint = self._write(notebook, opened.key, opened.fingerprint)
            opened.notebook = notebook
            self._disk.sync_folder(self._path.parent)

    def change_passphrase(self, old: str, new: str) -> None:
        """Encrypt anew under another passphrase; the old one is asked for again.

        Raises:
            NoteError: If the new one is too short or too long.
            PassphraseError: If the old one does not fit.
            StoreError: If it is locked or cannot be written.
        """
        check_passphrase(new)
        with self._slow, self._holding() as lockings:
            self._open()
            sealed = self._read()
            old_key = self._vault.key_of(sealed, old)
            self._vault.open(sealed, old_key)
            old_key.forget()
            key = self._vault.new_key(new)
            with self._quick:
                self._refuse_if_locked_since(lockings, key)
                opened = self._open()
                opened.fingerprint = self._write(
                    opened.notebook, key, opened.fingerprint
                )
                opened.key.forget()
                opened.key = key
                self._disk.sync_folder(self._path.parent)

    def lock(self) -> None:
        """Forget the key and the notes; nothing happens where it is locked."""
        with self._quick:
            self._lockings += 1
            self._forget()

    def erase(self) -> None:
        """Take the file away for good, as well as the disk lets that be done.

        On a solid-state drive, and in backups, old copies may outlive it; they stay
        encrypted.

        Raises:
            StoreError: If another program has it, or it cannot be removed.
        """
        with self._slow, self._holding() as lockings, self._quick:
            self._refuse_if_locked_since(lockings)
            # Under the other name it is gone at the next start in any case.
            if self._disk.exists(self._path):
                self._disk.replace(self._path, self._new)
                self._disk.sync_folder(self._path.parent)
                with suppress(StoreError):
                    self._disk.blot_out(self._new)
            self._disk.remove(self._new)
            self._disk.sync_folder(self._path.parent)
            self._forget()
            with suppress(StoreError):
                self._disk.remove(self._held)

    def set_aside(self) -> str:
        """Keep a file that cannot be opened under another name; gives that name.

        Raises:
            StoreError: If there is none, another program has it, or it cannot be moved.
        """
        with self._slow, self._holding() as lockings, self._quick:
            self._refuse_if_locked_since(lockings)
            if not self._disk.exists(self._path):
                raise StoreError(_OFF)
            names = (self._path.with_name(f"{self._path.name}.{n}") for n in count(1))
            target = next(name for name in names if not self._disk.exists(name))
            self._disk.replace(self._path, target)
            self._disk.sync_folder(self._path.parent)
            self._forget()
            return target.name

    def _open(self) -> _Opened:
        if (opened := self._opened) is None:
            raise NotebookLockedError(_LOCKED)
        return opened

    @contextmanager
    def _holding(self) -> Iterator[int]:
        """Keep other programs out, for as long as this leaves the notebook open."""
        with self._quick:
            lockings = self._lockings
            if self._release is None:
                self._release = self._disk.hold(self._held)
                try:
                    # Left by a program that was ended while it wrote.
                    self._disk.remove(self._new)
                except StoreError:
                    self._forget()
                    raise
        try:
            yield lockings
        finally:
            with self._quick:
                if self._opened is None:
                    self._forget()

    def _forget(self) -> None:
        opened, self._opened = self._opened, None
        release, self._release = self._release, None
        if opened is not None:
            opened.key.forget()
        if release is not None:
            release()

    def _refuse_if_locked_since(self, lockings: int, *keys: Key) -> None:
        """Stop where the person left or locked while the key was being made."""
        if self._lockings != lockings:
            for key in keys:
                key.forget()
            raise NotebookLockedError(_LOCKED)

    def _read(self) -> bytes:
        sealed = self._disk.read(self._path, _MOST_FILE_BYTES)
        if sealed is None:
            raise StoreError(_OFF)
        return sealed

    def _write(self, notebook: Notebook, key: Key, before: bytes | None) -> bytes:
        """Put a new file in the old one's place; gives its fingerprint.

        The caller remembers that, and only then waits for the folder to be written.
        """
        present = self._disk.read(self._path, _MOST_FILE_BYTES)
        if (None if present is None else _print_of(present)) != before:
            raise StoreChangedError(_CHANGED)
        sealed = self._vault.seal(notes.to_bytes(notebook), key)
        try:
            self._disk.remove(self._new)
            self._disk.write_new(self._new, sealed)
            self._disk.replace(self._new, self._path)
        except StoreError:
            with suppress(StoreError):
                self._disk.remove(self._new)
            raise
        return _print_of(sealed)


def check_passphrase(passphrase: str) -> None:
    """Refuse a passphrase that is too short to protect anything.

    Raises:
        NoteError: If it is too short or too long; says which.
    """
    if len("".join(passphrase.split())) < MIN_PASSPHRASE_CHARS:
        raise NoteError(_SHORT)
    if len(passphrase) > MAX_PASSPHRASE_CHARS:
        raise NoteError(_LONG)


def _print_of(sealed: bytes) -> bytes:
    return hashlib.sha256(sealed).digest()
