"""Write a planned reply: vetted lines and the model's own sentences, in one voice.

Each generated sentence passes the guard before it leaves this module. What fails is
tried once more with another seed, then replaced by a vetted line for the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from assistant import about, generate, grounding, plan, prompt
from assistant.content_library import Library
from assistant.content_texts import Replies, Template
from assistant.domain import (
    GuardAction,
    History,
    Origin,
    Plan,
    Role,
    Sentence,
    Utterance,
    Violation,
)
from assistant.events import (
    Event,
    Guarded,
    SentenceReleased,
)
from assistant.lexical import words
from assistant.ports import ChatModel

MAX_TOKENS = 90
TRIES = 2
# Stands in for the model's sentences before the last one, which explains.
_REFLECTS = ("against_shame", "openers")
_SEED_STEP = 7919
_SAME_WORDS = 0.7


@dataclass(slots=True)
class Written:
    """What a reply took; filled while it is written."""

    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0
    dropped_messages: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """What a reply answers."""

    utterance: Utterance
    history: History
    plan: Plan
    seed: int
    stopped: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes replies; from vetted lines alone where there is no model."""

    library: Library
    replies: Replies
    guard: Callable[[str, str, Sequence[str]], tuple[Violation, ...]]
    """Checks a sentence against what was said and the material."""
    template: Template
    clock: Callable[[], float]
    chat: ChatModel | None
    likeness: Callable[[str, str], float] | None

    def write(
        self, turn: Turn, parts: Sequence[str], written: Written
    ) -> Iterator[Event]:
        """Yield the sentences of a reply in order, and what the guard did.

        Raises:
            PromptError: If not even this turn fits the model's window.
            GenerateError: If the model fails.
            GuardError: If a sentence cannot be checked.
            RetrieveError: If meanings cannot be compared.
        """
        lines = _LineSource(self.library, self.replies, turn)
        shown: list[str] = []
        for part in parts:
            if turn.stopped():
                return
            if part == plan.MODEL:
                events = self._own_sentences(turn, lines, shown, written)
            else:
                events = lines.part(part)
            for event in events:
                if isinstance(event, SentenceReleased):
                    shown.append(event.sentence.text)
                yield event

    def _own_sentences(
        self, turn: Turn, lines: _LineSource, shown: list[str], written: Written
    ) -> Iterator[Event]:
        """Give the model's sentences, or vetted ones in the places it failed."""
        places = self.template.sentences
        filled = 0
        if self.chat is not None and self.likeness is not None and turn.plan.notes:
            for number in range(TRIES):
                last = number == TRIES - 1
                tried = self._try(turn, shown, filled, number, written)
                for event in tried:
                    if isinstance(event, Guarded) and last:
                        rule, text = event.action.rule, event.action.text
                        event = Guarded(GuardAction(rule, text, "replaced"))
                    filled += isinstance(event, SentenceReleased)
                    yield event
                if filled == places or turn.stopped():
                    return
        for place in range(filled, places):
            explains = place == places - 1
            yield from lines.note() if explains else lines.release(*_REFLECTS)

    def _try(
        self, turn: Turn, shown: list[str], filled: int, number: int, written: Written
    ) -> Iterator[Event]:
        """Let the model write on; ends at the first sentence that is refused."""
        shown_before = tuple(shown)
        place = filled
        for text in self._candidates(turn, shown_before, number, written):
            explains = place == self.template.sentences - 1
            if refused := self._refusal(turn, text, shown, explains=explains):
                yield Guarded(GuardAction(refused, text, "retried"))
                return
            passage = turn.plan.passage
            cited = passage.id if explains and passage else None
            # A note that comes back word for word is ours, not the model's.
            origin = Origin.VETTED if text == turn.plan.notes else Origin.MODEL
            yield SentenceReleased(Sentence(text, origin, cited))
            place += 1
            if place == self.template.sentences:
                return

    def _candidates(
        self, turn: Turn, shown: Sequence[str], number: int, written: Written
    ) -> Iterator[str]:
        assert self.chat is not None  # for the type checker; the caller has looked
        # A model that writes one sentence writes it alone: a beginning would only
        # invite it to go on with that instead of with the notes.
        begun = " ".join(shown) if self.template.sentences > 1 else ""
        composed = prompt.compose(
            turn.utterance,
            turn.history,
            turn.plan.notes,
            self.template,
            begun=begun,
            max_tokens=MAX_TOKENS,
            context_tokens=self.chat.context_tokens,
            count_tokens=self.chat.count_tokens,
        )
        written.dropped_messages = composed.dropped_messages
        written.prompt_tokens = sum(
            self.chat.count_tokens(message.content) for message in composed.messages
        )
        seed = (turn.seed + number * _SEED_STEP) % 2**31
        deltas = self.chat.stream(
            composed, max_tokens=MAX_TOKENS, seed=seed, stopped=turn.stopped
        )
        with closing(self._measured(deltas, written)) as measured:
            yield from generate.stream_sentences(measured)

    def _measured(
        self, deltas: Iterator[str], written: Written
    ) -> Generator[str, None, None]:
        """Count tokens and the time from the first to the last."""
        begun: float | None = None
        try:
            for delta in deltas:
                begun = self.clock() if begun is None else begun
                written.reply_tokens += 1
                yield delta
        finally:
            if begun is not None:
                written.seconds += self.clock() - begun

    def _refusal(
        self, turn: Turn, text: str, shown: Sequence[str], *, explains: bool
    ) -> str:
        """Give the first guard rule that a candidate breaks; empty when none."""
        passage = turn.plan.passage
        known = [turn.plan.notes, *([passage.text] if passage else [])]
        said = [m.content for m in turn.history.messages if m.role is Role.USER]
        said.append(turn.utterance.text)
        if violations := self.guard(text, "\n".join(said), known):
            return violations[0].rule
        if _repeats(text, shown):
            return "echo"
        note = turn.plan.notes
        examples = [
            m.content for m in self.template.examples if m.role is Role.ASSISTANT
        ]
        if grounding.parrots(text, note, examples):
            return "leak"
        if grounding.accuses(text, note):
            return "blame"
        if turn.plan.about_another and about.names_partner(text):
            return "ungrounded"
        if explains and (
            grounding.speaks_of_itself(text, note) or grounding.claims_more(text, note)
        ):
            return "ungrounded"
        if not explains or self.likeness is None:
            return ""
        rests = grounding.rests_on(text, note, turn.utterance.text, self.likeness)
        return "" if rests else "ungrounded"


class _LineSource:
    """Vetted lines for a turn: from its article first, else the generic ones."""

    def __init__(self, library: Library, replies: Replies, turn: Turn) -> None:
        article_id = turn.plan.article_id
        self._article = library.article(article_id) if article_id else None
        self._sure = turn.plan.sure
        self._another = turn.plan.about_another
        self._passage_id = turn.plan.passage.id if turn.plan.passage else None
        self._lead, self._notes = turn.plan.lead, turn.plan.notes
        self._generic = replies.generic
        self._chooser = plan.LineChooser(turn.history, turn.seed)

    def part(self, kind: str) -> Iterator[Event]:
        """Yield the line of one part of the plan."""
        if kind == "explanations" and self._lead:
            yield from self._say(self._lead, self._passage_id)
        else:
            yield from self.release(kind)

    def note(self) -> Iterator[Event]:
        """Yield the note itself, where the model could not put it into words."""
        if self._notes and self._chooser.choose([self._notes]):
            yield from self._say(self._notes, self._passage_id)
        else:
            yield from self.release("explanations", "against_shame")

    def _say(self, line: str, cited: str | None) -> Iterator[Event]:
        yield SentenceReleased(Sentence(line, Origin.VETTED, cited))

    def release(self, *kinds: str) -> Iterator[Event]:
        """Yield one line of the first kind that has one left."""
        for kind in kinds:
            own = getattr(self._article.lines, kind, ()) if self._article else ()
            if kind != "explanations" and not self._sure:
                # An explanation is true for anyone; "your children" is not.
                own = ()
            for lines in (own, self._generic.get(kind, ())):
                if self._another:
                    lines = [one for one in lines if not about.names_partner(one)]
                if line := self._chooser.choose(lines):
                    cited = self._passage_id if kind == "explanations" else None
                    yield from self._say(line, cited)
                    return


def _repeats(text: str, shown: Sequence[str]) -> bool:
    """Tell whether a sentence says again what this reply has said."""
    new = set(words(text))
    return any(
        len(new & set(words(old))) >= _SAME_WORDS * max(len(new), 1) for old in shown
    )
