"""Follow a talk: what a turn about the talk itself refers to. Pure.

"No, that's not it", "say that differently" and "just answer" mean nothing alone. The
rules stand in ``knowledge/rules/turns.en.toml``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.content_rules import PhraseRule
from assistant.content_texts import Replies
from assistant.domain import History, Message, Role, Utterance
from assistant.lexical import words
from assistant.normalise import plain

NOT_IT = "not_it"
AGAIN = "again"
_NOT_IT_BUT = "not_it_but"
_PRESSES = "presses"
_FEW_WORDS = 3
"""Fewer words after "that's not it" say nothing that could be answered."""
_MOST_WORDS = 30
"""In a longer message, pressing is not what it is about."""
_REFUSALS = (
    "decide_for_me",
    "diagnose",
    "no_promise",
    "method",
    "medicine",
    "law",
    "message_back",
    "track_them",
    "manage_them",
    "their_voice",
    "other_voice",
    "no_harsh_words",
    "no_sex_talk",
    "off_role",
)
"""Fixed answers that say no to something: who presses gets the same no, kindly."""


def meant(text: str, history: History, rules: Sequence[PhraseRule]) -> str | None:
    """Tell whether a turn is about the last reply: ``NOT_IT``, ``AGAIN`` or None."""
    if not _answered(history):
        return None
    said = plain(text).text.strip(" \n.,!?")
    for rule in rules:
        if rule.rule in {NOT_IT, AGAIN} and rule.holds(said):
            return rule.rule
    rest = _after_correction(text, rules)
    return NOT_IT if rest is not None and len(words(rest)) < _FEW_WORDS else None


def corrected(text: str, history: History, rules: Sequence[PhraseRule]) -> str | None:
    """Give what follows on "that's not what I meant"; None where nothing does."""
    rest = _after_correction(text, rules) if _answered(history) else None
    return rest if rest and len(words(rest)) >= _FEW_WORDS else None


def pressed(
    text: str, history: History, rules: Sequence[PhraseRule], replies: Replies
) -> str | None:
    """Give the fixed answer that was a no, where the person presses on after it."""
    said = plain(text).text.strip()
    if not _answered(history) or len(said.split()) > _MOST_WORDS:
        return None
    if not any(rule.holds(said) for rule in rules if rule.rule == _PRESSES):
        return None
    shown = history.messages[-1].content
    for key in _REFUSALS:
        if any(variant in shown for variant in replies.variants(key)):
            return key
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
        if message.role is not Role.USER:
            continue
        earlier = replace(history, messages=messages[:at])
        if meant(message.content, earlier, rules) == NOT_IT or corrected(
            message.content, earlier, rules
        ):
            history = replace(history, messages=messages[at:])
    return history


def same_again(
    utterance: Utterance, history: History, rules: Sequence[PhraseRule]
) -> Utterance:
    """Give the utterance that is to be answered in other words."""
    text = said_before(history, rules)
    return replace(utterance, text=text) if text else utterance


def shown(history: History) -> str:
    """Give everything that this talk has shown, oldest first."""
    return "\n".join(m.content for m in history.messages if m.role is Role.ASSISTANT)


def _answered(history: History) -> bool:
    return any(message.role is Role.ASSISTANT for message in history.messages)


def _after_correction(text: str, rules: Sequence[PhraseRule]) -> str | None:
    """Give what stands after a correction at the beginning; None without one."""
    text = text.strip()
    said = plain(text)
    for rule in rules:
        if rule.rule != _NOT_IT_BUT:
            continue
        for pattern in rule.patterns:
            if found := pattern.match(said.text):
                if found.end() >= len(said.text):
                    return ""
                rest = text[said.offsets[found.end()] :]
                return rest.strip(" \t\n.,;:!?-–—")
    return None
