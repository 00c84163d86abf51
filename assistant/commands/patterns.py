"""``ebb patterns``: patterns noticed in a text; needs no model file."""

from __future__ import annotations

import argparse
from typing import Any

from assistant import records
from assistant.commands import stream
from assistant.content import content_root
from assistant.records import InputLine
from assistant.settings import Settings
from assistant.wiring_rules import load_rules

NAME = "patterns"
HELP = "patterns noticed in a text (needs no model file)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    stream.add_text_arguments(parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Look at one text or every line."""
    rules = load_rules(content_root())

    def answer(line: InputLine, _raw: dict[str, Any]) -> dict[str, Any]:
        found = rules.notice(line.utterance.text)
        return {"patterns": records.pattern_records(found)}

    return stream.answer_lines(args, answer, _show)


def _show(record: dict[str, Any]) -> None:
    for found in record["patterns"]:
        noticed = "noticed" if found["score"] >= 0.5 else "faint"
        print(f"{found['score']:.2f}  {found['id']}  ({noticed})")
    if not record["patterns"]:
        print("no pattern noticed")
