"""``ebb eval``: quality measurements on the project's own sets."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.commands.stream import print_json
from assistant.errors import AssistantError, UsageError
from assistant.evaluation import (
    baseline,
    machine,
    publish,
    report,
    sets,
    suites,
    transcripts,
)
from assistant.settings import Settings

NAME = "eval"
HELP = "quality measurements"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--suite",
        action="append",
        choices=suites.NAMES,
        help="may be given several times",
    )
    parser.add_argument(
        "--split",
        choices=sets.SPLITS,
        default="heldout",
        help="dev may be tuned on, heldout never (default heldout)",
    )
    parser.add_argument("--limit", type=int, help="only the first so many")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME",
        help="language model for replies; several times: side by side",
    )
    parser.add_argument(
        "--data",
        type=Path,
        help="folder of recordings or public sets, for voice, beside and public",
    )
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write JSON and report.html here"
    )
    parser.add_argument(
        "--publish",
        action="store_true",
        help="also write docs/results.json and the figures in the documents",
    )
    parser.add_argument(
        "--update-readme",
        action="store_true",
        help="measure nothing; write the figures in the documents anew, from "
        "docs/results.json and, with --report, the results that lie in DIR",
    )
    parser.add_argument(
        "--set-baseline",
        action="store_true",
        help="store the figures that a change may not worsen (with --split dev)",
    )
    parser.add_argument(
        "--transcripts",
        type=Path,
        metavar="FILE",
        help="measure nothing; let made-up talks run and write them down here",
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Run the suites that were asked for; all that need no extra data otherwise.

    A suite that cannot run is said to be missing, and the others run all the same;
    then the exit code is that of its error.
    """
    if args.update_readme:
        _publish(report.read_results(args.report) if args.report else ())
        return 0
    if args.transcripts:
        _write_talks(args, settings)
        return 0
    _check(args)
    names = args.suite or _by_default(args)
    request = suites.Request(args.split, args.limit, tuple(args.model), args.data)
    results, exit_code = [], 0
    for name in names:
        try:
            result = suites.run(name, request, settings)
        except AssistantError as error:
            print(f"ebb: {name}: {error}", file=sys.stderr)
            exit_code = error.exit_code
            continue
        results.append(result)
        if args.report:
            _say_written(report.write_result(args.report, result))
        if args.json:
            print_json(result)
        else:
            _show(result)
    _write(args, results)
    return exit_code


def _write_talks(args: argparse.Namespace, settings: Settings) -> None:
    from assistant.wiring import Program

    program = Program(settings, chat_model=next(iter(args.model), None))
    try:
        program.load_or_raise(["library", "chat"])
        transcripts.write(
            program,
            transcripts.load()[: args.limit],
            args.transcripts,
            date=machine.today(),
            model=program.chat_model().name,
        )
    finally:
        program.close()
    _say_written(args.transcripts)


def _by_default(args: argparse.Namespace) -> list[str]:
    """Give the suites that run unless others are named."""
    left_out = suites.ONLY_IF_NAMED | (set() if args.data else {"voice"})
    return [name for name in suites.NAMES if name not in left_out]


def _check(args: argparse.Namespace) -> None:
    """Refuse what makes no sense before anything is measured."""
    if args.limit is not None and args.limit < 1:
        raise UsageError("--limit must be 1 or more.")
    if args.limit and (args.publish or args.set_baseline):
        raise UsageError("Figures are published and stored of whole sets only.")
    if args.set_baseline and args.split != baseline.SPLIT:
        raise UsageError(f"The baseline is of --split {baseline.SPLIT}.")
    if args.publish:
        publish.check_place(publish.CHECKOUT)


def _write(args: argparse.Namespace, results: Sequence[Mapping[str, Any]]) -> None:
    beside: list[dict[str, Any]] = []
    if args.report:
        _say_written(report.write_page(args.report))
        beside = [r for r in report.read_results(args.report) if r["suite"] == "bench"]
    if args.publish:
        _publish([*results, *beside])
    if args.set_baseline:
        baseline.write(results)
        _say_written(baseline.PATH)


def _publish(results: Iterable[Mapping[str, Any]]) -> None:
    whole = [result for result in results if "limit" not in result]
    _say_written(*publish.publish(whole, publish.CHECKOUT))


def _say_written(*paths: Path) -> None:
    for path in paths:
        print(f"written: {path}", file=sys.stderr)


def _show(result: Mapping[str, Any], indent: int = 0) -> None:
    """Print figures; of lists, their length and the first few."""
    for key, value in result.items():
        label = " " * indent + key.replace("_", " ")
        match value:
            case {"value": share, "low": low, "high": high, "n": n}:
                print(f"{label}: {share:.3f} ({low:.3f}–{high:.3f}, n={n})")
            case {"python": _}:
                print(f"{label}: {machine.say(value)}")
            case dict():
                print(f"{label}:")
                _show(value, indent + 2)
            case list():
                print(f"{label}: {len(value)}")
                for item in value[:10]:
                    print(f"{' ' * indent}  - {json.dumps(item, ensure_ascii=False)}")
            case _:
                print(f"{label}: {value}")
    if indent == 0:
        print()
