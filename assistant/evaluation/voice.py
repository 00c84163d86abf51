"""Measure listening: word errors, and words where nobody spoke.

The folder holds one folder a set, each with a ``manifest.jsonl`` whose lines have
``file``, ``transcript`` (empty where nobody speaks) and ``seconds``; a set may also
name each clip's ``emotion``, ``kind``, ``source`` or ``language``. For measuring only.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant import listen
from assistant.adapters.audio_files import AudioFiles
from assistant.domain import Audio, Transcript
from assistant.errors import InputError
from assistant.evaluation.spoken_form import spoken_form
from assistant.ports import SpeechToText, VoiceDetector

_GROUPED_BY = ("emotion", "kind", "source", "language")
_BY_CHARACTER = frozenset({"ja", "ko", "zh", "th"})
"""Languages whose words are not, or not firmly, separated by spaces."""
_RESAMPLES = 2000
_SEED = 20261130


@dataclass(frozen=True, slots=True)
class _Clip:
    """One clip of a public set, and what was heard in it."""

    group: str
    language: str | None
    expected: str
    seconds: float
    elapsed_s: float
    heard: Transcript = field(repr=False)
    errors: int
    insertions: int
    size: int
    """Words, or characters, that were to be heard."""


def run(
    data_dir: Path,
    stt: SpeechToText,
    vad: VoiceDetector,
    limit: int | None = None,
    *,
    language: str | None = None,
) -> dict[str, Any]:
    """Measure every set of a folder, or the one set that the folder is.

    Args:
        data_dir: See the module.
        stt: The recogniser.
        vad: The voice detector.
        limit: The first so many clips of each set only.
        language: Given to the recogniser; None lets it find out.

    Returns:
        See ``run_with``.

    Raises:
        InputError: If there is no set, or a manifest cannot be read.
    """

    def hear(blocks: Iterable[Audio]) -> Transcript:
        return listen.transcribe(blocks, stt, vad, language=language)

    return run_with(data_dir, hear, limit)


def run_with(
    data_dir: Path,
    hear: Callable[[Iterable[Audio]], Transcript],
    limit: int | None = None,
) -> dict[str, Any]:
    """Measure whatever turns sound into a transcript.

    Returns:
        For each set by name: clips, seconds, time, and either the word error rate
        with its 95 % interval (clips drawn again), per group too, or, for a set
        without speech, how many clips gave words and which.

    Raises:
        InputError: If there is no set, or a manifest cannot be read.
    """
    manifests = sorted(data_dir.glob("manifest.jsonl"))
    manifests += sorted(data_dir.glob("speech-*/manifest.jsonl"))
    if not manifests:
        raise InputError(f"There is no manifest.jsonl in {data_dir}.")
    files = AudioFiles()
    report: dict[str, Any] = {}
    for manifest in manifests:
        clips = [
            _listen(files, manifest.parent, row, hear)
            for row in _rows(manifest)[:limit]
        ]
        speech = any(clip.size for clip in clips)
        report[manifest.parent.name] = _speech(clips) if speech else _silence(clips)
    return report


def _rows(manifest: Path) -> list[dict[str, Any]]:
    try:
        lines = manifest.read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError):
        raise InputError(f"{manifest} cannot be read.") from None


def _listen(
    files: AudioFiles,
    folder: Path,
    row: dict[str, Any],
    hear: Callable[[Iterable[Audio]], Transcript],
) -> _Clip:
    recording = files.open(folder / row["file"])
    started = time.monotonic()
    heard = hear(recording.stream_blocks())
    elapsed_s = time.monotonic() - started
    errors, insertions, size = _compare(
        row["transcript"], heard.text, by_character=row.get("language") in _BY_CHARACTER
    )
    return _Clip(
        group=next((str(row[key]) for key in _GROUPED_BY if key in row), ""),
        language=row.get("language"),
        expected=row["transcript"],
        seconds=recording.duration_s,
        elapsed_s=elapsed_s,
        heard=heard,
        errors=errors,
        insertions=insertions,
        size=size,
    )


def _compare(expected: str, heard: str, *, by_character: bool) -> tuple[int, int, int]:
    """Count errors, words too many among them, and what was to be heard."""
    import jiwer

    said, got = spoken_form(expected), spoken_form(heard)
    if by_character:
        said, got = " ".join(said.replace(" ", "")), " ".join(got.replace(" ", ""))
    if not said:
        words = len(got.split())
        return words, words, 0
    result = jiwer.process_words(said, got)
    errors = result.substitutions + result.deletions + result.insertions
    return errors, result.insertions, len(said.split())


def _speech(clips: Sequence[_Clip]) -> dict[str, Any]:
    groups = sorted({clip.group for clip in clips})
    by_group = {
        group: _rate([clip for clip in clips if clip.group == group])
        for group in groups
    }
    told = [c for c in clips if c.language is not None and not c.heard.no_speech]
    right = sum(clip.heard.language == clip.language for clip in told)
    return {
        **_common(clips),
        **_rate(clips),
        "language_right": [right, len(told)],
        "groups": by_group,
    }


def _silence(clips: Sequence[_Clip]) -> dict[str, Any]:
    """Words where nobody spoke; the texts are of public clips, so they may be shown."""
    wordy = [clip for clip in clips if not clip.heard.no_speech]
    return {
        **_common(clips),
        "with_text": len(wordy),
        "share_95": _wilson(len(wordy), len(clips)),
        "words": sum(clip.errors for clip in clips),
        "texts": [[clip.group, clip.heard.text] for clip in wordy],
    }


def _common(clips: Sequence[_Clip]) -> dict[str, Any]:
    return {
        "clips": len(clips),
        "seconds": round(sum(clip.seconds for clip in clips), 1),
        "elapsed_s": round(sum(clip.elapsed_s for clip in clips), 1),
        "doubtful": sum(
            any(segment.doubtful for segment in clip.heard.segments) for clip in clips
        ),
    }


def _rate(clips: Sequence[_Clip]) -> dict[str, Any]:
    errors = np.array([clip.errors for clip in clips], dtype=np.float64)
    sizes = np.array([clip.size for clip in clips], dtype=np.float64)
    generator = np.random.default_rng(_SEED)
    drawn = generator.integers(0, len(clips), size=(_RESAMPLES, len(clips)))
    rates = errors[drawn].sum(axis=1) / np.maximum(sizes[drawn].sum(axis=1), 1)
    low, high = np.percentile(rates, [2.5, 97.5])
    return {
        "wer": round(float(errors.sum() / sizes.sum()), 4),
        "wer_95": [round(float(low), 4), round(float(high), 4)],
        "words": int(sizes.sum()),
        "insertions": sum(clip.insertions for clip in clips),
        "empty": sum(clip.heard.no_speech for clip in clips),
    }


def _wilson(hits: int, count: int) -> list[float]:
    """Give the 95 % interval of a share, after Wilson."""
    z = 1.96
    share = hits / count
    middle = share + z * z / (2 * count)
    spread = z * np.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return [
        round(float(max(0.0, (middle - spread) / scale)), 4),
        round(float(min(1.0, (middle + spread) / scale)), 4),
    ]
