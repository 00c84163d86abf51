"""Passages that fit, honest when none does; the index is a cache."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant import retrieve, settings
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


def test_the_first_five_are_of_five_topics(searcher: Searcher) -> None:
    found = searcher.find_passages(Utterance("he checks my phone every night"), NONE)
    assert len({p.topic for p in found.passages}) == len(found.passages) == 5


def test_scores_are_between_nothing_and_one_and_fall(searcher: Searcher) -> None:
    found = searcher.find_passages(Utterance("he checks my phone every night"), NONE)
    scores = [p.score for p in found.passages]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_nothing_said_finds_nothing(searcher: Searcher) -> None:
    found = searcher.find_passages(Utterance("  "), NONE)
    assert found.weak
    assert found.passages == ()


@pytest.mark.weights
def test_a_short_follow_up_leans_on_what_was_said_before(library: Library) -> None:
    from assistant.adapters.onnx_embedder import OnnxEmbedder

    some = replace(library, articles=library.articles[::6])
    embedder = OnnxEmbedder(settings.load().models_dir / "minilm-l6-int8")
    searcher = Searcher(some, embedder, MemoryIndex())
    searcher.prepare()
    said = some.articles[3].asked_as[0]
    history = History((Message(Role.USER, said),))
    alone = searcher.find_passages(Utterance("and why is that?"), NONE)
    after = searcher.find_passages(Utterance("and why is that?"), history)
    direct = searcher.find_passages(Utterance(said), NONE)
    wanted = {p.topic for p in direct.passages}
    shared = [len(wanted & {p.topic for p in f.passages}) for f in (alone, after)]
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
