"""``ebb`` without a command: starts the page on this computer."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.errors import UsageError
from assistant.settings import Settings

if TYPE_CHECKING:
    from assistant.wiring import Program

NAME = "serve"
HELP = "start the page (the same as no command)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--port", type=int, help="default 7861; 0 takes a free one")
    parser.add_argument(
        "--no-browser",
        action="store_true",
        help="do not open the page by itself; then the bare address lets in every "
        "browser and program of this computer. Without this option only the address "
        "that is printed does: it holds a key that is new at each start",
    )
    parser.add_argument("--country", metavar="CC", help="for example GB")
    parser.add_argument("--language", metavar="TAG", help="only “en” so far")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Serve until Ctrl-C."""
    # Imported here: the server is not needed by any other command.
    from assistant.ui.server import serve

    if args.language and args.language.partition("-")[0].lower() != "en":
        raise UsageError("Ebb can only talk in English so far: --language en")
    if args.port is not None and not 0 <= args.port <= 65535:
        raise UsageError("--port must be between 0 and 65535.")
    chosen = replace(
        settings,
        port=settings.port if args.port is None else args.port,
        country=(args.country or settings.country or "").upper() or None,
    )

    def build() -> Program:
        # Imported on the server's own thread, after the first page is on screen.
        from assistant.wiring import Program

        return Program(chosen)

    return serve(build, chosen, open_browser=not args.no_browser, announce=_announce)


def _announce(address: str) -> None:
    print(f"Open {address} — to stop, press Ctrl-C here.", file=sys.stderr)
