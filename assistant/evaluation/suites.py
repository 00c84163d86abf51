"""Run one suite: what it needs, the half of the set, and what it was measured with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.content import content_root
from assistant.errors import InputError, UsageError
from assistant.evaluation import machine, sets
from assistant.settings import Settings
from assistant.wiring import EMBEDDER, RECOGNISER, Program
from assistant.wiring_rules import load_hearer, load_rules

_REPLIES_BY_DEFAULT = 100


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be measured."""

    split: str
    limit: int | None = None
    """Only the first so many of the set."""
    models: tuple[str, ...] = ()
    """The language models for replies; none for the one Ebb would choose."""
    data: Path | None = None
    """The folder of recordings, for voice and beside."""

    @property
    def model(self) -> str | None:
        """The first language model that was asked for; None for Ebb's own choice."""
        return self.models[0] if self.models else None


def run(name: str, request: Request, settings: Settings) -> dict[str, Any]:
    """Run a suite; gives its figures and lists, with when and on what.

    Raises:
        AssistantError: If something that it needs is not there.
    """
    start = time.monotonic()
    measured = _RUNNERS[name](request, settings)
    result: dict[str, Any] = {"suite": name}
    if name not in {"voice", "public"}:  # from outside, with no halves of ours
        result["split"] = request.split
    if request.limit is not None:
        result["limit"] = request.limit
    result["date"] = machine.today()
    result["seconds"] = round(time.monotonic() - start, 1)
    result["machine"] = machine.describe()
    return result | measured


def _rows(request: Request, suite: str) -> list[dict[str, Any]]:
    return sets.load(suite, request.split)[: request.limit]


def _triage(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import triage

    figures = triage.run(_rows(request, "triage"), load_hearer(content_root()))
    return {"models": [machine.ear_file()], **figures}


def _guard(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import guard

    figures = guard.run(_rows(request, "guard"), load_rules(content_root()).check)
    return {"models": [machine.ear_file()], **figures}


def _patterns(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import patterns

    notice = load_rules(content_root()).notice
    figures = patterns.run(_rows(request, "patterns"), notice)
    return {"models": [machine.ear_file()], **figures}


def _retrieval(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import retrieval

    with _program(settings, ["library"]) as program:
        assert program.searcher is not None  # for the type checker
        figures = retrieval.run(
            _rows(request, "retrieval"), program.searcher, program.library
        )
    files = machine.model_files(EMBEDDER)
    return {"models": [machine.ear_file(), *files], **figures}


def _replies(request: Request, settings: Settings) -> dict[str, Any]:
    """Answer with every model that was asked for; figures in full of the first."""
    from assistant.evaluation import messages, replies

    rows = messages.load(request.split)[: request.limit or _REPLIES_BY_DEFAULT]
    results: dict[str, dict[str, Any]] = {}
    for model in request.models or (None,):
        with _program(settings, ["library", "chat"], model) as program:
            name = program.chat_model().name
            results[name] = replies.run(rows, program.pipeline)
    files = machine.model_files(EMBEDDER, *results)
    first = next(iter(results.values()))
    more = replies.beside(results) if len(results) > 1 else {}
    lists = {
        f"findings_of_{name}": result["findings"]
        for name, result in list(results.items())[1:]
    }
    return {"models": [machine.ear_file(), *files], **first, **more, **lists}


def _adversarial(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import adversarial

    with _program(settings, ["library", "chat"], request.model) as program:
        files = machine.model_files(EMBEDDER, program.chat_model().name)
        figures = adversarial.run(_rows(request, "adversarial"), program.pipeline)
    seen = adversarial.measure_checker(sets.load("guard", request.split))
    return {"models": [machine.ear_file(), *files], **figures, "checker": seen}


def _public(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import public

    if request.data is None:
        raise UsageError("The public suite needs --data FOLDER with public sets.")
    rules = load_rules(content_root())
    figures = public.run(request.data, rules.triage, rules.notice, request.limit)
    return {"models": [machine.ear_file()], **figures}


def _voice(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.evaluation import voice
    from assistant.wiring import open_speech

    folder = _recordings(request)
    figures = voice.run(folder, *open_speech(settings), limit=request.limit)
    return {"models": machine.model_files(RECOGNISER), **figures}


def _beside(request: Request, settings: Settings) -> dict[str, Any]:
    from assistant.adapters.onnx_embedder import OnnxEmbedder
    from assistant.adapters.plain_chroma import PlainChroma
    from assistant.evaluation import beside, beside_texts

    rows = beside.sample(request.split, request.limit)
    heard = _listen_beside(request, settings) if request.data else {}
    with _program(settings, ["library", "chat"], request.model) as program:
        given = beside_texts.load()
        pieces = beside_texts.cut_articles(program.library.articles, given)
        embedder = OnnxEmbedder(
            settings.models_dir / EMBEDDER, threads=settings.threads
        )
        chroma = PlainChroma(pieces, embedder)
        figures = beside.run(
            rows, program.pipeline, lambda text: chroma.find(text, given.pieces)
        )
        names = [EMBEDDER, program.chat_model().name]
    if heard:
        names.append(RECOGNISER)
    hearer = load_hearer(content_root())
    return {
        "models": [machine.ear_file(), *machine.model_files(*names)],
        **figures,
        "whole": beside.run_whole(request.split, hearer, request.limit),
        **heard,
    }


def _listen_beside(request: Request, settings: Settings) -> dict[str, Any]:
    """Let Ebb and the plainly called recogniser hear the same recordings."""
    from assistant.adapters.plain_whisper import PlainWhisper
    from assistant.evaluation import beside_hearing, voice
    from assistant.wiring import open_speech

    folder = _recordings(request)
    ours = voice.run(folder, *open_speech(settings), limit=request.limit)
    plain = PlainWhisper(settings.models_dir / RECOGNISER)
    theirs = voice.run_with(folder, plain.transcribe, request.limit)
    return {
        "listening": {
            "ebb": beside_hearing.shortened(ours),
            "plain": beside_hearing.shortened(theirs),
        }
    }


def _recordings(request: Request) -> Path:
    if request.data is None:
        raise UsageError("The voice suite needs --data FOLDER with recordings.")
    if not request.data.is_dir():
        raise InputError(f"There is no folder {request.data}.")
    return request.data


@contextmanager
def _program(
    settings: Settings, parts: list[str], model: str | None = None
) -> Iterator[Program]:
    program = Program(settings, chat_model=model)
    try:
        program.load_or_raise(parts)
        yield program
    finally:
        program.close()


_RUNNERS: dict[str, Callable[[Request, Settings], dict[str, Any]]] = {
    "triage": _triage,
    "guard": _guard,
    "patterns": _patterns,
    "retrieval": _retrieval,
    "replies": _replies,
    "adversarial": _adversarial,
    "voice": _voice,
    "public": _public,
    "beside": _beside,
}
NAMES = tuple(_RUNNERS)
"""All suites, in the order in which they run."""
ONLY_IF_NAMED = frozenset({"beside", "public"})
"""Those that take half an hour, or need what the project may not carry."""
