"""One turn as the page shows it: events in, frames out.

A frame holds everything shown of the turn so far, as escaped HTML, so that a frame
that is skipped on the way is never missed. It travels as base64 of JSON: no component
on the way can take a person's words for Markdown or HTML.
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

from assistant.domain import Origin, Sentence, TurnKind
from assistant.domain_help import CardOffer
from assistant.events import (
    CardsOffered,
    Event,
    Notice,
    Noticed,
    Placed,
    SentenceReleased,
    ServicesOffered,
)
from assistant.ui import cards, sources, words
from assistant.ui.markup import lines, paragraph, text

if TYPE_CHECKING:
    from assistant.content_library import Library

_RIDE = (
    '<button type="button" class="plain" data-panel="ride" aria-haspopup="dialog">'
    "Ride this wave out together</button>"
)


def encode(**frame: Any) -> str:
    """Make a frame that the page can read."""
    return base64.b64encode(json.dumps(frame).encode()).decode("ascii")


class TurnView:
    """What the page shows of one turn, growing event by event."""

    def __init__(self, room_id: str, turn: int, library: Library) -> None:
        """Begin with nothing shown."""
        self._frame = {"room": room_id, "turn": turn}
        self._library = library
        self._parts: list[dict[str, str]] = []
        self._sentences: list[Sentence] = []
        self._noticed: Noticed | None = None

    def said(self, their_words: str) -> None:
        """Show what the person said."""
        self._add("said", f"<p>{lines(their_words)}</p>")

    def notice(self, sentence: str) -> None:
        """Show a quiet line about Ebb itself."""
        self._add("notes", paragraph(sentence), say=sentence, aloud=sentence)

    def show(self, event: Event) -> bool:
        """Take in an event; True where there is something new to see."""
        match event:
            case CardsOffered(offers):
                self._show_cards(offers)
                return bool(offers)
            case Placed(_, name):
                self.notice(
                    f"You said where you are, so I show services for {name}. "
                    "You can change the country under Help."
                )
                return True
            case ServicesOffered():
                self._add("services", cards.offered(event), aloud=_SERVICES_ALOUD)
                return True
            case SentenceReleased(sentence):
                self._sentences.append(sentence)
                self._add("reply", _sentence(sentence), aloud=sentence.text)
                return True
            case Notice(sentence):
                self.notice(sentence)
                return True
            case Noticed():
                self._noticed = event
        return False

    def frame(self) -> str:
        """Give the turn so far."""
        return encode(**self._frame, open=True, parts=self._parts)

    def last_frame(self) -> str:
        """Give the whole turn, with a way on, where it comes from and why."""
        if self._noticed and self._noticed.plan.kind is TurnKind.CRAVING:
            self._add("offers", _RIDE)
        if origin := self._origin():
            self._add("why", origin)
        if why := self._why():
            self._add("why", why)
        if self._sentences:
            self._add("why", _keep(self._frame["turn"]))
            if self._noticed:
                self._add("why", _TALK_BACK)
        return encode(**self._frame, open=False, parts=self._parts)

    def _show_cards(self, offers: tuple[CardOffer, ...]) -> None:
        shown = False
        for place, offer in enumerate(offers):
            html = cards.card(offer, folded=place > 0, numberless=shown)
            shown = shown or bool(offer.emergency)
            self._add(
                "cards",
                html,
                say=f"Card: {offer.title}",
                aloud=_card_aloud(offer, whole=place == 0),
            )

    def _add(self, slot: str, html: str, say: str = "", aloud: str = "") -> None:
        """Add a part: ``say`` is for a screen reader, ``aloud`` for the voice."""
        key = f"{slot}-{len(self._parts)}"
        aloud = _NUMBER.sub(lambda found: " ".join(found.group()), aloud)
        self._parts.append(
            {"key": key, "slot": slot, "html": html, "say": say, "aloud": aloud}
        )

    def _origin(self) -> str:
        ids = dict.fromkeys(s.passage_id for s in self._sentences if s.passage_id)
        shown = "".join(self._passage(passage_id) for passage_id in ids)
        if not shown:
            return ""
        return f"<details><summary>Where this comes from</summary>{shown}</details>"

    def _passage(self, passage_id: str) -> str:
        try:
            article, passage = self._library.passage_of(passage_id)
        except KeyError:
            return ""
        return cards.passage(article, passage, sources.cited(passage.sources))

    def _why(self) -> str:
        if not self._sentences:
            return ""
        return (
            "<details><summary>Why this reply</summary>"
            f"{paragraph(self._patterns())}{paragraph(self._authors())}</details>"
        )

    def _patterns(self) -> str:
        found = self._noticed.patterns if self._noticed else ()
        names = ", ".join(words.plain(pattern.id) for pattern in found)
        if not names:
            return "I noticed no known pattern in what you wrote."
        return f"What I noticed in what you wrote: {names}. I can be wrong about this."

    def _authors(self) -> str:
        total = len(self._sentences)
        vetted = [
            number
            for number, sentence in enumerate(self._sentences, 1)
            if sentence.origin is Origin.VETTED
        ]
        if len(vetted) == total:
            return "All of it is text that was written and checked beforehand."
        rest = (
            "was written by the language model on this computer, and checked by rules "
            "before you saw it."
        )
        if not vetted:
            return f"It {rest}"
        numbers = ", ".join(map(str, vetted))
        which = "Sentence" if len(vetted) == 1 else "Sentences"
        return (
            f"{which} {numbers} of {total}: text written and checked beforehand. "
            f"The rest {rest}"
        )


_NUMBER = re.compile(r"\b\d{3,}\b")
"""Spoken digit by digit: 999 is no “nine hundred and ninety-nine”."""
_SERVICES_ALOUD = "Services are on the screen."


def _card_aloud(offer: CardOffer, *, whole: bool) -> str:
    """Give what the voice says of a card; its numbers are for reading."""
    if not whole:
        return f"Another card is on the screen: {offer.title}."
    numbers = " The numbers are on the screen." if offer.emergency else ""
    return f"{offer.title}. {offer.body}{numbers}"


_TALK_BACK = (
    '<div class="actions talk-back">'
    '<button type="button" class="plain" data-say="Can you say that differently?">'
    "Say that differently</button>"
    '<button type="button" class="plain" data-say="That’s not it.">That’s not it'
    "</button></div>"
)
"""Ways to answer a reply without typing; said as if they had been typed."""


def _keep(turn: object) -> str:
    """Give the way from a turn to the notes."""
    return (
        f'<button type="button" class="plain keep" data-panel="notes" data-tool="kept" '
        f'data-turn="{turn}" aria-haspopup="dialog">Keep this in My notes</button>'
    )


def _sentence(sentence: Sentence) -> str:
    return f'<span data-origin="{sentence.origin}">{text(sentence.text)} </span>'
