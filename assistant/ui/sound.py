"""Sound from the page: over a WebSocket into memory, then text; nowhere else.

The page says ``{"kind": "microphone", "rate": 48000}`` or ``{"kind": "file"}``, sends
the bytes, and says ``{"kind": "end"}``. Microphone sound is 16-bit little-endian mono.
It is told ``{"kind": "heard", "text": …, "doubtful": […]}`` or ``{"kind": "line",
"text": …}``. Whatever was sent is forgotten when the answer is ready or the page
closes the socket.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
import numpy as np
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.domain import Audio, Transcript
from assistant.errors import AssistantError, AudioError

if TYPE_CHECKING:
    from assistant.wiring import Program

MAX_FILE_BYTES: Final = 50_000_000
MAX_MICROPHONE_S: Final = 15 * 60
_RATES_HZ = range(8_000, 192_001)
_PCM_BYTES = 2
_BLOCK_S = 5

_TOO_BIG = (
    "That recording is too big for this page: 50 MB, or fifteen minutes at the "
    "microphone, is the most. A longer one can be cut into pieces."
)
_NOT_READY = "Listening is still getting ready. You can write in the meantime."
_logger = logging.getLogger(__name__)

Decode = Callable[[bytes], Iterable[Audio]]


class _NonsenseError(Exception):
    """The page sent something that makes no sense; nothing is answered."""


class Listener:
    """Answers sockets of the page; recognises one recording at a time."""

    def __init__(
        self, program: Callable[[], Program | None], decode: Decode | None = None
    ) -> None:
        """Listen for a program that may not be there yet.

        Args:
            program: Gives the program, or None while it is still loading.
            decode: Turns the bytes of a file into sound; by default, with PyAV.
        """
        self._program = program
        self._decode = decode or decode_file
        self._turns: anyio.CapacityLimiter | None = None

    async def answer(self, socket: WebSocket) -> None:
        """Take one recording and send back what was heard."""
        await socket.accept()
        try:
            reply = await self._hear(socket)
            await socket.send_text(json.dumps(reply))
            await socket.close()
        except WebSocketDisconnect:
            return
        except _NonsenseError:
            await socket.close(code=1003)

    async def _hear(self, socket: WebSocket) -> dict[str, Any]:
        request = _control(await socket.receive())
        program = self._program()
        if program is None or not _can_hear(program):
            return {"kind": "line", "text": _NOT_READY}
        try:
            blocks = await self._receive(socket, request)
            return await self._recognise(program, blocks)
        except AudioError as error:
            return {"kind": "line", "text": str(error)}
        except AssistantError:
            return {"kind": "line", "text": program.replies.line("could_not_hear")}

    async def _receive(
        self, socket: WebSocket, request: dict[str, Any]
    ) -> Callable[[], Iterable[Audio]]:
        if request.get("kind") == "microphone":
            rate = request.get("rate")
            if not isinstance(rate, int) or rate not in _RATES_HZ:
                raise _NonsenseError
            limit = MAX_MICROPHONE_S * rate * _PCM_BYTES
            sound = await _collect(socket, limit)
            return lambda: pcm_blocks(sound, rate)
        if request.get("kind") == "file":
            sound = await _collect(socket, MAX_FILE_BYTES)
            return lambda: self._decode(bytes(sound))
        raise _NonsenseError

    async def _recognise(
        self, program: Program, blocks: Callable[[], Iterable[Audio]]
    ) -> dict[str, Any]:
        if self._turns is None:
            self._turns = anyio.CapacityLimiter(1)
        try:
            transcript = await anyio.to_thread.run_sync(
                lambda: program.transcribe(blocks()), limiter=self._turns
            )
        except AssistantError:
            raise
        except Exception as error:
            # Its message may quote what was heard, so only its kind is logged.
            _logger.error("a recording failed: %s", type(error).__name__)
            return {"kind": "line", "text": program.replies.line("could_not_hear")}
        return heard(transcript, program.replies.line("no_speech"))


def _can_hear(program: Program) -> bool:
    return any(p.name == "speech" and p.state == "ready" for p in program.parts())


def heard(transcript: Transcript, no_speech: str) -> dict[str, Any]:
    """Give the record that tells the page what was heard."""
    if transcript.no_speech or not transcript.text.strip():
        return {"kind": "line", "text": no_speech}
    doubtful = [s.text.strip() for s in transcript.segments if s.doubtful]
    return {"kind": "heard", "text": transcript.text, "doubtful": doubtful}


def pcm_blocks(sound: bytearray, rate_hz: int) -> Iterator[Audio]:
    """Yield 16-bit little-endian mono sound as blocks of a few seconds."""
    samples = np.frombuffer(sound, dtype="<i2", count=len(sound) // _PCM_BYTES)
    step = _BLOCK_S * rate_hz
    for start in range(0, len(samples), step):
        block = samples[start : start + step].astype(np.float32)
        yield Audio(block / np.float32(32_768), rate_hz)


def decode_file(data: bytes) -> Iterable[Audio]:
    """Decode the bytes of a recording in memory.

    Raises:
        AudioError: If it is no recording, or damaged.
    """
    from assistant.adapters.audio_files import AudioFiles

    return AudioFiles().open(data).stream_blocks()


async def _collect(socket: WebSocket, limit_bytes: int) -> bytearray:
    """Receive bytes up to the page's “end”.

    Raises:
        AudioError: If there are more than may be.
    """
    sound = bytearray()
    while True:
        message = await socket.receive()
        if (data := message.get("bytes")) is None:
            if _control(message).get("kind") != "end":
                raise _NonsenseError
            return sound
        if len(sound) + len(data) > limit_bytes:
            raise AudioError(_TOO_BIG)
        sound += data


def _control(message: Any) -> dict[str, Any]:
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    try:
        record = json.loads(message.get("text") or "")
    except ValueError:
        raise _NonsenseError from None
    if not isinstance(record, dict):
        raise _NonsenseError
    return record
