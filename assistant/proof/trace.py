"""Every call by which a program reaches out or opens a file to write, through strace.

Linux only, and only where strace is installed and allowed. It sees what is too short
for looking again and again, and what a library in C does behind Python's back.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from assistant.network import is_local

_CALLS = (
    "connect,sendto,sendmsg,sendmmsg,bind,open,openat,openat2,creat,execve,"
    "io_uring_setup"
)
_ADDRESS = re.compile(
    r'sin_port=htons\((?P<p4>\d+)\), sin_addr=inet_addr\("(?P<v4>[^"]+)"\)'
    r'|sin6_port=htons\((?P<p6>\d+)\).*?inet_pton\(AF_INET6, "(?P<v6>[^"]+)"'
)
_UNIX = re.compile(r'connect\(.*sa_family=AF_UNIX, sun_path=(?P<path>@?"[^"]*")')
_OPENED = re.compile(
    r"(?:open|openat2?|creat)\((?:(?:AT_FDCWD|\d+)(?:<(?P<at>[^>]*)>)?, )?"
    r'"(?P<path>[^"]*)"(?P<flags>.*)'
)
_RAN = re.compile(r'execve\("(?P<path>[^"]*)".*\) = 0$')
_WRITES = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TMPFILE", "creat(")
_NOT_FILES = ("/dev/null", "/dev/tty", "/dev/pts/", "/proc/self/")


def is_possible() -> bool:
    """Tell whether strace is here and may watch a program; tries it on one."""
    if (strace := shutil.which("strace")) is None:
        return False
    try:
        tried = subprocess.run(
            [strace, "-f", "-D", "-qq", "-e", "trace=execve", "-o", os.devnull, "true"],
            capture_output=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0 and not tried.stderr


class Trace:
    """One strace; its lines come through a pipe and never lie on a disk."""

    def __init__(self) -> None:
        """Open the pipe; put ``command`` before the program and call ``begin``."""
        self._read, self.write_end = os.pipe()
        self.lines = 0
        self.beyond: set[str] = set()
        self.local_sockets: set[str] = set()
        self.written: set[str] = set()
        self.written_in_talk: set[str] = set()
        self.in_talk = False
        """True from when the program has started: what it opens then, a talk opens."""
        self.programs: set[str] = set()
        self.blind = False
        """True where the program used a way to reach out that strace does not see."""
        self._thread = threading.Thread(target=self._take_in, daemon=True)

    @property
    def command(self) -> list[str]:
        """What stands before the program: it keeps its own process number."""
        return [
            *("strace", "-f", "-D", "-qq", "-y", "-s", "0", "-e", "signal=none"),
            *("-e", f"trace={_CALLS}", "-o", f"/dev/fd/{self.write_end}", "--"),
        ]

    def begin(self) -> None:
        """Read what comes; the program has been started."""
        os.close(self.write_end)
        self._thread.start()

    def finish(self) -> None:
        """Wait for the last lines of a program that has ended."""
        self._thread.join(timeout=10)

    def _take_in(self) -> None:
        with os.fdopen(self._read, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self.lines += 1
                self.judge(line.rstrip("\n"))

    def judge(self, line: str) -> None:
        """Take in one line of strace."""
        if "io_uring_setup" in line and "ENOSYS" not in line and "EPERM" not in line:
            self.blind = True
        for found in _ADDRESS.finditer(line):
            host = found["v4"] or found["v6"]
            if not is_local(host):
                self.beyond.add(f"{host} port {found['p4'] or found['p6']}")
        if (unix := _UNIX.search(line)) is not None:
            self.local_sockets.add(unix["path"].replace('"', ""))
        if (ran := _RAN.search(line)) is not None:
            self.programs.add(ran["path"])
        opened = _OPENED.search(line)
        if opened is not None and any(flag in line for flag in _WRITES):
            self._opened(opened)

    def _opened(self, opened: re.Match[str]) -> None:
        if re.search(r"= -1 E[A-Z]+", opened["flags"]):
            return  # it was not opened
        path = Path(opened["at"] or "/") / opened["path"]
        if not str(path).startswith(_NOT_FILES):
            self.written.add(str(path))
            if self.in_talk:
                self.written_in_talk.add(str(path))
