"""The comparison as Markdown: one column for each way, and who is better where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.evaluation import blocks
from assistant.evaluation.figures import Figure, from_record

_WAYS = {
    "ebb": "Ebb",
    "plain_model": "the model, plainly",
    "plain_rag": "plain retrieval",
    "keywords": "keywords",
}
_EARS = {"ebb": "Ebb", "plain": "faster-whisper, plainly"}
_HALVES = {"heldout": "held-out", "dev": "dev"}


@dataclass(frozen=True, slots=True)
class _Measure:
    """One line of the table."""

    key: str
    name: str
    better: int
    """1 where higher is better, -1 where lower is, 0 where neither."""
    group: str = ""
    """What stands before the way in the figure's key."""


_MEASURES = (
    _Measure("danger_help", "Urgent danger: a card, or help is named", 1),
    _Measure("danger_help_wider", "the same, therapists and doctors counted too", 1),
    _Measure("danger_help", "the same, on the whole half", 1, "whole."),
    _Measure("benign_help", "No danger: a card, or help named all the same", -1),
    _Measure("benign_help", "the same, on the whole half", -1, "whole."),
    _Measure("broken_sentences", "Sentences that break a rule of Ebb's guard", -1),
    _Measure("broken_replies", "Replies with at least one of them", -1),
    _Measure("flagged_sentences", "Sentences that the plain checker stops at", -1),
    _Measure("flagged_replies", "Replies with at least one of them", -1),
    _Measure("ungiven_replies", "Replies with a number or link nobody gave", -1),
    _Measure("first_s", "First words shown, s, median", -1),
    _Measure("end_s", "Whole reply, s, median", -1),
    _Measure("words", "Words in a reply, median", 0),
)


def block(stored: Mapping[str, Any]) -> str:
    """Give the tables of the half that says most, and where others are better."""
    halves = stored.get("beside", {})
    name = next((half for half in _HALVES if half in halves), None)
    if name is None:
        return blocks.NOT_YET
    half = halves[name]
    figures = {key: from_record(key, rec) for key, rec in half["figures"].items()}
    rows = [_row(measure, figures, _WAYS) for measure in _MEASURES]
    head = (f"on the {_HALVES[name]} half", *_WAYS.values(), "better")
    parts = [blocks.table(head, rows), _where_others_win(figures), _most_often(figures)]
    if listening := [*_listening(figures)]:
        head = ("the same recordings", *_EARS.values(), "better")
        parts.append(blocks.table(head, listening))
    parts.append(blocks.measured_on([half]))
    parts += blocks.measured_with([half])
    return "\n\n".join(part for part in parts if part)


def _row(
    measure: _Measure, figures: Mapping[str, Figure], ways: Mapping[str, str]
) -> tuple[str, ...]:
    found = _found(measure, figures, ways)
    cells = [_text(found[way], measure) if way in found else "" for way in ways]
    return (measure.name, *cells, _better(measure, found, ways))


def _found(
    measure: _Measure, figures: Mapping[str, Figure], ways: Mapping[str, str]
) -> dict[str, Figure]:
    keys = {way: f"{measure.group}{way}.{measure.key}" for way in ways}
    return {way: figures[key] for way, key in keys.items() if key in figures}


def _text(figure: Figure, measure: _Measure) -> str:
    if measure.key.endswith("_s"):
        return f"{figure.value:.1f} ({figure.low:.1f}–{figure.high:.1f})"
    if measure.better == 0:
        return f"{figure.value:.0f} ({figure.low:.0f}–{figure.high:.0f})"
    return figure.text


def _better(
    measure: _Measure, found: Mapping[str, Figure], ways: Mapping[str, str]
) -> str:
    """Name who is best; “not surely” where an interval of another reaches its own."""
    if measure.better == 0 or len(found) < 2:
        return ""
    best = max(figure.value * measure.better for figure in found.values())
    first = [way for way in found if found[way].value * measure.better == best]
    if len(first) == len(found):
        return "alike"
    names = " and ".join(ways[way] for way in first)
    rest = [way for way in found if way not in first]
    sure = all(_apart(found[a], found[b], measure) for a in first for b in rest)
    return names if sure else f"{names}, not surely"


def _apart(better: Figure, worse: Figure, measure: _Measure) -> bool:
    ends = (better.low, better.high, worse.low, worse.high)
    if None in ends:
        return False
    low, high, other_low, other_high = (float(end or 0) for end in ends)
    return low > other_high if measure.better > 0 else high < other_low


def _where_others_win(figures: Mapping[str, Figure]) -> str:
    """Say it in a sentence, so that no reader has to look for it."""
    won: dict[str, list[str]] = {}
    previous = ""
    for measure in _MEASURES:
        found = _found(measure, figures, _WAYS)
        name = measure.name
        if name.startswith("the same"):
            name = f"{previous} ({name.removeprefix('the same, ')})"
        else:
            previous = name
        if name.startswith("Replies with at least one of them"):
            continue  # says again what the line above it says
        ours = found.get("ebb")
        if ours is None or measure.better == 0:
            continue
        for way, figure in found.items():
            if (figure.value - ours.value) * measure.better > 0:
                sure = _apart(figure, ours, measure)
                won.setdefault(way, []).append(
                    f"“{name}”" if sure else f"“{name}” (not surely)"
                )
    if not won:
        return "**Where the others are better than Ebb:** nowhere in this table."
    lines = [f"- {_WAYS[way]}: {'; '.join(names)}." for way, names in won.items()]
    return "\n".join(["**Where the others are better than Ebb:**", "", *lines])


def _most_often(figures: Mapping[str, Figure]) -> str:
    """Say what the judges stopped at most, for each way that writes."""
    lines = []
    for way, name in _WAYS.items():
        said = []
        for group in ("broken_by_rule", "flagged_by_kind"):
            start = f"{way}.{group}."
            counts = {
                key.removeprefix(start): int(figure.value)
                for key, figure in figures.items()
                if key.startswith(start)
            }
            first = sorted(counts.items(), key=lambda item: -item[1])[:5]
            said.append(", ".join(f"{k.replace('_', ' ')} {n}" for k, n in first))
        if any(said):
            guard, checker = (words or "nothing" for words in said)
            lines.append(f"- {name}: the guard: {guard}; the plain checker: {checker}.")
    if not lines:
        return ""
    return "\n".join(["What was stopped at most often, in sentences:", "", *lines])


def _listening(figures: Mapping[str, Figure]) -> Iterator[Sequence[str]]:
    start = "listening.ebb."
    for key in figures:
        if not key.startswith(start):
            continue
        set_name, _, measure = key.removeprefix(start).partition(".")
        about = _HEARING.get(measure)
        if about:
            words = set_name.removeprefix("speech-").replace("-", " ")
            line = _Measure(f"{set_name}.{measure}", f"{words}: {about}", -1)
            line = _Measure(line.key, line.name, line.better, "listening.")
            yield _row(line, figures, _EARS)


_HEARING = {
    "error": "share of words heard wrong",
    "with_text": "clips without speech that gave words",
    "seconds": "seconds to listen to all of it",
}
