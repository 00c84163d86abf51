"""The notebook: the bytes of its file, and the record inside."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from assistant import notebook as notes
from assistant.adapters.sealed import Effort, SealedVault
from assistant.errors import AssistantError, StoreError
from assistant.notebook import Entry, Kind, Notebook, Wave
from assistant.store import Store
from tests.faulty_disk import FaultyDisk
from tests.fuzz.harness import Run, Target
from tests.fuzz.oracles import checked_error, own_error
from tests.fuzz.seeds import CANARY

_PASSPHRASE = "five plain words in rain"
_QUICK = SealedVault(Effort(memory_kib=8, passes=1), step_bytes=256)
_PLACE = Path("/made-up/notes.dat")
_THEN = datetime(2026, 5, 3, 2, 10, tzinfo=UTC)


def _notebook() -> Notebook:
    wave = Wave(_THEN, ((0, 8), (25.5, 3)), ("tea", CANARY))
    return Notebook(
        (
            Entry("a", Kind.REALITY, _THEN, "a door slammed", CANARY),
            Entry("b", Kind.WAVE, _THEN, "it passed", "", wave),
        )
    )


def _record_seeds() -> tuple[bytes, ...]:
    whole = notes.to_bytes(_notebook())
    return (
        whole,
        notes.to_bytes(Notebook()),
        whole.replace(b"2026", b"0001"),
        whole.replace(b"2026", b"9999"),
        whole.replace(b"+00:00", b""),
        whole.replace(b"25.5", b"1e400"),
        whole.replace(b"25.5", b"NaN"),
        whole.replace(b":8", b":" + b"8" * 5_000),
        b'{"version":2}',
        b'{"version":1,"entries":' + b"[" * 100_000,
        b"",
    )


def _record(content: bytes) -> Hashable:
    read = own_error(lambda: notes.from_bytes(content))
    if not isinstance(read, Notebook):
        return read
    assert notes.from_bytes(notes.to_bytes(read)) == read, (
        "it is not read back the same"
    )
    notes.as_text(read, UTC)
    notes.waves(read)
    notes.find(read, "tea")
    for entry in read.entries:
        assert isinstance(entry.text, str)
    return tuple(entry.kind for entry in read.entries[:3])


@contextmanager
def _records(folder: Path) -> Iterator[Run]:
    yield _record


def _file_seeds() -> tuple[bytes, ...]:
    key = _QUICK.new_key(_PASSPHRASE)
    sealed = _QUICK.seal(notes.to_bytes(_notebook()), key)
    return (sealed, sealed[:50], b"")


@contextmanager
def _files(folder: Path) -> Iterator[Run]:
    """A file that something else has changed: one sentence, and it stays as it is."""
    originals = _file_seeds()

    def run(content: bytes) -> Hashable:
        if _asks_for_much(content):
            return "much"  # a header may ask for seconds of work; that is its right
        disk = FaultyDisk()
        disk.put(_PLACE, content)
        store = Store(_PLACE, disk, _QUICK)
        try:
            store.unlock(_PASSPHRASE)
        except StoreError as error:
            assert disk.files()[_PLACE.name] == content, "a damaged file was changed"
            return checked_error(error)
        except AssistantError as error:
            return checked_error(error)
        finally:
            store.lock()
        assert content in originals or _opens(content), "a changed file was opened"
        return "opened"

    yield run


def _opens(content: bytes) -> bool:
    # Seeds are sealed anew for every run of the harness: what opens must be whole.
    key = _QUICK.key_of(content, _PASSPHRASE)
    return notes.from_bytes(_QUICK.open(content, key)) == _notebook()


def _asks_for_much(content: bytes) -> bool:
    passes = int.from_bytes(content[12:14], "big")
    return int.from_bytes(content[14:18], "big") * passes > 4_096


TARGETS = (
    Target("notebook_record", _record_seeds, _records, 60_000, longest=3_000),
    Target("notebook_file", _file_seeds, _files, 40_000, longest=3_000),
)
