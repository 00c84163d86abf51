"""What was checked, how, and what was found; never a word of what was said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SHOWN = 12
"""Names in one sentence; ``--json`` has all of them."""


class Outcome(StrEnum):
    """How one check came out."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_WATCHED = "not watched"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    name: str
    outcome: Outcome
    sentence: str
    details: tuple[str, ...] = ()
    """Files, addresses: what the sentence counts."""


def holds(findings: list[Finding]) -> bool:
    """True where nothing failed and something was watched at all."""
    outcomes = {finding.outcome for finding in findings}
    return Outcome.FAILS not in outcomes and Outcome.HOLDS in outcomes


def lines(finding: Finding) -> list[str]:
    """Give a finding as plain lines."""
    mark = {"holds": "ok  ", "fails": "!!  ", "not watched": "note"}[finding.outcome]
    state = "not watched: " if finding.outcome is Outcome.NOT_WATCHED else ""
    shown = [f"        {detail}" for detail in finding.details[:SHOWN]]
    if (more := len(finding.details) - SHOWN) > 0:
        shown.append(f"        … and {more} more")
    return [f"{mark}  {finding.name}: {state}{finding.sentence}", *shown]
