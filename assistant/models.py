"""Weight files: what each must be, where it lies, and whether it is there and whole.

Knows no library that reads weights and never goes to the network; ``fetch.py`` does.
"""

from __future__ import annotations

import hashlib
import json
import os
from enum import StrEnum
from pathlib import Path
from typing import Any

from assistant.errors import ContentError, MemoryShortError, ModelFileError
from assistant.models_registry import (
    CarrierPart,
    HubFile,
    Kind,
    Model,
    ModelFile,
    Registry,
)
from assistant.reading import from_json

__all__ = [
    "CarrierPart",
    "HubFile",
    "Kind",
    "Model",
    "ModelFile",
    "ModelFolder",
    "Registry",
    "State",
    "best_llm_there",
    "choose_llm",
    "hash_file",
    "say_bytes",
]

_BLOCK_BYTES = 1 << 20
_STAMPS = "verified.json"


class State(StrEnum):
    """Whether the files of a model can be used."""

    READY = "ready"
    MISSING = "missing"
    DAMAGED = "damaged"


def choose_llm(registry: Registry, *, memory_bytes: int, hub_in_reach: bool) -> Model:
    """Choose the language model to fetch for a computer.

    Args:
        registry: What there is.
        memory_bytes: Total memory of the computer.
        hub_in_reach: Whether models without a carrier can be fetched.

    Returns:
        The largest recommended one that memory allows, else the default one.

    Raises:
        ContentError: If the registry has no default language model.
    """
    llms = registry.of_kind(Kind.LLM)
    floors = {
        model.recommended_from_memory_bytes: model
        for model in llms
        if model.recommended_from_memory_bytes is not None
        and model.recommended_from_memory_bytes <= memory_bytes
        and (hub_in_reach or all(file.parts for file in model.files))
    }
    if floors:
        return floors[max(floors)]
    for model in llms:
        if model.default:
            return model
    raise ContentError("models/registry.toml has no default language model.")


def best_llm_there(
    folder: ModelFolder, *, memory_bytes: int, free_bytes: int | None = None
) -> Model | None:
    """Give the language model to use: the one recommended here, else the default one.

    A model that is neither is never chosen by itself: some are there for tests only.

    Args:
        folder: Where they lie.
        memory_bytes: Total memory of the computer.
        free_bytes: What of it is free now: where that is too little for the
            recommended one, a smaller one is taken. None means enough.

    Raises:
        MemoryShortError: If there are models, and memory for none of them.
    """
    there = tuple(
        model
        for model in folder.registry.of_kind(Kind.LLM)
        if (model.default or model.recommended_from_memory_bytes is not None)
        and folder.state(model) is State.READY
    )
    fitting = tuple(model for model in there if _has_room(model, free_bytes))
    if there and not fitting:
        smallest = min(there, key=lambda model: model.bytes)
        raise MemoryShortError(
            f"{smallest.name} needs {say_bytes(smallest.bytes)} of free memory; "
            "closing other programs and starting Ebb again may help."
        )
    try:
        return choose_llm(
            Registry(fitting), memory_bytes=memory_bytes, hub_in_reach=True
        )
    except ContentError:
        return None


def _has_room(model: Model, free_bytes: int | None) -> bool:
    """Tell whether a model may be loaded.

    Swapping helps the default one along: only where not even its weights find room, the
    system would end the whole program.
    """
    if free_bytes is None:
        return True
    needs = model.bytes if model.default else model.memory_bytes
    return needs <= free_bytes


class ModelFolder:
    """The folder of weight files on this computer.

    A file that was hashed once gets a stamp with its size and time of change, so that
    a start does not read gigabytes; a file that changed since is hashed again.
    """

    def __init__(self, registry: Registry, path: Path) -> None:
        """Take the folder as it is; it need not exist yet."""
        self.registry = registry
        self.path = path

    def file_path(self, file: ModelFile) -> Path:
        """Give the place of one file, whether it is there or not."""
        return self.path / file.path

    def locate(self, name: str) -> Path:
        """Give the place of a model: its only file, or the folder of several."""
        model = self.registry.get(name)
        first = self.file_path(model.files[0])
        return first if len(model.files) == 1 else first.parent

    def require(self, name: str) -> Path:
        """Give the place of a model that is there and whole.

        Raises:
            ModelFileError: If a file is missing or damaged; says which, and what to do.
        """
        model = self.registry.get(name)
        for file in model.files:
            state = self.file_state(file)
            if state is State.READY:
                continue
            place = self.file_path(file)
            raise ModelFileError(
                f"The model file {place.name} is {state} in {place.parent}; fetch it "
                f"with “ebb models pull {name}”."
            )
        return self.locate(name)

    def state(self, model: Model, *, thorough: bool = False) -> State:
        """Tell whether a model can be used.

        Args:
            model: Which one.
            thorough: Read every byte, whatever the stamps say.
        """
        states = {self.file_state(file, thorough=thorough) for file in model.files}
        for state in (State.DAMAGED, State.MISSING):
            if state in states:
                return state
        return State.READY

    def file_state(self, file: ModelFile, *, thorough: bool = False) -> State:
        """Tell whether one file can be used; see ``state``."""
        place = self.file_path(file)
        try:
            found = place.stat()
            if found.st_size != file.bytes:
                return State.DAMAGED
            mark = [found.st_size, found.st_mtime_ns]
            stamp = None if thorough else self._stamps().get(file.path)
            # Any other stamp, a damaged one too, only means: read the file.
            if stamp == [*mark, file.sha256]:
                return State.READY
            digest = hash_file(place)
            self._write_stamp(file.path, [*mark, digest])
        except FileNotFoundError:
            return State.MISSING
        except OSError:
            return State.DAMAGED
        return State.READY if digest == file.sha256 else State.DAMAGED

    def accept(self, file: ModelFile, arrived: Path, digest: str) -> bool:
        """Move a file that was fetched to its place, if it is what it should be.

        Args:
            file: What it should be.
            arrived: Where it is now, on the same disk.
            digest: Its SHA-256.

        Returns:
            False if it is something else; then it stays where it was.
        """
        if digest != file.sha256 or arrived.stat().st_size != file.bytes:
            return False
        place = self.file_path(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(arrived, place)
        found = place.stat()
        self._write_stamp(file.path, [found.st_size, found.st_mtime_ns, digest])
        return True

    def _stamps(self) -> dict[str, list[Any]]:
        try:
            raw = from_json((self.path / _STAMPS).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(raw, dict):
            return {}
        return {
            key: value
            for key, value in raw.items()
            if isinstance(value, list) and len(value) == 3
        }

    def _write_stamp(self, path: str, stamp: list[Any]) -> None:
        stamps = self._stamps() | {path: stamp}
        fresh = self.path / f"{_STAMPS}.{os.getpid()}.new"
        try:
            fresh.write_text(json.dumps(stamps, indent=1), "utf-8")
            os.replace(fresh, self.path / _STAMPS)
        except OSError:
            # A stamp only saves time: on a full or read-only disk we hash each time.
            fresh.unlink(missing_ok=True)


def hash_file(path: Path) -> str:
    """Give the SHA-256 of a file in lower-case hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def say_bytes(count: int) -> str:
    """Write a size for people, in decimal units: “1.1 GB”, “23 MB”."""
    if count >= 1_000_000_000:
        return f"{count / 1e9:.1f}".removesuffix(".0") + " GB"
    if count >= 1_000_000:
        return f"{count / 1e6:.0f} MB"
    return f"{max(1, round(count / 1e3))} kB"
