"""``ebb bench``: speed and memory on this computer, beside the plain calls."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from assistant.commands.stream import print_json
from assistant.evaluation import aims, figures, machine, report
from assistant.settings import Settings

NAME = "bench"
HELP = "speed and memory measurements"
_TURNS = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--turns", type=int, default=_TURNS, help="talks with the model to time"
    )
    parser.add_argument("--model", metavar="NAME", help="language model to time")
    parser.add_argument(
        "--sound",
        type=Path,
        metavar="FILE",
        help="a recording to listen to; without it, the voice speaks library sentences",
    )
    parser.add_argument(
        "--long", action="store_true", help="also listen to three minutes, live"
    )
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write bench.json and report.html"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Measure, and print or write what came out."""
    from assistant.evaluation import bench

    request = bench.Request(args.turns, args.model, args.sound, args.long)
    record = bench.run(request, settings, _say)
    if args.report:
        for path in (
            report.write_result(args.report, record),
            report.write_page(args.report),
        ):
            _say(f"written: {path}")
    if args.json:
        print_json(record)
    else:
        _show(record)
    return 0


def _show(record: dict[str, Any]) -> None:
    print(f"date: {record['date']}")
    print(f"machine: {machine.say(record['machine'])}")
    for file in record["models"]:
        print(f"model: {file['name']}")
    known = aims.load()
    for figure in figures.read_figures(record):
        aim = aims.find(known, NAME, figure.key)
        judged = f" ({aim.text}: {aim.verdict(figure)})" if aim and aim.text else ""
        print(f"{figure.key.replace('_', ' ')}: {figure.value:g}{judged}")


def _say(line: str) -> None:
    print(line, file=sys.stderr)
