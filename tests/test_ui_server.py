"""Binding: this computer alone, and a clear sentence where the port is taken."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from assistant.errors import AssistantError
from assistant.ui.server import serve
from tests.scripted_program import ScriptedProgram, settings_for


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
