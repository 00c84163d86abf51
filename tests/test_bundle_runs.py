"""A bundle, made for real, runs with what lies in it and the system's C library."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from bundle import libraries, manifest
from bundle.__main__ import make
from tests.speed import slowness

pytestmark = [
    pytest.mark.weights,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        sys.platform != "linux",
        reason="looks at /proc; on other systems a bundle was not tried",
    ),
]
_FIRST_PAGE_S = 20.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stick") / "Notes"
    # Compiling for other processors takes ten minutes; what is tested is the same.
    make(folder, as_installed=True)
    return folder


def _bare(tmp_path: Path) -> dict[str, str]:
    """An environment in which nothing points to this computer's Python."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}


def _run(made: Path, tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(made / "notes.sh"), *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=_bare(tmp_path),
    )


@pytest.fixture
def page(made: Path, tmp_path: Path) -> Iterator[tuple[int, str, float]]:
    """The number of the process, the address, and seconds until the first page."""
    began = time.monotonic()
    process = subprocess.Popen(
        ["sh", str(made / "notes.sh"), "--no-browser", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=_bare(tmp_path),
    )
    try:
        assert process.stderr is not None
        found = _ADDRESS.search(process.stderr.readline())
        assert found is not None
        with urllib.request.urlopen(found[0]) as answer:
            assert answer.status == 200
            assert b"<html" in answer.read().lower()
        yield process.pid, found[0], time.monotonic() - began
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_the_first_page_comes_soon(page: tuple[int, str, float]) -> None:
    assert page[2] < _FIRST_PAGE_S * slowness()


def test_nothing_of_this_computers_python_is_used(
    page: tuple[int, str, float], made: Path
) -> None:
    """Whatever is loaded as code lies in the bundle, or belongs to the C library."""
    time.sleep(5)  # the parts behind the first page are being loaded
    lines = Path(f"/proc/{page[0]}/maps").read_text().splitlines()
    loaded = {Path(line.split(maxsplit=5)[5]) for line in lines if ".so" in line}
    foreign = {path for path in loaded if not path.is_relative_to(made)}
    names = "\n".join(f"\t{p.name} => {p} (0x0)" for p in foreign)
    assert libraries.parse_ldd(names) == {}
    assert len(loaded - foreign) > 10


def test_danger_is_heard(made: Path, tmp_path: Path) -> None:
    done = _run(made, tmp_path, "triage", "He put his hands around my neck last night.")
    assert done.returncode == 0, done.stderr
    assert "strangulation" in done.stdout


def test_a_reply_comes_from_the_model_in_the_bundle(made: Path, tmp_path: Path) -> None:
    line = json.dumps({"id": "1", "text": "I miss him and I feel stupid for it."})
    done = subprocess.run(
        ["sh", str(made / "notes.sh"), "reply", "--json"],
        input=line,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=_bare(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    reply = json.loads(done.stdout)
    assert reply["sentences"]
    assert reply["timing"]["reply_tokens"] > 0


def test_after_use_every_file_is_as_it_was_made(made: Path, tmp_path: Path) -> None:
    _run(made, tmp_path, "helplines", "--country", "GB")
    done = _run(made, tmp_path, "--check")
    assert done.returncode == 0, done.stdout
    assert not manifest.check(made)
    # And nothing was left in the person's own folder.
    assert [name for name in os.listdir(tmp_path)] == []


def test_no_file_names_clash_and_none_is_a_link(made: Path) -> None:
    """A stick knows no links and takes “A” and “a” for one name."""
    paths = [path.relative_to(made) for path in made.rglob("*")]
    assert not [path for path in paths if (made / path).is_symlink()]
    assert len({str(path).lower() for path in paths}) == len(paths)
    assert not [path for path in paths if re.search(r'[<>:"\\|?*]', str(path))]


def test_no_gpl_part_of_python_and_no_test_tool_came_along(made: Path) -> None:
    names = {path.name for path in made.rglob("*")}
    assert not {n for n in names if n.startswith(("libreadline", "libgdbm", "libdb-"))}
    packages = {path.name for path in (made / "parts" / "packages").iterdir()}
    assert not {"pytest", "_pytest", "piper", "kubernetes"} & packages
