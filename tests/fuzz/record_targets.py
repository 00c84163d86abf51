"""JSON Lines, as every command reads them, and what it writes back."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant import content
from assistant.commands import guard, patterns, stream, triage
from assistant.errors import AssistantError
from assistant.records import InputLine
from assistant.settings import Settings
from tests.fuzz.harness import Run, Target
from tests.fuzz.oracles import checked_error
from tests.fuzz.seeds import CANARY, sentences

_TALK = [
    {"role": "user", "content": "I keep going back"},
    {"role": "assistant", "content": "What draws you?"},
    {"role": "user", "content": "his voice"},
]


def _lines() -> tuple[str, ...]:
    made = [{"id": str(n), "text": text} for n, text in enumerate(sentences())]
    made += [
        {"id": "t", "messages": _TALK, "country": "GB", "language": "en"},
        {"id": 1, "text": "x", "country": None, "user": "I said so"},
        {"id": [1, {"a": None}], "messages": []},
        {"id": None, "text": "", "messages": _TALK[:2]},
        {"id": "1", "text": "x", "country": 5, "language": []},
    ]
    odd = ["", "[]", "null", '{"id": 1}', '{"id": "\\ud800", "text": "\\ud800"}']
    return (*map(json.dumps, made), *odd)


@contextmanager
def _records(folder: Path) -> Iterator[Run]:
    """One line, up to what is said and what was said before."""

    def answer(line: InputLine, raw: dict[str, Any]) -> dict[str, Any]:
        assert isinstance(line.utterance.text, str)
        assert line.utterance.language
        for message in line.history.messages:
            assert isinstance(message.content, str)
        return {"length": len(line.utterance.text)}

    args = argparse.Namespace(text=None, json=True, country="GB")

    def run(text: str) -> Hashable:
        return _through(text, lambda: stream.answer_lines(args, answer, _show))

    yield run


@contextmanager
def _commands(folder: Path) -> Iterator[Run]:
    """Whole commands that need no model file."""
    commands = (triage, patterns, guard)
    content.content_root()

    def run(text: str) -> Hashable:
        command = commands[len(text) % len(commands)]
        args = argparse.Namespace(text=None, json=True, country=None)
        settings = Settings(home=folder)
        return command.NAME, _through(text, lambda: command.run(args, settings))

    yield run


def _ids(text: str) -> Iterator[object]:
    for line in text.split("\n"):
        with contextlib.suppress(ValueError, RecursionError):
            record = json.loads(line)
            if isinstance(record, dict):
                yield record.get("id")


def _show(record: dict[str, Any]) -> None:
    raise AssertionError("a record for people where JSON was asked for")


def _through(text: str, call: Any) -> Hashable:
    """Give a command a text as its standard input; look at all that it writes."""
    if any(CANARY in str(one) for one in _ids(text)):
        return "a name of a record may stand in an error"
    # What UTF-8 cannot carry never arrives: the real input is decoded strictly.
    text = text.encode("utf-8", "replace").decode("utf-8")
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", "replace", newline="")
    before, sys.stdin = sys.stdin, io.StringIO(text)
    outcome = "done"
    try:
        with contextlib.redirect_stdout(out):
            call()
    except AssistantError as error:
        outcome = checked_error(error)[:24]
    finally:
        sys.stdin = before
    out.flush()
    written = out.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]  # BytesIO
    answered = written.split("\n")[:-1]
    for line in answered:
        record = json.loads(line)
        assert "id" in record
    return outcome, min(len(answered), 3)


TARGETS = (
    Target("records", _lines, _records, 300_000, longest=2_000),
    Target("commands", _lines, _commands, 400, longest=600, bound_s=6.0),
)
