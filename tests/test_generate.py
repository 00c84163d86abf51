"""Deltas become whole sentences, however they are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.generate import stream_sentences

TEXT = "It may hurt. You are not alone in this! Is that so… It can be."
WHOLE = ["It may hurt.", "You are not alone in this!", "Is that so…", "It can be."]


@given(st.lists(st.integers(0, len(TEXT)), max_size=12))
def test_every_way_to_cut_gives_the_same_sentences(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(TEXT)]
    deltas = [TEXT[a:b] for a, b in zip(places, places[1:], strict=False)]
    assert list(stream_sentences(deltas)) == WHOLE


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It may hurt. And the rest is cut o", ["It may hurt."]),
        ("It may hurt.\nUser: what now", ["It may hurt."]),
        ("It may hurt. Note: more", ["It may hurt."]),
        ("It may hurt. <|im_start|>user", ["It may hurt."]),
        ("\n\nIt may hurt.", ["It may hurt."]),
        ("", []),
        ("no end at all", []),
    ],
)
def test_strays_and_cut_off_ends_are_dropped(text: str, sentences: list[str]) -> None:
    assert list(stream_sentences([text])) == sentences


def test_a_sentence_that_never_ends_is_dropped() -> None:
    assert list(stream_sentences(["word "] * 1000)) == []


def test_reading_stops_at_the_first_stray() -> None:
    def deltas() -> object:
        yield "One. Two.\nUser"
        raise AssertionError("read on after a stray")

    assert list(stream_sentences(deltas())) == ["One.", "Two."]  # type: ignore[arg-type]  # a generator
