"""What the others are given: one prompt, and pieces of our articles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assistant.content import read_toml
from assistant.domain import Article

PATH = Path(__file__).with_name("beside.toml")


@dataclass(frozen=True, slots=True)
class Given:
    """The texts and numbers of ``beside.toml`` that make the others what they are."""

    prompt: str
    rag_prompt: str
    max_tokens: int
    chunk_chars: int
    overlap_chars: int
    pieces: int
    """How many pieces are pasted in."""


def load() -> Given:
    """Read them.

    Raises:
        ContentError: If the file cannot be read.
    """
    raw = read_toml(PATH)
    plain, rag = raw["plain"], raw["rag"]
    return Given(
        prompt=plain["prompt"],
        rag_prompt=rag["prompt"],
        max_tokens=plain["max_tokens"],
        chunk_chars=rag["chunk_chars"],
        overlap_chars=rag["overlap_chars"],
        pieces=rag["pieces"],
    )


def cut_articles(articles: Iterable[Article], given: Given) -> list[str]:
    """Cut every article into pieces of one size that overlap, as plain RAG does."""
    pieces = []
    step = given.chunk_chars - given.overlap_chars
    for article in articles:
        text = f"{article.title}\n\n" + "\n\n".join(
            f"{passage.heading}\n{passage.text}" for passage in article.passages
        )
        last = max(len(text) - given.overlap_chars, 1)
        pieces += [
            text[start : start + given.chunk_chars] for start in range(0, last, step)
        ]
    return pieces
