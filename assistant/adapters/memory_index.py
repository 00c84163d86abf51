"""``PassageIndex`` in plain memory: where Chroma cannot be used, and in tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assistant.ports import IndexEntry, IndexHit, PassageIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MemoryIndex(PassageIndex):
    """Compares the query with every entry; exact, and quick for a small library."""

    def __init__(self) -> None:
        """Begin empty."""
        self._key: str | None = None
        self._entries: tuple[IndexEntry, ...] = ()
        self._vectors: NDArray[np.float32] = np.zeros((0, 0), np.float32)

    def is_current(self, key: str) -> bool:
        """Tell whether the index was built from the content with this key."""
        return self._key == key

    def build(
        self,
        key: str,
        entries: Sequence[IndexEntry],
        vectors: NDArray[np.float32],
    ) -> None:
        """Replace the index."""
        self._entries, self._vectors = tuple(entries), vectors
        self._key = key

    def query(self, vector: NDArray[np.float32], count: int) -> list[IndexHit]:
        """Find the entries nearest to a vector."""
        if not self._entries:
            return []
        scores = self._vectors @ vector
        best = np.argsort(-scores, kind="stable")[:count]
        return [
            IndexHit(self._entries[i].id, self._entries[i].passage_id, float(scores[i]))
            for i in best
        ]
