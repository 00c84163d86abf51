"""What a turn is decides what its reply holds."""

from __future__ import annotations

import pytest

from assistant import plan
from assistant.content_rules import PhraseRule
from assistant.domain import (
    History,
    Message,
    Passage,
    PatternFound,
    Retrieval,
    Role,
    TurnKind,
    Utterance,
)
from assistant.pipeline import Pipeline


def _found(topic: str) -> Retrieval:
    passage = Passage("a#1", "a", topic, "T", "H", "text", (), 0.7)
    return Retrieval((passage,), weak=False)


_FAR = Passage("a#1", "a", "men", "T", "H", "text", (), 0.1)
NOTHING = Retrieval((_FAR,), weak=True)


@pytest.fixture
def requests(bare_pipeline: Pipeline) -> tuple[PhraseRule, ...]:
    return bare_pipeline.rules.requests


@pytest.mark.parametrize(
    ("text", "patterns", "topic", "kind"),
    [
        ("I miss the smell of him", ["craving"], "grief", TurnKind.CRAVING),
        ("I answered the phone", [], "answering-a-message", TurnKind.CRAVING),
        ("why does it get worse at night?", [], "lonely-nights", TurnKind.QUESTION),
        ("I went back", ["shame_after_return"], "after-a-lapse", TurnKind.SHAME),
        ("did I make that up", ["self_doubt"], "gaslighting", TurnKind.DOUBT),
        ("I said no today", ["boundary_kept"], "isolation", TurnKind.PROGRESS),
        ("how do I find a therapist?", [], "finding-a-therapist", TurnKind.HELP),
        ("we had a strange week", [], "isolation", TurnKind.SHARING),
    ],
)
def test_the_kind_of_turn(
    text: str,
    patterns: list[str],
    topic: str,
    kind: TurnKind,
    requests: tuple[PhraseRule, ...],
) -> None:
    noticed = tuple(PatternFound(p, 0.9, 0, 1) for p in patterns)
    made = plan.make_plan(Utterance(text), noticed, _found(topic), requests)
    assert made.kind is kind
    assert made.passage is not None


def test_a_question_without_a_source_is_told_so(
    requests: tuple[PhraseRule, ...],
) -> None:
    made = plan.make_plan(Utterance("how do I bake bread?"), (), NOTHING, requests)
    assert made.fixed_key == "weak"


def test_a_feeling_without_a_passage_is_still_met(
    requests: tuple[PhraseRule, ...],
) -> None:
    made = plan.make_plan(Utterance("everything is grey"), (), NOTHING, requests)
    assert made.kind is TurnKind.SHARING
    assert made.passage is None


def test_a_library_that_could_not_be_searched_is_not_said_to_have_nothing(
    requests: tuple[PhraseRule, ...],
) -> None:
    closed = Retrieval((), weak=True)
    made = plan.make_plan(Utterance("why does he do it?"), (), closed, requests)
    assert made.fixed_key is None


def test_a_greeting_is_small_talk(requests: tuple[PhraseRule, ...]) -> None:
    made = plan.make_plan(Utterance("hello there"), (), _found("men"), requests)
    assert made.kind is TurnKind.SMALL_TALK


def test_a_line_that_was_shown_is_not_chosen_again() -> None:
    history = History((Message(Role.ASSISTANT, "One. Two."),))
    chooser = plan.LineChooser(history, seed=0)
    assert chooser.choose(["One.", "Two.", "Three."]) == "Three."
    assert chooser.choose(["One.", "Three."]) is None


def test_where_help_is_never_comes_from_the_model() -> None:
    assert plan.MODEL not in plan._PARTS[TurnKind.HELP]
