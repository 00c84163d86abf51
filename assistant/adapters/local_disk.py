"""``Disk`` over the operating system: what is written is there, and nobody else's.

Each method is one step. What the steps mean together is the store's business.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assistant.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreDeniedError,
    StoreError,
    StoreFullError,
)
from assistant.ports import Disk

_MODE = 0o600
_BINARY: int = getattr(os, "O_BINARY", 0)
_NOT_FOLLOWED: int = getattr(os, "O_NOFOLLOW", 0)
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
# Some file systems cannot be asked to write a folder down, and say so this way.
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
_BLOCK_BYTES = 1 << 16

_FULL_LINE = (
    "The disk is full, so nothing was saved. What was saved before is still there; "
    "make some room, then try again."
)
_DENIED_LINE = (
    "This program may not read or write the notes file in its folder. "
    "Nothing was changed; check who may write there."
)
_FAILED_LINE = (
    "The disk did not do what it was asked, so this may not be saved. "
    "What was saved before was not touched."
)
_BUSY_LINE = (
    "The notebook is open in another Ebb that runs on this computer. "
    "Lock it or close that one first."
)
_TOO_LONG_LINE = (
    "The notes file is far larger than Ebb would write it, so it was not opened. "
    "It was not changed."
)


class LocalDisk(Disk):
    """Files of this computer, readable by their owner alone."""

    def exists(self, path: Path) -> bool:
        """Tell whether there is such a file."""
        return path.exists()

    def read(self, path: Path, most_bytes: int) -> bytes | None:
        """Read a file whole."""
        with _told():
            try:
                with path.open("rb") as file:
                    content = file.read(most_bytes + 1)
            except FileNotFoundError:
                return None
        if len(content) > most_bytes:
            raise StoreDamagedError(_TOO_LONG_LINE)
        return content

    def write_new(self, path: Path, content: bytes) -> None:
        """Write a file of our own; fails where there is one already."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | _NOT_FOLLOWED
        with _told():
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(path, flags, _MODE), "wb") as file:
                file.write(content)
                file.flush()
                _sync(file.fileno())

    def replace(self, path: Path, target: Path) -> None:
        """Give a file another name, in one step."""
        with _told():
            os.replace(path, target)

    def sync_folder(self, folder: Path) -> None:
        """Wait until the folder's names are written; Windows does that by itself."""
        if sys.platform == "win32":
            return
        with _told():
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            except OSError as error:
                if error.errno not in _CANNOT_SYNC:
                    raise
            finally:
                os.close(handle)

    def blot_out(self, path: Path) -> None:
        """Write random bytes over a file, where it lies."""
        with _told(), path.open("r+b") as file:
            left = path.stat().st_size
            while left > 0:
                left -= file.write(os.urandom(min(left, _BLOCK_BYTES)))
            file.flush()
            _sync(file.fileno())

    def remove(self, path: Path) -> None:
        """Remove a file, if it is there."""
        with _told():
            path.unlink(missing_ok=True)

    def hold(self, path: Path) -> Callable[[], None]:
        """Take the operating system's lock; it ends with this program in any case."""
        from filelock import FileLock, Timeout

        # Taken in one thread, given back in another.
        lock = FileLock(path, timeout=0, mode=_MODE, thread_local=False)
        with _told():
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                lock.acquire()
            except Timeout:
                raise StoreBusyError(_BUSY_LINE) from None

        return lock.release


def _sync(handle: int) -> None:
    """Wait until a file's content is on the disk itself, as far as one can ask."""
    if sys.platform == "darwin":
        import fcntl

        # There, fsync stops at the drive's own memory.
        with suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


@contextmanager
def _told() -> Iterator[None]:
    """Turn the system's errors into ours; theirs name paths and speak in codes."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreFullError(_FULL_LINE) from None
        if error.errno in _DENIED:
            raise StoreDeniedError(_DENIED_LINE) from None
        raise StoreError(_FAILED_LINE) from None
