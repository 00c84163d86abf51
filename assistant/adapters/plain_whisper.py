"""faster-whisper called as its own first example calls it: for measuring beside Ebb."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from assistant.domain import Audio, Segment, Transcript
from assistant.errors import ModelFileError

_SAMPLE_RATE_HZ = 16_000
_BEAM_SIZE = 5


class PlainWhisper:
    """The same weights as Ebb's, in 8-bit numbers; everything else by default.

    A whole recording at once, no voice detection, nothing said to be doubtful.
    """

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """Load the weights.

        Args:
            folder: Holds them.
            threads: Processor threads; 0 means what the library takes by itself.

        Raises:
            ModelFileError: If they cannot be loaded.
        """
        import faster_whisper

        try:
            self._model = faster_whisper.WhisperModel(
                str(folder),
                device="cpu",
                compute_type="int8",
                cpu_threads=threads,
                local_files_only=True,
            )
        except Exception:  # the library raises whatever its parts raise
            raise ModelFileError(
                f"The model files in {folder} cannot be loaded."
            ) from None

    def transcribe(self, blocks: Iterable[Audio]) -> Transcript:
        """Write down a recording that comes as blocks of 16 kHz mono."""
        parts = [block.samples for block in blocks]
        samples = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        found, about = self._model.transcribe(samples, beam_size=_BEAM_SIZE)
        segments = tuple(
            Segment(raw.start, raw.end, raw.text.strip(), doubtful=False)
            for raw in found
        )
        text = " ".join(segment.text for segment in segments).strip()
        return Transcript(
            text=text,
            language=about.language,
            language_prob=float(about.language_probability),
            no_speech=not text,
            segments=segments,
            duration_s=len(samples) / _SAMPLE_RATE_HZ,
        )
