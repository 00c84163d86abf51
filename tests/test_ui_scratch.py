"""The folder for Gradio: made anew, and no empty ones pile up after kills."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from assistant.ui import scratch


def _left(path: Path, days: float) -> Path:
    path.mkdir()
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))
    return path


def test_empty_folders_of_killed_programs_are_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old = _left(tmp_path / "notes-abc_1234", days=2)
    assert scratch.make().parent == tmp_path
    assert not old.exists()


def test_what_may_be_somebody_elses_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    young = _left(tmp_path / "notes-abcdefgh", days=0.5)
    other_name = _left(tmp_path / "notes-of-my-class", days=9)
    full = tmp_path / "notes-12345678"
    full.mkdir()
    (full / "a").write_text("x")
    os.utime(full, (0, 0))
    made = scratch.make()
    assert {p.name for p in tmp_path.iterdir()} == {
        young.name,
        other_name.name,
        full.name,
        made.name,
    }
