"""Is the passage that fits among the first, and is "not in my sources" honest?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from assistant import records
from assistant.content_library import Library
from assistant.domain import Retrieval
from assistant.evaluation.stats import Share, mean_record
from assistant.lexical import LexicalIndex
from assistant.records import InputLine
from assistant.retrieve import Searcher, lexical_texts

Ranker = Callable[[InputLine], list[str]]


def run(
    rows: list[dict[str, Any]], searcher: Searcher, library: Library
) -> dict[str, Any]:
    """Measure retrieval; BM25 alone and the embedder alone stand beside it."""
    weak_right: list[bool] = []
    turned_away: list[bool] = []
    misses = []
    found: dict[str, Retrieval] = {}
    for row in rows:
        line = records.input_line(row)
        retrieval = searcher.find_passages(line.utterance, line.history)
        found[row["id"]] = retrieval
        if not row["topics"]:
            weak_right.append(retrieval.weak)
            continue
        turned_away.append(retrieval.weak)
        topics = [passage.topic for passage in retrieval.passages]
        if not set(topics[:3]) & set(row["topics"]):
            text = line.utterance.text
            misses.append(
                {
                    "id": row["id"],
                    "text": text,
                    "wanted": row["topics"],
                    "got": topics[:3],
                }
            )
    lexical = LexicalIndex(lexical_texts(library))
    topic_of = {article.id: article.topic for article in library.articles}

    def by_words(line: InputLine) -> list[str]:
        scores = lexical.scores(line.utterance.text)
        return [topic_of[key] for key in sorted(scores, key=lambda k: -scores[k])]

    def by_nearness(line: InputLine) -> list[str]:
        return [topic_of[key] for key in searcher.nearest_articles(line.utterance.text)]

    return {
        **_ranking(rows, lambda line: [p.topic for p in found[line.id].passages]),
        "off_topic_said": Share(sum(weak_right), len(weak_right)).record(),
        "good_turned_away": Share(sum(turned_away), len(turned_away)).record(),
        "bm25_alone": _ranking(rows, by_words),
        "embedder_alone": _ranking(rows, by_nearness),
        "misses": misses,
    }


def _ranking(rows: list[dict[str, Any]], rank: Ranker) -> dict[str, Any]:
    first, third, gains = [], [], []
    for row in rows:
        if not row["topics"]:
            continue
        topics = rank(records.input_line(row))[:5]
        first.append(bool(set(topics[:1]) & set(row["topics"])))
        third.append(bool(set(topics[:3]) & set(row["topics"])))
        gains.append(_ndcg(topics, row["topics"]))
    return {
        "hit_at_1": Share(sum(first), len(first)).record(),
        "hit_at_3": Share(sum(third), len(third)).record(),
        "ndcg_at_5": mean_record(gains),
    }


def _ndcg(topics: list[str], wanted: list[str]) -> float:
    """Normalised discounted gain, each wanted topic counted once."""
    seen: set[str] = set()
    gain = 0.0
    for place, topic in enumerate(topics):
        if topic in wanted and topic not in seen:
            seen.add(topic)
            gain += 1 / math.log2(place + 2)
    return gain / sum(1 / math.log2(place + 2) for place in range(len(wanted)))
