"""One message through Ebb, or through a plainly called model; timed alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from assistant.domain import Message, Prompt, Role
from assistant.evaluation.beside_texts import Given
from assistant.events import (
    CardsOffered,
    Noticed,
    SentenceReleased,
    ServicesOffered,
)
from assistant.pipeline import Pipeline
from assistant.ports import ChatModel
from assistant.records import InputLine

_Shown = CardsOffered | ServicesOffered | SentenceReleased


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one message."""

    text: str = field(repr=False)
    given: tuple[str, ...] = field(repr=False)
    """What the answer could draw on: what was said, and what was found."""
    help_shown: bool
    """Whether a card or services were shown beside the text."""
    first_s: float
    """Seconds until anything was shown."""
    end_s: float


def said_by(line: InputLine) -> str:
    """Give all that the person has said, the last message last."""
    before = [m.content for m in line.history.messages if m.role is Role.USER]
    return "\n".join([*before, line.utterance.text])


def ask_ebb(
    pipeline: Pipeline,
    line: InputLine,
    seed: int,
    clock: Callable[[], float] = time.monotonic,
) -> Answer:
    """Let the whole program answer."""
    begun, first = clock(), None
    sentences: list[str] = []
    found: list[str] = []
    help_shown = False
    for event in pipeline.run_turn(line.utterance, line.history, seed=seed):
        if isinstance(event, _Shown) and first is None:
            first = clock()
        if isinstance(event, SentenceReleased):
            sentences.append(event.sentence.text)
        elif isinstance(event, Noticed):
            found = [passage.text for passage in event.retrieval.passages]
        elif isinstance(event, CardsOffered | ServicesOffered):
            help_shown = True
    end = clock()
    return Answer(
        text=" ".join(sentences),
        given=(said_by(line), *found),
        help_shown=help_shown,
        first_s=(end if first is None else first) - begun,
        end_s=end - begun,
    )


def ask_plainly(
    chat: ChatModel,
    given: Given,
    line: InputLine,
    seed: int,
    find: Callable[[str], Sequence[str]] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Answer:
    """Let the model answer by one prompt, with the pieces that are found, if any.

    Raises:
        GenerateError: If the model fails.
    """
    begun, first = clock(), None
    pieces = tuple(find(line.utterance.text)) if find else ()
    system = given.prompt
    if pieces:
        system = "\n\n".join((given.prompt, given.rag_prompt, *pieces))
    prompt = Prompt(
        messages=(
            Message(Role.SYSTEM, system),
            *line.history.messages,
            Message(Role.USER, line.utterance.text),
        ),
        template_id="plain",
        template_version="1",
    )
    deltas: list[str] = []
    for delta in chat.stream(
        prompt, max_tokens=given.max_tokens, seed=seed, stopped=lambda: False
    ):
        first = clock() if first is None else first
        deltas.append(delta)
    end = clock()
    return Answer(
        text="".join(deltas).strip(),
        given=(said_by(line), *pieces),
        help_shown=False,
        first_s=(end if first is None else first) - begun,
        end_s=end - begun,
    )
