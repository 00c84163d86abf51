"""``ebb reply``: one turn through the whole pipeline."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from assistant import records
from assistant.commands import stream
from assistant.pipeline import MAX_CHARS
from assistant.records import InputLine
from assistant.settings import Settings
from assistant.wiring import Program

NAME = "reply"
HELP = "one turn through the whole pipeline"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    stream.add_text_arguments(parser)
    parser.add_argument(
        "--seed", type=int, default=0, help="same seed, same reply (default 0)"
    )
    parser.add_argument(
        "--model", metavar="NAME", help="another language model of “ebb models list”"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Answer one text or every line; says where a part is missing."""
    program = Program(settings, chat_model=args.model)
    program.load(["library", "chat"])
    for part in program.parts():
        if part.state in {"missing", "failed"}:
            print(part.sentence, file=sys.stderr)

    def answer(line: InputLine, _raw: dict[str, Any]) -> dict[str, Any]:
        utterance = line.utterance
        if len(utterance.text) > MAX_CHARS:
            utterance = records.shortened(utterance, MAX_CHARS)
        events = program.pipeline.run_turn(utterance, line.history, seed=args.seed)
        return records.reply_record(events)

    try:
        return stream.answer_lines(args, answer, _show)
    finally:
        program.close()


def _show(record: dict[str, Any]) -> None:
    for card in record["card_texts"]:
        print(f"[{card['title']}]\n{card['body']}")
        if card["emergency"]:
            print(f"Emergency: {', '.join(card['emergency'])}")
        services = ", ".join(card["services"])
        print(f"{services or 'Services: choose a country with --country'}\n")
    print(record["reply"])
    cited = {s["passage"] for s in record["sentences"] if s["passage"]}
    for passage in record["passages"]:
        if passage["id"] in cited:
            print(f"\nfrom: {passage['title']} — {passage['heading']}")
    for notice in record["notices"]:
        print(f"\n({notice})")
