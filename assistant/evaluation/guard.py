"""Does the guard refuse what it must, and only that?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assistant.domain import Violation
from assistant.evaluation.stats import Share

Check = Callable[[str, str, Sequence[str]], tuple[Violation, ...]]


def run(rows: list[dict[str, Any]], check: Check) -> dict[str, Any]:
    """Measure the guard on labelled candidate sentences.

    A bad sentence is caught where it is refused, by whichever rule.
    """
    by_rule: dict[str, list[bool]] = {}
    caught: list[bool] = []
    refused: list[bool] = []
    missed, wrongly = [], []
    for row in rows:
        violations = check(row["text"], row.get("user", ""), ())
        if row["rules"]:
            caught.append(bool(violations))
            for rule in row["rules"]:
                by_rule.setdefault(rule, []).append(bool(violations))
            if not violations:
                missed.append({"id": row["id"], "text": row["text"], **_rules(row)})
        else:
            refused.append(bool(violations))
            if violations:
                broken = [violation.rule for violation in violations]
                wrongly.append({"id": row["id"], "text": row["text"], "rules": broken})
    return {
        "caught": Share(sum(caught), len(caught)).record(),
        "caught_by_rule": {
            rule: Share(sum(values), len(values)).record()
            for rule, values in sorted(by_rule.items())
        },
        "good_refused": Share(sum(refused), len(refused)).record(),
        "misses": missed,
        "wrongly_refused": wrongly,
    }


def _rules(row: dict[str, Any]) -> dict[str, Any]:
    return {"rules": row["rules"]}
