"""Check what a machine can check of the library: length, reading grade, wording.

Run by ``ebb doctor`` and by the tests. It does not show that a text is true or kind:
people who read it do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from assistant.content_library import Library
from assistant.domain import Article

MIN_WORDS, MAX_WORDS = 60, 140
MAX_GRADE = 8.0
_PHONE = re.compile(r"\d(?:[\s().-]?\d){5,}")
_LINK = re.compile(r"https?:|www\.|\w@\w", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?]+(?:\s|$)")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Claims and wording that sources.md forbids ("Do not say").
_BANNED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\blizard brain",
        r"\blimbic",
        r"\bneural pathway",
        r"\brewir",
        r"\bseven (?:attempts|times)\b",
        r"\bjust leave\b",
        r"\blove addict",
        r"\bvictim mentality",
        r"\byou (?:should|must|have to|need to) "
        r"(?:leave|stay|go back|block|forgive|report|tell|confront)\b",
        r"\byou (?:are|'re) safe\b",
    )
)


def problems(library: Library) -> list[str]:
    """List what is wrong, one sentence each; empty when nothing is."""
    found = [line for article in library.articles for line in _in_article(article)]
    missing = {t.id for t in library.topics} - {a.topic for a in library.articles}
    found += [f"topic {topic} has no article" for topic in sorted(missing)]
    return found + list(_twins(library))


def overdue(library: Library, today: date) -> list[str]:
    """List the articles whose review date has passed."""
    return [
        article.id
        for article in library.articles
        if date.fromisoformat(article.review_due) < today
    ]


def reading_grade(text: str) -> float:
    """Give the US school grade that a text needs.

    Source: Kincaid et al. 1975, Navy research report 8-75; syllables by hyphenation.
    """
    import pyphen

    words = _WORD.findall(text)
    if not words:
        return 0.0
    hyphenation = pyphen.Pyphen(lang="en_US")
    syllables = sum(len(hyphenation.positions(word.lower())) + 1 for word in words)
    sentences = max(len(_SENTENCE_END.findall(text)), 1)
    return 0.39 * len(words) / sentences + 11.8 * syllables / len(words) - 15.59


def _in_article(article: Article) -> Iterator[str]:
    for passage in article.passages:
        count = len(passage.text.split())
        if not MIN_WORDS <= count <= MAX_WORDS:
            yield f"{passage.id} has {count} words"
        if (grade := reading_grade(passage.text)) > MAX_GRADE:
            yield f"{passage.id} needs reading grade {grade:.1f}"
    for text in _all_texts(article):
        if _PHONE.search(text) or _LINK.search(text):
            yield f"{article.id} holds a phone number or a link"
        for pattern in _BANNED:
            if pattern.search(text):
                yield f"{article.id} says “{pattern.search(text)[0]}”"  # type: ignore[index]  # just matched


def _all_texts(article: Article) -> Iterator[str]:
    lines = article.lines
    yield article.title
    for passage in article.passages:
        yield f"{passage.heading}. {passage.text}"
    yield from lines.openers + lines.explanations + lines.against_shame
    yield from lines.questions + lines.small_steps


def _twins(library: Library) -> Iterator[str]:
    seen: dict[str, str] = {}
    for article in library.articles:
        for passage in article.passages:
            key = " ".join(_WORD.findall(passage.text.lower()))
            if key in seen:
                yield f"{passage.id} is the same as {seen[key]}"
            seen[key] = passage.id
