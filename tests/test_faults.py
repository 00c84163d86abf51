"""What fails around Ebb: disk, memory, clocks, the index. Each has its sentence.

And Help stays in reach. Faults of one part alone stand with that part: model files in
``test_wiring.py`` and ``test_models.py``, the notebook's disk in ``test_store.py``, the
settings file in ``test_settings.py``, fetching in ``test_fetch.py``.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import psutil
import pytest

from assistant import content, models
from assistant.adapters.chroma_index import ChromaIndex
from assistant.adapters.local_disk import LocalDisk
from assistant.adapters.sealed import Effort, SealedVault
from assistant.errors import MemoryShortError, StoreError
from assistant.events import SentenceReleased, TurnEnded
from assistant.keeping import Keeper
from assistant.models import ModelFolder, Registry
from assistant.notebook import Kind, Wave
from assistant.ports import IndexEntry
from assistant.settings import Settings
from assistant.store import Store
from assistant.ui import notes_view, understand_pages
from assistant.ui.door import Door
from assistant.ui.house import House
from assistant.ui.starting import Starting
from assistant.wiring import Program
from tests.fuzz.http_targets import asked
from tests.scripted_program import ScriptedProgram, directory, settings_for
from tests.test_models import GB, put, sample

THEN = datetime(2026, 5, 3, 2, 10, tzinfo=UTC)
_PORT = 7861


# --- The page -------------------------------------------------------------------------


async def _pages(starting: Starting, path: str) -> str:
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", f"127.0.0.1:{_PORT}".encode())],
    }
    status, body = await asked(Door(House(starting), _PORT), scope, b"")
    assert status == 200
    return body.decode()


async def _failed_start(home: Path, factory: Callable[[], Any]) -> tuple[str, str]:
    """Start with something that fails; give the sentence and the first page."""
    starting = Starting(factory, settings_for(home), directory())
    starting.begin()
    for _ in range(1_200):
        if starting.failed:
            break
        await asyncio.sleep(0.05)
    page = await _pages(starting, "/")
    await starting.close()
    return starting.failed or "", page


def test_without_room_for_a_temporary_folder_help_is_still_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was made before the first page, so that a full disk let no page come."""

    def full(prefix: str) -> str:
        raise OSError(28, "No space left on device", prefix)

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    failed, page = asyncio.run(
        _failed_start(tmp_path, lambda: ScriptedProgram(settings_for(tmp_path)))
    )
    assert "temporary folder" in failed
    assert failed in page.replace("&#x27;", "'")
    assert "999" in page
    assert "No space" not in page


def test_gradio_has_its_folder_before_it_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it made one where the program was started, called "None"."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", "")
    monkeypatch.setattr(threading.Thread, "start", lambda thread: None)

    async def begin() -> str:
        starting = Starting(
            lambda: ScriptedProgram(settings_for(tmp_path)),  # type: ignore[arg-type,return-value]
            settings_for(tmp_path),
            directory(),
        )
        starting.begin()
        told = os.environ["GRADIO_TEMP_DIR"]
        assert Path(told).is_dir()
        await starting.close()
        return told

    assert not Path(asyncio.run(begin())).exists()


def test_a_program_that_runs_out_of_memory_leaves_help(tmp_path: Path) -> None:
    def factory() -> Any:
        raise MemoryError

    failed, page = asyncio.run(_failed_start(tmp_path, factory))
    assert "Help below works" in failed
    assert "999" in page


# --- Memory ---------------------------------------------------------------------------


def _two_models(tmp_path: Path) -> ModelFolder:
    small = sample("small", default=True, memory_bytes=2 * GB)
    large = sample("large", memory_bytes=4 * GB, recommended_from_memory_bytes=8 * GB)
    folder = ModelFolder(Registry((small, large)), tmp_path)
    for model in folder.registry.models:
        put(folder, model, b"weights")
    return folder


def test_where_memory_is_taken_the_smaller_model_is_used(tmp_path: Path) -> None:
    folder = _two_models(tmp_path)

    def best(free_bytes: int | None) -> str:
        best = models.best_llm_there(
            folder, memory_bytes=16 * GB, free_bytes=free_bytes
        )
        assert best is not None
        return best.name

    assert best(None) == "large"
    assert best(5 * GB) == "large"
    assert best(3 * GB) == "small"
    # An estimate of what it needs is no reason to go without: only its weights are.
    assert best(1 * GB) == "small"


def test_where_not_even_the_weights_find_room_it_is_said(tmp_path: Path) -> None:
    folder = _two_models(tmp_path)
    with pytest.raises(MemoryShortError, match="closing other programs") as caught:
        models.best_llm_there(folder, memory_bytes=16 * GB, free_bytes=3)
    assert "\n" not in str(caught.value)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(Settings(home=tmp_path))
    yield made
    made.close()


def test_too_little_memory_leaves_vetted_replies(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def little(*args: object, **more: object) -> None:
        raise MemoryShortError("It needs 1.1 GB of free memory.")

    monkeypatch.setattr(models, "best_llm_there", little)
    program.load(["chat"])
    chat = next(part for part in program.parts() if part.name == "chat")
    assert chat.state == "failed"
    assert "1.1 GB of free memory" in chat.sentence
    events = list(program.new_talk().say("he was lovely all weekend"))
    assert any(isinstance(event, SentenceReleased) for event in events)
    assert isinstance(events[-1], TurnEnded)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("it quotes"), OSError()])
def test_a_part_that_fails_in_an_unknown_way_is_said_and_the_others_load(
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    """The thread that loads once ended there, and the page waited for ever."""

    def fail() -> None:
        raise error

    monkeypatch.setattr(program, "_load_library", fail)
    program.load()
    assert program.wait_loaded(0)
    parts = {part.name: part for part in program.parts()}
    assert parts["library"].state == "failed"
    assert parts["library"].sentence.endswith(".")
    assert {parts["chat"].state, parts["speech"].state} == {"missing"}
    assert "it quotes" not in caplog.text


def test_the_computers_free_memory_is_what_is_asked(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_with: list[int | None] = []

    def best(
        folder: object, *, memory_bytes: int, free_bytes: int | None = None
    ) -> None:
        asked_with.append(free_bytes)

    monkeypatch.setattr(
        psutil, "virtual_memory", lambda: SimpleNamespace(total=16 * GB, available=7)
    )
    monkeypatch.setattr(models, "best_llm_there", best)
    program.chat_model()
    assert asked_with == [7]


# --- Models in each other's place -----------------------------------------------------


def test_two_model_files_in_each_others_place_are_noticed(tmp_path: Path) -> None:
    one, other = sample("one"), sample("other", content=b"another")
    folder = ModelFolder(Registry((one, other)), tmp_path)
    put(folder, one, b"another")
    put(folder, other, b"weights")
    for model in (one, other):
        assert folder.state(model) is models.State.DAMAGED


# --- The index ------------------------------------------------------------------------

_ENTRIES = [IndexEntry("a", "a#1", "one"), IndexEntry("b", "b#1", "two")]
_VECTORS = np.eye(2, 8, dtype=np.float32)


def _as_in_a_new_process() -> None:
    import chromadb.api.shared_system_client as shared

    shared.SharedSystemClient.clear_system_cache()


@pytest.fixture
def built(tmp_path: Path) -> Path:
    index = ChromaIndex(tmp_path)
    index.build("k", _ENTRIES, _VECTORS)
    index.close()
    _as_in_a_new_process()
    return tmp_path


def _stands(folder: Path) -> None:
    """The index opens, is built anew where it must be, and finds."""
    index = ChromaIndex(folder)
    if not index.is_current("k"):
        index.build("k", _ENTRIES, _VECTORS)
    assert [hit.passage_id for hit in index.query(_VECTORS[0], 1)] == ["a#1"]
    index.close()
    _as_in_a_new_process()


def test_an_index_of_another_version_of_chroma_is_made_anew(built: Path) -> None:
    with sqlite3.connect(built / "index" / "chroma.sqlite3") as base:
        base.execute("UPDATE migrations SET hash = 'of another version'")
    base.close()
    _stands(built)


def test_an_index_with_tables_missing_is_made_anew(built: Path) -> None:
    with sqlite3.connect(built / "index" / "chroma.sqlite3") as base:
        base.execute("DROP TABLE segments")
    base.close()
    _stands(built)


def test_an_index_whose_vectors_are_gone_is_made_anew(built: Path) -> None:
    for path in (built / "index").iterdir():
        if path.is_dir():
            for inner in path.iterdir():
                inner.unlink()
            path.rmdir()
    _stands(built)


def test_an_index_folder_that_is_a_file_is_made_anew_or_said(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("in the way")
    with contextlib.suppress(StoreError):  # then the index is kept in memory
        _stands(tmp_path)


# --- Clocks ---------------------------------------------------------------------------


@pytest.fixture
def moved(tmp_path: Path) -> Iterator[tuple[Keeper, list[datetime]]]:
    now = [THEN]
    vault = SealedVault(Effort(memory_kib=8, passes=1))
    keeper = Keeper(
        Store(tmp_path / "notes.dat", LocalDisk(), vault),
        now=lambda: now[0],
        new_id=lambda: str(time.monotonic_ns()),
        clock=lambda: 1_000.0,
    )
    yield keeper, now
    keeper.store.lock()


@pytest.mark.parametrize("jump", [timedelta(days=-9_000), timedelta(days=9_000)])
def test_notes_stand_a_date_that_jumps(
    moved: tuple[Keeper, list[datetime]], jump: timedelta
) -> None:
    keeper, now = moved
    pad = keeper.new_pad()
    pad.turn_on("five plain words in rain")
    pad.add(Kind.REALITY, "before")
    pad.add_wave(Wave(THEN, ((0, 8), (25, 3))))
    now[0] = THEN + jump
    pad.add(Kind.REALITY, "after")
    pad.lock()
    pad.unlock("five plain words in rain")
    assert [entry.text for entry in pad.notebook.entries] == ["before", "", "after"]
    for kind in Kind:
        assert notes_view.view(pad, kind, "", now=now[0])
    assert "before" in pad.as_text(UTC)


@pytest.mark.parametrize("today", [date(1970, 1, 1), date(9998, 12, 31)])
def test_an_article_is_shown_on_any_date(today: date) -> None:
    from assistant import content_library

    library = content_library.load(content.content_root())
    page = understand_pages.article(
        library, library.articles[0].id, today=today, passage_id=None
    )
    assert library.articles[0].title.split()[0] in page


def test_model_files_from_the_future_are_read_and_used(tmp_path: Path) -> None:
    import os

    model = sample("one")
    folder = ModelFolder(Registry((model,)), tmp_path)
    place = put(folder, model, b"weights")
    for seconds in (4_000_000_000, 1, time.time()):
        os.utime(place, (seconds, seconds))
        assert folder.state(model) is models.State.READY
