"""Small things in a talk, and how they are heard: a message → a name, or None. Pure.

A phone put away, thanks, "not much, you?": to explain them is to talk past the person.
The rules stand in ``knowledge/rules/small.en.toml``; what each name means, in ``plan``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.content_rules import PhraseRule
from assistant.normalise import plain

_MOST_WORDS = 25
"""In a longer message the small thing is not what it is about."""


_STEPS = frozenset({"step_taken", "step_ahead"})
_AFTER = re.compile(
    r"(?:[\s,.!]|for (?:a|the) (?:bit|while|moment|minute|day|night)\b|for now\b|now\b"
    r"|then\b|today\b|tonight\b|again\b|instead\b|first\b|soon\b|too\b"
    r"|a (?:bit|little)\b|thanks\b|thank you\b)*"
)


def is_a_step(text: str, rules: Sequence[PhraseRule]) -> bool:
    """Tell whether a message is a small step and next to nothing else.

    "I might sit outside for a bit" can sound to the ear like a farewell.
    """
    said = plain(text).text.strip()
    return any(
        _AFTER.fullmatch(said, match.end())
        for rule in rules
        if rule.rule in _STEPS and rule.holds(said)
        for pattern in rule.patterns
        if (match := pattern.search(said))
    )


def heard(text: str, rules: Sequence[PhraseRule]) -> str | None:
    """Give the name of the first rule that a short message matches."""
    said = plain(text).text.strip()
    if len(said.split()) > _MOST_WORDS:
        return None
    return next((rule.rule for rule in rules if rule.holds(said)), None)
