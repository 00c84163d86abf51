"""Binding: this computer alone, and a clear sentence where the port is taken."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.errors import AssistantError
from assistant.ui.server import serve
from tests.scripted_program import ScriptedProgram, settings_for
from tests.speed import slowness

_ROOT = Path(__file__).resolve().parent.parent
_NEVER_ENDING = """
import sys, threading, time
from pathlib import Path
from assistant.ui.server import serve
from tests.scripted_program import ScriptedProgram, settings_for

settings = settings_for(Path(sys.argv[1]), port=0)
threading.Thread(target=time.sleep, args=(3600,)).start()
sys.exit(serve(lambda: ScriptedProgram(settings), settings, open_browser=False,
               announce=lambda at: print(at, flush=True)))
"""


def test_a_port_in_use_names_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = settings_for(tmp_path, port=port)
        with pytest.raises(AssistantError, match="--port") as raised:
            serve(
                lambda: ScriptedProgram(settings),  # type: ignore[arg-type,return-value]
                settings,
                open_browser=False,
            )
    assert str(port) in str(raised.value)
    assert raised.value.exit_code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_shutting_down_ends_the_process_whatever_still_computes(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _NEVER_ENDING, str(tmp_path)],
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(_ROOT), "TMPDIR": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        # It answers: from here on it is the server that takes the signal.
        with socket.create_connection(("127.0.0.1", port), timeout=60) as asked:
            asked.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
            assert asked.recv(12).startswith(b"HTTP/1.1")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20 + 20 * slowness()) == 0
        assert not list(tmp_path.glob("notes-*"))
    finally:
        process.kill()
        process.communicate()
