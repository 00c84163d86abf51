"""Closed by default: nothing foreign, nothing kept, nothing open that need not be."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.browsing import Served, open_talk, say, wait_until, watched

pytestmark = pytest.mark.browser

CANARY = "zanzibarquince"

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
    assert served.close() == 0
    wait_until(lambda: list(served.scratch.iterdir()) == [])
