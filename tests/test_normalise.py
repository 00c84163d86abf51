"""Text is brought into one shape, and every place leads back to the original."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.normalise import PlainText, plain, spoken


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("He’s HERE", "he's here"),
        ("pl\u200bease", "please"),
        ("sооо", "soo"),  # Cyrillic о
        ("ｈｅｌｐ", "help"),
        ("a\tb", "a b"),
    ],
    ids=["curly", "invisible", "look-alike", "full-width", "tab"],
)
def test_plain_folds_what_is_never_meant(written, heard):
    assert plain(written).text == heard


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("hes gna hurt u", "he's going to hurt you"),
        ("he chocked me", "he choked me"),
        ("a nife", "a knife"),
        ("étranglée", "etranglee"),
        ("أريد", "اريد"),
        ("مُوتُ", "موت"),
        ("ज़िंदगी", "जिंदगी"),
        ("करूँगा", "करूंगा"),
    ],
    ids=["texting", "choked", "knife", "accents", "alef", "vowels", "dot", "nasal"],
)
def test_spoken_writes_out_what_people_mean(written, heard):
    expected = plain(heard).text if heard.isascii() else spoken(heard).text
    assert spoken(written).text == expected


def test_spoken_leaves_words_alone_that_only_look_alike():
    assert spoken("The shed, the shell and ill will").text == (
        "the shed, the shell and ill will"
    )


def test_a_respelt_word_points_back_to_the_whole_word():
    text = "he is gonna stop"
    heard = spoken(text)
    start = heard.text.index("going to")
    assert heard.span(start, start + len("going to")) == (6, 11)


def test_an_empty_span_is_empty():
    assert PlainText("", ()).span(0, 0) == (0, 0)


@pytest.mark.parametrize("normalise", [plain, spoken])
@given(text=st.text(max_size=200))
def test_every_character_has_a_place_in_the_original(normalise, text):
    heard = normalise(text)
    assert len(heard.text) == len(heard.offsets)
    assert list(heard.offsets) == sorted(heard.offsets)
    assert all(0 <= place < len(text) for place in heard.offsets)


@pytest.mark.parametrize("text", ["a" * 100_000, "he " * 33_000, "“‘" * 50_000])
def test_normalising_is_linear(text):
    began = time.process_time()
    spoken(text)
    assert time.process_time() - began < 3
