"""End real programs with SIGKILL while they write the notebook, and look after it.

    python -m tests.kill_store --times 1000

Each program writes notes 0, 1, 2 … and says each number once it is saved. After the
kill the notebook must open and hold every note that was said, in order, and at most one
more.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from assistant import notebook as notes
from assistant.adapters.local_disk import LocalDisk
from assistant.adapters.sealed import Effort, SealedVault
from assistant.notebook import Entry, Kind
from assistant.store import Store, StoreState

PASSPHRASE = "a kettle on a quiet shelf"
ROOT = Path(__file__).resolve().parent.parent


def store_at(folder: Path) -> Store:
    """Give a store whose keys are quick to make, so that most time goes to writing."""
    vault = SealedVault(Effort(memory_kib=8, passes=1), step_bytes=256)
    return Store(folder / "notes.dat", LocalDisk(), vault)


def write(folder: Path) -> None:
    """Write until the end comes."""
    store = store_at(folder)
    if store.state is StoreState.OFF:
        store.create(PASSPHRASE, notes.Notebook())
    else:
        store.unlock(PASSPHRASE)
    while True:
        number = len(store.notebook.entries)
        entry = Entry(str(number), Kind.KEPT, datetime.now(UTC), f"note {number}")
        store.save(notes.add(store.notebook, entry))
        print(number, flush=True)
        if number % 5 == 4:
            store.change_passphrase(PASSPHRASE, PASSPHRASE)


def kill_once(folder: Path, chance: random.Random) -> int:
    """Start a program, kill it, check what is there; gives how many notes that are."""
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.kill_store", "--write", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert program.stdout is not None
    said = [program.stdout.readline()]
    time.sleep(chance.uniform(0, 0.08))
    program.kill()
    said += program.stdout.readlines()
    program.stdout.close()
    program.wait()
    last = max((int(line) for line in said if line.endswith("\n")), default=-1)
    found = store_at(folder).unlock(PASSPHRASE).entries
    assert [entry.id for entry in found] == [str(n) for n in range(len(found))]
    assert last + 1 <= len(found) <= last + 2, (last, len(found))
    left = {path.name for path in folder.iterdir()}
    assert left <= {"notes.dat", "notes.dat.lock"}, left
    return len(found)


def main() -> None:
    """Kill as often as asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args()
    if chosen.write:
        write(chosen.write)
    chance = random.Random()
    for first in range(0, chosen.times, 20):
        with tempfile.TemporaryDirectory() as folder:
            for number in range(first, min(first + 20, chosen.times)):
                count = kill_once(Path(folder), chance)
                print(f"{number + 1} killed, {count} notes whole", flush=True)


if __name__ == "__main__":
    main()
