"""The port ``PassageIndex``, on the plain one and on Chroma."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.chroma_index import ChromaIndex
from assistant.adapters.memory_index import MemoryIndex
from assistant.errors import StoreError
from assistant.ports import IndexEntry, PassageIndex

ENTRIES = [IndexEntry(f"a@{n}", f"a#{n % 3}", f"text {n}") for n in range(30)]


def _vectors(seed: int = 1) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(30, 16)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(params=["memory", "chroma"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PassageIndex]:
    if request.param == "memory":
        yield MemoryIndex()
        return
    made = ChromaIndex(tmp_path)
    yield made
    made.close()


def test_an_empty_index_is_not_current(index: PassageIndex) -> None:
    assert not index.is_current("k")


def test_what_was_built_is_found_nearest_first(index: PassageIndex) -> None:
    vectors = _vectors()
    index.build("k", ENTRIES, vectors)
    assert index.is_current("k")
    assert not index.is_current("other")
    hits = index.query(vectors[7], 5)
    assert hits[0].entry_id == "a@7"
    assert hits[0].passage_id == "a#1"
    assert hits[0].score == pytest.approx(1.0, abs=1e-3)
    scores = [hit.score for hit in hits]
    assert len(hits) == 5
    assert scores == sorted(scores, reverse=True)


def test_building_again_replaces_everything(index: PassageIndex) -> None:
    index.build("k", ENTRIES, _vectors())
    index.build("k2", ENTRIES[:4], _vectors(2)[:4])
    assert index.is_current("k2")
    assert len(index.query(_vectors()[0], 10)) == 4


# --- Chroma's own ---------------------------------------------------------------------


def test_chroma_keeps_the_index_between_starts(tmp_path: Path) -> None:
    first = ChromaIndex(tmp_path)
    first.build("k", ENTRIES, _vectors())
    first.close()
    second = ChromaIndex(tmp_path)
    assert second.is_current("k")
    assert second.query(_vectors()[3], 1)[0].entry_id == "a@3"
    second.close()


def test_a_build_that_was_cut_off_is_not_current(tmp_path: Path) -> None:
    index = ChromaIndex(tmp_path)
    index.build("k", ENTRIES, _vectors())
    (tmp_path / "index.key").unlink()  # the marker is the last thing that is written
    assert not index.is_current("k")
    index.close()


def test_a_damaged_store_is_made_anew(tmp_path: Path) -> None:
    first = ChromaIndex(tmp_path)
    first.build("k", ENTRIES, _vectors())
    first.close()
    for path in (tmp_path / "index").rglob("*"):
        if path.is_file():
            path.write_bytes(b"damaged")
    import chromadb.api.shared_system_client as shared

    shared.SharedSystemClient.clear_system_cache()  # as in a new process
    second = ChromaIndex(tmp_path)
    assert not second.is_current("k")
    second.build("k", ENTRIES, _vectors())
    assert second.is_current("k")
    second.close()


def test_a_second_program_is_told_that_the_index_is_in_use(tmp_path: Path) -> None:
    first = ChromaIndex(tmp_path)
    with pytest.raises(StoreError, match="in use"):
        ChromaIndex(tmp_path)
    first.close()


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError):
        ChromaIndex(tmp_path / "file")
