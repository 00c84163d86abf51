"""Read the library: topics and articles of ``knowledge/``."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from assistant import content
from assistant.domain import Article, ArticlePassage, Lines
from assistant.errors import ContentError

Claims: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""A text in pieces, each with the sources that it ends on."""
_Record = TypeVar("_Record", Article, ArticlePassage)
_SOURCE_MARK = re.compile(r"\s*\[([a-z0-9, -]+)\]([.,;:!?]*)")
_SOURCE_ENTRY = re.compile(r"^- \*\*([a-z0-9-]+)\*\*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of the library; ids are stable."""

    id: str
    section: str
    scope: str


@dataclass(frozen=True, slots=True)
class Library:
    """All articles, and the key that changes whenever any of their text does."""

    topics: tuple[Topic, ...]
    articles: tuple[Article, ...]
    key: str

    def article(self, article_id: str) -> Article:
        """Give an article by its id.

        Raises:
            KeyError: If there is none.
        """
        return _by_id(self.articles, article_id)

    @property
    def main_articles(self) -> dict[str, str]:
        """Give each topic's main article: the one of the same name, else the first."""
        main: dict[str, str] = {}
        for article in self.articles:
            if article.id == article.topic or article.topic not in main:
                main[article.topic] = article.id
        return main

    def passage_of(self, passage_id: str) -> tuple[Article, ArticlePassage]:
        """Give a passage by its id, with its article.

        Raises:
            KeyError: If there is none.
        """
        article = self.article(passage_id.partition("#")[0])
        return article, _by_id(article.passages, passage_id)


def _by_id(records: tuple[_Record, ...], wanted: str) -> _Record:
    for record in records:
        if record.id == wanted:
            return record
    raise KeyError(wanted)


def load(root: Path) -> Library:
    """Read and validate the whole library.

    Raises:
        ContentError: If a file is invalid; names the file and the field.
    """
    path = root / "knowledge" / "topics.toml"
    tables = content.take(content.read_toml(path), "topic", content.TABLES, path.name)
    topics = tuple(content.build(Topic, raw, path.name) for raw in tables)
    known_sources = source_ids(root)
    topic_ids = {topic.id for topic in topics}
    digest = hashlib.sha256()
    articles: dict[str, Article] = {}
    for path in sorted((root / "knowledge" / "topics").glob("*.md")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
        article = read_article(path)
        if article.topic not in topic_ids:
            raise ContentError(f"{path.name}: unknown topic “{article.topic:.40}”.")
        if missing := set(article.sources) - known_sources:
            raise ContentError(f"{path.name}: unknown source “{min(missing):.40}”.")
        articles[article.id] = article
    return Library(topics, tuple(articles.values()), digest.hexdigest())


def source_ids(root: Path) -> set[str]:
    """Give the ids of all entries of ``knowledge/sources.md``."""
    text = content.read_text(root / "knowledge" / "sources.md")
    return set(_SOURCE_ENTRY.findall(text))


def read_article(path: Path) -> Article:
    """Read one article; its sections become passages.

    Raises:
        ContentError: If the header or the sections are not as they must be.
    """
    header, body = content.read_front_matter(path)
    if header.get("id") != path.stem:
        raise ContentError(f"{path.name}: “id” must be the file's name.")
    header["lines"] = content.build(
        Lines,
        content.take(header, "lines", dict[str, Any], path.name, {}),
        path.name,
    )
    passages: list[ArticlePassage] = []
    used: set[str] = set()
    for number, (heading, text) in enumerate(
        content.split_sections(body, path).items(), 1
    ):
        claims = claims_in(text)
        sources = cited_in(claims)
        used.update(sources)
        passages.append(
            ArticlePassage(
                id=f"{path.stem}#{number}",
                heading=heading,
                text="".join(piece for piece, _ in claims),
                sources=sources,
                claims=claims,
            )
        )
    if not passages:
        raise ContentError(f"{path.name}: has no passages.")
    lines = header.pop("lines")
    article = content.build(_Header, header, path.name)
    if used != set(article.sources):
        raise ContentError(
            f"{path.name}: “sources” must name what the text cites, no more, no less."
        )
    return Article(
        **{name: getattr(article, name) for name in _Header.__slots__},
        lines=lines,
        passages=tuple(passages),
    )


@dataclass(frozen=True, slots=True)
class _Header:
    id: str
    topic: str
    title: str
    version: str
    language: str
    reviewed_by: str
    reviewed_on: str
    review_due: str
    licence: str
    sources: tuple[str, ...]
    patterns: tuple[str, ...]
    asked_as: tuple[str, ...]


def claims_in(text: str) -> Claims:
    """Split a text after each source mark; the marks themselves are taken out."""
    claims: list[tuple[str, tuple[str, ...]]] = []
    start = 0
    for mark in _SOURCE_MARK.finditer(text):
        sources = tuple(source.strip() for source in mark[1].split(","))
        claims.append((text[start : mark.start()] + mark[2], sources))
        start = mark.end()
    if start < len(text):
        claims.append((text[start:], ()))
    return tuple(claims)


def cited_in(claims: Claims) -> tuple[str, ...]:
    """Give every source that claims rest on, once, in order."""
    return tuple(dict.fromkeys(source for _, ids in claims for source in ids))
