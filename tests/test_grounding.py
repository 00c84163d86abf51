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
    assert grounding.rests_on(sentence, NOTE, SAID, lambda *_: 0.7)
    assert not grounding.rests_on(sentence, NOTE, SAID, _by_words)
