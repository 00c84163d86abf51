"""Are the patterns that a text shows noticed, and no others?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from assistant.domain import PatternFound
from assistant.evaluation.stats import Share, draw_weights, drawn_record
from assistant.patterns import NOTICED


def run(
    rows: list[dict[str, Any]], notice: Callable[[str], tuple[PatternFound, ...]]
) -> dict[str, Any]:
    """Measure which patterns are noticed (score of 0.5 or more)."""
    pairs: list[tuple[set[str], set[str]]] = []
    clean: list[bool] = []
    misses = []
    for row in rows:
        found = notice(row["text"])
        noticed = {pattern.id for pattern in found if pattern.score >= NOTICED}
        wanted = set(row["patterns"])
        pairs.append((wanted, noticed))
        if not wanted:
            clean.append(not noticed)
        if noticed != wanted:
            misses.append(
                {
                    "id": row["id"],
                    "text": row["text"],
                    "wanted": sorted(wanted),
                    "got": sorted(noticed),
                }
            )
    return {
        **_f1(pairs),
        "nothing_where_nothing_is": Share(sum(clean), len(clean)).record(),
        "misses": misses,
    }


def _f1(pairs: list[tuple[set[str], set[str]]]) -> dict[str, Any]:
    """F1 of each pattern that is in the set, and their mean with its interval."""
    names = sorted({name for wanted, _ in pairs for name in wanted})
    if not names:
        return {"macro_f1": drawn_record(0.0, [0.0, 1.0], 0), "f1_by_pattern": {}}
    wanted = np.array([[name in pair[0] for name in names] for pair in pairs], float)
    noticed = np.array([[name in pair[1] for name in names] for pair in pairs], float)

    def score(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        whole = weights @ (wanted + noticed)
        # A pattern that a draw left out has no F1 in it, rather than one of nothing.
        whole[weights @ wanted == 0] = np.nan
        return np.asarray(2 * (weights @ (wanted * noticed)) / whole)

    scores = score(np.ones(len(pairs)))
    draws = np.nanmean(score(draw_weights(len(pairs))), axis=1)
    return {
        "macro_f1": drawn_record(float(scores.mean()), draws, len(pairs)),
        "f1_by_pattern": {
            name: round(float(value), 4)
            for name, value in zip(names, scores, strict=True)
        },
    }
