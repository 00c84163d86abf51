"""Read decisions out of bytes, so that an input of bytes can stand for anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Takes bytes from the front; where none are left, always the first choice."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def is_empty(self) -> bool:
        return self._at >= len(self._data)

    def number(self, below: int) -> int:
        """Give a number from 0 up to, not including, ``below`` (65,536 at most)."""
        wide = below > 256
        part = self._take(2 if wide else 1)
        return int.from_bytes(part, "little") % below

    def pick(self, values: Sequence[T]) -> T:
        """Choose one of some values."""
        return values[self.number(len(values))]

    def data(self, length: int | None = None) -> bytes:
        """Give the next bytes; without a length, all that are left."""
        return self._take(len(self._data) if length is None else length)

    def text(self, length: int | None = None) -> str:
        """Give the next bytes as text, with half characters where they stand."""
        return self.data(length).decode("utf-8", "surrogateescape")

    def _take(self, length: int) -> bytes:
        part = self._data[self._at : self._at + length]
        self._at += length
        return part
