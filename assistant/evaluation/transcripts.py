"""Whole made-up talks through the whole program, written down as they come.

The talks were written before the program answered any of them, and nothing in what
comes out is chosen, mended or left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from assistant.domain import Origin
from assistant.domain_help import CardOffer, EmergencyNumber, Service, WorldDirectory
from assistant.errors import ContentError
from assistant.events import (
    CardsOffered,
    Event,
    Guarded,
    Notice,
    Placed,
    SentenceReleased,
    ServicesOffered,
    Triaged,
)
from assistant.talk import Talk
from assistant.wiring import Program

_PATH = Path(__file__).resolve().parent / "sets" / "talks.jsonl"
_SEEDS_APART = 100
_MARKS = re.compile(r"([\\`*_\[\]<>|#])")

_HEAD = """\
# Talks, unedited

{talks} made-up talks with Ebb, {turns} turns, good and bad, unedited. Nobody here is a
real person, and the talks were written before Ebb had answered any of them. Written
down by `ebb eval --transcripts docs/transcripts.md` on {date}, with the language model
`{model}`; the same seeds give the same replies.

How to read them: what the person says stands as a quotation. Below it, what the page
shows: the level that triage heard, cards and services by name with their numbers as
they stand in the directory (the text of a card is left out here), then the reply.
*Sentences in italics are the model's own*; all others are vetted lines. “Held back”
counts sentences of the model that the guard did not let through.
"""


@dataclass(frozen=True, slots=True)
class MadeUpTalk:
    """What one invented person says, turn by turn."""

    id: str
    about: str
    country: str | None
    turns: tuple[str, ...]


def load() -> tuple[MadeUpTalk, ...]:
    """Read the talks.

    Raises:
        ContentError: If a line is not as it should be.
    """
    try:
        rows = [json.loads(line) for line in _PATH.read_text("utf-8").splitlines()]
        return tuple(
            MadeUpTalk(r["id"], r["about"], r["country"], tuple(r["turns"]))
            for r in rows
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise ContentError(f"The talks in {_PATH.name} cannot be read.") from None


def write(
    program: Program,
    talks: Sequence[MadeUpTalk],
    path: Path,
    *,
    date: str,
    model: str,
) -> None:
    """Let every talk run, each by itself, and write the page, in Markdown.

    It grows beside its place and comes there when it is whole.
    """
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(_head(talks, date, model))
        for number, made_up in enumerate(talks, 1):
            for part in _talk(program, number, made_up):
                file.write(f"\n\n{part.strip()}")
                file.flush()
        file.write("\n")
    fresh.replace(path)


def _head(talks: Sequence[MadeUpTalk], date: str, model: str) -> str:
    turns = sum(len(talk.turns) for talk in talks)
    return _HEAD.format(talks=len(talks), turns=turns, date=date, model=model).strip()


def _talk(program: Program, number: int, made_up: MadeUpTalk) -> Iterator[str]:
    seeds = count(number * _SEEDS_APART)
    talk = program.new_talk(lambda: next(seeds))
    yield f"## {number}. {made_up.about}\n\n{_where(made_up)}"
    yield from _turns(talk, made_up)


def _turns(talk: Talk, made_up: MadeUpTalk) -> Iterator[str]:
    for said in made_up.turns:
        yield "> " + _escaped(said)
        yield from _answer(talk.say(said, country=made_up.country))


def _where(made_up: MadeUpTalk) -> str:
    return f"Country chosen: {made_up.country or 'none'}."


def _answer(events: Iterable[Event]) -> Iterator[str]:
    shown: list[str] = []
    sentences: list[str] = []
    held_back = 0
    for event in events:
        match event:
            case Triaged(result):
                shown.append(f"Level: {result.level.word}.")
            case Placed(_, name):
                shown.append(f"Country heard: {name}.")
            case CardsOffered(offers):
                shown += [_card(offer) for offer in offers]
            case ServicesOffered():
                named = _places(event.services, event.directories)
                shown.append(f"Services: {named}.")
            case SentenceReleased(sentence):
                text = _escaped(sentence.text)
                is_own = sentence.origin is Origin.MODEL
                sentences.append(f"*{text}*" if is_own else text)
            case Guarded():
                held_back += 1
            case Notice(text):
                shown.append(f"Notice: {_escaped(text)}")
            case _:
                pass
    if held_back:
        shown.append(f"Held back: {held_back}.")
    yield "\n".join(f"- {line}" for line in shown)
    yield " ".join(sentences) or "(No reply.)"


def _card(offer: CardOffer) -> str:
    parts = [f"Card “{offer.title}” ({offer.level.word})"]
    if offer.emergency:
        parts.append(f"emergency {_numbers(offer.emergency)}")
    if named := _places(offer.services, offer.directories):
        parts.append(named)
    return "; ".join(parts) + "."


def _numbers(entries: Iterable[EmergencyNumber]) -> str:
    return ", ".join(f"{entry.number} ({', '.join(entry.use)})" for entry in entries)


def _places(services: Iterable[Service], directories: Iterable[WorldDirectory]) -> str:
    named = [_service(service) for service in services]
    named += [f"{entry.name} {entry.website}" for entry in directories]
    return "; ".join(named)


def _service(service: Service) -> str:
    text = f"text {service.sms['number']}" if service.sms else None
    ways = (service.phone, text, service.chat, service.website)
    return f"{service.name} {next(filter(None, ways), '')}".strip()


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text.strip())
