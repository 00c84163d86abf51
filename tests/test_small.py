"""Small things in a talk are met as small, and never explained away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from assistant import content_rules, content_texts, plan, small
from assistant.adapters.scripted import ScriptedChat
from assistant.content_rules import PhraseRule
from assistant.domain import Card, History, Level, Message, Role, TurnKind, Utterance
from assistant.events import Noticed, SentenceReleased
from assistant.pipeline import Pipeline
from assistant.triage import Hearer, grade

Maker = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]


def _unheard(pipeline: Pipeline) -> Pipeline:
    """Hear danger by rules alone: what the ear makes of so few words is not tested."""
    by_rules = Hearer(pipeline.rules.triage.rules)
    return replace(pipeline, rules=replace(pipeline.rules, triage=by_rules))


BEFORE = History((Message(Role.USER, "i miss him"), Message(Role.ASSISTANT, "A.")))


@pytest.fixture(scope="module")
def rules(root: Path) -> tuple[PhraseRule, ...]:
    return content_rules.load_phrases(root, "small")


def test_every_rule_holds_for_its_examples_and_no_others(
    rules: tuple[PhraseRule, ...],
) -> None:
    for rule in rules:
        for said in rule.examples:
            assert small.heard(said, rules) == rule.rule, said
        for said in rule.counterexamples:
            assert small.heard(said, [rule]) is None, said


def test_what_is_heard_has_a_plan_and_lines(
    rules: tuple[PhraseRule, ...], root: Path
) -> None:
    names = {rule.rule for rule in rules}
    assert names == plan._SMALL.keys() | {plan._ANGRY}
    generic = content_texts.load_replies(root).generic
    parts = {part for _, parts in plan._SMALL.values() for part in parts}
    for part in parts | {*plan._PARTS[TurnKind.ANGER]} - {plan.MODEL}:
        assert len(generic[part]) >= 3, part


def test_in_a_long_message_the_small_thing_is_not_what_it_is_about(
    rules: tuple[PhraseRule, ...],
) -> None:
    assert small.heard("I went for a walk. " + "it was a long day. " * 6, rules) is None


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("ok i put the phone in the laundry basket", TurnKind.PROGRESS),
        ("thank you. I might go and sit outside for a bit", TurnKind.PROGRESS),
        ("I've drunk some water", TurnKind.PROGRESS),
        ("I deleted the draft", TurnKind.PROGRESS),
        ("felt sick for two hours and then it sort of went", TurnKind.PROGRESS),
        ("not much, just had toast. you?", TurnKind.SMALL_TALK),
        ("hey", TurnKind.SMALL_TALK),
        ("thanks", TurnKind.SMALL_TALK),
        ("ok", TurnKind.SMALL_TALK),
    ],
)
def test_it_is_met_in_two_vetted_lines(
    said: str, kind: TurnKind, make_pipeline: Maker
) -> None:
    pipeline, chat = make_pipeline(["This must never be asked for."])
    pipeline = _unheard(pipeline)
    events = list(pipeline.run_turn(Utterance(said), BEFORE, seed=3))
    (made,) = [e.plan for e in events if isinstance(e, Noticed)]
    assert made.kind is kind
    assert made.passage is None
    assert len([e for e in events if isinstance(e, SentenceReleased)]) == 2
    assert not chat.prompts


def test_thanks_are_not_met_with_hello(make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline([])
    for seed in range(4):
        events = pipeline.run_turn(Utterance("thank you"), BEFORE, seed=seed)
        shown = [e.sentence.text for e in events if isinstance(e, SentenceReleased)]
        assert not any("Hello" in line for line in shown)


@pytest.mark.parametrize(
    "said", ["I AM SO ANGRY I COULD SCREAM. eleven years.", "i hate him so much"]
)
def test_anger_is_given_room_first(said: str, make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline([""] * 4)
    events = list(pipeline.run_turn(Utterance(said), History()))
    (made,) = [e.plan for e in events if isinstance(e, Noticed)]
    assert made.kind is TurnKind.ANGER
    shown = [e.sentence.text for e in events if isinstance(e, SentenceReleased)]
    assert shown[0] in pipeline.replies.generic["anger_openers"]


@pytest.mark.parametrize(
    "said",
    [
        "thank you, I'm off to bed now",
        "ok I'm going to try to sleep now",
        "that's enough for tonight, thank you",
    ],
)
def test_a_goodbye_gets_a_kind_close(said: str, make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline([])
    events = _unheard(pipeline).run_turn(Utterance(said), BEFORE)
    shown = [e.sentence.text for e in events if isinstance(e, SentenceReleased)]
    assert shown == [pipeline.replies.line("closing")]


@pytest.mark.parametrize(
    "said",
    [
        "I've drunk some water",
        "thank you. I might go and sit outside for a bit",
        "ok i put the phone in the laundry basket",
    ],
)
def test_a_small_step_is_no_farewell(said: str, bare_pipeline: Pipeline) -> None:
    """To the ear alone, some of them are."""
    assert grade(Utterance(said), bare_pipeline.rules.triage).level is Level.NONE


def test_a_step_with_more_to_it_is_listened_to(bare_pipeline: Pipeline) -> None:
    said = "I've had some water and all my tablets"
    result = grade(Utterance(said), bare_pipeline.rules.triage)
    assert result.level is Level.EMERGENCY


def test_a_step_does_not_undo_what_was_told_before(bare_pipeline: Pipeline) -> None:
    told = History((Message(Role.USER, "I want to kill myself tonight"),))
    result = grade(Utterance("I've drunk some water"), bare_pipeline.rules.triage, told)
    assert Card.SUICIDE in result.cards
