"""The cases behind the figures, misses above all, as tables one can open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_TITLES = {
    "misses": "Misses",
    "false_alarm_list": "False alarms",
    "wrongly_refused": "Good sentences refused",
    "replies": "Replies",
    "findings": "What the checker found",
    "unanswered": "Not answered",
}


def section(key: str, items: Sequence[Any]) -> str:
    """Give one list, closed at first, that a reader can open."""
    title = _TITLES.get(key) or key.replace("_", " ").replace(".", ": ")
    if not items:
        return f"<p>{escape(title)}: none</p>"
    rows = [_row(item) for item in items]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "\n".join(
        "<tr>"
        + "".join(f"<td>{escape(row.get(name, ''))}</td>" for name in columns)
        + "</tr>"
        for row in rows
    )
    return (
        f"<details><summary>{escape(title)}: {len(items)}</summary>\n"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div></details>"
    )


def _row(item: Any) -> dict[str, str]:
    if isinstance(item, Mapping):
        if "sentences" in item:
            item = _reply(item)
        return {str(key): _cell(value) for key, value in item.items()}
    return {"group": _cell(item[0]), "text": _cell(item[1:])}


def _reply(item: Mapping[str, Any]) -> dict[str, Any]:
    """Of a whole reply, what a reader wants to see: said, answered, refused."""
    sentences = item["sentences"]
    return {
        "id": item["id"],
        "said": item["said"],
        "reply": " ".join(sentence["text"] for sentence in sentences),
        "the model's own": " ".join(
            sentence["text"] for sentence in sentences if sentence["origin"] == "model"
        ),
        "refused by": [action["rule"] for action in item.get("guard", [])],
    }


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case list() | tuple():
            return ", ".join(_cell(part) for part in value)
        case dict():
            return ", ".join(f"{name}: {_cell(part)}" for name, part in value.items())
        case _:
            return str(value)
