"""A turn about the talk itself is understood from what came before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from assistant import content_rules, follow
from assistant.adapters.scripted import ScriptedChat
from assistant.content_rules import PhraseRule
from assistant.domain import Card, History, Message, Role, Utterance
from assistant.events import Noticed, SentenceReleased
from assistant.pipeline import Pipeline

Maker = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]
SAID = "why does he get so kind after every fight"


def _talk(*messages: str) -> History:
    roles = (Role.USER, Role.ASSISTANT)
    return History(
        tuple(Message(roles[at % 2], text) for at, text in enumerate(messages))
    )


@pytest.fixture(scope="module")
def rules(root: Path) -> tuple[PhraseRule, ...]:
    return content_rules.load_phrases(root, "turns")


def test_every_rule_holds_for_its_examples_and_no_others(
    rules: tuple[PhraseRule, ...],
) -> None:
    before = _talk("hello", "Hello.")
    for rule in rules:
        for said in rule.examples:
            assert follow.meant(said, before, rules) == rule.rule, said
        for said in rule.counterexamples:
            assert follow.meant(said, before, rules) is None, said


def test_without_a_reply_before_the_words_mean_themselves(
    rules: tuple[PhraseRule, ...],
) -> None:
    assert follow.meant("what do you mean", History(), rules) is None


def test_again_refers_to_the_last_real_message(rules: tuple[PhraseRule, ...]) -> None:
    talk = _talk(SAID, "A.", "what do you mean?", "B.")
    assert follow.said_before(talk, rules) == SAID


def test_a_correction_leaves_out_what_came_before(
    rules: tuple[PhraseRule, ...],
) -> None:
    talk = _talk("he is kind", "A.", "no, that's not it", "B.", "it is my sister", "C.")
    kept = follow.since_correction(talk, rules).messages
    assert [m.content for m in kept][0] == "no, that's not it"


def _sentences(pipeline: Pipeline, said: str, history: History) -> list[str]:
    events = pipeline.run_turn(Utterance(said), history)
    return [e.sentence.text for e in events if isinstance(e, SentenceReleased)]


def test_a_correction_is_met_without_argument(make_pipeline: Maker) -> None:
    pipeline, chat = make_pipeline(["It is so."])
    shown = _sentences(pipeline, "no, that's not it", _talk(SAID, "A."))
    assert shown == [pipeline.replies.line("not_it")]
    assert not chat.prompts


def test_again_says_the_same_in_lines_not_yet_shown(make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline(["", "", "", ""])
    first = _sentences(pipeline, SAID, History())
    again = _sentences(
        pipeline, "can you say that differently?", _talk(SAID, " ".join(first))
    )
    assert again
    assert not set(first) & set(again)


def test_again_is_about_the_same_thing(make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline(["", "", "", ""])

    def topic(said: str, history: History) -> str:
        events = pipeline.run_turn(Utterance(said), history)
        (noticed,) = [e for e in events if isinstance(e, Noticed)]
        return noticed.retrieval.passages[0].topic

    asked = topic(SAID, History())
    assert topic("what do you mean?", _talk(SAID, "A.")) == asked


def test_danger_is_not_put_to_the_model_again(make_pipeline: Maker) -> None:
    pipeline, chat = make_pipeline(["It is so."])
    talk = _talk(SAID, "A.")
    raised = History(talk.messages, raised=(Card.THREATS,))
    shown = _sentences(pipeline, "what do you mean?", raised)
    assert shown == [pipeline.replies.line("card_again")]
    assert not chat.prompts
