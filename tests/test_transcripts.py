"""The talks in the documents are those that were written, whole and unedited."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from assistant.adapters.scripted import ScriptedChat
from assistant.evaluation import sets, transcripts
from assistant.evaluation.transcripts import MadeUpTalk
from assistant.pipeline import Pipeline
from assistant.talk import Talk
from tests.conftest import ROOT

Make = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]


class _Program:
    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    def new_talk(self, new_seed: Callable[[], int]) -> Talk:
        return Talk(lambda: self._pipeline, new_seed)


def _page(pipeline: Pipeline, *turns: str) -> str:
    talk = MadeUpTalk("t", "A test", "GB", turns)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "talks.md"
        transcripts.write(
            _Program(pipeline),  # type: ignore[arg-type]
            [talk],
            path,
            date="2030-01-02",
            model="scripted",
        )
        assert [file.name for file in Path(folder).iterdir()] == ["talks.md"]
        return path.read_text("utf-8")


def test_there_are_thirty_talks_of_three_turns_or_more() -> None:
    talks = transcripts.load()
    assert len(talks) == 30
    assert len({talk.id for talk in talks}) == 30
    assert all(3 <= len(talk.turns) <= 6 for talk in talks)


def test_no_talk_repeats_an_evaluation_set() -> None:
    known = {
        row["text"].lower()
        for split in sets.SPLITS
        for suite in ("triage", "retrieval", "patterns")
        for row in sets.load(suite, split)
        if "text" in row
    }
    said = {turn.lower() for talk in transcripts.load() for turn in talk.turns}
    assert not said & known


def test_the_page_holds_every_talk_in_its_order() -> None:
    """If this fails: “ebb eval --transcripts docs/transcripts.md”."""
    page = (ROOT / "docs" / "transcripts.md").read_text("utf-8")
    assert "good and bad, unedited" in page
    said = re.findall(r"^> (.+)$", page, re.MULTILINE)
    wanted = [turn for talk in transcripts.load() for turn in talk.turns]
    assert [re.sub(r"\\(.)", r"\1", line) for line in said] == wanted


def test_danger_shows_card_services_and_vetted_words_only(make_pipeline: Make) -> None:
    pipeline, chat = make_pipeline([])
    page = _page(pipeline, "he has a knife and he is at the door right now")
    assert "> he has a knife and he is at the door right now" in page
    assert re.search(r"^- Level: (urgent|emergency)\.$", page, re.MULTILINE)
    assert re.search(r"^- Card “.+” \(\w+\); emergency 999", page, re.MULTILINE)
    assert chat.prompts == []
    assert not re.search(r"(?<!\*)\*[A-Z]", page.partition("> he has")[2])


def test_the_models_own_sentence_is_marked_and_what_was_held_back_counted(
    make_pipeline: Make,
) -> None:
    pipeline, _ = make_pipeline(["You must leave him today."] * 2)
    page = _page(pipeline, "I keep reading our old messages and missing them at night")
    assert "- Held back: 2." in page
    assert "leave him today" not in page


def test_without_a_model_the_notice_is_written_down(bare_pipeline: Pipeline) -> None:
    page = _page(replace(bare_pipeline, chat=None), "I miss him *so* much tonight <3")
    assert r"> I miss him \*so\* much tonight \<3" in page
    assert "- Notice: The language model is not there" in page


def test_a_damaged_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "_PATH", ROOT / "README.md")
    with pytest.raises(transcripts.ContentError, match=r"README\.md"):
        transcripts.load()
