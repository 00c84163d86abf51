"""Hear danger by meaning: the ear's chances → signals.

The ear is a small tuned encoder. It hears what no rule names; it may raise a level, and
it decides on those rules that are only a hint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest

from assistant.domain import About, Card, Level, Message, Role, Signal, Time
from assistant.hearing import (
    FINE_WINDOW_WORDS,
    EarThresholds,
    around,
    plain,
    sentence_at,
    tail,
    windows,
)
from assistant.ports import Ear, Heard

TURNS = 4
"""Of a conversation, the person's last so many messages are read together."""


_PLACES = 8
"""More places than this in one message are heard in its windows alone."""
_LONG_WORDS = 60
_SHORT_WORDS = 10
_OFF_TOPIC = 0.3
_LONGING = 0.3
_LONGS = re.compile(
    r"\b(?:want|wanna|need|long|ache|dying|desperate) (?:so (?:bad|badly|much) )?"
    r"(?:to|for) (?:just )?(?:hear|see|ring|call|phone|text|message|write to|hold|"
    r"smell|touch|hug|be with|go back)\b"
)
_SOOTHES = re.compile(
    r"\b(?:calm|soothe|cheer|settle) (?:him|her|them|my \w+) ?(?:down|up)?\b"
    r"|\b(?:keep|make|get) (?:him|her|them|my \w+) (?:calm|happy|quiet|to calm)\b"
)
_ORDER_WORDS = 12
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |your |my |the |previous )*"
    r"(?:instructions?|rules|prompts?)\b|\bsystem prompt\b|^you are now\b"
)


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the ear made of one window of a text."""

    start: int
    end: int
    heard: Heard
    is_short: bool
    """A few words alone."""
    is_longing: bool
    """A pull to the other person is said or heard, or a wish to soothe them."""


def listen(ear: Ear, text: str, limits: EarThresholds) -> list[Hearing]:
    """Listen to a message in overlapping windows.

    Raises:
        TriageError: If the ear fails.
    """
    spans = list(windows(text))
    hearings = _hear(ear, spans, [plain(text[start:end]) for start, end in spans])
    if len(text.split()) <= FINE_WINDOW_WORDS:
        return hearings
    return [
        part
        for part in hearings
        if chance_of_danger(part.heard) >= limits.fine
        or len(text[part.start : part.end].split()) > FINE_WINDOW_WORDS
    ]


def listen_joined(
    ear: Ear, text: str, earlier: Sequence[Message], limits: EarThresholds
) -> list[Hearing]:
    """Listen to the person's last turns together; nothing where this is the first.

    A sad talk can sound dangerous as a whole; where it does so for a reason, it is
    clear which danger it is.

    Raises:
        TriageError: If the ear fails.
    """
    before = [m.content for m in earlier if m.role is Role.USER][-(TURNS - 1) :]
    if not before or not text.strip():
        return []
    hearings = _hear(ear, [(0, len(text))], [tail(plain(" / ".join([*before, text])))])
    return [
        part
        for part in hearings
        if chance_of_danger(part.heard) >= limits.joined
        and max(part.heard.cards.values()) >= limits.joined_card
    ]


def _hear(
    ear: Ear, spans: Sequence[tuple[int, int]], texts: Sequence[str]
) -> list[Hearing]:
    if not texts:
        return []
    return [
        Hearing(
            start,
            end,
            heard,
            is_short=len(window.split()) <= _SHORT_WORDS,
            is_longing=_is_longing(window, heard),
        )
        for (start, end), window, heard in zip(
            spans, texts, ear.hear(texts), strict=True
        )
        if not _is_about_something_else(window, heard)
    ]


def signals(
    hearings: Sequence[Hearing], limits: EarThresholds, *, cards: int = 2
) -> Iterator[Signal]:
    """Yield a signal for each card that is heard in a window, ``cards`` at most."""
    for part in hearings:
        level = heard_level(part, limits)
        if level is Level.NONE:
            continue
        about = About(_likeliest(part.heard.abouts))
        likely = heard_cards(part.heard, limits)[:cards]
        if Card.SOMEONE_ELSE in likely and about is About.OTHER:
            likely = [Card.SOMEONE_ELSE]  # the others speak to whom they happen to
        if part.is_longing and likely[0] is Card.HARM_TO_OTHERS:
            continue  # what comes second there is misheard too
        for card in likely:
            if card is Card.HARM_TO_OTHERS and part.is_longing:
                continue
            # Alone, the ear takes any question about going for an emergency.
            most = Level.URGENT if card is Card.LEAVING else Level.EMERGENCY
            yield Signal(
                rule_id="ear",
                kind=card,
                level=min(level, most),
                start=part.start,
                end=part.end,
                time=Time(_likeliest(part.heard.times)),
                about=about,
            )


def _is_about_something_else(text: str, heard: Heard) -> bool:
    """Tell whether a window is a recipe, a sum, or an order to the program.

    Such texts are far from what the ear has learned, and it may hear danger in them. On
    the development half no danger that it heard lay beyond this chance.
    """
    if heard.topics["off_topic"] >= _OFF_TOPIC:
        return True
    return len(text.split()) <= _ORDER_WORDS and bool(_ORDER.search(text.lower()))


def _is_longing(text: str, heard: Heard) -> bool:
    """Tell whether a pull to the other person is heard, or a wish to soothe them.

    Either can sound like the wish to hurt someone, and that card in answer to it
    accuses the person.
    """
    said = text.lower()
    return heard.patterns["craving"] >= _LONGING or bool(
        _LONGS.search(said) or _SOOTHES.search(said)
    )


def heard_level(part: Hearing, limits: EarThresholds) -> Level:
    """Give the level that is heard."""
    heard = part.heard
    danger = chance_of_danger(heard)
    if danger < (limits.short if part.is_short else limits.danger):
        return Level.NONE
    if heard.levels["emergency"] / danger >= limits.emergency:
        return Level.EMERGENCY
    serious = heard.levels["emergency"] + heard.levels["urgent"]
    return Level.URGENT if serious / danger >= limits.urgent else Level.SUPPORT


def chance_of_danger(heard: Heard) -> float:
    """Give the chance that there is any danger at all."""
    return 1 - heard.levels["none"]


def heard_cards(heard: Heard, limits: EarThresholds) -> list[Card]:
    """Give the likeliest card, and the next one if it is likely beside it.

    Two are usually the most a person can take in.
    """
    first, second = nlargest(2, heard.cards, key=lambda name: heard.cards[name])
    is_likely = heard.cards[second] >= limits.card
    return [Card(first), Card(second)] if is_likely else [Card(first)]


def unsure(hearings: Sequence[Hearing], limits: EarThresholds) -> Card | None:
    """Give the danger to ask about: heard faintly, but not as danger."""
    faint = [h for h in hearings if chance_of_danger(h.heard) >= limits.ask]
    if not faint:
        return None
    loudest = max(faint, key=lambda h: chance_of_danger(h.heard))
    return Card(_likeliest(loudest.heard.cards))


def supported(
    ear: Ear,
    text: str,
    hearings: Sequence[Hearing],
    signals: Sequence[Signal],
    limits: EarThresholds,
) -> list[Signal]:
    """Give the signals of rules where the ear hears danger too.

    First in the windows, then in the words about the place, and of a long message in
    its sentence alone: there a plain sentence drowns in what stands around it.

    Raises:
        TriageError: If the ear fails.
    """
    open_ = [signal for signal in signals if not _in_windows(hearings, signal, limits)]
    is_long = len(text.split()) > _LONG_WORDS
    near = [
        {around(text, s.start, s.end)}
        | ({sentence_at(text, s.start, s.end)} if is_long else set())
        for s in open_[:_PLACES]
    ]
    places = [place for two in near for place in two]
    dangerous = {
        place
        for place, heard in zip(places, ear.hear(places), strict=True)
        if chance_of_danger(heard) >= limits.hint
        and not _is_about_something_else(place, heard)
    }
    refused = {
        id(s) for s, two in zip(open_, near, strict=False) if not two & dangerous
    }
    refused |= {id(signal) for signal in open_[_PLACES:]}
    return [signal for signal in signals if id(signal) not in refused]


def _in_windows(
    hearings: Sequence[Hearing], signal: Signal, limits: EarThresholds
) -> bool:
    return any(
        chance_of_danger(heard.heard) >= limits.hint
        for heard in hearings
        if heard.start <= signal.start and signal.end <= heard.end
    )


def _likeliest(chances: dict[str, float]) -> str:
    return max(chances, key=lambda name: chances[name])
