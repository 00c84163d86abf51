"""Figures on public sets, which are for measuring only and are not shipped.

The folder holds one folder a set with an ``items.jsonl``; a set that is not there is
left out. Each set was labelled by others, for purposes that only partly fit: what is
compared is said at each function.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from assistant import triage
from assistant.domain import PatternFound, TriageResult, Utterance
from assistant.errors import InputError
from assistant.evaluation.stats import Share
from assistant.patterns import NOTICED
from assistant.triage import Hearer

Rows = Sequence[dict[str, Any]]
Notice = Callable[[str], tuple[PatternFound, ...]]

_ITEMS = "items.jsonl"
_CRISIS = "critical_high_priority"
_LOOK_ALIKES = (
    "none_priority",
    "irony_sarcasm",
    "songs_quotes",
    "gaming_context",
    "cultural_slang",
)
_SELF_HARM = {"suicide", "self_harm"}
# What MentalManip would call manipulative; wishes, grief and strengths are not.
_MANIPULATION = frozenset(
    {
        "love_bombing",
        "devaluation",
        "silent_treatment",
        "gaslighting",
        "blame_shifting",
        "isolation",
        "monitoring",
        "money_control",
        "threats",
        "physical_violence",
        "sexual_coercion",
        "using_children",
        "outside_pressure",
        "apology_cycle",
    }
)


def run(
    folder: Path, hearer: Hearer, notice: Notice, limit: int | None = None
) -> dict[str, Any]:
    """Measure triage and patterns on the public sets that lie in a folder.

    Args:
        folder: Holds a folder a set.
        hearer: What triage listens with.
        notice: Notices patterns.
        limit: Only the first so many of each set.

    Raises:
        InputError: If there is none of the sets, or one cannot be read.
    """
    figures: dict[str, Any] = {}
    for name, measure in _SETS.items():
        path = folder / name / _ITEMS
        if path.is_file():
            figures[name.replace("-", "_")] = measure(
                _read(path)[:limit], hearer, notice
            )
    if not figures:
        raise InputError(f"None of the public sets is in {folder}.")
    return figures


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except (OSError, ValueError):
        raise InputError(f"{path} cannot be read.") from None


def _ash_thrash(rows: Rows, hearer: Hearer, _notice: Notice) -> dict[str, Any]:
    """Short phrases of a crisis bot: a card is "heard", and elsewhere an alarm."""
    alarmed = {row["id"]: bool(r.cards) for row, r in _graded(rows, hearer)}

    def share(groups: Sequence[str]) -> dict[str, object]:
        found = [alarmed[row["id"]] for row in rows if row["group"] in groups]
        return Share(sum(found), len(found)).record()

    return {
        "heard": share([_CRISIS]),
        "heard_lgbtqia": share(["lgbtqia_specific"]),
        "false_alarms": share(_LOOK_ALIKES),
        "false_alarms_by_group": {group: share([group]) for group in _LOOK_ALIKES},
    }


def _moderation(rows: Rows, hearer: Hearer, _notice: Notice) -> dict[str, Any]:
    """Longer texts: content about self-harm, not danger, so old or told cases count."""
    heard: list[bool] = []
    alarms: list[bool] = []
    for row, result in _graded(rows, hearer):
        shown = bool({str(card) for card in result.cards} & _SELF_HARM)
        (heard if row["self_harm"] else alarms).append(shown)
    return {
        "heard": Share(sum(heard), len(heard)).record(),
        "false_alarms": Share(sum(alarms), len(alarms)).record(),
    }


def _xstest(rows: Rows, hearer: Hearer, _notice: Notice) -> dict[str, Any]:
    """Harmless questions with words that sound dangerous: any card is an alarm."""
    safe = [row for row in rows if row["label"] == "safe"]
    alarms = [bool(result.cards) for _, result in _graded(safe, hearer)]
    return {"false_alarms": Share(sum(alarms), len(alarms)).record()}


def _mentalmanip(rows: Rows, _hearer: Hearer, notice: Notice) -> dict[str, Any]:
    """Film dialogues, manipulative or not: is any pattern of manipulation noticed?"""
    pairs = []
    for row in rows:
        found = {one.id for one in notice(row["text"]) if one.score >= NOTICED}
        pairs.append((bool(row["manipulative"]), bool(found & _MANIPULATION)))
    agreed = [pair for row, pair in zip(rows, pairs, strict=True) if row["unanimous"]]
    return {"all": _agreement(pairs), "unanimous": _agreement(agreed)}


def _agreement(pairs: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    right = sum(wanted == got for wanted, got in pairs)
    f1 = [_f1(pairs, value) for value in (True, False)]
    always = sum(wanted for wanted, _ in pairs)
    return {
        "accuracy": Share(right, len(pairs)).record(),
        "macro_f1": round(sum(f1) / 2, 4),
        "always_yes_accuracy": Share(always, len(pairs)).record(),
    }


def _f1(pairs: Sequence[tuple[bool, bool]], value: bool) -> float:
    both = sum(wanted == got == value for wanted, got in pairs)
    either = sum((wanted == value) + (got == value) for wanted, got in pairs)
    return 2 * both / either if either else 0.0


def _graded(
    rows: Rows, hearer: Hearer
) -> Iterator[tuple[dict[str, Any], TriageResult]]:
    for row in rows:
        yield row, triage.grade(Utterance(row["text"]), hearer)


_SETS: dict[str, Callable[[Rows, Hearer, Notice], dict[str, Any]]] = {
    "ash-thrash": _ash_thrash,
    "openai-moderation-selfharm": _moderation,
    "xstest": _xstest,
    "mentalmanip": _mentalmanip,
}
