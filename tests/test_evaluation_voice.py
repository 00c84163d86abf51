"""Measuring how well Ebb listens, with a scripted recogniser."""

from __future__ import annotations

import json
import wave
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.scripted_speech import EnergyVad, ScriptedStt, recognised
from assistant.errors import InputError
from assistant.evaluation import voice
from assistant.evaluation.spoken_form import spoken_form


def _set(folder: Path, *transcripts: str, loudness: float = 0.3) -> None:
    folder.mkdir()
    rows = []
    for number, transcript in enumerate(transcripts):
        name = f"{number}.wav"
        times = np.arange(16_000 * 3) / 16_000
        samples = loudness * np.sin(2 * np.pi * 300 * times)
        with wave.open(str(folder / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(16_000)
            file.writeframes((samples * 32_767).astype("<i2").tobytes())
        rows.append({"file": name, "transcript": transcript, "emotion": "calm"})
    lines = "\n".join(json.dumps(row) for row in rows)
    (folder / "manifest.jsonl").write_text(lines)


def test_word_errors_are_counted_with_an_interval(tmp_path: Path) -> None:
    _set(tmp_path / "speech-a", "the tea is warm", "it is late")
    stt = ScriptedStt([recognised("The tea is warm."), recognised("It was late!")])
    report = voice.run(tmp_path, stt, EnergyVad())["speech-a"]
    assert report["wer"] == pytest.approx(1 / 7, abs=1e-4)
    low, high = report["wer_95"]
    assert low <= report["wer"] <= high
    assert report["groups"]["calm"]["words"] == 7
    assert report["clips"] == 2
    assert report["empty"] == 0


def test_words_where_nobody_spoke_are_listed(tmp_path: Path) -> None:
    _set(tmp_path / "speech-quiet", "", "", loudness=0.3)
    stt = ScriptedStt([recognised("Good evening."), recognised()])
    report = voice.run(tmp_path, stt, EnergyVad())["speech-quiet"]
    assert report["with_text"] == 1
    assert report["words"] == 2
    assert report["texts"] == [["calm", "Good evening."]]
    assert report["share_95"][0] < 0.5 < report["share_95"][1]


def test_one_set_and_a_limit_can_be_given(tmp_path: Path) -> None:
    _set(tmp_path / "mine", "the tea is warm", "it is late")
    stt = ScriptedStt([recognised("The tea is warm.")])
    report = voice.run(tmp_path / "mine", stt, EnergyVad(), limit=1)
    assert report["mine"]["clips"] == 1


def test_a_folder_without_a_set_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest\.jsonl"):
        voice.run(tmp_path, ScriptedStt([]), EnergyVad())


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("In 1813, Mr. Smith’s dog.", "in eighteen thirteen mister smiths dog"),
        ("It is 3!", "it is three"),
        ("21 or 100,000", "twenty one or one hundred thousand"),
        ("1900", "nineteen hundred"),
        ("2005", "two thousand five"),
        ("12345678", "one two three four five six seven eight"),
    ],
)
def test_numbers_and_titles_are_compared_as_they_are_said(
    written: str, said: str
) -> None:
    assert spoken_form(written) == said
