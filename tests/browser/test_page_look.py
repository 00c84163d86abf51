"""Screens at phone and desktop width, light and dark, kept in ``test-output/``."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browsing import SCREENSHOTS, Served, open_talk, say, watched

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 740), "desktop": (1280, 860)}
SCHEMES = ("light", "dark")


def _assert_no_sideways_scroll(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_screens_are_kept_and_never_wider_than_the_window(
    browser: Browser, served: Served, size: str, scheme: str
) -> None:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]  # a plain string here
        reduced_motion="reduce",
    )
    page = watched(context.new_page())
    SCREENSHOTS.mkdir(exist_ok=True)

    def keep(name: str) -> None:
        page.wait_for_timeout(150)
        _assert_no_sideways_scroll(page)
        page.screenshot(path=SCREENSHOTS / f"{name}-{size}-{scheme}.png")

    page.goto(f"{served.address}#help")
    page.evaluate("scrollTo(0, 0)")
    keep("first")
    open_talk(page, served)
    keep("empty")
    say(page, "It is two at night and I keep reading the old messages.")
    page.get_by_text("Where this comes from").click()
    keep("reply")
    say(page, "danger")
    keep("card")
    page.click("#help-button")
    expect(page.locator("#panel-help .emergency")).to_be_visible()
    keep("help")
    context.close()


def test_nothing_is_cut_off_at_320_pixels(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 560})
    page = watched(context.new_page())
    page.goto(f"{served.address}#help")
    _assert_no_sideways_scroll(page)
    open_talk(page, served)
    say(page, "danger " + "x" * 200)
    _assert_no_sideways_scroll(page)
    page.click("#help-button")
    expect(page.locator("#panel-help .emergency")).to_be_visible()
    panel = page.locator("#panel-help")
    assert panel.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    context.close()
