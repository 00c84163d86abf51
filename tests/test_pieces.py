"""Cutting sound into pieces that a recogniser can take."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.adapters.scripted_speech import EnergyVad
from assistant.domain import Audio
from assistant.pieces import LONGEST_PIECE_S, SAMPLE_RATE_HZ, Piece, PieceCutter


def _sound(*parts: tuple[float, float]) -> np.ndarray:
    """Noise of given (seconds, loudness) parts; every sample differs."""
    generator = np.random.default_rng(7)
    return np.concatenate(
        [
            loudness * generator.choice([-1.0, 1.0], round(seconds * SAMPLE_RATE_HZ))
            for seconds, loudness in parts
        ]
    ).astype(np.float32)


def _cut(samples: np.ndarray, *, block_s: float = 5.0) -> list[Piece]:
    cutter = PieceCutter(EnergyVad())
    step = round(block_s * SAMPLE_RATE_HZ)
    pieces: list[Piece] = []
    for start in range(0, len(samples), step):
        pieces += cutter.feed(samples[start : start + step])
    return pieces + list(cutter.finish())


def _ends(pieces: list[Piece]) -> list[tuple[float, float]]:
    return [
        (round(p.start_s, 1), round(p.start_s + p.audio.duration_s, 1)) for p in pieces
    ]


def test_silence_gives_no_piece() -> None:
    assert _cut(_sound((90, 0.0))) == []


def test_nothing_gives_no_piece() -> None:
    assert list(PieceCutter(EnergyVad()).finish()) == []


def test_a_piece_has_a_little_sound_around_the_voice() -> None:
    (piece,) = _cut(_sound((2, 0), (3, 0.1), (2, 0)))
    assert piece.start_s == pytest.approx(1.2, abs=0.05)
    assert piece.audio.duration_s == pytest.approx(4.6, abs=0.1)
    assert piece.voiced_s == pytest.approx(3.0, abs=0.1)


def test_a_long_pause_ends_a_piece_and_a_short_one_does_not() -> None:
    pieces = _cut(_sound((3, 0.1), (1, 0), (3, 0.1), (4, 0), (3, 0.1)))
    assert _ends(pieces) == [(0.0, 7.8), (10.2, 14.0)]


def test_talk_with_short_pauses_is_cut_at_the_longest_of_them() -> None:
    talk = _sound((9, 0.1), (0.4, 0), (8, 0.1), (1.0, 0), (8, 0.1), (0.4, 0), (9, 0.1))
    first, second = _cut(talk)
    assert first.start_s + first.audio.duration_s == pytest.approx(18.2, abs=0.1)
    assert second.start_s == pytest.approx(18.2, abs=0.1)


def test_talk_without_any_pause_is_cut_where_it_is_quietest() -> None:
    pieces = _cut(_sound((22, 0.1), (0.1, 0.03), (20, 0.1)))
    assert pieces[1].start_s == pytest.approx(22.05, abs=0.05)


@pytest.mark.parametrize("seconds", [27, 28, 29, 30, 31, 32, 59, 61, 200])
def test_no_piece_is_near_thirty_seconds_and_no_sample_is_lost_or_doubled(
    seconds: int,
) -> None:
    talk = _sound((seconds, 0.1))
    pieces = _cut(talk)
    assert max(p.audio.duration_s for p in pieces) <= LONGEST_PIECE_S
    assert np.array_equal(np.concatenate([p.audio.samples for p in pieces]), talk)


@pytest.mark.parametrize("block_s", [0.02, 1.3, 30.0, 500.0])
def test_the_size_of_the_blocks_loses_no_voice(block_s: float) -> None:
    talk = _sound(*[(2.0, 0.1), (0.5, 0), (6.0, 0.1), (2.5, 0)] * 6)
    pieces = _cut(talk, block_s=block_s)
    assert sum(p.voiced_s for p in pieces) == pytest.approx(48.0, abs=0.6)
    assert max(p.audio.duration_s for p in pieces) <= LONGEST_PIECE_S


def test_a_word_at_the_seam_of_two_looks_is_in_one_piece() -> None:
    pieces = _cut(_sound((29.8, 0), (0.6, 0.1), (10, 0)))
    assert len(pieces) == 1
    assert pieces[0].voiced_s == pytest.approx(0.6, abs=0.07)


def test_what_is_held_stays_small_however_long_it_goes_on() -> None:
    """Two hours of silence and of talk are looked at in at most about a minute."""
    longest = 0

    class Watching(EnergyVad):
        def find_speech(self, audio: Audio) -> list[tuple[int, int]]:
            nonlocal longest
            longest = max(longest, len(audio.samples))
            return super().find_speech(audio)

    cutter = PieceCutter(Watching())
    minute = _sound((25, 0.1), (35, 0.0))
    for _ in range(20):
        for piece in cutter.feed(minute):
            assert piece.audio.samples.base is None
    assert longest <= 130 * SAMPLE_RATE_HZ


def test_pieces_come_early_when_sound_is_looked_at_often() -> None:
    cutter = PieceCutter(EnergyVad(), detect_every_s=0.5)
    talk = _sound((1, 0.1), (2, 0.0))
    assert len(list(cutter.feed(talk))) == 1
