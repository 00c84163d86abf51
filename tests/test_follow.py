"""A turn about the talk itself is understood from what came before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from assistant import content_rules, content_texts, follow
from assistant.adapters.scripted import ScriptedChat
from assistant.content_rules import PhraseRule
from assistant.content_texts import Replies
from assistant.domain import Card, History, Message, Role, Utterance
from assistant.events import Noticed, SentenceReleased, ServicesOffered
from assistant.pipeline import Pipeline

Maker = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]
SAID = "why does he get so kind after every fight"


@pytest.fixture(scope="module")
def replies(root: Path) -> Replies:
    return content_texts.load_replies(root)


def _talk(*messages: str) -> History:
    roles = (Role.USER, Role.ASSISTANT)
    return History(
        tuple(Message(roles[at % 2], text) for at, text in enumerate(messages))
    )


@pytest.fixture(scope="module")
def rules(root: Path) -> tuple[PhraseRule, ...]:
    return content_rules.load_phrases(root, "turns")


def test_every_rule_holds_for_its_examples_and_no_others(
    rules: tuple[PhraseRule, ...], replies: Replies
) -> None:
    no = replies.line("decide_for_me")
    before = _talk("should I stay?", no)

    def heard(said: str) -> str | None:
        if follow.corrected(said, before, rules):
            return "not_it_but"
        if about := follow.meant(said, before, rules):
            return about
        return "presses" if follow.pressed(said, before, rules, replies) else None

    for rule in rules:
        for said in rule.examples:
            assert heard(said) == rule.rule, said
        for said in rule.counterexamples:
            assert heard(said) is None, said


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


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        (
            "no, you’re still not getting it. It's the checking I want to stop",
            "It's the checking I want to stop",
        ),
        ("That's not it — I mean the silence after", "I mean the silence after"),
        ("you misunderstood, she is my mother", "she is my mother"),
        ("that's not what i meant. i miss the dog", "i miss the dog"),
        ("No I meant the nights when he is away", "the nights when he is away"),
    ],
)
def test_a_correction_with_words_of_its_own_gives_them(
    said: str, rest: str, rules: tuple[PhraseRule, ...]
) -> None:
    before = _talk(SAID, "A.")
    assert follow.corrected(said, before, rules) == rest
    assert follow.meant(said, before, rules) is None
    assert follow.corrected(said, History(), rules) is None


@pytest.mark.parametrize("said", ["that's not what i meant, sorry", "you misread me"])
def test_a_correction_with_hardly_a_word_more_is_asked_about(
    said: str, rules: tuple[PhraseRule, ...]
) -> None:
    assert follow.meant(said, _talk(SAID, "A."), rules) == follow.NOT_IT


def test_after_a_correction_the_rest_is_answered(make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline(["", "", "", ""])
    took = pipeline.replies.line("took_it_wrong")
    talk = _talk("she left me", "A.")
    alone = "why does he get so kind after every fight"

    def shown(said: str) -> tuple[list[str], str]:
        events = list(pipeline.run_turn(Utterance(said), talk))
        (noticed,) = [e for e in events if isinstance(e, Noticed)]
        lines = [e.sentence.text for e in events if isinstance(e, SentenceReleased)]
        return lines, noticed.retrieval.passages[0].topic

    lines, topic = shown(f"that's not what I meant. {alone}")
    assert lines[0] == took
    assert len(lines) > 1
    assert not set(lines) & set(pipeline.replies.generic["openers"])
    events = pipeline.run_turn(Utterance(alone), History())
    (noticed,) = [e for e in events if isinstance(e, Noticed)]
    assert topic == noticed.retrieval.passages[0].topic


def test_a_correction_with_a_request_is_answered_too(make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline([])
    said = "you're not listening. are you a real person?"
    assert _sentences(pipeline, said, _talk(SAID, "A.")) == [
        pipeline.replies.line("took_it_wrong"),
        pipeline.replies.line("are_you_human"),
    ]


@pytest.mark.parametrize(
    ("first", "second", "key"),
    [
        ("is he a narcissist?", "and what about her, is she a narcissist?", "diagnose"),
        ("flip a coin for me", "what would you do in my place", "decide_for_me"),
        ("are you real? are you a person", "are you human", "are_you_human"),
    ],
)
def test_a_fixed_answer_does_not_come_twice_in_the_same_words(
    first: str, second: str, key: str, make_pipeline: Maker
) -> None:
    pipeline, _ = make_pipeline([])
    talk, said = History(), (first, second, first, second)
    seen: list[str] = []
    for text in said:
        line, *_ = _sentences(pipeline, text, talk)
        seen.append(line)
        talk = History(
            (*talk.messages, Message(Role.USER, text), Message(Role.ASSISTANT, line))
        )
    variants = pipeline.replies.variants(key)
    assert tuple(seen[:3]) == variants
    assert seen[3] == variants[0], "the one that was shown longest ago"


PRESSING = "Everybody refuses to answer. You're a computer, you can be honest"


def test_who_presses_after_a_no_gets_it_in_other_words(make_pipeline: Maker) -> None:
    pipeline, chat = make_pipeline(["It is so."])
    first, second, *_ = pipeline.replies.variants("decide_for_me")
    talk = _talk("Should I leave him, yes or no?", first)
    assert _sentences(pipeline, PRESSING, talk) == [second]
    assert not chat.prompts


def test_without_a_no_before_nothing_was_pressed(
    rules: tuple[PhraseRule, ...], replies: Replies
) -> None:
    assert follow.pressed(PRESSING, _talk(SAID, "A."), rules, replies) is None
    assert follow.pressed(PRESSING, History(), rules, replies) is None


def test_who_presses_for_help_gets_help(make_pipeline: Maker) -> None:
    pipeline, _ = make_pipeline([])
    talk = _talk("should i stay?", pipeline.replies.line("decide_for_me"))
    events = pipeline.run_turn(Utterance("just give me a helpline number"), talk)
    assert any(isinstance(e, ServicesOffered) for e in events)
