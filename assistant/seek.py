"""Whether the person looks for help, and which: a message → a need, or None. Pure.

The rules stand in ``knowledge/rules/needs.en.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.content_rules import PhraseRule
from assistant.normalise import plain

_SEEKS = "seeks_help"
_USUAL = "abuse"


def need_of(
    text: str, rules: Sequence[PhraseRule], *, asked: bool = False
) -> str | None:
    """Give the need that a request for help names; None where nobody asks for help.

    Args:
        text: What was said.
        rules: ``seeks_help`` and the needs; the first need that matches counts.
        asked: True where it is known already that this is a request.
    """
    said = plain(text).text
    seeking = [rule for rule in rules if rule.rule == _SEEKS]
    if not asked and not _any(seeking, said):
        return None
    needs = (rule for rule in rules if rule.rule != _SEEKS)
    return next((rule.rule for rule in needs if _matches(rule, said)), _USUAL)


def _any(rules: Iterable[PhraseRule], said: str) -> bool:
    return any(_matches(rule, said) for rule in rules)


def _matches(rule: PhraseRule, said: str) -> bool:
    return any(p.search(said) for p in rule.patterns) and not any(
        p.search(said) for p in rule.unless
    )
