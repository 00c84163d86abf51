"""``VoiceDetector`` over the Silero model that comes with faster-whisper."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from assistant.domain import Audio
from assistant.errors import AudioError, TranscribeError
from assistant.ports import VoiceDetector

_SAMPLE_RATE_HZ = 16_000


@dataclass(frozen=True, slots=True)
class VadOptions:
    """How sharp the ear is; measured with ``assistant/evaluation/voice.py``."""

    threshold: float = 0.3
    """A thirtieth of a second with a higher probability of a voice begins a span."""
    shortest_pause_s: float = 0.15
    """Shorter pauses do not end a span."""


class SileroVad(VoiceDetector):
    """Finds where somebody speaks; gives spans without any padding.

    Keeps nothing between calls; a second caller waits its turn.
    """

    def __init__(self, options: VadOptions | None = None) -> None:
        """Load the model that lies inside the library."""
        from faster_whisper import vad

        self._options = options or VadOptions()
        self._one_at_a_time = threading.Lock()
        self._find: Any = vad.get_speech_timestamps
        self._settings = vad.VadOptions(
            threshold=self._options.threshold,
            min_silence_duration_ms=round(self._options.shortest_pause_s * 1000),
            # Lengths and padding are the core's business (``pieces.py``).
            min_speech_duration_ms=0,
            speech_pad_ms=0,
        )

    def find_speech(self, audio: Audio) -> list[tuple[int, int]]:
        """Give spans of speech as sample offsets, end exclusive, in order.

        Raises:
            AudioError: If the sound is not at 16 kHz.
            TranscribeError: If the model fails.
        """
        if audio.sample_rate_hz != _SAMPLE_RATE_HZ:
            raise AudioError("Voice detection needs sound at 16 kHz.")
        if not len(audio.samples):
            return []
        try:
            with self._one_at_a_time:
                found = self._find(audio.samples, self._settings)
        except Exception:  # onnxruntime raises errors of many kinds
            raise TranscribeError("Ebb could not look for a voice.") from None
        return [
            (int(span["start"]), min(int(span["end"]), len(audio.samples)))
            for span in found
        ]
