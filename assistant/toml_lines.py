"""Change single values in a flat TOML file and leave every other line as it is.

The standard library reads TOML but does not write it. For plain names with a text or a
number, lines are enough; whoever calls this reads the result again to be sure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping


def change(text: str, values: Mapping[str, str | int | None]) -> str:
    """Set, replace or, for None, take out top-level values.

    Args:
        text: The file as it is.
        values: By name; names are bare keys.

    Returns:
        The file as it should be; new values stand before the first table.
    """
    lines, left = [], dict(values)
    at_top = True
    for line in text.splitlines():
        if line.lstrip().startswith("["):
            if at_top:
                lines += _written(left)
            at_top, left = False, {}
        name = _name_of(line) if at_top else None
        if name not in values:
            lines.append(line)
        elif name in left:
            lines += _written({name: left.pop(name)})
    lines += _written(left)
    return "".join(f"{line}\n" for line in lines)


def _name_of(line: str) -> str | None:
    found = re.match(r"\s*([A-Za-z0-9_-]+)\s*=", line)
    return found.group(1) if found else None


def _written(values: Mapping[str, str | int | None]) -> list[str]:
    # A JSON string is a TOML string too.
    return [
        f"{name} = {json.dumps(value, ensure_ascii=False)}"
        for name, value in values.items()
        if value is not None
    ]
