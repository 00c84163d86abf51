"""The first page: help at once, then the talk."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browsing import Served
from tests.speed import slowness

pytestmark = pytest.mark.browser


def test_help_is_on_screen_before_anything_has_loaded(
    new_server: Callable[..., Served], page: Page
) -> None:
    began = time.monotonic()
    served = new_server("--country", "GB", "--slow-start", "30")
    page.goto(served.address)
    expect(page.locator(".emergency .number.big").first).to_have_text("999")
    assert time.monotonic() - began < 5 * slowness()
    assert page.title() == "Notes"
    expect(page.locator("#lead")).to_contain_text("getting ready")


def test_the_first_time_the_page_waits_for_start(
    new_server: Callable[..., Served], page: Page
) -> None:
    served = new_server("--country", "GB")
    page.goto(served.address)
    expect(page.locator("#lead")).to_have_text("Everything is ready.", timeout=60_000)
    page.wait_for_timeout(1_000)
    expect(page.locator("#welcome")).to_contain_text("not a therapist")
    page.get_by_text("More about this").click()
    expect(page.locator("#more")).to_contain_text("private windows too")
    page.click("#go")
    page.wait_for_url("**/talk/")


def test_start_can_be_pressed_before_anything_is_ready(
    new_server: Callable[..., Served], page: Page
) -> None:
    served = new_server("--slow-start", "3")
    page.goto(served.address)
    page.click("#go")
    expect(page.locator("#lead")).to_contain_text("by itself")
    page.wait_for_url("**/talk/", timeout=60_000)


def test_later_the_page_becomes_the_talk_by_itself(
    new_server: Callable[..., Served], page: Page
) -> None:
    served = new_server()
    served.wait_open()
    served.client.get("/talk/")
    page.goto(served.address)
    page.wait_for_url("**/talk/", timeout=60_000)
    page.locator("#box textarea").wait_for()
    assert page.evaluate("history.length") == 2  # the empty tab, and the talk


def test_nobody_is_moved_away_from_what_they_read(
    new_server: Callable[..., Served], page: Page
) -> None:
    served = new_server("--country", "GB")
    page.goto(served.address)
    page.select_option("select[name=country]", "CA")
    expect(page.locator(".emergency .number.big").first).to_have_text("911")
    expect(page.locator("#go")).to_be_visible(timeout=60_000)
    assert not page.url.endswith("/talk/")
    page.click("#go")
    page.wait_for_url("**/talk/")


def test_a_country_can_be_chosen_without_scripts(
    served: Served, browser: Browser
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served.address)
    page.select_option("select[name=country]", "CA")
    page.click(".choice button")
    assert "country" not in page.url
    expect(page.locator("#help")).to_contain_text("Services: Canada")
    page.select_option("select[name=country]", "GB")
    page.click(".choice button")
    expect(page.locator("#help")).to_contain_text("Services: United Kingdom")
    context.close()


def test_without_a_country_the_page_asks(
    new_server: Callable[..., Served], page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    served = new_server("--slow-start", "30")
    page.goto(served.address)
    expect(page.locator("#help")).to_contain_text("Choose a country to see")


def test_a_start_that_failed_is_said_and_help_stays(
    new_server: Callable[..., Served], page: Page
) -> None:
    served = new_server("--country", "GB", "--broken", "A file is not as it must be.")
    page.goto(served.address)
    expect(page.locator("#start")).to_contain_text("A file is not as it must be.")
    expect(page.locator("#waiting")).to_be_hidden()
    page.select_option("select[name=country]", "CA")
    expect(page.locator("#help")).to_contain_text("Services: Canada")
    page.goto(f"{served.address}talk/")
    expect(page.locator("#help")).to_be_visible()  # led back to the first page
