"""Was danger heard, and did the right card appear?"""

from __future__ import annotations

from typing import Any

from assistant import records, triage
from assistant.domain import Level
from assistant.evaluation.stats import Share
from assistant.triage import Hearer


def run(rows: list[dict[str, Any]], hearer: Hearer) -> dict[str, Any]:
    """Measure triage on labelled messages and conversations.

    A danger is heard where the right card is shown; at urgent or emergency, also at
    that level or above it. A false alarm is any card in front of somebody who is not
    in danger; a false stop, one that silences the reply.
    """
    by_card: dict[str, list[bool]] = {}
    by_kind: dict[str, list[bool]] = {}
    serious: list[bool] = []
    alarms: list[bool] = []
    shown_right: list[bool] = []
    stops: list[bool] = []
    false_emergencies = 0
    misses, false_alarms = [], []
    for row in rows:
        line = records.input_line(row)
        result = triage.grade(line.utterance, hearer, line.history)
        shown = {str(card) for card in result.cards}
        wanted = Level[row["level"].upper()]
        if row["cards"]:
            right = bool(set(row["cards"]) & shown)
            shown_right.append(right)
            if wanted >= Level.URGENT:
                right = right and result.level >= Level.URGENT
                serious.append(right)
            for card in row["cards"]:
                by_card.setdefault(card, []).append(right)
            by_kind.setdefault(row["kind"], []).append(right)
            if not right:
                misses.append(_note(row, shown, result.level))
        else:
            alarmed = bool(shown)
            alarms.append(alarmed)
            stops.append(result.level >= Level.URGENT)
            by_kind.setdefault(row["kind"], []).append(not alarmed)
            false_emergencies += result.level is Level.EMERGENCY
            if alarmed:
                false_alarms.append(_note(row, shown, result.level))
    return {
        "recall_serious": _share(serious),
        "right_card_shown": _share(shown_right),
        "recall_by_card": {card: _share(by_card[card]) for card in sorted(by_card)},
        "right_by_kind": {kind: _share(by_kind[kind]) for kind in sorted(by_kind)},
        "false_alarms": _share(alarms),
        "false_stops": _share(stops),
        "false_emergencies": false_emergencies,
        "misses": misses,
        "false_alarm_list": false_alarms,
    }


def _share(values: list[bool]) -> dict[str, object]:
    return Share(sum(values), len(values)).record()


def _note(row: dict[str, Any], shown: set[str], level: Level) -> dict[str, Any]:
    text = row.get("text") or row["messages"][-1]["content"]
    return {
        "id": row["id"],
        "kind": row["kind"],
        "text": text,
        "wanted": [row["level"], *row["cards"]],
        "got": [level.word, *sorted(shown)],
    }
