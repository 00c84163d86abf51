"""Nothing leaves: whichever library asks, only this computer can be reached."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from assistant.errors import NetworkError
from assistant.network import SWITCHES, is_local

# Set aside for documentation (RFC 5737, RFC 3849): nobody is there.
OUTSIDE = "192.0.2.1"
OUTSIDE_V6 = "2001:db8::1"
ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.9.8.7", True),
        ("::1", True),
        ("localhost", True),
        (b"localhost", True),
        ("::ffff:127.0.0.1", True),
        (None, True),
        (OUTSIDE, False),
        (OUTSIDE_V6, False),
        ("::ffff:192.0.2.1", False),
        ("example.org", False),
        ("localhost.example.org", False),
        ("0.0.0.0", False),
    ],
)
def test_only_loopback_is_local(host: object, local: bool) -> None:
    assert is_local(host) is local


def test_a_connection_outside_is_refused() -> None:
    with socket.socket() as sock, pytest.raises(NetworkError):
        sock.connect((OUTSIDE, 80))


def test_a_datagram_outside_is_refused() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        with pytest.raises(NetworkError):
            sock.sendto(b"x", (OUTSIDE, 53))


def test_a_name_is_not_even_looked_up() -> None:
    with pytest.raises(NetworkError):
        socket.getaddrinfo("example.org", 443)


def test_listening_on_every_interface_is_refused() -> None:
    with socket.socket() as sock, pytest.raises(NetworkError):
        sock.bind(("0.0.0.0", 0))


def test_the_standard_library_is_refused() -> None:
    with pytest.raises((urllib.error.URLError, NetworkError)):
        urllib.request.urlopen(f"http://{OUTSIDE}/", timeout=2)


def test_httpx_is_refused() -> None:
    import httpx

    with pytest.raises((httpx.HTTPError, NetworkError)):
        httpx.get(f"http://{OUTSIDE}/", timeout=2)


def test_the_model_hub_is_refused() -> None:
    import huggingface_hub

    with pytest.raises(Exception) as caught:  # noqa: PT011 - any refusal will do
        huggingface_hub.hf_hub_download("nobody/nothing", "file")
    assert not isinstance(caught.value, AssertionError)


def test_asyncio_is_refused() -> None:
    async def reach() -> None:
        await asyncio.open_connection(OUTSIDE, 80)

    # A thread of its own: the browser's driver may have a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        refused = pool.submit(lambda: asyncio.run(reach())).exception()
    assert isinstance(refused, OSError | NetworkError)


def test_this_computer_itself_can_be_reached() -> None:
    class Hello(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Hello)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/") as answer:
        assert answer.status == 204
    thread.join()
    server.server_close()


def test_an_address_is_not_looked_up_backwards() -> None:
    with pytest.raises(NetworkError):
        socket.gethostbyaddr(OUTSIDE)
    with pytest.raises(NetworkError):
        socket.getnameinfo((OUTSIDE, 80), 0)


_LOAD_THE_EAR = """
import pathlib, assistant
from assistant.network import forbid_outside
forbid_outside()
import onnxruntime
ear = pathlib.Path(assistant.__file__).parent / "ear" / "ear.onnx"
onnxruntime.InferenceSession(str(ear), providers=["CPUExecutionProvider"])
"""


def test_the_library_under_the_ear_writes_nothing_down_about_this_computer(
    tmp_path: Path,
) -> None:
    """Its makers' reporting begins with a file; without the switch there is one."""
    done = subprocess.run(
        [sys.executable, "-c", _LOAD_THE_EAR],
        env=_plain_environment(tmp_path),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def _plain_environment(home: Path) -> dict[str, str]:
    """Give an environment with a home of its own and none of our switches."""
    kept = {k: v for k, v in os.environ.items() if k not in SWITCHES}
    for sign_of_ci in ("CI", "GITHUB_ACTIONS", "TF_BUILD"):
        kept.pop(sign_of_ci, None)  # it reports nothing there
    folders = {"HOME": home, "XDG_CACHE_HOME": home / "cache", "TMPDIR": home}
    return kept | {name: str(path) for name, path in folders.items()}
