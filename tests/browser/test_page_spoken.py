"""Spoken replies: sentence by sentence, silent at once, never heard by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import SCREENSHOTS, Served, open_talk, say, wait_until
from tests.browser.hearing import give_microphone, make_sound, start

pytestmark = pytest.mark.browser

_WATCH = """() => {
  window.played = [];
  const start = AudioBufferSourceNode.prototype.start;
  const stop = AudioBufferSourceNode.prototype.stop;
  AudioBufferSourceNode.prototype.start = function (at) {
    played.push({ seconds: this.buffer.duration, stopped: false });
    this.number = played.length - 1;
    return start.call(this, at);
  };
  AudioBufferSourceNode.prototype.stop = function () {
    if (this.number !== undefined) played[this.number].stopped = true;
    return stop.call(this);
  };
}"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of this file's own, with a voice: choices would reach other tests."""
    server = Served(tmp_path_factory.mktemp("spoken"), "--country", "GB")
    server.wait_open()
    server.ask(set={"voice_is_there": True})
    yield server
    assert server.close() == 0


def _choose(served: Served, name: str, value: str) -> dict[str, Any]:
    wanted = {"name": name, "value": value}
    answer = served.client.post("/settings/change", json=wanted)
    record: dict[str, Any] = answer.json()
    assert record["ok"], record
    return record


@pytest.fixture
def served(running: Served) -> Iterator[Served]:
    _choose(running, "spoken_replies", "on")
    yield running
    _choose(running, "hands_free", "off")


@pytest.fixture
def talk(page: Page, served: Served) -> Page:
    open_talk(page, served)
    give_microphone(page)
    page.evaluate(_WATCH)
    return page


def _new(served: Served, before: int) -> list[str]:
    spoken: list[str] = served.ask()["spoken"][before:]
    return spoken


def _send(page: Page, text: str) -> None:
    page.fill("#box textarea", text)
    page.keyboard.press("Enter")


def test_it_is_off_until_it_is_chosen_and_says_who_may_hear(
    page: Page, running: Served
) -> None:
    _choose(running, "spoken_replies", "off")
    before = len(running.ask()["spoken"])
    open_talk(page, running)
    say(page, "hello")
    assert _new(running, before) == []
    page.click("[data-panel=settings]:visible, #menu-button:visible")
    if page.locator("#panel-settings").is_hidden():
        page.click("[data-panel=settings]")
    group = page.get_by_role("group", name="Spoken replies")
    expect(group).to_contain_text("Someone may listen: headphones")
    page.check('input[name=spoken_replies][value="on"]')
    expect(page.locator("html[data-spoken=on]")).to_be_attached()
    group.scroll_into_view_if_needed()
    page.screenshot(path=SCREENSHOTS / "settings-spoken.png")
    page.keyboard.press("Escape")
    say(page, "hello again")
    wait_until(lambda: len(_new(running, before)) >= 1)


def test_each_sentence_is_spoken_once_and_in_order(talk: Page, served: Served) -> None:
    before = len(served.ask()["spoken"])
    say(talk, "hello")
    expect(talk.locator("body.speaking")).to_be_attached()
    expect(talk.locator("#stop")).to_be_visible()
    wait_until(lambda: len(_new(served, before)) == 3)
    assert _new(served, before) == [
        text.strip() for text in talk.locator(".reply span").all_inner_texts()
    ]
    expect(talk.locator("body.speaking")).to_have_count(0)
    played = talk.evaluate("played")
    # The voice of the test hums for a twentieth of a second for each character.
    assert sum(one["seconds"] for one in played) > 5
    assert not any(one["stopped"] for one in played)
    assert talk.evaluate("asked") == 0  # the microphone was never touched


def test_a_sentence_is_spoken_while_the_next_are_still_written(
    talk: Page, served: Served
) -> None:
    before = len(served.ask()["spoken"])
    _send(talk, "slow")
    wait_until(lambda: len(_new(served, before)) >= 1)
    assert talk.locator(".reply span").count() < 10
    expect(talk.locator("body.busy.speaking")).to_be_attached()
    talk.click("#stop")


_WAYS: dict[str, Callable[[Page], object]] = {
    "key": lambda page: page.keyboard.press("Control"),
    "stop": lambda page: page.click("#stop"),
    "wipe": lambda page: page.click("#end"),
    "another tab": lambda page: page.evaluate(
        """() => {
          Object.defineProperty(document, "hidden", { get: () => true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    ),
    "speak": lambda page: page.click("#speak"),
    "exit": lambda page: page.evaluate("document.getElementById('exit').click()"),
}


@pytest.mark.parametrize("way", _WAYS)
def test_it_is_silent_at_once_and_for_the_rest_of_the_turn(
    talk: Page, served: Served, way: str
) -> None:
    before = len(served.ask()["spoken"])
    _send(talk, "long")
    expect(talk.locator("body.speaking")).to_be_attached()
    wait_until(lambda: talk.evaluate("played.length > 0"))
    if way == "exit":
        # The page is left in a moment; what it stopped is seen before that.
        stopped = talk.evaluate(
            """() => {
              document.getElementById("exit").click();
              return played.at(-1).stopped;
            }"""
        )
        assert stopped
        talk.wait_for_url("**/bye")
        return
    _WAYS[way](talk)
    assert talk.evaluate("played.at(-1).stopped")
    expect(talk.locator("body.speaking")).to_have_count(0)
    count = talk.evaluate("played.length")
    talk.wait_for_timeout(2_500)
    assert talk.evaluate("played.length") == count
    assert len(_new(served, before)) < 6
    assert talk.evaluate("asked") == (1 if way == "speak" else 0)


def test_the_next_turn_is_spoken_again(talk: Page, served: Served) -> None:
    _send(talk, "long")
    wait_until(lambda: talk.evaluate("played.length > 0"))
    talk.keyboard.press("Control")
    expect(talk.locator("body.busy")).to_have_count(0)
    count = talk.evaluate("played.length")
    say(talk, "hello")
    wait_until(lambda: talk.evaluate("played.length") > count)


def test_a_card_is_spoken_without_its_numbers(talk: Page, served: Served) -> None:
    before = len(served.ask()["spoken"])
    say(talk, "emergency")
    wait_until(lambda: len(_new(served, before)) >= 1)
    card = _new(served, before)[0]
    title = talk.locator(".card h2").first.inner_text()
    assert card.startswith(f"{title}. ")
    assert card.endswith("The numbers are on the screen.")
    assert not any(character.isdigit() for character in card)
    expect(talk.locator(".card .number.big").first).to_have_text("999")


def test_hands_free_listens_again_only_after_the_last_word(
    talk: Page, served: Served
) -> None:
    _choose(served, "hands_free", "on")
    talk.reload()
    talk.locator("#box textarea").wait_for()
    expect(talk.locator("#hands-free")).to_have_text("Hands-free: on")
    give_microphone(talk)
    talk.evaluate(_WATCH)
    talk.evaluate("document.documentElement.dataset.turnPauseS = 2")
    start(talk)
    make_sound(talk, 1)
    expect(talk.locator("body.speaking")).to_be_attached()
    while talk.locator("body.speaking").count():
        assert talk.evaluate("asked") == 1
        assert talk.locator("body.recording").count() == 0
        talk.wait_for_timeout(100)
    expect(talk.locator("#speak")).to_have_text("Stop speaking")
    assert talk.evaluate("asked") == 2


def test_nothing_spoken_is_on_disk(talk: Page, served: Served) -> None:
    say(talk, "hello")
    expect(talk.locator("body.speaking")).to_have_count(0)
    assert [path for path in served.scratch.rglob("*") if path.is_file()] == []
    files = [path for path in served.home.rglob("*") if path.is_file()]
    assert files == [served.home / "stderr.txt"]
