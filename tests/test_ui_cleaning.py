"""Deleting the cache: what the program made, and nothing else."""

from __future__ import annotations

from pathlib import Path

from assistant.ui import cleaning


def _fill(folder: Path) -> None:
    (folder / "index" / "deep").mkdir(parents=True)
    (folder / "index" / "deep" / "data.bin").write_bytes(b"x" * 100)
    for name in ("index.key", "index.lock", "prompt-0a1b.bin", "prompt-0a1b.part"):
        (folder / name).write_bytes(b"x" * 10)


def test_what_the_program_made_is_deleted_with_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / ".cache"
    _fill(folder)
    assert cleaning.count_bytes(folder) == 140
    assert cleaning.clear(folder)
    assert not folder.exists()


def test_what_others_put_there_stays(tmp_path: Path) -> None:
    folder = tmp_path / ".cache"
    _fill(folder)
    (folder / "letter.txt").write_text("mine")
    assert cleaning.clear(folder)
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_a_folder_that_is_not_there_is_clear(tmp_path: Path) -> None:
    assert cleaning.clear(tmp_path / "nowhere")
    assert cleaning.count_bytes(tmp_path / "nowhere") == 0


def test_links_are_never_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    _fill(elsewhere)
    folder = tmp_path / ".cache"
    folder.mkdir()
    (folder / "index").symlink_to(elsewhere / "index")
    assert cleaning.clear(folder)
    assert (elsewhere / "index" / "deep" / "data.bin").is_file()
    folder.symlink_to(elsewhere)
    assert not cleaning.clear(folder)
    assert (elsewhere / "index.key").is_file()
