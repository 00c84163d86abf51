"""``SpeechToText`` over faster-whisper, with weight files that are already there."""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.domain import Audio, Segment
from assistant.errors import AudioError, ModelFileError, TranscribeError, UsageError
from assistant.ports import RecognisedSpeech, SpeechToText

_SAMPLE_RATE_HZ = 16_000
_LONGEST_S = 29.0
_FILES = ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt")
_OLDER_CODES = {"nb": "no", "iw": "he", "fil": "tl", "jv": "jw"}
"""BCP 47 subtags for which Whisper has another code."""


@dataclass(frozen=True, slots=True)
class SttOptions:
    """How the recogniser works."""

    threads: int = 0
    """Processor threads; 0 means as many as there are cores."""
    beam_size: int = 5
    """1 is a fifth faster, as good on English, and worse on other languages."""
    temperatures: tuple[float, ...] = (0.0, 0.4, 0.8)
    """Tried in order while the words look wrong; 0 is the surest words, no chance."""
    timestamps_from_s: float = 8.0
    """Shorter sound becomes one segment: asked for times, Whisper adds words to it."""


class WhisperStt(SpeechToText):
    """Recognises speech on the processor in 8-bit numbers; one recording at a time.

    Callers from several threads wait for each other: in parallel the library's memory
    grows without end (SYSTRAN/faster-whisper #1055).

    Args:
        folder: Holds ``model.bin``, ``config.json``, ``tokenizer.json`` and
            ``vocabulary.txt``.
        options: See ``SttOptions``.

    Raises:
        ModelFileError: If a file is missing or cannot be loaded.
    """

    def __init__(self, folder: Path, options: SttOptions | None = None) -> None:
        """Load the weights; see the class."""
        self._options = options or SttOptions()
        # A missing tokenizer would be looked for on the network.
        for name in _FILES:
            if not (folder / name).is_file():
                raise ModelFileError(
                    f"The model file {name} is missing in {folder}; "
                    f"fetch it with “ebb models pull {folder.name}”."
                )

        import ctranslate2
        import faster_whisper

        # Its messages tell the language and when somebody spoke.
        logging.getLogger("faster_whisper").setLevel(logging.ERROR)
        self._reseed = ctranslate2.set_random_seed
        try:
            self._model = faster_whisper.WhisperModel(
                str(folder),
                device="cpu",
                compute_type="int8",
                # Its own default is four, which is slower where there are fewer cores.
                cpu_threads=self._options.threads or os.cpu_count() or 1,
                local_files_only=True,
            )
        except Exception:  # the library raises whatever its parts raise
            raise ModelFileError(
                f"The model files in {folder} cannot be loaded; check them with "
                f"“ebb models verify {folder.name}”."
            ) from None
        self._languages = frozenset(self._model.supported_languages)
        self._one_at_a_time = threading.Lock()

    def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
        """Recognise one stretch of speech, 16 kHz mono, at most 29 s.

        Everything recognised is given, also where Whisper thinks that nobody spoke:
        what to believe is decided by the core.

        Raises:
            AudioError: If the sound is too long or at another rate.
            UsageError: If Whisper does not know the language.
            TranscribeError: If the model fails.
        """
        if audio.sample_rate_hz != _SAMPLE_RATE_HZ or audio.duration_s > _LONGEST_S:
            raise AudioError("The recogniser takes 29 seconds at 16 kHz at most.")
        code = None if language is None else self._code(language)
        with self._one_at_a_time:
            try:
                return self._recognise(audio, code)
            except Exception:  # the library raises whatever its parts raise
                raise TranscribeError("Ebb could not turn this into text.") from None

    def _recognise(self, audio: Audio, code: str | None) -> RecognisedSpeech:
        # Temperatures above 0 draw lots: the same sound is to give the same words.
        self._reseed(0)
        found, about = self._model.transcribe(
            audio.samples,
            language=code,
            beam_size=self._options.beam_size,
            temperature=self._options.temperatures,
            condition_on_previous_text=False,
            word_timestamps=False,
            without_timestamps=audio.duration_s < self._options.timestamps_from_s,
            vad_filter=False,
            no_speech_threshold=None,
        )
        segments = tuple(_segment(raw) for raw in found)
        return RecognisedSpeech(
            segments, about.language, float(about.language_probability)
        )

    def _code(self, language: str) -> str:
        primary = language.replace("_", "-").split("-")[0].lower()
        code = _OLDER_CODES.get(primary, primary)
        if code not in self._languages:
            raise UsageError(
                "The speech recogniser does not know this language; give a code such "
                "as “en” or “es”, or none to let it find out."
            )
        return code


def _segment(raw: Any) -> Segment:
    return Segment(
        start_s=float(raw.start),
        end_s=float(raw.end),
        text=raw.text.strip(),
        doubtful=False,
        avg_logprob=float(raw.avg_logprob),
        no_speech_prob=float(raw.no_speech_prob),
    )
