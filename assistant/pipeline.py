"""One turn, top to bottom; the only file that knows the order.

triage → cards → (danger: vetted words) or (notice, find, plan, write under guard)
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assistant import (
    about,
    follow,
    guard,
    language,
    log,
    patterns,
    plan,
    prompt,
    refer,
    seek,
    small,
    triage,
)
from assistant.content_directory import Directory
from assistant.content_library import Library
from assistant.content_rules import PhraseRule
from assistant.content_texts import Replies, Template
from assistant.domain import (
    Card,
    History,
    Level,
    Origin,
    PatternFound,
    Plan,
    Retrieval,
    Role,
    Sentence,
    TriageResult,
    TurnKind,
    Utterance,
    Violation,
)
from assistant.domain_help import CardText
from assistant.errors import PromptError, RetrieveError, StageError, TriageError
from assistant.events import (
    CardsOffered,
    Event,
    Notice,
    Noticed,
    Placed,
    SentenceReleased,
    ServicesOffered,
    Triaged,
    TurnEnded,
)
from assistant.ports import ChatModel
from assistant.retrieve import Searcher
from assistant.triage import Hearer
from assistant.turn_clock import TurnClock
from assistant.write import Turn, Writer, Written

_LOGGER = logging.getLogger(__name__)
MAX_CHARS = 20_000
_FIRST_SENTENCE = re.compile(r".+?[.!?](?=\s|$)", re.DOTALL)
_NOTES = 2
_SERVICES_WITH = {"method": "suicide", "law": "legal"}
"""Fixed answers that name services, and the need they are chosen by."""


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules a turn needs."""

    triage: Hearer
    guard: tuple[PhraseRule, ...]
    patterns: tuple[PhraseRule, ...]
    requests: tuple[PhraseRule, ...]
    needs: tuple[PhraseRule, ...]
    turns: tuple[PhraseRule, ...]
    small: tuple[PhraseRule, ...]

    def check(
        self, text: str, said: str, passages: Sequence[str]
    ) -> tuple[Violation, ...]:
        """Check a candidate sentence by rules and by ear."""
        hearer = self.triage
        return guard.check(
            text,
            rules=self.guard,
            said=said,
            passages=passages,
            ear=hearer.ear,
            threshold=hearer.limits.guard if hearer.limits else 1.0,
            overruled_below=hearer.limits.guard_overrules if hearer.limits else 0.0,
        )

    def notice(self, text: str) -> tuple[PatternFound, ...]:
        """Notice patterns by rules and by ear."""
        hearer = self.triage
        try:
            return patterns.notice(
                text,
                self.patterns,
                ear=hearer.ear,
                threshold=hearer.limits.pattern if hearer.limits else 1.0,
            )
        except TriageError:  # the ear failed: by rules alone
            return patterns.notice(text, self.patterns)


@dataclass(slots=True)
class Pipeline:
    """Everything one turn needs; ``searcher`` and ``chat`` may be missing."""

    rules: Rules
    library: Library
    cards: Mapping[Card, CardText]
    replies: Replies
    directory: Directory
    template: Template
    clock: Callable[[], float]
    """Seconds, monotonic."""
    searcher: Searcher | None = None
    chat: ChatModel | None = None
    never_stopped: Callable[[], bool] = field(default=lambda: False)

    def run_turn(
        self,
        utterance: Utterance,
        history: History,
        *,
        seed: int = 0,
        stopped: Callable[[], bool] | None = None,
    ) -> Iterator[Event]:
        """Answer one utterance; the first event is ``Triaged``, the last ``TurnEnded``.

        Args:
            utterance: What was said, 20,000 characters at most.
            history: The talk so far.
            seed: Chooses among vetted lines and for the model; same seed, same reply.
            stopped: Asked often; True ends the turn soon.
        """
        clock = TurnClock(self.clock)
        stopped = stopped or self.never_stopped
        try:
            result = triage.grade(utterance, self.rules.triage, history)
        except TriageError:
            # Danger could not be looked for: nothing may be generated.
            yield Triaged(TriageResult(Level.SUPPORT, (), ()))
            yield from self._fixed("guard_failed", history)
            yield TurnEnded(clock.timing())
            return
        clock.mark("triage_ms")
        yield Triaged(result)
        utterance, placed = self._placed(utterance, history)
        if placed is not None:
            yield placed
        offers = refer.offer_cards(
            result, self.cards, self.directory, utterance.country, utterance.language
        )
        if offers:
            yield CardsOffered(offers)
        if result.level >= Level.URGENT:
            events = self._answer_danger(result, history)
        else:
            events = self._answer(utterance, history, result, seed, stopped, clock)
        for event in events:
            if isinstance(event, SentenceReleased):
                clock.mark_first_sentence()
            yield event
        log.done(_LOGGER, "turn", ms=clock.timing().total_ms)
        yield TurnEnded(clock.timing())

    def _placed(
        self, utterance: Utterance, history: History
    ) -> tuple[Utterance, Placed | None]:
        """Take the country that the person said they are in; say so when it is new."""
        places = self.directory.places
        before = places.last_said(_said(history), utterance.country)
        now = places.said_in(utterance.text, before or utterance.country)
        country = now or before or utterance.country
        if now is None or now in {before, utterance.country}:
            return replace(utterance, country=country), None
        help_ = self.directory.country(now)
        placed = Placed(now, help_.name) if help_ else None
        return replace(utterance, country=country), placed

    def _answer_danger(self, result: TriageResult, history: History) -> Iterator[Event]:
        """Vetted words only; the language model stays silent.

        Begun with the same words a second time they would sound as if nobody had
        listened; what matters most is said each time.
        """
        text = self.cards[result.cards[0]]
        shown = follow.shown(history)
        told_before = text.heard in shown
        heard = self.replies.fresh("danger_again", shown) if told_before else text.heard
        # The card has all of it; the reply says the most important thing of it.
        first = _FIRST_SENTENCE.match(text.by_level[result.level])
        most_important = first[0] if first else text.by_level[result.level]
        for part in (heard, most_important, text.step, text.stay):
            yield SentenceReleased(Sentence(part, Origin.VETTED))

    def _answer(
        self,
        utterance: Utterance,
        history: History,
        result: TriageResult,
        seed: int,
        stopped: Callable[[], bool],
        clock: TurnClock,
    ) -> Iterator[Event]:
        if key := _unread(utterance.text):
            yield from self._fixed(key, history)
            return
        about_reply = follow.meant(utterance.text, history, self.rules.turns)
        if about_reply == follow.NOT_IT or (about_reply and history.raised):
            # What was heard as danger is not put to the model again.
            key = "card_again" if history.raised else "not_it"
            yield from self._fixed(key, history)
            return
        if about_reply == follow.AGAIN:
            utterance = follow.same_again(utterance, history, self.rules.turns)
        rest = follow.corrected(utterance.text, history, self.rules.turns)
        if rest:
            yield from self._fixed("took_it_wrong", history)
            utterance = replace(utterance, text=rest)
        if len(utterance.text) > prompt.SAID_CHARS:
            yield Notice(self.replies.line("too_long"))
        noticed = self.rules.notice(utterance.text)
        since = replace(history, messages=()) if rest else history
        retrieval = self._retrieve(utterance, since)
        clock.mark("retrieve_ms")
        turn_plan = self._plan(utterance, history, noticed, retrieval)
        turn_plan = plan.after_correction(turn_plan) if rest else turn_plan
        turn_plan = self._with_notes(utterance, history, turn_plan)
        yield Noticed(noticed, retrieval, turn_plan)
        if turn_plan.kind is TurnKind.HELP:
            yield self._services(utterance, history)
        if need := _SERVICES_WITH.get(turn_plan.fixed_key or ""):
            yield refer.offer_services(
                need, self.directory, utterance.country, utterance.language
            )
        if turn_plan.kind is TurnKind.FIXED:
            yield from self._fixed(turn_plan.fixed_key or "weak", history)
            yield from self._ask(result)
            return
        yield from self._write(
            utterance, history, result, turn_plan, seed, stopped, clock
        )

    def _plan(
        self,
        utterance: Utterance,
        history: History,
        noticed: tuple[PatternFound, ...],
        retrieval: Retrieval,
    ) -> Plan:
        text, rules = utterance.text, self.rules
        about_another = about.is_about_another(text, history)
        if about_another and Card.SOMEONE_ELSE in history.raised:
            retrieval = plan.for_a_worried_person(retrieval)
        seeks_help = seek.need_of(text, rules.needs) is not None
        pressed = follow.pressed(text, history, rules.turns, self.replies)
        return plan.make_plan(
            utterance,
            noticed,
            retrieval,
            rules.requests,
            seeks_help=seeks_help,
            small=small.heard(text, rules.small),
            pressed=None if seeks_help else pressed,
            about_another=about_another,
        )

    def _write(
        self,
        utterance: Utterance,
        history: History,
        result: TriageResult,
        turn_plan: Plan,
        seed: int,
        stopped: Callable[[], bool],
        clock: TurnClock,
    ) -> Iterator[Event]:
        """Release the reply part by part; each part is checked or vetted."""
        writer = Writer(
            library=self.library,
            replies=self.replies,
            guard=self.rules.check,
            template=self.template,
            clock=self.clock,
            chat=self.chat,
            likeness=self.searcher.likeness if self.searcher else None,
        )
        parts: Sequence[str] = turn_plan.parts
        if result.ask is not None:
            # Safety is asked about instead of anything else: one question a turn.
            parts = [part for part in parts if part not in plan.ASKING]
        if self.chat is None:
            yield Notice(self.replies.line("no_model"))
        written = Written()
        turn = Turn(utterance, history, turn_plan, seed, stopped)
        try:
            yield from writer.write(turn, parts, written)
        except PromptError:
            yield Notice(self.replies.line("forgot_oldest"))
        except StageError:
            yield Notice(self.replies.line("generation_failed"))
        if written.dropped_messages:
            yield Notice(self.replies.line("forgot_oldest"))
        clock.add_generation(written)
        if not stopped():
            yield from self._ask(result)

    def _retrieve(self, utterance: Utterance, history: History) -> Retrieval:
        if self.searcher is None:
            return Retrieval((), weak=True)
        try:
            since = follow.since_correction(history, self.rules.turns)
            return self.searcher.find_passages(utterance, since)
        except RetrieveError:
            return Retrieval((), weak=True)

    def _with_notes(
        self, utterance: Utterance, history: History, turn_plan: Plan
    ) -> Plan:
        """Add the article's vetted explanations that are nearest to what was said.

        An answer begins with the nearest, or with the article's first where it says
        what something is; the model then puts the next into words.
        Otherwise the nearest is the model's. One that this talk has seen comes back
        only when there is no other.
        """
        if self.searcher is None or turn_plan.article_id is None:
            return turn_plan
        explanations = self.library.article(turn_plan.article_id).lines.explanations
        if turn_plan.about_another:
            fitting = (one for one in explanations if not about.names_partner(one))
            explanations = tuple(fitting)
        told = (*history.messages, *history.context)
        seen = "\n".join(message.content for message in told)
        lines = tuple(line for line in explanations if line not in seen)
        lines = lines or explanations
        if not lines:
            return turn_plan
        try:
            nearest = self.searcher.nearest_lines(utterance.text, lines, _NOTES)
        except RetrieveError:
            return turn_plan
        if turn_plan.defines and lines[0] in explanations[:1]:
            notes = next((line for line in nearest if line != lines[0]), "")
            return replace(turn_plan, lead=lines[0], notes=notes)
        if turn_plan.kind is TurnKind.QUESTION and len(nearest) > 1:
            return replace(turn_plan, lead=nearest[0], notes=nearest[1])
        return replace(turn_plan, notes=nearest[0]) if nearest else turn_plan

    def _services(self, utterance: Utterance, history: History) -> ServicesOffered:
        need = seek.need_of(
            utterance.text, self.rules.needs, asked=True, before=_said(history)
        )
        return refer.offer_services(
            need or "abuse", self.directory, utterance.country, utterance.language
        )

    def _ask(self, result: TriageResult) -> Iterator[Event]:
        if result.ask is not None:
            text = self.cards[result.ask].ask
            yield SentenceReleased(Sentence(text, Origin.VETTED))

    def _fixed(self, key: str, history: History) -> Iterator[Event]:
        """Say a fixed sentence, in words that this talk has not seen yet."""
        text = self.replies.fresh(key, follow.shown(history))
        yield SentenceReleased(Sentence(text, Origin.VETTED))


def _unread(text: str) -> str | None:
    """Give the answer to what holds no words that Ebb can read; None where it does."""
    if not language.has_words(text):
        seen = any(c.isprintable() and not c.isspace() for c in text)
        return "only_signs" if seen else "empty"
    return None if language.is_english(text) else "not_english"


def _said(history: History) -> list[str]:
    return [m.content for m in history.messages if m.role is Role.USER]
