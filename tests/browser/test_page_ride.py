"""Riding a wave out: being asked, the end, the keys, and how it looks."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.browsing import SCREENSHOTS, Served, open_talk, say, watched
from tests.browser.riding import (
    HIDE,
    SETTLES_MS,
    answer,
    open_ride,
    open_thing,
    stand_in_for_notes,
    thing,
)

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 740), "desktop": (1280, 860)}
AGAIN = "If you like: how strong is it now?"


# --- From the talk -------------------------------------------------------------------


def test_a_craving_offers_the_screen_under_the_reply(talk: Page) -> None:
    say(talk, "I want to write to them")
    button = talk.get_by_role("button", name="Ride this wave out together")
    expect(button).to_have_count(1)
    button.click()
    expect(talk.locator("#panel-ride")).to_be_visible()
    expect(talk.locator("#title-ride")).to_be_focused()
    talk.keyboard.press("Escape")
    expect(button).to_be_focused()


# --- How strong it is ----------------------------------------------------------------


def test_nothing_is_chosen_and_nothing_drawn_beforehand(ride: Page) -> None:
    expect(ride.locator("#ride-ask input:checked")).to_have_count(0)
    expect(ride.locator("#ride-drawn")).to_be_hidden()
    ride.clock.run_for(20 * 60_000)
    expect(ride.locator("#ride-again-ways")).to_be_hidden()  # nobody is hurried


def test_answers_become_a_wave_with_words_for_it(ride: Page) -> None:
    answer(ride, 8, then_minutes=9)
    answer(ride, 4)
    expect(ride.locator("#ride-wave circle")).to_have_count(2)
    expect(ride.locator("#ride-wave-said")).to_have_text(
        "Now 4. The highest was 8, nine minutes ago."
    )
    expect(ride.get_by_role("img")).to_have_accessible_name(
        "Now 4. The highest was 8, nine minutes ago."
    )
    expect(ride.locator("#ride-line")).not_to_be_empty()


def test_the_same_number_again_is_an_answer_and_a_correction_is_not_two(
    ride: Page,
) -> None:
    answer(ride, 7, then_minutes=2)
    answer(ride, 7)
    expect(ride.locator("#ride-wave circle")).to_have_count(2)
    answer(ride, 6)
    expect(ride.locator("#ride-wave circle")).to_have_count(2)
    expect(ride.locator("#ride-wave-said")).to_contain_text("Now 6.")


def test_it_asks_again_quietly_after_some_minutes(ride: Page) -> None:
    answer(ride, 7)
    ride.clock.run_for(3 * 60_000)
    expect(ride.locator("#ride-again-ways")).to_be_hidden()
    ride.clock.run_for(70_000)
    expect(ride.get_by_text(AGAIN)).to_be_visible()
    expect(ride.locator("#ride-ask input:checked")).to_have_count(0)
    ride.click("#ride-again-later")
    expect(ride.locator("#ride-again-ways")).to_be_hidden()
    ride.clock.run_for(4 * 60_000 + 10_000)
    ride.click("#ride-again-same")
    expect(ride.locator("#ride-again-ways")).to_be_hidden()
    expect(ride.locator("#ride-wave circle")).to_have_count(2)
    expect(ride.locator("#ride-wave-said")).to_contain_text("Now 7. It was also 7")


def test_it_never_asks_while_nobody_can_see_it(ride: Page) -> None:
    # Shorter than the quiet after which a talk is wiped.
    answer(ride, 7)
    ride.evaluate(HIDE, True)
    ride.clock.run_for(8 * 60_000)
    assert ride.locator("#ride-again-said").inner_text() == ""
    ride.evaluate(HIDE, False)
    expect(ride.get_by_text(AGAIN)).to_be_visible()
    ride.click("#ride-again-same")
    ride.keyboard.press("Escape")
    ride.clock.run_for(8 * 60_000)
    assert ride.locator("#ride-again-said").text_content() == ""


def test_the_wave_is_there_again_after_closing_and_goes_with_the_talk(
    ride: Page,
) -> None:
    answer(ride, 7)
    open_thing(ride, "unsent")
    ride.fill("#ride-unsent", "apricot")
    ride.keyboard.press("Escape")
    ride.evaluate("document.querySelector('[data-panel=ride]').click()")
    expect(ride.locator("#ride-wave-said")).to_contain_text("Now 7.")
    expect(ride.locator("#ride-unsent")).to_have_value("apricot")
    ride.keyboard.press("Escape")
    ride.click("#end")
    ride.evaluate("document.querySelector('[data-panel=ride]').click()")
    expect(ride.locator("#ride-drawn")).to_be_hidden()
    expect(ride.locator("#ride-unsent")).to_have_value("")
    expect(ride.locator("#ride-ask input:checked")).to_have_count(0)
    expect(ride.locator(".ride-do[open]")).to_have_count(0)


def test_the_quick_exit_leaves_nothing_of_it(ride: Page) -> None:
    answer(ride, 7)
    open_thing(ride, "unsent")
    ride.fill("#ride-unsent", "apricot")
    left = ride.evaluate(
        """() => {
          document.getElementById("exit").click();
          return [document.getElementById("ride-unsent").value,
                  document.getElementById("ride-wave-said").textContent];
        }"""
    )
    assert left == ["", ""]
    ride.wait_for_url("**/bye")


# --- The end -------------------------------------------------------------------------


def test_it_ends_when_the_person_says_so_and_nothing_is_kept(ride: Page) -> None:
    sent = stand_in_for_notes(ride, 204)
    answer(ride, 8)
    open_thing(ride, "water")
    ride.click("#ride-done")
    expect(ride.locator("#ride-helped")).to_be_focused()
    expect(ride.locator("#ride-opened label")).to_have_text(["Cool water"])
    ride.fill("#ride-other", "apricot")
    ride.click("#ride-go-on")
    expect(ride.locator("#ride-wave-said")).to_contain_text("Now 8.")
    ride.click("#ride-done")
    ride.click("#ride-keep-nothing")
    expect(ride.get_by_text("Nothing was kept.")).to_be_visible()
    expect(ride.locator("#ride-drawn")).to_be_hidden()
    expect(ride.locator("#ride-other")).to_have_value("")
    assert sent == []


def test_the_wave_is_kept_in_the_notebook_when_asked_to(ride: Page) -> None:
    sent = stand_in_for_notes(ride, 204)
    answer(ride, 8, then_minutes=5)
    answer(ride, 3)
    open_thing(ride, "ground")
    open_thing(ride, "move")
    ride.click("#ride-done")
    ride.get_by_label("Move a little").check()
    ride.fill("#ride-other", "  the cat ")
    ride.click("#ride-keep")
    expect(ride.get_by_text("It is in My notes.")).to_be_visible()
    expect(ride.locator("#ride-drawn")).to_be_hidden()
    (record,) = sent
    assert record.keys() == {"room", "started", "strengths", "helped"}
    assert record["strengths"] == [[0, 8], [5, 3]]
    assert record["helped"] == ["Move a little", "the cat"]
    assert record["started"].endswith("Z")


@pytest.mark.parametrize(
    ("status", "line"),
    [(404, "Keeping is not available here"), (423, "My notes did not take it")],
)
def test_where_it_cannot_be_kept_this_is_said_and_the_wave_waits(
    ride: Page, status: int, line: str
) -> None:
    stand_in_for_notes(ride, status)
    answer(ride, 8)
    ride.click("#ride-done")
    ride.click("#ride-keep")
    expect(ride.get_by_text(line)).to_be_in_viewport()
    expect(ride.locator("#ride-keep-said")).to_contain_text("nothing was kept")
    ride.click("#ride-go-on")
    expect(ride.locator("#ride-wave-said")).to_contain_text("Now 8.")


def test_without_an_answer_there_is_no_wave_to_keep(ride: Page) -> None:
    ride.click("#ride-done")
    expect(ride.locator("#ride-keep")).to_be_hidden()
    expect(ride.locator("#ride-keep-nothing")).to_be_visible()


# --- Keyboard, size, and tools that read the page ------------------------------------


def test_the_whole_way_by_keyboard_alone(page: Page, served: Served) -> None:
    page.clock.install()
    open_talk(page, served)
    say(page, "hello")
    page.get_by_text("Ride this wave out together").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#title-ride")).to_be_focused()
    page.keyboard.press("Tab")  # Close
    page.keyboard.press("Tab")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.clock.run_for(SETTLES_MS)
    expect(page.locator("#ride-wave-said")).to_have_text("Now 3.")
    expect(page.locator("#ride-wave circle")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(thing(page, "breathe")).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".ride-word")).to_have_text("Breathe in")
    page.keyboard.press("Tab")  # tones
    expect(page.locator("#ride-tones")).to_be_focused()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "ride-done":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#ride-helped")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator("#ride-opened input")).to_be_checked()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.locator("#ride-keep-nothing")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#title-ride")).to_be_focused()
    expect(page.get_by_text("Nothing was kept.")).to_be_visible()


def all_open(page: Page) -> None:
    answer(page, 6, then_minutes=3)
    answer(page, 9, then_minutes=5)
    page.evaluate(
        "document.querySelectorAll('.ride-do').forEach((d) => {"
        " d.hidden = false; d.open = true; })"
    )
    page.click("#ride-breathe")


def test_nothing_is_cut_off_at_320_pixels(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 560})
    page = watched(context.new_page())
    page.clock.install()
    open_ride(page, served)
    all_open(page)
    fits = "(e) => e.scrollWidth <= e.clientWidth"
    assert page.locator("#panel-ride").evaluate(fits)
    for button in ("#exit", "#menu-button", "#help-button"):
        expect(page.locator(button)).to_be_in_viewport(ratio=1)
    sizes = page.locator(".ride-scale label").evaluate_all(
        "(labels) => labels.map((l) => [l.offsetWidth, l.offsetHeight])"
    )
    assert all(width >= 44 and height >= 44 for width, height in sizes), sizes
    page.click("#ride-done")
    assert page.locator("#panel-ride").evaluate(fits)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_and_screens_are_kept(
    browser: Browser, served: Served, size: str, scheme: str
) -> None:
    width, height = SIZES[size]
    context: BrowserContext = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]  # a plain string here
        reduced_motion="reduce",
    )
    page = watched(context.new_page())
    page.clock.install()
    open_ride(page, served)
    SCREENSHOTS.mkdir(exist_ok=True)

    def look(name: str) -> None:
        page.screenshot(path=SCREENSHOTS / f"{name}-{size}-{scheme}.png")
        found = Axe().run(page, context="#panel-ride")
        assert found.violations_count == 0, found.generate_report()

    look("ride-open")
    all_open(page)
    look("ride-all-open")
    page.locator("#ride-wave").scroll_into_view_if_needed()
    page.screenshot(path=SCREENSHOTS / f"ride-wave-{size}-{scheme}.png")
    page.click("#ride-done")
    look("ride-end")
    context.close()
