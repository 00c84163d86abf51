"""A moment of strange input for every target; ``python -m tests.fuzz`` runs long."""

from __future__ import annotations

import logging
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.errors import InputError
from tests.fuzz.harness import Fuzzer, Run, Target
from tests.fuzz.oracles import own_error
from tests.fuzz.seeds import CANARY
from tests.fuzz.targets import TARGETS
from tests.speed import slowness

_MOST_S = 0.4
_ONE_IN = 300
"""This part of a long run's share, before the time is over."""


@pytest.mark.parametrize("name", TARGETS)
def test_strange_input_is_stood(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    with target.make(tmp_path) as run:
        fuzzer = Fuzzer(target, run, seed=1)
        until = time.monotonic() + _MOST_S * slowness()
        fuzzer.go_on(max(10, target.executions // _ONE_IN), until)
    assert fuzzer.tally.executions > 0
    found = [
        f"{one.place}: {one.error} on {one.smallest!r}"
        for one in fuzzer.tally.findings.values()
    ]
    assert not found, "\n".join(found)


# --- The harness itself can fail ----------------------------------------------------


def _found(
    run: Run, seeds: tuple[str, ...], bound_s: float = 5.0, times: int = 60
) -> list[str]:
    @contextmanager
    def made(folder: Path) -> Iterator[Run]:
        yield run

    target = Target("made", lambda: seeds, made, 1, longest=200, bound_s=bound_s)
    fuzzer = Fuzzer(target, run, seed=1)
    fuzzer.go_on(times, time.monotonic() + 20)
    return [f.error for f in fuzzer.tally.findings.values()]


def test_a_failure_is_found_once_and_made_small() -> None:
    def run(text: str) -> Hashable:
        if "q" in text:
            raise KeyError("planted")
        return len(text)

    @contextmanager
    def made(folder: Path) -> Iterator[Run]:
        yield run

    target = Target("made", lambda: ("a quiet word",), made, 1)
    fuzzer = Fuzzer(target, run, seed=1)
    fuzzer.go_on(100, time.monotonic() + 20)
    (finding,) = fuzzer.tally.findings.values()
    assert finding.smallest == "q"
    assert "planted" in finding.error


def test_too_slow_an_answer_is_a_failure() -> None:
    def run(text: str) -> Hashable:
        return sum(range(1_000_000))

    assert any("too slow" in error for error in _found(run, ("",), 0.001, 4))


def test_a_word_of_the_input_in_the_log_is_a_failure() -> None:
    def run(text: str) -> Hashable:
        logging.getLogger("made").debug("heard %s", text)
        return None

    assert any("was logged" in error for error in _found(run, (CANARY,)))


@pytest.mark.parametrize(
    "words", [f"no {CANARY}", "two\nlines", "x" * 500, "", "Traceback of it"]
)
def test_an_error_that_is_no_plain_sentence_is_a_failure(words: str) -> None:
    def run(text: str) -> Hashable:
        def fail() -> None:
            raise InputError(words)

        return own_error(fail)

    assert _found(run, ("x",))


def test_an_error_that_brings_another_along_is_a_failure() -> None:
    def fail() -> None:
        try:
            int("x")
        except ValueError as error:
            raise InputError("It is no number.") from error

    with pytest.raises(AssertionError, match="carries another"):
        own_error(fail)
