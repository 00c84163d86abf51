"""Write results beside each other in a folder, and one page that shows them all.

The page needs nothing but itself: no script, no font, no address. Every text in it,
the made-up messages of the sets above all, is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from assistant.errors import InputError
from assistant.evaluation import aims as aims_file
from assistant.evaluation import figures, machine, report_cases, whisker
from assistant.evaluation.aims import Aim
from assistant.evaluation.figures import Figure

SUITES = {
    "triage": "Danger",
    "guard": "Guard",
    "retrieval": "Retrieval",
    "patterns": "Patterns",
    "replies": "Replies",
    "adversarial": "Talks that push",
    "voice": "Listening",
    "beside": "Beside others",
    "public": "Public sets",
    "bench": "Speed and memory",
}
"""Every suite with its heading, in the order of the page."""
SPLITS = {"heldout": "never tuned on (held-out)", "dev": "tuned on (dev)"}
PAGE = "report.html"
_CSS = Path(__file__).with_name("report.css")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_KEY = """<p class="key">A bar runs from 0 to the value, on a scale from 0 to 1; the
whiskers are the ends of the 95&nbsp;% interval; the dashed line is the aim. “Reached,
not surely” means that the value reaches the aim and its interval does not. Misses of
the held-out half are there to be read, not to be tuned on. Every message of the
project's own sets was made up.</p>"""


def file_name(suite: str, split: str | None) -> str:
    """Name the file of a result: “triage.dev.json”, “bench.json”."""
    return f"{suite}.{split}.json" if split else f"{suite}.json"


def write_result(folder: Path, result: Mapping[str, Any]) -> Path:
    """Write one result as JSON; gives its place."""
    path = folder / file_name(result["suite"], result.get("split"))
    return _write(path, json.dumps(result, ensure_ascii=False, indent=1) + "\n")


def write_page(folder: Path) -> Path:
    """Write the page over all results that lie in the folder; gives its place.

    Raises:
        InputError: If a result cannot be read.
    """
    return _write(folder / PAGE, page(read_results(folder)))


def read_results(folder: Path) -> tuple[dict[str, Any], ...]:
    """Read the results in a folder, in the order in which they are shown.

    Raises:
        InputError: If one cannot be read, or is something else.
    """
    found = []
    for suite in SUITES:
        for split in (*SPLITS, None):
            path = folder / file_name(suite, split)
            if path.is_file():
                found.append(_read(path, suite))
    return tuple(found)


def page(results: Sequence[Mapping[str, Any]]) -> str:
    """Give the whole page."""
    aims = aims_file.load()
    sections = [
        f"<section>\n<h2>{escape(SUITES[suite])}</h2>\n"
        + "\n".join(_result(result, aims) for result in group)
        + "\n</section>"
        for suite, group in groupby(results, key=lambda result: result["suite"])
    ]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>Ebb: measurements</title>
<style>
{_CSS.read_text("utf-8")}</style>
</head>
<body>
<h1>Ebb: measurements</h1>
{_KEY}
{"".join(sections) or "<p>Nothing has been measured yet.</p>"}
</body>
</html>
"""


def _result(result: Mapping[str, Any], aims: Sequence[Aim]) -> str:
    parts = [_about(result)]
    for caption, rows in _grouped(result, aims):
        parts.append(_table(caption, rows))
    for key, items in figures.read_lists(result):
        parts.append(report_cases.section(key, items))
    return "\n".join(parts)


def _about(result: Mapping[str, Any]) -> str:
    split = result.get("split")
    said = [str(result["date"])]
    if "seconds" in result:
        said.append(f"took {result['seconds']} s")
    if "limit" in result:
        said.append(f"only the first {result['limit']}")
    if "machine" in result:
        said.append(machine.say(result["machine"]))
    parts = [f"<h3>Half of the set: {escape(SPLITS[split])}</h3>"] if split else []
    parts.append(f'<p class="about">{escape(" · ".join(said))}</p>')
    if files := result.get("models"):
        rows = "".join(
            f"<li>{escape(file['name'])}: {escape(file['file'])}, "
            f"SHA-256 <code>{escape(file['sha256'])}</code></li>"
            for file in files
        )
        parts.append(f'<p class="about">Model files:</p><ul class="about">{rows}</ul>')
    return "\n".join(parts)


_Row = tuple[str, Figure, Aim | None]


def _grouped(
    result: Mapping[str, Any], aims: Sequence[Aim]
) -> Iterable[tuple[str, list[_Row]]]:
    """Give the tables of a result: single figures first, then those of classes."""
    tables: dict[str, list[_Row]] = {"": []}
    for figure in figures.read_figures(result):
        aim = aims_file.find(aims, result["suite"], figure.key)
        group, _, rest = figure.key.partition(".")
        if not rest:
            tables[""].append((aim.name if aim else _words(group), figure, aim))
            continue
        whole = aims_file.find(aims, result["suite"], f"{group}.*")
        caption = whole.name if whole else _words(group)
        label = aim.name if aim and not aim.is_class else _words(rest)
        tables.setdefault(caption, []).append((label, figure, aim))
    return ((caption, rows) for caption, rows in tables.items() if rows)


def _table(caption: str, rows: Iterable[_Row]) -> str:
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("figure", "value", "95&nbsp;% interval", "size", "aim", "reached?")
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "\n".join(_row(*row) for row in rows)
    return (
        f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _row(label: str, figure: Figure, aim: Aim | None) -> str:
    interval = ""
    if figure.low is not None and figure.high is not None:
        interval = f"{figure.low:.3f}–{figure.high:.3f}"
    verdict = aim.verdict(figure) if aim else ""
    missed = ' class="missed"' if verdict == "not reached" else ""
    drawing = whisker.draw(figure, aim.limit if aim else None)
    return (
        f'<tr><th scope="row">{escape(label)}</th>'
        f'<td class="number">{figure.value_text}</td>'
        f'<td class="number">{interval}{drawing}</td>'
        f'<td class="number">{"" if figure.n is None else figure.n}</td>'
        f'<td class="number">{escape(aim.text if aim else "")}</td>'
        f"<td{missed}>{verdict}</td></tr>"
    )


def _words(key: str) -> str:
    return key.replace("_", " ").replace(".", ": ")


def _read(path: Path, suite: str) -> dict[str, Any]:
    try:
        result = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        raise InputError(f"{path} cannot be read.") from None
    if not isinstance(result, dict) or "date" not in result:
        raise InputError(f"{path} is not a result of “ebb eval” or “ebb bench”.")
    return {**result, "suite": suite}


def _write(path: Path, text: str) -> Path:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)
    return path
