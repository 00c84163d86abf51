"""The gate: no figure of the fast suites falls unseen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant import settings
from assistant.errors import ModelFileError
from assistant.evaluation import aims, baseline, suites
from assistant.evaluation.figures import Figure
from tests import made_up_results as made_up


def _losses(suite: str, **request: Any) -> tuple[str, ...]:
    result = suites.run(
        suite, suites.Request(baseline.SPLIT, **request), settings.load()
    )
    return baseline.find_losses(result, baseline.load())


@pytest.mark.parametrize("suite", ["triage", "guard", "patterns"])
def test_no_figure_fell_below_its_baseline(suite: str) -> None:
    """Lower a baseline only with the reason in the change."""
    assert _losses(suite) == ()


@pytest.mark.weights
def test_no_figure_of_retrieval_fell_below_its_baseline() -> None:
    assert _losses("retrieval") == ()


def test_every_gated_suite_has_a_baseline() -> None:
    gated = {aim.suite for aim in aims.load() if aim.gate}
    assert {entry.suite for entry in baseline.load()} == gated


def _stored(tmp_path: Path) -> tuple[baseline.Baseline, ...]:
    path = tmp_path / "baseline.toml"
    path.write_text("", "utf-8")
    baseline.write([made_up.triage("dev")], path)
    return baseline.load(path)


def test_up_to_four_messages_may_be_lost_and_five_may_not(tmp_path: Path) -> None:
    stored = _stored(tmp_path)
    assert baseline.find_losses(made_up.triage("dev", heard=90), stored) == ()
    assert baseline.find_losses(made_up.triage("dev", heard=86), stored) == ()
    (loss,) = baseline.find_losses(made_up.triage("dev", heard=85), stored)
    assert "recall_serious" in loss


def test_more_false_alarms_are_a_loss_too(tmp_path: Path) -> None:
    result = made_up.triage("dev") | {"false_alarms": made_up.share(6, 100)}
    (loss,) = baseline.find_losses(result, _stored(tmp_path))
    assert "false_alarms" in loss


def test_a_single_emergency_for_nothing_is_a_loss(tmp_path: Path) -> None:
    result = made_up.triage("dev") | {"false_emergencies": 1}
    assert len(baseline.find_losses(result, _stored(tmp_path))) == 1


def test_a_figure_that_is_no_longer_measured_is_a_loss(tmp_path: Path) -> None:
    result = made_up.triage("dev")
    del result["right_card_shown"]
    (loss,) = baseline.find_losses(result, _stored(tmp_path))
    assert "not measured any more" in loss


def test_setting_one_suite_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "baseline.toml"
    path.write_text(
        '[[figure]]\nsuite = "guard"\nkey = "caught"\nvalue = 0.9\ntolerance = 0.1\n',
        "utf-8",
    )
    baseline.write([made_up.triage("dev")], path)
    baseline.write([made_up.triage("dev", heard=80)], path)
    entries = {(entry.suite, entry.key): entry for entry in baseline.load(path)}
    assert entries["guard", "caught"] == baseline.Baseline("guard", "caught", 0.9, 0.1)
    assert entries["triage", "recall_serious"].value == 0.8
    assert ("triage", "recall_by_card.suicide") not in entries


def test_the_tolerance_is_four_messages() -> None:
    assert baseline.tolerance_of(Figure("x", 0.5, 0.4, 0.6, 200)) == 0.02
    assert baseline.tolerance_of(Figure("x", 3)) == 0


def test_a_missing_model_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError):
        suites.run("retrieval", suites.Request("dev"), settings.load(tmp_path))
