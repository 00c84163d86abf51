"""The command ``ebb``: reads the arguments, calls a command, words its errors."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from assistant import __version__, log, network, process, settings
from assistant.errors import AssistantError, InputError

# Imported only when called: a command that needs no model starts at once.
_COMMANDS = (
    "serve",
    "reply",
    "triage",
    "patterns",
    "retrieve",
    "guard",
    "transcribe",
    "speak",
    "helplines",
    "models",
    "doctor",
    "eval",
    "bench",
)
_MAY_USE_NETWORK = "models"
_INTERRUPTED = 130
_TOO_MUCH = (
    "there is more here than this command takes; a text with spaces needs quotation "
    "marks around it"
)
_QUOTED = re.compile(r"[: ]*['\"](?P<rest>.*)", re.DOTALL)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code. No error leaves as a traceback."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    process.keep_no_crash_image()
    if argv is None:  # otherwise another program's own process called us
        process.take_plain_name()
    log.set_up(verbose=bool(os.environ.get("EBB_VERBOSE")))
    _speak_utf8()
    try:
        name, command, args = _parse(arguments)
        if name != _MAY_USE_NETWORK:
            network.forbid_outside()
        home = Path(args.home) if args.home else None
        return int(command.run(args, settings.load(home)))
    except AssistantError as error:
        print(f"ebb: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody to tell.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except UnicodeDecodeError:
        print("ebb: The input is not UTF-8 text.", file=sys.stderr)
        return InputError.exit_code
    except Exception as error:  # a bug: say so without a traceback that may quote words
        kind = type(error).__name__
        print(f"ebb: Something unforeseen went wrong ({kind}).", file=sys.stderr)
        if os.environ.get("EBB_TRACEBACK"):
            raise
        return 1


class _Parser(argparse.ArgumentParser):
    """Says what is wrong without what was written: that may be somebody's story."""

    def error(self, message: str) -> NoReturn:
        """Show the usage, and one line; ends the program."""
        super().error(_without_their_words(message))


def _without_their_words(message: str) -> str:
    if message.startswith("unrecognized arguments"):
        return _TOO_MUCH
    quoted = _QUOTED.search(message)
    if quoted is None:
        return message
    _, choices, known = quoted["rest"].rpartition(" (choose from ")
    return message[: quoted.start()] + choices + (known if choices else "")


def _parse(arguments: Sequence[str]) -> tuple[str, ModuleType, argparse.Namespace]:
    parser = _Parser(
        prog="ebb",
        description="A private place to talk. Without a command: starts the page.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ebb {__version__}")
    parser.add_argument("--home", help=argparse.SUPPRESS)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in arguments if word in _COMMANDS), None)
    starts_page = wanted is None and not {"-h", "--help"} & set(arguments)
    modules: dict[str, ModuleType] = {}
    for name in _COMMANDS:
        # Help needs all of them; otherwise only the one that is called is imported.
        if (
            name == wanted
            or wanted is None
            and not starts_page
            or (starts_page and name == "serve")
        ):
            modules[name] = importlib.import_module(f"assistant.commands.{name}")
            sub = subparsers.add_parser(
                name, help=modules[name].HELP, allow_abbrev=False
            )
            modules[name].add_arguments(sub)
    if starts_page:
        modules["serve"].add_arguments(parser)
    args = parser.parse_args(arguments)
    name = args.command or "serve"
    return name, modules[name], args


def _speak_utf8() -> None:
    """Use UTF-8 on every system, and never fail on a character."""
    for stream, errors in ((sys.stdin, "strict"), (sys.stdout, "replace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def run() -> NoReturn:
    """Run as a script."""
    sys.exit(main())
