"""The program under proof: started as a person starts it, listened to, ended."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from assistant.errors import AssistantError
from assistant.network import SWITCHES
from assistant.proof.trace import Trace

_ADDRESS = re.compile(rb"http://127\.0\.0\.1:\d+/")
_START_S = 120
_STOP_S = 30


def command_for(home: Path) -> list[str]:
    """Give the command that serves the page from a home folder, on a free port."""
    ebb = [sys.executable, "-m", "assistant", "--home", str(home)]
    return [*ebb, "serve", "--port", "0", "--no-browser", "--country", "GB"]


class Child:
    """One running program; what it prints is kept in memory for the search."""

    def __init__(self, command: Sequence[str], trace: Trace | None = None) -> None:
        """Start it, with the surroundings that this process was given.

        Raises:
            AssistantError: If it cannot be started, or prints no address.
        """
        # It has to set its switches itself; ours would help it.
        env = {k: v for k, v in os.environ.items() if k not in SWITCHES}
        ahead = trace.command if trace else []
        try:
            self._process = subprocess.Popen(
                [*ahead, *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=env,
                pass_fds=(trace.write_end,) if trace else (),
            )
        except OSError:
            raise AssistantError("The program could not be started.") from None
        if trace:
            trace.begin()
        self.trace = trace
        self.printed = bytearray()
        self._readers = [
            threading.Thread(target=self._read, args=(pipe,), daemon=True)
            for pipe in (self._process.stdout, self._process.stderr)
        ]
        for reader in self._readers:
            reader.start()
        self.address = self._wait_for_address()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """False once it has ended."""
        return self._process.poll() is None

    def _read(self, pipe: IO[bytes] | None) -> None:
        assert pipe is not None  # for the type checker; both are pipes
        with pipe:
            while block := os.read(pipe.fileno(), 65_536):
                self.printed += block

    def _wait_for_address(self) -> str:
        ends = time.monotonic() + _START_S
        while time.monotonic() < ends:
            if (found := _ADDRESS.search(bytes(self.printed))) is not None:
                return found.group().decode("ascii")
            if not self.is_running:
                break
            time.sleep(0.05)
        self.kill()
        raise AssistantError("The program ended before its page could be opened.")

    def stop(self) -> None:
        """Ask it to end, as Ctrl-C or the system does; kill it where it does not."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._finish()

    def kill(self) -> None:
        """End it without a warning, as a crash or a power cut does."""
        self._process.kill()
        self._finish()

    def _finish(self) -> None:
        self._process.wait()
        for reader in self._readers:
            reader.join(timeout=5)  # a grandchild may hold the pipe open
