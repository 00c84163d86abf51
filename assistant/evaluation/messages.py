"""Varied messages to answer, drawn from the labelled sets: everyday, asked, told."""

from __future__ import annotations

import random
from typing import Any

from assistant.evaluation import sets

SEED = 20261201
_FINE = frozenset({"none", "support"})


def load(split: str) -> list[dict[str, Any]]:
    """Give the messages of a half that the model may answer, well mixed.

    The order is the same every time, so that the first hundred are always the same.

    Raises:
        ContentError: If a set cannot be read.
    """
    found: dict[str, dict[str, Any]] = {}
    for suite in ("triage", "retrieval", "patterns"):
        for row in sets.load(suite, split):
            if row.get("level", "none") in _FINE:
                found.setdefault(row.get("text") or str(row["messages"]), row)
    rows = list(found.values())
    random.Random(SEED).shuffle(rows)  # noqa: S311 - an order, not a secret
    return rows
