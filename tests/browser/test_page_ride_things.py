"""What can be done while a wave moves: each opens in place, and nothing is sent."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browsing import Served, say, watched
from tests.browser.riding import (
    HIDE,
    answer,
    open_ride,
    open_thing,
    stand_in_for_notes,
    thing,
)

pytestmark = pytest.mark.browser

# Counts what sounds, and whether it was closed again.
_LISTEN = """
  window.tones = 0;
  window.open = 0;
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.tones += 1;
    return make.call(this);
  };
  const close = AudioContext.prototype.close;
  AudioContext.prototype.close = function () {
    window.open -= 1;
    return close.call(this);
  };
  window.AudioContext = new Proxy(AudioContext, {
    construct(target, given) {
      window.open += 1;
      return Reflect.construct(target, given);
    },
  });
"""


def test_breathing_is_followed_by_eye_and_makes_no_sound(
    page: Page, served: Served
) -> None:
    page.add_init_script(_LISTEN)
    page.clock.install()
    open_ride(page, served)
    open_thing(page, "breathe")
    page.click("#ride-breathe")
    expect(page.locator(".ride-word")).to_have_text("Breathe in")
    moves = "document.querySelector('.ride-circle').getAnimations()[0].animationName"
    assert page.evaluate(moves) == "ride-in"
    page.clock.run_for(4_000)
    expect(page.locator(".ride-word")).to_have_text("Breathe out slowly")
    assert page.evaluate(moves) == "ride-out"
    page.clock.run_for(5_900)
    expect(page.locator(".ride-word")).to_have_text("Breathe out slowly")
    page.clock.run_for(200)
    expect(page.locator(".ride-word")).to_have_text("Breathe in")
    assert page.evaluate("[tones, open]") == [0, 0]
    page.click("#ride-breathe")
    expect(page.locator(".ride-circle")).to_be_hidden()


@pytest.mark.parametrize("ending", ["stop", "close", "fold", "hide", "exit"])
def test_tones_sound_only_when_wanted_and_stop_at_once(
    page: Page, served: Served, ending: str
) -> None:
    page.add_init_script(_LISTEN)
    page.clock.install()
    open_ride(page, served)
    open_thing(page, "breathe")
    expect(page.locator("#ride-tones")).not_to_be_checked()
    page.check("#ride-tones")
    assert page.evaluate("[tones, open]") == [0, 0]
    page.click("#ride-breathe")
    page.clock.run_for(4_000)
    assert page.evaluate("[tones, open]") == [2, 1]
    if ending == "stop":
        page.click("#ride-breathe")
    elif ending == "close":
        page.keyboard.press("Escape")
    elif ending == "fold":
        open_thing(page, "breathe")
    elif ending == "hide":
        page.evaluate(HIDE, True)
    else:
        page.evaluate("document.dispatchEvent(new Event('wiped'))")
    assert page.wait_for_function("open === 0")
    page.clock.run_for(30_000)
    assert page.evaluate("tones") == 2


def test_with_reduced_motion_words_change_and_nothing_moves(
    browser: Browser, served: Served
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = watched(context.new_page())
    page.clock.install()
    open_ride(page, served)
    open_thing(page, "breathe")
    page.click("#ride-breathe")
    expect(page.locator(".ride-word")).to_have_text("Breathe in")
    expect(page.locator(".ride-circle")).to_be_hidden()
    page.clock.run_for(4_000)
    expect(page.locator(".ride-word")).to_have_text("Breathe out slowly")
    moving = "document.getElementById('panel-ride').getAnimations({ subtree: true })"
    assert page.evaluate(f"{moving}.length") == 0
    context.close()


def test_steps_come_one_at_a_time(ride: Page) -> None:
    open_thing(ride, "ground")
    path = thing(ride, "ground").locator(".ride-path").first
    steps = path.locator("[role=status] > p")
    expect(steps.nth(0)).to_be_visible()
    expect(steps.nth(1)).to_be_hidden()
    back = path.get_by_role("button", name="Back")
    expect(back).to_be_disabled()
    for number in range(1, steps.count()):
        path.get_by_role("button", name="Next").click()
        expect(steps.nth(number)).to_be_visible()
        expect(steps.nth(number - 1)).to_be_hidden()
    back.click()
    path.get_by_role("button", name="Next").click()
    path.get_by_role("button", name="From the start").click()
    expect(steps.nth(0)).to_be_visible()


def test_the_reality_list_leads_to_my_notes(ride: Page) -> None:
    open_thing(ride, "list")
    ride.click("#ride-notes")
    expect(ride.locator("#panel-notes")).to_be_visible()
    expect(ride.locator("#panel-ride")).to_be_hidden()


def test_calling_someone_leads_to_help(ride: Page) -> None:
    open_thing(ride, "call")
    ride.click("#ride-help")
    expect(ride.locator("#panel-help .emergency")).to_be_visible()


def test_the_message_is_never_in_any_request_and_cannot_come_back(
    page: Page, served: Served
) -> None:
    sent: list[str] = []
    page.on("request", lambda r: sent.append(f"{r.url} {r.post_data_buffer!r}"))
    page.on(
        "websocket", lambda s: s.on("framesent", lambda frame: sent.append(repr(frame)))
    )
    page.clock.install()
    open_ride(page, served)
    stand_in_for_notes(page, 204)
    answer(page, 6)
    open_thing(page, "unsent")
    page.focus("#ride-unsent")
    page.keyboard.type("apricot come back")
    for key in ("Enter", "Control+Enter", "Shift+Enter"):
        page.keyboard.press(key)
    expect(page.locator("#panel-ride")).to_be_visible()
    page.click("#ride-unsent-wipe")
    expect(page.locator("#ride-unsent")).to_have_value("")
    expect(page.locator("#ride-unsent")).to_be_focused()
    expect(page.get_by_text("It never left this page.")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator("#ride-unsent")).to_have_value("")
    page.keyboard.type("apricot again")
    page.click("#ride-done")
    page.click("#ride-keep")
    expect(page.locator("#ride-unsent")).to_have_value("")
    page.locator("#ride-unsent").evaluate("(box) => (box.value = 'apricot')")
    page.keyboard.press("Escape")
    say(page, "hello")
    page.click("#end")
    page.click("#exit")
    page.wait_for_url("**/bye")
    assert any("/notes/wave" in line for line in sent)
    assert not [line for line in sent if "apricot" in line]
