"""What somebody met who had never seen the page: small screens, haste, a long wait."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.browsing import Launch, Served, let_in, open_talk, watched

pytestmark = pytest.mark.browser

DOUBLED = "--blink-settings=defaultFontSize=32"
"""As a browser whose letters the person set to twice their size."""
BOXES = """
(all) => all.map((e) => e.getBoundingClientRect())
  .map((b) => [b.x, b.y, b.right, b.bottom])
"""


@pytest.fixture(scope="module")
def doubled(launch: Launch) -> Browser:
    return launch(DOUBLED)


@pytest.fixture
def small(doubled: Browser, served: Served) -> Iterator[Page]:
    page = watched(doubled.new_page(viewport={"width": 320, "height": 640}))
    yield open_talk(page, served)
    page.close()


def _boxes(page: Page, selector: str) -> list[list[float]]:
    boxes: list[list[float]] = page.eval_on_selector_all(selector, BOXES)
    assert boxes
    return boxes


def _overlap(one: list[float], other: list[float]) -> bool:
    return (
        one[0] < other[2]
        and other[0] < one[2]
        and one[1] < other[3]
        and other[1] < one[3]
    )


def test_no_digit_of_a_number_is_cut_off_with_doubled_letters(small: Page) -> None:
    small.click("#help-button")
    expect(small.locator("#panel-help .emergency")).to_be_visible()
    for box in _boxes(small, "#panel-help .services .number"):
        assert box[2] <= 320


def test_the_bar_has_doubled_letters_and_stays_whole(small: Page) -> None:
    parts = "#exit, #menu-button, #help-button"
    bar = _boxes(small, "#bar")[0]
    boxes = _boxes(small, parts)
    for place, box in enumerate(boxes):
        assert box[0] >= 0
        assert box[2] <= 320
        assert box[3] <= bar[3]
        assert box[3] - box[1] >= 44
        assert not any(_overlap(box, other) for other in boxes[place + 1 :])
    small.click("#menu-button")
    for selector in ("#exit", "#menu li button"):
        size = small.locator(selector).first.evaluate(
            "(e) => parseFloat(getComputedStyle(e).fontSize)"
        )
        assert size >= 30


def test_the_box_leaves_room_for_the_talk_with_doubled_letters(small: Page) -> None:
    assert _boxes(small, "#composer")[0][1] > 640  # below the words, not over them
    words = _boxes(small, "#send, #speak, #recording, #hands-free, #end")
    for place, box in enumerate(words):
        assert not any(_overlap(box, other) for other in words[place + 1 :])
    for one in ("#recording", "#hands-free", "#end"):
        assert small.locator(one).evaluate("(e) => e.scrollWidth <= e.clientWidth")


def test_words_sent_before_the_page_is_ready_are_not_lost(
    page: Page, served: Served
) -> None:
    let_in(page, served)
    held: list[Route] = []
    free: list[bool] = []

    def pass_on(route: Route) -> None:
        if free:
            route.continue_()
        else:
            held.append(route)

    page.route("**/queue/join*", pass_on)
    page.goto(f"{served.address}talk/")
    page.locator("#box textarea").wait_for()
    page.locator("#speak[aria-disabled]").wait_for()  # the page's own script runs
    page.fill("#box textarea", "I came in a hurry")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("One moment, then it is sent.")
    free.append(True)
    for route in held:
        route.continue_()
    expect(page.locator(".said")).to_have_text("I came in a hurry")
    expect(page.locator("body.busy")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator("#box textarea")).to_have_value("")


def test_a_long_wait_is_said_and_so_is_a_stop(page: Page, served: Served) -> None:
    open_talk(page, served)
    # The wait for more of a reply, made short.
    page.evaluate(
        "{const plain = setTimeout;"
        "window.setTimeout = (f, ms, ...more) =>"
        " plain(f, ms === 15000 ? 100 : ms, ...more)}"
    )
    page.fill("#box textarea", "slow")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("It is still being written")
    page.click("#stop")
    expect(page.locator("#status")).to_have_text("Stopped. What is there stays.")
    expect(page.locator("body.busy")).to_have_count(0)


def test_escape_leads_back_to_the_button_of_the_folded_menu(
    browser: Browser, served: Served
) -> None:
    page = open_talk(
        watched(browser.new_page(viewport={"width": 390, "height": 844})), served
    )
    page.focus("#menu-button")
    page.keyboard.press("Enter")
    page.focus("#menu [data-panel=ride]")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-ride")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#menu-button")).to_be_focused()
    page.close()


def test_close_and_what_was_done_are_in_sight_on_a_phone(
    browser: Browser, served: Served
) -> None:
    page = open_talk(
        watched(browser.new_page(viewport={"width": 390, "height": 844})), served
    )
    page.click("#menu-button")
    page.click("#menu [data-panel=notes]")
    page.fill("form[data-do=add] [name=text]", "A plate was thrown")
    page.click("form[data-do=add] button[type=submit]")
    expect(page.locator("#notes-status")).to_have_text("Added.")
    page.locator("#panel-notes summary", has_text="Erase everything").click()
    page.get_by_role("button", name="Yes, erase everything").click()
    expect(page.locator("#notes-status")).to_have_text("Everything is erased.")
    page.wait_for_timeout(300)
    bar, head, said = (
        _boxes(page, one)[0]
        for one in ("#bar", "#panel-notes .panel-head", "#notes-status")
    )
    assert bar[3] <= head[1] + 1
    assert head[3] <= said[1] + 1
    assert said[3] < 844
    page.locator("#panel-notes summary").last.scroll_into_view_if_needed()
    close = _boxes(page, "#panel-notes [data-close]")[0]
    assert close[1] >= bar[3]
    assert close[3] < 200
    page.close()
