"""Walking in the library: shelves, what stands close, and finding without a model."""

from __future__ import annotations

import pytest

from assistant import browse
from assistant.browse import Finder
from assistant.content_library import Library
from assistant.domain import Passage, Retrieval


@pytest.fixture(scope="session")
def finder(library: Library) -> Finder:
    return Finder(library)


def _ids(finder: Finder, asked: str, heard: Retrieval | None = None) -> list[str]:
    return [article.id for article in finder.find(asked, heard)]


EVERYDAY = {
    "he said sorry and brought flowers": "sorry-gifts-and-promises",
    "is it my fault": "blame-shifting",
    "I went back again and feel ashamed": "if-you-have-gone-back",
    "she checks my phone": "jealousy-and-monitoring",
    "silent treatment": "silent-treatment",
    "I can’t sleep": "body-basics",
    "he choaked me": "strangulation",
    "they control all the money": "money-control",
    "what is a trauma bond?": "what-a-trauma-bond-is",
    "do they ever change": "can-they-change",
    "my friend is being hurt": "worried-about-someone",
    "how do I find a therapist": "finding-a-therapist",
    "I want to text her": "a-message-is-waiting",
    "lonely at night": "the-hours-after-midnight",
    "they said it never happened": "gaslighting",
    "why do I miss him so much": "missing-them-most-after-harm",
    "he threatens to kill himself if I leave": "partner-threatens-suicide",
    "kids": "children-and-safety",
    "VISA": "immigration-status",
    "is it love": "love-and-the-bond-side-by-side",
    "narcissist": "the-narcissist-label",
    "police": "when-it-is-an-emergency",
}


@pytest.mark.parametrize("asked", EVERYDAY, ids=EVERYDAY)
def test_everyday_words_find_what_fits_without_any_model(
    finder: Finder, asked: str
) -> None:
    assert EVERYDAY[asked] in _ids(finder, asked)[:5]


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "  ",
        "?!",
        "recipe for lasagne",
        "fix my bicycle tyre",
        "weather in Berlin tomorrow",
        "the capital of France",
        "stock market prices",
        "hola me siento triste",
        "zqx",
    ],
)
def test_words_that_nothing_fits_find_nothing(finder: Finder, asked: str) -> None:
    assert _ids(finder, asked) == []


def test_every_title_finds_its_own_article(finder: Finder, library: Library) -> None:
    missed = [
        article.id
        for article in library.articles
        if article.id not in _ids(finder, article.title)
    ]
    assert missed == []


def _heard(*ids: str, weak: bool = False) -> Retrieval:
    passages = tuple(Passage(f"{i}#1", i, i, "", "", "", (), 0.5) for i in ids)
    return Retrieval(passages, weak=weak)


def test_what_is_found_by_meaning_comes_first_and_none_twice(finder: Finder) -> None:
    found = _ids(finder, "silent treatment", _heard("isolation", "silent-treatment"))
    assert found[0] == "isolation"
    assert "silent-treatment" in found
    assert len(found) == len(set(found)) <= browse.MOST_FOUND


def test_where_meaning_fits_nothing_only_sure_words_count(finder: Finder) -> None:
    weak = _heard("isolation", weak=True)
    assert "pets" in _ids(finder, "pets", weak)
    assert _ids(finder, "who won the football match", weak) == []


def test_every_article_stands_on_one_shelf(library: Library) -> None:
    shelves = browse.shelves(library)
    placed = [article.id for shelf in shelves for article in shelf.articles]
    assert sorted(placed) == sorted(article.id for article in library.articles)
    assert [shelf.title for shelf in shelves] == list(
        dict.fromkeys(topic.section for topic in library.topics)
    )


def test_articles_of_the_same_topic_stand_closest(library: Library) -> None:
    near = browse.related(library, library.article("gaslighting"))
    assert near[0].id == "doubt-dressed-as-worry"
    for article in library.articles:
        found = browse.related(library, article)
        assert article not in found
        assert len(found) == 3


def test_the_last_of_a_shelf_has_none_after_it(library: Library) -> None:
    for shelf in browse.shelves(library):
        *_, before, last = shelf.articles
        assert browse.following(library, before) == last
        assert browse.following(library, last) is None
