"""Chroma as its own first example uses it, in memory: for measuring beside Ebb.

All of Chroma's settings are its defaults, but for two: it counts nothing and reports
nothing, and the vectors come from our embedder's file, because Chroma would look for
its own copy of the same model on the network.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from assistant.ports import Embedder


class PlainChroma:
    """Pieces of text in a fresh collection; found by likeness alone."""

    def __init__(self, pieces: Sequence[str], embedder: Embedder) -> None:
        """Put all pieces in; at least one."""
        import chromadb

        client = chromadb.EphemeralClient(
            settings=chromadb.Settings(anonymized_telemetry=False)
        )
        self._embedder = embedder
        # Clients in memory share what they hold: each of ours has a name of its own.
        self._collection = client.create_collection(
            f"articles-{uuid.uuid4()}", embedding_function=None
        )
        self._collection.add(
            ids=[str(number) for number in range(len(pieces))],
            documents=list(pieces),
            embeddings=embedder.embed(pieces),
        )

    def find(self, text: str, count: int) -> tuple[str, ...]:
        """Give the pieces nearest to a text, nearest first."""
        found = self._collection.query(
            query_embeddings=self._embedder.embed([text]),
            n_results=count,
            include=["documents"],
        )
        return tuple(found["documents"][0])
