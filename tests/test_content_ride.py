"""The texts of “Ride it out”: whole, vetted by machine, and refused when broken."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from assistant import content_library, content_ride, guard, library_check
from assistant.content_ride import ACTIVITIES, MOMENTS, RideTexts
from assistant.content_rules import load_phrases
from assistant.errors import ContentError

_PROMISE_OR_COUNT = re.compile(
    r"\b(?:minutes?|seconds?|hours?|days?|streak|in a row|so far|record|well done"
    r"|good job|proud|strong enough|will (?:pass|ease|end|go away|be over)|always)\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def texts(root: Path) -> RideTexts:
    return content_ride.load(root)


def _all_texts(texts: RideTexts) -> list[str]:
    found = list(asdict(texts.say).values())
    found += [line for lines in texts.lines.values() for line in lines]
    for activity in texts.activities:
        found += [activity.title, activity.lead, activity.care]
    for path in texts.paths:
        found += [path.title, *path.steps]
    return [text for text in found if text]


def test_every_moment_and_every_activity_has_its_words(texts: RideTexts) -> None:
    assert tuple(texts.lines) == MOMENTS
    assert all(len(lines) >= 2 for lines in texts.lines.values())
    assert tuple(activity.name for activity in texts.activities) == ACTIVITIES
    assert {path.activity for path in texts.paths} == {"ground", "move"}


def test_no_line_promises_counts_or_praises(texts: RideTexts) -> None:
    for text in _all_texts(texts):
        assert not _PROMISE_OR_COUNT.search(text), text


def test_every_line_passes_the_guard(texts: RideTexts, root: Path) -> None:
    rules = load_phrases(root, "guard")
    for text in _all_texts(texts):
        assert guard.check(text, rules=rules, passages=(text,)) == (), text


def test_every_text_reads_easily(texts: RideTexts) -> None:
    for text in _all_texts(texts):
        if len(text.split()) >= 12:
            assert library_check.reading_grade(text) <= library_check.MAX_GRADE, text


def test_sources_are_known(texts: RideTexts, root: Path) -> None:
    assert set(texts.sources) <= content_library.source_ids(root)


def test_what_could_do_harm_says_for_whom(texts: RideTexts) -> None:
    care = {activity.name: activity.care for activity in texts.activities}
    assert "dizzy or more afraid" in care["breathe"]
    assert "pressure on your neck" in care["breathe"]
    for reason in (
        "heart disease",
        "slow pulse",
        "low blood pressure",
        "beta-blockers",
        "eating disorder",
        "allergy to cold",
        "pregnant",
        "no ice",
    ):
        assert reason in care["water"]


# --- Invalid files are named ---------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('id = "ride"\n', "", "id"),
        ('done = "', 'finished = "', "finished"),
        ("\nlow = [", "\nlowest = [", "lines"),
        ('name = "water"', 'name = "ice"', "activities"),
        ('activity = "move"', 'activity = "run"', "path"),
        ("[say]", "[say", "ride.en.toml"),
    ],
)
def test_a_broken_file_is_refused(
    old: str, new: str, named: str, root: Path, tmp_path: Path
) -> None:
    original = (root / "prompts/fixed/ride.en.toml").read_text("utf-8")
    assert old in original
    folder = tmp_path / "prompts" / "fixed"
    folder.mkdir(parents=True)
    (folder / "ride.en.toml").write_text(original.replace(old, new, 1), "utf-8")
    with pytest.raises(ContentError, match=rf"ride\.en\.toml.*{named}|{named}"):
        content_ride.load(tmp_path)
