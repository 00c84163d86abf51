"""The values that flow through one turn.

Frozen, slotted, and without behaviour. A field that holds what a person said, or what
was written in answer, has ``repr=False``: it cannot reach a log or a traceback.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# --- Speech -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Audio:
    """Mono sound in memory."""

    samples: NDArray[np.float32] = field(repr=False)
    """Shape ``(n,)``, values in [-1, 1]."""
    sample_rate_hz: int

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate_hz


@dataclass(frozen=True, slots=True)
class Segment:
    """A timed piece of a transcript; times count from the start of the recording."""

    start_s: float
    end_s: float
    text: str = field(repr=False)
    doubtful: bool
    """True where the words may be invented and the person should look at them."""
    avg_logprob: float = 0.0
    """How sure the recogniser was of each token, on average; 0 is certain."""
    no_speech_prob: float = 0.0
    """How likely the recogniser thought it that nobody spoke."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was recognised in one recording."""

    text: str = field(repr=False)
    language: str
    """BCP 47; empty where nobody spoke."""
    language_prob: float
    no_speech: bool
    segments: tuple[Segment, ...]
    duration_s: float


# --- What the person said -----------------------------------------------------------


class Role(StrEnum):
    """Who a message in a conversation is from."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation or of a prompt."""

    role: Role
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class History:
    """The finished turns of this conversation, oldest first; lives in memory only."""

    messages: tuple[Message, ...] = ()
    context: tuple[Message, ...] = ()
    """What the model may read: as ``messages``, with the notes it was given, but
    without any turn in which danger was heard."""
    raised: tuple[Card, ...] = ()
    """Cards raised earlier and not put aside by the person, most serious first."""
    put_aside: tuple[Card, ...] = ()
    """Cards the person put aside; they come back when they are heard again."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What the person said or typed in this turn."""

    text: str = field(repr=False)
    language: str = "en"
    country: str | None = None
    """ISO 3166-1 alpha-2, where the person chose one."""


# --- Triage -------------------------------------------------------------------------


class Level(IntEnum):
    """How urgently a human may be needed."""

    NONE = 0
    SUPPORT = 1
    URGENT = 2
    EMERGENCY = 3

    @property
    def word(self) -> str:
        """The level's name in records and files."""
        return self.name.lower()


class Card(StrEnum):
    """The kinds of danger that have a card; see ``knowledge/rules/triage.en.toml``."""

    SUICIDE = "suicide"
    SELF_HARM = "self_harm"
    VIOLENCE_NOW = "violence_now"
    STRANGULATION = "strangulation"
    THREATS = "threats"
    MEDICAL = "medical"
    SEXUAL_VIOLENCE = "sexual_violence"
    CHILD_DANGER = "child_danger"
    STALKING = "stalking"
    LEAVING = "leaving"
    PARTNER_SUICIDE = "partner_suicide"
    HARM_TO_OTHERS = "harm_to_others"
    SOMEONE_ELSE = "someone_else"


class Time(StrEnum):
    """When the danger that was heard is."""

    NOW = "now"
    RECENT = "recent"
    PAST = "past"
    UNCLEAR = "unclear"


class About(StrEnum):
    """Whom the danger is about."""

    SELF = "self"
    PARTNER = "partner"
    CHILD = "child"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Signal:
    """One place in the utterance where danger was heard."""

    rule_id: str
    kind: Card
    level: Level
    start: int
    """Character offset in the utterance, inclusive."""
    end: int
    """Character offset in the utterance, exclusive."""
    time: Time
    about: About


@dataclass(frozen=True, slots=True)
class TriageResult:
    """The grade of one utterance; offsets only, never the matched words."""

    level: Level
    cards: tuple[Card, ...]
    """Most serious first, three at most."""
    signals: tuple[Signal, ...]
    ask: Card | None = None
    """A danger to ask about gently, where triage was unsure."""


# --- The library --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lines:
    """Vetted sentences in Ebb's own voice that belong to one article."""

    openers: tuple[str, ...] = ()
    explanations: tuple[str, ...] = ()
    against_shame: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    small_steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArticlePassage:
    """One section of an article: a piece that stands alone."""

    id: str
    """``<article id>#<number from 1>``."""
    heading: str
    text: str
    """Without source marks."""
    sources: tuple[str, ...]
    claims: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """``text`` in pieces, each with the sources it ends on."""


@dataclass(frozen=True, slots=True)
class Article:
    """One file of ``knowledge/topics/``."""

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
    lines: Lines
    passages: tuple[ArticlePassage, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage found for an utterance."""

    id: str
    article_id: str
    topic: str
    title: str
    heading: str
    text: str
    sources: tuple[str, ...]
    score: float
    """In [0, 1]; higher is closer."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What the library has for an utterance, closest first."""

    passages: tuple[Passage, ...]
    weak: bool
    """True where nothing in the library answers it."""


@dataclass(frozen=True, slots=True)
class PatternFound:
    """A pattern noticed in the person's words."""

    id: str
    score: float
    """In [0, 1]; 0.5 or more means noticed."""
    start: int
    end: int


# --- The reply ----------------------------------------------------------------------


class TurnKind(StrEnum):
    """What a turn is; decides the parts of the reply and their order."""

    CRAVING = "craving"
    QUESTION = "question"
    HELP = "help"
    SHAME = "shame"
    DOUBT = "doubt"
    GRIEF = "grief"
    ANGER = "anger"
    PROGRESS = "progress"
    SMALL_TALK = "small_talk"
    SHARING = "sharing"
    FIXED = "fixed"
    """Answered by one vetted text, such as a request to decide or to diagnose."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What this turn's reply will be, decided before any word is generated."""

    kind: TurnKind
    parts: tuple[str, ...]
    """Names of line kinds, in the order of the reply, e.g. ``openers``."""
    article_id: str | None = None
    passage: Passage | None = None
    sure: bool = False
    """True where the article fits so well that its own lines may be said too."""
    notes: str = ""
    """A vetted sentence of the article, which the model's own must rest on."""
    lead: str = ""
    """The vetted explanation to begin an answer with; another than ``notes``."""
    defines: bool = False
    """True where the person asks what something is."""
    about_another: bool = False  # it is about somebody else than a partner
    fixed_key: str | None = None
    """The vetted text to show, for ``TurnKind.FIXED``."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages for one generation."""

    messages: tuple[Message, ...]
    template_id: str
    template_version: str
    dropped_messages: int = 0
    """How many of the oldest messages no longer fit."""


class Origin(StrEnum):
    """Who wrote a sentence of the reply."""

    MODEL = "model"
    VETTED = "vetted"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One checked sentence of the reply."""

    text: str = field(repr=False)
    origin: Origin
    passage_id: str | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """A guard rule that a candidate sentence breaks, and where."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class GuardAction:
    """What was done about a sentence that the guard refused."""

    rule: str
    text: str = field(repr=False)
    action: str
    """``retried`` or ``replaced``."""
