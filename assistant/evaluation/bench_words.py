"""Time turns: Ebb, and beside it the same model called plainly with the same prompt.

Ebb's turn and the plain call take turns, so that whatever else the computer does falls
on both. The plain call is given the very prompt that Ebb has just composed, with the
same seed, and is stopped after as many pieces as Ebb took of its own.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from assistant.domain import Origin, Prompt
from assistant.events import SentenceReleased, Timing, TurnEnded
from assistant.pipeline import Pipeline
from assistant.ports import ChatModel
from assistant.talk import Talk

Clock = Callable[[], float]
"""Seconds, monotonic."""


class PlainModel(Protocol):
    """A model that is called without anything around it."""

    def stream(self, prompt: Prompt, *, max_tokens: int, seed: int) -> Iterator[str]:
        """Yield text deltas, having read the whole prompt anew."""
        ...


@dataclass(slots=True)
class Call:
    """One generation: what was asked, and when each piece of text came."""

    prompt: Prompt = field(repr=False)
    max_tokens: int
    seed: int
    begun_s: float
    times_s: list[float] = field(default_factory=list)

    @property
    def first_ms(self) -> float | None:
        """From the call to the first text; None where none came."""
        return _ms(self.times_s[0] - self.begun_s) if self.times_s else None

    @property
    def tokens_per_s(self) -> float | None:
        """From the first to the last; None where they are too few to tell."""
        seconds = self.times_s[-1] - self.times_s[0] if self.times_s else 0.0
        return (len(self.times_s) - 1) / seconds if seconds else None

    def watch(self, deltas: Iterator[str], clock: Clock) -> Iterator[str]:
        """Hand the deltas on and note when they came."""
        for delta in deltas:
            self.times_s.append(clock())
            yield delta


class TimedChat(ChatModel):
    """Ebb's model, with a note of every call."""

    def __init__(self, chat: ChatModel, clock: Clock) -> None:
        """Watch this model."""
        self._chat = chat
        self._clock = clock
        self.context_tokens = chat.context_tokens
        self.calls: list[Call] = []

    def count_tokens(self, text: str) -> int:
        """Count as the model does."""
        return self._chat.count_tokens(text)

    def warm(self, prompt: Prompt) -> None:
        """Read ahead as the model does."""
        self._chat.warm(prompt)

    def forget(self) -> None:
        """Let go as the model does."""
        self._chat.forget()

    def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        seed: int,
        stopped: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield the model's deltas; see the port."""
        call = Call(prompt, max_tokens, seed, self._clock())
        self.calls.append(call)
        deltas = self._chat.stream(
            prompt, max_tokens=max_tokens, seed=seed, stopped=stopped
        )
        return self._watch(call, deltas)

    def _watch(self, call: Call, deltas: Iterator[str]) -> Iterator[str]:
        # Closed with us: the model stops as soon as Ebb has its sentence.
        with closing(deltas):  # type: ignore[type-var]  # models give generators
            yield from call.watch(deltas, self._clock)


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """One turn of Ebb; milliseconds from its beginning, None where nothing came."""

    timing: Timing
    first_sentence_ms: float | None
    first_own_word_ms: float | None
    """The model's; it is shown once its sentence is whole and checked."""
    first_own_sentence_ms: float | None
    call: Call | None
    """The first of the turn's generations."""


class Timer:
    """Times turns of Ebb and plain calls by one clock."""

    def __init__(self, pipeline: Pipeline, clock: Clock) -> None:
        """Time this pipeline, which has its language model."""
        assert pipeline.chat is not None  # for the type checker; the bench loads it
        self._chat = TimedChat(pipeline.chat, clock)
        self._pipeline = replace(pipeline, chat=self._chat)
        self._clock = clock

    def new_talk(self, seed: int) -> Talk:
        """Begin a talk; the same seed gives the same replies."""
        seeds = itertools.count(seed)
        return Talk(lambda: self._pipeline, lambda: next(seeds))

    def ebb(self, talk: Talk, text: str) -> TurnTimes:
        """Time one turn in a talk."""
        calls_before = len(self._chat.calls)
        timing, first, own = Timing(), None, None
        begun = self._clock()
        for event in talk.say(text):
            if isinstance(event, TurnEnded):
                timing = event.timing
            if isinstance(event, SentenceReleased):
                now = _ms(self._clock() - begun)
                first = now if first is None else first
                if own is None and event.sentence.origin is Origin.MODEL:
                    own = now
        call = next(iter(self._chat.calls[calls_before:]), None)
        word = _ms(call.times_s[0] - begun) if call and call.times_s else None
        return TurnTimes(timing, first, word, own, call)

    def plainly(self, model: PlainModel, asked: Call) -> Call:
        """Time a plain call with what Ebb asked; as many pieces as Ebb took."""
        call = replace(asked, begun_s=self._clock(), times_s=[])
        deltas = model.stream(
            asked.prompt, max_tokens=asked.max_tokens, seed=asked.seed
        )
        for _ in itertools.islice(
            call.watch(deltas, self._clock), max(len(asked.times_s), 1)
        ):
            pass
        return call


@dataclass(frozen=True, slots=True)
class Pair:
    """A turn that begins a talk, the plain call beside it, and the turn after it."""

    first: TurnTimes
    plain: Call | None
    follow_up: TurnTimes


def time_pairs(
    timer: Timer,
    talks: Sequence[tuple[str, str]],
    plain: PlainModel | None,
    enough: int,
) -> list[Pair]:
    """Time talks of two turns each; beside each first turn, the plain call.

    Ends when the model was asked in so many first turns. Those in which Ebb answered
    without it have no plain call, and count for Ebb's own times all the same.
    """
    pairs: list[Pair] = []
    for seed, (text, next_text) in enumerate(talks):
        talk = timer.new_talk(seed)
        first = timer.ebb(talk, text)
        beside = None
        if plain is not None and first.call is not None:
            beside = timer.plainly(plain, first.call)
        pairs.append(Pair(first, beside, timer.ebb(talk, next_text)))
        if sum(pair.first.call is not None for pair in pairs) == enough:
            break
    return pairs


def figures(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Give medians; a figure that nothing was measured for is left out.

    A ratio is taken turn by turn: what disturbed one side most likely disturbed the
    other too.
    """
    firsts = [pair.first for pair in pairs]
    later = [pair.follow_up for pair in pairs]
    plain = [pair.plain for pair in pairs if pair.plain is not None]
    asked = [turn.call for turn in firsts if turn.call is not None]
    lists: dict[str, list[float | None]] = {
        "retrieve_ms_median": [turn.timing.retrieve_ms for turn in firsts],
        "first_sentence_ms_median": [turn.first_sentence_ms for turn in firsts],
        "first_own_word_ms_median": [turn.first_own_word_ms for turn in firsts],
        "first_own_sentence_ms_median": [t.first_own_sentence_ms for t in firsts],
        "follow_up_first_sentence_ms_median": [t.first_sentence_ms for t in later],
        "follow_up_first_own_sentence_ms_median": [
            turn.first_own_sentence_ms for turn in later
        ],
        "reply_ms_median": [turn.timing.total_ms for turn in firsts],
        "tokens_per_s_median": [call.tokens_per_s for call in asked],
        "plain_first_words_ms_median": [call.first_ms for call in plain],
        "plain_tokens_per_s_median": [call.tokens_per_s for call in plain],
        **_ratios(pairs),
    }
    known = {
        key: round(statistics.median(v for v in values if v is not None), 3)
        for key, values in lists.items()
        if any(value is not None for value in values)
    }
    return {**known, "turns": len(pairs), "turns_with_the_model": len(asked)}


def _ratios(pairs: Sequence[Pair]) -> dict[str, list[float | None]]:
    """Set what the plain call took beside what Ebb took, pair by pair."""
    sooner: list[float | None] = []
    shown: list[float | None] = []
    speed: list[float | None] = []
    for pair in pairs:
        if pair.plain is None or pair.first.call is None:
            continue
        waited = pair.plain.first_ms
        sooner.append(_share(waited, pair.first.first_own_word_ms))
        shown.append(_share(waited, pair.first.first_sentence_ms))
        speed.append(_share(pair.first.call.tokens_per_s, pair.plain.tokens_per_s))
    return {
        "times_sooner_to_first_words": sooner,
        "times_sooner_to_first_sentence": shown,
        "decode_speed_share": speed,
    }


def _share(value: float | None, whole: float | None) -> float | None:
    return value / whole if value is not None and whole else None


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
