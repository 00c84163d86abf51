"""The port ``Embedder``, on the stand-in and on the real adapter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant import settings
from assistant.adapters.scripted import HashEmbedder
from assistant.errors import ModelFileError
from assistant.ports import Embedder


def _real() -> Embedder:
    from assistant.adapters.onnx_embedder import OnnxEmbedder

    return OnnxEmbedder(settings.load().models_dir / "minilm-l6-int8")


@pytest.fixture(
    params=[
        pytest.param(HashEmbedder, id="scripted"),
        pytest.param(_real, id="real", marks=pytest.mark.weights),
    ],
    scope="module",
)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made: Embedder = request.param()
    return made


def test_rows_are_unit_vectors_of_the_named_size(embedder: Embedder) -> None:
    rows = embedder.embed(["he was kind", "", "a much longer text " * 200])
    assert rows.shape == (3, embedder.dimensions)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)


def test_half_a_character_is_embedded(embedder: Embedder) -> None:
    """Found by strange input: the tokenizer takes whole characters alone."""
    assert embedder.embed(["he said \ud800 no"]).shape == (1, embedder.dimensions)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_order_is_kept_and_company_changes_little(embedder: Embedder) -> None:
    texts = [f"text number {n} " * (n + 1) for n in range(40)]
    together = embedder.embed(texts)
    for n in (0, 17, 39):
        alone = embedder.embed([texts[n]])[0]
        # Padding changes 8-bit arithmetic a little.
        assert float(alone @ together[n]) > 0.99


def test_like_texts_are_nearer_than_unlike_ones(embedder: Embedder) -> None:
    a, b, c = embedder.embed(
        ["he reads my phone", "he reads my phone at night", "bread and butter"]
    )
    assert a @ b > a @ c


@pytest.mark.weights
def test_a_damaged_model_is_one_clear_error(tmp_path: Path) -> None:
    from assistant.adapters.onnx_embedder import OnnxEmbedder

    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelFileError, match="ebb models verify"):
        OnnxEmbedder(tmp_path)
