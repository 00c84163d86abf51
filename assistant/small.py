"""Small things in a talk, and how they are heard: a message → a name, or None. Pure.

A phone put away, thanks, "not much, you?": to explain them is to talk past the person.
The rules stand in ``knowledge/rules/small.en.toml``; what each name means, in ``plan``.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.content_rules import PhraseRule
from assistant.normalise import plain

_MOST_WORDS = 25
"""In a longer message the small thing is not what it is about."""


def heard(text: str, rules: Sequence[PhraseRule]) -> str | None:
    """Give the name of the first rule that a short message matches."""
    said = plain(text).text.strip()
    if len(said.split()) > _MOST_WORDS:
        return None
    return next((rule.rule for rule in rules if rule.holds(said)), None)
