"""One conversation, in memory only: a browser tab's, or a command's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

from assistant.domain import (
    Card,
    History,
    Level,
    Message,
    Role,
    Utterance,
)
from assistant.events import (
    CardsOffered,
    Event,
    Noticed,
    SentenceReleased,
    Triaged,
)
from assistant.pipeline import MAX_CHARS, Pipeline
from assistant.prompt import SAID_CHARS, as_words, notes_message, tail

_FINE_LEVELS = (Level.NONE, Level.SUPPORT)


class Talk:
    """Remembers within the talk, can be stopped at any moment, and forgets."""

    def __init__(
        self, get_pipeline: Callable[[], Pipeline], new_seed: Callable[[], int]
    ) -> None:
        """Begin a talk.

        Args:
            get_pipeline: Gives the pipeline as it is now: parts may still be loading.
            new_seed: Gives a new seed for every turn.
        """
        self._get_pipeline = get_pipeline
        self._new_seed = new_seed
        self._history = History()
        self._turn = threading.Lock()
        self._stop = threading.Event()
        self._wiped = False

    @property
    def raised(self) -> tuple[Card, ...]:
        """Cards that stay visible until the person puts them aside."""
        return self._history.raised

    def say(self, text: str, *, country: str | None = None) -> Iterator[Event]:
        """Answer what the person says; the last event is always ``TurnEnded``.

        Of more than 20,000 characters the end is read. A second call waits until the
        first has ended.
        """
        with self._turn:
            self._stop.clear()
            self._wiped = False
            pipeline = self._get_pipeline()
            utterance = Utterance(text[-MAX_CHARS:], country=country)
            heard, notes = Level.NONE, ""
            reply: list[str] = []
            events = pipeline.run_turn(
                utterance,
                self._history,
                seed=self._new_seed(),
                stopped=self._stop.is_set,
            )
            with closing(events):  # type: ignore[type-var]  # a generator
                for event in events:
                    if isinstance(event, Triaged):
                        heard = event.result.level
                    elif isinstance(event, CardsOffered):
                        self._raise(tuple(offer.card for offer in event.offers))
                    elif isinstance(event, Noticed):
                        notes = event.plan.notes
                    elif isinstance(event, SentenceReleased):
                        reply.append(event.sentence.text)
                    yield event
            if not self._wiped:
                self._remember(pipeline, text, " ".join(reply), heard, notes)

    def stop(self) -> None:
        """End the present turn soon."""
        self._stop.set()

    def wipe(self) -> None:
        """Stop, and forget everything that was said."""
        self._wiped = True
        self._stop.set()
        self._history = History()
        chat = self._get_pipeline().chat
        if chat is not None:
            # In a thread: another tab's turn may be running, and nobody waits for it.
            threading.Thread(target=chat.forget, name="forget", daemon=True).start()

    def put_aside(self, card: Card) -> None:
        """No longer keep a card on screen; it comes back when it is heard again."""
        now = self._history
        self._history = replace(
            now,
            raised=tuple(raised for raised in now.raised if raised is not card),
            put_aside=tuple(dict.fromkeys((*now.put_aside, card))),
        )

    def _raise(self, cards: tuple[Card, ...]) -> None:
        now = self._history
        self._history = replace(
            now,
            raised=tuple(dict.fromkeys((*cards, *now.raised))),
            put_aside=tuple(card for card in now.put_aside if card not in cards),
        )

    def _remember(
        self,
        pipeline: Pipeline,
        text: str,
        reply: str,
        heard: Level,
        notes: str,
    ) -> None:
        said = Message(Role.USER, text)
        answer = Message(Role.ASSISTANT, reply)
        context = self._history.context
        if heard in _FINE_LEVELS:
            context = (
                *context,
                Message(Role.USER, as_words(tail(text, SAID_CHARS))),
                notes_message(pipeline.template, notes),
                answer,
            )
        self._history = replace(
            self._history,
            messages=(*self._history.messages, said, answer),
            context=context,
        )
