"""Put the figures into the documents, so that none is typed by hand.

``docs/results.json`` holds them; ``README.md`` and ``docs/measurements.md`` hold
blocks between two markers that are made from it, and from nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assistant.errors import ContentError, UsageError
from assistant.evaluation import beside_table, blocks
from assistant.evaluation.figures import read_figures

RESULTS = Path("docs/results.json")
README = Path("README.md")
MEASUREMENTS = Path("docs/measurements.md")
CHECKOUT = Path(__file__).resolve().parents[2]
NO_SPLIT = "all"
"""Stands for the half where there is none, as in the speeds."""
_ABOUT = ("date", "machine", "models")


def publish(results: Iterable[Mapping[str, Any]], root: Path) -> tuple[Path, ...]:
    """Store figures and write all documents anew; gives the files that were written.

    Figures of suites and halves that are not among the results stay, with their date.
    Nothing is written unless everything can be.

    Raises:
        UsageError: If this is not a checkout of the project.
        ContentError: If a document has lost a marker.
    """
    stored = merge(read_stored(root), results)
    texts = {RESULTS: json.dumps(stored, ensure_ascii=False, indent=1) + "\n"}
    texts |= documents(root, stored)
    for name, text in texts.items():
        (root / name).write_text(text, "utf-8")
    return tuple(root / name for name in texts)


def check_place(root: Path) -> None:
    """See that there are documents to write, before hours of measuring.

    Raises:
        UsageError: If this is not a checkout of the project.
        ContentError: If a document has lost a marker.
    """
    documents(root, read_stored(root))


def read_stored(root: Path) -> dict[str, Any]:
    """Read the stored figures: suite, then half, then what was measured.

    Raises:
        UsageError: If this is not a checkout of the project.
        ContentError: If the file is not JSON.
    """
    if not (root / README).is_file() or not (root / MEASUREMENTS).is_file():
        raise UsageError("Figures can be published from a checkout of Ebb only.")
    try:
        text = (root / RESULTS).read_text("utf-8")
    except FileNotFoundError:
        return {}
    try:
        return dict(json.loads(text))
    except ValueError:
        raise ContentError(f"{RESULTS} is not JSON.") from None


def merge(
    stored: Mapping[str, Any], results: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Give the stored figures with those of the results in place of older ones."""
    merged = {suite: dict(halves) for suite, halves in stored.items()}
    for result in results:
        halves = merged.setdefault(result["suite"], {})
        halves[result.get("split") or NO_SPLIT] = {
            **{name: result[name] for name in _ABOUT if name in result},
            "figures": {figure.key: figure.record() for figure in read_figures(result)},
        }
    return merged


def documents(root: Path, stored: Mapping[str, Any]) -> dict[Path, str]:
    """Give the documents as they must be, by their place in the checkout.

    Raises:
        ContentError: If a document has lost a marker.
    """
    readme = _fill(README, root, {"main": blocks.main_figures(stored)})
    suites = {suite: blocks.suite_figures(stored, suite) for suite in blocks.SUITES}
    suites["beside"] = beside_table.block(stored)
    return {README: readme, MEASUREMENTS: _fill(MEASUREMENTS, root, suites)}


def _fill(name: Path, root: Path, bodies: Mapping[str, str]) -> str:
    text = (root / name).read_text("utf-8")
    for block, body in bodies.items():
        begin, end = (f"<!-- {word} figures: {block} -->" for word in ("begin", "end"))
        before, *rest = text.split(begin)
        _, *after = rest[0].split(end) if len(rest) == 1 else [""]
        if len(after) != 1:
            raise ContentError(f"{name} needs the markers of “{block}” once.")
        text = f"{before}{begin}\n{body.strip()}\n{end}{after[0]}"
    return text
