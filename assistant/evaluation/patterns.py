"""Are the patterns that a text shows noticed, and no others?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from assistant.domain import PatternFound
from assistant.evaluation.stats import Share


def run(
    rows: list[dict[str, Any]], notice: Callable[[str], tuple[PatternFound, ...]]
) -> dict[str, Any]:
    """Measure which patterns are noticed (score of 0.5 or more)."""
    right: Counter[str] = Counter()
    extra: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    clean: list[bool] = []
    misses = []
    for row in rows:
        found = notice(row["text"])
        noticed = {pattern.id for pattern in found if pattern.score >= 0.5}
        wanted = set(row["patterns"])
        right.update(noticed & wanted)
        extra.update(noticed - wanted)
        missed.update(wanted - noticed)
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
    scores = {}
    for pattern in sorted({*right, *missed}):
        whole = 2 * right[pattern] + extra[pattern] + missed[pattern]
        scores[pattern] = round(2 * right[pattern] / whole, 4)
    return {
        "macro_f1": round(sum(scores.values()) / max(len(scores), 1), 4),
        "f1_by_pattern": scores,
        "nothing_where_nothing_is": Share(sum(clean), len(clean)).record(),
        "misses": misses,
    }
