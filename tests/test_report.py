"""The page of measurements: it shows all, needs nothing, and trusts no text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assistant import cli
from assistant.errors import InputError
from assistant.evaluation import aims, figures, report, whisker
from assistant.evaluation.figures import Figure
from tests import made_up_results as made_up

_VOID = {"meta", "line", "rect"}


class _Reader(HTMLParser):
    """Collects tags and text, and fails where tags do not close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def _read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


ALL = [made_up.triage(), made_up.replies(), made_up.voice(), made_up.bench()]


def test_the_page_shows_value_interval_size_aim_and_machine() -> None:
    text = " ".join(_read(report.page(ALL)).words)
    assert "0.900" in text
    assert "0.826–0.945" in text
    assert "≥ 0.97" in text
    assert "not reached" in text
    assert "2030-01-02" in text
    assert "2 processors" in text
    assert made_up.EAR["sha256"] in text
    assert "Triage of a message" in text


def test_every_text_is_escaped_and_every_miss_can_be_read() -> None:
    reader = _read(report.page(ALL))
    assert "script" not in reader.tags
    assert "b" not in reader.tags
    assert made_up.NASTY in "".join(reader.words)
    assert reader.tags.count("details") == 3
    assert "False alarms: none" in reader.words


def test_the_page_needs_nothing_but_itself() -> None:
    page = report.page(ALL)
    reader = _read(page)
    assert not {"script", "link", "img", "iframe", "a"} & set(reader.tags)
    assert not {"src", "href", "style"} & {name for name, _ in reader.attributes}
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_a_class_is_held_against_the_aim_of_its_group() -> None:
    page = report.page([made_up.triage()])
    row = re.search(r'<th scope="row">suicide</th>.*', page)
    assert row is not None
    assert "≥ 0.93" in row[0]
    oblique = re.search(r'<th scope="row">oblique</th>.*', page)
    assert oblique is not None
    assert "≥ 0.9<" in oblique[0]


def test_a_folder_is_read_in_order_and_its_page_written(tmp_path: Path) -> None:
    for result in (made_up.bench(), made_up.triage("dev"), made_up.triage()):
        report.write_result(tmp_path, result)
    names = [(r["suite"], r.get("split")) for r in report.read_results(tmp_path)]
    assert names == [("triage", "heldout"), ("triage", "dev"), ("bench", None)]
    page = report.write_page(tmp_path).read_text("utf-8")
    assert page.count("<section>") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bench.json",
        "report.html",
        "triage.dev.json",
        "triage.heldout.json",
    ]


@pytest.mark.parametrize("content", ["{", "[]", "{}"])
def test_a_damaged_result_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "bench.json").write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"bench\.json"):
        report.write_page(tmp_path)


def test_an_empty_folder_gives_a_page_that_says_so(tmp_path: Path) -> None:
    assert "Nothing has been measured" in report.write_page(tmp_path).read_text("utf-8")


def test_the_drawing_says_in_words_what_it_shows() -> None:
    svg = whisker.draw(Figure("x", 0.5, 0.4, 0.6, 10), 0.97)
    assert 'aria-label="0.500, 95 % interval 0.400 to 0.600, aim 0.97"' in svg
    assert svg.count("<line") == 4
    assert whisker.draw(Figure("x", 12.0), 20) == ""


def test_figures_come_out_of_every_shape_of_result() -> None:
    found = {figure.key: figure for figure in figures.read_figures(made_up.voice())}
    assert found["speech-read.wer"] == Figure("speech-read.wer", 0.07, 0.04, 0.11, 300)
    assert found["speech-read.groups.calm.wer"].n == 90
    assert found["speech-nonspeech.with_text"].value == pytest.approx(0.05)
    (key, items), *rest = figures.read_lists(made_up.voice())
    assert (key, items, rest) == ("speech-nonspeech.texts", [["rain", "so it is"]], [])


def test_a_figure_survives_being_stored() -> None:
    for figure in figures.read_figures(made_up.triage()):
        stored = json.loads(json.dumps(figure.record()))
        assert figures.from_record(figure.key, stored) == figure


@pytest.mark.parametrize(
    ("value", "low", "verdict"),
    [
        (0.99, 0.98, "reached"),
        (0.97, 0.92, "reached, not surely"),
        (0.96, 0.9, "not reached"),
    ],
)
def test_an_aim_is_judged_by_value_and_interval(
    value: float, low: float, verdict: str
) -> None:
    aim = aims.find(aims.load(), "triage", "recall_serious")
    assert aim is not None
    assert aim.verdict(Figure(aim.key, value, low, 1.0, 100)) == verdict


def test_a_low_figure_is_judged_by_its_upper_end() -> None:
    aim = aims.find(aims.load(), "triage", "false_alarms")
    assert aim is not None
    assert aim.verdict(Figure(aim.key, 0.02, 0.0, 0.05, 100)) == "reached, not surely"
    assert aim.verdict(Figure(aim.key, 0.04, 0.0, 0.05, 100)) == "not reached"


@pytest.mark.weights
def test_the_speeds_land_on_the_page(tmp_path: Path) -> None:
    assert cli.main(["bench", "--turns", "1", "--report", str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "First sentence shown" in page
    assert "ear.onnx" in page
