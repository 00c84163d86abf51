"""Take the figures, and the lists one can read, out of a suite's result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

ABOUT = frozenset({"suite", "split", "limit", "date", "seconds", "machine", "models"})
"""What a result says about itself; neither figures nor lists."""
_TWINS = {"wer": ("wer_95", "words"), "with_text": ("share_95", "clips")}
"""Figures of the voice suite, where interval and size stand beside the value."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that was measured."""

    key: str
    """Within its suite; the parts of a class are joined with a full stop."""
    value: float
    low: float | None = None
    """Ends of the 95 % interval; None where there is none, or it is not known."""
    high: float | None = None
    n: int | None = None
    """How many cases it was counted on."""

    @property
    def text(self) -> str:
        """The value with its interval and size, “0.742 (0.665–0.805, n = 147)”."""
        beside = []
        if self.low is not None and self.high is not None:
            beside.append(f"{self.low:.3f}–{self.high:.3f}")
        if self.n is not None:
            beside.append(f"n = {self.n}")
        return f"{self.value_text} ({', '.join(beside)})" if beside else self.value_text

    @property
    def value_text(self) -> str:
        """The value alone: three places for what is counted on a set."""
        is_measured = self.n is not None or self.low is not None
        return f"{self.value:.3f}" if is_measured else f"{round(self.value, 3):g}"

    def record(self) -> dict[str, Any]:
        """Give the figure as a record; without ends or size where there are none."""
        ends = {"low": self.low, "high": self.high, "n": self.n}
        known = {key: value for key, value in ends.items() if value is not None}
        return {"value": self.value, **known}


def read_figures(result: Mapping[str, Any]) -> tuple[Figure, ...]:
    """Give all numbers of a result in their order, however deep they lie."""
    about = ABOUT & result.keys()
    return tuple(_walk({k: v for k, v in result.items() if k not in about}, prefix=""))


def from_record(key: str, record: Mapping[str, Any]) -> Figure:
    """Read a figure back; see ``Figure.record``."""
    return Figure(
        key, record["value"], record.get("low"), record.get("high"), record.get("n")
    )


def read_lists(result: Mapping[str, Any]) -> tuple[tuple[str, list[Any]], ...]:
    """Give the lists of cases, the misses above all, each with its key."""
    found: list[tuple[str, list[Any]]] = []
    for key, value in result.items():
        if key in ABOUT:
            continue
        if isinstance(value, dict):
            found += [(f"{key}.{inner}", items) for inner, items in read_lists(value)]
        elif isinstance(value, list) and all(
            isinstance(item, (dict, list)) for item in value
        ):
            found.append((key, value))
    return tuple(found)


def _walk(node: Mapping[str, Any], prefix: str) -> Iterator[Figure]:
    for name, value in node.items():
        key = f"{prefix}{name}"
        match value:
            case {"value": _}:
                yield from_record(key, value)
            case dict():
                yield from _walk(value, f"{key}.")
            case bool():
                continue
            case int() | float():
                yield _with_twins(node, name, key)


def _with_twins(node: Mapping[str, Any], name: str, key: str) -> Figure:
    if name not in _TWINS or _TWINS[name][0] not in node:
        return Figure(key, node[name])
    interval, size = _TWINS[name]
    low, high = node[interval]
    value = node[name]
    if name == "with_text":  # a count; its interval is that of the share
        value = round(value / max(node[size], 1), 4)
    return Figure(key, value, low, high, node[size])
