"""A sentence says only what its note says, in every part of it."""

from __future__ import annotations

import pytest

from assistant import grounding

NOTE = "When silence could make someone angry, a short calm reply can be the safer one."
SAID = "i keep texting him at night on my phone"


def _by_words(text: str, other: str) -> float:
    """Stand in for the embedder: 1 where a long word is shared."""
    ours, theirs = (
        {w.strip(".,").lower() for w in t.split() if len(w.strip(".,")) > 4}
        for t in (text, other)
    )
    return float(bool(ours & theirs))


@pytest.mark.parametrize(
    "sentence",
    [
        "A short reply may be safer where silence could make someone angry.",
        "You keep texting at night, and a calm reply can be the safer one.",
        "A calm reply can be the safer one, and that counts.",
    ],
)
def test_a_sentence_of_the_note_rests_on_it(sentence: str) -> None:
    assert grounding.rests_on(sentence, NOTE, SAID, _by_words)


@pytest.mark.parametrize(
    "sentence",
    [
        "A calm reply can be the safer one, and writing daily is a good way to bond.",
        "A calm reply can be safer, because people fall into old patterns again.",
        "Bread rises well in a warm kitchen.",
    ],
)
def test_what_was_added_is_seen(sentence: str) -> None:
    assert not grounding.rests_on(sentence, NOTE, SAID, _by_words)


def test_a_part_close_in_meaning_may_use_other_words() -> None:
    sentence = "A calm reply can be safer, and fury might follow quiet hours."
    assert grounding.rests_on(sentence, NOTE, SAID, lambda *_: 0.8)
    assert not grounding.rests_on(sentence, NOTE, SAID, _by_words)


def _near(*_: str) -> float:
    return 0.8


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("Understanding a person is not the same.", "Understanding a person is other."),
        ("A pause can be a punishment.", "A pause need not be a punishment."),
    ],
)
def test_a_not_that_came_or_went_is_seen(sentence: str, note: str) -> None:
    assert not grounding.rests_on(sentence, note, "", _near)
    assert grounding.rests_on(note, note, "", _near)


def test_a_question_does_not_come_back_as_a_fact() -> None:
    said = "so the worst part is over now, right?"
    sentence = "The worst part is over now, but change shows over a long while."
    note = "Change shows in how a person acts over a long while."
    low = {"The worst part is over now": 0.2}
    assert not grounding.rests_on(sentence, note, said, lambda a, _: low.get(a, 0.8))


@pytest.mark.parametrize(
    "sentence",
    [
        "You can use phones, cars and shared accounts to frighten someone.",
        "You may be controlling how someone keeps money.",
        "You might hurt the one you love.",
        "You can be truly kind in one place and cruel in another.",
    ],
)
def test_what_others_do_is_not_said_of_you(sentence: str) -> None:
    note = "Phones and shared accounts can be misused to frighten someone."
    assert grounding.accuses(sentence, note)


@pytest.mark.parametrize(
    "sentence",
    [
        "You may be hurt and still miss them.",
        "You can be frightened and calm in one hour.",
        "You might blame yourself for it.",
        "Someone can use a phone to frighten you.",
    ],
)
def test_what_is_done_to_you_may_be_said(sentence: str) -> None:
    assert not grounding.accuses(sentence, "A note.")


def test_an_example_of_the_prompt_does_not_come_back() -> None:
    example = "That grief is real even if others do not see it."
    sentence = "Old rules can go on, and stress is real even if others do not see it."
    assert grounding.parrots(sentence, "Old rules can go on.", [example])
    assert not grounding.parrots(sentence, sentence, [example])
    assert not grounding.parrots("Grief is real.", "Grief.", [example])


def test_a_note_about_you_does_not_come_back_as_one_about_me() -> None:
    note = "What you say is often kept private, with limits."
    assert grounding.speaks_of_itself("What I have said is often kept private.", note)
    assert not grounding.speaks_of_itself("What you say is often kept private.", note)
    assert not grounding.speaks_of_itself("I am a program.", "I am a program here.")


def test_how_likely_a_thing_is_stands_in_the_note_or_nowhere() -> None:
    note = "It may help more to notice an urge than to fight it."
    said = "You may be more likely to notice an urge than to fight it."
    assert grounding.claims_more(said, note)
    assert not grounding.claims_more("Noticing an urge may help more.", note)
    assert not grounding.claims_more("It always may.", "It may always help.")
