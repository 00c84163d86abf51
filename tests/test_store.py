"""The encrypted file: nothing readable, nothing lost, nobody else lets in."""

from __future__ import annotations

import errno
import os
import random
import re
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import notebook as notes
from assistant import wiring_notes
from assistant.adapters.local_disk import LocalDisk
from assistant.adapters.sealed import Effort, SealedVault
from assistant.errors import (
    NotebookLockedError,
    NoteError,
    PassphraseError,
    StoreBusyError,
    StoreChangedError,
    StoreDamagedError,
    StoreDeniedError,
    StoreError,
    StoreFullError,
    StoreVersionError,
)
from assistant.notebook import Entry, Kind, Notebook
from assistant.settings import Settings
from assistant.store import Store, StoreState
from tests import kill_store
from tests.conftest import CANARY
from tests.faulty_disk import FaultyDisk, PowerLoss
from tests.speed import slowness

OLD = "a kettle on a quiet shelf"
NEW = "seven slow boats at noon"
QUICK = SealedVault(Effort(memory_kib=8, passes=1), step_bytes=256)
PLACE = Path("/home/notes.dat")


def book(*texts: str) -> Notebook:
    made = Notebook()
    for number, text in enumerate(texts):
        entry = Entry(str(number), Kind.KEPT, datetime(2026, 5, 3, tzinfo=UTC), text)
        made = notes.add(made, entry)
    return made


def texts(notebook: Notebook) -> list[str]:
    return [entry.text for entry in notebook.entries]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "notes.dat"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    made = Store(place, LocalDisk(), QUICK)
    yield made
    made.lock()


def another(place: Path) -> Store:
    return Store(place, LocalDisk(), QUICK)


# --- What it does ---------------------------------------------------------------------


def test_it_is_off_until_it_is_turned_on(store: Store, place: Path) -> None:
    assert store.state is StoreState.OFF
    assert list(place.parent.iterdir()) == []
    with pytest.raises(StoreError, match="no notebook yet"):
        store.unlock(OLD)
    with pytest.raises(NotebookLockedError):
        store.save(book("a"))
    assert not place.exists()


def test_what_is_kept_comes_back_after_a_new_start(store: Store, place: Path) -> None:
    store.create(OLD, book("one"))
    assert store.state is StoreState.OPEN
    store.save(book("one", "two"))
    store.lock()
    assert store.state is StoreState.LOCKED
    assert texts(another(place).unlock(OLD)) == ["one", "two"]


def test_a_locked_notebook_shows_nothing(store: Store) -> None:
    store.create(OLD, book("one"))
    store.lock()
    store.lock()
    with pytest.raises(NotebookLockedError):
        _ = store.notebook


def test_locking_overwrites_the_key(store: Store) -> None:
    store.create(OLD, book())
    assert store._opened is not None
    key = store._opened.key
    store.lock()
    assert key.secret == bytearray(32)  # type: ignore[attr-defined]  # the sealed one


def test_the_passphrase_may_be_spelled_by_another_keyboard(store: Store) -> None:
    store.create("un caf\u00e9 au bord de l\u2019eau", book("one"))
    store.lock()
    store.unlock("  un  cafe\u0301 au bord de l\u2019eau ")


@pytest.mark.parametrize("short", ["", "short", "           a          ", "x" * 1001])
def test_a_passphrase_that_protects_nothing_is_refused(
    store: Store, short: str
) -> None:
    with pytest.raises(NoteError, match="A passphrase"):
        store.create(short, book())
    assert store.state is StoreState.OFF


def test_a_second_notebook_is_not_made_over_the_first(store: Store) -> None:
    store.create(OLD, book("one"))
    with pytest.raises(StoreError, match="a notebook already"):
        store.create(NEW, book())
    assert texts(store.notebook) == ["one"]


def test_unlocking_again_checks_the_passphrase(store: Store) -> None:
    store.create(OLD, book("one"))
    assert texts(store.unlock(OLD)) == ["one"]
    with pytest.raises(PassphraseError):
        store.unlock(NEW)
    assert store.state is StoreState.OPEN


def test_the_passphrase_can_be_changed(store: Store, place: Path) -> None:
    store.create(OLD, book("one"))
    before = place.read_bytes()
    with pytest.raises(PassphraseError):
        store.change_passphrase(NEW, NEW)
    with pytest.raises(NoteError):
        store.change_passphrase(OLD, "short")
    assert place.read_bytes() == before
    store.change_passphrase(OLD, NEW)
    assert place.read_bytes()[18:34] != before[18:34]  # a new salt
    store.save(book("one", "two"))
    store.lock()
    with pytest.raises(PassphraseError):
        store.unlock(OLD)
    assert texts(store.unlock(NEW)) == ["one", "two"]


def test_a_locked_notebook_keeps_its_passphrase(store: Store) -> None:
    store.create(OLD, book())
    store.lock()
    with pytest.raises(NotebookLockedError):
        store.change_passphrase(OLD, NEW)


@pytest.mark.parametrize("locked", [True, False])
def test_erasing_leaves_no_file(store: Store, place: Path, locked: bool) -> None:
    store.create(OLD, book("one"))
    if locked:
        store.lock()
    store.erase()
    assert store.state is StoreState.OFF
    assert list(place.parent.iterdir()) == []
    store.erase()
    store.create(NEW, book("new"))


def test_erasing_overwrites_what_lay_there(store: Store, place: Path) -> None:
    store.create(OLD, book("one"))
    before = place.read_bytes()
    os.link(place, place.with_name("same"))
    store.erase()
    after = place.with_name("same").read_bytes()
    assert len(after) == len(before)
    assert after[:50] != before[:50]


def test_a_file_that_cannot_be_opened_can_be_put_aside(
    store: Store, place: Path
) -> None:
    with pytest.raises(StoreError, match="no notebook"):
        store.set_aside()
    place.with_name("notes.dat.1").write_bytes(b"an earlier one")
    place.write_bytes(b"damaged")
    assert store.set_aside() == "notes.dat.2"
    assert place.with_name("notes.dat.2").read_bytes() == b"damaged"
    store.create(OLD, book("new"))


# --- What is in the file --------------------------------------------------------------


def test_nothing_readable_is_ever_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    sync = os.fsync

    def look(handle: int) -> None:
        seen.extend(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
        sync(handle)

    monkeypatch.setattr(os, "fsync", look)
    store = Store(tmp_path / "notes.dat", LocalDisk(), QUICK)
    store.create(f"{CANARY} {OLD}", book(CANARY))
    store.save(book(CANARY, CANARY * 100))
    store.change_passphrase(f"{CANARY} {OLD}", f"{CANARY} {NEW}")
    store.lock()
    seen.extend(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert len(seen) > 6
    for content in seen:
        assert CANARY.encode() not in content
        assert b"entries" not in content
        assert b"kept" not in content
        assert not re.search(rb"[A-Za-z]{12}", content)


def test_the_size_tells_little(place: Path) -> None:
    store = Store(place, LocalDisk(), SealedVault(Effort(memory_kib=8, passes=1)))
    sizes = set()
    store.create(OLD, book())
    for count in range(0, 60, 7):
        store.save(book(*["a line that is kept"] * count))
        sizes.add(place.stat().st_size)
    assert sizes == {64 * 1024 + 66}
    store.save(book("x" * 20_000, *["y" * 20_000] * 4))
    assert place.stat().st_size == 128 * 1024 + 66
    store.lock()


def test_every_write_has_its_own_nonce_and_the_same_salt(
    store: Store, place: Path
) -> None:
    store.create(OLD, book("one"))
    heads = []
    for _ in range(5):
        store.save(book("one"))
        heads.append(place.read_bytes()[:46])
    assert len({head[34:46] for head in heads}) == 5
    assert len({head[:34] for head in heads}) == 1


def test_only_the_owner_may_read_it(store: Store, place: Path) -> None:
    before = os.umask(0)
    try:
        store.create(OLD, book("one"))
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in place.parent.iterdir()]
    assert modes
    assert set(modes) == {0o600}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.text(min_size=1, max_size=300).filter(str.strip), max_size=5),
    st.text(min_size=12, max_size=40).filter(lambda s: len("".join(s.split())) >= 12),
)
def test_any_text_comes_back_under_any_passphrase(
    lines: list[str], passphrase: str
) -> None:
    disk = FaultyDisk()
    store = Store(PLACE, disk, QUICK)
    store.create(passphrase, book(*lines))
    store.lock()
    assert texts(Store(PLACE, disk, QUICK).unlock(passphrase)) == lines


def test_the_key_takes_about_a_second_to_make() -> None:
    """Bounds are wide: this computer may be busy, or quick."""
    vault = SealedVault()
    began = time.perf_counter()
    key = vault.new_key(OLD)
    took_s = time.perf_counter() - began
    assert key.effort.memory_kib >= 64 * 1024
    assert key.effort.passes >= 3
    assert 0.15 < took_s < 8


def test_the_program_uses_the_full_effort(tmp_path: Path) -> None:
    store = wiring_notes.open_store(Settings(home=tmp_path))
    store.create(OLD, book("one"))
    store.lock()
    head = (tmp_path / "notes.dat").read_bytes()[:18]
    assert int.from_bytes(head[14:18]) == Effort().memory_kib
    assert head[8:14] == bytes([0, 1, 1, 1, 0, Effort().passes])


# --- A file that is not as it should be -----------------------------------------------


def sealed_file(*lines: str) -> bytes:
    disk = FaultyDisk()
    Store(PLACE, disk, QUICK).create(OLD, book(*lines))
    return disk.files()["notes.dat"]


def unlock_bytes(content: bytes) -> Notebook:
    disk = FaultyDisk()
    disk.put(PLACE, content)
    try:
        return Store(PLACE, disk, QUICK).unlock(OLD)
    finally:
        assert disk.files() == {"notes.dat": content}  # left as it was


def test_a_wrong_passphrase_is_refused_in_one_sentence() -> None:
    disk = FaultyDisk()
    disk.put(PLACE, sealed_file("one"))
    with pytest.raises(PassphraseError) as told:
        Store(PLACE, disk, QUICK).unlock(NEW)
    assert str(told.value) == (
        "That passphrase does not open it, or the file was damaged."
    )


def test_a_file_with_any_byte_flipped_is_refused() -> None:
    whole = sealed_file("one")
    assert texts(unlock_bytes(whole)) == ["one"]
    for place in range(len(whole)):
        # A bit that asks for a hundred megabytes of memory is tried once, below.
        bit = 1 if place in range(14, 18) else 1 << place % 8
        flipped = bytearray(whole)
        flipped[place] ^= bit
        with pytest.raises(StoreError):
            unlock_bytes(bytes(flipped))


def test_a_file_cut_short_anywhere_is_called_damaged() -> None:
    whole = sealed_file("one")
    for length in range(len(whole)):
        with pytest.raises(StoreDamagedError, match="damaged"):
            unlock_bytes(whole[:length])
    with pytest.raises(StoreDamagedError):
        unlock_bytes(whole + b"\0")


@pytest.mark.parametrize(
    ("offset", "value"),
    [(10, 2), (11, 0), (11, 200), (12, 255), (14, 255), (14, 0)],
    ids=["way", "no lanes", "lanes", "passes", "gigabytes", "no memory"],
)
def test_a_header_that_asks_for_too_much_is_not_obeyed(offset: int, value: int) -> None:
    forged = bytearray(sealed_file("one"))
    forged[offset] = value
    if (offset, value) == (14, 0):
        forged[14:18] = bytes(4)
    began = time.perf_counter()
    with pytest.raises(StoreDamagedError):
        unlock_bytes(bytes(forged))
    assert time.perf_counter() - began < 0.5 * slowness()


@pytest.mark.parametrize(("version", "word"), [(2, "newer"), (0, "no longer")])
def test_another_version_is_named(version: int, word: str) -> None:
    forged = bytearray(sealed_file("one"))
    forged[9] = version
    with pytest.raises(StoreVersionError, match=word):
        unlock_bytes(bytes(forged))


def test_a_file_far_too_large_is_not_read_whole(place: Path, store: Store) -> None:
    with place.open("wb") as file:
        file.truncate(1 << 33)
    with pytest.raises(StoreDamagedError, match="far larger"):
        store.unlock(OLD)


def test_too_little_memory_is_said() -> None:
    class Greedy:
        def __init__(self, **_: object) -> None:
            pass

        def derive(self, _: bytes) -> bytes:
            raise MemoryError

    vault = SealedVault(Effort(memory_kib=8, passes=1))
    vault._derivation = Greedy  # type: ignore[assignment, misc]  # stands for Argon2id
    with pytest.raises(StoreFullError, match="memory"):
        vault.new_key(OLD)


def test_a_key_of_another_vault_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError):
        QUICK.seal(b"", object())  # type: ignore[arg-type]  # on purpose


def test_a_file_changed_by_something_else_is_not_overwritten(
    store: Store, place: Path
) -> None:
    store.create(OLD, book("one"))
    other = sealed_file("other")
    place.write_bytes(other)
    with pytest.raises(StoreChangedError, match="something else"):
        store.save(book("one", "two"))
    assert place.read_bytes() == other
    assert texts(store.notebook) == ["one"]
    place.unlink()
    with pytest.raises(StoreChangedError):
        store.save(book("one", "two"))
    assert not place.exists()


# --- Power, room, rights, other programs ----------------------------------------------


def test_after_a_power_loss_the_old_or_the_new_is_there() -> None:
    """A thousand losses, at any byte of any write and between all steps."""
    for seed in range(1_000):
        chance = random.Random(seed)
        disk = FaultyDisk()
        store = Store(PLACE, disk, QUICK)
        store.create(OLD, book("first"))
        act = chance.choice(["save", "save", "save", "passphrase", "erase", "create"])
        if act == "create":
            disk = FaultyDisk()
            store = Store(PLACE, disk, QUICK)
        allowed = _lose_power(store, disk, act, chance)
        disk.start_anew(chance)
        assert _found(disk) in allowed, (seed, act)


_LONGEST = {"save": 345, "passphrase": 345, "erase": 16, "create": 345}


def _lose_power(
    store: Store, disk: FaultyDisk, act: str, chance: random.Random
) -> list[object]:
    disk.steps_left = chance.randint(0, _LONGEST[act])
    before, after = {
        "save": (["first"], ["first", "second"]),
        "passphrase": (["first"], [NEW, "first"]),
        "erase": (["first"], None),
        "create": (None, ["made"]),
    }[act]
    try:
        if act == "save":
            store.save(book("first", "second"))
        elif act == "passphrase":
            store.change_passphrase(OLD, NEW)
        elif act == "erase":
            store.erase()
        else:
            store.create(OLD, book("made"))
    except PowerLoss:
        return [before, after]
    return [after]


def _found(disk: FaultyDisk) -> object:
    store = Store(PLACE, disk, QUICK)
    if store.state is StoreState.OFF:
        store.create(OLD, book("anew"))  # a left-over is no hindrance
        assert set(disk.files()) == {"notes.dat"}
        return None
    try:
        return texts(store.unlock(OLD))
    except PassphraseError:
        return [NEW, *texts(store.unlock(NEW))]
    finally:
        assert set(disk.files()) == {"notes.dat"}


def test_after_a_power_loss_it_goes_on() -> None:
    chance = random.Random(7)
    disk = FaultyDisk()
    kept = ["first"]
    Store(PLACE, disk, QUICK).create(OLD, book(*kept))
    for number in range(200):
        disk.start_anew(chance)
        store = Store(PLACE, disk, QUICK)
        found = texts(store.unlock(OLD))
        assert found in (kept, [*kept, str(number - 1)])
        kept = found[-3:]
        store.save(book(*kept))
        disk.steps_left = chance.randint(0, 700)
        with suppress(PowerLoss):
            store.save(book(*kept, str(number)))


def test_programs_killed_while_they_write_lose_nothing(tmp_path: Path) -> None:
    """Thirty real ones; ``python -m tests.kill_store`` kills as many as wanted."""
    chance = random.Random()
    for _ in range(30):
        kill_store.kill_once(tmp_path, chance)


def test_a_left_over_is_cleaned_away(store: Store, place: Path) -> None:
    store.create(OLD, book("one"))
    store.lock()
    place.with_name("notes.dat.new").write_bytes(b"half")
    store.unlock(OLD)
    assert not place.with_name("notes.dat.new").exists()


@pytest.mark.parametrize("room", range(0, 330, 10))
def test_a_full_disk_keeps_the_old(room: int) -> None:
    disk = FaultyDisk()
    store = Store(PLACE, disk, QUICK)
    store.create(OLD, book("one"))
    before = disk.files()
    disk.room_bytes = min(room, 321)
    for act in (
        lambda: store.save(book("one", "two")),
        lambda: store.change_passphrase(OLD, NEW),
    ):
        with pytest.raises(StoreFullError):
            act()
        assert disk.files() == before
        assert texts(store.notebook) == ["one"]
    disk.room_bytes = None
    store.save(book("one", "two"))


def test_a_really_full_disk_keeps_the_old(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be made here")
    try:
        store = another(small / "notes.dat")
        store.create(OLD, book("one"))
        (small / "filler").write_bytes(bytes(30_000))
        with pytest.raises(StoreFullError, match="disk is full"):
            store.save(book("one", "x" * 20_000, "y" * 20_000))
        assert {p.name for p in small.iterdir()} - {"notes.dat.lock"} == {
            "notes.dat",
            "filler",
        }
        assert texts(store.notebook) == ["one"]
        store.lock()
        assert texts(store.unlock(OLD)) == ["one"]
        store.lock()
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


_FAILS = ["remove", "write_new", "replace"]


@pytest.mark.parametrize("method", _FAILS)
def test_a_disk_that_fails_keeps_the_old(method: str) -> None:
    disk = FaultyDisk()
    store = Store(PLACE, disk, QUICK)
    store.create(OLD, book("one"))
    disk.failing = {method}
    with pytest.raises(StoreError):
        store.save(book("two"))
    disk.failing = set()
    assert texts(store.notebook) == ["one"]
    store.lock()
    assert texts(store.unlock(OLD)) == ["one"]


def test_a_folder_that_cannot_be_synced_is_told_and_does_not_block() -> None:
    disk = FaultyDisk()
    store = Store(PLACE, disk, QUICK)
    store.create(OLD, book("one"))
    disk.failing = {"sync_folder"}
    with pytest.raises(StoreError):
        store.save(book("one", "two"))
    disk.failing = set()
    assert texts(store.notebook) == ["one", "two"]
    store.save(book("one", "two", "three"))


def test_a_left_over_that_cannot_be_removed_is_told_and_nothing_is_held() -> None:
    disk = FaultyDisk()
    disk.put(PLACE, sealed_file("one"))
    store = Store(PLACE, disk, QUICK)
    disk.failing = {"remove"}
    with pytest.raises(StoreError):
        store.unlock(OLD)
    disk.failing = set()
    assert texts(Store(PLACE, disk, QUICK).unlock(OLD)) == ["one"]


def test_erasing_goes_on_where_overwriting_fails() -> None:
    disk = FaultyDisk()
    store = Store(PLACE, disk, QUICK)
    store.create(OLD, book("one"))
    disk.failing = {"blot_out"}
    store.erase()
    assert disk.files() == {}


def test_a_second_program_is_told_in_one_sentence(store: Store, place: Path) -> None:
    store.create(OLD, book("one"))
    second = another(place)
    for act in (
        lambda: second.unlock(OLD),
        second.erase,
        second.set_aside,
        lambda: second.create(OLD, book()),
    ):
        with pytest.raises(StoreBusyError, match="open in another Ebb"):
            act()
    store.lock()
    second.unlock(OLD)
    with pytest.raises(StoreBusyError):
        store.unlock(OLD)
    second.lock()


def test_a_wrong_passphrase_lets_the_next_program_in(store: Store, place: Path) -> None:
    store.create(OLD, book("one"))
    store.lock()
    with pytest.raises(PassphraseError):
        store.unlock(NEW)
    second = another(place)
    second.unlock(OLD)
    second.lock()


def test_a_program_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    kill_store.kill_once(tmp_path, random.Random(1))
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.kill_store", "--write", str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=kill_store.ROOT,
    )
    assert program.stdout is not None
    program.stdout.readline()
    with pytest.raises(StoreBusyError):
        kill_store.store_at(tmp_path).unlock(kill_store.PASSPHRASE)
    program.kill()
    program.communicate()
    kill_store.store_at(tmp_path).unlock(kill_store.PASSPHRASE)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = another(tmp_path / "file" / "notes.dat")
    with pytest.raises(StoreError, match="was not touched"):
        store.create(OLD, book("one"))


def test_missing_rights_are_told(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.create(OLD, book("one"))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, f"refused {CANARY}", str(place))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(StoreDeniedError) as told:
        store.save(book("one", "two"))
    assert CANARY not in str(told.value)
    assert told.value.__suppress_context__
    assert texts(store.notebook) == ["one"]
    assert not place.with_name("notes.dat.new").exists()


def _let_folders_fail_to_sync(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    sync = os.fsync

    def only_files(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(code, "no")
        sync(handle)

    monkeypatch.setattr(os, "fsync", only_files)


def test_a_folder_that_knows_no_syncing_is_no_error(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.create(OLD, book("one"))
    _let_folders_fail_to_sync(monkeypatch, errno.EINVAL)
    store.save(book("one", "two"))


def test_a_folder_that_fails_to_sync_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.create(OLD, book("one"))
    _let_folders_fail_to_sync(monkeypatch, errno.EIO)
    with pytest.raises(StoreError, match="may not be saved"):
        store.save(book("one", "two"))


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    place = tmp_path / "notes.dat"
    store = another(tmp_path / "stick" / "notes.dat")
    store.create(OLD, book("one"))
    store.lock()
    place.symlink_to(tmp_path / "stick" / "notes.dat")
    linked = another(place)
    linked.unlock(OLD)
    linked.save(book("one", "two"))
    linked.lock()
    assert place.is_symlink()
    assert texts(store.unlock(OLD)) == ["one", "two"]


def test_a_clock_that_goes_backwards_does_no_harm(store: Store) -> None:
    store.create(OLD, book("one"))
    earlier = Entry("x", Kind.KEPT, datetime(1971, 1, 1, tzinfo=UTC), "earlier")
    store.save(notes.add(store.notebook, earlier))
    store.lock()
    assert texts(store.unlock(OLD)) == ["one", "earlier"]


# --- Several threads ------------------------------------------------------------------


class WaitingVault(SealedVault):
    """Makes a key only when it is let."""

    def __init__(self) -> None:
        super().__init__(Effort(memory_kib=8, passes=1), step_bytes=256)
        self.began, self.go_on = threading.Event(), threading.Event()

    def _derive(self, *arguments: object) -> object:  # type: ignore[override]  # any
        self.began.set()
        assert self.go_on.wait(10)
        return super()._derive(*arguments)  # type: ignore[arg-type]  # passed on


@pytest.mark.parametrize("act", ["create", "unlock", "passphrase"])
def test_leaving_while_a_key_is_made_leaves_it_locked(act: str) -> None:
    disk, vault = FaultyDisk(), WaitingVault()
    store = Store(PLACE, disk, vault)
    if act != "create":
        disk.put(PLACE, sealed_file("one"))
    if act == "passphrase":
        vault.go_on.set()
        store.unlock(OLD)
        vault.go_on.clear()
        vault.began.clear()
    acts = {
        "create": lambda: store.create(OLD, book("one")),
        "unlock": lambda: store.unlock(OLD),
        "passphrase": lambda: store.change_passphrase(OLD, NEW),
    }
    raised: list[type] = []

    def run() -> None:
        try:
            acts[act]()
        except StoreError as error:
            raised.append(type(error))

    thread = threading.Thread(target=run)
    thread.start()
    assert vault.began.wait(10)
    store.lock()  # does not wait for the key
    vault.go_on.set()
    thread.join(10)
    assert raised == [NotebookLockedError]
    assert store.state is (StoreState.OFF if act == "create" else StoreState.LOCKED)
    assert texts_of(disk) in ([], ["one"])


def texts_of(disk: FaultyDisk) -> list[str]:
    if not disk.exists(PLACE):
        return []
    return texts(Store(PLACE, disk, QUICK).unlock(OLD))


def test_many_threads_write_one_after_another(store: Store) -> None:
    store.create(OLD, book())
    gate = threading.Lock()

    def add(number: int) -> None:
        with gate:
            entry = Entry(f"n{number}", Kind.KEPT, datetime.now(UTC), str(number))
            store.save(notes.add(store.notebook, entry))

    threads = [threading.Thread(target=add, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.lock()
    assert len(store.unlock(OLD).entries) == 12


def test_no_error_names_what_was_written_or_the_passphrase(place: Path) -> None:
    store = another(place)
    store.create(f"{CANARY} {OLD}", book(CANARY))
    store.lock()
    told = []
    for act in (
        lambda: store.unlock(f"{CANARY} wrong"),
        lambda: store.save(book(CANARY)),
        lambda: store.create(f"{CANARY} {OLD}", book(CANARY)),
    ):
        with pytest.raises(StoreError) as error:
            act()
        told.append(repr(error.value))
    store.unlock(f"{CANARY} {OLD}")
    told.append(repr(store._opened) + repr(replace(store._opened)))  # type: ignore[type-var]  # it is open
    store.lock()
    assert CANARY not in "".join(told)
