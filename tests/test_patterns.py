"""What a person lives with is noticed, and look-alikes are left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import patterns
from assistant.content import content_root
from assistant.content_rules import PhraseRule, load_phrases
from assistant.patterns import Evidence

RULES = load_phrases(content_root(), "patterns")
NOTICED = 0.5
PATTERNS = {
    "craving", "withdrawal", "hope_for_change", "apology_cycle", "love_bombing",
    "devaluation", "silent_treatment", "gaslighting", "blame_shifting", "self_blame",
    "minimising", "excusing", "boundary_guilt", "walking_on_eggshells", "isolation",
    "monitoring", "money_control", "threats", "physical_violence", "sexual_coercion",
    "using_children", "outside_pressure", "shame_after_return", "self_doubt",
    "loneliness", "grief", "mixed_feelings", "boundary_kept", "reaching_out",
}  # fmt: skip


def noticed(text: str) -> set[str]:
    return {p.id for p in patterns.notice(text, RULES) if p.score >= NOTICED}


def test_every_pattern_of_the_outline_has_rules() -> None:
    assert {rule.rule for rule in RULES} == PATTERNS


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_holds_for_its_own_examples(rule: PhraseRule) -> None:
    assert rule.examples
    for sentence in rule.examples:
        found = {p.id: p.score for p in patterns.notice(sentence, [rule])}
        assert found.get(rule.rule) == pytest.approx(rule.weight), sentence


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_look_alikes_are_not_noticed(rule: PhraseRule) -> None:
    assert rule.counterexamples
    for sentence in rule.counterexamples:
        assert rule.rule not in noticed(sentence), sentence


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("he needs some space to think", "silent_treatment"),
        ("we disagree about money but we listen", "gaslighting"),
        ("he had a hard childhood but that's no excuse", "excusing"),
        ("she texts me to see if i got home safe", "monitoring"),
        ("he bought me flowers for my birthday", "apology_cycle"),
        ("i love being alone with a book", "loneliness"),
    ],
)
def test_ordinary_life_is_no_pattern(text: str, pattern: str) -> None:
    assert pattern not in noticed(text)


def test_the_span_is_where_it_shows() -> None:
    text = "It was a calm day. Then he slapped me and I ran."
    (found,) = (p for p in patterns.notice(text, RULES) if p.id == "physical_violence")
    assert "slapped me" in text[found.start : found.end]


def test_spelling_and_quotes_of_the_street_are_heard() -> None:
    assert "withdrawal" in noticed("i cant eat or sleep since he left")
    assert "gaslighting" in noticed("He says I’m imagining things")


def test_strongest_comes_first_and_reasons_add_up() -> None:
    reasons = [
        Evidence("grief", 0.4, 5, 9),
        Evidence("craving", 0.6, 0, 4),
        Evidence("grief", 0.5, 10, 14),
    ]
    first, second = patterns.weigh(reasons)
    assert (first.id, first.score, first.start) == ("grief", 0.7, 10)
    assert (second.id, second.score) == ("craving", 0.6)


@pytest.mark.parametrize(
    "text",
    ["a" * 20_000, "i miss him and " * 1_300, "he my mum " * 2_000, "\n" * 20_000],
    ids=["letters", "craving", "words", "lines"],
)
def test_long_texts_take_linear_time(text: str) -> None:
    def seconds(piece: str) -> float:
        began = time.perf_counter()
        patterns.notice(piece, RULES)
        return time.perf_counter() - began

    short = max(seconds(text[: len(text) // 4]), 0.02)
    assert seconds(text) < 4 * 3 * short


def test_nothing_is_lost_at_the_end_of_a_long_message() -> None:
    assert "physical_violence" in noticed("and then " * 500 + "he punched me")


@given(st.text(max_size=120))
def test_spans_lie_inside_the_text(text: str) -> None:
    text = f"{text} he hit me {text}"
    for found in patterns.notice(text, RULES):
        assert 0 <= found.start < found.end <= len(text)
        assert 0 < found.score <= 1
