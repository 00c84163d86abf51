"""Of what was heard in recordings, the few figures that are set side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def shortened(measured: Mapping[str, Any]) -> dict[str, Any]:
    """Take them out of the voice suite's result, set by set."""
    short: dict[str, Any] = {}
    for name, found in measured.items():
        if "wer" in found:
            low, high = found["wer_95"]
            short[name] = {
                "error": _record(found["wer"], low, high, found["words"]),
            }
        else:
            low, high = found["share_95"]
            share = round(found["with_text"] / max(found["clips"], 1), 4)
            short[name] = {"with_text": _record(share, low, high, found["clips"])}
        short[name]["seconds"] = found["elapsed_s"]
    return short


def _record(value: float, low: float, high: float, n: int) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "n": n}
