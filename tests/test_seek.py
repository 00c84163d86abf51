"""A wish for help is understood, and which; every rule holds for its own examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import content_rules, refer, seek
from assistant.content_rules import PhraseRule


@pytest.fixture(scope="module")
def rules(root: Path) -> tuple[PhraseRule, ...]:
    return content_rules.load_phrases(root, "needs")


def test_every_rule_holds_for_its_examples(rules: tuple[PhraseRule, ...]) -> None:
    for rule in rules:
        for said in rule.examples:
            assert seek.need_of(said, [rule], asked=rule.rule != "seeks_help"), said
        if rule.rule == "seeks_help":
            for said in rule.counterexamples:
                assert seek.need_of(said, [rule]) is None, said
        else:
            for said in rule.counterexamples:
                assert seek.need_of(said, [rule], asked=True) == "abuse", said


def test_every_need_is_one_of_the_directory(rules: tuple[PhraseRule, ...]) -> None:
    assert {rule.rule for rule in rules} - {"seeks_help"} <= refer.NEEDS.keys()


@pytest.mark.parametrize(
    ("said", "need"),
    [
        ("where can i get help", "abuse"),
        ("How do I find a therapist for trauma bonds?", "specialist"),
        ("I'm a man, who can I call?", "men"),
        ("is there a shelter that takes trans women, i'm trans", "lgbtq"),
        ("can I reach a helpline by text? I can't talk out loud", "deaf"),
        ("I miss her so much", None),
        ("he needs help, not me", None),
        ("can you help me write an essay", None),
        ("Are there places for men at all? I'm in Halifax", "men"),
        ("who can I ask who doesn't tell the prefecture?", "legal"),
        ("is there anyone I could text", "deaf"),
        ("where do people like me go", "abuse"),
        ("is there a refuge that takes lesbians", "lgbtq"),
        ("is there somewhere for kids like me, I'm 15", "child"),
        ("is there anyone who loves me", None),
        ("who can I trust again", None),
    ],
)
def test_needs(said: str, need: str | None, rules: tuple[PhraseRule, ...]) -> None:
    assert seek.need_of(said, rules) == need


@pytest.mark.parametrize(
    ("before", "need"),
    [
        ("I'm a bloke and six foot two", "men"),
        ("nobody will believe a lesbian", "lgbtq"),
        ("i'm deaf and he talks to everyone for me", "deaf"),
        ("I'm 15 minutes late and he is furious", "abuse"),
        ("he is a man of few words", "abuse"),
        ("he broke up with me by text", "abuse"),
    ],
)
def test_who_somebody_is_holds_for_the_whole_talk(
    before: str, need: str, rules: tuple[PhraseRule, ...]
) -> None:
    said = "is there anyone who can help"
    assert seek.need_of(said, rules, before=[before, "it got worse"]) == need
    asked = "how do I find a therapist"
    assert seek.need_of(asked, rules, before=[before]) == "specialist"
