"""Long listening, cut short; ``python -m tests.listen_long`` is long."""

from __future__ import annotations

import itertools
import json
import wave
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.scripted_speech import EnergyVad
from assistant.domain import Audio, Segment
from assistant.pieces import SAMPLE_RATE_HZ
from assistant.ports import RecognisedSpeech, SpeechToText
from tests import listen_long, long_sounds
from tests.long_sounds import Clip


class Says(SpeechToText):
    """Hears the same in every sound."""

    def __init__(self, text: str) -> None:
        self._text = text

    def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
        segment = Segment(0.0, audio.duration_s, self._text, False)
        return RecognisedSpeech((segment,), "en", 0.99)


class DeafVad(EnergyVad):
    """Never hears a voice."""

    def find_speech(self, audio: Audio) -> list[tuple[int, int]]:
        return []


def _tone(seconds: float) -> long_sounds.Samples:
    times = np.arange(round(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    return (0.2 * np.sin(2 * np.pi * 300 * times)).astype(np.float32)


CLIPS = [Clip("bell", _tone(3), "one two"), Clip("bell", _tone(4), "three four")]


def test_where_no_voice_is_heard_there_is_no_word() -> None:
    report = listen_long.hear_silence(
        CLIPS, 2, Says("invented"), DeafVad(), rss_mb=lambda: 100.0
    )
    assert report.words == report.words_shown == 0
    assert report.words_by_kind == {}
    assert report.rss_after_a_tenth == report.rss_at_the_end == 100
    assert report.is_well


def test_words_without_speech_are_counted_by_the_kind_of_sound() -> None:
    report = listen_long.hear_silence(CLIPS, 2, Says("some words"), EnergyVad())
    assert report.words > 0
    assert report.words_shown >= report.words
    assert sum(report.words_by_kind.values()) == report.words
    assert not report.is_well


def test_memory_that_grows_is_seen() -> None:
    sizes = itertools.count(100, 20)
    report = listen_long.hear_silence(
        [], 1, Says(""), DeafVad(), rss_mb=lambda: float(next(sizes))
    )
    assert report.growth == 0.2
    assert not report.is_well


def test_the_sound_has_all_kinds_and_is_as_long_as_it_should_be() -> None:
    seconds = Counter[str]()
    for stretch in long_sounds.stream_stretches(CLIPS, 600, seed=1):
        assert np.all(np.isfinite(stretch.samples))
        assert np.max(np.abs(stretch.samples), initial=0) <= 1
        seconds[stretch.kind] += len(stretch.samples) / SAMPLE_RATE_HZ
    assert set(seconds) == {*long_sounds.MADE, "bell"}
    assert sum(seconds.values()) == pytest.approx(600)


def test_the_same_seed_gives_the_same_sound() -> None:
    once, again = (
        np.concatenate(
            [s.samples for s in long_sounds.stream_stretches(CLIPS, 60, seed=5)]
        )
        for _ in range(2)
    )
    assert np.array_equal(once, again)


def test_noise_has_the_colour_of_its_name() -> None:
    def tilt(kind: str) -> float:
        samples = long_sounds.MADE[kind](SAMPLE_RATE_HZ * 4, np.random.default_rng(1))
        power = np.abs(np.fft.rfft(samples)) ** 2
        hz = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE_HZ)
        low, high = (power[(hz > at) & (hz < 2 * at)].mean() for at in (200.0, 3200.0))
        return float(10 * np.log10(low / high) / 4)  # dB an octave

    assert tilt("white") == pytest.approx(0, abs=0.4)
    assert tilt("pink") == pytest.approx(3, abs=0.4)
    assert tilt("brown") == pytest.approx(6, abs=0.4)


def test_speech_goes_on_through_the_seconds_in_question() -> None:
    chance = np.random.default_rng(2)
    first_s, last_s = long_sounds.WINDOW_S
    for _ in range(20):
        made = long_sounds.splice(CLIPS, chance)
        assert len(made.samples) > last_s * SAMPLE_RATE_HZ
        window = made.samples[round(first_s * SAMPLE_RATE_HZ) :]
        window = window[: round((last_s - first_s) * SAMPLE_RATE_HZ)]
        assert np.mean(np.abs(window) > 0.001) > 0.5
        quiet = EnergyVad().find_speech(Audio(made.samples, SAMPLE_RATE_HZ))
        pauses = [b[0] - a[1] for a, b in itertools.pairwise(quiet)]
        assert max(pauses) < 1.5 * SAMPLE_RATE_HZ


def test_words_of_no_transcript_are_invented() -> None:
    report = listen_long.hear_splices(CLIPS, 2, Says("one two zebra"), EnergyVad())
    assert report.splices == 2
    assert report.heard > 0
    assert report.invented * 3 == report.heard
    assert 0 < report.invented_near <= report.invented
    right = listen_long.hear_splices(CLIPS, 2, Says("one two"), EnergyVad())
    assert right.invented == right.invented_near == 0


def test_only_counts_are_told() -> None:
    report = listen_long.hear_splices(CLIPS, 1, Says("zebra"), EnergyVad())
    assert "zebra" not in repr(report)
    assert "three" not in repr(CLIPS)


def test_clips_are_told_apart_by_their_transcript(tmp_path: Path) -> None:
    folder = tmp_path / "speech-mixed"
    folder.mkdir()
    rows = []
    for name, said in (("a.wav", ""), ("b.wav", "one two"), ("c.wav", "uno")):
        with wave.open(str(folder / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(SAMPLE_RATE_HZ)
            file.writeframes((_tone(1) * 32_767).astype("<i2").tobytes())
        language = "es" if said == "uno" else "en"
        rows.append({"file": name, "transcript": said, "language": language})
    lines = "\n".join(json.dumps(row) for row in rows)
    (folder / "manifest.jsonl").write_text(lines, "utf-8")
    assert len(long_sounds.read_clips(tmp_path, speech=False)) == 1
    (spoken,) = long_sounds.read_clips(tmp_path, speech=True)
    assert spoken.transcript == "one two"
    (folder / "manifest.jsonl").unlink()
    assert len(long_sounds.read_clips(tmp_path, speech=False)) == 3
