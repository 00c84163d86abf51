"""Words appear while somebody speaks, settle at pauses, and are there at the end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from assistant import live
from assistant.adapters.scripted_speech import EnergyVad
from assistant.domain import Audio, Segment
from assistant.pieces import SAMPLE_RATE_HZ
from assistant.ports import RecognisedSpeech, SpeechToText

_RATE = SAMPLE_RATE_HZ


class CountingStt(SpeechToText):
    """Says one word a second of sound, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked_s: list[float] = []

    def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
        self.asked_s.append(audio.duration_s)
        words = " ".join(f"w{n}" for n in range(max(1, int(audio.duration_s))))
        segment = Segment(0.0, audio.duration_s, words, False)
        return RecognisedSpeech((segment,), "en", 0.99)


def _blocks(*parts: tuple[float, float]) -> Iterator[Audio]:
    generator = np.random.default_rng(3)
    sound = np.concatenate(
        [loud * generator.choice([-1.0, 1.0], round(s * _RATE)) for s, loud in parts]
    ).astype(np.float32)
    step = _RATE // 10
    for start in range(0, len(sound), step):
        yield Audio(sound[start : start + step], _RATE)


def _run(stt: CountingStt, *parts: tuple[float, float]) -> list[live.SoFar]:
    return list(live.stream_words(_blocks(*parts), stt, EnergyVad()))


def test_words_come_before_the_end_and_settle_at_a_pause() -> None:
    said = _run(CountingStt(), (3, 0.1), (2, 0), (2, 0.1), (2, 0))
    first = said[0]
    assert first.speaking
    assert not first.settled
    assert any(so_far.settled and so_far.speaking for so_far in said)
    assert all(so_far.final is None for so_far in said[:-1])
    assert said[-1].final is not None


def test_what_is_settled_never_changes() -> None:
    settled = [s.settled for s in _run(CountingStt(), *[(3, 0.1), (1.5, 0)] * 4)]
    for before, after in zip(settled, settled[1:], strict=False):
        assert after.startswith(before)


def test_silence_gives_no_words_and_asks_nobody() -> None:
    stt = CountingStt()
    (only,) = _run(stt, (6, 0.0))
    assert only.final is not None
    assert only.final.no_speech
    assert not stt.asked_s


def test_a_long_pause_ends_nothing() -> None:
    final = _run(CountingStt(), (2, 0.1), (40, 0), (2, 0.1), (1, 0))[-1].final
    assert final is not None
    assert len(final.segments) == 2
    assert final.segments[1].start_s > 40
    assert final.duration_s == pytest.approx(45, abs=0.1)


def test_speech_that_was_just_recognised_is_not_recognised_again() -> None:
    stt = CountingStt()
    said = _run(stt, (3, 0.1), (0.9, 0))
    # One look for each time words were shown on the way, and none at the end.
    assert len(stt.asked_s) == len(said) - 1
    assert said[-1].final is not None
    assert said[-1].settled == said[-2].speaking


def test_behind_only_what_is_settled_is_recognised() -> None:
    stt = CountingStt()
    said = list(
        live.stream_words(
            _blocks((3, 0.1), (2, 0)), stt, EnergyVad(), is_behind=lambda: True
        )
    )
    assert len(stt.asked_s) == 1
    assert all(not so_far.speaking for so_far in said)


def test_pieces_stay_short_where_nobody_pauses() -> None:
    stt = CountingStt()
    _run(stt, (60, 0.1))
    assert max(stt.asked_s) <= 14.1


def test_a_pause_is_told_as_it_grows_and_not_before_a_second() -> None:
    said = _run(CountingStt(), (2, 0.1), (5, 0), (1, 0.1), (0.5, 0))
    quiet = [so_far.quiet_s for so_far in said]
    grown = [seconds for seconds in quiet if seconds]
    assert grown[0] == pytest.approx(1.2, abs=0.35)
    assert max(grown) == pytest.approx(5, abs=0.6)
    steps = np.diff(grown[: grown.index(max(grown)) + 1])
    assert all(0 < step < 0.8 for step in steps)
    assert quiet[-2] == 0.0  # somebody speaks again


def test_silence_before_any_word_is_no_pause() -> None:
    said = _run(CountingStt(), (5, 0), (1, 0.1), (0.5, 0))
    assert all(so_far.quiet_s == 0 for so_far in said)
