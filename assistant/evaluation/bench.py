"""Speed and memory: triage, turns beside the plain model, listening beside Whisper.

Order matters for memory: Ebb's own peak is read before anything else is loaded, the
plain model is closed before listening is timed, and plain Whisper comes last.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from assistant import triage
from assistant.content import content_root
from assistant.domain import Audio, Utterance
from assistant.errors import InputError, UsageError
from assistant.evaluation import (
    bench_listening,
    bench_sounds,
    bench_words,
    machine,
    sets,
)
from assistant.evaluation.replies import median
from assistant.settings import Settings
from assistant.wiring import EMBEDDER, RECOGNISER, Program
from assistant.wiring_rules import load_hearer

if TYPE_CHECKING:
    from assistant.adapters.audio_files import Recording
    from assistant.adapters.plain_llama import PlainLlama

TURNS = 8
_LONG_WORDS = 3000
_PAST_S = 60
"""Of a recording, so much more is read than is listened to at once."""
_PARTS = ("library", "chat", "speech")
_NO_VOICE = (
    "Listening is left out: there is no voice to speak with. Install it with “pip "
    "install 'ebb[voice]'” and “ebb models pull en_US-joe-medium”, or give a recording "
    "with --sound."
)
_NO_ROOM = (
    "The plain model is left out: there is too little free memory for a second copy "
    "of the weights."
)


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be measured."""

    turns: int = TURNS
    model: str | None = None
    """Language model; None means the one that Ebb would take."""
    sound: Path | None = None
    """A recording to listen to; None means library sentences, spoken by the voice."""
    long: bool = False
    """Whether to listen to three minutes too."""


def run(
    request: Request, settings: Settings, say: Callable[[str], None]
) -> dict[str, Any]:
    """Measure; ``say`` is told in a sentence what is left out and why.

    Raises:
        UsageError: If no turn is to be timed.
        AudioError: If the recording cannot be read.
        ModelFileError: If a model file is missing or damaged.
    """
    if request.turns < 1:
        raise UsageError("--turns must be 1 or more.")
    recording = _open(request.sound) if request.sound else None
    record: dict[str, Any] = {
        "suite": "bench",
        "date": machine.today(),
        "machine": machine.describe(),
        **_time_triage(),
    }
    return record | _time_program(request, settings, recording, say)


def talks_to_time(count: int) -> list[tuple[str, str]]:
    """Choose talks of two turns from the dev half; always the same.

    The first is for warming up; the others are spread over the set, three times as many
    as asked for: in some of them Ebb leaves the model out. The second turn is another
    message about the same topic where there is one.
    """
    of_half = sets.load("retrieval", "dev")
    *rows, ahead = [row for row in of_half if row["topics"] and "text" in row]
    step = max(len(rows) // count, 1)
    places = dict.fromkeys(
        place
        for offset in (0, step // 3, 2 * step // 3)
        for place in range(offset, len(rows), step)[:count]
    )
    talks = []
    for row in (ahead, *(rows[place] for place in places)):
        same = [r for r in rows if r["topics"] == row["topics"] and r is not row]
        talks.append((row["text"], (same or rows)[-1]["text"]))
    return talks


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


def _time_program(
    request: Request,
    settings: Settings,
    recording: Recording | None,
    say: Callable[[str], None],
) -> dict[str, Any]:
    start = time.monotonic()
    program = Program(settings, chat_model=request.model)
    content_s = time.monotonic() - start
    loaded = {}
    try:
        for part in _PARTS:
            start = time.monotonic()
            program.load_or_raise([part])
            loaded[f"{part}_loaded_s"] = round(time.monotonic() - start, 2)
        files = machine.model_files(EMBEDDER, program.chat_model().name, RECOGNISER)
        return {
            "models": [machine.ear_file(), *files],
            "content_read_s": round(content_s, 2),
            **loaded,
            **_time_words(program, request.turns, say),
            **_time_listening(program, request, recording, say),
        }
    finally:
        program.close()


def _time_words(
    program: Program, turns: int, say: Callable[[str], None]
) -> dict[str, Any]:
    timer = bench_words.Timer(program.pipeline, time.monotonic)
    ahead, *talks = talks_to_time(turns)
    # A talk that is not counted: what only a first turn sets up is set up, on both
    # sides, and memory is what Ebb alone takes in use.
    (before,) = bench_words.time_pairs(timer, [ahead], None, 1)
    peak = {"peak_memory_mb": round(_peak_memory_bytes() / 1e6)}
    plain = _open_plain(program)
    if plain is None:
        say(_NO_ROOM)
        pairs = bench_words.time_pairs(timer, talks, None, turns)
        return bench_words.figures(pairs) | peak
    try:
        if before.first.call is not None:
            timer.plainly(plain, before.first.call)
        pairs = bench_words.time_pairs(timer, talks, plain, turns)
        return bench_words.figures(pairs) | peak
    finally:
        plain.close()


def _open_plain(program: Program) -> PlainLlama | None:
    """Load the same weights a second time; None where they would not fit."""
    from assistant.adapters import llama_chat
    from assistant.adapters.plain_llama import PlainLlama, PlainOptions

    model, settings = program.chat_model(), program.settings
    chat = program.pipeline.chat
    if psutil.virtual_memory().available < model.memory_bytes:
        return None
    assert isinstance(chat, llama_chat.LlamaChat)  # for the type checker
    return PlainLlama(
        settings.models_dir / model.files[0].path,
        PlainOptions(
            context_tokens=settings.context_tokens,
            batch_tokens=llama_chat.BATCH_TOKENS,
            threads=settings.threads,
            sampling=llama_chat.SAMPLING,
            tokens_of=chat.tokens_of,
        ),
    )


def _time_listening(
    program: Program,
    request: Request,
    recording: Recording | None,
    say: Callable[[str], None],
) -> dict[str, Any]:
    lengths: tuple[int, ...] = bench_listening.LENGTHS_S
    if request.long:
        lengths = (*lengths, bench_listening.LONG_S)
    if recording is not None:
        blocks = recording.stream_blocks()
        sound = bench_sounds.joined(blocks, at_most_s=lengths[-1] + _PAST_S)
        _say_short(sound, lengths, say)
    elif program.has_voice():
        texts = bench_sounds.sentences(program.library)
        sound = bench_sounds.spoken(texts, program.load_voice(), lengths[-1] + 1)
    else:
        say(_NO_VOICE)
        return {}
    ears = _ears(program)
    clock = bench_listening.Time(time.monotonic, time.sleep)
    return bench_listening.run(sound, ears, clock, lengths)


def _ears(program: Program) -> bench_listening.Ears:
    speech = program.speech
    assert speech is not None  # for the type checker; loading raises otherwise
    settings = program.settings

    def load_plain() -> Callable[[Audio], object]:
        from assistant.adapters.plain_whisper import PlainWhisper

        # As many threads as Ebb takes: the library's own four are slower on two cores.
        threads = settings.threads or os.cpu_count() or 1
        plain = PlainWhisper(settings.models_dir / RECOGNISER, threads=threads)
        return lambda audio: plain.transcribe([audio])

    return bench_listening.Ears(*speech, load_plain)


def _open(path: Path) -> Recording:
    from assistant.adapters.audio_files import AudioFiles

    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    return AudioFiles().open(path)


def _say_short(
    sound: Audio, lengths: Sequence[int], say: Callable[[str], None]
) -> None:
    missing = [str(length) for length in lengths if sound.duration_s < length]
    if missing:
        say(f"The recording is shorter than {' and '.join(missing)} s: left out.")


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
