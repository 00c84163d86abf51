"""Sound to listen to while measuring: one long recording, and what is cut from it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assistant.content_library import Library
from assistant.domain import Audio
from assistant.errors import InputError
from assistant.pieces import SAMPLE_RATE_HZ
from assistant.ports import TextToSpeech, VoiceDetector
from assistant.resample import resample
from assistant.sentences import split_sentences

_GAPS_S = (0.6, 0.9, 1.3)
"""Between spoken sentences, in turn: some end a piece while listening, some do not."""
_WORDS = range(6, 26)
"""Sentences of so many words are spoken; headings and lists are not."""
_APART_S = 0.5
"""A longer pause parts two utterances."""
_LEADS_S = (0.3, 0.4, 0.5, 0.6, 0.7)
"""Quiet before an utterance, in turn: Ebb looks for a voice twice a second, and a voice
that always began at the same place between two looks would flatter it or not."""
_SHORTEST_S = 1.0


@dataclass(frozen=True, slots=True)
class Speech:
    """Sound with the place of the speech in it; ends where the speech ends."""

    audio: Audio = field(repr=False)
    """16 kHz mono."""
    onset_s: float
    """Where the voice detector hears the first voice."""


def joined(blocks: Iterable[Audio], *, at_most_s: float = math.inf) -> Audio:
    """Put blocks of one rate together, at 16 kHz, until they are long enough."""
    parts: list[NDArray[np.float32]] = []
    for block in resample(blocks, SAMPLE_RATE_HZ):
        parts.append(block.samples)
        if sum(map(len, parts)) >= at_most_s * SAMPLE_RATE_HZ:
            break
    samples = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    return Audio(samples.astype(np.float32), SAMPLE_RATE_HZ)


def sentences(library: Library) -> Iterator[str]:
    """Yield sentences of the library, taken from one article after another."""
    by_article = [
        [
            sentence
            for passage in article.passages
            for sentence in _of_good_length(passage.text)
        ]
        for article in library.articles
    ]
    for row in itertools.zip_longest(*by_article):
        yield from filter(None, row)


def spoken(texts: Iterable[str], voice: TextToSpeech, seconds: float) -> Audio:
    """Let a voice speak texts with pauses between them until it is long enough.

    Raises:
        AssistantError: If the voice fails.
    """
    parts: list[NDArray[np.float32]] = [_quiet(_LEADS_S[-1])]
    for text, gap_s in zip(texts, itertools.cycle(_GAPS_S), strict=False):
        parts += [joined(voice.speak(text)).samples, _quiet(gap_s)]
        if sum(map(len, parts)) >= seconds * SAMPLE_RATE_HZ:
            break
    return Audio(np.concatenate(parts), SAMPLE_RATE_HZ)


def first_part(sound: Audio, vad: VoiceDetector, seconds: float) -> Speech | None:
    """Cut off the first so many seconds, back to where a word has just ended.

    None where the sound is not so long, or nobody speaks in it.
    """
    length = round(seconds * SAMPLE_RATE_HZ)
    if len(sound.samples) < length:
        return None
    spans = vad.find_speech(Audio(sound.samples[:length], SAMPLE_RATE_HZ))
    if not spans:
        return None
    # One that reaches the cut is being said; a person stops after a word.
    ended = [end for _, end in spans if end < length and end > length // 2]
    return _speech(sound, 0, ended[-1] if ended else length, spans[0][0])


def utterances(sound: Audio, vad: VoiceDetector, most: int) -> list[Speech]:
    """Cut out stretches of speech with pauses around them, with quiet before each.

    Raises:
        InputError: If nobody speaks.
    """
    spans = vad.find_speech(sound)
    if not spans:
        raise InputError("Nobody speaks in the sound that was to be listened to.")
    found: list[Speech] = []
    quiet_from = 0
    for start, end in _grouped(spans):
        if end - start >= _SHORTEST_S * SAMPLE_RATE_HZ:
            lead = _LEADS_S[len(found) % len(_LEADS_S)]
            begin = max(quiet_from, start - round(lead * SAMPLE_RATE_HZ))
            found.append(_speech(sound, begin, end, start))
        quiet_from = end
        if len(found) == most:
            break
    return found


def _speech(sound: Audio, begin: int, end: int, onset: int) -> Speech:
    audio = Audio(sound.samples[begin:end].copy(), SAMPLE_RATE_HZ)
    return Speech(audio, (onset - begin) / SAMPLE_RATE_HZ)


def _grouped(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    start, end = spans[0]
    for next_start, next_end in spans[1:]:
        if next_start - end > _APART_S * SAMPLE_RATE_HZ:
            yield start, end
            start = next_start
        end = next_end
    yield start, end


def _of_good_length(text: str) -> Iterator[str]:
    for start, end in split_sentences(text):
        if len(text[start:end].split()) in _WORDS:
            yield text[start:end]


def _quiet(seconds: float) -> NDArray[np.float32]:
    return np.zeros(round(seconds * SAMPLE_RATE_HZ), np.float32)
