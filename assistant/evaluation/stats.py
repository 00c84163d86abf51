"""Counts with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_Z95 = 1.959964
_DRAWS = 2000
_SEED = 20261130


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, with a 95 % interval."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        """The share itself; 0 where nothing was counted."""
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval (Wilson 1927, J Am Stat Assoc 22:209)."""
        if not self.total:
            return (0.0, 1.0)
        n, p, z2 = self.total, self.value, _Z95**2
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = _Z95 * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        return (max(0.0, middle - half), min(1.0, middle + half))

    def record(self) -> dict[str, object]:
        """Give the share as a record."""
        low, high = self.interval
        return {
            "value": round(self.value, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "n": self.total,
        }


def draw_weights(count: int) -> npt.NDArray[np.float64]:
    """Draw the cases again, with repeats: how often each comes, shape (draws, count).

    The same draws every time, so that a figure's interval does not wander.
    """
    generator = np.random.default_rng(_SEED)
    drawn = generator.multinomial(count, np.full(count, 1 / count), size=_DRAWS)
    return drawn.astype(np.float64)


def drawn_record(value: float, draws: npt.ArrayLike, count: int) -> dict[str, object]:
    """Give a figure that is no share, with the 95 % interval of its draws."""
    low, high = np.percentile(np.asarray(draws), [2.5, 97.5])
    return {
        "value": round(value, 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
        "n": count,
    }


def mean_record(values: Sequence[float]) -> dict[str, object]:
    """Give the mean of values, one a case; 0 of nothing, with nothing known."""
    if not values:
        return {"value": 0.0, "low": 0.0, "high": 1.0, "n": 0}
    means = draw_weights(len(values)) @ np.asarray(values) / len(values)
    return drawn_record(sum(values) / len(values), means, len(values))


def median_record(values: Sequence[float]) -> dict[str, object]:
    """Give the middle of values, one a case; 0 of nothing, with nothing known."""
    if not values:
        return {"value": 0.0, "low": 0.0, "high": 0.0, "n": 0}
    generator = np.random.default_rng(_SEED)
    drawn = generator.choice(np.asarray(values), size=(_DRAWS, len(values)))
    return drawn_record(float(np.median(values)), np.median(drawn, axis=1), len(values))
