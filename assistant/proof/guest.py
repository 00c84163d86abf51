"""Talk with a running program as its page does: through Gradio, and the sound socket.

The words of a person go in by the same requests that the page's own scripts send; see
``ui/static/talk.js`` and ``sound.js``.
"""

from __future__ import annotations

import base64
import contextlib
import html
import json
import queue
import re
import secrets
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
from numpy import int16
from numpy.typing import NDArray
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from assistant.errors import AssistantError
from assistant.proof.spoken import RATE_HZ

_CONFIG = re.compile(r"window\.gradio_config = (\{.*?\});</script>", re.DOTALL)
_MODEL_SENTENCE = re.compile(r'<span data-origin="model">(.*?)</span>', re.DOTALL)
_API = "talk/gradio_api/"
_PIECE_BYTES = 8_192
_ANSWER_S = 120
"""A busy computer that loads a model answers late; it is still no proof of anything."""
_TURN_S = 300
_GONE = "The program under proof stopped answering."


class Guest:
    """One tab of the page. Not safe to use from two threads at once."""

    def __init__(self, address: str) -> None:
        """Look at a page; ``address`` ends in a slash."""
        self._address = address
        self._session = secrets.token_hex(6)
        # Nothing of the surroundings, a proxy for example, may stand between.
        self._client = httpx.Client(
            base_url=address,
            headers={"origin": address.rstrip("/")},
            trust_env=False,
            timeout=_ANSWER_S,
        )
        self._messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._stream: socket.socket | None = None
        self._room = ""
        self._is_in = False
        self._ids: dict[tuple[str, str], int] = {}

    def close(self) -> None:
        """Let go of the connections, as a tab that is closed."""
        if self._stream is not None:
            # Closing alone would leave the thread that reads it, and so the tab, there.
            with contextlib.suppress(OSError):
                self._stream.shutdown(socket.SHUT_RDWR)
        self._client.close()

    # --- What the page does --------------------------------------------------------

    def ready(self) -> dict[str, Any]:
        """Tell how far the program is."""
        answer: dict[str, Any] = self._get("ready").json()
        return answer

    def wait(self, timeout_s: float, *, whole: bool) -> None:
        """Wait until one can talk; ``whole``: until every part is there or missing.

        Raises:
            AssistantError: If that does not happen in time.
        """
        ends = time.monotonic() + timeout_s
        while time.monotonic() < ends:
            try:
                self._come_in()
                state = self.ready()
            except AssistantError:
                continue  # too busy with its start to answer
            if state["failed"]:
                raise AssistantError("The program under proof could not start.")
            if state["open"] and not (whole and state["loading"]):
                return
            time.sleep(0.1)
        raise AssistantError("The program under proof was not ready in time.")

    def page(self, path: str = "") -> httpx.Response:
        """Fetch a page of it."""
        return self._get(path)

    def enter(self) -> None:
        """Open the talk, as a tab does when it has loaded."""
        self._come_in()
        found = _CONFIG.search(self._get("talk/").text)
        if found is None:
            raise AssistantError("The page of the talk is not as expected.")
        config = json.loads(found.group(1))
        names = {c["id"]: c["props"].get("elem_id") or "" for c in config["components"]}
        for event in config["dependencies"]:
            for target, kind in event["targets"]:
                place = names.get(target, "")
                with_output = "wire" if event["outputs"] else ""
                self._ids[(f"{place}{with_output}", kind)] = event["id"]
        entered = self._join(self._ids["wire", "load"], [])
        self._join(self._ids["", "load"], [])
        threading.Thread(target=self._listen, daemon=True).start()
        self._room = self._await(entered, _ANSWER_S)["room"]

    def begin(self, words: str) -> str:
        """Send a message and do not wait; gives the event's name."""
        return self._join(self._ids["sendwire", "click"], [words])

    def say(self, words: str) -> dict[str, Any]:
        """Send a message and give the last frame of the reply."""
        return self._await(self.begin(words), _TURN_S)

    def speak(self, samples: NDArray[int16]) -> dict[str, Any]:
        """Send sound as from the microphone; gives what the program heard."""
        request = {"kind": "microphone", "rate": RATE_HZ}
        return self._sound(request, samples.astype("<i2").tobytes())

    def send_file(self, data: bytes) -> dict[str, Any]:
        """Send a recording as a file; gives what the program heard."""
        return self._sound({"kind": "file"}, data)

    def let_speak(self, text: str) -> bytes:
        """Have a text spoken, as a reply is; gives its sound, none without a voice."""
        spoken = b""
        with _told(), self._socket("voice") as sound:
            sound.send(json.dumps({"text": text}))
            with contextlib.suppress(ConnectionClosed):
                while True:
                    piece = sound.recv(timeout=_TURN_S)
                    spoken += piece if isinstance(piece, bytes) else b""
        return spoken

    def post(self, path: str, record: Mapping[str, Any]) -> int:
        """Do something small in this room; gives the status of the answer."""
        body = json.dumps({"room": self._room, **record})
        with _told():
            return self._client.post(path, content=body).status_code

    def wipe(self) -> None:
        """End and wipe: the talk goes, the room stays."""
        self.post("wipe", {})

    def leave(self) -> bool:
        """Leave by the quick exit; True when the room can no longer be found."""
        self.post("wipe", {"leave": True})
        return self.post("stop", {}) == 404

    # --- How -------------------------------------------------------------------------

    def _come_in(self) -> None:
        """Open the front page once, as a person does; what it gives us is kept."""
        if not self._is_in:
            self._get("")
            self._is_in = True

    def _get(self, path: str) -> httpx.Response:
        with _told():
            return self._client.get(path)

    def _cookies(self) -> dict[str, str]:
        kept = "; ".join(
            f"{name}={value}" for name, value in self._client.cookies.items()
        )
        return {"cookie": kept} if kept else {}

    def _join(self, event: int, values: list[Any]) -> str:
        record = {
            "data": values,
            "fn_index": event,
            "session_hash": self._session,
            "event_data": None,
            "trigger_id": None,
        }
        with _told():
            answer = self._client.post(f"{_API}queue/join", json=record)
            answer.raise_for_status()
            return str(answer.json()["event_id"])

    def _listen(self) -> None:
        """Put the messages of this tab's stream into the queue until it ends."""
        where = f"{_API}queue/data"
        ask = {"session_hash": self._session}
        with contextlib.suppress(httpx.HTTPError, ValueError, RuntimeError):
            with self._client.stream("GET", where, params=ask, timeout=None) as reply:
                under = reply.extensions["network_stream"]
                self._stream = under.get_extra_info("socket")
                for line in reply.iter_lines():
                    if line.startswith("data: "):
                        self._messages.put(json.loads(line.removeprefix("data: ")))
        self._messages.put({"msg": "gone"})

    def _await(self, event: str, timeout_s: float) -> dict[str, Any]:
        ends = time.monotonic() + timeout_s
        while (left := ends - time.monotonic()) > 0:
            try:
                message = self._messages.get(timeout=left)
            except queue.Empty:
                break
            if message["msg"] == "gone":
                raise AssistantError(_GONE)
            completed = message["msg"] == "process_completed"
            if completed and message.get("event_id") == event:
                return _frame(message)
        raise AssistantError("The program under proof did not answer in time.")

    def _socket(self, path: str) -> ClientConnection:
        return connect(
            self._address.replace("http://", "ws://") + path,
            origin=Origin(self._address.rstrip("/")),
            additional_headers=self._cookies(),
            proxy=None,
            max_size=None,
        )

    def _sound(self, request: Mapping[str, Any], data: bytes) -> dict[str, Any]:
        with _told(), self._socket("sound") as sound:
            # A program that cannot listen says so at once, and does not wait for more.
            with contextlib.suppress(ConnectionClosed):
                sound.send(json.dumps(request))
                for at in range(0, len(data), _PIECE_BYTES):
                    sound.send(data[at : at + _PIECE_BYTES])
                sound.send(json.dumps({"kind": "end"}))
            while True:
                reply: dict[str, Any] = json.loads(sound.recv(timeout=_TURN_S))
                if reply["kind"] != "so_far":
                    return reply


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Turn the libraries' errors into ours; theirs may quote what was sent."""
    try:
        yield
    except (httpx.HTTPError, WebSocketException, OSError, TimeoutError, ValueError):
        raise AssistantError(_GONE) from None


def _frame(message: dict[str, Any]) -> dict[str, Any]:
    try:
        text = message["output"]["data"][0]["label"]
        frame: dict[str, Any] = json.loads(base64.b64decode(text))
    except (KeyError, IndexError, TypeError, ValueError):
        raise AssistantError("The program under proof failed in a turn.") from None
    return frame


def slots(frame: Mapping[str, Any]) -> set[str]:
    """Tell which parts of a turn were shown: ``cards``, ``reply`` and so on."""
    return {part["slot"] for part in frame.get("parts", ())}


def model_sentences(frame: Mapping[str, Any]) -> list[str]:
    """Give the sentences of a reply that the language model wrote."""
    shown = "".join(part["html"] for part in frame.get("parts", ()))
    return [html.unescape(text).strip() for text in _MODEL_SENTENCE.findall(shown)]
