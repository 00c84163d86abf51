"""Hear danger by rules: one text → signals, weighed by the words around each match.

Covers: what the rule files name, in any spelling that ``normalise.spoken`` folds
together; who it is about, when it is, denial and fiction, as far as the words around a
match show them. Does not cover: irony, hints that no rule knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assistant.content_rules import TriageRule, TriageRules
from assistant.domain import About, Card, Level, Signal, Time
from assistant.normalise import PlainText
from assistant.rule_pattern import Pattern

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*|\n")
_CLAUSE_BREAK = re.compile(
    r"[;:,()\"]|\s-+\s|\b(?:but|and|although|though|except|because|so|then|when)\b"
)
# What a former partner did in these ways is mostly over; stalking or threats are not.
_ENDS_WITH_THEM = frozenset(
    {Card.VIOLENCE_NOW, Card.STRANGULATION, Card.SEXUAL_VIOLENCE, Card.MEDICAL}
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|myself)\b")
# A message without punctuation is read in overlapping windows of this many characters.
_WINDOW_CHARS = 400
_WINDOW_STEP = 300
# How far around a match, in characters, words say when it was, and whom it is about.
_CLOSE_CHARS = 120
_SCENE_CHARS = 260
# A denial stands in the match or at most this many words before it.
_DENIAL_WORDS = 4


@dataclass(frozen=True, slots=True)
class _Place:
    """A match, and the words around it."""

    hit: str = field(repr=False)
    pattern: str
    before: str = field(repr=False)
    """The same clause, up to the match."""
    after: str = field(repr=False)
    """The rest of the sentence, as far as it is close."""
    close: str = field(repr=False)
    """The same sentence, as far as it is close."""
    scene: str = field(repr=False)
    """The sentences around it too."""


def listen(
    text: PlainText, rules: TriageRules, earlier: Sequence[PlainText]
) -> Iterator[Signal]:
    """Yield one signal per rule and sentence, with offsets in the original text."""
    whole = text.text
    background = earlier[-1].text[-_WINDOW_CHARS:] + "\n" if earlier else ""
    found: dict[tuple[str, int], Signal] = {}
    for start, end in _sentences(whole):
        sentence = whole[start:end]
        scene_start = max(0, start - _WINDOW_CHARS)
        lead = background if start < _WINDOW_CHARS else ""
        mentioned = lead + whole[scene_start : end + _CLOSE_CHARS]
        for rule in _candidates(sentence, rules):
            if rule.near and not any(p.search(mentioned) for p in rule.near):
                continue
            for hit in _hits(rule, sentence):
                a, b = start + hit.start(), start + hit.end()
                span = text.span(a, b)
                if (rule.id, span[0]) in found:
                    continue
                scene = whole[max(0, a - _SCENE_CHARS) : b + _SCENE_CHARS]
                place = _place(hit, sentence, scene)
                if signal := _signal(rule, place, span, rules.contexts):
                    found[rule.id, span[0]] = signal
                    break  # once in a sentence says as much as ten times
    yield from found.values()


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Give the sentences; long ones as overlapping windows between white space."""
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        while end - start > _WINDOW_CHARS:
            cut = text.rfind(" ", start + _WINDOW_STEP, start + _WINDOW_CHARS)
            yield start, cut if cut > 0 else start + _WINDOW_CHARS
            step = text.rfind(" ", start + 1, start + _WINDOW_STEP)
            start = step if step > start + _WINDOW_STEP // 2 else start + _WINDOW_STEP
        yield start, end


def _candidates(sentence: str, rules: TriageRules) -> Iterator[TriageRule]:
    if not rules.wanted:
        return iter(rules.rules)
    places = {
        place
        for piece, owners in rules.wanted.items()
        if piece in sentence
        for place in owners
    }
    return (rules.rules[place] for place in sorted(places))


def _hits(rule: TriageRule, sentence: str) -> Iterator[re.Match[str]]:
    for pattern in rule.patterns:
        yield from pattern.finditer(sentence)


def _place(hit: re.Match[str], sentence: str, scene: str) -> _Place:
    start, end = hit.span()
    close_start = max(0, start - _CLOSE_CHARS)
    before = sentence[close_start:start]
    breaks = list(_CLAUSE_BREAK.finditer(before))
    return _Place(
        hit=hit[0],
        pattern=hit.re.pattern,
        before=before[breaks[-1].end() :] if breaks else before,
        after=sentence[end : end + _CLOSE_CHARS],
        close=sentence[close_start : end + _CLOSE_CHARS],
        scene=scene,
    )


def _signal(
    rule: TriageRule,
    place: _Place,
    span: tuple[int, int],
    contexts: dict[str, Pattern],
) -> Signal | None:
    """Weigh one match; None where the words around it show that it is no danger."""
    if any(pattern.search(place.close) for pattern in rule.unless):
        return None
    if contexts["fiction"].search(place.close):
        return None
    if rule.negatable and _is_denied(place, contexts):
        return None
    card, about = _who(rule, place, contexts)
    time, level = _when(rule, place, contexts)
    if level is Level.NONE and not rule.asks:
        return None
    return Signal(
        rule_id=rule.id,
        kind=card,
        level=level,
        start=span[0],
        end=span[1],
        time=time,
        about=about,
    )


def _is_denied(place: _Place, contexts: dict[str, Pattern]) -> bool:
    """Tell whether the person says that it is not so, and means it."""
    said = " ".join(place.before.split()[-_DENIAL_WORDS:])
    # A "not" that the pattern itself asks for is part of the danger.
    if not contexts["negation"].search(place.pattern):
        said += f" {place.hit}"
    said = contexts["no_denial"].sub(" ", said)
    return bool(contexts["negation"].search(said)) and not (
        contexts["exception"].match(place.after.lstrip(" ,"))
    )


def _who(
    rule: TriageRule, place: _Place, contexts: dict[str, Pattern]
) -> tuple[Card, About]:
    """Tell whom a match is about; danger to a friend has a card of its own."""
    if rule.about is not About.SELF or _FIRST_PERSON.search(place.hit):
        return rule.card, rule.about
    if contexts["other_person"].search(place.before):
        return Card.SOMEONE_ELSE, About.OTHER
    return rule.card, rule.about


def _when(
    rule: TriageRule, place: _Place, contexts: dict[str, Pattern]
) -> tuple[Time, Level]:
    """Tell when it is, and how urgent that makes it.

    What is long over does not alarm, but only where the other one is gone: ``past``
    never silences a danger from someone who is still there.
    """
    if rule.asks:
        return rule.time or Time.UNCLEAR, Level.NONE
    if rule.time is not None:
        return rule.time, rule.level
    if contexts["childhood"].search(place.scene):
        return Time.PAST, rule.past
    if contexts["now"].search(place.close):
        return Time.NOW, rule.now
    recent = contexts["recent"].search(place.close)
    long_ago = contexts["past"].search(place.scene)
    gone = contexts["gone"].search(place.scene)
    still = contexts["still"].search(place.scene)
    if recent and not (long_ago and gone and not still):
        return Time.RECENT, rule.level
    if long_ago:
        return Time.PAST, rule.level if still and not gone else rule.past
    if gone and not still and rule.card in _ENDS_WITH_THEM:
        return Time.PAST, min(rule.level, max(rule.past, Level.SUPPORT))
    return Time.UNCLEAR, rule.level
