"""Read JSON and TOML from outside: whatever is wrong with a text is a ``ValueError``.

The readers of the standard library let other errors out too: for brackets a thousand
deep, or a number of five thousand digits.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any, NoReturn


def from_json(text: str | bytes) -> Any:
    """Read JSON as the standard has it, without ``NaN`` and its like.

    Raises:
        ValueError: If it is none; the message may quote the text.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def from_toml(text: str) -> dict[str, Any]:
    """Read TOML.

    Raises:
        ValueError: If it is none; says the line where that is known.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None


def whole(text: str) -> str:
    """Replace half characters, which a paste may bring and few libraries take.

    No offset moves: one half character becomes one question mark.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
