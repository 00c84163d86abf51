"""Watch the sockets of a process and all that it started, from outside of it."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Any

import psutil

from assistant.network import is_local

_EVERY_S = 0.03
_FAMILY_EVERY_LOOKS = 10
"""Finding what the process has started costs more than looking at its sockets."""


class SocketWatch:
    """Looks again and again, in a thread; ``beyond`` is what it must not find."""

    def __init__(self, pid: int) -> None:
        """Watch the process with this number; looking begins with ``with``."""
        self._pid = pid
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._family: list[psutil.Process] = []
        self.looks = 0
        self.beyond: set[str] = set()
        self.loopback: set[str] = set()
        self.refused = False
        """True where the system did not let us look."""

    def __enter__(self) -> SocketWatch:
        """Begin to look."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop looking."""
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.is_set():
            self._look()
            self._ended.wait(_EVERY_S)

    def _look(self) -> None:
        try:
            if self.looks % _FAMILY_EVERY_LOOKS == 0:
                process = psutil.Process(self._pid)
                self._family = [process, *process.children(recursive=True)]
        except psutil.Error:
            return
        for member in self._family:
            try:
                for found in member.net_connections(kind="inet"):
                    self._judge(found)
            except psutil.AccessDenied:
                self.refused = True
            except (psutil.Error, OSError):
                continue
        self.looks += 1

    def _judge(self, found: Any) -> None:
        kind = "UDP" if found.type == socket.SOCK_DGRAM else "TCP"
        ends = [end for end in (found.laddr, found.raddr) if end]
        outside = [end for end in ends if not is_local(end.ip)]
        if not ends:
            return  # opened, and neither bound nor connected: it reaches nobody
        for end in outside:
            self.beyond.add(f"{kind} {end.ip} port {end.port}")
        if not outside:
            with contextlib.suppress(AttributeError):
                self.loopback.add(f"{kind} {found.laddr.ip}")
