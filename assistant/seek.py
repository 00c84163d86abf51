"""Whether the person looks for help, and which: a message → a need, or None. Pure.

The rules stand in ``knowledge/rules/needs.en.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.content_rules import PhraseRule
from assistant.normalise import plain

_SEEKS = "seeks_help"
_USUAL = "abuse"
_WHO = "who-"
"""Rules whose id begins so tell who the person is: that holds for the whole talk."""


def need_of(
    text: str,
    rules: Sequence[PhraseRule],
    *,
    asked: bool = False,
    before: Sequence[str] = (),
) -> str | None:
    """Give the need that a request for help names; None where nobody asks for help.

    Args:
        text: What was said.
        rules: ``seeks_help`` and the needs; the first need that matches counts.
        asked: True where it is known already that this is a request.
        before: What the person said earlier; who they are need not be said twice.
    """
    said = plain(text).text
    seeking = [rule for rule in rules if rule.rule == _SEEKS]
    if not asked and not any(rule.holds(said) for rule in seeking):
        return None
    needs = [rule for rule in rules if rule.rule != _SEEKS]
    who = [rule for rule in needs if rule.id.startswith(_WHO)]
    if need := _first(needs, said):
        return need
    found = (_first(who, plain(earlier).text) for earlier in reversed(before))
    return next(filter(None, found), _USUAL)


def _first(rules: Iterable[PhraseRule], said: str) -> str | None:
    return next((rule.rule for rule in rules if rule.holds(said)), None)
