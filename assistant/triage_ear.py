"""Hear danger by meaning: the ear's chances → signals.

The ear is a small tuned encoder. It hears what no rule names; it may raise a level, and
it decides on those rules that are only a hint. Thresholds are in
``knowledge/rules/ear.toml``, chosen on the development half of the project's sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.domain import About, Card, Level, Message, Role, Signal, Time
from assistant.ports import Ear, Heard

TURNS = 4
"""Of a conversation, the person's last so many messages are read together."""
_WINDOW_WORDS = 48
_STEP_WORDS = 36
_WORD = re.compile(r"\S+")
_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans("’‘“”–—", "''\"\"--")
# A word this long is no word; the tokenizer would spend its time on it.
_LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class EarThresholds:
    """From which chance on something counts as heard."""

    danger: float
    """Chance that there is any danger at all."""
    card: dict[str, float]
    """Chance of each card."""
    urgent: float
    """Chance of urgent and emergency together."""
    emergency: float
    hint: float
    """Chance of its card from which a rule that is only a hint counts."""
    ask: float
    """Chance of danger from which Ebb asks gently."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the ear made of one window of a text."""

    start: int
    end: int
    heard: Heard


def listen(ear: Ear, text: str, earlier: Sequence[Message]) -> list[Hearing]:
    """Listen to a message in overlapping windows, and to the last turns together.

    Raises:
        TriageError: If the ear fails.
    """
    spans = list(windows(text))
    texts = [plain(text[start:end]) for start, end in spans]
    before = [m.content for m in earlier if m.role is Role.USER][-(TURNS - 1) :]
    if before:
        spans.append((0, len(text)))
        texts.append(plain(" / ".join([*before, text])))
    if not texts:
        return []
    return [
        Hearing(start, end, heard)
        for (start, end), heard in zip(spans, ear.hear(texts), strict=True)
    ]


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Give windows of up to 48 words that overlap by 12, as character offsets."""
    words = [match.span() for match in _WORD.finditer(text)]
    for first in range(0, len(words), _STEP_WORDS):
        part = words[first : first + _WINDOW_WORDS]
        yield part[0][0], part[-1][1]
        if first + _WINDOW_WORDS >= len(words):
            return


def plain(text: str) -> str:
    """Bring a text into the shape the ear was trained on."""
    words = _SPACES.split(text.translate(_QUOTES).strip())
    return " ".join(word[:_LONGEST_WORD] for word in words)


def signals(hearings: Sequence[Hearing], limits: EarThresholds) -> Iterator[Signal]:
    """Yield a signal for each card that is heard in a window."""
    for hearing in hearings:
        level = heard_level(hearing.heard, limits)
        if level is Level.NONE:
            continue
        for card in heard_cards(hearing.heard, limits):
            yield Signal(
                rule_id="ear",
                kind=card,
                level=level,
                start=hearing.start,
                end=hearing.end,
                time=Time(_likeliest(hearing.heard.times)),
                about=About(_likeliest(hearing.heard.abouts)),
            )


def heard_level(heard: Heard, limits: EarThresholds) -> Level:
    """Give the level that is heard."""
    chances = heard.levels
    serious = chances["urgent"] + chances["emergency"]
    if chances["emergency"] >= limits.emergency:
        return Level.EMERGENCY
    if serious >= limits.urgent:
        return Level.URGENT
    if serious + chances["support"] >= limits.danger:
        return Level.SUPPORT
    return Level.NONE


def heard_cards(heard: Heard, limits: EarThresholds) -> list[Card]:
    """Give the cards that are heard: the likeliest, and those that are sure beside it."""
    first = _likeliest(heard.cards)
    sure = [c for c, chance in heard.cards.items() if chance >= limits.card[c]]
    return [Card(name) for name in dict.fromkeys([first, *sure])]


def supports(hearings: Sequence[Hearing], signal: Signal, limits: EarThresholds) -> bool:
    """Tell whether the ear hears a rule's danger too, where the rule matched."""
    return any(
        hearing.heard.cards[signal.kind] >= limits.hint
        or 1 - hearing.heard.levels["none"] >= limits.danger
        for hearing in hearings
        if hearing.start <= signal.start and signal.end <= hearing.end
    )


def _likeliest(chances: dict[str, float]) -> str:
    return max(chances, key=lambda name: chances[name])
