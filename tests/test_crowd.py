"""Some tabs with hostile words; ``python -m tests.crowd`` lets a thousand turns in."""

from __future__ import annotations

from tests import crowd


def test_many_tabs_with_hostile_words_never_mix() -> None:
    report = crowd.crowd(turns=60, tabs=6)
    assert report.faults == []
    assert report.ended == report.turns == 60
    assert report.wipes > 0
    assert report.own_words_shown >= 60
