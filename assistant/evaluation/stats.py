"""Counts with their uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass

_Z95 = 1.959964


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
