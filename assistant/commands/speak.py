"""``ebb speak``: text to speech."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import wave
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from assistant import wiring_voice
from assistant.errors import UsageError
from assistant.network import forbid_outside

if TYPE_CHECKING:
    from assistant.domain import Audio
    from assistant.settings import Settings

NAME = "speak"
HELP = "text to speech"

_STDIN = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the text and the file to write."""
    parser.add_argument(
        "text", metavar="TEXT", help="what to say; - reads it from standard input"
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        type=Path,
        metavar="FILE",
        help="the wav file to write",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do what was asked; gives the exit code."""
    forbid_outside()
    check_target(args.output)
    text = sys.stdin.read() if args.text == _STDIN else args.text
    write_wav(args.output, wiring_voice.load(settings).speak(text))
    return 0


def check_target(target: Path) -> None:
    """Make sure that a wav file can be written there, before anything is spoken.

    Raises:
        UsageError: If it cannot.
    """
    if target.suffix.lower() != ".wav":
        raise UsageError("Ebb writes wav files; give a name that ends in .wav.")
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise UsageError(f"There is no folder for {target}.")


def write_wav(target: Path, sounds: Iterable[Audio]) -> None:
    """Write sounds of one rate one after the other, 16 bit mono; all or nothing.

    Raises:
        UsageError: If the file cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(
            dir=target.absolute().parent, prefix=".ebb-", suffix=".wav"
        )
    except OSError:
        raise UsageError(f"The file {target} cannot be written.") from None
    half_written = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            _write(file, sounds)
        half_written.replace(target)
    except OSError:
        raise UsageError(f"The file {target} cannot be written.") from None
    finally:
        half_written.unlink(missing_ok=True)


def _write(file: BinaryIO, sounds: Iterable[Audio]) -> None:
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        for number, sound in enumerate(sounds):
            if number == 0:
                out.setframerate(sound.sample_rate_hz)
            scaled = np.clip(sound.samples, -1.0, 1.0) * 32_767
            out.writeframes(scaled.astype("<i2").tobytes())
