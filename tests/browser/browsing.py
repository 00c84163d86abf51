"""A real server in its own process, and what tests do on its page."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import httpx
from playwright.sync_api import Browser, Page, expect

HERE = Path(__file__).resolve().parent
SCREENSHOTS = HERE.parent.parent / "test-output"
CHROMIUM = os.environ.get("EBB_TEST_CHROMIUM", "/usr/bin/chromium")

expect.set_options(timeout=30_000)


class Served:
    """A running server; ``ask`` tells what its scripted program has been told."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home = home
        self.scratch = home / "tmp"
        self.scratch.mkdir(parents=True)
        self.here = home / "here"
        self.here.mkdir()
        self._errors = (home / "stderr.txt").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "serve_scripted.py"), "--home", str(home)]
            + list(options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=self.here,
            env=os.environ
            | {"TMPDIR": str(self.scratch), "PYTHONPATH": str(HERE.parent.parent)},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address, (home / "stderr.txt").read_text()
        self._client: httpx.Client | None = None

    @property
    def client(self) -> httpx.Client:
        """A program that came in by the front page, and keeps what it was given."""
        if self._client is None:
            origin = "/".join(self.address.split("/")[:3])
            self._client = httpx.Client(
                base_url=origin, headers={"origin": origin}, timeout=60
            )
            self._client.get(self.address, follow_redirects=True)
        return self._client

    def ask(self, **wanted: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def wait_open(self) -> None:
        wait_until(lambda: self.client.get("/ready").json()["settled"], 400)

    def close(self) -> int:
        """Stop it, where it has not stopped by itself, and give its exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        if self._client is not None:
            self._client.close()
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        self._errors.close()
        return code


def wait_until(true: Callable[[], bool], timeout_s: float = 30) -> None:
    """Wait for a condition or fail."""
    ends = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < ends, "it did not happen in time"
        time.sleep(0.05)


Launch = Callable[..., Browser]


def watched(page: Page) -> Page:
    def on_request(request: Any) -> None:
        assert request.url.startswith(("http://127.0.0.1:", "data:")), request.url

    def on_error(error: Any) -> None:
        raise AssertionError(f"the page failed: {error}")

    page.on("request", on_request)
    page.on("pageerror", on_error)
    return page


class HasAddress(Protocol):
    """Any running server."""

    address: str


def let_in(page: Page, served: HasAddress) -> None:
    """Give a page's browser the key, without a line in the history."""
    answer = page.context.request.get(served.address)
    assert answer.ok, answer.status


def open_talk(page: Page, served: HasAddress) -> Page:
    let_in(page, served)
    page.goto(f"{served.address}talk/")
    page.locator("#box textarea").wait_for()
    # The room is there when the first frame has come.
    expect(page.locator("[data-testid=label-output-value]")).not_to_be_empty()
    return page


def say(page: Page, text: str) -> None:
    """Send a message and wait for the end of the reply."""
    turns = page.locator(".turn").count()
    page.fill("#box textarea", text)
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(turns + 1)
    expect(page.locator("body.busy")).to_have_count(0)
