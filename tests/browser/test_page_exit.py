"""The quick exit: covered at once, wiped, and nothing to come back to."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browsing import Served, open_talk, say, wait_until, watched

pytestmark = pytest.mark.browser

_COVERED_WITHIN_MS = """
() => {
  const began = performance.now();
  document.getElementById("exit").click();
  const cover = getComputedStyle(document.getElementById("cover")).display;
  const took = performance.now() - began;
  const shown = document.body.innerText + document.querySelector("#box textarea").value;
  return [cover, took, document.querySelectorAll(".turn").length, shown];
}
"""

_SHIFT_LET_GO = """
() => void setTimeout(
  () => dispatchEvent(new KeyboardEvent("keyup", { key: "Shift" })), 50)
"""


def _wiped(served: Served, number: int) -> bool:
    talk = served.ask()["talks"][number]
    return talk["wiped"] > 0 and talk["said"] == []


def test_the_page_is_covered_in_the_same_moment(talk: Page, served: Served) -> None:
    say(talk, "danger apricot")
    number = len(served.ask()["talks"]) - 1
    cover, took_ms, turns, shown = talk.evaluate(_COVERED_WITHIN_MS)
    assert cover == "block"
    assert took_ms < 100
    assert turns == 0
    assert "apricot" not in shown
    wait_until(lambda: _wiped(served, number), 2)
    talk.wait_for_url("**/bye")


def test_three_shifts_leave_with_dots_to_see(talk: Page) -> None:
    talk.focus("#box textarea")
    talk.keyboard.press("Shift")
    expect(talk.locator("#exit-dots i.on")).to_have_count(1)
    talk.keyboard.press("Shift")
    expect(talk.locator("#exit-dots i.on")).to_have_count(2)
    # Let go from within the page: the driver would wait for an answer to a real key,
    # and the page that should give it is gone by then.
    talk.keyboard.down("Shift")
    talk.evaluate(_SHIFT_LET_GO)
    talk.wait_for_url("**/bye")
    assert talk.title() == "Notes"


def test_capital_letters_do_not_leave(talk: Page) -> None:
    talk.focus("#box textarea")
    for letter in "ABCD":
        talk.keyboard.press(f"Shift+{letter}")
    expect(talk.locator("#box textarea")).to_have_value("ABCD")
    assert talk.url.endswith("/talk/")


def test_shifts_too_far_apart_do_not_leave(talk: Page) -> None:
    talk.keyboard.press("Shift")
    talk.keyboard.press("Shift")
    talk.wait_for_timeout(5_300)
    expect(talk.locator("#exit-dots i.on")).to_have_count(0)
    talk.keyboard.press("Shift")
    talk.wait_for_timeout(300)
    assert talk.url.endswith("/talk/")


def test_back_shows_nothing(context: BrowserContext, served: Served) -> None:
    page = watched(context.new_page())
    page.goto(f"{served.address}bye")  # stands for whatever was open before
    open_talk(page, served)
    say(page, "apricot")
    page.click("#exit")
    page.wait_for_url("**/bye")
    page.go_back()
    page.wait_for_timeout(500)
    assert "apricot" not in page.content()
    assert not page.url.endswith("/talk/")


def test_a_page_left_in_the_usual_way_shows_nothing_on_back(
    context: BrowserContext, served: Served
) -> None:
    page = open_talk(watched(context.new_page()), served)
    say(page, "apricot")
    number = len(served.ask()["talks"]) - 1
    page.goto(f"{served.address}bye")
    wait_until(lambda: _wiped(served, number))
    page.go_back()
    page.wait_for_timeout(500)
    assert "apricot" not in page.content()


def test_the_exit_stops_a_reply_in_the_middle(talk: Page, served: Served) -> None:
    talk.fill("#box textarea", "slow")
    talk.keyboard.press("Enter")
    expect(talk.locator(".reply span").first).to_be_visible()
    number = len(served.ask()["talks"]) - 1
    talk.click("#exit")
    talk.wait_for_url("**/bye")
    wait_until(lambda: _wiped(served, number), 3)


def test_the_exit_works_from_inside_help(talk: Page) -> None:
    talk.click("#help-button")
    expect(talk.locator("#panel-help")).to_be_visible()
    talk.click("#exit")
    talk.wait_for_url("**/bye")


def test_the_first_page_has_the_same_exit(page: Page, served: Served) -> None:
    page.goto(f"{served.address}#help")
    page.click("#exit")
    page.wait_for_url("**/bye")
    assert page.locator("a, button").count() == 0
