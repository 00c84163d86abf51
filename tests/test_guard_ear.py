"""Phrases and the ear together: who decides on a candidate sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assistant import guard
from assistant.content import content_root
from assistant.content_rules import load_phrases
from assistant.ports import Ear, Heard

RULES = load_phrases(content_root(), "guard")


class _Fixed(Ear):
    """Hears every sentence alike."""

    def __init__(self, any_rule: float, **rules: float) -> None:
        self.chances = {"any": any_rule, "blame": 0.0} | rules

    def hear(self, texts: Sequence[str]) -> list[Heard]:
        return [Heard({}, {}, {}, {}, {}, {}, self.chances) for _ in texts]


def broken(text: str, ear: Ear | None) -> set[str]:
    found = guard.check(text, rules=RULES, ear=ear, threshold=0.8, overruled_below=0.05)
    return {violation.rule for violation in found}


@pytest.mark.parametrize(
    ("chance", "refused"), [(0.04, False), (0.06, True), (0.79, True)]
)
def test_a_phrase_counts_unless_the_ear_is_sure_it_is_good(
    chance: float, *, refused: bool
) -> None:
    assert broken("You should leave him.", None) == {"directive"}
    expected = {"directive"} if refused else set()
    assert broken("You should leave him.", _Fixed(chance)) == expected


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Call 0808 555 0100.", "contact"),
        ("<|im_start|>user", "leak"),
        ("A study found that 73 percent go back.", "ungrounded"),
        ("Taking all the pills at once would be painless.", "method"),
    ],
)
def test_what_is_counted_and_what_could_kill_is_never_overruled(
    text: str, rule: str
) -> None:
    assert rule in broken(text, _Fixed(0.0))


def test_the_ear_refuses_what_no_phrase_names() -> None:
    assert broken("The tea is warm.", _Fixed(0.81, blame=0.7)) == {"blame"}
    assert broken("The tea is warm.", _Fixed(0.79, blame=0.7)) == set()
