"""``ebb transcribe``: speech to text."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from assistant import listen
from assistant.adapters.audio_files import AudioFiles, Recording
from assistant.domain import Segment, Transcript
from assistant.errors import AudioError
from assistant.network import forbid_outside

if TYPE_CHECKING:
    from assistant.ports import SpeechToText, VoiceDetector
    from assistant.settings import Settings

NAME = "transcribe"
HELP = "speech to text"

_STDIN = "-"
_MOST_STDIN_BYTES = 512 * 1024 * 1024
"""Sound from standard input is held in memory: it is never written to disk."""
_LONG_S = 60.0
_NOBODY = "(Nobody speaks in this recording.)"


@dataclass(frozen=True, slots=True)
class Ears:
    """What listening needs."""

    stt: SpeechToText
    vad: VoiceDetector


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files and the switches."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="wav, mp3, m4a, ogg, webm or flac, two hours at most; - reads it "
        "from standard input",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="the language spoken, such as en; without it, Ebb finds out",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do what was asked; gives the exit code."""
    forbid_outside()
    return Transcribing(
        AudioFiles(),
        lambda: load_ears(settings),
        language=args.language,
        as_json=args.json,
    ).run(args.files)


def load_ears(settings: Settings) -> Ears:
    """Load the recogniser and the voice detector.

    Raises:
        ModelFileError: If the weights are missing or damaged.
    """
    # Imported only here: an unreadable file is told without loading any content.
    from assistant.wiring import open_speech

    return Ears(*open_speech(settings))


class Transcribing:
    """One call of the command: several files, one after the other."""

    def __init__(
        self,
        files: AudioFiles,
        load: Callable[[], Ears],
        *,
        language: str | None = None,
        as_json: bool = False,
        stdin: BinaryIO | None = None,
    ) -> None:
        """Prepare; ``load`` is called once, when the first readable file is met."""
        self._files = files
        self._load = load
        self._ears: Ears | None = None
        self._language = language
        self._as_json = as_json
        self._stdin = stdin

    def run(self, names: Sequence[str]) -> int:
        """Print a transcript for each file; 3 where one of them was unreadable."""
        code = 0
        for name in names:
            try:
                transcript, elapsed_s = self._transcribe(name)
            except AudioError as error:
                print(f"ebb: {name}: {error}", file=sys.stderr)
                code = error.exit_code
                continue
            if self._as_json:
                made = record(name, transcript, elapsed_s)
                print(json.dumps(made, ensure_ascii=False), flush=True)
            else:
                if len(names) > 1:
                    print(f"== {name}")
                print(as_text(transcript), flush=True)
        return code

    def _transcribe(self, name: str) -> tuple[Transcript, float]:
        started = time.monotonic()
        recording = self._open(name)
        if self._ears is None:
            self._ears = self._load()
            started = time.monotonic()  # Loading is not the recording's time.
        progress = _Progress(name, recording, sys.stderr)
        try:
            transcript = listen.transcribe(
                recording.stream_blocks(),
                self._ears.stt,
                self._ears.vad,
                language=self._language,
                on_progress=progress.show,
            )
        finally:
            progress.clear()
        return transcript, time.monotonic() - started

    def _open(self, name: str) -> Recording:
        if name != _STDIN:
            return self._files.open(Path(name))
        data = (self._stdin or sys.stdin.buffer).read(_MOST_STDIN_BYTES + 1)
        if len(data) > _MOST_STDIN_BYTES:
            raise AudioError(
                "This is more than standard input takes; please give the file's name."
            )
        return self._files.open(data)


def record(name: str, transcript: Transcript, elapsed_s: float) -> dict[str, Any]:
    """Give the record of the contract."""
    return {
        "file": name,
        "text": transcript.text,
        "language": transcript.language,
        "no_speech": transcript.no_speech,
        "segments": [_segment_record(segment) for segment in transcript.segments],
        "duration_s": round(transcript.duration_s, 3),
        "elapsed_s": round(elapsed_s, 3),
    }


def as_text(transcript: Transcript) -> str:
    """Give the text for a person; what may be invented stands in ``[? …]``."""
    if transcript.no_speech:
        return _NOBODY
    if not any(segment.doubtful for segment in transcript.segments):
        return transcript.text
    return " ".join(
        f"[? {segment.text}]" if segment.doubtful else segment.text
        for segment in transcript.segments
    )


def _segment_record(segment: Segment) -> dict[str, Any]:
    return {
        "start": segment.start_s,
        "end": segment.end_s,
        "text": segment.text,
        "doubtful": segment.doubtful,
    }


class _Progress:
    """One line that rewrites itself, for long recordings and on a terminal only."""

    def __init__(self, name: str, recording: Recording, out: TextIO) -> None:
        self._label = f"Listening to {name}"
        self._whole_s = recording.duration_s
        self._out = out if out.isatty() and recording.duration_s > _LONG_S else None

    def show(self, done_s: float) -> None:
        if self._out is not None:
            done, whole = _clock(done_s), _clock(self._whole_s)
            print(f"\r{self._label}: {done} of {whole}", end="", file=self._out)
            self._out.flush()

    def clear(self) -> None:
        if self._out is not None:
            print("\r\033[K", end="", file=self._out)
            self._out.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
