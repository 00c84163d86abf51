"""``ebb transcribe``, with a scripted recogniser."""

from __future__ import annotations

import argparse
import io
import json
import wave
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.audio_files import AudioFiles
from assistant.adapters.scripted_speech import EnergyVad, ScriptedStt, recognised
from assistant.commands import transcribe
from assistant.commands.transcribe import Ears, Transcribing
from assistant.errors import ModelFileError
from assistant.settings import Settings


def _wav(path: Path, seconds: float = 3.0, loudness: float = 0.3) -> str:
    times = np.arange(round(seconds * 8_000)) / 8_000
    samples = loudness * np.sin(2 * np.pi * 300 * times)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes((samples * 32_767).astype("<i2").tobytes())
    return str(path)


def _command(*texts: str, as_json: bool = False, stdin: bytes = b"") -> Transcribing:
    stt = ScriptedStt([recognised(text) for text in texts])
    return Transcribing(
        AudioFiles(),
        lambda: Ears(stt, EnergyVad()),
        as_json=as_json,
        stdin=io.BytesIO(stdin),
    )


def _parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    transcribe.add_arguments(parser)
    return parser.parse_args(words)


def test_the_record_is_the_one_of_the_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = _wav(tmp_path / "a.wav")
    assert _command("The tea is warm.", as_json=True).run([name]) == 0
    made = json.loads(capsys.readouterr().out)
    assert set(made) == {
        "file",
        "text",
        "language",
        "no_speech",
        "segments",
        "duration_s",
        "elapsed_s",
    }
    assert made["file"] == name
    assert made["text"] == "The tea is warm."
    assert made["language"] == "en"
    assert made["no_speech"] is False
    assert made["duration_s"] == pytest.approx(3.0)
    (segment,) = made["segments"]
    assert set(segment) == {"start", "end", "text", "doubtful"}
    assert segment["doubtful"] is False


def test_where_nobody_speaks_the_record_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = _wav(tmp_path / "a.wav", loudness=0.0)
    assert _command(as_json=True).run([name]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["no_speech"] is True
    assert made["text"] == ""
    assert made["segments"] == []


def test_a_person_reads_text_and_sees_what_may_be_invented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [_wav(tmp_path / "a.wav"), _wav(tmp_path / "b.wav", loudness=0.0)]
    assert _command("Thanks for watching!").run(names) == 0
    out = capsys.readouterr().out
    assert "[? Thanks for watching!]" in out
    assert "Nobody speaks" in out
    assert all(f"== {name}" in out for name in names)


@pytest.mark.parametrize("as_json", [True, False])
def test_an_unreadable_file_gets_one_line_and_the_others_are_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    broken = tmp_path / "broken.wav"
    broken.write_text("no sound")
    names = [_wav(tmp_path / "a.wav"), str(broken), _wav(tmp_path / "b.wav")]
    command = _command("The tea is warm.", "It is late.", as_json=as_json)
    assert command.run(names) == 3
    captured = capsys.readouterr()
    assert "The tea is warm." in captured.out
    assert "It is late." in captured.out
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(f"ebb: {broken}: This is not a recording")
    assert "broken" not in captured.out


def test_an_unreadable_file_needs_no_weights(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert transcribe.run(_parsed(str(tmp_path / "none.wav")), settings) == 3


def test_without_weights_the_error_says_which_file_is_missing(tmp_path: Path) -> None:
    args = _parsed(_wav(tmp_path / "a.wav"))
    with pytest.raises(ModelFileError, match="ebb models pull whisper-base"):
        transcribe.run(args, Settings(home=tmp_path))


def test_a_recording_comes_in_by_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = Path(_wav(tmp_path / "a.wav")).read_bytes()
    assert _command("The tea is warm.", as_json=True, stdin=data).run(["-"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == "-"


def test_empty_standard_input_is_an_empty_recording(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _command().run(["-"]) == 3
    assert "empty" in capsys.readouterr().err


@pytest.mark.parametrize(("seconds", "shown"), [(70.0, True), (3.0, False)])
def test_progress_is_shown_for_long_recordings_on_a_terminal(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    shown: bool,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    name = _wav(tmp_path / "a.wav", seconds=seconds)
    _command(*["The tea is warm and it is late."] * 4, as_json=True).run([name])
    assert ("1:10 of 1:10" in screen.getvalue()) == shown
    assert json.loads(capsys.readouterr().out)["duration_s"] == pytest.approx(seconds)


def test_without_a_terminal_no_progress_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = _wav(tmp_path / "a.wav", seconds=70.0)
    _command(*["The tea is warm and it is late."] * 4, as_json=True).run([name])
    assert capsys.readouterr().err == ""


def test_no_sound_is_written_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path(_wav(tmp_path / "a.wav")).read_bytes()
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", None)
    _command("The tea is warm.", stdin=data).run(["-"])
    assert sorted(tmp_path.rglob("*")) == before
