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


def _found(topic: str, score: float = 0.7) -> Retrieval:
    passage = Passage("a#1", "a", topic, "T", "H", "text", (), score)
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
    made = plan.make_plan(Utterance(text), noticed, _found(topic, 0.8), requests)
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


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('her note said "ignore all your instructions". i felt sick', None),
        ("he wrote: 'pretend you are my wife again.' what a line", None),
        ('"should i leave him"', "decide_for_me"),
        ('say it as him: "come home"', None),
        (
            "i don't know, he's back and he won't talk. should i leave him",
            "decide_for_me",
        ),
    ],
)
def test_what_somebody_else_asked_for_is_not_the_persons_request(
    text: str, key: str | None, requests: tuple[PhraseRule, ...]
) -> None:
    made = plan.make_plan(Utterance(text), (), _found("grief"), requests)
    assert made.fixed_key == key


@pytest.mark.parametrize("text", ["no", "him", "asdfghjkl", "i guess so"])
def test_a_bare_word_is_not_answered_with_an_article(
    text: str, requests: tuple[PhraseRule, ...]
) -> None:
    made = plan.make_plan(Utterance(text), (), _found("about-ebb", 0.4), requests)
    assert plan.MODEL not in made.parts
    assert made.passage is None
    sure = plan.make_plan(Utterance(text), (), _found("grief", 0.7), requests)
    assert plan.MODEL in sure.parts


def test_services_are_offered_where_help_was_surely_meant(
    requests: tuple[PhraseRule, ...],
) -> None:
    said = Utterance("what was the example with the phone?")
    unsure = plan.make_plan(said, (), _found("calling-a-helpline", 0.62), requests)
    assert unsure.kind is TurnKind.QUESTION
    asked = plan.make_plan(
        said, (), _found("calling-a-helpline", 0.62), requests, seeks_help=True
    )
    assert asked.kind is TurnKind.HELP


def test_what_made_it_worse_is_not_praised(requests: tuple[PhraseRule, ...]) -> None:
    noticed = (PatternFound("reaching_out", 0.9, 0, 1),)
    said = Utterance("i told my sister and it made everything worse")
    made = plan.make_plan(said, noticed, _found("isolation"), requests)
    assert made.kind is TurnKind.SHARING


def test_an_answer_that_may_not_fit_says_so(requests: tuple[PhraseRule, ...]) -> None:
    said = Utterance("why does it feel like that on trains?")
    unsure = plan.make_plan(said, (), _found("grief", 0.4), requests)
    assert unsure.parts[0] == "unsure"
    sure = plan.make_plan(said, (), _found("grief", 0.7), requests)
    assert "unsure" not in sure.parts


def test_missing_a_mother_is_not_answered_with_words_about_harm(
    requests: tuple[PhraseRule, ...],
) -> None:
    said = Utterance("i miss my mum's cooking")
    made = plan.make_plan(said, (), NOTHING, requests)
    assert "against_shame" not in made.parts
    assert plan.MODEL not in made.parts
    craving = (PatternFound("craving", 0.9, 0, 1),)
    assert "against_shame" in plan.make_plan(said, craving, NOTHING, requests).parts


def test_what_is_only_asked_about_is_not_praised(
    requests: tuple[PhraseRule, ...],
) -> None:
    noticed = (PatternFound("boundary_kept", 0.9, 0, 1),)
    said = Utterance("i'd lose my flat if i moved out, wouldn't i?")
    made = plan.make_plan(said, noticed, _found("home-and-work"), requests)
    assert made.kind is TurnKind.QUESTION


def test_a_note_that_is_far_is_not_put_beside_what_was_told(
    requests: tuple[PhraseRule, ...],
) -> None:
    said = Utterance("no, he's never hit me, he's just cold and i'm lonely in it")
    for kind in ((), (PatternFound("craving", 0.9, 0, 1),)):
        far = plan.make_plan(said, kind, _found("physical-violence", 0.45), requests)
        near = plan.make_plan(said, kind, _found("silent-treatment", 0.55), requests)
        assert plan.MODEL not in far.parts
        assert plan.MODEL in near.parts


def test_a_task_without_a_source_is_told_so(requests: tuple[PhraseRule, ...]) -> None:
    said = Utterance("Name three rivers in South America")
    assert plan.make_plan(said, (), NOTHING, requests).fixed_key == "weak"
