"""Walk in the library: its shelves, what stands close, and finding by one's own words.

Pure, and needs no model: words are compared without their endings. Where the library's
search is loaded, what it found by meaning is taken in as well.

Does not cover: other languages; words that neither an article nor ``asked_as`` holds.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from assistant import lexical
from assistant.content_library import Library, Topic
from assistant.domain import Article, Retrieval
from assistant.normalise import plain, spoken

MOST_FOUND = 8
_RELATED = 3
_TITLE_COUNTS = 2.0
"""A word of a title says more than one of the text."""
_BEST_PIECES = 2
_FITS_FROM = 0.5
"""How much of what was asked the best article must hold, or nothing fits. On the
development queries 12 % found nothing, and 68 % of those about something else did."""
_SURE_FROM = 0.8
"""The same where the search by meaning found nothing that fits."""
_LISTED_FROM = 0.3
"""How much the others must hold to be listed after it."""
_ENDINGS = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s", "y")
_SHORTEST_STEM = 3
_DOUBLED = re.compile(r"([b-df-hj-np-rtv-z])\1$")
# Stems that mean the same here.
_SAME = {"asham": "sham", "kid": "child", "children": "child", "childr": "child"}
# Without these, nothing is left of a question such as “what is it?”.
_BARE = frozenset("a an and do i is it of or the to what".split())
# Words of asking, not of what is asked for; the rest of the common ones go by count.
_ASKING = frozenset(
    "a about after again all also always am an and any anything are as ask at be "
    "because been before being but by can can't come could did didn't do does doesn't "
    "doing don't even ever every everything feel feeling find for from get gets "
    "getting give go goes going got had has have having he he's help her here hers him "
    "his how i i'd i'll i'm i've if in into is isn't it it's its just keep keeps kind "
    "know let like lot make makes many may maybe me mean means might more most much "
    "must my myself need no not now of off ok on one only or other our out over "
    "partner people please put read really said same say says see she she's should so "
    "some someone something still such tell than that that's the their them then there "
    "these they they're thing things think this those to too try trying up us use very "
    "want wants was wasn't way we were what what's when where which while who why will "
    "with won't word words would yes you you're your".split()
)


@dataclass(frozen=True, slots=True)
class Shelf:
    """One section of the library with its articles, in the order of the topics."""

    title: str
    articles: tuple[Article, ...]


def shelves(library: Library) -> tuple[Shelf, ...]:
    """Give the library section by section; articles of one topic stand together."""
    by_topic: dict[str, list[Article]] = {}
    for article in library.articles:
        by_topic.setdefault(article.topic, []).append(article)
    by_section: dict[str, list[Article]] = {}
    for topic in library.topics:
        held = by_section.setdefault(topic.section, [])
        held.extend(by_topic.get(topic.id, []))
    return tuple(
        Shelf(title, tuple(articles))
        for title, articles in by_section.items()
        if articles
    )


def topic_of(library: Library, article: Article) -> Topic | None:
    """Give an article's topic; None where the library does not list it."""
    return next((t for t in library.topics if t.id == article.topic), None)


def following(library: Library, article: Article) -> Article | None:
    """Give the article that stands next on the same shelf; None after the last."""
    for shelf in shelves(library):
        if article in shelf.articles:
            place = shelf.articles.index(article) + 1
            return shelf.articles[place] if place < len(shelf.articles) else None
    return None


def related(
    library: Library, article: Article, count: int = _RELATED
) -> tuple[Article, ...]:
    """Give the articles closest to one: same topic first, then shared patterns.

    A pattern that few articles share counts for more; the same section counts a little.
    """
    holders = Counter(p for other in library.articles for p in other.patterns)
    section = {topic.id: topic.section for topic in library.topics}

    def closeness(other: Article) -> float:
        shared = set(article.patterns) & set(other.patterns)
        score = sum(1 / math.sqrt(holders[pattern]) for pattern in shared)
        score /= math.sqrt(max(len(other.patterns), 1))
        if section.get(other.topic) == section.get(article.topic):
            score *= 1.5
        return score + 10 * (other.topic == article.topic)

    others = [other for other in library.articles if other.id != article.id]
    best = sorted(others, key=lambda other: -closeness(other))
    return tuple(other for other in best[:count] if closeness(other) > 0)


class Finder:
    """Finds articles by a person's own words; built once, safe for several threads.

    An article is compared piece by piece: its title, each way it is asked for, each
    passage. A short question then meets the short piece that is like it.
    """

    def __init__(self, library: Library) -> None:
        """Count the words of every article."""
        self._by_id = {article.id: article for article in library.articles}
        scopes = {topic.id: topic.scope for topic in library.topics}
        pieces: dict[str, list[str]] = {}
        for article in library.articles:
            for number, piece in enumerate(_pieces(article, scopes)):
                pieces[f"{article.id}#{number}"] = _stems(plain(piece).text)
        self._index = lexical.LexicalIndex(
            {key: " ".join(stems) for key, stems in pieces.items()}
        )
        self._pieces = len(pieces)
        self._holders = Counter(s for stems in pieces.values() for s in set(stems))
        self._held: dict[str, set[str]] = {key: set() for key in self._by_id}
        for key, stems in pieces.items():
            self._held[_article(key)].update(stems)

    def find(
        self, asked: str, heard: Retrieval | None = None, count: int = MOST_FOUND
    ) -> tuple[Article, ...]:
        """Give the articles that fit, best first; none where nothing does.

        Args:
            asked: What was typed, at most a few sentences.
            heard: What the search by meaning found; None where it is not loaded.
            count: How many at most.
        """
        by_words = self._by_words(asked, _SURE_FROM if _is_weak(heard) else _FITS_FROM)
        if heard is None or heard.weak:
            return by_words[:count]
        by_meaning = [self._by_id[p.article_id] for p in heard.passages]
        return _alternating(by_meaning, by_words)[:count]

    def _by_words(self, asked: str, fits_from: float) -> tuple[Article, ...]:
        said = spoken(asked).text
        meant = set(_stems(said, _ASKING)) or set(_stems(said, _BARE))
        whole = sum(map(self._weight, meant))
        likeness: dict[str, list[float]] = {}
        for key, score in self._index.scores(" ".join(meant)).items():
            number = key.partition("#")[2]
            bonus = _TITLE_COUNTS if number == "0" else 1.0
            likeness.setdefault(_article(key), []).append(score * bonus)
        shares = {
            key: sum(map(self._weight, meant & self._held[key])) / whole
            for key in likeness
        }
        if max(shares.values(), default=0.0) < fits_from:
            return ()
        ranked = sorted(
            (share * sum(sorted(likeness[key])[-_BEST_PIECES:]), key)
            for key, share in shares.items()
            if share >= _LISTED_FROM
        )
        return tuple(self._by_id[key] for _, key in reversed(ranked))

    def _weight(self, stem: str) -> float:
        """Give how much a word tells; one that nothing holds tells the most."""
        return math.log(1 + self._pieces / (1 + self._holders[stem]))


def _is_weak(heard: Retrieval | None) -> bool:
    return heard is not None and heard.weak


def _alternating(
    first: Iterable[Article], second: Iterable[Article]
) -> tuple[Article, ...]:
    """Take from both in turn, each article once."""
    waiting = [list(first), list(second)]
    found: dict[str, Article] = {}
    for place in range(max(map(len, waiting))):
        for source in waiting:
            if place < len(source):
                found.setdefault(source[place].id, source[place])
    return tuple(found.values())


def _pieces(article: Article, scopes: dict[str, str]) -> list[str]:
    """Give what an article is found by; its title, the strongest, comes first."""
    names = " ".join(article.patterns).replace("_", " ")
    return [
        article.title,
        f"{article.topic} {scopes.get(article.topic, '')} {names}",
        *article.asked_as,
        *(f"{passage.heading} {passage.text}" for passage in article.passages),
    ]


def _article(piece: str) -> str:
    return piece.partition("#")[0]


def _stems(text: str, without: frozenset[str] = frozenset()) -> list[str]:
    return [_stem(word) for word in lexical.words(text) if word not in without]


def _stem(word: str) -> str:
    """Cut what English adds to a word, so that “stopped” meets “stop”."""
    word = word.partition("'")[0]
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or word.endswith("ss"):
            continue
        if len(stem) >= _SHORTEST_STEM:
            word = stem
            break
    word = _DOUBLED.sub(r"\1", word)
    word = word.removesuffix("e") if len(word) > _SHORTEST_STEM else word
    return _SAME.get(word, word)
