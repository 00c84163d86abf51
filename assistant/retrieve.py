"""Find the passages that fit what a person said; say honestly when none does.

Dense and lexical scores are fused. The ways people say a thing (``asked_as``) are
indexed beside the text and folded into the passage they are nearest to.

Source of the weights and the floor: ``docs/measurements.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assistant import hearing, language
from assistant.content_library import Library
from assistant.domain import History, Passage, Retrieval, Role, Utterance
from assistant.errors import TriageError
from assistant.lexical import LexicalIndex
from assistant.normalise import plain
from assistant.ports import Ear, Embedder, IndexEntry, IndexHit, PassageIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

# An index built by another version of this module must be built again.
_INDEX_VERSION = "2"
_CANDIDATES = 200
# A topic's score: the mean of the three phrasings nearest to what was said, its nearest
# passage, the ear's chance, and a little for rare words in common. Measured on the
# development queries; the comparison is in docs/measurements.md.
_NEAREST_PHRASINGS = 3
_TEXT_WEIGHT = 0.3
_EAR_WEIGHT = 0.4
_LEXICAL_WEIGHT = 0.05
_EAR_NAMES = 0.05
_WEAK_BELOW = 0.33
OFF_TOPIC = "off_topic"
_FOLLOW_UP_WORDS = 9
_FOLLOW_UP_WEIGHT = 0.4


class Searcher:
    """The library, ready to be searched; safe to use from several threads."""

    def __init__(
        self,
        library: Library,
        embedder: Embedder,
        index: PassageIndex,
        ear: Ear | None = None,
        off_topic_from: float = 1.0,
    ) -> None:
        """Join the parts; ``prepare`` must run before the first search.

        Args:
            library: What is searched.
            embedder: Compares meaning.
            index: Holds the library's vectors.
            ear: Hears topics; None means without it.
            off_topic_from: The ear's chance from which a text is about something else.
        """
        self._ear = ear
        self._off_topic_from = off_topic_from
        self._topic_of = {article.id: article.topic for article in library.articles}
        self._main = frozenset(library.main_articles.values())
        self._library = library
        self._embedder = embedder
        self._index = index
        self._lexical = LexicalIndex({})

    def prepare(self) -> None:
        """Build the index where it is not current. Slow the first time only.

        Raises:
            StoreError: If the index cannot be written.
            RetrieveError: If the embedder fails.
        """
        self._lexical = LexicalIndex(lexical_texts(self._library))
        key = f"{_INDEX_VERSION} {self._embedder.name} {self._library.key}"
        if self._index.is_current(key):
            return
        entries, vectors = make_entries(self._library, self._embedder)
        self._index.build(key, entries, vectors)

    def find_passages(
        self, utterance: Utterance, history: History, count: int = 5
    ) -> Retrieval:
        """Give the passages closest to what was said, in this conversation.

        Raises:
            RetrieveError: If the index or the embedder fails.
        """
        text = plain(utterance.text).text.strip()
        if not text:
            return Retrieval((), weak=True)
        hits = self._index.query(self._query_vector(text, history), _CANDIDATES)
        topics = self._heard_topics(text)
        scores = self._topic_scores(hits, topics, self._lexical.scores(text))
        nearest = self._nearest_passages(hits, topics)
        # What a thing is stands in its topic's main article, not in a further one.
        main = self._main if language.asks_what_it_is(text) else frozenset()
        ranked = sorted(
            nearest,
            key=lambda p: (
                -scores.get(self._topic(p), 0.0),
                _article(p) not in main,
                -nearest[p],
            ),
        )
        taken: dict[str, str] = {}  # of each topic one: others say something else
        for passage_id in ranked:
            taken.setdefault(self._topic(passage_id), passage_id)
        passages = self._passages(list(taken.values())[:count], scores)
        weak = (
            max(scores.values(), default=0.0) < _WEAK_BELOW
            or topics.get(OFF_TOPIC, 0.0) >= self._off_topic_from
        )
        return Retrieval(passages, weak=weak)

    def _heard_topics(self, text: str) -> dict[str, float]:
        if self._ear is None:
            return {}
        try:
            (heard,) = self._ear.hear([hearing.plain(text)])
        except TriageError:
            return {}
        return heard.topics

    def _topic_scores(
        self,
        hits: Sequence[IndexHit],
        topics: dict[str, float],
        lexical: dict[str, float],
    ) -> dict[str, float]:
        """Score topics by their nearest phrasings and passage, by ear, and by words.

        An entry that is not among the hits counts as the farthest hit.
        """
        floor = min((hit.score for hit in hits), default=0.0)
        phrasings: dict[str, list[float]] = {}
        texts: dict[str, float] = {}
        for hit in hits:
            topic = self._topic(hit.passage_id)
            nearest = phrasings.setdefault(topic, [])
            if hit.entry_id == hit.passage_id:
                texts[topic] = max(hit.score, texts.get(topic, floor))
            elif len(nearest) < _NEAREST_PHRASINGS:  # hits come nearest first
                nearest.append(hit.score)
        scores = {}
        for topic in set(self._topic_of.values()):
            nearest = phrasings.get(topic, [])
            missing = _NEAREST_PHRASINGS - len(nearest)
            dense = (sum(nearest) + floor * missing) / _NEAREST_PHRASINGS
            scores[topic] = (
                (1 - _TEXT_WEIGHT) * dense
                + _TEXT_WEIGHT * texts.get(topic, floor)
                + _EAR_WEIGHT * topics.get(topic, 0.0)
            )
        for article_id, score in lexical.items():
            scores[self._topic_of[article_id]] += _LEXICAL_WEIGHT * score
        return scores

    def _nearest_passages(
        self, hits: Sequence[IndexHit], topics: dict[str, float]
    ) -> dict[str, float]:
        """Give each passage the score of its nearest entry.

        Where the ear hears a topic of which nothing is near, its first passage counts.
        """
        nearest: dict[str, float] = {}
        for article in self._library.articles:
            if topics.get(article.topic, 0.0) >= _EAR_NAMES:
                nearest[article.passages[0].id] = -1.0
        for hit in hits:
            known = nearest.get(hit.passage_id, -1.0)
            nearest[hit.passage_id] = max(hit.score, known)
        return nearest

    def _topic(self, passage_id: str) -> str:
        return self._topic_of[_article(passage_id)]

    def nearest_lines(self, text: str, lines: Sequence[str], count: int) -> list[str]:
        """Give the lines nearest to a text, nearest first.

        Raises:
            RetrieveError: If the embedder fails.
        """
        vectors = self._embedder.embed([plain(text).text, *lines])
        likeness = vectors[1:] @ vectors[0]
        best = likeness.argsort()[::-1][:count]
        return [lines[index] for index in best]

    def likeness(self, text: str, other: str) -> float:
        """Tell how close two texts are in meaning; 1 is the same.

        Raises:
            RetrieveError: If the embedder fails.
        """
        vectors = self._embedder.embed([text, other])
        return float(vectors[0] @ vectors[1])

    def nearest_articles(self, text: str) -> list[str]:
        """Rank articles by their single nearest entry, for comparison only.

        Raises:
            RetrieveError: If the index or the embedder fails.
        """
        vector = self._embedder.embed([plain(text).text])[0]
        hits = self._index.query(vector, _CANDIDATES)
        return list(dict.fromkeys(_article(hit.passage_id) for hit in hits))

    def _query_vector(self, text: str, history: History) -> NDArray[np.float32]:
        """Embed the words; a short follow-up leans on what was said before."""
        earlier = [m.content for m in history.messages if m.role is Role.USER]
        vectors = self._embedder.embed([text, *earlier[-1:]])
        if len(vectors) == 1 or len(text.split()) > _FOLLOW_UP_WORDS:
            return np.asarray(vectors[0], np.float32)
        mixed = vectors[0] + _FOLLOW_UP_WEIGHT * vectors[1]
        return np.asarray(mixed / np.linalg.norm(mixed), np.float32)

    def _passages(
        self, passage_ids: Sequence[str], scores: dict[str, float]
    ) -> tuple[Passage, ...]:
        found = []
        for passage_id in passage_ids:
            article, passage = self._library.passage_of(passage_id)
            found.append(
                Passage(
                    id=passage.id,
                    article_id=article.id,
                    topic=article.topic,
                    title=article.title,
                    heading=passage.heading,
                    text=passage.text,
                    sources=passage.sources,
                    score=round(min(max(scores[article.topic], 0.0), 1.0), 4),
                )
            )
        return tuple(found)


def make_entries(
    library: Library, embedder: Embedder
) -> tuple[list[IndexEntry], NDArray[np.float32]]:
    """Give every text to index, with its vector, folded into a passage each.

    A passage is indexed under its title, heading and text; each of the article's
    ``asked_as`` phrasings belongs to the passage that it is nearest to.
    """
    entries: list[IndexEntry] = []
    asked: list[tuple[str, list[str], str]] = []
    for article in library.articles:
        ids = [passage.id for passage in article.passages]
        for passage in article.passages:
            text = f"{article.title}. {passage.heading}. {passage.text}"
            entries.append(IndexEntry(passage.id, passage.id, text))
        for number, phrase in enumerate(article.asked_as):
            asked.append((f"{article.id}@{number}", ids, phrase))
    passage_vectors = embedder.embed([entry.text for entry in entries])
    asked_vectors = embedder.embed([phrase for _, _, phrase in asked])
    row = {entry.id: index for index, entry in enumerate(entries)}
    for (entry_id, ids, phrase), vector in zip(asked, asked_vectors, strict=True):
        likeness = passage_vectors[[row[i] for i in ids]] @ vector
        entries.append(IndexEntry(entry_id, ids[int(likeness.argmax())], phrase))
    return entries, np.concatenate([passage_vectors, asked_vectors])


def lexical_texts(library: Library) -> dict[str, str]:
    """Give the words of each article for the lexical index."""
    return {
        article.id: " ".join(
            [article.title, *article.asked_as, *(p.text for p in article.passages)]
        )
        for article in library.articles
    }


def _article(passage_id: str) -> str:
    return passage_id.partition("#")[0]
