"""The measurements count what they say, and cannot be passed by silence."""

from __future__ import annotations

import pytest

from assistant import wiring_rules
from assistant.content import content_root
from assistant.content_rules import TriageRules
from assistant.domain import Card
from assistant.evaluation import guard, patterns, sets, triage
from assistant.evaluation.stats import Share
from assistant.triage import Hearer


def test_an_interval_holds_its_value_and_narrows() -> None:
    few, many = Share(8, 10), Share(800, 1000)
    for share in (few, many):
        low, high = share.interval
        assert low < share.value < high
    assert many.interval[1] - many.interval[0] < few.interval[1] - few.interval[0]
    assert Share(0, 0).interval == (0.0, 1.0)


# Wilson's interval for 81 of 263, from his own formula worked by hand.
def test_the_interval_is_wilsons() -> None:
    low, high = Share(81, 263).interval
    assert low == pytest.approx(0.2553, abs=5e-4)
    assert high == pytest.approx(0.3662, abs=5e-4)


def test_a_deaf_triage_fails_every_danger() -> None:
    real = wiring_rules.load_hearer(content_root())
    never = Hearer(
        TriageRules("0", real.rules.rules[:1], real.rules.contexts, wanted={"\0": ()})
    )
    rows = [
        {"id": "1", "text": "x", "level": "urgent", "cards": ["suicide"], "kind": "a"},
        {"id": "2", "text": "x", "level": "none", "cards": [], "kind": "b"},
    ]
    result = triage.run(rows, never)
    assert result["recall_serious"]["value"] == 0
    assert result["false_alarms"]["value"] == 0
    assert [miss["id"] for miss in result["misses"]] == ["1"]


def test_a_guard_without_rules_is_measured_as_such() -> None:
    rows = [
        {"id": "1", "text": "Maybe it is his way of love.", "rules": ["minimise"]},
        {"id": "2", "text": "You can go slowly.", "rules": []},
    ]
    result = guard.run(rows, lambda *_: ())
    assert result["caught"]["n"] == 1
    assert result["good_refused"]["value"] == 0


def test_patterns_that_nobody_noticed_lower_the_score() -> None:
    rows = [{"id": "1", "text": "x", "patterns": ["craving"]}]
    assert patterns.run(rows, lambda _: ())["macro_f1"]["value"] == 0


@pytest.mark.parametrize("suite", ["triage", "guard", "patterns", "retrieval"])
def test_the_two_halves_of_a_set_share_no_text(suite: str) -> None:
    halves = [
        {str(row.get("text") or row["messages"]) for row in sets.load(suite, split)}
        for split in sets.SPLITS
    ]
    assert not halves[0] & halves[1]
    assert all(len(half) >= 200 for half in halves)


def test_every_card_is_in_both_halves_often_enough() -> None:
    for split in sets.SPLITS:
        rows = sets.load("triage", split)
        for card in Card:
            assert sum(card in row["cards"] for row in rows) >= 13, card


def test_no_sentence_of_an_evaluation_set_is_in_the_training_data() -> None:
    import json

    folder = content_root() / "training" / "data"
    learned = {
        json.loads(line).get("text", "").lower()
        for path in folder.glob("*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    }
    for suite in ("triage", "guard", "patterns", "retrieval"):
        for split in sets.SPLITS:
            for row in sets.load(suite, split):
                assert row.get("text", "\0").lower() not in learned, row["id"]
