"""``Ear`` over the small tuned encoder that ships inside the package.

Its making is in ``training/``; its figures are in ``assistant/ear/MODEL_CARD.md``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.errors import ModelFileError, TriageError
from assistant.hearing import EarThresholds
from assistant.ports import Ear, Heard
from assistant.reading import whole

_FOLDER = Path(__file__).resolve().parent.parent / "ear"
_BATCH = 16


class OnnxEar(Ear):
    """Reads each text once and gives a chance for everything it listens for."""

    def __init__(self, folder: Path = _FOLDER, *, threads: int = 2) -> None:
        """Load the encoder; takes about a tenth of a second.

        Raises:
            ModelFileError: If a file is missing or damaged.
        """
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 4
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(folder / "ear.onnx"), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._labels = json.loads((folder / "labels.json").read_text("utf-8"))
            limits = json.loads((folder / "thresholds.json").read_text("utf-8"))
            self.limits = EarThresholds(**limits)
        except Exception:  # the libraries raise bare exceptions of their own
            raise ModelFileError("The ear is damaged; install Ebb again.") from None
        self._tokenizer.enable_truncation(self._labels["max_tokens"])
        self._tokenizer.enable_padding()

    def hear(self, texts: Sequence[str]) -> list[Heard]:
        """Listen to texts; see the port."""
        heard: list[Heard] = []
        for start in range(0, len(texts), _BATCH):
            heard += self._hear_batch(texts[start : start + _BATCH])
        return heard

    def _hear_batch(self, texts: Sequence[str]) -> list[Heard]:
        encoded = self._tokenizer.encode_batch([whole(text) for text in texts])
        feed = {
            "input_ids": np.array([e.ids for e in encoded], np.int64),
            "attention_mask": np.array([e.attention_mask for e in encoded], np.int64),
        }
        try:
            out = self._session.run(None, feed)
        except Exception:  # onnxruntime's errors may quote their input
            raise TriageError("The ear failed on this text.") from None
        level, cards, about, time, patterns, topic, guard = out
        names = self._labels
        return [
            Heard(
                levels=_named(names["levels"], _softmax(level[row])),
                cards=_named(names["cards"], _softmax(cards[row])),
                abouts=_named(names["abouts"], _softmax(about[row])),
                times=_named(names["times"], _softmax(time[row])),
                patterns=_named(names["patterns"], _sigmoid(patterns[row])),
                topics=_named(names["topics"], _softmax(topic[row])),
                guard=_named(names["guard"], _sigmoid(guard[row])),
            )
            for row in range(len(texts))
        ]


def _named(names: Sequence[str], values: Any) -> dict[str, float]:
    return {name: float(value) for name, value in zip(names, values, strict=True)}


def _sigmoid(values: Any) -> Any:
    return 1 / (1 + np.exp(-values))


def _softmax(values: Any) -> Any:
    shifted = np.exp(values - values.max())
    return shifted / shifted.sum()
