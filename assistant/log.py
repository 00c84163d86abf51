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

    Libraries stay at ERROR: their warnings may quote what they were given. So may their
    errors, so of these only the kind is shown, unless ``verbose``.
    """
    handler = logging.StreamHandler(sys.stderr)
    form = "%(levelname)s %(name)s %(message)s"
    handler.setFormatter(logging.Formatter(form) if verbose else _KindAlone(form))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.ERROR)
    logging.getLogger("assistant").setLevel(
        logging.DEBUG if verbose else logging.WARNING
    )


class _KindAlone(logging.Formatter):
    """Shows our own records whole, and of a library's only whose and what kind."""

    def format(self, record: logging.LogRecord) -> str:
        if record.name.partition(".")[0] == "assistant":
            return super().format(record)
        raised = record.exc_info[0] if record.exc_info else None
        kind = f" ({raised.__name__})" if raised else ""
        return f"{record.levelname} {record.name} failed{kind}"
