"""Prove, on a running program, that nothing leaves and nothing stays.

In order: look at every place where files can be written; start the program under watch;
hold talks with it; leave; stop it; start it again and kill it in the middle of a turn;
look again. ``Proof`` holds what is watched all through.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.errors import AssistantError
from assistant.ports import TextToSpeech
from assistant.proof import canary, guest, page, spoken, talks, trace
from assistant.proof.child import Child
from assistant.proof.files import FileWatch
from assistant.proof.guest import Guest
from assistant.proof.report import Finding, Outcome
from assistant.proof.sockets import SocketWatch
from assistant.proof.verdicts import Watched, judge

_WHOLE_S = 1200
_OPEN_S = 180
_KILL_WITHIN_S = 4.0
_PAGES = ("", "talk/", "bye")
_LOOK_EVERY_TALKS = 10

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be proved, and how thoroughly."""

    command: Sequence[str]
    """Starts the program and makes it print its address."""
    places: tuple[Path, ...]
    talks: int = 1
    kills: int = 1
    voice: TextToSpeech | None = None
    """None: noise is sent instead of speech."""
    use_trace: bool = True


class Proof:
    """One run; ``findings`` is complete after ``run``."""

    def __init__(self, wanted: Wanted, tell: Tell = lambda line: None) -> None:
        """Make a word that nobody uses; nothing is started yet.

        Args:
            wanted: What is to be proved.
            tell: Told what is done now, in one plain line; it never holds the word.
        """
        self._wanted = wanted
        self._tell = tell
        self._chance = random.SystemRandom()
        self._word = canary.new_word()
        self._watched = Watched(FileWatch(wanted.places))
        self._watched.files.look_for(
            canary.of_text(self._word, "the word, as it was written")
        )

    def run(self) -> list[Finding]:
        """Hold the talks, kill, look; gives what was found.

        Raises:
            AssistantError: If the program cannot be started or stops answering.
        """
        traced = self._wanted.use_trace and trace.is_possible()
        self._watched.is_traced = traced
        self._tell("Looking at every place where files can be written …")
        self._watched.files.begin()
        self._talks()
        for number in range(self._wanted.kills):
            self._tell(f"Killing it in a turn, {number + 1} of {self._wanted.kills} …")
            self._kill()
        return judge(self._watched)

    def so_far(self) -> list[Finding]:
        """Give what was found up to now, where a run could not be finished."""
        return judge(self._watched)

    @contextmanager
    def _running(self) -> Iterator[Child]:
        """Run the program under watch; it has ended afterwards."""
        followed = trace.Trace() if self._watched.is_traced else None
        child = Child(self._wanted.command, followed)
        try:
            with SocketWatch(child.pid) as sockets:
                try:
                    yield child
                finally:
                    child.kill()
        finally:
            if followed is not None:
                followed.finish()
                self._watched.traces.append(followed)
            self._watched.printed.append(bytes(child.printed))
            self._watched.sockets.append(sockets)

    def _talks(self) -> None:
        self._tell("Starting the program …")
        with self._running() as child:
            self._pages(child)
            self._talking(child)
            for number in range(self._wanted.talks):
                self._tell(f"Talking, {number + 1} of {self._wanted.talks} …")
                is_first = number == 0
                script = (
                    talks.first(self._word)
                    if is_first
                    else talks.another(self._word, self._chance)
                )
                look = is_first or number % _LOOK_EVERY_TALKS == 0
                self._talk(child, script, look=look, everything=is_first)
            child.stop()
        self._watched.files.look("after it was stopped")

    def _talking(self, child: Child) -> None:
        """Say that the start is over: what is opened from now on, a talk opens."""
        if child.trace is not None:
            child.trace.in_talk = True

    def _pages(self, child: Child) -> None:
        tab = Guest(child.address)
        try:
            tab.wait(_WHOLE_S, whole=True)
            self._watched.parts = [str(part) for part in tab.ready().get("parts", [])]
            for path in _PAGES:
                answer = tab.page(path)
                self._watched.pages += 1
                self._watched.foreign += [
                    f"/{path}: {what}" for what in page.foreign(answer)
                ]
        finally:
            tab.close()

    def _talk(
        self, child: Child, script: talks.Script, *, look: bool, everything: bool
    ) -> None:
        tab = Guest(child.address)
        files = self._watched.files
        try:
            tab.enter()
            for words in script.written:
                frame = tab.say(words)
                self._watched.count(frame)
                for sentence in guest.model_sentences(frame):
                    files.look_for(canary.of_text(sentence, "a sentence of a reply"))
            if script.spoken is not None:
                self._speak(tab, script.spoken, as_file=everything)
            if everything:
                self._elsewhere(tab)
            if look:
                files.look("after a talk", child.pid)
            if self._chance.random() < 0.5:
                tab.wipe()
            self._watched.left.append(tab.leave())
            if look:
                files.look("after leaving", child.pid)
        finally:
            tab.close()

    def _speak(self, tab: Guest, words: str, *, as_file: bool) -> None:
        sound = spoken.say(words, self._wanted.voice)
        files = self._watched.files
        files.look_for(canary.of_sound(sound.samples))
        heard = [tab.speak(sound.samples)]
        if as_file:
            heard.append(tab.send_file(spoken.as_wav(sound)))
        self._watched.sounds += len(heard)
        self._watched.is_speech = self._watched.is_speech or sound.is_speech
        for answer in heard:
            if answer["kind"] == "heard" and sound.is_speech:
                self._watched.heard += 1
                files.look_for(canary.of_text(answer["text"].strip(), "what was heard"))
                self._watched.count(tab.say(answer["text"]))

    def _elsewhere(self, tab: Guest) -> None:
        """Write the word into the other screens too."""
        word = self._word
        tab.post("understand/find", {"words": f"why do I miss {word}"})
        tab.post("help-block", {"need": word})
        tab.post("notes/add", {"tool": "reality", "kind": "reality", "text": word})
        tab.post("notes/view", {"tool": "reality", "find": word})
        tab.post("notes/export", {})
        aloud = np.frombuffer(tab.let_speak(f"You told me of {word}."), dtype="<i2")
        self._watched.aloud += bool(aloud.size)
        self._watched.files.look_for(canary.of_sound(aloud))

    def _kill(self) -> None:
        with self._running() as child:
            tab = Guest(child.address)
            try:
                tab.wait(_OPEN_S, whole=False)
                tab.enter()
                tab.begin(talks.interrupted(self._word, self._chance))
                time.sleep(self._chance.uniform(0, _KILL_WITHIN_S))
                child.kill()
                self._watched.kills += 1
            finally:
                tab.close()
        self._watched.files.look("after a kill")


def prove(wanted: Wanted, tell: Tell = lambda line: None) -> list[Finding]:
    """Prove it once; a program that does not answer is a finding as well."""
    proof = Proof(wanted, tell)
    try:
        return proof.run()
    except AssistantError as error:
        unproved = Finding("the run", Outcome.FAILS, str(error))
        return [unproved, *proof.so_far()]
