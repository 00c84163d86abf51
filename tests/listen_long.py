"""Hours of listening in minutes: are words invented where nobody speaks?

``python -m tests.listen_long --minutes 60 --data FOLDER`` lets Ebb listen live, faster
than real time, to sound without speech: the folder's clips whose transcript is empty,
silence, and made noise. No word may come, also for a moment, and memory must stay.
``--splices 100`` puts clips of speech together so that somebody speaks 28 to 33 seconds
after the beginning, where Whisper's window ends, and counts words that were in none of
them. The folder is laid out as in ``assistant/evaluation/voice.py``. Prints counts
alone, never a word; ends with 1 where a word came without speech, or memory grew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import psutil

from assistant import listen, live, network, settings
from assistant.domain import Audio
from assistant.evaluation.spoken_form import spoken_form
from assistant.pieces import SAMPLE_RATE_HZ
from assistant.ports import SpeechToText, VoiceDetector
from tests import long_sounds
from tests.long_sounds import Clip

_BLOCK_S = 0.1
_MOST_GROWTH = 0.05


@dataclass
class Silence:
    """What came of sound without speech; memory in MB."""

    minutes: float = 0.0
    seconds: float = 0.0
    clips: int = 0
    words: int = 0
    """In the final text."""
    words_shown: int = 0
    """The most that stood there at any moment; words that went again count too."""
    words_doubtful: int = 0
    """Of the final text, those that the page marks for the person to look at."""
    words_by_kind: dict[str, int] = field(default_factory=dict)
    """Of the final text, by the kind of sound in which its segment begins."""
    rss_after_a_tenth: float = 0.0
    rss_at_the_end: float = 0.0
    growth: float = 0.0
    is_well: bool = False


@dataclass
class Splices:
    """What came of spliced speech."""

    splices: int = 0
    seconds: float = 0.0
    said: int = 0
    """Words in the transcripts."""
    heard: int = 0
    invented: int = 0
    """Words heard that are in no transcript of their splice; misheard ones too."""
    insertions: int = 0
    """Words too many, by the best alignment."""
    deletions: int = 0
    heard_near: int = 0
    """Of ``heard``: in segments that touch the seconds in question."""
    invented_near: int = 0


def hear_silence(
    clips: Sequence[Clip],
    minutes: float,
    stt: SpeechToText,
    vad: VoiceDetector,
    *,
    seed: int = 1,
    rss_mb: Callable[[], float] = lambda: psutil.Process().memory_info().rss / 1e6,
) -> Silence:
    """Listen live to sound without speech; the same seed gives the same sound."""
    report = Silence(minutes=minutes, clips=len(clips))
    began = time.monotonic()
    kinds: list[tuple[float, str]] = []  # where each stretch begins
    heard_s = 0.0

    def blocks() -> Iterator[Audio]:
        nonlocal heard_s
        for stretch in long_sounds.stream_stretches(clips, minutes * 60, seed):
            kinds.append((heard_s, stretch.kind))
            for block in long_sounds.in_blocks(stretch.samples, _BLOCK_S):
                heard_s += block.duration_s
                if not report.rss_after_a_tenth and heard_s >= minutes * 6:
                    report.rss_after_a_tenth = round(rss_mb(), 1)
                yield block

    final = None
    for so_far in live.stream_words(blocks(), stt, vad):
        final = so_far.final
        shown = len(f"{so_far.settled} {so_far.speaking}".split())
        report.words_shown = max(report.words_shown, shown)
    assert final is not None
    report.rss_at_the_end = round(rss_mb(), 1)
    by_kind: Counter[str] = Counter()
    for segment in final.segments:
        # The kind that the segment's middle lies in.
        middle_s = (segment.start_s + segment.end_s) / 2
        kind = [kind for start_s, kind in kinds if start_s <= middle_s][-1]
        words = len(segment.text.split())
        by_kind[kind] += words
        report.words_doubtful += words if segment.doubtful else 0
    report.words = len(final.text.split())
    report.words_by_kind = dict(by_kind.most_common())
    report.growth = round(report.rss_at_the_end / report.rss_after_a_tenth - 1, 4)
    report.seconds = round(time.monotonic() - began, 1)
    report.is_well = report.words_shown == 0 and report.growth <= _MOST_GROWTH
    return report


def hear_splices(
    clips: Sequence[Clip],
    count: int,
    stt: SpeechToText,
    vad: VoiceDetector,
    *,
    seed: int = 1,
) -> Splices:
    """Write down splices of speech; the same seed gives the same splices."""
    import jiwer

    report, began = Splices(splices=count), time.monotonic()
    chance = np.random.default_rng(seed)
    for _ in range(count):
        made = long_sounds.splice(clips, chance)
        audio = Audio(made.samples, SAMPLE_RATE_HZ)
        heard = listen.transcribe(audio, stt, vad, language=None)
        said, got = spoken_form(made.transcript), spoken_form(heard.text)
        known = set(said.split())
        report.said += len(said.split())
        report.heard += len(got.split())
        report.invented += _unknown(got, known)
        aligned = jiwer.process_words(said, got)
        report.insertions += aligned.insertions
        report.deletions += aligned.deletions
        for segment in heard.segments:
            first_s, last_s = long_sounds.WINDOW_S
            if segment.start_s < last_s and segment.end_s > first_s:
                text = spoken_form(segment.text)
                report.heard_near += len(text.split())
                report.invented_near += _unknown(text, known)
    report.seconds = round(time.monotonic() - began, 1)
    return report


def _unknown(text: str, known: set[str]) -> int:
    return sum(word not in known for word in text.split())


def main() -> int:
    """Listen for long; gives 1 where words came without speech or memory grew."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.listen_long", description=__doc__
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--minutes", type=float, help="60, unless --splices is given")
    parser.add_argument("--splices", type=int, metavar="N", help="so many splices")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    network.forbid_outside()
    from assistant.wiring import open_speech

    speech = open_speech(settings.load())
    minutes = chosen.minutes
    if minutes is None and chosen.splices is None:
        minutes = 60.0
    is_well = True
    if minutes:
        quiet = long_sounds.read_clips(chosen.data, speech=False)
        silence = hear_silence(quiet, minutes, *speech, seed=chosen.seed)
        print(json.dumps({"silence": asdict(silence)}), flush=True)
        is_well = silence.is_well
    if chosen.splices:
        spoken = long_sounds.read_clips(chosen.data, speech=True)
        if not spoken:
            parser.error("there is no clip with an English transcript in the folder")
        spliced = hear_splices(spoken, chosen.splices, *speech, seed=chosen.seed)
        print(json.dumps({"splices": asdict(spliced)}))
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
