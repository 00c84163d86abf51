"""Changing the sample rate of sound in memory."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.domain import Audio
from assistant.errors import AudioError
from assistant.resample import resample

TARGET_HZ = 16_000


def _tone(rate_hz: int, pitch_hz: float, seconds: float = 2.0) -> np.ndarray:
    times = np.arange(round(rate_hz * seconds)) / rate_hz
    return np.sin(2 * np.pi * pitch_hz * times).astype(np.float32)


def _joined(blocks: list[Audio]) -> np.ndarray:
    return np.concatenate([b.samples for b in resample(blocks, TARGET_HZ)])


@pytest.mark.parametrize("rate_hz", [8_000, 22_050, 44_100, 48_000, 96_000, 44_099])
def test_a_tone_keeps_its_pitch_strength_and_length(rate_hz: int) -> None:
    given = _joined([Audio(_tone(rate_hz, 1000), rate_hz)])
    expected = _tone(TARGET_HZ, 1000)
    assert len(given) == len(expected)
    assert np.abs(given - expected)[400:-400].max() < 1e-3


@pytest.mark.parametrize("rate_hz", [44_100, 48_000])
def test_a_tone_too_high_for_the_new_rate_disappears(rate_hz: int) -> None:
    given = _joined([Audio(_tone(rate_hz, 10_000), rate_hz)])
    assert np.abs(given[400:-400]).max() < 1e-2


@pytest.mark.parametrize("size", [1, 777, 44_100])
def test_blocks_are_joined_without_a_seam(size: int) -> None:
    samples = _tone(44_100, 440, seconds=0.2 if size == 1 else 2.0)
    blocks = [
        Audio(samples[i : i + size], 44_100) for i in range(0, len(samples), size)
    ]
    assert np.array_equal(_joined(blocks), _joined([Audio(samples, 44_100)]))


def test_sound_at_the_right_rate_is_passed_on_untouched() -> None:
    block = Audio(_tone(TARGET_HZ, 440), TARGET_HZ)
    assert list(resample([block], TARGET_HZ)) == [block]


def test_no_sound_gives_no_sound() -> None:
    assert list(resample([], TARGET_HZ)) == []


@pytest.mark.parametrize("rate_hz", [0, -1, 1_000_000])
def test_an_impossible_rate_is_refused(rate_hz: int) -> None:
    with pytest.raises(AudioError, match="sample rate"):
        list(resample([Audio(np.zeros(10, np.float32), rate_hz)], TARGET_HZ))


def test_a_rate_that_changes_in_the_middle_is_refused() -> None:
    blocks = [Audio(np.zeros(10, np.float32), rate) for rate in (48_000, 44_100)]
    with pytest.raises(AudioError, match="changes"):
        list(resample(blocks, TARGET_HZ))
