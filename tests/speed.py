"""How slow this machine is just now, so that bounds in seconds stay honest on it."""

from __future__ import annotations

import time

_USUAL_S = 0.1
"""What the sum below takes on the machine the bounds were written for."""


def slowness() -> float:
    """Give the factor by which this machine is slower than that one; 1 at least."""
    began = time.perf_counter()
    sum(number * number for number in range(1_500_000))
    return max(1.0, (time.perf_counter() - began) / _USUAL_S)
