"""``TextToSpeech`` over Piper, which a person installs as an extra.

Piper is GPL-3.0, Ebb is not: so it is never needed and never installed unasked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from assistant.domain import Audio
from assistant.errors import ModelFileError, TranscribeError, UsageError
from assistant.ports import TextToSpeech


class PiperTts(TextToSpeech):
    """Speaks with one voice; callers from several threads wait for each other.

    Args:
        voice_file: The ``.onnx`` file; its ``.onnx.json`` lies beside it.

    Raises:
        ModelFileError: If the voice is missing or cannot be loaded.
        UsageError: If Piper is not installed.
    """

    def __init__(self, voice_file: Path) -> None:
        """Load the voice; see the class."""
        config_file = voice_file.with_name(f"{voice_file.name}.json")
        for file in (voice_file, config_file):
            if not file.is_file():
                raise ModelFileError(
                    f"The voice {file.name} is missing in {file.parent}; "
                    f"fetch it with “ebb models pull {voice_file.stem}”."
                )
        try:
            import piper
        except ImportError:
            raise UsageError(
                "Reading aloud needs an extra part; install it with "
                "“pip install 'ebb[voice]'”."
            ) from None
        # At DEBUG it would log every sentence it is given.
        logging.getLogger("piper").setLevel(logging.ERROR)
        try:
            self._voice = piper.PiperVoice.load(voice_file, config_path=config_file)
        except Exception:  # the library raises whatever its parts raise
            raise ModelFileError(
                f"The voice in {voice_file.parent} cannot be loaded; check it with "
                f"“ebb models verify {voice_file.stem}”."
            ) from None
        self._one_at_a_time = threading.Lock()

    def speak(self, text: str) -> Iterable[Audio]:
        """Yield the sound of a text, sentence by sentence, at the voice's own rate.

        Raises:
            UsageError: If there is nothing to say.
            TranscribeError: If the voice fails.
        """
        # Piper takes what stands in double brackets for phonemes, not for words.
        plain = text.replace("[[", " ").replace("]]", " ").strip()
        if not any(character.isalnum() for character in plain):
            raise UsageError("There are no words to say.")
        return self._stream(plain)

    def _stream(self, text: str) -> Iterator[Audio]:
        with self._one_at_a_time:
            try:
                for chunk in self._voice.synthesize(text):
                    samples = np.asarray(chunk.audio_float_array, dtype=np.float32)
                    yield Audio(np.clip(samples, -1.0, 1.0), chunk.sample_rate)
            except Exception:  # the library raises whatever its parts raise
                raise TranscribeError("Ebb could not say this.") from None
