"""Serve the page with the scripted program, in a process of its own.

Prints the address, then answers each line on standard input with a line of JSON, so
that a test can ask what the program was told. Ends when standard input does.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from assistant import log, network  # noqa: E402  # after the path is set

network.forbid_outside()
log.set_up()

from assistant import wiring  # noqa: E402
from assistant.errors import ContentError  # noqa: E402
from assistant.settings import load as load_settings  # noqa: E402
from assistant.ui.server import serve  # noqa: E402
from tests.scripted_program import ScriptedProgram, settings_for  # noqa: E402


def _answer(program: ScriptedProgram, wanted: dict[str, Any]) -> Any:
    for name, value in wanted.get("set", {}).items():
        setattr(program, name, value)
    return {
        "talks": [
            {
                "said": talk.said,
                "wiped": talk.wiped,
                "countries": talk.countries,
                "aside": [str(card) for card in talk.put_aside_cards],
            }
            for talk in program.talks
        ],
        "heard_s": program.heard_s,
        "loudest": program.loudest,
        "spoken": program.spoken,
    }


def _listen(program: ScriptedProgram) -> None:
    for line in sys.stdin:
        print(json.dumps(_answer(program, json.loads(line))), flush=True)
    os.kill(os.getpid(), signal.SIGINT)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--country")
    parser.add_argument("--slow-start", type=float, default=0.0)
    parser.add_argument("--listens", action="store_true", help="with the real models")
    parser.add_argument("--broken", help="a sentence; the program then cannot start")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument(
        "--strict", action="store_true", help="as where Ebb opens the browser itself"
    )
    chosen = parser.parse_args()
    settings = settings_for(chosen.home, country=chosen.country, port=chosen.port)
    opened = chosen.home / "opened.txt"
    # No browser is started: the test has one of its own, and reads there what to open.
    webbrowser.open = lambda address: bool(opened.write_text(address))  # type: ignore[assignment]
    program = ScriptedProgram(settings)
    if chosen.listens:
        program.ears = wiring.open_speech(load_settings())
    threading.Thread(target=_listen, args=(program,), daemon=True).start()

    def make() -> Any:
        time.sleep(chosen.slow_start)
        if chosen.broken:
            raise ContentError(chosen.broken)
        return program

    return serve(
        make,
        settings,
        open_browser=chosen.strict,
        announce=lambda at: print(at, flush=True),
    )


if __name__ == "__main__":
    sys.exit(main())
