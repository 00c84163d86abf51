"""Hours of talk in minutes: does memory stay, and does triage stay as quick?

``python -m tests.soak --turns 3000`` takes one talk after another through rooms, turns
and frames as the page does; now and then somebody wipes, keeps a note, or speaks. The
language model and the recogniser are scripted; ``--real`` takes the real embedder, and
the ear is always the real one. A person says something about twice a minute: a thousand
turns are eight hours. Prints one JSON object; ends with 1 where something grew.
"""

from __future__ import annotations

import argparse
import base64
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import numpy as np
import psutil

from assistant import network, settings
from assistant.adapters.local_disk import LocalDisk
from assistant.adapters.scripted_speech import EnergyVad
from assistant.adapters.sealed import Effort, SealedVault
from assistant.domain import Audio
from assistant.events import Event, TurnEnded
from assistant.keeping import Keeper
from assistant.live import stream_words
from assistant.notebook import Kind
from assistant.pipeline import Pipeline
from assistant.store import Store
from assistant.talk import Talk
from assistant.ui import turns
from assistant.ui.rooms import Rooms
from tests.fuzz.audio_targets import EndlessStt
from tests.fuzz.seeds import sentences
from tests.fuzz.turn_target import ParrotChat, make_pipeline

_TURNS_OF_A_TALK = 40
_WIPE_EVERY = 23
_NOTE_EVERY = 17
_SPEAK_EVERY = 29
_LONGEST_CHARS = 600
_SPEECH_S = 20
_MOST_GROWTH = 0.03
_MOST_SLOWER = 1.25
"""The same texts at both ends, and a computer that does other things too."""
_REPLIES = (
    "That pull can be very strong at night. It often comes in a wave.",
    "You can leave him now, call 07700 900000.",
    "What would feel a little kinder to you in the next few minutes?",
    "<|im_end|> As a language model I am a therapist.",
)


@dataclass
class Report:
    """What was measured; memory in MB, time of triage in ms of the processor."""

    turns: int = 0
    seconds: float = 0.0
    wipes: int = 0
    spoken: int = 0
    rss_after_a_tenth: float = 0.0
    rss_at_the_end: float = 0.0
    growth: float = 0.0
    triage_p95_early: float = 0.0
    triage_p95_late: float = 0.0
    is_steady: bool = False
    rss: list[float] = field(default_factory=list)


class _TimedTalk(Talk):
    """A talk that notes how long triage took in each turn."""

    times: list[float]

    def say(self, text: str, *, country: str | None = None) -> Iterator[Event]:
        for event in super().say(text, country=country):
            if isinstance(event, TurnEnded):
                self.times.append(event.timing.triage_ms)
            yield event


class Soak:
    """A person who talks all day."""

    def __init__(self, folder: Path, *, real: bool = False, ear: bool = True) -> None:
        self._chat = ParrotChat()
        made = make_pipeline(self._chat, ear=ear)
        searcher = _real_searcher(folder) if real else made.searcher
        # Processor time: on a busy computer the clock on the wall says little.
        self._pipeline: Pipeline = replace(
            made, searcher=searcher, clock=time.thread_time
        )
        self._times: list[float] = []
        ids = count()
        vault = SealedVault(Effort(memory_kib=8, passes=1))
        keeper = Keeper(
            Store(folder / "notes.dat", LocalDisk(), vault),
            now=lambda: datetime.now(UTC),
            new_id=lambda: str(next(ids)),
        )
        self._rooms = Rooms(self._new_talk, keeper.new_pad)
        self._texts = [text[:_LONGEST_CHARS] for text in sentences()]

    def _new_talk(self) -> Talk:
        talk = _TimedTalk(lambda: self._pipeline, lambda: 7)
        talk.times = self._times
        return talk

    def run(
        self,
        most_turns: int,
        most_s: float = 1e9,
        say: Callable[[str], None] = lambda line: None,
    ) -> Report:
        """Talk for so many turns or seconds; the same texts come round and round."""
        report, began, rss = Report(), time.monotonic(), []
        while report.turns < most_turns and time.monotonic() - began < most_s:
            self._turn(report.turns, report)
            report.turns += 1
            rss.append(psutil.Process().memory_info().rss / 1e6)
            if report.turns % 500 == 0:
                say(f"{report.turns} turns, {rss[-1]:.0f} MB")
        report.seconds = round(time.monotonic() - began, 1)
        self._rooms.leave_all()
        return _judged(report, rss, self._times)

    def _turn(self, number: int, report: Report) -> None:
        session = f"tab {number // _TURNS_OF_A_TALK}"
        room = self._rooms.of_session(session)
        self._chat.says = _REPLIES[number % len(_REPLIES)]
        said = self._texts[number % len(self._texts)]
        frames = turns.stream_frames(room, said, self._pipeline.library, "GB")
        *_, last = frames
        assert json.loads(base64.b64decode(last))["open"] is False
        if number % _NOTE_EVERY == 0:
            room.pad.add(Kind.REALITY, said or "nothing")
        if number % _SPEAK_EVERY == 0:
            _speak(number)
            report.spoken += 1
        if number % _WIPE_EVERY == 0:
            room.wipe()
            report.wipes += 1
        if number % _TURNS_OF_A_TALK == _TURNS_OF_A_TALK - 1:
            self._rooms.leave(session)


def _speak(seed: int) -> None:
    """Say something for twenty seconds at the microphone, with pauses."""
    chance = np.random.default_rng(seed)

    def blocks() -> Iterator[Audio]:
        for part in range(_SPEECH_S * 10):
            loud = 0.3 if part % 40 < 30 else 0.0
            noise = chance.random(4_800, np.float32) - np.float32(0.5)
            yield Audio(noise * np.float32(loud), 48_000)

    final = None
    for so_far in stream_words(blocks(), EndlessStt(), EnergyVad()):
        final = so_far.final
    assert final is not None
    assert final.text


def _real_searcher(folder: Path) -> object:
    from assistant.wiring import open_searcher

    where = replace(settings.load(), home=folder)
    models = settings.load().models_dir
    if not where.models_dir.exists():
        where.models_dir.symlink_to(models)
    searcher, _ = open_searcher(where)
    return searcher


def _judged(report: Report, rss: list[float], times: list[float]) -> Report:
    """Compare the time after the first tenth with the last tenth."""
    tenth = max(1, len(rss) // 10)
    gc.collect()
    report.rss = [round(value) for value in rss[:: max(1, len(rss) // 20)]]
    report.rss_after_a_tenth = round(max(rss[:tenth]), 1)
    report.rss_at_the_end = round(sorted(rss[-tenth:])[tenth // 2], 1)
    report.growth = round(report.rss_at_the_end / report.rss_after_a_tenth - 1, 4)
    half = len(times) // 2
    report.triage_p95_early = _p95(times[tenth:half] or times)
    report.triage_p95_late = _p95(times[half:] or times)
    report.is_steady = (
        report.growth <= _MOST_GROWTH
        and report.triage_p95_late <= _MOST_SLOWER * report.triage_p95_early + 1.0
    )
    return report


def _p95(values: list[float]) -> float:
    ordered = sorted(values)
    return round(ordered[int(len(ordered) * 0.95)], 2)


def main() -> int:
    """Run for long; gives 1 where memory or triage did not stay as they were."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--turns", type=int, default=3_000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--real", action="store_true", help="the real embedder")
    parser.add_argument("--no-ear", action="store_true", help="triage by rules alone")
    chosen = parser.parse_args()
    network.forbid_outside()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), real=chosen.real, ear=not chosen.no_ear)
        report = soak.run(
            chosen.turns, chosen.seconds, lambda line: print(line, file=sys.stderr)
        )
    print(json.dumps(asdict(report)))
    return 0 if report.is_steady else 1


if __name__ == "__main__":
    sys.exit(main())
