"""Follow a talk: what a turn about the talk itself refers to. Pure.

"No, that's not it" and "say that differently" mean nothing alone. The rules stand in
``knowledge/rules/turns.en.toml``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.content_rules import PhraseRule
from assistant.domain import History, Message, Role, Utterance
from assistant.normalise import plain

NOT_IT = "not_it"
AGAIN = "again"


def meant(text: str, history: History, rules: Sequence[PhraseRule]) -> str | None:
    """Tell whether a turn is about the last reply: ``NOT_IT``, ``AGAIN`` or None."""
    if not any(message.role is Role.ASSISTANT for message in history.messages):
        return None
    said = plain(text).text.strip(" \n.,!?")
    for rule in rules:
        if any(pattern.search(said) for pattern in rule.patterns):
            return rule.rule
    return None


def said_before(history: History, rules: Sequence[PhraseRule]) -> str | None:
    """Give the person's last message that was not about the talk itself."""
    for at in range(len(history.messages) - 1, -1, -1):
        message = history.messages[at]
        earlier = replace(history, messages=history.messages[:at])
        if message.role is Role.USER and not meant(message.content, earlier, rules):
            return message.content
    return None


def since_correction(history: History, rules: Sequence[PhraseRule]) -> History:
    """Leave out what came before the person said that it was taken wrongly."""
    messages: tuple[Message, ...] = history.messages
    for at, message in enumerate(messages):
        earlier = replace(history, messages=messages[:at])
        if message.role is Role.USER and meant(message.content, earlier, rules) == (
            NOT_IT
        ):
            history = replace(history, messages=messages[at:])
    return history


def same_again(
    utterance: Utterance, history: History, rules: Sequence[PhraseRule]
) -> Utterance:
    """Give the utterance that is to be answered in other words."""
    text = said_before(history, rules)
    return replace(utterance, text=text) if text else utterance
