"""The empty folder that Gradio wants for temporary files, and those left by a kill."""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from pathlib import Path

_PREFIX = "notes-"
_OURS = re.compile(rf"{_PREFIX}[a-z0-9_]{{8}}")
_LEFT_AFTER_S = 24 * 3600.0
"""No sitting lasts so long; an empty folder this old belongs to a program that was
killed."""


def make() -> Path:
    """Make the folder, and take away empty ones that were left.

    Raises:
        OSError: If there is no room or no place for it.
    """
    _sweep(Path(tempfile.gettempdir()), time.time() - _LEFT_AFTER_S)
    return Path(tempfile.mkdtemp(prefix=_PREFIX))


def _sweep(folder: Path, before: float) -> None:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if not _OURS.fullmatch(path.name):
                continue
            # Only what is empty can be removed this way; nothing is lost by it.
            with contextlib.suppress(OSError):
                if not path.is_symlink() and path.stat().st_mtime < before:
                    path.rmdir()
