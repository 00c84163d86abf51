"""Change the sample rate of sound in memory, block by block.

Files are resampled while they are decoded (``adapters/audio_files.py``). What a
microphone gives is already in memory, at the rate of the sound card, so the core can
do it itself: a windowed-sinc filter, one row of taps for each position that an output
sample can have between two input samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from assistant.domain import Audio
from assistant.errors import AudioError

_ZERO_CROSSINGS = 16
"""Half the filter's length, in periods of the lower rate; more is a sharper edge."""
_ROLL_OFF = 0.95
"""Part of the band that is kept; the rest is the slope of the filter."""
_SPEECH_RATES_HZ = range(4_000, 192_001)
"""Outside of these the number is a mistake, and the filter would not fit in memory."""
_OUTPUTS_AT_ONCE = 16_384
"""Bounds the working memory to a few megabytes."""


def resample(blocks: Iterable[Audio], rate_hz: int) -> Iterator[Audio]:
    """Yield the same sound at another rate; blocks of one rate, joined without a seam.

    Raises:
        AudioError: If a block has another rate than the one before, or no real one.
    """
    source_hz: int | None = None
    filter_: _Filter | None = None
    for block in blocks:
        if source_hz is None:
            source_hz = block.sample_rate_hz
            if source_hz not in _SPEECH_RATES_HZ:
                raise AudioError("The recording gives no usable sample rate.")
            filter_ = _Filter(source_hz, rate_hz) if source_hz != rate_hz else None
        elif block.sample_rate_hz != source_hz:
            raise AudioError("The sample rate changes in the middle of the recording.")
        if filter_ is None:
            yield block
        else:
            yield Audio(filter_.feed(block.samples), rate_hz)
    if filter_ is not None:
        yield Audio(filter_.finish(), rate_hz)


class _Filter:
    """The state of one stream: the last samples heard and the place of the next."""

    def __init__(self, source_hz: int, target_hz: int) -> None:
        common = math.gcd(source_hz, target_hz)
        self._up = target_hz // common
        self._down = source_hz // common
        # In samples of the input: the filter is longer when the rate goes down.
        self._half = math.ceil(_ZERO_CROSSINGS * max(1.0, source_hz / target_hz))
        self._taps = _taps(self._up, self._half, min(1.0, target_hz / source_hz))
        # Silence before the first sample, so that the first output has neighbours.
        self._held = np.zeros(self._half, dtype=np.float32)
        self._next = self._half * self._up
        self._heard = 0
        self._given = 0

    def feed(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take samples and give those output samples that are certain by now."""
        self._heard += len(samples)
        self._held = np.concatenate([self._held, samples.astype(np.float32)])
        # The last output whose whole neighbourhood has been heard.
        last = (len(self._held) - self._half) * self._up - 1
        count = max(0, (last - self._next) // self._down + 1)
        parts = [
            self._convolve(min(_OUTPUTS_AT_ONCE, count - done))
            for done in range(0, count, _OUTPUTS_AT_ONCE)
        ]
        self._given += count
        drop = max(0, self._next // self._up - self._half)
        self._held = self._held[drop:]
        self._next -= drop * self._up
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)

    def finish(self) -> NDArray[np.float32]:
        """Give what is left, as if silence followed."""
        wanted = self._heard * self._up // self._down
        tail = self.feed(np.zeros(2 * self._half + self._down, dtype=np.float32))
        return tail[: max(0, wanted - (self._given - len(tail)))]

    def _convolve(self, count: int) -> NDArray[np.float32]:
        places = self._next + self._down * np.arange(count)
        self._next += self._down * count
        windows = np.lib.stride_tricks.sliding_window_view(self._held, 2 * self._half)
        rows = windows[places // self._up - self._half + 1]
        result: NDArray[np.float32] = np.einsum(
            "ij,ij->i", rows, self._taps[places % self._up]
        ).astype(np.float32)
        return result


def _taps(phases: int, half: int, band: float) -> NDArray[np.float32]:
    """Give the filter for each phase; shape ``(phases, 2 * half)``, rows sum to 1."""
    offsets = np.arange(-half + 1, half + 1)[None, :]
    distance = offsets - np.arange(phases)[:, None] / phases
    cut = band * _ROLL_OFF
    window = np.cos(np.pi * np.clip(distance / (half + 1), -1, 1) / 2) ** 2
    taps = cut * np.sinc(cut * distance) * window
    taps /= taps.sum(axis=1, keepdims=True)
    result: NDArray[np.float32] = taps.astype(np.float32)
    return result
