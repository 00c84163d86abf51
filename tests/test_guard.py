"""The guard lets nothing through that its rules name, and little else is stopped."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import guard
from assistant.content import content_root
from assistant.content_library import load
from assistant.content_rules import PhraseRule, load_phrases
from assistant.domain import Violation
from assistant.errors import GuardError

RULES = load_phrases(content_root(), "guard")
LIBRARY = load(content_root())
GUARD_RULES = {
    "directive", "diagnosis", "blame", "minimise", "promise", "couples_counselling",
    "contact", "medical_legal", "method", "false_claim", "unsafe_tactic", "sexual",
    "leak", "ungrounded", "echo", "agree_worthless", "off_language",
}  # fmt: skip


def broken(text: str, **known: object) -> set[str]:
    return {v.rule for v in guard.check(text, rules=RULES, **known)}  # type: ignore[arg-type]


def lines_of(article_id: str) -> list[str]:
    lines = LIBRARY.article(article_id).lines
    return [
        line
        for kind in type(lines).__dataclass_fields__
        for line in getattr(lines, kind)
    ]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_catches_its_own_examples(rule: PhraseRule) -> None:
    assert rule.rule in GUARD_RULES
    assert rule.examples
    for sentence in rule.examples:
        found = guard.check(sentence, rules=[rule])
        assert rule.rule in {v.rule for v in found}, sentence


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_rule_stops_a_counterexample(rule: PhraseRule) -> None:
    assert rule.counterexamples
    for sentence in rule.counterexamples:
        assert guard.check(sentence, rules=RULES) == (), sentence


@pytest.mark.parametrize("article_id", [a.id for a in LIBRARY.articles])
def test_vetted_lines_pass_with_their_passages(article_id: str) -> None:
    passages = [p.text for p in LIBRARY.article(article_id).passages]
    for line in lines_of(article_id):
        assert guard.check(line, rules=RULES, passages=passages) == (), line


def test_without_rules_nothing_may_be_shown() -> None:
    with pytest.raises(GuardError):
        guard.check("Thank you for telling me.", rules=[])


def test_offsets_point_into_the_whole_reply() -> None:
    reply = "I hear you. You should leave him. What hurts most?"
    found = guard.check(reply, rules=RULES)
    assert found
    for violation in found:
        assert 12 <= violation.start < violation.end <= 33


def test_curly_quotes_and_capitals_hide_nothing() -> None:
    assert "directive" in broken("YOU SHOULDN’T GO BACK TO HIM.")
    assert "directive" in broken("“Don’t go back to him.”")
    assert "promise" in broken("You’ll be fine.")


def test_one_rule_is_reported_once_a_sentence() -> None:
    found = guard.check("You should leave him and you must block him.", rules=RULES)
    assert [v.rule for v in found].count("directive") == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "Call 999 now.",
        "You can reach them on 0808 2000 247.",
        "Dial nine one one.",
        "Ring triple nine.",
        "The line is one eight hundred seven nine nine.",
        "Text HOME to 741741.",
        "See www.example.org for more.",
        "Write to help@example.org.",
        "Follow @someone there.",
        "It is at example dot org.",
        "The office is at 12 Baker Street.",
    ],
)
def test_contacts_are_found(sentence: str) -> None:
    assert "contact" in broken(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Count one, two, three, four as you breathe out.",
        "You could name 5 things you can see.",
        "The Help page lists services by country.",
    ],
)
def test_counting_is_no_contact(sentence: str) -> None:
    assert broken(sentence) == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "Urges pass in 20 minutes.",
        "It takes 21 days.",
        "About 80% go back.",
        "Studies show that this is common.",
        "It began in 1979.",
        "A friend called Rosalind may help.",
        "Your brain releases dopamine.",
    ],
)
def test_facts_that_nobody_gave_are_found(sentence: str) -> None:
    assert "ungrounded" in broken(sentence)


def test_facts_that_were_given_may_be_used() -> None:
    said = "rosalind says it has been 12 days since he left"
    assert broken("Rosalind and those 12 days both matter.", said=said) == set()
    passage = "In a small study of break-ups, a photo was linked with activity."
    sentence = "In a small study of break-ups, a photo was linked with activity."
    assert broken(sentence, passages=[passage]) == set()
    assert "ungrounded" in broken("A study of sleep found more.", passages=[passage])


def test_people_the_person_never_named_are_found() -> None:
    assert "ungrounded" in broken("How are your kids?", said="i miss him")
    assert broken("How are your kids?", said="my children saw it") == set()
    assert "ungrounded" in broken("She hurt you.", said="he hurt me")
    assert broken("He hurt you.", said="he hurt me") == set()


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("I can't breathe without him.", "i can't breathe without him any more"),
        ("You can't stop checking his page.", "i can't stop checking his page"),
        ("It sounds like you feel sick when he calls.", "i feel sick when he calls"),
        ("The person feels torn.", ""),
        ("The user needs comfort.", ""),
        ("I miss him so much.", ""),
    ],
)
def test_handing_the_words_back_is_an_echo(sentence: str, said: str) -> None:
    assert "echo" in broken(sentence, said=said)


def test_an_answer_that_adds_something_is_no_echo() -> None:
    said = "i miss him and i can't sleep"
    assert broken("Missing him at night can be so loud.", said=said) == set()
    assert broken("You could say silently: I miss him, and I wait.") == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "你不应该回去。",
        "Я понимаю.",
        "Lo siento mucho, estás pasando por algo difícil.",
        "Ich verstehe, wie schwer das für dich ist.",
    ],
)
def test_other_languages_are_found(sentence: str) -> None:
    assert "off_language" in broken(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "<|im_end|>",
        "[Passage 1] A bond forms slowly.",
        "*sighs softly* I hear you.",
        "(softly) It hurts.",
        "Assistant: I hear you.",
        "As an AI language model, I cannot feel.",
    ],
)
def test_traces_of_the_prompt_are_found(sentence: str) -> None:
    assert "leak" in broken(sentence)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 20_000,
        "you should " * 1_800,
        "he she they you could " * 900,
        "1 2 3 " * 3_300,
        "!? " * 6_600,
        "i feel like " * 1_600,
    ],
    ids=["letters", "should", "pronouns", "digits", "marks", "echo"],
)
def test_long_texts_take_linear_time(text: str) -> None:
    def seconds(piece: str) -> float:
        began = time.perf_counter()
        guard.check(piece, rules=RULES, said=piece)
        return time.perf_counter() - began

    short = max(seconds(text[: len(text) // 4]), 0.02)
    assert seconds(text) < 4 * 3 * short


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("What?! No.", ["What?!", "No."]),
        ("Dr. Lee came at 5 p.m. today.", ["Dr. Lee came at 5 p.m. today."]),
        ("Well... it hurts. I see.", ["Well... it hurts.", "I see."]),
        ("Wait… and see.", ["Wait… and see."]),
        ("“Why?” he asked. You left.", ["“Why?” he asked.", "You left."]),
        ("He said “no.” You cried.", ["He said “no.”", "You cried."]),
        ("One line\nanother", ["One line", "another"]),
        ("It hurts.You cry.", ["It hurts.", "You cry."]),
        ("e.g. music, i.e. sound.", ["e.g. music, i.e. sound."]),
        ("不要。回去。", ["不要。", "回去。"]),
        ("", []),
        ("  \n ", []),
    ],
)
def test_sentences_end_where_a_reader_hears_it(text: str, sentences: list[str]) -> None:
    assert [text[a:b] for a, b in guard.split_sentences(text)] == sentences


@given(st.text(alphabet="aB .!?…\n\"”'“,;)(1é好。", max_size=80))
def test_splitting_keeps_every_character(text: str) -> None:
    at = 0
    for start, end in guard.split_sentences(text):
        assert text[at:start].strip() == ""
        assert start < end
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


@given(st.integers(0, 90), st.text(max_size=20))
def test_a_cut_anywhere_gives_offsets_inside_the_text(cut: int, noise: str) -> None:
    reply = "You’ll be fine… “Leave him!” he said. Call 999, or text HOME to 741741. 好"
    text = reply[:cut] + noise + reply[cut:]
    for violation in guard.check(text, rules=RULES, said=noise):
        assert isinstance(violation, Violation)
        assert 0 <= violation.start < violation.end <= len(text)
