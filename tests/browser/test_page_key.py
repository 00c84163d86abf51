"""The key of one start, in a real browser: who gets in, and what others see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.browsing import SCREENSHOTS, Served, say, wait_until, watched

pytestmark = pytest.mark.browser


def _front(served: Served) -> str:
    """The bare address, without a key."""
    return f"http://{urlsplit(served.address).netloc}/"


def _start_talk(page: Page, served: Served, address: str) -> Page:
    served.wait_open()
    page.goto(address)
    assert "/enter/" not in page.url
    page.goto(f"{_front(served)}talk/")
    page.locator("#box textarea").wait_for()
    expect(page.locator("[data-testid=label-output-value]")).not_to_be_empty()
    return page


def _expect_outside(page: Page) -> None:
    expect(page.locator("h1")).to_have_text("This page is open somewhere else")
    expect(page.locator(".emergency .number.big").first).to_have_text("999")
    assert page.locator("script").count() == 0


def test_only_the_browser_with_the_key_gets_in(
    new_server: Callable[..., Served], page: Page, browser: Browser
) -> None:
    served = new_server("--country", "GB", "--strict")
    opened = served.home / "opened.txt"
    wait_until(opened.exists)
    _start_talk(page, served, opened.read_text())
    say(page, "hello")
    assert "enter" not in page.evaluate("performance.getEntries().map((e) => e.name)")
    for _ in range(2):  # a second tab, and a reload of it
        other = watched(page.context.new_page())
        other.goto(_front(served))
        other.reload()
        expect(other.locator("#exit")).to_be_visible()
    stranger = browser.new_context()
    outside = stranger.new_page()
    outside.goto(_front(served))
    _expect_outside(outside)
    outside.goto(f"{_front(served)}talk/")
    assert outside.url == _front(served)
    outside.goto(opened.read_text())  # has been used
    _expect_outside(outside)
    _start_talk(outside, served, served.address)  # what the terminal shows
    stranger.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_outside_breaks_no_rule_of_access(
    new_server: Callable[..., Served], browser: Browser, scheme: str
) -> None:
    served = new_server("--country", "GB", "--strict")
    context = browser.new_context(
        viewport={"width": 320, "height": 560},
        color_scheme=scheme,  # type: ignore[arg-type]  # a plain string here
    )
    page = context.new_page()
    page.goto(_front(served))
    _expect_outside(page)
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"outside-{scheme}.png", full_page=True)
    page.click("summary")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def _again(served: Served, home: Path, *options: str) -> Served:
    """Start it again at the same port."""
    assert served.close() == 0
    port = str(urlsplit(served.address).port)
    return Served(home, "--country", "GB", "--port", port, *options)


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "no browser"])
def test_a_new_start_is_said_and_the_old_page_cannot_go_on(
    new_server: Callable[..., Served], page: Page, tmp_path: Path, strict: bool
) -> None:
    options = ("--strict",) if strict else ()
    served = new_server("--country", "GB", *options)
    _start_talk(page, served, served.address)
    say(page, "apricot")
    again = _again(served, tmp_path / "again", *options)
    try:
        page.fill("#box textarea", "still here")
        page.keyboard.press("Enter")
        expect(page.locator("#again")).to_contain_text("cannot go on", timeout=60_000)
        expect(page.locator("#turns")).to_contain_text("apricot")
        page.click("#help-button")
        expect(page.locator("#panel-help .emergency").first).to_contain_text("999")
        page.keyboard.press("Escape")
        page.reload()
        assert page.url == _front(again)
        if strict:
            _expect_outside(page)
        else:
            expect(page.locator("#exit")).to_be_visible()
        _start_talk(page, again, again.address)
        say(page, "hello again")
    finally:
        again.close()


def test_the_exit_still_leads_away_after_a_new_start(
    new_server: Callable[..., Served], page: Page, tmp_path: Path
) -> None:
    served = new_server("--strict")
    _start_talk(page, served, served.address)
    again = _again(served, tmp_path / "again", "--strict")
    try:
        page.click("#exit")
        page.wait_for_url("**/bye")
        expect(page.locator("textarea")).to_be_visible()
    finally:
        again.close()


def test_a_link_from_another_page_lets_nobody_in(
    new_server: Callable[..., Served], context: BrowserContext
) -> None:
    served = new_server("--country", "GB")
    page = context.new_page()
    page.set_content(f'<a href="{_front(served)}">look</a>')
    page.click("a")
    expect(page.locator("h1")).to_have_text("Open this page?")
    assert context.cookies() == []
    page.click("text=Open it")  # a person who wants to see it
    expect(page.locator("#help-place")).to_be_visible()
    assert [cookie["sameSite"] for cookie in context.cookies()] == ["Strict"]
