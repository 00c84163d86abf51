"""``ebb speak``, with a voice that hums, and (``weights``) a real one."""

from __future__ import annotations

import argparse
import builtins
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant import settings
from assistant.adapters.piper_tts import PiperTts
from assistant.adapters.scripted_speech import ScriptedVoice
from assistant.commands import speak
from assistant.domain import Audio
from assistant.errors import ModelFileError, TranscribeError, UsageError
from assistant.settings import Settings


def _parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    speak.add_arguments(parser)
    return parser.parse_args(words)


def test_the_file_holds_all_sentences_at_the_rate_of_the_voice(tmp_path: Path) -> None:
    target = tmp_path / "said.wav"
    speak.write_wav(target, ScriptedVoice(22_050).speak("The tea is warm. It is late."))
    with wave.open(str(target)) as file:
        assert file.getframerate() == 22_050
        assert file.getnchannels() == 1
        assert file.getsampwidth() == 2
        # 15 and 10 characters, a twentieth of a second each.
        assert file.getnframes() / 22_050 == pytest.approx(25 / 20, abs=0.01)


def test_loud_sound_is_limited_and_does_not_wrap_round(tmp_path: Path) -> None:
    target = tmp_path / "said.wav"
    speak.write_wav(target, [Audio(np.array([2.0, -2.0], np.float32), 16_000)])
    with wave.open(str(target)) as file:
        samples = np.frombuffer(file.readframes(2), "<i2")
    assert samples.tolist() == [32_767, -32_767]


def test_when_the_voice_fails_the_old_file_stays_and_nothing_is_left(
    tmp_path: Path,
) -> None:
    def failing() -> Iterator[Audio]:
        yield Audio(np.zeros(10, np.float32), 16_000)
        raise TranscribeError("Ebb could not say this.")

    target = tmp_path / "said.wav"
    target.write_bytes(b"old")
    with pytest.raises(TranscribeError):
        speak.write_wav(target, failing())
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["said.mp3", "said", "none/said.wav"])
def test_a_target_that_cannot_be_is_refused_before_anything_is_said(
    tmp_path: Path, name: str
) -> None:
    args = _parsed("The tea is warm.", "-o", str(tmp_path / name))
    with pytest.raises(UsageError):
        speak.run(args, Settings(home=tmp_path))


def test_a_missing_voice_is_named(tmp_path: Path) -> None:
    args = _parsed("The tea is warm.", "-o", str(tmp_path / "said.wav"))
    with pytest.raises(ModelFileError, match="ebb models pull") as caught:
        speak.run(args, Settings(home=tmp_path))
    assert caught.value.exit_code == 4


def test_without_the_extra_part_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "piper":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    voice = tmp_path / "voice.onnx"
    voice.touch()
    voice.with_name("voice.onnx.json").touch()
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(UsageError, match=r"ebb\[voice\]"):
        PiperTts(voice)


@pytest.mark.weights
def test_the_real_voice_says_a_sentence_and_logs_nothing_of_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    target = tmp_path / "said.wav"
    args = _parsed("Marzipan is sweet. It is late.", "-o", str(target))
    assert speak.run(args, settings.load()) == 0
    with wave.open(str(target)) as file:
        assert 1.0 < file.getnframes() / file.getframerate() < 6.0
    assert "arzipan" not in caplog.text


@pytest.mark.weights
def test_there_must_be_words_to_say(tmp_path: Path) -> None:
    args = _parsed(" … ", "-o", str(tmp_path / "said.wav"))
    with pytest.raises(UsageError, match="no words"):
        speak.run(args, settings.load())
    assert list(tmp_path.iterdir()) == []
