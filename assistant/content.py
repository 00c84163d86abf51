"""Read ``prompts/`` and ``knowledge/`` into typed records; invalid files are errors.

This module holds what all kinds of content share. Each kind has its own reader:
``content_library``, ``content_rules``, ``content_texts`` and ``content_directory``.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from assistant.errors import ContentError
from assistant.reading import from_toml

_PACKAGE = Path(__file__).resolve().parent
_FENCE = "+++\n"
T = TypeVar("T")

HEADER_KEYS = frozenset({"id", "version", "language", "reviewed_by", "reviewed_on"})
"""Every content file says what it is and who has read it."""


@cache
def content_root() -> Path:
    """Give the folder that holds ``prompts/``, ``knowledge/`` and ``models/``.

    In a checkout that is its top; in an installed package, the copy inside it.

    Raises:
        ContentError: If neither is there.
    """
    for root in (_PACKAGE / "_content", _PACKAGE.parent):
        if (root / "knowledge" / "topics.toml").is_file():
            return root
    raise ContentError("The folders prompts/ and knowledge/ are missing.")


def read_text(path: Path) -> str:
    """Read a content file as UTF-8.

    Raises:
        ContentError: If it is missing or not UTF-8.
    """
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ContentError(f"{path.name} cannot be read.") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML content file.

    Raises:
        ContentError: If it is missing or not TOML; says the line.
    """
    try:
        return from_toml(read_text(path))
    except ValueError as error:
        raise ContentError(f"{path.name}: {error}") from None


def read_front_matter(path: Path) -> tuple[dict[str, Any], str]:
    """Split a Markdown file into its TOML header and its body.

    Raises:
        ContentError: If there is no header between two ``+++`` lines.
    """
    text = read_text(path)
    parts = text.split(_FENCE, 2)
    if len(parts) != 3 or parts[0]:
        raise ContentError(f"{path.name}: no header between two +++ lines.")
    try:
        return from_toml(parts[1]), parts[2]
    except ValueError as error:
        raise ContentError(f"{path.name}: {error}") from None


def split_sections(body: str, path: Path) -> dict[str, str]:
    """Split a Markdown body at its ``##`` headings, in order.

    Raises:
        ContentError: If text stands before the first heading or a heading repeats.
    """
    before, *pieces = ("\n" + body).split("\n## ")
    if before.strip():
        raise ContentError(f"{path.name}: text before the first ## heading.")
    sections: dict[str, str] = {}
    for piece in pieces:
        heading, _, text = piece.partition("\n")
        if heading in sections:
            raise ContentError(f"{path.name}: “{heading:.40}” stands twice.")
        sections[heading.strip()] = " ".join(text.split())
    return sections


def build(kind: type[T], raw: Mapping[str, Any], where: str) -> T:
    """Make a frozen dataclass from a table; every key and type is checked.

    Raises:
        ContentError: If a key is unknown, missing or of the wrong type.
    """
    hints = typing.get_type_hints(kind, vars(typing) | vars(types))
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]  # T is a dataclass
    if unknown := raw.keys() - known.keys():
        raise ContentError(f"{where}: unknown key {min(unknown)!r:.40}.")
    values: dict[str, Any] = {}
    for name, f in known.items():
        if name in raw:
            values[name] = _converted(raw[name], hints[name], f"{where}: “{name}”")
        elif f.default is MISSING and f.default_factory is MISSING:
            raise ContentError(f"{where}: “{name}” is missing.")
    return kind(**values)


TABLES = tuple[dict[str, Any], ...]
"""The type, for ``take``, of tables that each have a reader of their own."""


def take(
    raw: Mapping[str, Any], key: str, hint: Any, where: str, default: Any = MISSING
) -> Any:
    """Take one value out of a table, of the type that a dataclass would give it.

    Raises:
        ContentError: If it is missing, and there is no default, or of another type.
    """
    if key in raw:
        return _converted(raw[key], hint, f"{where}: “{key}”")
    if default is MISSING:
        raise ContentError(f"{where}: “{key}” is missing.")
    return default


def _converted(value: Any, hint: Any, where: str) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return value
    if origin is types.UnionType:
        return _converted(value, args[0], where)
    if origin is tuple:
        if not isinstance(value, list):
            raise ContentError(f"{where} must be a list.")
        return tuple(_converted(item, args[0], where) for item in value)
    if origin is dict:
        if not isinstance(value, dict):
            raise ContentError(f"{where} must be a table.")
        return {
            _converted(k, args[0], where): _converted(v, args[1], where)
            for k, v in value.items()
        }
    if hint is float and type(value) is int:
        return float(value)
    if isinstance(hint, type) and issubclass(hint, str) and hint is not str:
        try:
            return hint(value)  # an enum
        except ValueError:
            raise ContentError(f"{where}: {value!r:.40} is not known.") from None
    if not isinstance(hint, type) or type(value) is not hint:
        raise ContentError(
            f"{where} must be of type {getattr(hint, '__name__', hint)}."
        )
    return value
