"""A real server in its own process, and a real browser to look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright
from playwright.sync_api import sync_playwright as start_playwright

from tests.browser.browsing import CHROMIUM, Launch, Served, open_talk, watched
from tests.browser.riding import open_ride


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests, already open for talking."""
    server = Served(tmp_path_factory.mktemp("served"), "--country", "GB")
    server.wait_open()
    yield server
    assert server.close() == 0


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Make servers for one test."""
    made: list[Served] = []

    def make(*options: str) -> Served:
        made.append(Served(tmp_path / f"served-{len(made)}", *options))
        return made[-1]

    yield make
    for server in made:
        server.close()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with start_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def launch(playwright: Playwright) -> Iterator[Launch]:
    """Start Chromium with extra arguments; all are closed at the end."""
    browsers: list[Browser] = []

    def start(*arguments: str) -> Browser:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", *arguments]
        )
        browsers.append(browser)
        return browser

    yield start
    for browser in browsers:
        browser.close()


@pytest.fixture(scope="package")
def browser(launch: Launch) -> Browser:
    return launch()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page whose errors, and whose requests to elsewhere, fail the test."""
    return watched(context.new_page())


@pytest.fixture
def talk(page: Page, served: Served) -> Page:
    return open_talk(page, served)


@pytest.fixture
def ride(page: Page, served: Served) -> Page:
    """The open screen “Ride it out”, with a clock that the test moves."""
    page.clock.install()
    return open_ride(page, served)
