"""Which words the ear is given: windows, the words about a place, one sentence."""

from __future__ import annotations

import pytest

from assistant import hearing

TEXT = "We had soup. He held me under the tap! Then the news came on."
START = TEXT.index("under")
END = START + len("under the tap")


def test_a_place_is_heard_with_its_sentence_alone() -> None:
    assert hearing.sentence_at(TEXT, START, END) == "He held me under the tap!"


def test_a_place_over_two_sentences_is_heard_with_both() -> None:
    both = "He held me under the tap! Then the news came on."
    assert hearing.sentence_at(TEXT, START, TEXT.index("news")) == both


def test_the_words_about_a_place_are_few_on_either_side() -> None:
    text = "before " * 40 + "HERE" + " after" * 40
    near = hearing.around(text, text.index("HERE"), text.index("HERE") + 4)
    assert near.split() == ["before"] * 12 + ["HERE"] + ["after"] * 12


@pytest.mark.parametrize("words", [0, 1, 24, 25, 60, 61, 300, 301, 3000])
def test_windows_leave_no_word_out(words: int) -> None:
    text = " ".join(f"w{n}" for n in range(words))
    heard = {w for a, b in hearing.windows(text) for w in text[a:b].split()}
    assert heard == set(text.split())
