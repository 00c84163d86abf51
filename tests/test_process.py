"""What the system shows and keeps of the process: a plain name, no crash image."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CANARY
from tests.speed import slowness

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux shows all of this in files"
)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Path]:
    """A command that was given words and waits for more; its folder in /proc."""
    process = subprocess.Popen(
        [sys.executable, "-m", "assistant", "--home", str(tmp_path / CANARY)]
        + ["triage", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield Path(f"/proc/{process.pid}")
    process.kill()
    process.communicate()


def _until(folder: Path, name: str, wanted: str) -> str:
    ends = time.monotonic() + 5 * slowness()
    while (found := (folder / name).read_text().rstrip("\0")) != wanted:
        if time.monotonic() > ends:
            break
        time.sleep(0.02)
    return found


def test_the_list_of_programs_shows_no_name_and_no_words(running: Path) -> None:
    # It begins, as any program, with the words it was started with.
    assert _until(running, "comm", "python3\n") == "python3\n"
    assert _until(running, "cmdline", "python3") == "python3"


def test_a_crash_leaves_no_image_of_the_memory(running: Path) -> None:
    assert int(_until(running, "coredump_filter", "00000000\n"), 16) == 0
    limits = (running / "limits").read_text().splitlines()
    core = next(line for line in limits if line.startswith("Max core file size"))
    assert core.split()[4:6] == ["0", "0"]
    # Else nobody could watch it from outside.
    assert (running / "fd").stat().st_uid == Path("/proc/self/fd").stat().st_uid
