"""A small BM25 index over articles, for words that the embedder does not know.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
Beyond" (2009); k1 and b are the usual values from there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping

_K1 = 1.2
_B = 0.75
_WORD = re.compile(r"[^\W\d_]{2,}(?:'[a-z]+)?")
_SO_COMMON = 0.4
"""Words that stand in more than this share of the articles carry no meaning here."""


class LexicalIndex:
    """Scores every text against a query; the best one gets 1."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Count the words of each text."""
        counts = {key: Counter(words(text)) for key, text in texts.items()}
        lengths = {key: sum(counter.values()) for key, counter in counts.items()}
        average = sum(lengths.values()) / max(len(lengths), 1)
        holders = Counter(word for counter in counts.values() for word in counter)
        self._weights: dict[str, dict[str, float]] = {}
        for key, counter in counts.items():
            norm = _K1 * (1 - _B + _B * lengths[key] / max(average, 1.0))
            for word, count in counter.items():
                if holders[word] > _SO_COMMON * len(counts):
                    continue
                rarity = math.log(
                    1 + (len(counts) - holders[word] + 0.5) / (holders[word] + 0.5)
                )
                weight = rarity * count * (_K1 + 1) / (count + norm)
                self._weights.setdefault(word, {})[key] = weight

    def scores(self, query: str) -> dict[str, float]:
        """Give the texts that share words with the query, scores in (0, 1]."""
        total: Counter[str] = Counter()
        for word in set(words(query)):
            total.update(self._weights.get(word, {}))
        best = max(total.values(), default=0.0)
        return {key: value / best for key, value in total.items()} if best else {}


def words(text: str) -> list[str]:
    """Give the words of a text in lower case."""
    return _WORD.findall(text.lower())
