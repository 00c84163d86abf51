"""``ebb triage``: safety triage alone; needs no model file."""

from __future__ import annotations

import argparse
from typing import Any

from assistant import records, triage
from assistant.commands import stream
from assistant.content import content_root
from assistant.records import InputLine
from assistant.settings import Settings
from assistant.wiring_rules import load_hearer

NAME = "triage"
HELP = "hear danger in a text (needs no model file)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    stream.add_text_arguments(parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Grade one text or every line."""
    hearer = load_hearer(content_root())

    def answer(line: InputLine, _raw: dict[str, Any]) -> dict[str, Any]:
        result = triage.grade(line.utterance, hearer, line.history)
        return records.triage_record(result)

    return stream.answer_lines(args, answer, _show)


def _show(record: dict[str, Any]) -> None:
    cards = ", ".join(record["cards"]) or "no card"
    print(f"{record['level']}: {cards}")
    if record["ask"]:
        print(f"unsure, would ask about: {record['ask']}")
