"""Closed by default: nothing foreign, nothing kept, nothing open that need not be."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from assistant.proof import canary, search
from tests.browser.browsing import (
    CHROMIUM,
    Served,
    open_talk,
    say,
    wait_until,
    watched,
)

pytestmark = pytest.mark.browser

CANARY = "zanzibarquince"
SPOKEN = "velvetkumquat"
HALF_WRITTEN = "tamarindwhistle"

_STORED = """async () => ({
  local: localStorage.length,
  session: sessionStorage.length,
  databases: (await indexedDB.databases()).map((d) => d.name),
  caches: await caches.keys(),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  cookies: document.cookie,
})"""


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_nothing_said_is_on_disk_or_in_the_browsers_storage(
    context: BrowserContext, served: Served
) -> None:
    page = open_talk(watched(context.new_page()), served)
    say(page, f"danger {CANARY}")
    say(page, f"broken {CANARY}")
    stored = page.evaluate(_STORED)
    assert stored == {
        "local": 0,
        "session": 0,
        "databases": [],
        "caches": [],
        "workers": 0,
        "cookies": "",
    }
    kept = context.cookies()
    # The key of this start, which no script can read and which the browser forgets.
    assert [
        (c["name"][:5], c["httpOnly"], c["sameSite"], c["expires"]) for c in kept
    ] == [("page-", True, "Strict", -1)]
    assert CANARY not in str(kept)
    assert _files(served.scratch) == []
    errors = served.home / "stderr.txt"
    assert CANARY not in errors.read_text()
    assert _files(served.home) == [errors]


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """A browser's profile folder, on disk as a person's own is."""
    return tmp_path / "profile"


@pytest.fixture
def kept_browser(
    playwright: Playwright, profile: Path, tmp_path: Path
) -> Iterator[BrowserContext]:
    """A browser that keeps a profile, with a microphone that plays a file."""
    speech = tmp_path / "speech.wav"
    words = "I keep reading the old messages at night."
    subprocess.run(["espeak-ng", "-w", str(speech), words], check=True)
    context = playwright.chromium.launch_persistent_context(
        str(profile),
        executable_path=CHROMIUM,
        args=[
            "--no-sandbox",
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-audio-capture={speech}",
        ],
        permissions=["microphone"],
    )
    yield context
    with contextlib.suppress(Exception):  # a test may have killed it
        context.close()


def _speak_and_write(page: Page, served: Served) -> None:
    """Say one word and write two, of which the last stays in the box."""
    served.ask(set={"transcript": f"My friend {SPOKEN} knows."})
    page.click("#speak")
    expect(page.locator("#speak")).to_have_text("Stop speaking")
    page.wait_for_timeout(800)
    page.click("#speak")
    box = page.locator("#box textarea")
    expect(box).to_have_value(f"My friend {SPOKEN} knows.")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator("body.busy")).to_have_count(0)
    say(page, f"danger {CANARY}")
    box.fill(f"I wonder about {HALF_WRITTEN}")


def _found_in(folder: Path) -> dict[str, tuple[str, ...]]:
    """Search every file of a folder, and its name, for the three words."""
    needles = [
        needle
        for word in (CANARY, SPOKEN, HALF_WRITTEN)
        for needle in canary.of_text(word, word)
    ]
    looked = {str(path): search.look_into(path, needles) for path in _files(folder)}
    # What a browser does keep, the address in its history, is found in the same way.
    address = canary.of_text("http://127.0.0.1:", "address")
    assert any(search.look_into(path, address) for path in _files(folder))
    return {path: found for path, found in looked.items() if found}


def _browsers_of(profile: Path) -> list[psutil.Process]:
    """Give the processes of the browser with this profile, the first one first."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any(str(profile) in word for word in process.cmdline()):
                found.append(process)
    return found


def test_nothing_said_or_written_is_in_the_browsers_profile_after_leaving(
    kept_browser: BrowserContext, profile: Path, new_server: Callable[..., Served]
) -> None:
    served = new_server("--country", "GB")
    served.wait_open()
    page = open_talk(watched(kept_browser.new_page()), served)
    _speak_and_write(page, served)
    stored = page.evaluate(_STORED)
    assert not any(stored.values())
    assert all(cookie["expires"] == -1 for cookie in kept_browser.cookies())
    page.click("#exit")
    page.wait_for_url("**/bye")
    assert not any(page.evaluate(_STORED).values())
    kept_browser.close()
    assert _found_in(profile) == {}
    assert _files(served.scratch) == []


def test_nothing_said_or_written_is_in_the_profile_of_a_browser_that_is_killed(
    kept_browser: BrowserContext, profile: Path, new_server: Callable[..., Served]
) -> None:
    """A browser writes down now and then what its tabs show, for after a crash."""
    served = new_server("--country", "GB")
    served.wait_open()
    page = open_talk(watched(kept_browser.new_page()), served)
    _speak_and_write(page, served)
    page.wait_for_timeout(8_000)
    browsers = _browsers_of(profile)
    assert browsers
    for process in browsers:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(browsers, timeout=20)
    assert _found_in(profile) == {}
    assert _files(served.scratch) == []


def test_the_policy_is_not_broken_by_the_page_itself(
    page: Page, served: Served
) -> None:
    broken: list[str] = []
    page.on(
        "console",
        lambda message: broken.append(message.text) if message.type == "error" else 0,
    )
    open_talk(page, served)
    say(page, "danger")
    page.click("#help-button")
    page.wait_for_timeout(300)
    assert broken == []


@pytest.mark.parametrize(
    "path",
    [
        "info",
        "upload",
        "runs",
        "openapi.json",
        "file=/etc/passwd",
        "startup",
        "call/say",
    ],
)
def test_gradios_other_doors_are_shut(served: Served, path: str) -> None:
    found = served.client.get(f"/talk/gradio_api/{path}")
    assert found.status_code == 404


def test_gradios_page_offers_no_function_to_programs(served: Served) -> None:
    page = served.client.get("/talk/").text
    assert '"named_endpoints":{}' in page
    assert '"run_history":false' in page
    assert '"analytics_enabled":false' in page


def test_a_stranger_cannot_post_into_the_talk(served: Served) -> None:
    joined = served.client.post(
        "/talk/gradio_api/queue/join",
        json={"data": ["hello"], "fn_index": 0, "session_hash": "abc"},
        headers={"origin": "https://evil.example"},
    )
    assert joined.status_code == 403


def test_ending_the_server_leaves_no_folder(tmp_path: Path) -> None:
    served = Served(tmp_path / "own")
    served.wait_open()
    assert list(served.scratch.iterdir()) != []
    assert list(served.here.iterdir()) == [], "no folder where it was started"
    assert served.close() == 0
    wait_until(lambda: list(served.scratch.iterdir()) == [])
