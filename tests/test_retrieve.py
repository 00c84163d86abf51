"""Passages that fit, honest when none does; the index is a cache."""

from __future__ import annotations

from dataclasses import replace

from assistant import retrieve
from assistant.adapters.memory_index import MemoryIndex
from assistant.adapters.scripted import HashEmbedder
from assistant.content_library import Library
from assistant.domain import History, Message, Role, Utterance
from assistant.retrieve import Searcher

NONE = History()


def test_the_words_of_an_article_find_it(searcher: Searcher, library: Library) -> None:
    hits = 0
    for article in library.articles:
        found = searcher.find_passages(Utterance(article.asked_as[0]), NONE)
        hits += article.id in [p.article_id for p in found.passages]
    assert hits >= 0.9 * len(library.articles)


def test_no_article_is_named_twice(searcher: Searcher) -> None:
    found = searcher.find_passages(Utterance("he checks my phone every night"), NONE)
    articles = [p.article_id for p in found.passages]
    assert len(articles) == len(set(articles)) == 5


def test_scores_are_between_nothing_and_one_and_fall(searcher: Searcher) -> None:
    found = searcher.find_passages(Utterance("he checks my phone every night"), NONE)
    scores = [p.score for p in found.passages]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_nothing_said_finds_nothing(searcher: Searcher) -> None:
    found = searcher.find_passages(Utterance("  "), NONE)
    assert found.weak
    assert found.passages == ()


def test_a_short_follow_up_leans_on_what_was_said_before(searcher: Searcher) -> None:
    said = "he checks my phone every night and wants my password"
    history = History((Message(Role.USER, said),))
    alone = searcher.find_passages(Utterance("hmm"), NONE)
    after = searcher.find_passages(Utterance("hmm"), history)
    direct = searcher.find_passages(Utterance(said), NONE)
    wanted = {p.article_id for p in direct.passages}
    shared = [
        len(wanted & {p.article_id for p in found.passages}) for found in (alone, after)
    ]
    assert shared[1] > shared[0]


def test_the_index_is_built_once_and_again_when_the_library_changes(
    library: Library,
) -> None:
    index = MemoryIndex()
    builds: list[str] = []
    original = index.build
    index.build = lambda key, *rest: (builds.append(key), original(key, *rest))  # type: ignore[method-assign,assignment]  # counts
    Searcher(library, HashEmbedder(), index).prepare()
    Searcher(library, HashEmbedder(), index).prepare()
    assert len(builds) == 1
    Searcher(replace(library, key="changed"), HashEmbedder(), index).prepare()
    assert len(builds) == 2


def test_every_phrasing_belongs_to_a_passage_of_its_own_article(
    library: Library,
) -> None:
    entries, vectors = retrieve.make_entries(library, HashEmbedder())
    assert len(entries) == len(vectors) == len({e.id for e in entries})
    for entry in entries:
        owner = entry.id.partition("@")[0].partition("#")[0]
        assert entry.passage_id.partition("#")[0] == owner
