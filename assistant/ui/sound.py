"""Sound from the page: over a WebSocket into memory, then text; nowhere else.

The page says ``{"kind": "microphone", "rate": 48000}`` or ``{"kind": "file"}``, sends
the bytes, and says ``{"kind": "end"}``. Microphone sound is 16-bit little-endian mono;
while it comes, the page is told ``{"kind": "so_far", "settled": …, "speaking": …,
"quiet_s": …}``. In the end it is told ``{"kind": "heard", "text": …, "doubtful": […]}``
or ``{"kind": "line", "text": …}``. Whatever was sent is forgotten when the answer is
ready or the page closes the socket.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
import numpy as np
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.domain import Audio, Transcript
from assistant.errors import AssistantError, AudioError
from assistant.ui import asked
from assistant.ui.asked import NonsenseError

if TYPE_CHECKING:
    from assistant.live import SoFar
    from assistant.wiring import Program

MAX_FILE_BYTES: Final = 50_000_000
MAX_MICROPHONE_S: Final = 15 * 60
MAX_AT_ONCE: Final = 3
"""Recordings at once: each holds a thread and memory of its own."""
_RATES_HZ = range(8_000, 192_001)
_PCM_BYTES = 2
_WAITING_PIECES = 12
"""More pieces of sound than this waiting: recognition has fallen behind."""

_TOO_BIG = (
    "That recording is too big for this page: 50 MB, or fifteen minutes at the "
    "microphone, is the most. A longer one can be cut into pieces."
)
_TOO_MANY = (
    "Other windows are listening at the moment. When one of them has finished, this "
    "one can; you can write in the meantime."
)
_NOT_READY = "Listening is still getting ready. You can write in the meantime."
_logger = logging.getLogger(__name__)

Decode = Callable[[bytes], Iterable[Audio]]


class _GoneError(Exception):
    """The page has gone: what it said is not recognised to the end."""


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
        self._open = 0

    async def answer(self, socket: WebSocket) -> None:
        """Take one recording and send back what was heard."""
        await socket.accept()
        self._open += 1
        try:
            reply = await self._hear(socket)
            await socket.send_text(json.dumps(reply))
            await socket.close()
        except WebSocketDisconnect:
            return
        except NonsenseError:
            await socket.close(code=1003)
        except _GoneError:
            return
        finally:
            self._open -= 1

    async def _hear(self, socket: WebSocket) -> dict[str, Any]:
        request = asked.control(await socket.receive())
        program = self._program()
        if program is None or not _can_hear(program):
            return {"kind": "line", "text": _NOT_READY}
        if self._open > MAX_AT_ONCE:
            return {"kind": "line", "text": _TOO_MANY}
        try:
            if request.get("kind") == "microphone":
                return await _Live(program, socket, _rate(request)).hear()
            if request.get("kind") != "file":
                raise NonsenseError
            sound = await _collect(socket, MAX_FILE_BYTES)
            return await self._recognise(program, lambda: self._decode(bytes(sound)))
        except AudioError as error:
            return {"kind": "line", "text": str(error)}
        except AssistantError:
            return {"kind": "line", "text": program.replies.line("could_not_hear")}

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


class _Live:
    """One recording at the microphone: recognised in a thread while it comes in."""

    def __init__(self, program: Program, socket: WebSocket, rate_hz: int) -> None:
        self._program = program
        self._socket = socket
        self._rate_hz = rate_hz
        self._pieces: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._gone = False

    async def hear(self) -> dict[str, Any]:
        """Take sound until the page says “end”; tell it the words so far.

        Raises:
            AssistantError: If the sound cannot be recognised, or is too long.
            WebSocketDisconnect: If the page closes the socket.
        """
        answers: list[dict[str, Any]] = []

        async def recognise() -> None:
            answers.append(await anyio.to_thread.run_sync(self._work))

        try:
            async with anyio.create_task_group() as both:
                both.start_soon(recognise)
                try:
                    await self._take_in()
                except BaseException:
                    self._gone = True
                    raise
                finally:
                    self._pieces.put(None)
        except BaseExceptionGroup as group:
            raise _first(group) from None
        return answers[0]

    async def _take_in(self) -> None:
        left = MAX_MICROPHONE_S * self._rate_hz * _PCM_BYTES
        while True:
            message = await self._socket.receive()
            if (data := message.get("bytes")) is None:
                if asked.control(message).get("kind") != "end":
                    raise NonsenseError
                return
            left -= len(data)
            if left < 0:
                raise AudioError(_TOO_BIG)
            self._pieces.put(data)

    def _work(self) -> dict[str, Any]:
        """Recognise in a thread of its own; gives the record for the page."""
        final = None
        try:
            for so_far in self._program.listen_live(self._blocks(), self._is_behind):
                final = so_far.final
                if final is None and not self._gone:
                    anyio.from_thread.run(self._tell, so_far)
        except (AssistantError, _GoneError):
            raise
        except Exception as error:
            # Its message may quote what was heard, so only its kind is logged.
            _logger.error("a recording failed: %s", type(error).__name__)
        if final is None:
            text = self._program.replies.line("could_not_hear")
            return {"kind": "line", "text": text}
        return heard(final, self._program.replies.line("no_speech"))

    async def _tell(self, so_far: SoFar) -> None:
        record = {
            "kind": "so_far",
            "settled": so_far.settled,
            "speaking": so_far.speaking,
            "quiet_s": round(so_far.quiet_s, 1),
        }
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it has gone
            await self._socket.send_text(json.dumps(record))

    def _blocks(self) -> Iterator[Audio]:
        rest = b""
        while (data := self._pieces.get()) is not None:
            if self._gone:
                break  # nobody waits for what is left
            data = rest + data
            whole = len(data) // _PCM_BYTES * _PCM_BYTES
            rest = data[whole:]
            samples = np.frombuffer(data[:whole], dtype="<i2").astype(np.float32)
            yield Audio(samples / np.float32(32_768), self._rate_hz)
        if self._gone:
            raise _GoneError

    def _is_behind(self) -> bool:
        return self._pieces.qsize() > _WAITING_PIECES


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Give the first plain exception of a group, the page's own before others."""
    plain = [
        _first(error) if isinstance(error, BaseExceptionGroup) else error
        for error in group.exceptions
    ]
    return next((e for e in plain if isinstance(e, WebSocketDisconnect)), plain[0])


def _rate(request: dict[str, Any]) -> int:
    rate = request.get("rate")
    if type(rate) is not int or rate not in _RATES_HZ:  # True is an int as well
        raise NonsenseError
    return rate


def _can_hear(program: Program) -> bool:
    return any(p.name == "speech" and p.state == "ready" for p in program.parts())


def heard(transcript: Transcript, no_speech: str) -> dict[str, Any]:
    """Give the record that tells the page what was heard."""
    if transcript.no_speech or not transcript.text.strip():
        return {"kind": "line", "text": no_speech}
    doubtful = [s.text.strip() for s in transcript.segments if s.doubtful]
    return {"kind": "heard", "text": transcript.text, "doubtful": doubtful}


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
            if asked.control(message).get("kind") != "end":
                raise NonsenseError
            return sound
        if len(sound) + len(data) > limit_bytes:
            raise AudioError(_TOO_BIG)
        sound += data
