"""A tab's notes: the pad of a sitting, and the notebook while it is unlocked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from assistant.adapters.local_disk import LocalDisk
from assistant.adapters.sealed import Effort, SealedVault
from assistant.errors import (
    NotebookLockedError,
    NoteError,
    PassphraseError,
    StoreError,
    StoreFullError,
)
from assistant.keeping import Keeper, Pad, Where, since_start_s
from assistant.notebook import Kind, Wave
from assistant.store import Store
from tests.conftest import CANARY
from tests.faulty_disk import FaultyDisk
from tests.test_store import NEW, OLD, PLACE, QUICK, WaitingVault

THEN = datetime(2026, 5, 3, 2, 10, tzinfo=UTC)
WAVE = Wave(THEN, ((0, 8), (25, 3)), ("tea",))


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keeper(clock: Clock) -> Iterator[Keeper]:
    made = keeper_over(Store(PLACE, FaultyDisk(), QUICK), clock)
    yield made
    made.store.lock()


def keeper_over(store: Store, clock: Callable[[], float], **more: float) -> Keeper:
    ids = count()
    return Keeper(
        store, now=lambda: THEN, new_id=lambda: str(next(ids)), clock=clock, **more
    )


@pytest.fixture
def pad(keeper: Keeper) -> Pad:
    return keeper.new_pad()


def texts(pad: Pad) -> list[str]:
    return [entry.text for entry in pad.notebook.entries]


def test_without_a_notebook_notes_are_for_this_sitting(pad: Pad) -> None:
    pad.add(Kind.REALITY, "A door slammed", "small")
    pad.add_wave(WAVE, "it passed")
    assert pad.where is Where.SITTING
    assert texts(pad) == ["A door slammed", "it passed"]
    first, second = pad.notebook.entries
    pad.edit(first.id, "Two doors")
    pad.edit(second.id, "it passed", helped=["milk"])
    assert pad.notebook.entries[1].wave.helped == ("milk",)  # type: ignore[union-attr]  # a wave
    assert "Helped: milk" in pad.as_text(UTC)
    pad.erase(first.id)
    assert texts(pad) == ["it passed"]
    pad.wipe()
    assert texts(pad) == []


def test_no_file_is_written_for_a_sitting(tmp_path: Path) -> None:
    store = Store(tmp_path / "notes.dat", LocalDisk(), QUICK)
    pad = keeper_over(store, since_start_s).new_pad()
    pad.add(Kind.KEPT, CANARY)
    pad.add_wave(WAVE)
    pad.wipe()
    assert list(tmp_path.rglob("*")) == []


def test_each_tab_has_its_own_pad(keeper: Keeper, pad: Pad) -> None:
    pad.add(Kind.KEPT, "one")
    assert texts(keeper.new_pad()) == []


def test_turning_it_on_takes_the_pad_along(keeper: Keeper, pad: Pad) -> None:
    pad.add(Kind.KEPT, "one")
    pad.turn_on(OLD)
    pad.add(Kind.KEPT, "two")
    assert pad.where is Where.NOTEBOOK
    assert texts(pad) == ["one", "two"]
    pad.lock()
    pad.lock()
    assert pad.where is Where.LOCKED
    assert pad.waiting == 0
    again = keeper.new_pad()
    again.unlock(OLD)
    assert texts(again) == ["one", "two"]


def test_a_locked_notebook_shows_and_takes_nothing(pad: Pad) -> None:
    pad.turn_on(OLD)
    pad.lock()
    for act in (
        lambda: pad.notebook,
        lambda: pad.add(Kind.KEPT, "one"),
        lambda: pad.as_text(),
        lambda: pad.change_passphrase(OLD, NEW),
    ):
        with pytest.raises(NotebookLockedError):
            act()


def test_a_wave_waits_for_the_notebook_to_be_unlocked(pad: Pad) -> None:
    pad.turn_on(OLD)
    pad.lock()
    pad.add_wave(WAVE)
    assert pad.waiting == 1
    with pytest.raises(PassphraseError):
        pad.unlock(NEW)
    assert pad.waiting == 1
    pad.unlock(OLD)
    assert [entry.wave for entry in pad.notebook.entries] == [WAVE]
    assert pad.waiting == 0


def test_a_wave_that_waits_is_wiped_with_the_rest(pad: Pad) -> None:
    pad.turn_on(OLD)
    pad.lock()
    pad.add_wave(WAVE)
    pad.wipe()
    pad.unlock(OLD)
    assert texts(pad) == []


def test_what_is_wiped_is_locked(pad: Pad) -> None:
    pad.turn_on(OLD)
    pad.wipe()
    assert pad.where is Where.LOCKED


def test_only_one_tab_has_it_open(keeper: Keeper, pad: Pad) -> None:
    pad.turn_on(OLD)
    other = keeper.new_pad()
    assert other.where is Where.LOCKED
    assert other.is_elsewhere
    assert not pad.is_elsewhere
    other.wipe()
    other.touch()
    assert pad.where is Where.NOTEBOOK
    with pytest.raises(PassphraseError):
        other.unlock(NEW)
    assert pad.where is Where.NOTEBOOK
    other.unlock(OLD)
    assert (pad.where, other.where) == (Where.LOCKED, Where.NOTEBOOK)
    other.lock()
    assert not pad.is_elsewhere


def test_the_passphrase_can_be_changed(pad: Pad) -> None:
    pad.turn_on(OLD)
    pad.change_passphrase(OLD, NEW)
    pad.lock()
    pad.unlock(NEW)
    with pytest.raises(NoteError):
        pad.change_passphrase(NEW, "short")


def test_a_note_that_cannot_be_saved_is_not_shown_as_kept() -> None:
    disk = FaultyDisk()
    pad = keeper_over(Store(PLACE, disk, QUICK), Clock()).new_pad()
    pad.turn_on(OLD)
    disk.room_bytes = 10
    with pytest.raises(StoreFullError):
        pad.add(Kind.KEPT, "one")
    assert texts(pad) == []


@pytest.mark.parametrize("state", ["off", "locked", "open"])
def test_everything_can_be_erased(pad: Pad, state: str) -> None:
    pad.add(Kind.KEPT, "one")
    if state != "off":
        pad.turn_on(OLD)
    if state == "locked":
        pad.lock()
    pad.erase_all()
    assert pad.where is Where.SITTING
    assert texts(pad) == []


def test_a_notebook_that_will_not_open_can_be_put_aside(pad: Pad) -> None:
    pad.turn_on(OLD)
    pad.lock()
    assert pad.set_aside() == "notes.dat.1"
    assert pad.where is Where.SITTING


# --- By itself ------------------------------------------------------------------------


def test_it_locks_after_a_while_without_use(pad: Pad, clock: Clock) -> None:
    pad.turn_on(OLD)
    clock.now_s += 299
    assert pad.where is Where.NOTEBOOK
    pad.touch()
    clock.now_s += 299
    assert pad.where is Where.NOTEBOOK
    clock.now_s += 1
    assert pad.where is Where.LOCKED


def test_a_clock_that_goes_backwards_keeps_it_as_it_is(pad: Pad, clock: Clock) -> None:
    pad.turn_on(OLD)
    clock.now_s -= 10_000
    assert pad.where is Where.NOTEBOOK


def test_it_locks_though_nobody_asks() -> None:
    store = Store(PLACE, FaultyDisk(), QUICK)
    keeper = keeper_over(store, since_start_s, idle_s=0.1)
    keeper.new_pad().turn_on(OLD)
    ends = time.monotonic() + 10
    while store._opened is not None:
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_a_computer_without_a_clock_for_its_sleep_has_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert since_start_s() <= since_start_s()
    monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    assert since_start_s() <= since_start_s()


# --- Leaving in the middle ------------------------------------------------------------


@pytest.mark.parametrize("act", ["turn on", "unlock"])
def test_leaving_while_it_opens_leaves_it_locked(act: str) -> None:
    disk, vault = FaultyDisk(), WaitingVault()
    keeper = keeper_over(Store(PLACE, disk, vault), Clock())
    pad = keeper.new_pad()
    if act == "unlock":
        vault.go_on.set()
        pad.turn_on(OLD)
        pad.lock()
        vault.go_on.clear()
        vault.began.clear()
    told: list[type] = []

    def run() -> None:
        try:
            if act == "unlock":
                pad.unlock(OLD)
            else:
                pad.turn_on(OLD)
        except StoreError as error:
            told.append(type(error))

    thread = threading.Thread(target=run)
    thread.start()
    assert vault.began.wait(10)
    pad.wipe()  # does not wait for the key
    vault.go_on.set()
    thread.join(10)
    assert told == [NotebookLockedError]
    assert pad.where is Where.LOCKED


def test_a_note_added_while_it_is_turned_on_goes_in_too() -> None:
    vault = WaitingVault()
    keeper = keeper_over(Store(PLACE, FaultyDisk(), vault), Clock())
    pad = keeper.new_pad()
    pad.add(Kind.KEPT, "one")
    thread = threading.Thread(target=pad.turn_on, args=(OLD,))
    thread.start()
    assert vault.began.wait(10)
    pad.add(Kind.KEPT, "two")
    vault.go_on.set()
    thread.join(10)
    assert texts(pad) == ["one", "two"]
    pad.lock()
    pad.unlock(OLD)
    assert texts(pad) == ["one", "two"]


def test_leaving_one_tab_does_not_lock_another_that_has_it() -> None:
    vault = WaitingVault()
    keeper = keeper_over(Store(PLACE, FaultyDisk(), vault), Clock())
    has, other = keeper.new_pad(), keeper.new_pad()
    vault.go_on.set()
    has.turn_on(OLD)
    vault.go_on.clear()
    vault.began.clear()
    told: list[StoreError] = []

    def run() -> None:
        try:
            other.unlock(OLD)
        except StoreError as error:
            told.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert vault.began.wait(10)
    other.wipe()
    vault.go_on.set()
    thread.join(10)
    assert [type(error) for error in told] == [NotebookLockedError]
    assert has.where is Where.NOTEBOOK


def test_many_notes_at_once_are_all_kept(pad: Pad) -> None:
    pad.turn_on(OLD)
    threads = [
        threading.Thread(target=pad.add, args=(Kind.KEPT, str(n))) for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts(pad), key=int) == [str(n) for n in range(20)]
    pad.lock()
    pad.unlock(OLD)
    assert len(texts(pad)) == 20


def test_the_vault_of_these_tests_is_the_real_one() -> None:
    assert isinstance(QUICK, SealedVault)
    assert Effort().memory_kib > 8
