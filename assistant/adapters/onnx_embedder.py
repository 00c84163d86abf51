"""``Embedder`` over a sentence encoder in ONNX form, on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.errors import ModelFileError, RetrieveError
from assistant.ports import Embedder
from assistant.reading import whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAX_TOKENS = 256
_BATCH = 32


class OnnxEmbedder(Embedder):
    """Mean of the token vectors, brought to length 1; 256 tokens at most."""

    dimensions = 384

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        """Load ``model.onnx`` and ``tokenizer.json``.

        Raises:
            ModelFileError: If a file is missing or cannot be loaded.
        """
        import onnxruntime
        from tokenizers import Tokenizer

        self.name = folder.name
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or 0
        options.log_severity_level = 4
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception:  # both libraries raise bare exceptions of their own
            raise ModelFileError(
                f"The embedder in {folder} cannot be loaded; "
                "“ebb models verify” checks it."
            ) from None
        self._tokenizer.enable_truncation(_MAX_TOKENS)
        self._tokenizer.enable_padding()
        self._inputs = {item.name for item in self._session.get_inputs()}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; see the port."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        # Texts of like length share a batch, so that little is padded.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(order), _BATCH):
            indexes = order[start : start + _BATCH]
            rows[indexes] = self._embed_batch([texts[index] for index in indexes])
        return rows

    def _embed_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode_batch([whole(text) for text in texts])
        ids = np.array([e.ids for e in encoded], np.int64)
        mask = np.array([e.attention_mask for e in encoded], np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(ids),
        }
        try:
            tokens = self._session.run(
                None, {name: feed[name] for name in self._inputs}
            )[0]
        except Exception:  # onnxruntime's errors may quote their input
            raise RetrieveError("The embedder failed on this text.") from None
        weights = mask[:, :, None].astype(np.float32)
        mean = (tokens * weights).sum(1) / np.maximum(weights.sum(1), 1.0)
        length = np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-9)
        return np.asarray(mean / length, np.float32)
