"""Hear danger: utterance → how urgently a human may be needed, and how.

Triage runs before anything is generated and needs no downloaded model file. Two ways
of hearing are joined here: rules (``triage_rules``), readable and each with its reason,
and the ear (``triage_ear``), a small encoder that ships with the program and hears
meaning. Rules that are sure decide alone; rules that are only a hint count where the
ear hears something too; the ear may raise a level and never lowers what a sure rule
said.

Covers also: danger said in an earlier turn, unsure words that come together, and a
"yes" to Ebb's own question.
Does not cover: irony; other languages than English beyond dying and violence now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from assistant import small, triage_ear, triage_rules
from assistant.content_rules import PhraseRule, TriageRules
from assistant.domain import (
    About,
    Card,
    History,
    Level,
    Message,
    Role,
    Signal,
    Time,
    TriageResult,
    Utterance,
)
from assistant.errors import TriageError
from assistant.hearing import EarThresholds
from assistant.normalise import PlainText, spoken
from assistant.ports import Ear

MAX_CARDS = 3

# Between two cards of the same level, the one that can wait least comes first.
_ORDER = (
    Card.MEDICAL,
    Card.SUICIDE,
    Card.STRANGULATION,
    Card.VIOLENCE_NOW,
    Card.CHILD_DANGER,
    Card.THREATS,
    Card.SEXUAL_VIOLENCE,
    Card.HARM_TO_OTHERS,
    Card.PARTNER_SUICIDE,
    Card.SELF_HARM,
    Card.SOMEONE_ELSE,
    Card.STALKING,
    Card.LEAVING,
)
_EARLIER_TURNS = 6


@dataclass(frozen=True, slots=True)
class Hearer:
    """What triage listens with; without the ear, every rule counts."""

    rules: TriageRules
    limits: EarThresholds | None = None
    ear: Ear | None = None
    small: tuple[PhraseRule, ...] = ()
    """How small steps are told: where a message is one, the ear is not asked."""


def grade(
    utterance: Utterance, hearer: Hearer, history: History | None = None
) -> TriageResult:
    """Grade how urgently the person may need a human.

    Returns:
        The highest level heard; the cards, most serious first, three at most; the
        signals of this utterance, with offsets in its characters.

    Raises:
        TriageError: If there are no rules. Callers must not go on to generate.
    """
    if not hearer.rules.rules:
        raise TriageError("The triage rules are missing.")
    past = history or History()
    said = [m for m in past.messages if m.role is Role.USER][-_EARLIER_TURNS:]
    turns = [
        _listen(hearer, message.content, tuple(said[:turn]))
        for turn, message in enumerate(said)
    ]
    carried = [turn.signals for turn in turns]
    now = _listen(hearer, utterance.text, tuple(said))
    # For two turns a change of subject or a "no" changes nothing.
    known = {
        s.kind for t in turns[:-2] for s in t.all_signals if s.level >= Level.URGENT
    }
    signals = [
        *now.signals,
        *(_fade(signal, known) for signal in now.joined),
        *_answers(spoken(utterance.text), hearer.rules, past),
    ]
    heard: dict[Card, Level] = {}
    for card, level in (
        *((signal.kind, signal.level) for signal in signals),
        *_carried(carried, past),
        *_added_up([*signals, *(s for turn in carried for s in turn)]),
    ):
        if level > Level.NONE:
            heard[card] = max(level, heard.get(card, Level.NONE))
    cards = sorted(heard, key=lambda card: (-heard[card], _ORDER.index(card)))
    asks = [signal.kind for signal in signals if signal.level is Level.NONE]
    if not heard and now.unsure is not None:
        asks.append(now.unsure)
    return TriageResult(
        level=max(heard.values(), default=Level.NONE),
        cards=tuple(cards[:MAX_CARDS]),
        signals=tuple(signals),
        ask=next((card for card in asks if card not in heard), None),
    )


# --- One message --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Message:
    """What was heard in one message."""

    signals: tuple[Signal, ...]
    joined: tuple[Signal, ...] = ()
    """Heard only in the last turns taken together."""
    unsure: Card | None = None
    """Heard by the ear too faintly for a card."""

    @property
    def all_signals(self) -> tuple[Signal, ...]:
        """Give both."""
        return (*self.signals, *self.joined)


def _fade(signal: Signal, known: set[Card]) -> Signal:
    """Of a danger that came up before, the turns taken together tell nothing new.

    Its card stays, and the reply is no longer the same fixed words each time.
    """
    if signal.kind not in known:
        return signal
    return replace(signal, level=min(signal.level, Level.SUPPORT))


def _listen(hearer: Hearer, text: str, before: Sequence[Message]) -> _Message:
    """Hear one message by rules and by ear, and the last turns as one."""
    earlier = [spoken(message.content) for message in before]
    by_rules = tuple(triage_rules.listen(spoken(text), hearer.rules, earlier))
    limits, ear, sure = hearer.limits, hearer.ear, hearer.rules.sure
    if ear is None or limits is None:
        return _Message(by_rules)
    if not by_rules and small.is_a_step(text, hearer.small):
        return _Message(())
    hints = [s for s in by_rules if s.level > Level.NONE and s.rule_id not in sure]
    try:
        hearings = triage_ear.listen(ear, text, limits)
        joined = triage_ear.listen_joined(ear, text, before, limits)
        both = [*hearings, *joined]
        held = triage_ear.supported(ear, text, both, hints, limits)
    except TriageError:
        # Rules alone hear less, and more than nobody: go on with them.
        return _Message(by_rules)
    kept = [signal for signal in by_rules if signal not in hints or signal in held]
    return _Message(
        signals=(*kept, *triage_ear.signals(hearings, limits)),
        joined=tuple(triage_ear.signals(joined, limits, cards=1)),
        unsure=triage_ear.unsure(both, limits),
    )


# --- The conversation ---------------------------------------------------------------


def _carried(
    turns: Sequence[Sequence[Signal]], history: History
) -> Iterator[tuple[Card, Level]]:
    """Give what was heard before: it fades by one level a turn, never to nothing.

    One "no" or a change of subject does not make a danger go away; only the person
    puts a card aside.
    """
    for age, signals in enumerate(reversed(turns)):
        for signal in signals:
            if signal.level < Level.URGENT or signal.kind in history.put_aside:
                continue
            yield signal.kind, Level(max(Level.SUPPORT, signal.level - age - 1))
    for card in history.raised:
        yield card, Level.SUPPORT


def _added_up(signals: Iterable[Signal]) -> Iterator[tuple[Card, Level]]:
    """Take different unsure words about one danger together: two offer its card."""
    unsure: dict[Card, set[str]] = {}
    for signal in signals:
        if signal.level is Level.NONE:
            unsure.setdefault(signal.kind, set()).add(signal.rule_id)
    for card, ids in unsure.items():
        if len(ids) > 1:
            yield card, Level.SUPPORT if len(ids) == 2 else Level.URGENT


def _answers(text: PlainText, rules: TriageRules, history: History) -> Iterator[Signal]:
    """Understand a "yes" to the question about a danger that Ebb asked just before."""
    last = history.messages[-1] if history.messages else None
    if last is None or last.role is not Role.ASSISTANT:
        return
    if not (yes := rules.contexts["yes"].match(text.text.lstrip())):
        return
    question = spoken(last.content).text
    for card, asked in rules.asked.items():
        if asked.search(question):
            shift = len(text.text) - len(text.text.lstrip())
            start, end = text.span(shift + yes.start(), shift + yes.end())
            yield Signal(
                rule_id=f"yes-{card}",
                kind=card,
                level=Level.URGENT,
                start=start,
                end=end,
                time=Time.UNCLEAR,
                about=About.SELF,
            )
