"""Look into a file for what must not be there: as it is, and unpacked."""

from __future__ import annotations

import gzip
import stat
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from assistant.proof.canary import Needle, find, longest

_BLOCK_BYTES = 8 << 20
MAX_UNPACKED_BYTES = 256 << 20
"""Of one packed file; enough for anything a talk could leave."""


def look_into(path: Path, needles: Sequence[Needle]) -> tuple[str, ...] | None:
    """Tell what of the needles is in a file or in its name; None: it cannot be read.

    Zip and gzip are unpacked; a database is searched as the bytes it is.
    """
    named = find(str(path).encode("utf-8", "surrogateescape"), needles)
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return named  # a socket or a link has a name and nothing else
        with path.open("rb") as file:
            found = [*named, *stream(file, needles)]
        found += _packed(path, needles)
    except FileNotFoundError:
        return named  # gone in this moment
    except OSError:
        return named or None
    return tuple(dict.fromkeys(found))


def stream(
    file: BinaryIO, needles: Sequence[Needle], limit: int | None = None
) -> list[str]:
    """Tell what of the needles is in a stream of bytes, up to a limit in bytes."""
    found: list[str] = []
    overlap = longest(needles)
    rest, read = b"", 0
    while block := file.read(_BLOCK_BYTES):
        read += len(block)
        data = rest + block
        found += find(data, needles)
        rest = data[-overlap:] if overlap else b""
        if limit is not None and read >= limit:
            break
    return found


def _packed(path: Path, needles: Sequence[Needle]) -> list[str]:
    found: list[str] = []
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    with archive.open(name) as member:
                        found += stream(member, needles, MAX_UNPACKED_BYTES)  # type: ignore[arg-type]  # it reads like a file
            return found
        with path.open("rb") as file:
            if file.read(2) != b"\x1f\x8b":
                return found
            file.seek(0)
            with gzip.open(file) as unpacked:
                found += stream(unpacked, needles, MAX_UNPACKED_BYTES)  # type: ignore[arg-type]  # it reads like a file
    except (
        zipfile.BadZipFile,
        gzip.BadGzipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ):
        pass  # it only looked like one; its bytes have been searched as they are
    return found
