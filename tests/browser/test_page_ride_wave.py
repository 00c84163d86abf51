"""The wave’s own logic, ``static/ride-wave.js``, as the browser runs it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.browsing import Served, let_in, watched

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def wave(browser: Browser, served: Served) -> Iterator[Callable[[str], Any]]:
    """Ask the wave's own file, without the page around it."""
    context = browser.new_context()
    page = watched(context.new_page())
    let_in(page, served)
    page.goto(f"{served.address}bye")
    start = "import('/static/ride-wave.js').then((waves) => {{ return {}; }})"
    yield lambda expression: page.evaluate(start.format(expression))
    context.close()


def _wave(*answers: tuple[float, int]) -> str:
    made = [{"at": at * 60_000, "strength": strength} for at, strength in answers]
    return json.dumps(made)


@pytest.mark.parametrize(
    ("answers", "now", "said"),
    [
        ([(0, 4)], 0, "Now 4."),
        ([(0, 4)], 5, "Five minutes ago it was 4."),
        ([(0, 8), (9, 4)], 9, "Now 4. The highest was 8, nine minutes ago."),
        ([(0, 8), (5, 8), (9, 4)], 9, "Now 4. The highest was 8, four minutes ago."),
        ([(0, 8), (1, 8)], 1, "Now 8. It was also 8 a minute ago."),
        ([(0, 3), (9, 4)], 9, "Now 4. The highest before was 3, nine minutes ago."),
        ([(0, 3), (70, 1)], 70, "Now 1. The highest was 3, about an hour ago."),
        ([(0, 3), (150, 1)], 150, "Now 1. The highest was 3, about three hours ago."),
        ([(0, 3), (30, 1)], 30, "Now 1. The highest was 3, 30 minutes ago."),
    ],
)
def test_a_wave_in_words(
    wave: Callable[[str], Any], answers: list[tuple[float, int]], now: int, said: str
) -> None:
    assert wave(f"waves.sayWave({_wave(*answers)}, {now * 60_000})") == said


@pytest.mark.parametrize(
    ("answers", "moment"),
    [
        ([(0, 5)], "first"),
        ([(0, 9)], "high"),
        ([(0, 1)], "low"),
        ([(0, 5), (4, 7)], "higher"),
        ([(0, 5), (4, 8)], "high"),
        ([(0, 5), (4, 5)], "same"),
        ([(0, 9), (4, 9)], "high"),
        ([(0, 10), (4, 9)], "lower"),
        ([(0, 5), (4, 2)], "low"),
        ([(0, 0), (4, 0)], "low"),
    ],
)
def test_how_a_wave_moves(
    wave: Callable[[str], Any], answers: list[tuple[float, int]], moment: str
) -> None:
    assert wave(f"waves.momentOf({_wave(*answers)})") == moment


def test_a_wave_is_drawn_between_its_answers_only(wave: Callable[[str], Any]) -> None:
    points = wave(f"waves.points({_wave((0, 0), (5, 10), (10, 5))})")
    assert points == [[14, 166], [300, 14], [586, 90]]
    line = wave(f"waves.lineThrough({json.dumps(points)})")
    assert line == "M14,166 C157,166 157,14 300,14 C443,14 443,90 586,90"
    assert wave(f"waves.points({_wave((0, 5))})") == [[14, 90]]


def test_when_to_ask_and_what_is_kept(wave: Callable[[str], Any]) -> None:
    one = _wave((0, 5))
    assert wave(f"waves.isDue([], {60 * 60_000})") is False
    assert wave(f"waves.isDue({one}, {4 * 60_000 - 1})") is False
    assert wave(f"waves.isDue({one}, {4 * 60_000})") is True
    assert wave(f"waves.isDue({one}, {4 * 60_000}, {60_000})") is False
    assert wave(f"waves.strengths({_wave((3, 5), (7.4, 9))})") == [[0, 5], [4, 9]]
