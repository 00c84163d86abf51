"""Logging that has no place for a sentence: step names and numbers only."""

from __future__ import annotations

import logging
import sys

_ALLOWED = frozenset({"ms", "count", "tokens", "bytes"})


def done(logger: logging.Logger, step: str, **numbers: int | float) -> None:
    """Log at DEBUG that a step finished; nothing a person said fits in.

    Raises:
        ValueError: If a number has a name that is not on the short list.
    """
    if unknown := numbers.keys() - _ALLOWED:
        raise ValueError(f"not loggable: {sorted(unknown)}")
    logger.debug("%s done %s", step, numbers)


def set_up(*, verbose: bool = False) -> None:
    """Send warnings to standard error, never to a file.

    Libraries stay at ERROR: their warnings may quote what they were given.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.ERROR)
    logging.getLogger("assistant").setLevel(
        logging.DEBUG if verbose else logging.WARNING
    )
