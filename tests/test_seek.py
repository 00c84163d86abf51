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
    ],
)
def test_needs(said: str, need: str | None, rules: tuple[PhraseRule, ...]) -> None:
    assert seek.need_of(said, rules) == need
