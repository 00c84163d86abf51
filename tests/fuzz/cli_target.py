"""The command line: any arguments; those that start something heavy are only read."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant import cli, settings
from assistant.errors import AssistantError
from tests.fuzz.harness import Run, Target
from tests.fuzz.oracles import checked_error
from tests.fuzz.seeds import CANARY, ODD_TEXTS

_BETWEEN = "\x1f"
"""Stands between two arguments of an input."""
_LIGHT = frozenset({"helplines"})
_RUN = (
    "helplines --country GB",
    "helplines --country GB --need men --json",
    "helplines --country \ud800",
    "helplines --need",
)
_READ = (
    "",
    "--help",
    "--version",
    "--port 80",
    "--port x",
    "--country GB --language en --no-browser",
    "reply I feel sad",
    f"reply {CANARY} {CANARY}",
    f"triage x {CANARY}",
    f"triage --{CANARY}",
    f"patterns --json {CANARY} x y",
    "reply --json --seed 1 --model m",
    "reply --seed 1e9 x",
    "retrieve -k 5 where",
    "guard --json",
    "transcribe a.wav -",
    "speak hello -o x.wav",
    "models pull a b",
    "models verify --json",
    "doctor --json",
    "eval --suite triage --split dev",
    "bench --report d",
    f"-x {CANARY}",
    "-- reply --",
    "--home x triage",
    "@file",
)


@contextmanager
def _arguments(folder: Path) -> Iterator[Run]:
    home = settings.load(folder)

    def run(text: str) -> Hashable:
        arguments = [part for part in text.split(_BETWEEN) if part or _BETWEEN in text]
        out, told = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
            try:
                name, command, args = cli._parse(arguments)
                outcome: Hashable = name
                if name in _LIGHT:
                    outcome = name, command.run(args, home)
            except SystemExit as ended:
                outcome = ended.code
            except AssistantError as error:
                outcome = checked_error(error)
        assert outcome != 1, "ended as a bug does"
        assert CANARY not in told.getvalue(), "an error repeats what was written"
        return outcome

    yield run


def _seeds() -> tuple[str, ...]:
    made = [line.replace(" ", _BETWEEN) for line in (*_READ, *_RUN)]
    odd = [f"triage{_BETWEEN}{part}{_BETWEEN}{CANARY}" for part in ODD_TEXTS]
    return (*made, *odd)


TARGETS = (Target("arguments", _seeds, _arguments, 20_000, longest=200, bound_s=3.0),)
