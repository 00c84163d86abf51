"""The places where a program can leave something, and what has changed in them."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

MAX_ENTRIES = 600_000
"""Files and folders of one place; beyond that, the rest of it is not watched."""
_SHARED_MEMORY = "/dev/shm"

State = tuple[int, int, int, int]
"""Size in bytes, time of change of content and of entry in ns, number of the file."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was there at one moment."""

    files: Mapping[str, State]
    folders: frozenset[str]
    not_watched: tuple[str, ...]
    """Places that could not be read, or not whole."""


def usual(home: Path) -> tuple[Path, ...]:
    """Give every place that a program of this account usually writes to.

    Args:
        home: Ebb's own home folder.
    """
    given = [
        home,
        home / ".cache",
        Path.cwd(),
        Path(tempfile.gettempdir()),
        Path("/tmp"),
        Path("/var/tmp"),
        Path(_SHARED_MEMORY),
        Path(platformdirs.user_cache_dir()),
        Path(platformdirs.user_config_dir()),
        Path(platformdirs.user_data_dir()),
        Path(platformdirs.user_state_dir()),
        Path(platformdirs.user_log_dir()),
        Path.home() / ".cache",
        Path.home() / ".config",
        Path.home() / ".local",
        Path.home() / ".gradio",
        Path.home() / ".chroma",
    ]
    given += [Path(v) for v in (os.environ.get("XDG_RUNTIME_DIR"),) if v]
    return _without_nested(path.resolve() for path in given if path.is_dir())


def _without_nested(places: Iterator[Path]) -> tuple[Path, ...]:
    kept: list[Path] = []
    for place in sorted(set(places)):
        if not any(place.is_relative_to(other) for other in kept):
            kept.append(place)
    return tuple(kept)


def look(places: tuple[Path, ...]) -> Snapshot:
    """Take down what is there now; no file is opened."""
    files: dict[str, State] = {}
    folders: set[str] = set()
    missed: list[str] = []
    for place in places:
        count = 0
        for path, state in _walk(str(place), missed):
            count += 1
            if count > MAX_ENTRIES:
                missed.append(f"{place} (more than {MAX_ENTRIES:,} files)")
                break
            if state is None:
                folders.add(path)
            else:
                files[path] = state
    return Snapshot(files, frozenset(folders), tuple(missed))


def _walk(folder: str, missed: list[str]) -> Iterator[tuple[str, State | None]]:
    """Yield what is in a folder and below; links are named and not followed."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            entries = list(os.scandir(here))
        except FileNotFoundError:
            continue
        except OSError:
            missed.append(here)
            continue
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    yield entry.path, None
                    waiting.append(entry.path)
                else:
                    seen = entry.stat(follow_symlinks=False)
                    state = (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
                    yield entry.path, (*state, seen.st_ino)
            except FileNotFoundError:
                continue  # gone in this moment
            except OSError:
                missed.append(entry.path)


def changed(before: Snapshot, after: Snapshot) -> tuple[list[str], list[str]]:
    """Give the files that are new or other than before, and the new folders."""
    files = [p for p, state in after.files.items() if before.files.get(p) != state]
    return sorted(files), sorted(after.folders - before.folders)


def settle() -> None:
    """Wait until a write that follows now has another time than one before."""
    time.sleep(0.02)  # the coarsest clock of a file system in wide use ticks at 10 ms
