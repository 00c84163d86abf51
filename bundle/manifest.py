"""The list of all files of a bundle with their SHA-256, and the check against it.

Also runs alone, inside the bundle: ``python manifest.py FOLDER``. So it imports nothing
but the standard library. It finds damage; whoever can change the files can change the
list too.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

NAME = "manifest.txt"
KEPT = "kept"
"""Folder of what the program writes while it is used; never on the list."""
_WRITTEN = (
    "parts/models/verified.json",
    "parts/packages/gradio/hash_seed.txt",  # a random number, made at the first start
)


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not as the list says; paths relative to the bundle, sorted."""

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.unknown)


def write(folder: Path) -> int:
    """Write the list, in the form that ``sha256sum -c`` reads.

    Returns:
        How many files are on it.
    """
    names = _names(folder)
    lines = [f"{_digest(folder / name)}  {name}\n" for name in names]
    (folder / NAME).write_text("".join(lines), "utf-8")
    return len(names)


def check(folder: Path) -> Difference:
    """Compare every byte with the list.

    Raises:
        ValueError: If the list is missing or is none.
    """
    listed = _listed(folder / NAME)
    there = set(_names(folder))
    return Difference(
        changed=tuple(
            name
            for name in sorted(listed.keys() & there)
            if _digest(folder / name) != listed[name]
        ),
        missing=tuple(sorted(listed.keys() - there)),
        unknown=tuple(sorted(there - listed.keys())),
    )


def _listed(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ValueError(f"{NAME} cannot be read.") from None
    listed = {name: digest for digest, _, name in (x.partition("  ") for x in lines)}
    if not listed or "" in listed:
        raise ValueError(f"{NAME} is not a list of files.")
    return listed


def _names(folder: Path) -> list[str]:
    names = (
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file()
    )
    return sorted(
        name
        for name in names
        if name != NAME and name not in _WRITTEN and not name.startswith(f"{KEPT}/")
    )


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return "unreadable"


def main(folder: Path) -> int:
    """Check and say what was found; gives the exit code."""
    try:
        found = check(folder)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for word in ("changed", "missing", "unknown"):
        for name in getattr(found, word):
            print(f"{word}: {name}")
    print("Not as it was made." if found else "All files are as they were made.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
