"""From what was watched to what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.proof import canary, guest
from assistant.proof.files import FileWatch
from assistant.proof.report import Finding, Outcome
from assistant.proof.sockets import SocketWatch
from assistant.proof.trace import Trace

_SEMAPHORES = "/dev/shm/sem."
"""Locks between threads and processes: 32 bytes, no content."""


@dataclass(slots=True)
class Watched:
    """Everything that was seen in one run."""

    files: FileWatch
    is_traced: bool = False
    traces: list[Trace] = field(default_factory=list)
    sockets: list[SocketWatch] = field(default_factory=list)
    printed: list[bytes] = field(default_factory=list, repr=False)
    parts: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    pages: int = 0
    turns: int = 0
    cards: int = 0
    replies: int = 0
    by_model: int = 0
    sounds: int = 0
    heard: int = 0
    aloud: int = 0
    is_speech: bool = False
    left: list[bool] = field(default_factory=list)
    kills: int = 0

    def count(self, frame: Mapping[str, Any]) -> None:
        """Count a turn by what it brought."""
        shown = guest.slots(frame)
        self.turns += 1
        self.cards += "cards" in shown
        self.replies += "reply" in shown
        self.by_model += bool(guest.model_sentences(frame))


def judge(watched: Watched) -> list[Finding]:
    """Give the findings, in the order of the run."""
    return [
        _talk(watched),
        _voice(watched),
        _network(watched),
        _calls(watched),
        _files(watched),
        *_unseen(watched),
        _opened(watched),
        _printed(watched),
        _pages(watched),
        _left(watched),
        _kills(watched),
    ]


def _finding(name: str, bad: object, good: str, wrong: str, *more: str) -> Finding:
    if bad:
        return Finding(name, Outcome.FAILS, wrong, more)
    return Finding(name, Outcome.HOLDS, good, more)


def _talk(watched: Watched) -> Finding:
    sentence = (
        f"talks: {len(watched.left)}; messages, most with a word of nonsense letters: "
        f"{watched.turns}; with cards: {watched.cards}; with a reply: "
        f"{watched.replies}; with a sentence by the language model: {watched.by_model}"
    )
    bad = not watched.turns or not watched.replies
    return _finding("the talk", bad, sentence, f"nothing was answered: {sentence}")


def _voice(watched: Watched) -> Finding:
    if not watched.sounds:
        return Finding("the voice", Outcome.NOT_WATCHED, "no sound was sent")
    if not watched.is_speech:
        sentence = f"no voice is installed; noise was sent {watched.sounds} times"
        return Finding("the voice", Outcome.NOT_WATCHED, sentence)
    if not watched.heard:
        sentence = "speech was sent, and the program cannot listen or heard no words"
        return Finding("the voice", Outcome.NOT_WATCHED, sentence)
    sentence = (
        f"a spoken sentence was sent {watched.sounds} times; words were heard in "
        f"{watched.heard}, and are looked for like the written ones; spoken aloud by "
        f"it: {watched.aloud}"
    )
    return Finding("the voice", Outcome.HOLDS, sentence)


def _network(watched: Watched) -> Finding:
    beyond = sorted(set().union(*(w.beyond for w in watched.sockets)))
    looks = sum(w.looks for w in watched.sockets)
    if any(w.refused for w in watched.sockets) or not looks:
        refused = "the system does not let this account look at the sockets"
        return Finding("connections", Outcome.NOT_WATCHED, refused)
    loopback = sorted(set().union(*(w.loopback for w in watched.sockets)))
    return _finding(
        "connections",
        beyond,
        f"looked at all open sockets {looks:,} times: this computer only "
        f"({', '.join(loopback)})",
        "it reached beyond this computer",
        *beyond,
    )


def _calls(watched: Watched) -> Finding:
    name = "calls to the system"
    if not watched.is_traced:
        without = "strace is not here or not allowed, so only open sockets were seen"
        return Finding(name, Outcome.NOT_WATCHED, without)
    if any(t.blind for t in watched.traces):
        return Finding(name, Outcome.NOT_WATCHED, "it used io_uring, unseen by strace")
    beyond = sorted(set().union(*(t.beyond for t in watched.traces)))
    sockets = sorted(set().union(*(t.local_sockets for t in watched.traces)))
    lines = sum(t.lines for t in watched.traces)
    if not lines:
        return Finding(name, Outcome.NOT_WATCHED, "strace told nothing")
    return _finding(
        name,
        beyond,
        f"strace, {lines:,} calls: no address beyond this computer, no name looked up"
        + (f"; other programs here it spoke to: {', '.join(sockets)}" * bool(sockets)),
        "it tried to reach beyond this computer",
        *beyond,
    )


def _files(watched: Watched) -> Finding:
    files = watched.files
    if not files.looks:
        return Finding("files", Outcome.NOT_WATCHED, "the run ended before a look")
    where = ", ".join(str(place) for place in files.places)
    hits = [f"{p}: {', '.join(sorted(w))}" for p, w in sorted(files.hits.items())]
    # strace knows which of them this program opened; others run at the same time.
    own = set().union(*(t.written for t in watched.traces)) if watched.is_traced else ()
    first = sorted(files.changed, key=lambda path: (path not in own, path))
    changed = [f"{path} ({files.changed[path]})" for path in first]
    by_it = sum(path in own for path in first)
    sentence = (
        f"looked {files.looks} times at {where}: {len(files.changed)} files new or "
        f"changed since before the start"
        + (f" ({by_it} by it, the rest by other programs)" * watched.is_traced)
        + f", {len(files.new_folders)} new folders; "
    )
    if hits:
        return Finding("files", Outcome.FAILS, f"{sentence}found in:", tuple(hits))
    good = f"{sentence}nothing that was said is in them"
    return Finding("files", Outcome.HOLDS, good, tuple(changed))


def _unseen(watched: Watched) -> list[Finding]:
    lacking = sorted(watched.files.unreadable | watched.files.not_watched)
    if not lacking:
        return []
    sentence = f"{len(lacking)} files or folders that this account may not read"
    return [Finding("some files", Outcome.NOT_WATCHED, sentence, tuple(lacking))]


def _opened(watched: Watched) -> Finding:
    name = "files it opened"
    if not watched.is_traced:
        without = "files outside of these places, and files that came and went"
        return Finding(name, Outcome.NOT_WATCHED, without)
    written = set().union(*(t.written for t in watched.traces))
    gone = watched.files.search_also(sorted(written))
    bad = sorted(written & watched.files.hits.keys())
    in_talk = sorted(set().union(*(t.written_in_talk for t in watched.traces)))
    vanished = [p for p in gone if p in in_talk and not p.startswith(_SEMAPHORES)]
    if vanished and not bad:
        sentence = "files that came and went in a talk, and could not be searched"
        return Finding(name, Outcome.NOT_WATCHED, sentence, tuple(vanished))
    return _finding(
        name,
        bad,
        f"{len(written)} files were opened for writing, anywhere on this computer; "
        f"{len(in_talk)} of them while a talk went on; {len(gone)} are gone again",
        "what was said is in a file that it wrote",
        *(bad or in_talk),
    )


def _printed(watched: Watched) -> Finding:
    if not watched.printed:
        return Finding("what it printed", Outcome.NOT_WATCHED, "nothing was started")
    printed = b"\n".join(watched.printed)
    found = canary.find(printed, watched.files.needles)
    size = sum(map(len, watched.printed))
    if not found and b"Traceback (most recent call last)" in printed:
        story = "a whole error was printed, which may quote what was said another time"
        return Finding("what it printed", Outcome.FAILS, story)
    return _finding(
        "what it printed",
        found,
        f"{size:,} bytes on standard output and error: nothing that was said",
        "what was said was printed",
        *found,
    )


def _pages(watched: Watched) -> Finding:
    if not watched.pages:
        return Finding("the page", Outcome.NOT_WATCHED, "no page was fetched")
    return _finding(
        "the page",
        watched.foreign,
        f"{watched.pages} pages let the browser load from the program alone, and ask "
        "it to store nothing",
        "a page may load from elsewhere, or be stored",
        *watched.foreign,
    )


def _left(watched: Watched) -> Finding:
    if not watched.left:
        return Finding("leaving", Outcome.NOT_WATCHED, "no talk was held to its end")
    stayed = watched.left.count(False)
    return _finding(
        "leaving",
        stayed,
        f"left {len(watched.left)} times: the program no longer knew the talk",
        f"{stayed} talks could still be found after leaving",
    )


def _kills(watched: Watched) -> Finding:
    if not watched.kills:
        return Finding("killing it", Outcome.NOT_WATCHED, "it was not killed")
    sentence = f"killed {watched.kills} times in the middle of a turn, then looked"
    return Finding("killing it", Outcome.HOLDS, sentence)
