"""The proof of privacy: a program that leaks is caught, one that does not is not."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import random
import shutil
import sys
import time
import wave
from pathlib import Path

import httpx
import numpy as np
import pytest

from assistant import cli
from assistant.proof import (
    canary,
    page,
    places,
    report,
    search,
    spoken,
    talks,
    trace,
)
from assistant.proof.child import Child
from assistant.proof.files import FileWatch
from assistant.proof.report import Finding, Outcome
from assistant.proof.sockets import SocketWatch
from assistant.proof.trace import Trace
from assistant.proof.verdicts import Watched, judge
from tests.speed import slowness

HERE = Path(__file__).resolve().parent
WORD = "bazolifetunu"
LINUX = sys.platform == "linux"
NEEDLES = canary.of_text(WORD, "the word")


# --- What leaks is caught -------------------------------------------------------------


def _watch(leak: str, folder: Path, *, traced: bool) -> dict[str, Finding]:
    """Say the word to a program that leaks, under watch; gives findings by name."""
    (folder / "old.txt").write_text("x" * 40, "utf-8")
    watched = Watched(FileWatch((folder,)), is_traced=traced)
    watched.files.look_for(NEEDLES)
    watched.files.begin()
    command = [sys.executable, str(HERE / "leaky_program.py"), leak, str(folder)]
    followed = Trace() if traced else None
    running = Child(command, followed)
    with SocketWatch(running.pid) as sockets:
        with contextlib.suppress(httpx.HTTPError):  # one of them breaks
            httpx.post(running.address, content=f"I said {WORD} to it", trust_env=False)
        looked = sockets.looks
        ends = time.monotonic() + 5 * slowness()  # a child needs a moment to start
        while sockets.looks < looked + 15 or (
            leak == "child-connects" and not sockets.beyond and time.monotonic() < ends
        ):
            time.sleep(0.01)
        watched.files.look("after a talk", running.pid)
        running.stop()
    if followed is not None:
        followed.finish()
        watched.traces.append(followed)
    watched.files.look("after it was stopped")
    watched.sockets.append(sockets)
    watched.printed.append(bytes(running.printed))
    if b"no way out" in running.printed:
        pytest.skip("this computer has no way out, so nothing can leak that way")
    return {finding.name: finding for finding in judge(watched)}


LEAKS = {
    "print": "what it printed",
    "traceback": "what it printed",
    "file": "files",
    "wide-file": "files",
    "base64-file": "files",
    "zip": "files",
    "gzip": "files",
    "sqlite": "files",
    "name": "files",
    "folder-name": "files",
    "old-time": "files",
    "connect": "connections",
    "child-connects": "connections",
    "listen": "connections",
}
WATCHED = ("connections", "files", "what it printed")


@pytest.mark.parametrize("leak", LEAKS)
def test_what_leaks_is_caught_and_nothing_else_is_blamed(
    tmp_path: Path, leak: str
) -> None:
    found = _watch(leak, tmp_path, traced=False)
    failed = {n for n in WATCHED if found[n].outcome is Outcome.FAILS}
    assert failed == {LEAKS[leak]}
    assert not report.holds(list(found.values()))


def test_a_run_that_ended_early_proves_nothing(tmp_path: Path) -> None:
    found = {f.name: f for f in judge(Watched(FileWatch((tmp_path,))))}
    assert [name for name, f in found.items() if f.outcome is Outcome.HOLDS] == []
    assert found["the talk"].outcome is Outcome.FAILS


def test_a_program_that_keeps_quiet_passes(tmp_path: Path) -> None:
    found = _watch("nothing", tmp_path, traced=False)
    assert {found[name].outcome for name in WATCHED} == {Outcome.HOLDS}
    assert found["calls to the system"].outcome is Outcome.NOT_WATCHED


@pytest.mark.skipif(not LINUX, reason="deleted files can be looked into on Linux alone")
def test_a_deleted_file_that_is_held_open_is_searched(tmp_path: Path) -> None:
    found = _watch("deleted-but-open", tmp_path, traced=False)
    assert found["files"].outcome is Outcome.FAILS


needs_strace = pytest.mark.skipif(not trace.is_possible(), reason="no strace here")


@needs_strace
def test_a_datagram_too_short_for_looking_is_seen_by_strace(tmp_path: Path) -> None:
    found = _watch("datagram", tmp_path, traced=True)
    assert found["calls to the system"].outcome is Outcome.FAILS
    assert "198.51.100.7 port 9" in found["calls to the system"].details


@needs_strace
def test_a_file_outside_of_the_places_is_found_by_strace(tmp_path: Path) -> None:
    elsewhere, watched_folder = tmp_path / "elsewhere", tmp_path / "here"
    elsewhere.mkdir()
    watched_folder.mkdir()
    (elsewhere / "old.txt").write_text("x" * 40, "utf-8")
    watched = Watched(FileWatch((watched_folder,)), is_traced=True)
    watched.files.look_for(NEEDLES)
    watched.files.begin()
    followed = Trace()
    program = [sys.executable, str(HERE / "leaky_program.py"), "file", str(elsewhere)]
    running = Child(program, followed)
    httpx.post(running.address, content=WORD, trust_env=False)
    running.stop()
    followed.finish()
    watched.traces.append(followed)
    found = {finding.name: finding for finding in judge(watched)}
    assert found["files it opened"].outcome is Outcome.FAILS
    assert found["files it opened"].details == (str(elsewhere / "log.txt"),)


@needs_strace
def test_a_quiet_program_passes_under_strace(tmp_path: Path) -> None:
    found = _watch("nothing", tmp_path, traced=True)
    assert found["calls to the system"].outcome is Outcome.HOLDS
    assert found["files it opened"].outcome is Outcome.HOLDS


def test_a_file_that_came_and_went_in_a_talk_is_said_to_be_unsearched(
    tmp_path: Path,
) -> None:
    followed = Trace()
    followed.judge(f'7 openat(AT_FDCWD</>, "{tmp_path}/start", O_RDWR|O_CREAT) = 3')
    followed.in_talk = True
    followed.judge('7 openat(AT_FDCWD</>, "/dev/shm/sem.x", O_RDWR|O_CREAT) = 3')
    watched = Watched(FileWatch((tmp_path,)), is_traced=True, traces=[followed])
    found = {finding.name: finding for finding in judge(watched)}
    assert found["files it opened"].outcome is Outcome.HOLDS
    followed.judge(f'7 openat(AT_FDCWD</>, "{tmp_path}/gone", O_RDWR|O_CREAT) = 3')
    found = {finding.name: finding for finding in judge(watched)}
    assert found["files it opened"].outcome is Outcome.NOT_WATCHED
    assert found["files it opened"].details == (f"{tmp_path}/gone",)


# --- The forms of a word --------------------------------------------------------------


@pytest.mark.parametrize("ahead", ["", "a", "ab", "abc", '{"said": "x '])
@pytest.mark.parametrize("spelling", [WORD, WORD.upper(), WORD.capitalize()])
def test_a_word_is_found_in_base64_wherever_it_begins(
    ahead: str, spelling: str
) -> None:
    coded = base64.b64encode(f"{ahead}{spelling} and more".encode())
    assert canary.find(coded, NEEDLES) == ("the word, as base64",)


@pytest.mark.parametrize("coding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-be"])
def test_a_word_is_found_in_every_coding(coding: str) -> None:
    data = f"they said {WORD.title()} to it".encode(coding)
    assert canary.find(data, NEEDLES) == ("the word",)


def test_another_word_is_not_found() -> None:
    other = f"they said {WORD[:-1]}o"
    data = other.encode() + base64.b64encode(other.encode())
    assert canary.find(data, NEEDLES) == ()


def test_two_words_are_never_the_same() -> None:
    assert len({canary.new_word() for _ in range(200)}) == 200


def test_sound_is_found_as_it_was_sent_and_as_floats() -> None:
    samples = spoken.say("anything", None).samples
    needles = canary.of_sound(samples)
    floats = samples.astype("<f4") / np.float32(32_768)
    assert canary.find(b"x" + samples.tobytes(), needles)
    assert canary.find(b"xyz" + floats.tobytes(), needles)
    assert not canary.find(samples[::-1].tobytes(), needles)


def test_no_needle_shows_what_it_is() -> None:
    assert WORD not in repr(NEEDLES)


def test_a_word_over_the_edge_of_two_blocks_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_BLOCK_BYTES", 64)
    there = tmp_path / "large"
    there.write_bytes(b"." * 60 + WORD.encode() + b"." * 200)
    assert search.look_into(there, NEEDLES) == ("the word",)


def test_a_file_that_only_begins_like_a_packed_one_is_searched_as_it_is(
    tmp_path: Path,
) -> None:
    there = tmp_path / "x"
    there.write_bytes(b"\x1f\x8b" + WORD.encode())
    assert search.look_into(there, NEEDLES) == ("the word",)


# --- Places ---------------------------------------------------------------------------


def test_what_is_looked_for_later_is_searched_in_what_changed_earlier(
    tmp_path: Path,
) -> None:
    files = FileWatch((tmp_path,))
    files.begin()
    (tmp_path / "kept").write_text(WORD)
    files.look("after a talk")
    assert files.hits == {}
    files.look_for(NEEDLES)
    files.look("after leaving")
    assert files.hits == {str(tmp_path / "kept"): {"the word"}}


def test_a_file_that_was_there_before_is_not_blamed(tmp_path: Path) -> None:
    (tmp_path / "old").write_text(WORD)
    files = FileWatch((tmp_path,))
    files.look_for(NEEDLES)
    files.begin()
    files.look("after a talk")
    assert (files.hits, files.changed) == ({}, {})


def test_places_within_places_are_named_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".cache").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    found = places.usual(home)
    assert len([p for p in found if tmp_path.is_relative_to(p)]) == 1
    assert not [p for p in found if p.is_relative_to(home)]


def test_too_many_files_are_said_to_be_not_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "MAX_ENTRIES", 2)
    for name in "abc":
        (tmp_path / name).touch()
    assert places.look((tmp_path,)).not_watched == (f"{tmp_path} (more than 2 files)",)


def test_a_file_too_large_to_search_is_said_to_be_not_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.proof.files.MAX_SEARCHED_BYTES", 8)
    files = FileWatch((tmp_path,))
    files.look_for(NEEDLES)
    files.begin()
    (tmp_path / "large").write_text(WORD)
    files.look("after a talk")
    assert files.hits == {}
    assert files.not_watched == {f"{tmp_path / 'large'} (too large to search)"}


# --- strace's lines -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "beyond"),
    [
        (
            "7 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(53), "
            'sin_addr=inet_addr("192.0.2.1")}, 16 <unfinished ...>',
            {"192.0.2.1 port 53"},
        ),
        (
            "7 sendto(3, ..., 9, 0, {sa_family=AF_INET6, sin6_port=htons(443), "
            "sin6_flowinfo=htonl(0), "
            'inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 9',
            {"2001:db8::1 port 443"},
        ),
        (
            "7 connect(3, {sa_family=AF_INET, sin_port=htons(80), "
            'sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
            set(),
        ),
        (
            "7 bind(3, {sa_family=AF_INET, sin_port=htons(80), "
            'sin_addr=inet_addr("0.0.0.0")}, 16) = 0',
            {"0.0.0.0 port 80"},
        ),
    ],
)
def test_addresses_are_read_from_strace(line: str, beyond: set[str]) -> None:
    seen = Trace()
    seen.judge(line)
    assert seen.beyond == beyond


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ('7 openat(AT_FDCWD</home>, "a/b", O_WRONLY|O_CREAT, 0666) = 3', {"/home/a/b"}),
        ('7 openat(AT_FDCWD</home>, "/x", O_RDWR) = 3</x>', {"/x"}),
        ('7 openat(AT_FDCWD</home>, "/x", O_RDWR <unfinished ...>', {"/x"}),
        ('7 openat(5</var>, "x", O_RDONLY|O_CREAT, 0600) = 3', {"/var/x"}),
        ('7 creat("/y", 0600) = 3', {"/y"}),
        ('7 openat(AT_FDCWD</home>, "/x", O_RDONLY|O_CLOEXEC) = 3', set()),
        ('7 openat(AT_FDCWD</home>, "/x", O_RDWR) = -1 EACCES (no)', set()),
        ('7 openat(AT_FDCWD</home>, "/dev/null", O_RDWR) = 3', set()),
    ],
)
def test_files_opened_for_writing_are_read_from_strace(
    line: str, written: set[str]
) -> None:
    seen = Trace()
    seen.judge(line)
    assert seen.written == written


# --- The page -------------------------------------------------------------------------

_POLICY = (
    "default-src 'none'; frame-ancestors 'none'; form-action 'self'; base-uri 'self'"
)


def _answer(html: str, policy: str = _POLICY, **headers: str) -> httpx.Response:
    return httpx.Response(
        200,
        text=html,
        headers={"content-security-policy": policy, "cache-control": "no-store"}
        | headers,
        request=httpx.Request("GET", "http://127.0.0.1:1/"),
    )


def test_a_page_that_loads_from_itself_alone_passes() -> None:
    html = '<script src="/static/a.js"></script><img src="data:,x"><a href="https://x">'
    assert page.foreign(_answer(html)) == []
    key = "page-1=x; HttpOnly; SameSite=Strict; Path=/"
    assert page.foreign(_answer(html, **{"set-cookie": key})) == []


@pytest.mark.parametrize(
    "answer",
    [
        _answer('<script src="https://example.org/a.js"></script>'),
        _answer('<link rel="icon" href="//example.org/a.png">'),
        _answer("", f"{_POLICY}; connect-src *"),
        _answer("", f"{_POLICY}; img-src https:"),
        _answer("", "default-src 'self'"),
        _answer("", **{"set-cookie": "a=b"}),
        _answer("", **{"set-cookie": "a=b; HttpOnly; SameSite=Strict; Max-Age=9"}),
        _answer("", **{"cache-control": "max-age=9"}),
    ],
    ids=[
        "script",
        "link",
        "connect",
        "image",
        "few rules",
        "cookie",
        "lasting cookie",
        "stored",
    ],
)
def test_a_page_that_loads_from_elsewhere_is_caught(answer: httpx.Response) -> None:
    assert page.foreign(answer) != []


# --- Talks, sound, report -------------------------------------------------------------


def test_every_talk_holds_the_word() -> None:
    chance = random.Random(1)
    for script in [talks.first(WORD)] + [
        talks.another(WORD, chance) for _ in range(99)
    ]:
        assert all(WORD in words.lower() for words in script.written)
        assert script.spoken is None or WORD in script.spoken.lower()
        assert WORD not in repr(script)


def test_a_recording_can_be_read() -> None:
    sound = spoken.say("x", None)
    assert not sound.is_speech
    with wave.open(io.BytesIO(spoken.as_wav(sound))) as read:
        assert (read.getnchannels(), read.getframerate()) == (1, spoken.RATE_HZ)
        assert read.readframes(read.getnframes()) == sound.samples.tobytes()


def test_long_lists_are_shortened_and_what_was_not_watched_is_said() -> None:
    found = Finding("x", Outcome.NOT_WATCHED, "no", tuple(map(str, range(20))))
    lines = report.lines(found)
    assert lines[0] == "note  x: not watched: no"
    assert lines[-1].strip() == "… and 8 more"
    assert len(lines) == report.SHOWN + 2


def test_where_nothing_was_watched_nothing_is_proved() -> None:
    assert not report.holds([])
    assert not report.holds([Finding("x", Outcome.NOT_WATCHED, "no")])
    assert report.holds([Finding("x", Outcome.HOLDS, "yes")])


# --- The command ----------------------------------------------------------------------


def test_wrong_numbers_are_refused(tmp_path: Path) -> None:
    for wrong in (["--talks", "0"], ["--kills", "-1"]):
        arguments = ["--home", str(tmp_path), "doctor", "--prove-private", *wrong]
        assert cli.main(arguments) == 2


@pytest.mark.weights
def test_nothing_leaves_and_nothing_stays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real program: a talk by text and voice, the exit, a stop, a kill."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert cli.main(["doctor", "--prove-private", "--json"]) == 0
    found = {
        record["name"]: record
        for record in map(json.loads, capsys.readouterr().out.splitlines())
    }
    failed = [name for name, record in found.items() if record["outcome"] == "fails"]
    assert failed == []
    for name in ("the talk", "connections", "files", "what it printed", "the page"):
        assert found[name]["outcome"] == "holds", name
    if shutil.which("strace"):
        for name in ("calls to the system", "files it opened"):
            assert found[name]["outcome"] == "holds", name
