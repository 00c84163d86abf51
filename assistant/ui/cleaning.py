"""Delete what the program made for itself in its cache folder, and nothing else.

Nothing a person said is in there: only the search index of our own texts, and the state
of the fixed prompt. Both are made anew at the next start.
"""

from __future__ import annotations

import shutil
from pathlib import Path

# As the adapters name them; ``.part`` is what a write that was cut off leaves behind.
_FILES = ("index.key", "index.lock", "index.part", "prompt-*.bin", "prompt-*.part")
_FOLDERS = ("index",)


def clear(folder: Path) -> bool:
    """Delete our files, and the folder if nothing else is in it.

    Returns:
        True if nothing of ours is left.
    """
    if folder.is_symlink():
        return False  # somebody put it elsewhere: that is not ours to empty
    for path in _ours(folder):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            _delete(path)
    left = bool(_ours(folder))
    try:
        folder.rmdir()
    except OSError:
        pass  # not there, or something in it that is not ours
    return not left


def count_bytes(folder: Path) -> int:
    """Tell how much room our files there take."""
    files = [path for found in _ours(folder) for path in (found, *found.rglob("*"))]
    try:
        return sum(path.stat().st_size for path in files if path.is_file())
    except OSError:
        return 0


def _ours(folder: Path) -> list[Path]:
    return [path for name in (*_FOLDERS, *_FILES) for path in folder.glob(name)]


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass  # in use, or not ours to delete: ``clear`` says that it is left
