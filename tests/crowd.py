"""Many tabs at once at the real server, with random and hostile words.

``python -m tests.crowd --turns 1000 --tabs 20`` starts the server of the browser tests
(a scripted program) in a process of its own, opens the tabs as Gradio's page does, and
lets each say something again and again, wipe, stop and ask for Help. Words of one tab
must never reach another, every turn must end, and nothing may be logged.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil

from tests.fuzz.seeds import ODD_TEXTS, sentences

_SERVER = Path(__file__).parent / "browser" / "serve_scripted.py"
_TURN_S = 60.0
_PLANTED = "ERROR assistant.ui.turns a turn failed: RuntimeError"
_MARK = re.compile(r"tab\d{3}mark")
_SAY, _ENTER = "say", "enter"


@dataclass
class Report:
    """What happened."""

    turns: int = 0
    ended: int = 0
    wipes: int = 0
    seconds: float = 0.0
    statuses: dict[int, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    rss_early_mb: float = 0.0
    rss_late_mb: float = 0.0
    own_words_shown: int = 0
    """Frames in which a tab saw what it had said itself."""
    logged: dict[str, int] = field(default_factory=dict)
    """Lines of the server's log; the program of the test fails where it is told to."""


class Tab:
    """One tab: a session, its stream of messages, and what it says."""

    def __init__(self, number: int, client: httpx.AsyncClient, report: Report) -> None:
        self.mark = f"tab{number:03}mark"
        self._session = f"session{number}x"
        self._client, self._report = client, report
        self._random = Random(number)
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._early: dict[str, dict[str, Any]] = {}
        self._listener: asyncio.Task[None] | None = None
        self.room = ""

    async def open(self, jobs: dict[str, int]) -> None:
        """Do what the page does when it is loaded."""
        self._jobs = jobs
        await self._join(jobs["hold"], [])
        self._listener = asyncio.create_task(self._listen())
        frame = await self._answer(jobs[_ENTER], [])
        self.room = frame["room"]

    async def talk(self, turns: int) -> None:
        """Say so many things, one after another."""
        for number in range(turns):
            self._report.turns += 1
            frame = await self._answer(self._jobs[_SAY], [self._words()])
            if frame.get("open") is False:
                self._report.ended += 1
            else:
                self._report.faults.append("a turn did not end")
            if number % 9 == 8:
                await self._post("/wipe", {"room": self.room})
                self._report.wipes += 1
            if number % 7 == 6:
                await self._post("/help-block", {"country": "GB", "need": "men"})
            if number % 11 == 10:
                await self._post("/stop", {"room": self.room})

    async def close(self) -> None:
        """Leave as a closed tab does."""
        await self._post("/wipe", {"room": self.room, "leave": True})
        if self._listener is not None:
            self._listener.cancel()

    def _words(self) -> str:
        odd = "".join(self._random.choices(ODD_TEXTS, k=self._random.randint(0, 3)))
        said = self._random.choice(sentences())[:2_000]
        kind = self._random.choice(
            ("", "", "", "danger", "emergency", "broken", "long")
        )
        return f"{self.mark} {odd} {said} {kind}"[:20_500]

    async def _answer(self, job: int, data: list[str]) -> dict[str, Any]:
        event = await self._join(job, data)
        waiting = asyncio.get_running_loop().create_future()
        self._waiting[event] = waiting
        if event in self._early:
            waiting.set_result(self._early.pop(event))
        return await asyncio.wait_for(waiting, _TURN_S)

    async def _join(self, job: int, data: list[str]) -> str:
        record = {
            "data": data,
            "event_data": None,
            "fn_index": job,
            "trigger_id": None,
            "session_hash": self._session,
        }
        answer = await self._post("/talk/gradio_api/queue/join", record)
        return str(answer.json()["event_id"])

    async def _post(self, path: str, record: Any) -> httpx.Response:
        # As the browser does it: half a character travels as an escape.
        body = json.dumps(record).encode()
        answer = await self._client.post(
            path, content=body, headers={"content-type": "application/json"}
        )
        counted = Counter(self._report.statuses)
        counted[answer.status_code] += 1
        self._report.statuses = dict(counted)
        if answer.status_code >= 400:
            self._report.faults.append(f"{path} answered {answer.status_code}")
        return answer

    async def _listen(self) -> None:
        """Read the stream of messages for as long as the tab is there."""
        path = f"/talk/gradio_api/queue/data?session_hash={self._session}"
        async with self._client.stream("GET", path, timeout=None) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data:"):
                    self._take(json.loads(line.removeprefix("data:")))

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("msg") not in {"process_generating", "process_completed"}:
            return
        frame = _frame_of(message)
        self._look_for_others(frame)
        if frame.get("open") is not False and message["msg"] != "process_completed":
            return
        event = str(message["event_id"])
        if "room" not in frame:
            return
        waiting = self._waiting.pop(event, None)
        if waiting is None:
            self._early[event] = frame
        elif not waiting.done():
            waiting.set_result(frame)

    def _look_for_others(self, frame: dict[str, Any]) -> None:
        shown = json.dumps(frame)
        self._report.own_words_shown += self.mark in shown
        if set(_MARK.findall(shown)) - {self.mark}:
            self._report.faults.append("words of another tab")


def _frame_of(message: dict[str, Any]) -> dict[str, Any]:
    """Find the frame in a message, however it is wrapped; else give nothing."""
    text = json.dumps(message.get("output", {}).get("data", []))
    for piece in text.split('"'):
        if len(piece) > 20:
            try:
                found = json.loads(base64.b64decode(piece, validate=True))
            except ValueError:
                continue
            if isinstance(found, dict):
                return found
    return {}


async def run(address: str, tabs: int, turns: int, server: psutil.Process) -> Report:
    """Open the tabs, let them talk, close them."""
    report = Report()
    began = time.monotonic()
    limits = httpx.Limits(max_connections=None)
    headers = {"origin": address}
    async with httpx.AsyncClient(
        base_url=address,
        headers=headers,
        limits=limits,
        timeout=_TURN_S,
        trust_env=False,
    ) as client:
        await client.get("/")  # the front page lets it in, by a cookie it keeps
        jobs = await _jobs(client)
        everyone = [Tab(number, client, report) for number in range(tabs)]
        await asyncio.gather(*(tab.open(jobs) for tab in everyone))
        await asyncio.gather(
            *(tab.talk(max(1, turns // tabs // 10)) for tab in everyone)
        )
        report.rss_early_mb = server.memory_info().rss / 1e6
        left = turns // tabs - max(1, turns // tabs // 10)
        await asyncio.gather(*(tab.talk(left) for tab in everyone))
        report.rss_late_mb = server.memory_info().rss / 1e6
        help_ = await client.post("/help-block", content=b"{}")
        if "999" not in help_.text and "112" not in help_.text:
            report.faults.append("Help is not there any more")
        await asyncio.gather(*(tab.close() for tab in everyone))
    report.seconds = round(time.monotonic() - began, 1)
    return report


async def _jobs(client: httpx.AsyncClient) -> dict[str, int]:
    """Read from Gradio's page which number each of our functions has."""
    page = ""
    for _ in range(600):
        answer = await client.get("/talk/")
        if answer.status_code == 200:
            page = answer.text
            break
        await asyncio.sleep(0.1)
    _, _, rest = page.partition("window.gradio_config = ")
    config, _ = json.JSONDecoder().raw_decode(rest)
    found: dict[str, int] = {}
    for job in config["dependencies"]:
        # In the order of ``ui.talk``: say, enter, enter, hold, leave.
        name = (_SAY, "again", _ENTER, "hold", "leave")[len(found)]
        found[name] = job["id"]
    return found


def crowd(turns: int, tabs: int) -> Report:
    """Start the server, let the crowd in, and look at what it logged."""
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, str(_SERVER), "--home", folder, "--country", "GB"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        address = server.stdout.readline().strip().rstrip("/")
        try:
            process = psutil.Process(server.pid)
            report = asyncio.run(run(address, tabs, turns, process))
        finally:
            server.stdin.close()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
        report.logged = dict(Counter(server.stderr.read().splitlines()))
    for line in report.logged:
        if line != _PLANTED:
            report.faults.append(f"logged: {line[:80]}")
    return report


def main() -> int:
    """Run; gives 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.crowd", description=__doc__)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--tabs", type=int, default=20)
    chosen = parser.parse_args()
    report = crowd(chosen.turns, chosen.tabs)
    print(json.dumps(asdict(report), indent=1))
    return 1 if report.faults or report.ended < report.turns else 0


if __name__ == "__main__":
    sys.exit(main())
