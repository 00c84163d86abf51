"""A pause while listening, and every way in which a microphone can fail."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import SCREENSHOTS, Served
from tests.browser.hearing import give_microphone, make_sound, start
from tests.scripted_program import HEARD

pytestmark = pytest.mark.browser

_ENABLED = "stream.getAudioTracks()[0].enabled"


@pytest.fixture
def talk(talk: Page) -> Page:
    """The talk, with a microphone that the test plays."""
    give_microphone(talk)
    return talk


def test_nothing_is_heard_in_a_pause_and_going_on_hears_again(
    talk: Page, served: Served
) -> None:
    start(talk)
    make_sound(talk, 1)
    expect(talk.locator("#so-far")).to_contain_text(HEARD.split()[0])
    talk.click("#pause")
    expect(talk.locator("#pause")).to_have_text("Go on")
    expect(talk.locator("#status")).to_have_text(
        "Paused. Nothing is heard until you press “Go on”."
    )
    expect(talk.locator("#status")).to_have_attribute("role", "status")
    expect(talk.locator("#paused")).to_be_visible()
    expect(talk.locator("#level")).to_be_hidden()
    expect(talk.locator("#so-far")).to_contain_text(HEARD.split()[0])
    assert talk.evaluate(_ENABLED) is False
    talk.wait_for_timeout(700)
    before = talk.evaluate("sent.samples")
    make_sound(talk, 2)
    assert talk.evaluate("sent.samples") == before
    assert talk.evaluate("sent.loudest") == 0  # silence, so that nothing is joined
    talk.screenshot(path=SCREENSHOTS / "paused.png")
    talk.click("#pause")
    expect(talk.locator("#pause")).to_have_text("Pause")
    expect(talk.locator("#status")).to_contain_text("Listening")
    assert talk.evaluate(_ENABLED) is True
    make_sound(talk, 1)
    assert talk.evaluate("sent.samples") > before
    talk.click("#speak")
    expect(talk.locator("#box textarea")).to_have_value(HEARD)
    assert served.ask()["loudest"][-1] > 0.1


def test_the_pause_is_reached_and_left_by_keyboard(talk: Page) -> None:
    start(talk)
    talk.focus("#pause")
    talk.keyboard.press("Enter")
    expect(talk.locator("#pause")).to_have_text("Go on")
    expect(talk.locator("#pause")).to_be_focused()
    talk.keyboard.press("Space")
    expect(talk.locator("#pause")).to_have_text("Pause")


def test_a_recording_can_be_ended_out_of_a_pause(talk: Page) -> None:
    start(talk)
    make_sound(talk, 1)
    talk.click("#pause")
    expect(talk.locator("#pause")).to_have_text("Go on")
    talk.click("#speak")
    expect(talk.locator("#box textarea")).to_have_value(HEARD)
    start(talk)  # a new one begins without a pause
    expect(talk.locator("#pause")).to_have_text("Pause")
    expect(talk.locator("#level")).to_be_visible()


def test_a_paused_talk_is_still_covered_when_nothing_moves(talk: Page) -> None:
    start(talk)
    talk.click("#pause")
    expect(talk.locator("#pause")).to_have_text("Go on")
    talk.evaluate("document.documentElement.dataset.idleS = 2")
    talk.keyboard.press("Control")
    talk.wait_for_url("**/settings/sheet")


def test_a_microphone_that_gives_nothing_is_told_while_it_listens(talk: Page) -> None:
    start(talk)
    expect(talk.locator("#status")).to_contain_text("no sound comes from it")
    expect(talk.locator("#speak")).to_have_text("Stop speaking")
    talk.evaluate("loud(0.4)")
    expect(talk.locator("#status")).to_contain_text("Listening")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("NotAllowedError", "not allowed to use the microphone"),
        ("SecurityError", "not allowed to use the microphone"),
        ("NotFoundError", "found no microphone"),
        ("OverconstrainedError", "found no microphone"),
        ("NotReadableError", "Another program"),
        ("AbortError", "Another program"),
        ("TypeError", "could not read that recording"),
    ],
)
def test_a_microphone_that_does_not_open_has_its_sentence(
    talk: Page, name: str, sentence: str
) -> None:
    talk.evaluate(
        "(name) => { navigator.mediaDevices.getUserMedia ="
        " () => Promise.reject(new DOMException('', name)); }",
        name,
    )
    talk.click("#speak")
    expect(talk.locator("#status")).to_contain_text(sentence)
    expect(talk.locator("#speak")).to_have_text("Speak")
    _writing_goes_on(talk)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [("granted", "stopped partway"), ("denied", "may no longer use the microphone")],
    ids=["unplugged", "withdrawn"],
)
def test_a_microphone_that_goes_keeps_what_was_said(
    talk: Page, state: str, sentence: str
) -> None:
    _set_permission(talk, state)
    start(talk)
    make_sound(talk, 1)
    talk.evaluate(
        """() => {
          const [track] = stream.getAudioTracks();
          track.stop();
          track.dispatchEvent(new Event("ended"));
        }"""
    )
    expect(talk.locator("#status")).to_contain_text(sentence)
    expect(talk.locator("#box textarea")).to_have_value(HEARD)
    expect(talk.locator("#speak")).to_have_text("Speak")
    _writing_goes_on(talk)


def test_a_permission_that_is_taken_away_ends_the_listening(talk: Page) -> None:
    _set_permission(talk, "granted")
    start(talk)
    make_sound(talk, 1)
    talk.evaluate(
        """() => {
          permission.state = "denied";
          permission.onchange();
        }"""
    )
    expect(talk.locator("#status")).to_contain_text("may no longer use the microphone")
    assert talk.evaluate("stream.getAudioTracks()[0].readyState") == "ended"
    expect(talk.locator("#box textarea")).to_have_value(HEARD)


def test_a_microphone_that_is_muted_elsewhere_says_so(talk: Page) -> None:
    start(talk)
    make_sound(talk, 1)
    talk.evaluate("stream.getAudioTracks()[0].dispatchEvent(new Event('mute'))")
    expect(talk.locator("#status")).to_contain_text("no sound comes from it")
    talk.evaluate("stream.getAudioTracks()[0].dispatchEvent(new Event('unmute'))")
    expect(talk.locator("#status")).to_contain_text("Listening")


def _set_permission(page: Page, state: str) -> None:
    page.evaluate(
        """(state) => {
          window.permission = { state };
          navigator.permissions.query = async () => permission;
        }""",
        state,
    )


def _writing_goes_on(page: Page) -> None:
    page.fill("#box textarea", "writing goes on")
    page.keyboard.press("Enter")
    expect(page.locator(".said p").last).to_have_text("writing goes on")
    expect(page.locator("body.busy")).to_have_count(0)
