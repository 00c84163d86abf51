"""The figures as Markdown: the main ones, and all of one suite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from assistant.evaluation import aims as aims_file
from assistant.evaluation import machine
from assistant.evaluation.aims import Aim
from assistant.evaluation.figures import Figure, from_record

SUITES = (
    "triage",
    "guard",
    "retrieval",
    "patterns",
    "replies",
    "adversarial",
    "public",
    "bench",
)
"""Those that have a block of their own in the measurements."""
_HEADS = {"dev": "dev", "heldout": "held-out", "all": "measured"}
NOT_YET = "Not measured yet."
"""Stands where there is nothing to show."""
_Halves = Mapping[str, Mapping[str, Any]]


def main_figures(stored: Mapping[str, Any]) -> str:
    """Give the main figures of the held-out halves, with the aim beside each."""
    rows, used = [], []
    for aim in aims_file.load():
        half = stored.get(aim.suite, {}).get("heldout")
        if not aim.main or half is None or aim.key not in half["figures"]:
            continue
        used.append(half)
        figure = _figure(half, aim.key)
        rows.append((aim.name, figure.text, _judged(aim, figure)))
    if not rows:
        return NOT_YET
    head = (
        "on messages that nothing was tuned on",
        "value (95 % interval, size)",
        "aim",
    )
    return "\n\n".join(
        (*_danger_in_words(stored), table(head, rows), measured_on(used))
    )


def suite_figures(stored: Mapping[str, Any], suite: str) -> str:
    """Give all figures of a suite, halves side by side; then those of each class."""
    halves: _Halves = stored.get(suite, {})
    if not halves:
        return NOT_YET
    aims = [aim for aim in aims_file.load() if aim.suite == suite]
    names = [name for name in _HEADS if name in halves]
    keys = list(dict.fromkeys(key for name in names for key in halves[name]["figures"]))
    heads = [_HEADS[name] for name in names]
    single = [key for key in keys if "." not in key]
    parts = [
        table(
            ("", *heads, "aim"),
            [
                _row(halves, names, key, aims_file.find(aims, suite, key))
                for key in single
            ],
        )
    ]
    parts += _classes(halves, names, keys, aims)
    parts.append(measured_on([halves[name] for name in names]))
    parts += measured_with([halves[name] for name in names])
    return "\n\n".join(parts)


def _classes(
    halves: _Halves, names: Sequence[str], keys: Sequence[str], aims: Sequence[Aim]
) -> Iterator[str]:
    """Give one table for each group of classes, of the half that says most."""
    best = names[-1]  # held-out stands after dev
    for group in dict.fromkeys(key.partition(".")[0] for key in keys if "." in key):
        ours = [key for key in keys if key.startswith(f"{group}.")]
        ours = [key for key in ours if key in halves[best]["figures"]]
        if not ours:
            continue
        whole = next((aim for aim in aims if aim.key == f"{group}.*"), None)
        title = whole.name if whole else _words(group)
        rows = []
        for key in ours:
            aim = next((aim for aim in aims if aim.key == key), whole)
            label = (
                aim.name if aim and not aim.is_class else _words(key[len(group) + 1 :])
            )
            rows.append(_row(halves, [best], key, aim, label))
        yield table((title, _HEADS[best], "aim"), rows)


def _row(
    halves: _Halves,
    names: Iterable[str],
    key: str,
    aim: Aim | None,
    label: str | None = None,
) -> tuple[str, ...]:
    cells, last = [], None
    for name in names:
        figure = None
        if key in halves[name]["figures"]:
            last = figure = _figure(halves[name], key)
        cells.append(figure.text if figure else "")
    said = label or (aim.name if aim else _words(key))
    return (said, *cells, _judged(aim, last) if aim and last else "")


def _judged(aim: Aim, figure: Figure) -> str:
    """Say the aim and whether it is reached, “≥ 0.97: not reached”."""
    return f"{aim.text}: {aim.verdict(figure)}" if aim.text else ""


def _danger_in_words(stored: Mapping[str, Any]) -> Iterator[str]:
    """Say the figure that matters most in a sentence, in whole messages."""
    half = stored.get("triage", {}).get("heldout")
    if half is None or "recall_serious" not in half["figures"]:
        return
    figure = _figure(half, "recall_serious")
    if figure.n:
        heard = round(figure.value * figure.n)
        yield (
            f"Of {figure.n} made-up messages that told of urgent danger, {heard} "
            f"brought\nthe right card at that level. **{figure.n - heard} did not.**"
        )


def measured_on(halves: Iterable[Mapping[str, Any]]) -> str:
    """Say when and on what; each day and machine once."""
    said = dict.fromkeys(
        f"on {_day(half['date'])} on {machine.say(half['machine'])}" for half in halves
    )
    return f"Measured {'; '.join(said)}."


def measured_with(halves: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Name the model files by the beginning of their checksums; each once."""
    files = [file for half in halves for file in half.get("models", ())]
    said = dict.fromkeys(f"{file['file']} ({file['sha256'][:12]})" for file in files)
    if said:
        yield f"Model files, with the beginning of their SHA-256: {', '.join(said)}."


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Give a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    rows_of_text = (" | ".join(cells) for cells in lines)
    return "\n".join(re.sub(r"\|  (?=\|)", "| ", f"| {row} |") for row in rows_of_text)


def _figure(half: Mapping[str, Any], key: str) -> Figure:
    return from_record(key, half["figures"][key])


def _words(key: str) -> str:
    return key.replace("_", " ").replace(".", ": ")


def _day(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B %Y}"
