"""Put together what the model reads: fixed part first, then the talk, then the notes.

The order serves trust and speed alike: the person's words are always their own user
message, the notes are a message of ours that follows it, and whatever was read in an
earlier turn stands unchanged at the front, so it need not be read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.content_texts import Template
from assistant.domain import History, Message, Prompt, Role, Utterance
from assistant.errors import PromptError

_MARKS = re.compile(r"<\||\|>|\[/?INST\]|</?s>|<<|>>", re.IGNORECASE)
SAID_CHARS = 1200
"""Of a very long message the model reads the end; triage has read all of it."""


def compose(
    utterance: Utterance,
    history: History,
    notes: str,
    template: Template,
    *,
    begun: str,
    max_tokens: int,
    context_tokens: int,
    count_tokens: Callable[[str], int],
) -> Prompt:
    """Make the prompt for one reply.

    Args:
        utterance: What was said in this turn.
        history: The talk before; its oldest messages go where there is no room.
        notes: The material, a few vetted sentences.
        template: What the model is told.
        begun: The vetted beginning of the reply, which the model continues.
        max_tokens: Room to leave for the reply.
        context_tokens: The model's window.
        count_tokens: The model's own way of counting.

    Raises:
        PromptError: If even this turn alone does not fit.
    """
    fixed = fixed_messages(template)
    turn = (
        Message(Role.USER, as_words(tail(utterance.text, SAID_CHARS))),
        notes_message(template, notes),
        Message(Role.ASSISTANT, f"{begun} " if begun else ""),
    )

    def size(messages: tuple[Message, ...]) -> int:
        # A message costs a few tokens of its own, for the marks around it.
        return sum(count_tokens(message.content) + 6 for message in messages)

    room = context_tokens - max_tokens - size(fixed) - size(turn)
    if room < 0:
        raise PromptError("This turn alone is longer than the model's window.")
    kept = list(history.context)
    while kept and size(tuple(kept)) > room:
        kept.pop(0)
    while kept and kept[0].role is not Role.USER:
        kept.pop(0)
    return Prompt(
        messages=(*fixed, *kept, *turn),
        template_id=template.id,
        template_version=template.version,
        dropped_messages=len(history.context) - len(kept),
    )


def fixed_messages(template: Template) -> tuple[Message, ...]:
    """Give the part of every prompt that never changes."""
    return (Message(Role.SYSTEM, template.system), *template.examples)


def fixed_prompt(template: Template) -> Prompt:
    """Give a prompt for reading the fixed part ahead."""
    messages = (*fixed_messages(template), Message(Role.USER, "."))
    return Prompt(messages, template.id, template.version)


def notes_message(template: Template, notes: str) -> Message:
    """Give the message that carries the material: ours, so a system message."""
    return Message(Role.SYSTEM, template.render_notes(notes=notes))


def as_words(text: str) -> str:
    """Keep marks that steer a model from being read as such in a person's words."""
    return _MARKS.sub(lambda mark: " ".join(mark[0]), text)


def tail(text: str, chars: int) -> str:
    """Give the end of a text, cut at a word."""
    stripped = text.strip()
    if len(stripped) <= chars:
        return stripped
    return stripped[-chars:].partition(" ")[2] or stripped[-chars:]
