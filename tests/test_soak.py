"""A short soak: memory and triage stay the same; ``python -m tests.soak`` is long."""

from __future__ import annotations

from pathlib import Path

from tests import soak


def test_an_hour_of_talk_leaves_memory_and_triage_as_they_were(tmp_path: Path) -> None:
    report = soak.Soak(tmp_path, ear=False).run(120)
    assert report.turns == 120
    assert report.wipes > 2
    assert report.spoken > 2
    assert report.growth <= 0.1, report  # so short a time has caches that still fill
    assert report.triage_p95_late <= 2 * report.triage_p95_early + 1, report


def test_what_grows_is_seen() -> None:
    growing = [100.0 + turn for turn in range(100)]
    report = soak._judged(soak.Report(turns=100), growing, [1.0] * 100)
    assert report.growth > 0.5
    assert not report.is_steady


def test_triage_that_becomes_slower_is_seen() -> None:
    times = [2.0] * 50 + [9.0] * 50
    report = soak._judged(soak.Report(turns=100), [100.0] * 100, times)
    assert not report.is_steady


def test_what_stays_is_steady() -> None:
    report = soak._judged(soak.Report(turns=100), [100.0] * 100, [2.0] * 100)
    assert report.is_steady
