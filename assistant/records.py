"""The records that commands read and write, as JSON Lines; see the contract tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from assistant.domain import (
    History,
    Message,
    PatternFound,
    Retrieval,
    Role,
    TriageResult,
    Utterance,
    Violation,
)
from assistant.errors import InputError
from assistant.events import (
    CardsOffered,
    Event,
    Guarded,
    Notice,
    Noticed,
    Placed,
    SentenceReleased,
    ServicesOffered,
    Triaged,
    TurnEnded,
)
from assistant.reading import from_json
from assistant.refer import referred_ids


@dataclass(frozen=True, slots=True)
class InputLine:
    """One line of input: what is said now, and the talk before it."""

    id: str
    utterance: Utterance
    history: History


def read_lines(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield one object a line; empty lines are passed over.

    Raises:
        InputError: If a line is not a JSON object with an ``id`` that is a text or a
            whole number; says the line's number only.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = from_json(line)
        except ValueError:
            raise InputError(f"Line {number} is not valid JSON.") from None
        if not isinstance(record, dict) or "id" not in record:
            raise InputError(f"Line {number} must be a JSON object with an “id”.")
        if not isinstance(record["id"], str | int):
            raise InputError(f"Line {number}: “id” must be a text or a whole number.")
        yield record


def input_line(record: dict[str, Any]) -> InputLine:
    """Read ``text`` or ``messages`` of an input line.

    The last user message is what is said now; what stands before it is the talk.

    Raises:
        InputError: If neither is there, or a field has the wrong type.
    """
    name = f"The line with id {record['id']!r:.40}"
    country = _text_or_none(record, "country", name)
    language = _text_or_none(record, "language", name) or "en"
    if "messages" in record:
        messages = _messages(record["messages"], name)
    elif isinstance(record.get("text"), str):
        messages = (Message(Role.USER, record["text"]),)
    else:
        raise InputError(f"{name} needs “text” or “messages”.")
    users = [i for i, message in enumerate(messages) if message.role is Role.USER]
    if not users:
        raise InputError(f"{name} has no message from the user.")
    before = messages[: users[-1]]
    return InputLine(
        id=record["id"],
        utterance=Utterance(messages[users[-1]].content, language, country),
        history=History(messages=before, context=before),
    )


def _messages(raw: Any, name: str) -> tuple[Message, ...]:
    if not isinstance(raw, list):
        raise InputError(f"{name}: “messages” must be a list.")
    messages = []
    for item in raw:
        role = item.get("role") if isinstance(item, dict) else None
        content = item.get("content") if isinstance(item, dict) else None
        if role not in {Role.USER, Role.ASSISTANT} or not isinstance(content, str):
            raise InputError(
                f"{name}: each message needs a “role” (user or assistant) "
                "and a “content”."
            )
        messages.append(Message(Role(role), content))
    return tuple(messages)


def _text_or_none(record: dict[str, Any], key: str, name: str) -> str | None:
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name}: “{key}” must be a text.")
    return value


def shortened(utterance: Utterance, chars: int) -> Utterance:
    """Keep the end of what was said."""
    return replace(utterance, text=utterance.text[-chars:])


def triage_record(result: TriageResult) -> dict[str, Any]:
    """Give a triage result as a record."""
    return {
        "level": result.level.word,
        "cards": [str(card) for card in result.cards],
        "signals": [
            {
                "kind": str(signal.kind),
                "span": [signal.start, signal.end],
                "time": str(signal.time),
                "about": str(signal.about),
                "level": signal.level.word,
                "rule": signal.rule_id,
            }
            for signal in result.signals
        ],
        "ask": str(result.ask) if result.ask else None,
    }


def pattern_records(found: Iterable[PatternFound]) -> list[dict[str, Any]]:
    """Give patterns as records, strongest first."""
    return [
        {"id": p.id, "score": round(p.score, 3), "span": [p.start, p.end]}
        for p in found
    ]


def retrieval_record(retrieval: Retrieval) -> dict[str, Any]:
    """Give what was found as a record."""
    keep = ("id", "topic", "title", "score", "text", "heading")
    return {
        "passages": [
            {name: getattr(passage, name) for name in keep}
            | {"sources": list(passage.sources)}
            for passage in retrieval.passages
        ],
        "weak": retrieval.weak,
    }


def violation_records(violations: Iterable[Violation]) -> list[dict[str, Any]]:
    """Give guard violations as records."""
    return [{"rule": v.rule, "span": [v.start, v.end]} for v in violations]


def reply_record(events: Iterable[Event]) -> dict[str, Any]:
    """Gather the events of one turn into the record of a reply."""
    record: dict[str, Any] = {
        "triage": None,
        "patterns": [],
        "passages": [],
        "weak": False,
        "plan": None,
        "reply": "",
        "sentences": [],
        "cards": [],
        "card_texts": [],
        "referrals": [],
        "country": None,
        "guard": [],
        "notices": [],
        "timing": None,
    }
    for event in events:
        _gather(event, record)
    record["reply"] = " ".join(s["text"] for s in record["sentences"])
    return record


def _add_referrals(record: dict[str, Any], ids: Iterable[str]) -> None:
    record["referrals"] = list(dict.fromkeys([*record["referrals"], *ids]))


def _gather(event: Event, record: dict[str, Any]) -> None:
    match event:
        case Triaged(result):
            record["triage"] = triage_record(result)
            record["cards"] = record["triage"]["cards"]
        case CardsOffered(offers):
            _add_referrals(record, referred_ids(offers))
            record["country"] = offers[0].country if offers else None
            record["card_texts"] = [
                {
                    "card": str(offer.card),
                    "level": offer.level.word,
                    "title": offer.title,
                    "body": offer.body,
                    "emergency": [entry.number for entry in offer.emergency],
                    "services": list(referred_ids([offer])),
                }
                for offer in offers
            ]
        case ServicesOffered():
            _add_referrals(record, referred_ids([event]))
            record["country"] = event.country
        case Placed(country, _):
            record["country"] = country
        case Noticed(found, retrieval, turn_plan):
            record["patterns"] = pattern_records(found)
            record |= retrieval_record(retrieval)
            record["plan"] = str(turn_plan.kind)
        case SentenceReleased(sentence):
            record["sentences"].append(
                {
                    "text": sentence.text,
                    "origin": str(sentence.origin),
                    "passage": sentence.passage_id,
                }
            )
        case Guarded(action):
            record["guard"].append(asdict(action))
        case Notice(text):
            record["notices"].append(text)
        case TurnEnded(timing):
            record["timing"] = asdict(timing)
