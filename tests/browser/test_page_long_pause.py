"""Speaking with a long pause, with the real models that listen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hearing
from tests.browser.browsing import Served, open_talk

pytestmark = [pytest.mark.browser, pytest.mark.weights]


def test_a_long_pause_ends_nothing_and_what_follows_is_heard(
    page: Page, new_server: Callable[..., Served], tmp_path: Path
) -> None:
    """Forty seconds of silence in the stream; they are not waited for."""
    served = new_server("--listens")
    served.wait_open()
    page.set_default_timeout(120_000)
    open_talk(page, served)
    hearing.give_microphone(page)
    rate = page.evaluate("new AudioContext().sampleRate")
    hearing.start(page)
    said = (
        ("I keep reading his old messages at night.", 40),
        ("I feel very tired.", 2),
    )
    for words, silent_s in said:
        page.evaluate("(pcm) => play(pcm)", hearing.spoken(words, tmp_path))
        page.wait_for_timeout(500)
        page.evaluate(
            "([seconds, rate]) => keepSilent(seconds, rate)", [silent_s, rate]
        )
    settled = page.locator("#so-far span")
    expect(settled).to_contain_text("messages", timeout=120_000)
    expect(settled).to_contain_text("tired", timeout=120_000)
    page.click("#speak")
    box = page.locator("#box textarea")
    both = re.compile("messages.*tired", re.IGNORECASE | re.DOTALL)
    expect(box).to_have_value(both, timeout=120_000)
    page.keyboard.press("End")
    page.keyboard.type(" It is two at night.")
    page.keyboard.press("Enter")
    expect(page.locator(".said p")).to_have_text(both, timeout=60_000)
    expect(page.locator(".said p")).to_contain_text("It is two at night.")
    expect(page.locator(".reply span")).to_have_count(3)
