"""A program without models, for the page's tests: the same interface, a fixed script.

Content that is in the repository (directory, library, fixed texts) is the real one.
What is answered depends on one word in what is said:

- ``danger``: two cards at ``urgent``, then vetted sentences
- ``emergency``: one card at ``emergency``
- ``slow``: ten sentences, with a pause before each
- ``long``: six sentences
- ``broken``: fails in the middle
- anything else: three sentences, one of them from the library
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assistant import (
    content,
    content_directory,
    content_library,
    content_ride,
    content_texts,
    live,
    refer,
)
from assistant.adapters.scripted_speech import ScriptedVoice
from assistant.domain import (
    About,
    Article,
    ArticlePassage,
    Audio,
    Card,
    Level,
    Lines,
    Origin,
    Passage,
    PatternFound,
    Plan,
    Retrieval,
    Segment,
    Sentence,
    Signal,
    Time,
    Transcript,
    TriageResult,
    TurnKind,
)
from assistant.domain_help import CardOffer, CardText
from assistant.events import (
    CardsOffered,
    Event,
    Notice,
    Noticed,
    SentenceReleased,
    Timing,
    Triaged,
    TurnEnded,
)
from assistant.live import SoFar
from assistant.ports import SpeechToText, TextToSpeech, VoiceDetector
from assistant.settings import Settings

HEARD = "I keep reading the old messages at night."
_LOUD = 0.02
_REPLY = (
    "That pull can be very strong at night.",
    "It often comes in a wave: it rises, it peaks, and it passes.",
    "What would feel a little kinder to you in the next few minutes?",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the program, as ``assistant.wiring.Part`` has it."""

    name: str
    state: str
    sentence: str = ""


@cache
def directory() -> content_directory.Directory:
    """Read the real directory, once."""
    return content_directory.load(content.content_root())


@cache
def _texts() -> tuple[content_texts.Replies, dict[Card, CardText]]:
    root = content.content_root()
    return content_texts.load_replies(root), content_texts.load_cards(root)


@cache
def _library() -> content_library.Library:
    passage = ArticlePassage(
        id="riding-out-an-urge#1",
        heading="An urge rises and passes",
        text="Many people describe an urge as a wave. It grows, it peaks, it eases.",
        sources=("bowen-marlatt-2009",),
        claims=(
            ("Many people describe an urge as a wave.", ("bowen-marlatt-2009",)),
            (" It grows, it peaks, it eases.", ()),
        ),
    )
    article = Article(
        id="riding-out-an-urge",
        topic="riding-out-an-urge",
        title="Riding out an urge",
        version="1.0.0",
        language="en",
        reviewed_by="the Ebb team; no outside specialist yet",
        reviewed_on="2026-11-30",
        review_due="2027-11-30",
        licence="CC-BY-4.0",
        sources=("bowen-marlatt-2009",),
        patterns=("craving",),
        asked_as=(),
        lines=Lines(),
        passages=(passage,),
    )
    real = content_library.load(content.content_root())
    return content_library.Library(real.topics, (article, *real.articles), "scripted")


class ScriptedTalk:
    """One tab's talk; remembers what it was told, so that a test can ask."""

    def __init__(self, program: ScriptedProgram) -> None:
        self._program = program
        self._stopped = threading.Event()
        self.said: list[str] = []
        self.countries: list[str | None] = []
        self.put_aside_cards: list[Card] = []
        self.wiped = 0
        self._raised: tuple[Card, ...] = ()

    @property
    def raised(self) -> tuple[Card, ...]:
        return self._raised

    def say(self, text: str, *, country: str | None) -> Iterator[Event]:
        self._stopped.clear()
        self.said.append(text)
        self.countries.append(country)
        yield from self._turn(text, country)
        yield TurnEnded(Timing())

    def _turn(self, text: str, country: str | None) -> Iterator[Event]:
        result = _graded(text)
        yield Triaged(result)
        if result.cards:
            program = self._program
            self._raised = result.cards
            yield CardsOffered(
                refer.offer_cards(result, program.cards, program.directory, country)
            )
        yield _noticed()
        if "broken" in text:
            yield _sentence(_REPLY[0])
            raise RuntimeError(f"a library quoted: {text}")
        if "notice" in text:
            yield Notice(self._program.replies.line("no_model"))
        for number, sentence in enumerate(_sentences(text)):
            if "slow" in text and self._stopped.wait(0.4):
                return
            passage = "riding-out-an-urge#1" if number == 1 else None
            yield _sentence(sentence, passage)

    def stop(self) -> None:
        self._stopped.set()

    def wipe(self) -> None:
        self.wiped += 1
        self.said.clear()
        self._raised = ()

    def put_aside(self, card: Card) -> None:
        self.put_aside_cards.append(card)
        self._raised = tuple(c for c in self._raised if c is not card)


class _RememberingVoice(ScriptedVoice):
    """Hums, and remembers what it was to say."""

    def __init__(self, spoken: list[str]) -> None:
        super().__init__()
        self._spoken = spoken

    def speak(self, text: str) -> Iterable[Audio]:
        self._spoken.append(text)
        return super().speak(text)


class ScriptedProgram:
    """Answers without any model file."""

    def __init__(
        self, settings: Settings, *, states: dict[str, str] | None = None
    ) -> None:
        self.settings = settings
        self.directory = directory()
        self.replies, self.cards = _texts()
        self.library = _library()
        self.ride = content_ride.load(content.content_root())
        self.cycle = content_texts.load_cycle(content.content_root())
        self.searcher = None
        self.states = states or {"library": "ready", "chat": "ready", "speech": "ready"}
        self.talks: list[ScriptedTalk] = []
        self.heard_s: list[float] = []
        self.loudest: list[float] = []
        self.transcript = HEARD
        self.doubtful: tuple[str, ...] = ()
        self.ears: tuple[SpeechToText, VoiceDetector] | None = None
        """Real ones, where a test wants them; else ``transcript`` is heard."""
        self.voice_is_there = False
        self.spoken: list[str] = []
        self.closed = False

    def start_loading(self) -> None:
        """Nothing is loaded."""

    def parts(self) -> tuple[Part, ...]:
        return tuple(Part(name, state) for name, state in self.states.items())

    def new_talk(self) -> ScriptedTalk:
        self.talks.append(ScriptedTalk(self))
        return self.talks[-1]

    def hear_danger(self, text: str, country: str | None) -> tuple[CardOffer, ...]:
        return refer.offer_cards(_graded(text), self.cards, self.directory, country)

    def listen_live(
        self, blocks: Iterable[Audio], is_behind: Callable[[], bool]
    ) -> Iterator[SoFar]:
        """Give the first word at once, and how long it has been quiet since."""
        if self.ears is not None:
            yield from live.stream_words(blocks, *self.ears, is_behind=is_behind)
            return
        first = self.transcript.partition(" ")[0]
        yield SoFar("", first)
        taken: list[Audio] = []
        quiet_s = told_s = 0.0
        for block in blocks:
            taken.append(block)
            loud = float(abs(block.samples).max(initial=0)) > _LOUD
            quiet_s = 0.0 if loud else quiet_s + block.duration_s
            told_s = min(told_s, quiet_s)
            if first and quiet_s >= max(1.0, told_s + 0.5):
                told_s = quiet_s
                yield SoFar(first, "", quiet_s)
        final = self.transcribe(taken)
        yield SoFar(final.text, "", final=final)

    def has_voice(self) -> bool:
        return self.voice_is_there

    def load_voice(self) -> TextToSpeech:
        return _RememberingVoice(self.spoken)

    def transcribe(self, blocks: Iterable[Audio]) -> Transcript:
        total, loudest = 0.0, 0.0
        for block in blocks:
            total += block.duration_s
            loudest = max(loudest, float(abs(block.samples).max(initial=0)))
        self.heard_s.append(total)
        self.loudest.append(loudest)
        segments = tuple(Segment(0, 1, text, True) for text in self.doubtful)
        silent = not self.transcript
        return Transcript(self.transcript, "en", 1.0, silent, segments, total)

    def close(self) -> None:
        self.closed = True


def _sentences(text: str) -> tuple[str, ...]:
    if "slow" in text:
        return tuple(f"This is sentence {n}." for n in range(1, 11))
    return _REPLY * 2 if "long" in text else _REPLY


def _sentence(text: str, passage: str | None = None) -> SentenceReleased:
    origin = Origin.VETTED if passage else Origin.MODEL
    return SentenceReleased(Sentence(text, origin, passage))


def _graded(text: str) -> TriageResult:
    level, cards = Level.NONE, ()
    if "danger" in text:
        level, cards = Level.URGENT, (Card.STRANGULATION, Card.LEAVING)
    if "emergency" in text:
        level, cards = Level.EMERGENCY, (Card.SUICIDE,)
    signals = tuple(
        Signal("scripted", card, level, 0, 1, Time.NOW, About.SELF) for card in cards
    )
    return TriageResult(level, cards, signals)


def _noticed() -> Noticed:
    passage = Passage(
        "riding-out-an-urge#1",
        "riding-out-an-urge",
        "riding-out-an-urge",
        "Riding out an urge",
        "An urge rises and passes",
        "Many people describe an urge as a wave.",
        ("bowen-marlatt-2009",),
        0.8,
    )
    return Noticed(
        (PatternFound("craving", 0.9, 0, 4),),
        Retrieval((passage,), weak=False),
        Plan(TurnKind.CRAVING, ("openers",)),
    )


def settings_for(home: Path, port: int = 0, country: str | None = "GB") -> Settings:
    """Give settings whose folder is the test's own."""
    return Settings(home=home, port=port, country=country)


def wait_until(true: object, timeout_s: float = 20.0) -> None:
    """Wait for a condition, given as a function, or fail."""
    ends = time.monotonic() + timeout_s
    while not true():  # type: ignore[operator]
        if time.monotonic() > ends:
            raise AssertionError("it did not happen in time")
        time.sleep(0.02)
