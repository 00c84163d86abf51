"""``ebb doctor``: checks this machine and says what works and what does not."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

from assistant import content_directory, content_library, content_texts, library_check
from assistant.commands.stream import print_json
from assistant.content import content_root
from assistant.errors import (
    AssistantError,
    ModelFileError,
    NetworkError,
    UsageError,
)
from assistant.models import ModelFolder, Registry, State, best_llm_there, say_bytes
from assistant.ports import TextToSpeech
from assistant.settings import Settings

NAME = "doctor"
HELP = "check this machine: what works and what does not"

_OLDEST_SQLITE = (3, 35, 0)  # what chromadb asks for
_LITTLE_MEMORY_BYTES = 4 << 30
_LITTLE_DISK_BYTES = 2 << 30
_LIBRARIES = ("faster-whisper", "llama-cpp-python", "chromadb", "gradio")
# An address that is set aside for documentation (RFC 5737): nobody is there.
_NOWHERE = ("192.0.2.1", 9)


_PROVED = (
    "Nothing left this computer and nothing that was said stayed on it, as far as was "
    "watched."
)
_NOT_PROVED = "This does not hold. Please do not rely on it until it is mended."


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    state: str
    """``ok``, ``note`` (works with less) or ``problem``."""
    sentence: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--prove-private",
        action="store_true",
        help="start Ebb, talk with it, and watch from outside that nothing leaves "
        "and nothing stays (a minute or two)",
    )
    parser.add_argument(
        "--talks", type=int, default=1, metavar="N", help="talks to hold for the proof"
    )
    parser.add_argument(
        "--kills", type=int, default=1, metavar="N", help="times to kill it in a turn"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Look at everything; a missing model file gives its exit code, for scripts."""
    if args.prove_private:
        return _prove(args, settings)
    findings = list(_look(settings))
    for finding in findings:
        if args.json:
            print_json(asdict(finding))
        else:
            mark = {"ok": "ok  ", "note": "note", "problem": "!!  "}[finding.state]
            print(f"{mark}  {finding.name}: {finding.sentence}")
    problems = [f for f in findings if f.state == "problem"]
    if not args.json:
        print("\n" + _verdict(problems))
    if any(f.name == "model files" for f in problems):
        return ModelFileError.exit_code
    return 1 if problems else 0


def _prove(args: argparse.Namespace, settings: Settings) -> int:
    """Prove on a running Ebb that nothing leaves and nothing stays."""
    # Imported here: the usual look needs nothing of it.
    from assistant.proof import child, places, prove, report

    if args.talks < 1 or args.kills < 0:
        raise UsageError("--talks must be 1 or more, and --kills 0 or more.")
    wanted = prove.Wanted(
        command=child.command_for(settings.home),
        places=places.usual(settings.home),
        talks=args.talks,
        kills=args.kills,
        voice=_voice(settings),
    )
    findings = prove.prove(wanted, lambda line: print(line, file=sys.stderr))
    for finding in findings:
        if args.json:
            print_json(asdict(finding))
        else:
            print("\n".join(report.lines(finding)))
    is_proved = report.holds(findings)
    if not args.json:
        print("\n" + (_PROVED if is_proved else _NOT_PROVED))
    return 0 if is_proved else 1


def _voice(settings: Settings) -> TextToSpeech | None:
    from assistant import wiring_voice

    try:
        return wiring_voice.load(settings)
    except AssistantError:
        return None


def _verdict(problems: list[Finding]) -> str:
    if not problems:
        return "Everything that was looked at works."
    names = ", ".join(finding.name for finding in problems)
    return f"Needs attention: {names}. Help and triage work all the same."


def _look(settings: Settings) -> Iterator[Finding]:
    checks: tuple[Callable[[Settings], Finding], ...] = (
        _python,
        _libraries,
        _sqlite,
        _memory,
        _disk,
        _content,
        _library,
        _directory,
        _model_files,
        _index,
        _network,
    )
    for check in checks:
        try:
            yield check(settings)
        except (AssistantError, OSError) as error:
            name = check.__name__.strip("_").replace("_", " ")
            words = str(error) if isinstance(error, AssistantError) else "no access"
            yield Finding(name, "problem", words)


def _python(settings: Settings) -> Finding:
    return Finding(
        "Python", "ok", f"{platform.python_version()} on {platform.system()}"
    )


def _libraries(settings: Settings) -> Finding:
    found, missing = [], []
    for name in _LIBRARIES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("libraries", "problem", f"not installed: {', '.join(missing)}")
    return Finding("libraries", "ok", ", ".join(found))


def _sqlite(settings: Settings) -> Finding:
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        return Finding(
            "sqlite",
            "note",
            f"{version} is too old for Chroma; the index is kept in memory instead",
        )
    return Finding("sqlite", "ok", version)


def _memory(settings: Settings) -> Finding:
    memory = psutil.virtual_memory()
    words = f"{say_bytes(memory.total)}, {say_bytes(memory.available)} free"
    if memory.available < _LITTLE_MEMORY_BYTES:
        return Finding("memory", "note", f"{words}; it may be slow")
    return Finding("memory", "ok", words)


def _disk(settings: Settings) -> Finding:
    folder = next(p for p in (settings.home, *settings.home.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    state = "note" if free < _LITTLE_DISK_BYTES else "ok"
    return Finding("disk", state, f"{say_bytes(free)} free")


def _content(settings: Settings) -> Finding:
    root = content_root()
    content_texts.load_replies(root)
    cards = content_texts.load_cards(root)
    return Finding("vetted texts", "ok", f"{len(cards)} cards and the fixed replies")


def _library(settings: Settings) -> Finding:
    library = content_library.load(content_root())
    problems = library_check.problems(library)
    if problems:
        return Finding("library", "problem", "; ".join(problems[:5]))
    overdue = library_check.overdue(library, datetime.now(UTC).date())
    passages = sum(len(article.passages) for article in library.articles)
    words = f"{len(library.articles)} articles, {passages} passages"
    if overdue:
        return Finding("library", "note", f"{words}; review overdue: {len(overdue)}")
    return Finding("library", "ok", words)


def _directory(settings: Settings) -> Finding:
    directory = content_directory.load(content_root())
    services = sum(len(help_.services) for help_ in directory.by_country.values())
    return Finding(
        "directory",
        "ok",
        f"{services} services in {len(directory.countries)} countries",
    )


def _model_files(settings: Settings) -> Finding:
    registry = Registry.load(content_root() / "models" / "registry.toml")
    folder = ModelFolder(registry, settings.models_dir)
    needed = [m for m in registry.models if m.default and m.kind != "llm"]
    lacking = [m.name for m in needed if folder.state(m) is not State.READY]
    llm = best_llm_there(folder, memory_bytes=psutil.virtual_memory().total)
    if llm is None:
        lacking.append("a language model")
    if lacking:
        return Finding(
            "model files",
            "problem",
            f"missing or damaged: {', '.join(lacking)}; “ebb models pull” fetches them",
        )
    names = [m.name for m in needed] + ([llm.name] if llm else [])
    return Finding("model files", "ok", ", ".join(names))


def _index(settings: Settings) -> Finding:
    folder = settings.cache_dir
    place = next(p for p in (folder, *folder.parents) if p.exists())
    if not os.access(place, os.W_OK):
        return Finding(
            "index", "note", f"{folder} cannot be written; kept in memory instead"
        )
    there = Path(folder / "index.key").is_file()
    return Finding(
        "index", "ok", "built" if there else "not built yet; made at the first start"
    )


def _network(settings: Settings) -> Finding:
    """Try to reach outside, to an address where nobody is, and expect to be refused."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_NOWHERE)
    except NetworkError:
        return Finding("network", "ok", "connections beyond this computer are refused")
    return Finding("network", "problem", "connections beyond this computer get out")
