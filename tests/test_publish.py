"""No figure in a document is typed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import cli
from assistant.errors import ContentError, UsageError
from assistant.evaluation import blocks, publish
from tests import made_up_results as made_up
from tests.conftest import ROOT


def _checkout(folder: Path) -> Path:
    (folder / "docs").mkdir()
    for name in (publish.README, publish.MEASUREMENTS):
        (folder / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    return folder


def test_the_documents_equal_what_the_stored_figures_give() -> None:
    """If this fails: “ebb eval --update-readme”."""
    for name, text in publish.documents(ROOT, publish.read_stored(ROOT)).items():
        assert (ROOT / name).read_text("utf-8") == text, name


def test_publishing_writes_figures_and_no_message(tmp_path: Path) -> None:
    root = _checkout(tmp_path)
    written = publish.publish([made_up.triage(), made_up.bench()], root)
    assert {path.relative_to(root) for path in written} == {
        publish.RESULTS,
        publish.README,
        publish.MEASUREMENTS,
    }
    readme = (root / publish.README).read_text("utf-8")
    assert "Of 100 made-up messages that told of urgent danger, 90 brought" in readme
    assert "**10 did not.**" in readme
    assert "0.900 (0.826–0.945, n = 100) | ≥ 0.97: not reached" in readme
    assert "on 2 January 2030" in readme
    measured = (root / publish.MEASUREMENTS).read_text("utf-8")
    assert "| suicide | 0.900 (" in measured
    assert "| 12.5 | ≤ 20: reached |" in measured
    assert made_up.NASTY not in measured + (root / publish.RESULTS).read_text("utf-8")


def test_publishing_again_changes_only_what_was_measured_again(tmp_path: Path) -> None:
    root = _checkout(tmp_path)
    publish.publish([made_up.triage(), made_up.triage("dev", heard=70)], root)
    before = {n: (root / n).read_text("utf-8") for n in (publish.README,)}
    publish.publish([], root)
    assert {n: (root / n).read_text("utf-8") for n in before} == before
    publish.publish([made_up.triage(heard=99)], root)
    stored = publish.read_stored(root)["triage"]
    assert stored["heldout"]["figures"]["recall_serious"]["value"] == 0.99
    assert stored["dev"]["figures"]["recall_serious"]["value"] == 0.7


def test_the_halves_stand_side_by_side_and_an_absent_figure_is_a_gap() -> None:
    dev = made_up.triage("dev", heard=70)
    del dev["false_stops"]
    stored = publish.merge({}, [made_up.triage(), dev])
    text = blocks.suite_figures(stored, "triage")
    assert "| 0.700 (0.604–0.781, n = 100) | 0.900 (0.826–0.945, n = 100) |" in text
    assert "| No danger: the reply silenced | | 0.000 (" in text
    assert text.count("ear.onnx (abababababab)") == 1


def test_nothing_measured_is_said_as_such() -> None:
    assert blocks.main_figures({}) == blocks.suite_figures({}, "guard")


def test_a_lost_marker_stops_everything(tmp_path: Path) -> None:
    root = _checkout(tmp_path)
    path = root / publish.MEASUREMENTS
    text = path.read_text("utf-8").replace("<!-- end figures: guard -->", "")
    path.write_text(text, "utf-8")
    with pytest.raises(ContentError, match="guard"):
        publish.publish([made_up.triage()], root)
    assert not (root / publish.RESULTS).exists()
    with pytest.raises(ContentError, match="guard"):
        publish.check_place(root)


def test_an_installed_program_has_no_documents(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="checkout"):
        publish.check_place(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        ["--publish", "--limit", "3"],
        ["--set-baseline", "--split", "dev", "--limit", "3"],
        ["--set-baseline"],
        ["--limit", "0"],
    ],
)
def test_what_would_publish_half_truths_is_refused(line: list[str]) -> None:
    assert cli.main(["eval", *line]) == 2


def test_a_suite_that_cannot_run_does_not_hold_up_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["--home", str(tmp_path / "home"), "eval", "--split", "dev", "--limit", "5"]
    line += ["--suite", "retrieval", "--suite", "triage"]
    assert cli.main([*line, "--report", str(tmp_path / "r")]) == 4
    assert "retrieval: The model file" in capsys.readouterr().err
    assert "only the first 5" in (tmp_path / "r" / "report.html").read_text("utf-8")
    assert (tmp_path / "r" / "triage.dev.json").is_file()
