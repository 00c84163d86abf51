"""Notice patterns of harm, of the pull back, and of strength in the person's words.

Covers: the phrases of ``knowledge/rules/patterns.<language>.toml``, spelt as people
type, and what the ear hears in meaning. Does not cover: irony, other people's stories.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from assistant import hearing
from assistant.content_rules import PhraseRule
from assistant.domain import PatternFound
from assistant.normalise import PlainText, spoken
from assistant.ports import Ear
from assistant.sentences import split_sentences, split_stretches

_NEAR_CHARS = 60
"""How far around a match its excuses count: people write without full stops."""


NOTICED = 0.5
"""From this score on a pattern counts as noticed."""
_BESIDE_EAR = 0.4
"""What a phrase weighs where the ear listens too: alone it then notices nothing.
Chosen on the development texts, with the ear's threshold; see ``calibrate.py``."""
_FAINT = 0.3
"""Less evidence than this from the ear is not worth showing."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason to notice a pattern; an encoder's score is another such reason."""

    pattern: str
    weight: float
    """In [0, 1]."""
    start: int
    end: int


def notice(
    text: str,
    rules: Sequence[PhraseRule],
    ear: Ear | None = None,
    threshold: float = 0.5,
) -> tuple[PatternFound, ...]:
    """Find the patterns that a text shows.

    Args:
        text: What the person said.
        rules: The rules for patterns.
        ear: Hears patterns in meaning; None means by rules alone.
        threshold: The ear's chance from which a pattern is noticed.

    Returns:
        One entry a pattern, strongest first; a score of 0.5 or more means noticed.
        The span is where it shows best, in characters of ``text``.
    """
    phrases = list(evidence(text, rules))
    if ear is None:
        return weigh(phrases)
    hints = (replace(one, weight=one.weight * _BESIDE_EAR) for one in phrases)
    return weigh([*hints, *hear(text, ear, threshold)])


def evidence(text: str, rules: Sequence[PhraseRule]) -> Iterator[Evidence]:
    """Yield every rule that matches, once, where it matches first."""
    stretches = [
        (start, spoken(text[start:end]))
        for sentence in split_sentences(text)
        for start, end in split_stretches(*sentence)
    ]
    for rule in rules:
        for start, words in stretches:
            if hit := _first_hit(rule, words):
                first, last = words.span(*hit)
                yield Evidence(rule.rule, rule.weight, start + first, start + last)
                break


def hear(text: str, ear: Ear, threshold: float) -> Iterator[Evidence]:
    """Yield what the ear hears, as evidence that is 0.5 at the threshold."""
    best: dict[str, Evidence] = {}
    spans = list(hearing.windows(text))
    heard_all = ear.hear([hearing.plain(text[start:end]) for start, end in spans])
    for (start, end), heard in zip(spans, heard_all, strict=True):
        for pattern, chance in heard.patterns.items():
            above = max(0.0, (chance - threshold) / max(1 - threshold, 1e-6))
            weight = 0.5 * chance / threshold if not above else 0.5 + 0.5 * above
            if pattern not in best or weight > best[pattern].weight:
                best[pattern] = Evidence(pattern, weight, start, end)
    yield from (found for found in best.values() if found.weight >= _FAINT)


def weigh(reasons: Iterable[Evidence]) -> tuple[PatternFound, ...]:
    """Join the reasons for each pattern: two weak ones make a stronger one."""
    by_pattern: dict[str, list[Evidence]] = {}
    for reason in reasons:
        by_pattern.setdefault(reason.pattern, []).append(reason)
    found = []
    for pattern, its_reasons in by_pattern.items():
        best = max(its_reasons, key=lambda reason: reason.weight)
        score = 1 - math.prod(1 - reason.weight for reason in its_reasons)
        found.append(PatternFound(pattern, round(score, 4), best.start, best.end))
    return tuple(sorted(found, key=lambda one: (-one.score, one.start, one.id)))


def _first_hit(rule: PhraseRule, words: PlainText) -> tuple[int, int] | None:
    hits = [
        hit
        for pattern in rule.patterns
        for hit in pattern.finditer(words.text)
        if hit.end() > hit.start() and not _is_excused(rule, words.text, hit)
    ]
    if not hits:
        return None
    return min(hit.span() for hit in hits)


def _is_excused(rule: PhraseRule, text: str, hit: re.Match[str]) -> bool:
    near = text[max(0, hit.start() - _NEAR_CHARS) : hit.end() + _NEAR_CHARS]
    return any(pattern.search(near) for pattern in rule.unless)
