"""The records of ``models/registry.toml``, and reading them with every key checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from assistant.errors import ContentError, UsageError
from assistant.reading import from_toml

_SHA256 = re.compile(r"[0-9a-f]{64}")
_T = TypeVar("_T")
_D = TypeVar("_D")


class Kind(StrEnum):
    """What a model is for."""

    LLM = "llm"
    STT = "stt"
    EMBEDDER = "embedder"
    TTS = "tts"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file in the publisher's repository, at a pinned revision."""

    repo: str
    revision: str
    file: str


@dataclass(frozen=True, slots=True)
class CarrierPart:
    """A member of a wheel on the Python package index that holds a file or a piece."""

    package: str
    version: str
    member: str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One weight file and where it can be fetched from."""

    path: str
    """Relative to the folder of all models, with forward slashes."""
    bytes: int
    sha256: str
    hub: HubFile | None = None
    parts: tuple[CarrierPart, ...] = ()
    """In the order in which they are joined; empty where no carrier has it."""


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of ``models/registry.toml``."""

    name: str
    kind: Kind
    licence: str
    summary: str
    memory_bytes: int
    """Estimate of what it needs while it runs."""
    tested: bool
    files: tuple[ModelFile, ...]
    default: bool = False
    recommended_from_memory_bytes: int | None = None
    """Total memory from which it is the better choice of its kind."""

    @property
    def bytes(self) -> int:
        """Size of all its files."""
        return sum(file.bytes for file in self.files)


@dataclass(frozen=True, slots=True)
class Registry:
    """Every model Ebb knows, in the order of the file."""

    models: tuple[Model, ...]

    @classmethod
    def load(cls, path: Path) -> Registry:
        """Read and check ``registry.toml``.

        Raises:
            ContentError: If it cannot be read, or a key is unknown, missing or wrong;
                names the file and the field.
        """
        try:
            raw = from_toml(path.read_text("utf-8"))
        except (OSError, ValueError):
            raise ContentError(f"{path} cannot be read as TOML.") from None
        top = _Table(path, "the file", raw)
        models = tuple(_model(entry) for entry in top.tables("model"))
        top.end()
        names = [model.name for model in models]
        paths = [file.path for model in models for file in model.files]
        for field, values in (("name", names), ("path", paths)):
            if len(set(values)) != len(values):
                raise ContentError(f"{path}: a “{field}” is there twice.")
        return cls(models)

    def get(self, name: str) -> Model:
        """Give the model of this name.

        Raises:
            UsageError: If there is none; lists the names there are.
        """
        for model in self.models:
            if model.name == name:
                return model
        known = ", ".join(model.name for model in self.models)
        raise UsageError(f"There is no model “{name}”. Ebb knows: {known}.")

    def of_kind(self, kind: Kind) -> tuple[Model, ...]:
        """Give the models for one purpose."""
        return tuple(model for model in self.models if model.kind is kind)


class _Table:
    """A TOML table whose keys are taken one by one; what is left over is an error."""

    def __init__(self, source: Path, label: str, raw: Mapping[str, Any]) -> None:
        self._source = source
        self._label = label
        self._left = dict(raw)

    def take(self, key: str, kind: type[_T]) -> _T:
        if key not in self._left:
            raise self.wrong(key, "is missing")
        value = self._left.pop(key)
        if type(value) is not kind:
            raise self.wrong(key, f"must be a {kind.__name__}")
        return value

    def take_or(self, key: str, kind: type[_T], default: _D) -> _T | _D:
        return self.take(key, kind) if key in self._left else default

    def tables(self, key: str) -> list[_Table]:
        entries: list[Any] = self.take(key, list)
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            raise self.wrong(key, "must be one or more tables")
        labels = [
            entry.get("name") or f"{self._label}, {key} {number}"
            for number, entry in enumerate(entries, start=1)
        ]
        return [
            _Table(self._source, label, entry)
            for label, entry in zip(labels, entries, strict=True)
        ]

    def table_or_none(self, key: str) -> _Table | None:
        if key not in self._left:
            return None
        return _Table(self._source, f"{self._label}, {key}", self.take(key, dict))

    def has(self, key: str) -> bool:
        return key in self._left

    def end(self) -> None:
        for key in self._left:
            raise self.wrong(key, "is not known")

    def wrong(self, key: str, what: str) -> ContentError:
        return ContentError(
            f"{self._source}: in {self._label!s:.60}, “{key:.40}” {what}."
        )


def _model(table: _Table) -> Model:
    kind = table.take("kind", str)
    if kind not in set(Kind):
        raise table.wrong("kind", f"must be one of {', '.join(Kind)}")
    model = Model(
        name=table.take("name", str),
        kind=Kind(kind),
        licence=table.take("licence", str),
        summary=table.take("summary", str),
        memory_bytes=table.take("memory_bytes", int),
        tested=table.take("tested", bool),
        default=table.take_or("default", bool, False),
        recommended_from_memory_bytes=table.take_or(
            "recommended_from_memory_bytes", int, None
        ),
        files=tuple(_file(entry) for entry in table.tables("file")),
    )
    table.end()
    return model


def _file(table: _Table) -> ModelFile:
    path = table.take("path", str)
    steps = PurePosixPath(path).parts
    if len(steps) != 2 or ".." in steps or "\\" in path or path.startswith((".", "/")):
        raise table.wrong("path", "must be <model>/<file>")
    sha256 = table.take("sha256", str)
    if not _SHA256.fullmatch(sha256):
        raise table.wrong("sha256", "must be 64 lower-case hex digits")
    hub = table.table_or_none("hub")
    file = ModelFile(
        path=path,
        bytes=table.take("bytes", int),
        sha256=sha256,
        hub=_hub(hub) if hub else None,
        parts=tuple(map(_part, table.tables("parts"))) if table.has("parts") else (),
    )
    if file.hub is None and not file.parts:
        raise table.wrong("hub", "or “parts” must say where the file comes from")
    table.end()
    return file


def _hub(table: _Table) -> HubFile:
    hub = HubFile(
        repo=table.take("repo", str),
        revision=table.take("revision", str),
        file=table.take("file", str),
    )
    table.end()
    return hub


def _part(table: _Table) -> CarrierPart:
    part = CarrierPart(
        package=table.take("package", str),
        version=table.take("version", str),
        member=table.take("member", str),
    )
    table.end()
    return part
