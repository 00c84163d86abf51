"""``ebb eval``: quality measurements on the project's own sets."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.commands.stream import print_json
from assistant.content import content_root
from assistant.errors import InputError, UsageError
from assistant.evaluation import sets
from assistant.settings import Settings

NAME = "eval"
HELP = "quality measurements"
SUITES = ("triage", "guard", "patterns", "retrieval", "replies", "voice")
_REPLIES_BY_DEFAULT = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--suite", action="append", choices=SUITES, help="may be given several times"
    )
    parser.add_argument(
        "--split",
        choices=sets.SPLITS,
        default="heldout",
        help="dev may be tuned on, heldout never (default heldout)",
    )
    parser.add_argument("--limit", type=int, help="only the first so many")
    parser.add_argument("--model", metavar="NAME", help="language model for replies")
    parser.add_argument("--data", type=Path, help="folder of recordings, for voice")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write JSON here")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Run the suites that were asked for; all that need no extra data otherwise."""
    suites = args.suite or [name for name in SUITES if name != "voice"]
    if args.limit is not None and args.limit < 1:
        raise UsageError("--limit must be 1 or more.")
    runners: dict[str, Callable[[argparse.Namespace, Settings], dict[str, Any]]] = {
        "triage": _triage,
        "guard": _guard,
        "patterns": _patterns,
        "retrieval": _retrieval,
        "replies": _replies,
        "voice": _voice,
    }
    for name in suites:
        start = time.monotonic()
        figures = runners[name](args, settings)
        result = {
            "suite": name,
            "split": args.split,
            "date": datetime.now(UTC).date().isoformat(),
            "seconds": round(time.monotonic() - start, 1),
            **figures,
        }
        if args.report:
            _write(args.report, name, args.split, result)
        if args.json:
            print_json(result)
        else:
            _show(result)
    return 0


def _rows(args: argparse.Namespace, suite: str) -> list[dict[str, Any]]:
    return sets.load(suite, args.split)[: args.limit]


def _triage(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import triage
    from assistant.wiring_rules import load_hearer

    return triage.run(_rows(args, "triage"), load_hearer(content_root()))


def _guard(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import guard
    from assistant.wiring_rules import load_rules

    return guard.run(_rows(args, "guard"), load_rules(content_root()).check)


def _patterns(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import patterns
    from assistant.wiring_rules import load_rules

    return patterns.run(_rows(args, "patterns"), load_rules(content_root()).notice)


def _retrieval(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import retrieval

    with _program(settings, ["library"]) as program:
        assert program.searcher is not None  # for the type checker
        return retrieval.run(
            _rows(args, "retrieval"), program.searcher, program.library
        )


def _replies(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import replies

    rows = [row for row in sets.load("retrieval", args.split) if row["topics"]]
    rows = rows[: args.limit or _REPLIES_BY_DEFAULT]
    with _program(settings, ["library", "chat"], args.model) as program:
        return replies.run(rows, program.pipeline)


def _voice(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import voice
    from assistant.wiring import open_speech

    if args.data is None:
        raise UsageError("The voice suite needs --data FOLDER with recordings.")
    if not args.data.is_dir():
        raise InputError(f"There is no folder {args.data}.")
    return voice.run(args.data, *open_speech(settings), limit=args.limit)


@contextmanager
def _program(
    settings: Settings, parts: list[str], model: str | None = None
) -> Iterator[Any]:
    from assistant.wiring import Program

    program = Program(settings, chat_model=model)
    try:
        program.load_or_raise(parts)
        yield program
    finally:
        program.close()


def _write(folder: Path, name: str, split: str, result: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.{split}.json"
    path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"written: {path}", file=sys.stderr)


def _show(result: dict[str, Any], indent: int = 0) -> None:
    """Print figures; of lists, their length and the first few."""
    for key, value in result.items():
        label = " " * indent + key.replace("_", " ")
        match value:
            case {"value": share, "low": low, "high": high, "n": n}:
                print(f"{label}: {share:.3f} ({low:.3f}–{high:.3f}, n={n})")
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
