"""Deterministic stand-ins for the ports: for fast tests and a demo without weights.

Each keeps its port's contract (``tests/contract/``) and fails loudly when its script
runs out. The ones for speech are in ``scripted_speech.py``.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assistant.domain import Prompt
from assistant.errors import GenerateError
from assistant.ports import ChatModel, Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ScriptedChat(ChatModel):
    """Answers every prompt with the next text of its script, in small pieces."""

    context_tokens = 4096

    def __init__(self, replies: Sequence[str]) -> None:
        """Take the replies, in order."""
        self._replies = list(replies)
        self.prompts: list[Prompt] = []
        self.stopped_early = False

    def count_tokens(self, text: str) -> int:
        """Count words; close enough for a stand-in."""
        return len(text.split())

    def warm(self, prompt: Prompt) -> None:
        """Nothing to read ahead."""

    def forget(self) -> None:
        """Nothing is kept."""

    def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        seed: int,
        stopped: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield the next reply; see the port."""
        self.prompts.append(prompt)
        if not self._replies:
            raise GenerateError("The script has run out.")
        return self._pieces(self._replies.pop(0), max_tokens, stopped)

    def _pieces(
        self, text: str, max_tokens: int, stopped: Callable[[], bool]
    ) -> Iterator[str]:
        for start in range(0, min(len(text), max_tokens * 4), 4):
            if stopped():
                self.stopped_early = True
                return
            yield text[start : start + 4]


class HashEmbedder(Embedder):
    """Texts that share words are alike: a bag of words in 64 hashed places."""

    name = "hash"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; see the port."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[
                    zlib.crc32(word.encode("utf-8", "surrogatepass")) % self.dimensions
                ] += 1.0
            length = float(np.linalg.norm(row))
            row[:] = row / length if length else 1.0 / self.dimensions**0.5
        return rows
