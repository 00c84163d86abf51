"""Words for a mother, a boss or a brother are not answered as if for a partner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from assistant import about, plan
from assistant.adapters.scripted import ScriptedChat
from assistant.domain import (
    Card,
    History,
    Message,
    Passage,
    Retrieval,
    Role,
    Utterance,
)
from assistant.events import Noticed, SentenceReleased
from assistant.pipeline import Pipeline

Maker = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]


def _after(*said: str) -> History:
    return History(tuple(Message(Role.USER, text) for text in said))


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("my boss shouts at me in front of everyone", ()),
        ("i miss my mum's cooking", ()),
        ("My mother says I'm worthless, she always has", ()),
        ("what do I say to him", ("My brother's fella has him cut off from us",)),
        ("my best friend only rings when she needs money", ()),
        ("i'm scared of what my dad will say, he has a temper", ()),
        ("she never asks how i am", ("my sister makes me feel small",)),
    ],
)
def test_somebody_else_is_plainly_meant(said: str, before: tuple[str, ...]) -> None:
    assert about.is_about_another(said, _after(*before))


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("he was lovely all weekend", ()),
        ("my friend says I should be proud", ("didn't answer when he rang today",)),
        ("my mother says every marriage is like this", ()),
        ("my husband and my mother are both on at me", ()),
        ("i told my sister and he found out", ()),
        ("My sister used the words trauma bond about me", ()),
        ("my family wants me to go back to him", ()),
        ("i feel nothing", ()),
        ("My mother asked me to pretend", ("my husband will be softened",)),
    ],
)
def test_a_partner_may_be_meant(said: str, before: tuple[str, ...]) -> None:
    assert not about.is_about_another(said, _after(*before))


def test_no_line_speaks_of_a_partner_then(make_pipeline: Maker) -> None:
    for seed in range(8):
        pipeline, _ = make_pipeline(["Your partner hurts you."] * 4)
        said = Utterance("my boss shouts at me and then she is so kind again")
        events = list(pipeline.run_turn(said, History(), seed=seed))
        (made,) = [e.plan for e in events if isinstance(e, Noticed)]
        assert made.about_another
        shown = [e.sentence.text for e in events if isinstance(e, SentenceReleased)]
        assert shown
        assert not [line for line in shown if about.names_partner(line)]


def test_what_to_say_to_a_brother_is_no_message_to_a_partner(
    make_pipeline: Maker,
) -> None:
    pipeline, _ = make_pipeline([""] * 4)
    said = Utterance("what do I say to him so I don't lose him")

    def key(history: History) -> str | None:
        events = pipeline.run_turn(said, history)
        return next(e.plan.fixed_key for e in events if isinstance(e, Noticed))

    brother = _after("my brother hardly rings since he has this new job")
    assert key(brother) != "message_back"
    assert key(_after("he is my ex")) == "message_back"


def test_who_worries_about_somebody_gets_what_is_meant_for_them() -> None:
    def passage(topic: str) -> Passage:
        return Passage(f"{topic}#1", topic, topic, "T", "H", "text", (), 0.7)

    beside, fitting = passage("reducing-contact"), passage("worried-about-someone")
    kept = plan.for_a_worried_person(Retrieval((beside, fitting), weak=False))
    assert kept == Retrieval((fitting,), weak=False)
    assert plan.for_a_worried_person(Retrieval((beside,), weak=False)).weak


def test_a_worried_sister_is_not_told_how_to_see_less_of_him(
    make_pipeline: Maker,
) -> None:
    pipeline, _ = make_pipeline([""] * 4)
    talk = replace(
        _after("my brother hardly rings since he lives with his fella"),
        raised=(Card.SOMEONE_ELSE,),
    )
    said = Utterance("how do i talk less and not lose him")
    (made,) = [e.plan for e in pipeline.run_turn(said, talk) if isinstance(e, Noticed)]
    assert made.passage is None or made.passage.topic == "worried-about-someone"
    assert made.fixed_key is None
