"""BM25 over articles: rare words count, common ones do not."""

from __future__ import annotations

from assistant.lexical import LexicalIndex

TEXTS = {
    "a": "the cat sat on the mat with a strangulated meow",
    "b": "the dog sat on the log all day long",
    "c": "the bird sat in the tree and sang",
}


def test_a_rare_word_finds_its_text() -> None:
    scores = LexicalIndex(TEXTS).scores("a strangulated sound")
    assert max(scores, key=lambda key: scores[key]) == "a"
    assert scores["a"] == 1.0


def test_a_word_that_all_texts_share_says_nothing() -> None:
    assert LexicalIndex(TEXTS).scores("sat the") == {}


def test_no_words_and_no_texts_give_nothing() -> None:
    assert LexicalIndex(TEXTS).scores("") == {}
    assert LexicalIndex({}).scores("cat") == {}
