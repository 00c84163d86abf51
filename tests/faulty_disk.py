"""A disk in memory that loses power, fills up and fails whenever a test wants.

It remembers what would survive: the content of a file only once it was synced, else
any beginning of it; the names of a folder only once the folder was synced, else the
changes up to some point, in their order.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import StoreBusyError, StoreError, StoreFullError
from assistant.ports import Disk


class PowerLoss(BaseException):
    """The computer goes out. Not an ``Exception``: nothing of ours may catch it."""


@dataclass
class _File:
    content: bytes = b""
    is_synced: bool = False


class FaultyDisk(Disk):
    """``steps_left`` counts down with every byte and every call; at 0 power is lost."""

    def __init__(self, steps_left: int | None = None) -> None:
        self.steps_left = steps_left
        self.steps = 0
        self.room_bytes: int | None = None
        self.failing: set[str] = set()
        """Names of methods that now fail."""
        self._names: dict[Path, _File] = {}
        self._durable: dict[Path, _File] = {}
        self._changes: list[Callable[[dict[Path, _File]], None]] = []
        self._holders: set[Path] = set()

    def files(self) -> dict[str, bytes]:
        return {path.name: file.content for path, file in self._names.items()}

    def put(self, path: Path, content: bytes) -> None:
        """Put a file there from outside, synced."""
        self._names[path] = self._durable[path] = _File(content, True)

    def start_anew(self, chance: random.Random) -> None:
        """Begin again after a power loss, with what chance has kept."""
        for change in self._changes[: chance.randint(0, len(self._changes))]:
            change(self._durable)
        for file in self._durable.values():
            if not file.is_synced:
                file.content = file.content[: chance.randint(0, len(file.content))]
                file.is_synced = True
        self._names = dict(self._durable)
        self._changes, self._holders, self.steps_left = [], set(), None

    def exists(self, path: Path) -> bool:
        return path in self._names

    def read(self, path: Path, most_bytes: int) -> bytes | None:
        self._step("read")
        file = self._names.get(path)
        return None if file is None else file.content[:most_bytes]

    def write_new(self, path: Path, content: bytes) -> None:
        self._step("write_new")
        if path in self._names:
            raise StoreError("There is such a file.")
        file = _File()
        self._change(lambda names: names.__setitem__(path, file))
        for place in range(len(content)):
            self._step("write_new")
            if self.room_bytes is not None and place >= self.room_bytes:
                raise StoreFullError("Full.")
            file.content += content[place : place + 1]
        self._step("write_new")
        file.is_synced = True
        self._step("write_new")

    def replace(self, path: Path, target: Path) -> None:
        self._step("replace")

        def move(names: dict[Path, _File]) -> None:
            names[target] = names.pop(path)

        self._change(move)
        self._step("replace")

    def sync_folder(self, folder: Path) -> None:
        self._step("sync_folder")
        for change in self._changes:
            change(self._durable)
        self._changes = []
        self._step("sync_folder")

    def blot_out(self, path: Path) -> None:
        self._step("blot_out")
        file = self._names[path]
        file.is_synced = False
        file.content = bytes(len(file.content))
        self._step("blot_out")
        file.is_synced = True

    def remove(self, path: Path) -> None:
        self._step("remove")
        if path in self._names:
            self._change(lambda names: names.pop(path, None))
        self._step("remove")

    def hold(self, path: Path) -> Callable[[], None]:
        self._step("hold")
        if path in self._holders:
            raise StoreBusyError("Busy.")
        self._holders.add(path)
        return lambda: self._holders.discard(path)

    def _change(self, change: Callable[[dict[Path, _File]], object]) -> None:
        change(self._names)
        self._changes.append(change)  # type: ignore[arg-type]  # nobody asks for a result

    def _step(self, name: str) -> None:
        if name in self.failing:
            raise StoreError("It failed.")
        self.steps += 1
        if self.steps_left is not None:
            if self.steps_left == 0:
                raise PowerLoss
            self.steps_left -= 1
