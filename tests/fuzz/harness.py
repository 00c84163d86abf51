"""Run a target on changed seeds, bound its time, and make what it fails on small.

A target is a function from a text or bytes to an *outcome*, any small value that tells
two ways of answering apart; an input with a new outcome joins the seeds. It fails by
raising: an assertion of its own, or an exception that the program must not let out.
"""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
import time
import traceback
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.mutate import Input, mutated
from tests.fuzz.seeds import CANARY
from tests.speed import slowness

_HANG_S = 60.0
"""More of the processor's time than this, for one input, is standing still."""
_MOST_SEEDS = 3_000
_MOST_TRIES = 600
_MOST_FINDINGS = 20

Run = Callable[[Input], Hashable]


@dataclass(frozen=True)
class Target:
    """One thing that must stand."""

    name: str
    seeds: Callable[[], Sequence[Input]]
    """Made-up inputs to begin with; all texts, or all bytes."""
    make: Callable[[Path], contextlib.AbstractContextManager[Run]]
    """Opens what is needed, given an empty folder of its own."""
    executions: int
    """How many a long run gives it, in proportion to the others."""
    longest: int = 4_000
    """Characters or bytes; longer inputs come seldom."""
    bound_s: float = 0.5
    """Processor time that a short input may take on the usual machine."""
    per_unit_s: float = 100e-6
    """More time for each character or byte."""


@dataclass
class Finding:
    """An input that a target did not stand."""

    target: str
    place: str
    error: str
    smallest: Input


@dataclass
class Tally:
    """What came out of one target."""

    executions: int = 0
    slowest_s: float = 0.0
    outcomes: int = 0
    findings: dict[str, Finding] = field(default_factory=dict)


class HangError(BaseException):
    """Nothing came back; not an ``Exception``, so that nobody takes it for theirs."""


class _Listening(logging.Handler):
    """Notes whether a word of an input was logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.heard = False

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(Exception):
            said = record.getMessage() + str(record.exc_info and record.exc_info[1])
            self.heard = self.heard or CANARY in said


class Fuzzer:
    """Gives one target one input after another."""

    def __init__(self, target: Target, run: Run, seed: int) -> None:
        self._target, self._run = target, run
        self._random = Random(f"{target.name} {seed}")
        self._seeds: list[Input] = list(target.seeds())
        self._outcomes: set[Hashable] = set()
        self._listening = _Listening()
        self._slowness = slowness()
        self._next_seed = 0
        self.tally = Tally()

    def go_on(self, executions: int, until_s: float) -> None:
        """Run so many more times, or until this time of ``time.monotonic``."""
        root = logging.getLogger()
        level = root.level
        root.addHandler(self._listening)
        root.setLevel(logging.DEBUG)
        try:
            with _alarm():
                for _ in range(executions):
                    self._once()
                    if time.monotonic() > until_s:
                        return
        finally:
            root.removeHandler(self._listening)
            root.setLevel(level)

    def _once(self) -> None:
        given = self._pick()
        self.tally.executions += 1
        try:
            outcome = self._tried(given)
        except (Exception, HangError) as error:
            self._found(given, error)
            return
        if outcome not in self._outcomes:
            self._outcomes.add(outcome)
            self.tally.outcomes += 1
            if len(self._seeds) < _MOST_SEEDS:
                self._seeds.append(given)

    def _pick(self) -> Input:
        if self._next_seed < len(self._seeds) and self.tally.executions % 4 == 0:
            self._next_seed += 1  # every seed once as it is
            return self._seeds[self._next_seed - 1]
        return mutated(self._random, self._seeds, self._target.longest)

    def _tried(self, given: Input) -> Hashable:
        self._listening.heard = False
        began = time.thread_time()
        _set_alarm(_HANG_S)
        try:
            outcome = self._run(given)
        finally:
            _set_alarm(0)
        took = time.thread_time() - began
        self.tally.slowest_s = max(self.tally.slowest_s, took)
        bound = self._target.bound_s + self._target.per_unit_s * len(given)
        assert took < bound * self._slowness, f"too slow: more than {bound:.2f} s"
        assert not self._listening.heard, "a word of the input was logged"
        return outcome

    def _found(self, given: Input, error: BaseException) -> None:
        place = _place(error)
        if place in self.tally.findings or len(self.tally.findings) >= _MOST_FINDINGS:
            return
        smallest = given if isinstance(error, HangError) else self._shrunk(given, place)
        self.tally.findings[place] = Finding(
            self._target.name, place, f"{type(error).__name__}: {error}", smallest
        )

    def _shrunk(self, given: Input, place: str) -> Input:
        """Leave out what is not needed for the same failure."""
        tries, step = 0, max(1, len(given) // 2)
        while step and tries < _MOST_TRIES:
            at, shorter = 0, False
            while at < len(given) and tries < _MOST_TRIES:
                smaller = given[:at] + given[at + step :]
                tries += 1
                if self._fails_at(smaller, place):
                    given, shorter = smaller, True
                else:
                    at += step
            step = step if shorter and step > 1 else step // 2
        return given

    def _fails_at(self, given: Input, place: str) -> bool:
        try:
            self._tried(given)
        except (Exception, HangError) as error:
            return _place(error) == place
        return False


def _place(error: BaseException) -> str:
    """Tell two failures apart: the kind, and the last line of ours it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/assistant/" in f.filename.replace("\\", "/")]
    last = (ours or frames)[-1]
    if isinstance(error, AssertionError) and not ours:
        return f"AssertionError: {error}"[:200]
    name = Path(last.filename).name
    return f"{type(error).__name__} at {name}:{last.lineno} {last.name}"


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    if not _has_alarm():
        yield
        return

    def ring(number: int, frame: object) -> None:
        raise HangError("no answer")

    before = signal.signal(signal.SIGPROF, ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGPROF, before)


def _set_alarm(seconds: float) -> None:
    if _has_alarm():
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _has_alarm() -> bool:
    is_main = threading.current_thread() is threading.main_thread()
    return hasattr(signal, "setitimer") and is_main
