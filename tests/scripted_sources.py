"""Stand-ins for the model hub and for pip, and a bench with a puller between them."""

from __future__ import annotations

import hashlib
import re
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from assistant.fetch import Progress, Puller, Source
from assistant.fetch_carrier import Carriers, Finished
from assistant.fetch_hub import Hub
from assistant.models import (
    CarrierPart,
    HubFile,
    Kind,
    Model,
    ModelFile,
    ModelFolder,
    Registry,
    State,
)

WEIGHTS = bytes(range(256)) * 4000  # about 1 MB: several blocks of a download
CONFIG = b'{"layers": 2}'
HALF = len(WEIGHTS) // 2


def file_of(name: str, content: bytes, *parts: CarrierPart, hub: bool) -> ModelFile:
    return ModelFile(
        path=f"tiny/{name}",
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        hub=HubFile("ebb/tiny", "abc123", name) if hub else None,
        parts=parts,
    )


def model_of(*, hub: bool = True, carrier: bool = True) -> Model:
    weights = [CarrierPart(f"tiny-part{n}", "1.0", f"data/w{n}.bin") for n in (1, 2)]
    config = [CarrierPart("tiny-part1", "1.0", "data/config.json")]
    return Model(
        name="tiny",
        kind=Kind.LLM,
        licence="MIT",
        summary="",
        memory_bytes=1,
        tested=True,
        files=(
            file_of("w.bin", WEIGHTS, *(weights if carrier else ()), hub=hub),
            file_of("config.json", CONFIG, *(config if carrier else ()), hub=hub),
        ),
    )


# --- A hub on this computer -----------------------------------------------------------


@dataclass
class FakeHub:
    """What the server gives, how it misbehaves, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    cut_after_bytes: list[int] = field(default_factory=list)
    """For the next downloads: how much to send before the line drops."""
    knows_ranges: bool = True
    is_hub: bool = True
    gets: list[tuple[str, str | None]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    header_names: set[str] = field(default_factory=set)
    endpoint: str = ""


@contextmanager
def serve_hub() -> Iterator[FakeHub]:
    """Serve as the hub does: an address with the commit, then a redirect to a store."""
    state = FakeHub({"w.bin": WEIGHTS, "config.json": CONFIG})

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_HEAD(self) -> None:
            state.heads.append(self.path)
            self._answer(send_body=False)

        def do_GET(self) -> None:
            state.header_names |= {name.lower() for name in self.headers}
            self._answer(send_body=True)

        def _answer(self, *, send_body: bool) -> None:
            name = self.path.rsplit("/", 1)[-1]
            if name not in state.files:
                self._start(404, 0)
            elif self.path == f"/ebb/tiny/resolve/abc123/{name}":
                self.send_response(302)
                self.send_header("Location", f"/store/{name}")
                if state.is_hub:
                    self.send_header("X-Repo-Commit", "abc123")
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif self.path == f"/store/{name}" and send_body:
                self._send(state.files[name])
            else:
                self._start(404, 0)

        def _send(self, content: bytes) -> None:
            asked = self.headers.get("Range")
            state.gets.append((self.path, asked))
            start = 0
            if asked and state.knows_ranges:
                start = int(re.fullmatch(r"bytes=(\d+)-", asked)[1])  # type: ignore[index]
                if start >= len(content):
                    self._start(416, 0)
                    return
                span = f"bytes {start}-{len(content) - 1}/{len(content)}"
                self._start(206, len(content) - start, span)
            else:
                self._start(200, len(content))
            body = content[start:]
            if state.cut_after_bytes:
                body = body[: state.cut_after_bytes.pop(0)]
            self.wfile.write(body)
            self.close_connection = True

        def _start(self, code: int, length: int, span: str | None = None) -> None:
            self.send_response(code)
            self.send_header("Content-Length", str(length))
            if span:
                self.send_header("Content-Range", span)
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    state.endpoint = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


# --- An index on this computer --------------------------------------------------------


@dataclass
class FakePip:
    """Writes wheels as ``pip download`` does; anything else it is asked fails."""

    wheels: dict[str, dict[str, bytes]] = field(
        default_factory=lambda: {
            "tiny-part1==1.0": {
                "data/w1.bin": WEIGHTS[:HALF],
                "data/config.json": CONFIG,
            },
            "tiny-part2==1.0": {"data/w2.bin": WEIGHTS[HALF:]},
        }
    )
    asked: list[str] = field(default_factory=list)
    instead: dict[str, Callable[[Path], Finished]] = field(default_factory=dict)

    def __call__(
        self, command: Sequence[str], scratch: Path, on_tick: Callable[[], None]
    ) -> Finished:
        wanted = command[-1]
        self.asked.append(wanted)
        (scratch / "growing").write_bytes(b"x" * 1000)
        on_tick()
        if wanted in self.instead:
            return self.instead[wanted](scratch)
        if wanted not in self.wheels:
            return Finished(1, "ERROR: No matching distribution found")
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        assert "--no-deps" in command
        target = Path(command[command.index("--dest") + 1]) / "x-1.0-py3-none-any.whl"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in self.wheels[wanted].items():
                archive.writestr(member, content)
        return Finished(0, "")


def raising(error: BaseException) -> Callable[[Path], Finished]:
    def act(scratch: Path) -> Finished:
        raise error

    return act


NOWHERE = Hub(endpoint="http://127.0.0.1:9", sleep=lambda seconds: None)


@dataclass
class Bench:
    """A model folder with its puller."""

    model: Model
    folder: ModelFolder
    puller: Puller
    pip: FakePip
    seen: list[Progress] = field(default_factory=list)

    def pull(self, source: Source = Source.AUTO) -> bool:
        return self.puller.pull(self.model, source=source, on_progress=self.seen.append)

    @property
    def state(self) -> State:
        return self.folder.state(self.model, thorough=True)

    @property
    def kept(self) -> list[str]:
        """Names of what is kept for later."""
        partial = self.folder.path / ".partial" / "tiny"
        return sorted(path.name for path in partial.rglob("*"))


def bench(
    tmp_path: Path,
    *,
    model: Model | None = None,
    hub: Hub = NOWHERE,
    free_bytes: int = 10**12,
) -> Bench:
    model = model or model_of()
    pip = FakePip()
    folder = ModelFolder(Registry((model,)), tmp_path / "models")
    puller = Puller(
        folder, hub=hub, carriers=Carriers(pip), free_bytes=lambda path: free_bytes
    )
    return Bench(model, folder, puller, pip)


def hub_at(fake_hub: FakeHub) -> Hub:
    return Hub(endpoint=fake_hub.endpoint, sleep=lambda seconds: None)
