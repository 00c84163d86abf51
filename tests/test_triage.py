"""Triage hears danger in the words people use, and lets everything else pass."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.content import content_root
from assistant.content_rules import (
    TriageRules,
    _pieces,
    compile_pattern,
    load_triage,
)
from assistant.domain import Card, History, Level, Message, Role, Time, Utterance
from assistant.errors import ContentError, TriageError
from assistant.triage import Hearer, grade

RULES = load_triage(content_root())
SOURCES = (content_root() / "knowledge" / "sources.md").read_text("utf-8")


def heard(text, *turns):
    """Grade a text after the given earlier turns, person first."""
    messages = tuple(
        Message(Role.ASSISTANT if place % 2 else Role.USER, said)
        for place, said in enumerate(turns)
    )
    return grade(Utterance(text), Hearer(RULES), History(messages))


def level(text, card, *turns):
    """The level of one card's strongest signal in this text."""
    found = [s.level for s in heard(text, *turns).signals if s.kind is card]
    return max(found, default=None)


# --- The rules ----------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES.rules, ids=lambda rule: rule.id)
def test_every_rule_hears_its_examples(rule):
    for example in rule.examples:
        ids = {signal.rule_id for signal in heard(example).signals}
        assert rule.id in ids, example


@pytest.mark.parametrize("rule", RULES.rules, ids=lambda rule: rule.id)
def test_every_rule_lets_its_counterexamples_pass(rule):
    for example in rule.counterexamples:
        ids = {signal.rule_id for signal in heard(example).signals}
        assert rule.id not in ids, example


@pytest.mark.parametrize("rule", RULES.rules, ids=lambda rule: rule.id)
def test_every_rule_has_a_reason_a_source_and_enough_examples(rule):
    file, _, anchor = rule.source.partition("#")
    assert rule.why
    assert file == "knowledge/sources.md"
    assert f"**{anchor}**" in SOURCES
    assert 3 <= len(rule.examples) <= 8
    assert 2 <= len(rule.counterexamples) <= 5


def test_every_card_has_rules():
    assert {rule.card for rule in RULES.rules} == set(Card)


def test_a_rule_that_could_match_is_always_tried():
    """The pieces of words only save time: without them the same is heard."""
    slow = TriageRules(RULES.version, RULES.rules, RULES.contexts, RULES.asked)
    for rule in RULES.rules:
        for text in rule.examples + rule.counterexamples:
            assert grade(Utterance(text), Hearer(slow)) == heard(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("kill(?:ed|ing)? me", "killing me"),
        ("(?:he|she) ~ hit", "she never once hit"),
        ("a[bc]+d", "abcbd"),
        ("(?:x|yy)?zz", "zz"),
        ("(?<!not )\\w+ed(?! up)", "jumped"),
        ("choke ?hold", "chokehold"),
        ("(?:ab){2,3}", "abab"),
    ],
)
def test_the_pieces_of_a_pattern_are_in_what_it_matches(pattern, text):
    pieces = _pieces([pattern], {})
    if "(?<!" not in pattern:
        assert compile_pattern(pattern, {}, "test").search(text)
    assert any(piece in text for piece in pieces)


def test_an_unknown_term_names_the_place():
    with pytest.raises(ContentError, match="here: unknown term <nobody>"):
        compile_pattern("<nobody> hit me", {}, "here")


def test_without_rules_nothing_may_go_on():
    with pytest.raises(TriageError):
        grade(Utterance("hello"), Hearer(TriageRules("0", (), {})))


# --- Denial, time, who --------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "He never hit me",
        "I am not going to kill myself",
        "No, he doesn't threaten me",
        "I would never hurt myself",
        "He has never laid a hand on me",
    ],
)
def test_a_denial_that_denies_is_no_danger(text):
    assert heard(text).level is Level.NONE


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("i dont know what to do he hits me", Card.VIOLENCE_NOW),
        ("he never hit me before last night", Card.VIOLENCE_NOW),
        ("he won't stop hitting me", Card.VIOLENCE_NOW),
        ("not gonna lie i want to kill myself", Card.SUICIDE),
        ("He never hit me but he choked me twice", Card.STRANGULATION),
        ("I'm not suicidal, I just don't want to wake up", Card.SUICIDE),
    ],
)
def test_a_denial_that_leaves_the_danger_is_heard(text, card):
    assert card in heard(text).cards


@pytest.mark.parametrize(
    ("text", "card", "expected"),
    [
        ("he choked me", Card.STRANGULATION, Level.URGENT),
        ("he just choked me", Card.STRANGULATION, Level.EMERGENCY),
        (
            "Years ago he choked me and we still live together",
            Card.STRANGULATION,
            Level.URGENT,
        ),
        (
            "My ex choked me years ago. I haven't seen him since.",
            Card.STRANGULATION,
            Level.SUPPORT,
        ),
        ("my ex used to hit me, I left ten years ago", Card.VIOLENCE_NOW, None),
        ("My dad hit me when I was little", Card.VIOLENCE_NOW, None),
        ("I want to die", Card.SUICIDE, Level.URGENT),
        ("I'm going to kill myself", Card.SUICIDE, Level.EMERGENCY),
        ("I'm leaving him next month", Card.LEAVING, Level.SUPPORT),
        ("I'm leaving him tonight", Card.LEAVING, Level.URGENT),
    ],
)
def test_the_level_depends_on_when(text, card, expected):
    assert level(text, card) is expected


@pytest.mark.parametrize(
    "text",
    [
        "My sister rang. Her husband choked her last night.",
        "I'm worried about my friend. He beats her.",
        "my friend says she wants to die",
    ],
)
def test_danger_to_another_person_has_its_own_card(text):
    assert Card.SOMEONE_ELSE in heard(text).cards


def test_whom_it_is_about_may_have_been_said_a_turn_earlier():
    result = heard("He choked her last night.", "I'm worried about my sister.", "Tell.")
    assert Card.SOMEONE_ELSE in result.cards


@pytest.mark.parametrize(
    "text",
    [
        "In the film he strangles me with his eyes, I mean her",
        "I dreamt that he hit me",
        "my novel is about a man who kills his wife",
        "in this video game she keeps killing me",
    ],
)
def test_fiction_is_no_danger(text):
    assert heard(text).level is Level.NONE


def test_like_in_a_film_is_not_fiction():
    assert Card.STRANGULATION in heard("it was like in a film, he choked me").cards


# --- The conversation ---------------------------------------------------------------


def test_danger_stays_when_the_subject_changes():
    result = heard("anyway, nice weather", "he hit me yesterday", "I am sorry.")
    assert result.cards == (Card.VIOLENCE_NOW,)
    assert result.level is Level.SUPPORT


def test_one_no_does_not_make_danger_vanish():
    result = heard("no", "I want to kill myself tonight", "Are you safe?")
    assert Card.SUICIDE in result.cards


def test_yes_to_a_question_about_dying_is_heard():
    question = "May I ask plainly: are you having thoughts of ending your life?"
    result = heard("yes, sometimes", "I am so tired", question)
    assert result.level is Level.URGENT
    assert Card.SUICIDE in result.cards


@pytest.mark.parametrize(
    "said", ["maybe", "sometimes when i drive", "i have, yes", "idk"]
)
def test_half_a_yes_to_it_is_heard(said):
    question = (
        "It is all right to say it here: are you thinking about ending your life?"
    )
    assert Card.SUICIDE in heard(said, "I am so tired", question).cards


@pytest.mark.parametrize(
    "said",
    [
        "I have arthritis and he does the driving",
        "maybe the loud one at home is me after all",
        "he has always had a temper but not in the garden",
    ],
)
def test_a_sentence_that_begins_like_a_yes_is_none(said):
    question = (
        "It is all right to say it here: are you thinking about ending your life?"
    )
    assert Card.SUICIDE not in heard(said, "I was at work", question).cards


def test_yes_to_another_question_is_only_a_yes():
    assert heard("yes", "hello", "Would a small step help?").level is Level.NONE


def test_unsure_words_ask_and_two_of_them_offer_the_card():
    once = heard("I just want it to stop")
    assert once.level is Level.NONE
    assert once.ask is Card.SUICIDE
    twice = heard("I don't trust myself tonight", "I'm scared of my own thoughts", "?")
    assert twice.level is Level.NONE
    assert twice.ask is Card.SELF_HARM
    added = heard("I wouldn't actually do it", "I just want it to stop", "Go on.")
    assert added.level is Level.SUPPORT
    assert added.cards == (Card.SUICIDE,)


def test_at_most_three_cards_the_most_serious_first():
    result = heard(
        "he choked me, he has a gun, he hits my son, he follows me, I took all my pills"
    )
    assert len(result.cards) == 3
    assert result.level is Level.EMERGENCY
    assert result.cards[0] in {Card.MEDICAL, Card.SUICIDE}


# --- Shape --------------------------------------------------------------------------


def test_spans_show_the_words_in_the_original():
    text = "Well…  he’s  chocked me twice."
    signal = next(
        s for s in heard(text).signals if s.rule_id == "strangulation-choke-me"
    )
    assert re.fullmatch(r"(?:he’s\s+)?chocked me.*", text[signal.start : signal.end])


def test_one_sentence_in_a_long_monologue_is_heard():
    filler = "i keep going over the day we met and the rain and the bus home " * 40
    result = heard(filler + "and then he put his hands round my neck " + filler)
    assert Card.STRANGULATION in result.cards


def test_time_is_reported():
    assert heard("he hit me last night").signals[0].time is Time.RECENT


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_graded_within_its_bounds(text):
    for signal in heard(text).signals:
        assert 0 <= signal.start < signal.end <= len(text)


@pytest.mark.parametrize(
    "piece",
    ["a", "he hit me ", "he said he will ", "i want to ", '"(', ", , ", "my ex ", "\n"],
)
def test_triage_is_linear_whatever_the_text(piece):
    text = piece * (100_000 // len(piece))
    took = []
    for size in (25_000, 100_000):
        began = time.process_time()
        heard(text[:size])
        took.append(time.process_time() - began)
    assert took[1] < 8 * took[0] + 0.5
