"""Speaking, with a microphone that Chromium plays from a file."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Launch, Served, open_talk, wait_until, watched
from tests.scripted_program import HEARD

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def speech(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("speech") / "speech.wav"
    words = "I keep reading the old messages at night."
    subprocess.run(["espeak-ng", "-w", str(path), words], check=True)
    return path


@pytest.fixture(scope="module")
def silence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import wave

    path = tmp_path_factory.mktemp("silence") / "silence.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 16_000, 0, "NONE", ""))
        sound.writeframes(b"\0\0" * 32_000)
    return path


Open = Callable[..., Page]


@pytest.fixture
def open_with_microphone(launch: Launch, served: Served) -> Iterator[Open]:
    contexts = []

    def open_(*arguments: str, permitted: bool = True) -> Page:
        browser = launch(*arguments)
        context = browser.new_context(
            permissions=["microphone"] if permitted else [],
            viewport={"width": 1100, "height": 800},
        )
        contexts.append(context)
        return open_talk(watched(context.new_page()), served)

    yield open_
    for context in contexts:
        context.close()


def _fake(path: Path) -> tuple[str, ...]:
    return (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={path}",
    )


def _speak(page: Page, for_ms: int = 2_000) -> None:
    page.click("#speak")
    expect(page.locator("#speak")).to_have_text("Stop speaking")
    expect(page.locator("#level")).to_be_visible()
    page.wait_for_timeout(for_ms)
    page.click("#speak")


def test_what_was_said_lands_in_the_box_and_is_not_sent(
    open_with_microphone: Open, speech: Path, served: Served
) -> None:
    page = open_with_microphone(*_fake(speech))
    before = len(served.ask()["heard_s"])
    _speak(page)
    expect(page.locator("#box textarea")).to_have_value(HEARD)
    expect(page.locator("#status")).to_contain_text("You can correct it")
    assert page.locator(".turn").count() == 0
    told = served.ask()
    assert len(told["heard_s"]) == before + 1
    assert 1 < told["heard_s"][-1] < 5
    assert told["loudest"][-1] > 0.05
    page.fill("#box textarea", f"{HEARD} Corrected.")
    page.keyboard.press("Enter")
    expect(page.locator(".said p")).to_have_text(f"{HEARD} Corrected.")


def test_a_second_recording_is_added_to_what_stands_there(
    open_with_microphone: Open, speech: Path
) -> None:
    page = open_with_microphone(*_fake(speech))
    page.fill("#box textarea", "Before.")
    _speak(page, 800)
    expect(page.locator("#box textarea")).to_have_value(f"Before. {HEARD}")


def test_doubtful_words_are_named_under_the_box(
    open_with_microphone: Open, speech: Path, served: Served
) -> None:
    served.ask(set={"doubtful": ["old messages"]})
    page = open_with_microphone(*_fake(speech))
    _speak(page, 800)
    expect(page.locator("#doubts")).to_have_text(
        "Please look at these words: old messages"
    )
    served.ask(set={"doubtful": []})


def test_no_speech_says_so(
    open_with_microphone: Open, speech: Path, served: Served
) -> None:
    served.ask(set={"transcript": ""})
    page = open_with_microphone(*_fake(speech))
    _speak(page, 800)
    expect(page.locator("#status")).to_contain_text("did not hear any words")
    expect(page.locator("#box textarea")).to_have_value("")
    served.ask(set={"transcript": HEARD})


def test_a_silent_microphone_is_told_apart(
    open_with_microphone: Open, silence: Path, served: Served
) -> None:
    page = open_with_microphone(*_fake(silence))
    before = len(served.ask()["heard_s"])
    _speak(page, 800)
    expect(page.locator("#status")).to_contain_text("no sound comes from it")
    assert len(served.ask()["heard_s"]) == before


def test_a_refused_microphone_gives_one_sentence(open_with_microphone: Open) -> None:
    page = open_with_microphone(
        "--use-fake-device-for-media-stream",
        "--deny-permission-prompts",
        permitted=False,
    )
    page.click("#speak")
    expect(page.locator("#status")).to_contain_text("not allowed to use the microphone")
    page.fill("#box textarea", "writing goes on")


def test_a_lost_microphone_is_said(open_with_microphone: Open, speech: Path) -> None:
    page = open_with_microphone(*_fake(speech))
    page.evaluate(
        """() => {
          const original = navigator.mediaDevices.getUserMedia.bind(
            navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = async (wanted) =>
            (window.stream = await original(wanted));
        }"""
    )
    page.click("#speak")
    expect(page.locator("#speak")).to_have_text("Stop speaking")
    page.evaluate("stream.getAudioTracks()[0].dispatchEvent(new Event('ended'))")
    expect(page.locator("#status")).to_contain_text("stopped partway")


def test_the_exit_lets_go_of_the_microphone(
    open_with_microphone: Open, speech: Path, served: Served
) -> None:
    page = open_with_microphone(*_fake(speech))
    page.evaluate(
        """() => {
          const original = navigator.mediaDevices.getUserMedia.bind(
            navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = async (wanted) =>
            (window.stream = await original(wanted));
        }"""
    )
    page.click("#speak")
    expect(page.locator("#speak")).to_have_text("Stop speaking")
    before = len(served.ask()["heard_s"])
    state = page.evaluate(
        """() => {
          document.getElementById("exit").click();
          return stream.getAudioTracks()[0].readyState;
        }"""
    )
    assert state == "ended"
    page.wait_for_url("**/bye")
    page.wait_for_timeout(300)
    assert len(served.ask()["heard_s"]) == before


def test_a_recording_is_read_and_a_damaged_one_is_refused(
    talk: Page, speech: Path, tmp_path: Path, served: Served
) -> None:
    with talk.expect_file_chooser() as chooser:
        talk.click("#recording")
    chooser.value.set_files(speech)
    expect(talk.locator("#box textarea")).to_have_value(HEARD)
    damaged = tmp_path / "damaged.wav"
    damaged.write_bytes(b"this is no sound at all")
    with talk.expect_file_chooser() as chooser:
        talk.click("#recording")
    chooser.value.set_files(damaged)
    expect(talk.locator("#status")).to_contain_text("not a recording that Ebb can read")


def test_listening_that_is_not_ready_says_so(talk: Page, served: Served) -> None:
    served.ask(set={"states": {"library": "ready", "speech": "loading"}})
    talk.reload()
    wait_until(lambda: talk.locator("#speak").get_attribute("aria-disabled") == "true")
    talk.click("#speak", force=True)
    expect(talk.locator("#status")).to_contain_text("getting ready")
    served.ask(set={"states": {"library": "ready", "speech": "ready"}})
