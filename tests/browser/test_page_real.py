"""The real program behind the page: real models, a real browser, sound and text."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Launch, open_talk, say, wait_until, watched

pytestmark = [pytest.mark.browser, pytest.mark.weights]

ROOT = Path(__file__).resolve().parent.parent.parent
SPOKEN = "I keep reading his old messages at night."
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


class RealServer:
    """The command a person runs, on a free port."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assistant", "serve", "--port", "0"]
            + ["--no-browser", "--country", "GB"],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        found = _ADDRESS.search(self.process.stderr.readline())
        assert found is not None
        self.address = found.group()
        self._client = httpx.Client(timeout=60)

    def is_whole(self) -> bool:
        self._client.get(self.address)  # comes in by the front page
        state = self._client.get(f"{self.address}ready").json()
        assert state["failed"] is None
        return bool(state["settled"] and not state["loading"])

    def close(self) -> None:
        assert self.process.stderr is not None
        self._client.close()
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stderr.close()


@pytest.fixture(scope="module")
def real() -> Iterator[RealServer]:
    server = RealServer()
    try:
        wait_until(server.is_whole, 480)
        yield server
    finally:
        server.close()


@pytest.fixture
def page(real: RealServer, launch: Launch, tmp_path: Path) -> Iterator[Page]:
    spoken = tmp_path / "spoken.wav"
    subprocess.run(["espeak-ng", "-s", "140", "-w", str(spoken), SPOKEN], check=True)
    browser = launch(
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={spoken}%noloop",
    )
    context = browser.new_context(permissions=["microphone"])
    page = watched(context.new_page())
    page.set_default_timeout(120_000)
    yield open_talk(page, real)
    context.close()


def test_spoken_words_are_corrected_sent_and_answered(page: Page) -> None:
    page.click("#speak")
    expect(page.locator("#speak")).to_have_text("Stop speaking")
    page.wait_for_timeout(5_000)
    page.click("#speak")
    box = page.locator("#box textarea")
    expect(box).to_have_value(re.compile("messages", re.IGNORECASE), timeout=60_000)
    page.keyboard.press("End")
    page.keyboard.type(" I want to go back.")
    page.keyboard.press("Enter")
    expect(page.locator(".reply span").first).to_be_visible(timeout=120_000)
    expect(page.locator("body.busy")).to_have_count(0, timeout=120_000)
    expect(page.get_by_text("Why this reply")).to_be_visible()


def test_danger_brings_the_card_first(page: Page) -> None:
    say(page, "He had his hands around my throat last night and I could not breathe.")
    card = page.locator(".card").first
    expect(card).to_have_attribute("data-card", "strangulation")
    expect(card.locator(".number.big").first).to_have_text("999")
    expect(page.locator(".reply span").first).to_be_visible()
