"""``PassageIndex`` over chromadb, kept on disk as a cache.

The store is never the source: it is rebuilt from ``knowledge/`` whenever its key
differs, and thrown away when it cannot be read. One process at a time may use it.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.errors import RetrieveError, StoreError
from assistant.ports import IndexEntry, IndexHit, PassageIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COLLECTION = "library"
_BATCH = 1000
_BUSY = "The index is in use by another copy of the program."


class ChromaIndex(PassageIndex):
    """Cosine search in a persistent Chroma collection, with our own vectors only."""

    def __init__(self, folder: Path) -> None:
        """Open the store; make it anew where it is damaged.

        Raises:
            StoreError: If Chroma cannot run here, the folder cannot be written, or
                another program has it open.
        """
        self._folder = folder / "index"
        self._marker = folder / "index.key"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(folder / "index.lock")
            self._client = self._open()
        except OSError:
            raise StoreError("The index folder cannot be written.") from None

    def is_current(self, key: str) -> bool:
        """Tell whether the index was built, whole, from the content with this key."""
        try:
            kept = self._marker.read_text("utf-8")
            return kept == f"{key} {self._collection().count()}"
        except Exception:  # any doubt about a cache means: build it again
            return False

    def build(
        self,
        key: str,
        entries: Sequence[IndexEntry],
        vectors: NDArray[np.float32],
    ) -> None:
        """Replace the index; the marker is written last, so half is never current.

        A store that opens and cannot be written, for a table is missing, is made anew.
        """
        try:
            try:
                self._fill(key, entries, vectors)
            except Exception:  # chromadb raises many kinds; sqlite's own among them
                shutil.rmtree(self._folder, ignore_errors=True)
                _forget_failed_start()
                self._client = _client(self._folder)
                self._fill(key, entries, vectors)
        except Exception:
            raise StoreError("The index could not be written.") from None

    def _fill(
        self,
        key: str,
        entries: Sequence[IndexEntry],
        vectors: NDArray[np.float32],
    ) -> None:
        self._marker.unlink(missing_ok=True)
        with contextlib.suppress(Exception):  # there may be none to delete
            self._client.delete_collection(_COLLECTION)
        collection = self._client.create_collection(
            _COLLECTION,
            embedding_function=None,
            metadata={"hnsw:space": "cosine"},
        )
        for start in range(0, len(entries), _BATCH):
            part = entries[start : start + _BATCH]
            collection.add(
                ids=[entry.id for entry in part],
                embeddings=vectors[start : start + _BATCH],
                metadatas=[{"passage": entry.passage_id} for entry in part],
            )
        beside = self._marker.with_suffix(".part")
        beside.write_text(f"{key} {len(entries)}", "utf-8")
        beside.replace(self._marker)

    def query(self, vector: NDArray[np.float32], count: int) -> list[IndexHit]:
        """Find the entries nearest to a vector."""
        try:
            found = self._collection().query(
                query_embeddings=[vector],
                n_results=count,
                include=["distances", "metadatas"],
            )
        except Exception:  # chromadb raises many kinds
            raise RetrieveError("The index cannot be searched.") from None
        rows = zip(
            found["ids"][0], found["metadatas"][0], found["distances"][0], strict=True
        )
        return [
            IndexHit(entry_id, str(meta["passage"]), 1.0 - float(distance))
            for entry_id, meta, distance in rows
        ]

    def close(self) -> None:
        """Let another program use the store."""
        self._lock.release()

    def _collection(self) -> Any:
        return self._client.get_collection(_COLLECTION, embedding_function=None)

    def _open(self) -> Any:
        try:
            return _client(self._folder)
        except StoreError:
            raise
        except Exception:  # damaged, or written by another version: it is a cache
            shutil.rmtree(self._folder, ignore_errors=True)
            _forget_failed_start()
            try:
                return _client(self._folder)
            except Exception:
                raise StoreError("The index cannot be opened.") from None


def _client(folder: Path) -> Any:
    try:
        import chromadb
    except (ImportError, RuntimeError):  # also: the system's sqlite is too old
        raise StoreError("Chroma cannot run on this computer.") from None
    return chromadb.PersistentClient(
        str(folder),
        settings=chromadb.Settings(
            anonymized_telemetry=False, allow_reset=False, is_persistent=True
        ),
    )


def _forget_failed_start() -> None:
    """Make Chroma start anew: it keeps the half-made client of a start that failed."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def _locked(path: Path) -> Any:
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(_BUSY) from None
    return lock
