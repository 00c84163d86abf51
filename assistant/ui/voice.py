"""Spoken replies: a sentence from the page, its sound back over a WebSocket.

The page says ``{"text": …}``. It is told ``{"kind": "begin", "rate": 22050}``, then the
sound as 16-bit little-endian mono, then ``{"kind": "end"}``; or, where this cannot be
spoken, ``{"kind": "line", "text": …}``. When the page closes the socket, speaking ends.
Text and sound are in memory alone, and nothing of them stays.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
import numpy as np
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.errors import AssistantError
from assistant.ui import asked
from assistant.ui.asked import NonsenseError

if TYPE_CHECKING:
    from assistant.domain import Audio
    from assistant.ports import TextToSpeech
    from assistant.wiring import Program

MAX_CHARS: Final = 4_000
"""More than any card or sentence has."""
MAX_AT_ONCE: Final = 3
"""Sentences at once: each holds a thread."""
_NOT_NOW = "The reply could not be spoken just now; it is on the screen."
_logger = logging.getLogger(__name__)


class Speaker:
    """Answers sockets of the page; loads the voice when it is first needed."""

    def __init__(self, program: Callable[[], Program | None]) -> None:
        """Speak for a program that may not be there yet."""
        self._program = program
        self._voice: TextToSpeech | None = None
        self._loading = threading.Lock()
        self._open = 0

    async def answer(self, socket: WebSocket) -> None:
        """Speak one text, and stop where the page closes the socket."""
        await socket.accept()
        self._open += 1
        try:
            text = _text(asked.control(await socket.receive()))
            program = self._program()
            if program is None or self._open > MAX_AT_ONCE:
                await _tell(socket, {"kind": "line", "text": _NOT_NOW})
            else:
                await _Saying(socket, lambda: self._loaded(program)).say(text)
            await socket.close()
        except (WebSocketDisconnect, _HushedError):
            return
        except NonsenseError:
            await socket.close(code=1003)
        finally:
            self._open -= 1

    def _loaded(self, program: Program) -> TextToSpeech:
        with self._loading:
            if self._voice is None:
                self._voice = program.load_voice()
            return self._voice


class _HushedError(Exception):
    """The page wants to hear no more."""


class _Saying:
    """One text: spoken in a thread, while the socket is watched for its end."""

    def __init__(self, socket: WebSocket, voice: Callable[[], TextToSpeech]) -> None:
        self._socket = socket
        self._voice = voice
        self._hushed = False

    async def say(self, text: str) -> None:
        async with anyio.create_task_group() as both:
            both.start_soon(self._watch)
            last = await anyio.to_thread.run_sync(self._work, text)
            both.cancel_scope.cancel()
        if self._hushed:
            raise _HushedError
        await _tell(self._socket, last)

    async def _watch(self) -> None:
        """Take whatever the page sends now for a wish for silence."""
        await self._socket.receive()
        self._hushed = True

    def _work(self, text: str) -> dict[str, Any]:
        """Speak in a thread of its own; gives the last record for the page."""
        try:
            begun = False
            for sound in self._voice().speak(text):
                if not begun:
                    begin = {"kind": "begin", "rate": sound.sample_rate_hz}
                    anyio.from_thread.run(self._pass, json.dumps(begin))
                begun = True
                anyio.from_thread.run(self._pass, _pcm(sound))
        except _HushedError:
            pass
        except AssistantError:
            return {"kind": "line", "text": _NOT_NOW}
        except Exception as error:
            # Its message may quote the reply, so only its kind is logged.
            _logger.error("speaking failed: %s", type(error).__name__)
            return {"kind": "line", "text": _NOT_NOW}
        return {"kind": "end"}

    async def _pass(self, record: str | bytes) -> None:
        if self._hushed:
            raise _HushedError
        try:
            if isinstance(record, str):
                await self._socket.send_text(record)
            else:
                await self._socket.send_bytes(record)
        except (RuntimeError, WebSocketDisconnect):  # it has gone
            self._hushed = True
            raise _HushedError from None


async def _tell(socket: WebSocket, record: dict[str, Any]) -> None:
    await socket.send_text(json.dumps(record))


def _text(request: dict[str, Any]) -> str:
    text = request.get("text")
    if not isinstance(text, str) or not 0 < len(text) <= MAX_CHARS:
        raise NonsenseError
    return text


def _pcm(sound: Audio) -> bytes:
    scaled = np.clip(sound.samples, -1.0, 1.0) * 32_767
    return scaled.astype("<i2").tobytes()
