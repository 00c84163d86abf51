"""``ebb bench``: speed and memory on this computer."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from assistant import triage
from assistant.commands.stream import print_json
from assistant.content import content_root
from assistant.domain import History, Utterance
from assistant.evaluation import figures, machine, report, sets
from assistant.evaluation.replies import median
from assistant.records import input_line, reply_record
from assistant.settings import Settings
from assistant.wiring import EMBEDDER, RECOGNISER
from assistant.wiring_rules import load_hearer

NAME = "bench"
HELP = "speed and memory measurements"

_LONG_WORDS = 3000
_TURNS = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--turns", type=int, default=_TURNS, help="replies to time")
    parser.add_argument("--model", metavar="NAME", help="language model to time")
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write bench.json and report.html"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Time the stages; medians, in the order of a turn."""
    record: dict[str, Any] = {
        "suite": NAME,
        "date": machine.today(),
        "machine": machine.describe(),
        **_time_triage(),
    }
    record |= _time_program(settings, args.model, max(args.turns, 1))
    if args.report:
        for path in (
            report.write_result(args.report, record),
            report.write_page(args.report),
        ):
            print(f"written: {path}", file=sys.stderr)
    if args.json:
        print_json(record)
        return 0
    print(f"date: {record['date']}")
    print(f"machine: {machine.say(record['machine'])}")
    for file in record["models"]:
        print(f"model: {file['name']}")
    for figure in figures.read_figures(record):
        print(f"{figure.key.replace('_', ' ')}: {figure.value:g}")
    return 0


def _time_triage() -> dict[str, float]:
    hearer = load_hearer(content_root())
    texts = [row["text"] for row in sets.load("triage", "dev") if "text" in row]
    each = [
        _ms(lambda text=text: triage.grade(Utterance(text), hearer)) for text in texts
    ]
    words = " ".join(texts).split()
    long = " ".join((words * (_LONG_WORDS // len(words) + 1))[:_LONG_WORDS])
    return {
        "triage_ms_median": median(each),
        "triage_ms_95": sorted(each)[int(len(each) * 0.95)],
        "triage_3000_words_ms": _ms(lambda: triage.grade(Utterance(long), hearer)),
    }


def _time_program(settings: Settings, model: str | None, turns: int) -> dict[str, Any]:
    from assistant.wiring import Program

    start = time.monotonic()
    program = Program(settings, chat_model=model)
    content_s = time.monotonic() - start
    loaded = {}
    try:
        for part in ("library", "chat", "speech"):
            start = time.monotonic()
            program.load_or_raise([part])
            loaded[f"{part}_loaded_s"] = round(time.monotonic() - start, 2)
        timings = _time_turns(program, turns)
        files = machine.model_files(EMBEDDER, program.chat_model().name, RECOGNISER)
        return {
            "models": [machine.ear_file(), *files],
            "content_read_s": round(content_s, 2),
            **loaded,
            **timings,
            "peak_memory_mb": round(_peak_memory_bytes() / 1e6),
        }
    finally:
        program.close()


def _time_turns(program: Any, turns: int) -> dict[str, Any]:
    rows = [row for row in sets.load("retrieval", "dev") if row["topics"]]
    step = max(len(rows) // turns, 1)
    first, own, total, speed, retrieve = [], [], [], [], []
    for seed, row in enumerate(rows[::step][:turns]):
        line = input_line(row)
        start = time.monotonic()
        first_own = None
        events = []
        for event in program.pipeline.run_turn(line.utterance, History(), seed=seed):
            events.append(event)
            sentence = getattr(event, "sentence", None)
            if sentence is not None and sentence.origin == "model" and not first_own:
                first_own = time.monotonic() - start
        timing = reply_record(events)["timing"]
        first.append(timing["first_sentence_ms"])
        total.append(timing["total_ms"])
        retrieve.append(timing["retrieve_ms"])
        if timing["reply_tokens"]:
            speed.append(timing["tokens_per_s"])
        if first_own:
            own.append(round(first_own * 1000, 1))
    return {
        "retrieve_ms_median": median(retrieve),
        "first_sentence_ms_median": median(first),
        "first_own_sentence_ms_median": median(own),
        "reply_ms_median": median(total),
        "tokens_per_s_median": median(speed),
        "turns": len(first),
    }


def _peak_memory_bytes() -> int:
    try:
        import resource
    except ImportError:  # not on Windows, where psutil knows the peak
        return int(getattr(psutil.Process().memory_info(), "peak_wset", 0))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak if platform.system() == "Darwin" else peak * 1024)


def _ms(call: Any) -> float:
    start = time.perf_counter()
    call()
    return round((time.perf_counter() - start) * 1000, 2)
