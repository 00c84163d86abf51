"""The figures that a change may not worsen, and by how much they may waver.

The same messages are heard before and after a change, so the 95 % interval, which is
about other messages, would let far too much by. What counts is how many messages
changed sides. When five did, and all for the worse, chance alone does that once in 32
times (a sign test: 0.5 to the power of 5); four, once in 16. So a loss of up to four
messages, net, passes: also because another processor rounds the ear's arithmetic
differently and moves messages that lie right on a threshold. A count of emergencies
raised for nothing has no such leeway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.content import read_toml
from assistant.evaluation import aims as aims_file
from assistant.evaluation.aims import Aim
from assistant.evaluation.figures import Figure, read_figures

SPLIT = "dev"
"""Its half: the held-out one is not for a test that runs at every change."""
PATH = Path(__file__).with_name("baseline.toml")
_MESSAGES = 4
_HEAD = """\
# The figures of the dev half that a change may not worsen by more than `tolerance`.
# Written by “ebb eval --split dev --set-baseline”; see baseline.py for the tolerance.
"""


@dataclass(frozen=True, slots=True)
class Baseline:
    """One figure as it was."""

    suite: str
    key: str
    value: float
    tolerance: float
    """How far it may be worse, in the figure's own unit."""


def load(path: Path = PATH) -> tuple[Baseline, ...]:
    """Read the stored figures.

    Raises:
        ContentError: If the file cannot be read.
    """
    return tuple(Baseline(**entry) for entry in read_toml(path).get("figure", []))


def write(results: Iterable[Mapping[str, Any]], path: Path = PATH) -> None:
    """Store the figures of these results; those of other suites stay as they are."""
    aims = aims_file.load()
    fresh = [
        Baseline(aim.suite, aim.key, figure.value, tolerance_of(figure))
        for result in results
        for figure in read_figures(result)
        if (aim := aims_file.find(aims, result["suite"], figure.key)) and aim.gate
    ]
    suites = {entry.suite for entry in fresh}
    kept = [entry for entry in load(path) if entry.suite not in suites]
    order = list(dict.fromkeys(aim.suite for aim in aims))
    entries = sorted([*kept, *fresh], key=lambda entry: order.index(entry.suite))
    path.write_text(_HEAD + "".join(map(_lines, entries)), "utf-8")


def tolerance_of(figure: Figure) -> float:
    """Give how far a figure may be worse; nothing at all where it is a bare count."""
    return round(_MESSAGES / figure.n, 4) if figure.n else 0.0


def find_losses(
    result: Mapping[str, Any], baseline: Sequence[Baseline]
) -> tuple[str, ...]:
    """Say which figures of a suite are worse than they were, each in one sentence.

    A figure that is stored and no longer measured counts as a loss: a gate cannot be
    passed by silence.
    """
    aims = aims_file.load()
    figures = {figure.key: figure for figure in read_figures(result)}
    losses = []
    for entry in baseline:
        if entry.suite != result["suite"]:
            continue
        aim = aims_file.find(aims, entry.suite, entry.key)
        figure = figures.get(entry.key)
        if aim is None or figure is None:
            losses.append(f"{entry.suite}: {entry.key} is not measured any more.")
        elif is_worse(figure.value, entry, aim):
            losses.append(
                f"{entry.suite}: {entry.key} is {figure.value:g}; it was "
                f"{entry.value:g}, and may be worse by {entry.tolerance:g} at most."
            )
    return tuple(losses)


def is_worse(value: float, entry: Baseline, aim: Aim) -> bool:
    """Tell whether a value is worse than the stored one by more than its tolerance."""
    leeway = -entry.tolerance if aim.higher_is_better else entry.tolerance
    # Sums of decimals differ in the last binary place; shares have four places.
    return not aim.is_as_good(round(value, 4), round(entry.value + leeway, 4))


def _lines(entry: Baseline) -> str:
    return (
        f'\n[[figure]]\nsuite = "{entry.suite}"\nkey = "{entry.key}"\n'
        f"value = {entry.value:g}\ntolerance = {entry.tolerance:g}\n"
    )
