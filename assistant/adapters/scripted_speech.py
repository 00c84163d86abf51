"""Deterministic stand-ins for the speech ports: tests, and a demo without weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assistant.domain import Audio, Segment
from assistant.errors import TranscribeError
from assistant.ports import (
    RecognisedSpeech,
    SpeechToText,
    TextToSpeech,
    VoiceDetector,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FRAME_SAMPLES = 512


class ScriptedStt(SpeechToText):
    """Gives prepared answers, one a call; fails loudly when they run out."""

    def __init__(self, answers: Iterable[RecognisedSpeech]) -> None:
        """Take the answers in the order of the calls."""
        self._answers = list(answers)
        self.heard: list[tuple[float, str | None]] = []
        """Length in seconds and asked language of every call."""

    def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
        """Give the next answer.

        Raises:
            TranscribeError: If the script has run out.
        """
        self.heard.append((audio.duration_s, language))
        if not self._answers:
            raise TranscribeError("The script of the stand-in has run out.")
        return self._answers.pop(0)


class EnergyVad(VoiceDetector):
    """Takes every sound above a loudness for a voice; pauses as Silero has them."""

    def __init__(self, *, loudness: float = 0.01, shortest_pause_s: float = 0.15):
        """Take the root mean square that counts as loud, and the pause."""
        self._loudness = loudness
        self._shortest_pause_s = shortest_pause_s

    def find_speech(self, audio: Audio) -> list[tuple[int, int]]:
        """Give spans whose frames of 512 samples are loud enough."""
        pause = round(self._shortest_pause_s * audio.sample_rate_hz)
        spans: list[tuple[int, int]] = []
        for start, end in self._loud_frames(audio.samples):
            if spans and start - spans[-1][1] < pause:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        return spans

    def _loud_frames(self, samples: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
        for start in range(0, len(samples), _FRAME_SAMPLES):
            frame = samples[start : start + _FRAME_SAMPLES]
            if float(np.sqrt(np.mean(np.square(frame)))) > self._loudness:
                yield start, start + len(frame)


class ScriptedVoice(TextToSpeech):
    """Speaks a tone as long as each sentence."""

    def __init__(self, sample_rate_hz: int = 16_000) -> None:
        """Speak at this rate."""
        self._sample_rate_hz = sample_rate_hz

    def speak(self, text: str) -> Iterable[Audio]:
        """Yield one tone a sentence, a twentieth of a second for each character."""
        for sentence in filter(None, (part.strip() for part in text.split("."))):
            count = self._sample_rate_hz * len(sentence) // 20
            times = np.arange(count, dtype=np.float32) / self._sample_rate_hz
            tone = 0.1 * np.sin(2 * np.pi * 220 * times)
            yield Audio(tone.astype(np.float32), self._sample_rate_hz)


def recognised(
    *texts: str, language: str = "en", seconds_each: float = 1.0
) -> RecognisedSpeech:
    """Give an answer of a confident recogniser, one segment a text."""
    return RecognisedSpeech(
        tuple(_segments(texts, seconds_each)), language, language_prob=0.99
    )


def _segments(texts: Sequence[str], seconds_each: float) -> Iterator[Segment]:
    for number, text in enumerate(texts):
        yield Segment(
            start_s=number * seconds_each,
            end_s=(number + 1) * seconds_each,
            text=text,
            doubtful=False,
            avg_logprob=-0.2,
            no_speech_prob=0.01,
        )
