"""What tests do on the screen “Ride it out”."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.browsing import Served, open_talk

SETTLES_MS = 800
"""A little longer than a choice waits before it counts."""

HIDE = """
(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""


def open_ride(page: Page, served: Served) -> Page:
    open_talk(page, served)
    page.evaluate("document.querySelector('[data-panel=ride]').click()")
    expect(page.locator("#panel-ride")).to_be_visible()
    return page


def answer(page: Page, strength: int, then_minutes: float = 0) -> None:
    page.locator(".ride-scale label").nth(strength).click()
    page.clock.run_for(SETTLES_MS)
    page.clock.run_for(int(then_minutes * 60_000))


def thing(page: Page, name: str) -> Locator:
    return page.locator(f'.ride-do[data-do="{name}"]')


def open_thing(page: Page, name: str) -> None:
    thing(page, name).locator("summary").click()


def stand_in_for_notes(page: Page, status: int) -> list[Any]:
    """Stand in for the notebook; what it was sent is put into the list."""
    sent: list[Any] = []

    def take(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or ""))
        route.fulfill(status=status)

    page.route("**/notes/wave", take)
    return sent
