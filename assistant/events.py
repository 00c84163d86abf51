"""What happens in a turn, in order: the pipeline yields these, and pages show them."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.domain import (
    GuardAction,
    PatternFound,
    Plan,
    Retrieval,
    Sentence,
    TriageResult,
)
from assistant.domain_help import CardOffer, Service, WorldDirectory


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the parts of a turn took."""

    triage_ms: float = 0.0
    retrieve_ms: float = 0.0
    first_sentence_ms: float = 0.0
    total_ms: float = 0.0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    tokens_per_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Triaged:
    """Danger was looked for; always the first event."""

    result: TriageResult


@dataclass(frozen=True, slots=True)
class CardsOffered:
    """Cards to show before any sentence, most serious first."""

    offers: tuple[CardOffer, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """The person said where they are: services of that country are shown from now."""

    country: str
    name: str


@dataclass(frozen=True, slots=True)
class ServicesOffered:
    """Services for a person who looks for help; no danger need have been heard."""

    need: str
    services: tuple[Service, ...]
    country: str | None
    directories: tuple[WorldDirectory, ...] = ()


@dataclass(frozen=True, slots=True)
class Noticed:
    """What was noticed and found, for "why this reply"."""

    patterns: tuple[PatternFound, ...]
    retrieval: Retrieval
    plan: Plan


@dataclass(frozen=True, slots=True)
class SentenceReleased:
    """A checked sentence, ready to be shown."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Guarded:
    """A sentence was refused and retried or replaced; nothing to show."""

    action: GuardAction


@dataclass(frozen=True, slots=True)
class Notice:
    """A plain sentence about Ebb itself, such as a missing model file."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The last event of every turn."""

    timing: Timing


Event = (
    Triaged
    | Placed
    | CardsOffered
    | ServicesOffered
    | Noticed
    | SentenceReleased
    | Guarded
    | Notice
    | TurnEnded
)
