"""A spoken sentence with the word in it, or a noise where there is no voice."""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assistant.errors import AssistantError
from assistant.ports import TextToSpeech
from assistant.resample import resample

RATE_HZ = 16_000
"""What the recogniser works with: nothing is resampled on the way to it."""
_NOISE_S = 3


@dataclass(frozen=True, slots=True)
class Spoken:
    """Sound to be sent to the program."""

    samples: NDArray[np.int16] = field(repr=False)
    """Mono, at ``RATE_HZ``, shape ``(n,)``."""
    is_speech: bool
    """False: it is noise, in which no words can be heard."""


def say(text: str, voice: TextToSpeech | None) -> Spoken:
    """Speak a text; without a voice, or where that fails, make a noise."""
    if voice is not None:
        try:
            blocks = [b.samples for b in resample(voice.speak(text), RATE_HZ)]
            return Spoken(_sixteen_bit(np.concatenate(blocks)), is_speech=True)
        except (AssistantError, ValueError):
            pass
    noise = np.random.default_rng().normal(0, 0.1, RATE_HZ * _NOISE_S)
    return Spoken(_sixteen_bit(noise.astype(np.float32)), is_speech=False)


def as_wav(spoken: Spoken) -> bytes:
    """Give the sound as the bytes of a recording."""
    made = io.BytesIO()
    with wave.open(made, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE_HZ)
        out.writeframes(spoken.samples.astype("<i2").tobytes())
    return made.getvalue()


def _sixteen_bit(samples: NDArray[np.float32]) -> NDArray[np.int16]:
    return (np.clip(samples, -1.0, 1.0) * 32_767).astype(np.int16)
