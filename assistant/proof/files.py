"""Watch files: what has changed since the beginning, and what was said in none."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import psutil

from assistant.proof import places, search
from assistant.proof.canary import Needle
from assistant.proof.places import Snapshot, State

MAX_SEARCHED_BYTES = 2 << 30
"""No talk makes a file like that; another program's would hold up the proof."""


class FileWatch:
    """Compares each look with the first one; searches whatever is other than then."""

    def __init__(self, where: tuple[Path, ...]) -> None:
        """Watch these places; ``begin`` takes down what is there."""
        self.places = where
        self.looks = 0
        self.changed: dict[str, str] = {}
        """Files that were new or other at a look, and when that was first seen."""
        self.new_folders: set[str] = set()
        self.hits: dict[str, set[str]] = {}
        """Where something that was said was found, and what it was."""
        self.unreadable: set[str] = set()
        self.not_watched: set[str] = set()
        self._needles: list[Needle] = []
        self._before: Snapshot | None = None
        self._searched: dict[str, tuple[State, int]] = {}

    @property
    def needles(self) -> tuple[Needle, ...]:
        """What is looked for so far."""
        return tuple(self._needles)

    def look_for(self, needles: Iterable[Needle]) -> None:
        """Look for this as well, from now on."""
        known = set(self._needles)
        self._needles += [needle for needle in needles if needle not in known]

    def begin(self) -> None:
        """Take down what is there before anything is said."""
        self._before = places.look(self.places)
        self.not_watched |= set(self._before.not_watched)
        places.settle()

    def look(self, when: str, pid: int | None = None) -> None:
        """Compare with the beginning, and search what has changed.

        Args:
            when: For the person: after what.
            pid: The program, where it still runs: the files it holds open, deleted ones
                too, are searched as well.
        """
        assert self._before is not None  # for the type checker; begin came first
        after = places.look(self.places)
        self.looks += 1
        self.not_watched |= set(after.not_watched)
        files, folders = places.changed(self._before, after)
        self.new_folders |= set(folders)
        for folder in folders:
            self._note(folder, search.look_into(Path(folder), self._needles))
        for path in files:
            self.changed.setdefault(path, when)
            self._search(path, after.files[path])
        if pid is not None:
            self._search_open(pid, when)

    def search_also(self, paths: Iterable[str]) -> list[str]:
        """Search files that lie elsewhere; gives those that are gone."""
        gone = []
        for path in paths:
            if path in self.changed or path in self.hits:
                continue
            if not os.path.lexists(path):
                gone.append(path)
                continue
            self._note(path, search.look_into(Path(path), self._needles))
        return gone

    def _search(self, path: str, state: State) -> None:
        seen, count = self._searched.get(path, (None, 0))
        # Only what is new: the file, or something to look for in it.
        new = self._needles if seen != state else self._needles[count:]
        if state[0] > MAX_SEARCHED_BYTES:
            self.not_watched.add(f"{path} (too large to search)")
        elif new:
            self._note(path, search.look_into(Path(path), new))
        self._searched[path] = (state, len(self._needles))

    def _note(self, path: str, found: tuple[str, ...] | None) -> None:
        if found is None:
            self.unreadable.add(path)
        elif found:
            self.hits.setdefault(path, set()).update(found)

    def _search_open(self, pid: int, when: str) -> None:
        for held, name in _held_open(pid):
            self.changed.setdefault(name, f"open {when}")
            with contextlib.suppress(OSError), open(held, "rb") as file:
                self._note(name, tuple(search.stream(file, self._needles)))


def _held_open(pid: int) -> list[tuple[str, str]]:
    """Give the files without a name in any folder that a program holds open (Linux)."""
    found = []
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return []
    for member in family:
        folder = f"/proc/{member.pid}/fd"
        with contextlib.suppress(OSError):
            for number in os.listdir(folder):
                held = f"{folder}/{number}"
                with contextlib.suppress(OSError):
                    name = os.readlink(held)
                    is_file = stat.S_ISREG(os.stat(held).st_mode)
                    if is_file and (name.endswith(" (deleted)")):
                        found.append((held, name))
    return found
