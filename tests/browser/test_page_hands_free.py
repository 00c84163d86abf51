"""Hands-free: a silence ends a turn, and whoever touches anything stops that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.browsing import SCREENSHOTS, Served, open_talk
from tests.browser.hearing import give_microphone, make_sound, start
from tests.scripted_program import HEARD

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of this file's own: choices would reach the other tests."""
    server = Served(tmp_path_factory.mktemp("hands-free"), "--country", "GB")
    server.wait_open()
    yield server
    assert server.close() == 0


@pytest.fixture
def served(running: Served) -> Iterator[Served]:
    yield running
    running.ask(set={"doubtful": [], "transcript": HEARD})


@pytest.fixture
def talk(page: Page, served: Served) -> Page:
    """The talk with hands-free on, three seconds, and a microphone of the test."""
    open_talk(page, served)
    give_microphone(page)
    if "on" not in (page.text_content("#hands-free") or ""):
        page.click("#hands-free")
    expect(page.locator("#hands-free")).to_have_text("Hands-free: on")
    page.evaluate("document.documentElement.dataset.turnPauseS = 3")
    return page


def _said(page: Page) -> list[str]:
    return page.locator(".said p").all_inner_texts()


def test_it_is_off_until_it_is_switched_on(page: Page, served: Served) -> None:
    open_talk(page, served)
    give_microphone(page)
    expect(page.locator("#hands-free")).to_have_text("Hands-free: off")
    page.evaluate("document.documentElement.dataset.turnPauseS = 2")
    start(page)
    make_sound(page, 1)
    page.wait_for_timeout(4_000)
    expect(page.locator("#countdown")).to_be_hidden()
    assert _said(page) == []
    page.click("#hands-free")
    expect(page.locator("#status")).to_contain_text("Hands-free is on")
    page.reload()
    open_talk(page, served)
    expect(page.locator("#hands-free")).to_have_text("Hands-free: on")


def test_a_silence_sends_the_turn_and_listening_begins_again(talk: Page) -> None:
    start(talk)
    expect(talk.locator("#status")).to_contain_text("After 3 quiet seconds")
    make_sound(talk, 1.5)
    expect(talk.locator("#countdown")).to_contain_text("Any key or touch stops that")
    talk.screenshot(path=SCREENSHOTS / "countdown.png")
    found = Axe().run(talk)
    assert found.violations_count == 0, found.generate_report()
    expect(talk.locator(".said p")).to_have_text(HEARD)
    expect(talk.locator(".reply span")).to_have_count(3)
    expect(talk.locator("#speak")).to_have_text("Stop speaking")
    assert talk.evaluate("asked") == 2
    expect(talk.locator("#box textarea")).to_have_value("")
    talk.click("#speak")  # “Stop speaking” ends it: nothing listens any more
    expect(talk.locator("#speak")).to_have_text("Speak")
    talk.wait_for_timeout(1_000)
    assert talk.evaluate("asked") == 2


@pytest.mark.parametrize("by", ["key", "touch"])
def test_any_key_or_touch_stops_the_countdown_and_nothing_is_sent(
    talk: Page, by: str
) -> None:
    start(talk)
    make_sound(talk, 1)
    expect(talk.locator("#countdown")).to_be_visible()
    if by == "key":
        talk.keyboard.press("Control")
    else:
        talk.mouse.click(200, 300)
    expect(talk.locator("#countdown")).to_be_hidden()
    expect(talk.locator("#status")).to_contain_text("Nothing is sent by itself now")
    talk.wait_for_timeout(4_000)
    assert _said(talk) == []
    expect(talk.locator("#speak")).to_have_text("Stop speaking")
    talk.click("#speak")
    expect(talk.locator("#box textarea")).to_have_value(HEARD)
    talk.wait_for_timeout(500)
    assert _said(talk) == []


def test_speaking_on_stops_the_countdown_until_the_next_silence(talk: Page) -> None:
    start(talk)
    make_sound(talk, 1)
    expect(talk.locator("#countdown")).to_be_visible()
    talk.evaluate("loud(0.4)")
    expect(talk.locator("#countdown")).to_be_hidden()
    talk.wait_for_timeout(4_000)
    assert _said(talk) == []
    talk.evaluate("loud(0)")
    expect(talk.locator(".said p")).to_have_text(HEARD)


def test_doubtful_words_wait_for_the_person(talk: Page, served: Served) -> None:
    served.ask(set={"doubtful": ["old messages"]})
    start(talk)
    make_sound(talk, 1)
    expect(talk.locator("#doubts")).to_contain_text("old messages")
    expect(talk.locator("#status")).to_contain_text("not sure of some words")
    expect(talk.locator("#box textarea")).to_have_value(HEARD)
    talk.wait_for_timeout(1_500)
    assert _said(talk) == []
    assert talk.evaluate("asked") == 1
    talk.fill("#box textarea", "Corrected.")
    talk.keyboard.press("Enter")
    expect(talk.locator(".said p")).to_have_text("Corrected.")
    expect(talk.locator("body.busy")).to_have_count(0)
    talk.wait_for_timeout(500)
    assert talk.evaluate("asked") == 1  # who wrote goes on writing


def test_a_silence_without_words_sends_nothing(talk: Page, served: Served) -> None:
    served.ask(set={"transcript": ""})
    start(talk)
    make_sound(talk, 0.5)
    talk.wait_for_timeout(6_000)
    expect(talk.locator("#countdown")).to_be_hidden()
    expect(talk.locator("#speak")).to_have_text("Stop speaking")
    assert _said(talk) == []


def test_what_stands_in_the_box_is_never_sent_by_itself(talk: Page) -> None:
    talk.fill("#box textarea", "Half a thought,")
    start(talk)
    make_sound(talk, 1)
    talk.wait_for_timeout(4_500)
    assert _said(talk) == []
    talk.click("#speak")
    expect(talk.locator("#box textarea")).to_have_value(f"Half a thought, {HEARD}")


def test_a_pause_of_ones_own_is_no_silence(talk: Page) -> None:
    start(talk)
    make_sound(talk, 1)
    expect(talk.locator("#so-far")).to_be_visible()
    talk.click("#pause")
    expect(talk.locator("#pause")).to_have_text("Go on")
    talk.wait_for_timeout(4_000)
    assert _said(talk) == []
    talk.click("#pause")
    expect(talk.locator("#countdown")).to_be_hidden()
    expect(talk.locator(".said p")).to_have_text(HEARD)


def test_the_exit_works_during_the_countdown(talk: Page, served: Served) -> None:
    start(talk)
    make_sound(talk, 1)
    expect(talk.locator("#countdown")).to_be_visible()
    for _ in range(3):
        talk.keyboard.press("Shift")
    talk.wait_for_url("**/bye")
    talk.wait_for_timeout(500)
    assert served.ask()["talks"][-1]["said"] == []


def _hide(page: Page) -> None:
    page.evaluate(
        """() => {
          Object.defineProperty(document, "hidden", { get: () => true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )


def test_another_tab_in_front_pauses_the_listening(talk: Page) -> None:
    start(talk)
    make_sound(talk, 1)
    _hide(talk)
    expect(talk.locator("#pause")).to_have_text("Go on")
    talk.wait_for_timeout(3_500)
    assert _said(talk) == []


def test_where_nobody_speaks_for_two_minutes_listening_ends(
    talk: Page, served: Served
) -> None:
    served.ask(set={"transcript": ""})
    talk.clock.install()
    start(talk)
    talk.clock.fast_forward(115_000)
    expect(talk.locator("#speak")).to_have_text("Stop speaking")
    talk.clock.fast_forward(10_000)
    expect(talk.locator("#speak")).to_have_text("Speak")
    expect(talk.locator("#status")).to_contain_text("heard no words for a while")
