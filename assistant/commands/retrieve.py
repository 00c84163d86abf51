"""``ebb retrieve``: passages for a query."""

from __future__ import annotations

import argparse
from typing import Any

from assistant import records
from assistant.commands import stream
from assistant.errors import UsageError
from assistant.records import InputLine
from assistant.settings import Settings
from assistant.wiring import open_searcher

NAME = "retrieve"
HELP = "passages of the library for a text"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    stream.add_text_arguments(parser)
    parser.add_argument("-k", type=int, default=5, help="how many (default 5)")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Search for one text or every line."""
    if not 1 <= args.k <= 50:
        raise UsageError("-k must be between 1 and 50.")
    searcher, close = open_searcher(settings)

    def answer(line: InputLine, _raw: dict[str, Any]) -> dict[str, Any]:
        found = searcher.find_passages(line.utterance, line.history, args.k)
        return records.retrieval_record(found)

    try:
        return stream.answer_lines(args, answer, _show)
    finally:
        close()


def _show(record: dict[str, Any]) -> None:
    if record["weak"]:
        print("Nothing in the library answers this; the nearest passages are:\n")
    for passage in record["passages"]:
        print(f"{passage['score']:.2f}  {passage['title']} — {passage['heading']}")
        print(f"      {passage['id']} ({passage['topic']})")
        print(f"      {passage['text']}\n")
