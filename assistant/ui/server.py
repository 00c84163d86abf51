"""Start the house: bind 127.0.0.1, show the first page at once, load behind it."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant import content, content_directory, content_texts
from assistant.errors import AssistantError
from assistant.ui import outside_page
from assistant.ui.door import Door
from assistant.ui.house import House
from assistant.ui.key import Key
from assistant.ui.lock import Lock
from assistant.ui.starting import Starting

if TYPE_CHECKING:
    from assistant.content_directory import Directory
    from assistant.content_texts import Guide
    from assistant.settings import Settings
    from assistant.wiring import Program

_HOST = "127.0.0.1"
_STOP_WITHIN_S = 8.0
"""After that the process ends with whatever a library is still computing."""
_MAX_SOCKET_BYTES = 1_000_000
"""One WebSocket message; the page sends sound in smaller pieces."""


def serve(
    program_factory: Callable[[], Program],
    settings: Settings,
    *,
    open_browser: bool,
    announce: Callable[[str], None] = lambda address: None,
) -> int:
    """Serve the page until Ctrl-C, or until the person shuts it down there.

    Args:
        program_factory: Builds the program; called once, in a background thread.
        settings: Port (0 takes a free one), country.
        open_browser: True opens the page in the system's browser, and lets in only a
            browser that has the key; False lets in whoever opens the bare address.
        announce: Told the address that lets a browser in, as soon as it can be opened.

    Returns:
        The exit code.

    Raises:
        AssistantError: If the port is in use; names ``--port``.
    """
    listening = _bind(settings.port)
    port: int = listening.getsockname()[1]
    address = f"http://{_HOST}:{port}"
    key = Key(port, is_strict=open_browser)
    app = Application(program_factory, settings, port, key)
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws_max_size=_MAX_SOCKET_BYTES,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    announce(f"{address}{key.path_to_show if open_browser else '/'}")
    if open_browser:
        opened = f"{address}{key.path_to_open}"
        threading.Thread(target=webbrowser.open, args=(opened,), daemon=True).start()
    server = uvicorn.Server(config)
    # A tab that is still open when the program stops is no failure.
    quiet_at_the_end = logging.getLogger("uvicorn.error")
    quiet_at_the_end.addFilter(lambda record: not server.should_exit)

    def stop() -> None:
        server.should_exit = True

    app.stop = stop
    app.closed = _end_for_certain
    with contextlib.suppress(KeyboardInterrupt), listening:
        server.run(sockets=[listening])
    return 0


def _bind(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
        # On Windows the other option would let a second program share the port.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((_HOST, port))
    except OSError as error:
        listening.close()
        if error.errno in {errno.EADDRINUSE, errno.EACCES}:
            raise AssistantError(
                f"Port {port} is in use. Choose another with --port, for example "
                f"--port {port + 1 if port < 65_535 else 7861}."
            ) from None
        raise AssistantError(f"Port {port} cannot be opened.") from None
    # A browser that comes before the server runs waits instead of being refused.
    listening.listen(128)
    return listening


class Application:
    """The ASGI application: the door before the house, and their start and stop."""

    def __init__(
        self,
        program_factory: Callable[[], Program],
        settings: Settings,
        port: int,
        key: Key,
    ) -> None:
        """Remember what to start; nothing runs before the server does."""
        self._factory = program_factory
        self._settings = settings
        self._port = port
        self._key = key
        self.starting: Starting | None = None
        """None before the start."""
        self._door: ASGIApp | None = None
        self.stop: Callable[[], None] = lambda: None
        self.closed: Callable[[], None] = lambda: None
        """Called when everything is wiped and shut."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or live through the server's start and stop."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._door is not None:
            await self._door(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        directory = _directory()
        starting = self.starting = Starting(
            self._factory, self._settings, directory, _guide(), self.stop
        )
        numbers = outside_page.numbers(directory, self._settings)

        def outside() -> str:
            return outside_page.render(
                numbers,
                is_strict=self._key.is_strict,
                preferences=starting.sitting.preferences,
            )

        self._door = Door(Lock(House(starting), self._key, outside), self._port)
        starting.begin()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await starting.close()
        self.closed()
        await send({"type": "lifespan.shutdown.complete"})


def _end_for_certain(within_s: float = _STOP_WITHIN_S) -> None:
    """End the process a little later, where it has not ended by itself.

    A thread that is recognising speech cannot be stopped, and Python would wait for it,
    with the sound in memory, while the page says that the program has stopped. Every
    talk is wiped and every file closed by now.
    """

    def end() -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)

    timer = threading.Timer(within_s, end)
    timer.daemon = True
    timer.start()


def _guide() -> Guide | None:
    """Read how to find a specialist; without it the services still stand there."""
    try:
        return content_texts.load_specialist(content.content_root())
    except AssistantError:
        return None


def _directory() -> Directory | None:
    """Read the directory of services; without it the page still comes."""
    try:
        return content_directory.load(content.content_root())
    except AssistantError:
        return None
