"""Time listening: live at a microphone, and whole recordings beside the plain call.

The microphone is simulated in real time: a block is there when it would have been
spoken, never sooner, and whoever takes long finds more of them waiting.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assistant import listen, live
from assistant.domain import Audio
from assistant.evaluation import bench_sounds
from assistant.evaluation.bench_sounds import Speech
from assistant.live import SoFar
from assistant.ports import SpeechToText, VoiceDetector
from assistant.resample import resample

MICROPHONE_HZ = 48_000
"""What a browser's microphone gives, so that its resampling is timed too."""
BLOCK_S = 0.1
BEHIND_S = 12 * 4096 / 48_000
"""More sound than this waiting: Ebb is behind. As on the page, where it is twelve
pieces of 4096 samples (``ui/sound.py``)."""
LENGTHS_S = (10, 60)
LONG_S = 180
PIECES = 8
"""So many utterances for the time to the first words."""


@dataclass(frozen=True, slots=True)
class Time:
    """What a clock can do; a test's moves when the test says so."""

    now_s: Callable[[], float]
    """Seconds, monotonic."""
    sleep: Callable[[float], object]


@dataclass(frozen=True, slots=True)
class Ears:
    """Ebb's ears, and what is called plainly beside them."""

    stt: SpeechToText
    vad: VoiceDetector
    load_plain: Callable[[], Callable[[Audio], object]]
    """Opens the plain recogniser; called after all live listening, so that it takes
    no memory before."""


class Microphone:
    """Gives recorded sound at the pace at which it would be spoken."""

    def __init__(self, sound: Audio, time: Time) -> None:
        """Get ready; the clock starts with the first block that is asked for."""
        self._sound = _as_spoken(sound)
        self._time = time
        self._taken_s = 0.0
        self.begun_s = 0.0
        """When the microphone was turned on, by the clock."""

    def stream_blocks(self) -> Iterator[Audio]:
        """Yield the sound, each block as soon as its end has been spoken."""
        self.begun_s = self._time.now_s()
        step = round(BLOCK_S * MICROPHONE_HZ)
        for start in range(0, len(self._sound.samples), step):
            samples = self._sound.samples[start : start + step]
            ready_s = (start + len(samples)) / MICROPHONE_HZ
            wait_s = self.begun_s + ready_s - self._time.now_s()
            if wait_s > 0:
                self._time.sleep(wait_s)
            self._taken_s = ready_s
            yield Audio(samples, MICROPHONE_HZ)

    def is_behind(self) -> bool:
        """Tell whether more than a second of sound is waiting to be taken."""
        spoken_s = min(self._time.now_s() - self.begun_s, self._sound.duration_s)
        return spoken_s - self._taken_s > BEHIND_S


def time_first_words(speech: Speech, ears: Ears, time: Time) -> float | None:
    """Give the seconds from the first voice to the first words; None for no words.

    The onset stands in for the end of the first word, which nobody knows: that word's
    length is counted against Ebb.
    """
    microphone = Microphone(speech.audio, time)
    heard = _listen(microphone, ears)
    with closing(heard):  # type: ignore[type-var]  # a generator
        for so_far in heard:
            if so_far.settled or so_far.speaking:
                return time.now_s() - microphone.begun_s - speech.onset_s
    return None


def time_final(speech: Speech, ears: Ears, time: Time) -> float:
    """Give the seconds from the end of the speech to the final text.

    The microphone is turned off right there: no pause has settled the last words.
    """
    microphone = Microphone(speech.audio, time)
    for _ in _listen(microphone, ears):
        pass
    return time.now_s() - microphone.begun_s - speech.audio.duration_s


def run(
    sound: Audio, ears: Ears, time: Time, lengths_s: Sequence[int] = LENGTHS_S
) -> dict[str, Any]:
    """Time everything on one recording; lengths that it does not have are left out.

    Raises:
        InputError: If nobody speaks in it.
        StageError: If a recogniser fails.
    """
    pieces = bench_sounds.utterances(sound, ears.vad, PIECES)
    cut = {n: bench_sounds.first_part(sound, ears.vad, n) for n in lengths_s}
    parts = {n: part for n, part in cut.items() if part is not None}
    # The first call of all sets up memory and threads, in a program that has started.
    if pieces:
        listen.transcribe(pieces[0].audio, ears.stt, ears.vad, language=None)
    first = [time_first_words(piece, ears, time) for piece in pieces]
    known = [seconds for seconds in first if seconds is not None]
    record: dict[str, Any] = {}
    if known:
        record["live_first_words_s"] = round(statistics.median(known), 2)
    record["live_pieces"] = len(known)
    for length_s, part in parts.items():
        record[f"live_final_s_{length_s}"] = round(time_final(part, ears, time), 2)
    return record | _beside(parts, ears, time)


def _beside(parts: dict[int, Speech], ears: Ears, time: Time) -> dict[str, Any]:
    """Let both write down the same recordings, one after the other."""
    if not parts:
        return {}
    plain = ears.load_plain()
    plain(next(iter(parts.values())).audio)  # as above
    record: dict[str, Any] = {}
    ours_s = theirs_s = 0.0
    for length_s, part in parts.items():
        ours = _timed(time, partial(_transcribe, part.audio, ears))
        theirs = _timed(time, partial(plain, part.audio))
        record[f"transcribe_s_{length_s}"] = round(ours, 2)
        record[f"plain_transcribe_s_{length_s}"] = round(theirs, 2)
        ours_s, theirs_s = ours_s + ours, theirs_s + theirs
    # Of all recordings together: so each counts by its length.
    record["times_as_fast_as_plain"] = round(theirs_s / max(ours_s, 1e-6), 2)
    return record


def _listen(microphone: Microphone, ears: Ears) -> Iterator[SoFar]:
    blocks: Iterable[Audio] = microphone.stream_blocks()
    return live.stream_words(blocks, ears.stt, ears.vad, is_behind=microphone.is_behind)


def _transcribe(audio: Audio, ears: Ears) -> object:
    return listen.transcribe(audio, ears.stt, ears.vad, language=None)


def _timed(time: Time, call: Callable[[], object]) -> float:
    begun = time.now_s()
    call()
    return time.now_s() - begun


def _as_spoken(sound: Audio) -> Audio:
    """Give sound as a browser sends it: at the sound card's rate, in 16 bits."""
    parts = [block.samples for block in resample([sound], MICROPHONE_HZ)]
    rounded = np.round(np.clip(np.concatenate(parts), -1, 1) * 32_767) / 32_768
    return Audio(rounded.astype(np.float32), MICROPHONE_HZ)
