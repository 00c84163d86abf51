"""What commands that read JSON Lines share: input, output, one record after another."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from assistant import records
from assistant.errors import UsageError
from assistant.records import InputLine

Answer = Callable[[InputLine, dict[str, Any]], dict[str, Any]]


def add_text_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a text argument and ``--json``."""
    parser.add_argument("text", nargs="?", help="the text; without it, use --json")
    parser.add_argument(
        "--json",
        action="store_true",
        help="read JSON Lines on standard input, write one JSON object a line",
    )
    parser.add_argument("--country", metavar="CC", help="for example GB")


def answer_lines(
    args: argparse.Namespace, answer: Answer, show: Callable[[dict[str, Any]], None]
) -> int:
    """Answer one text for a person, or every line of standard input as JSON.

    Raises:
        UsageError: If there is neither a text nor ``--json``.
        InputError: If a line cannot be read; the lines before it are answered.
    """
    if args.text is None and not args.json:
        raise UsageError("Give a text, or --json to read lines from standard input.")
    if args.text is not None:
        raw: dict[str, Any] = {"id": "1", "text": args.text}
        if args.country:
            raw["country"] = args.country
        result = {"id": "1"} | answer(records.input_line(raw), raw)
        if args.json:
            print_json(result)
        else:
            show(result)
        return 0
    for raw in records.read_lines(sys.stdin):
        raw.setdefault("country", args.country)
        print_json({"id": raw["id"]} | answer(records.input_line(raw), raw))
    return 0


def print_json(record: dict[str, Any]) -> None:
    """Write one record as one line, at once."""
    print(json.dumps(record, ensure_ascii=False), flush=True)
