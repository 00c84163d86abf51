"""Beside others, in one run: the same messages, answered by Ebb and by simpler ways.

- ``ebb``: the whole program;
- ``plain_model``: the same local language model with one good prompt, nothing else;
- ``plain_rag``: that prompt with the nearest pieces of our articles pasted in;
- ``keywords``: hears danger by a list of words, and answers nothing.

What they are given, and the lists they are judged by, stands in ``beside.toml``. The
messages are a fixed sample of the project's own sets, which favours nobody on purpose;
but the sets, and the guard that judges sentences, are Ebb's own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant import records, triage
from assistant.domain import Level
from assistant.evaluation import beside_judges, beside_texts, sets
from assistant.evaluation.beside_answers import (
    Answer,
    ask_ebb,
    ask_plainly,
    said_by,
)
from assistant.evaluation.beside_judges import Judges, has_word, ungiven
from assistant.evaluation.guard import Check
from assistant.evaluation.stats import Share, median_record
from assistant.pipeline import Pipeline
from assistant.records import InputLine
from assistant.sentences import split_sentences
from assistant.triage import Hearer

SAMPLE = {"danger": 24, "benign": 18, "talk": 18}
"""How many messages of each kind: urgent dangers, benign ones that sound like danger,
and what people ask the library about. The last are judged for everything but danger."""
_SEED = 20261201
_ORDERS = frozenset({"directive", "orders"})
"""The guard's rule and the plain checker's kind."""

Row = Mapping[str, Any]
Ask = Callable[[InputLine, int], Answer]


def sample(split: str, limit: int | None = None) -> list[dict[str, Any]]:
    """Draw the messages, always the same, kinds mixed; ``wanted`` says the kind."""
    of_kind = _by_kind(split)
    of_kind["talk"] = [row for row in sets.load("retrieval", split) if row["topics"]]
    draw = random.Random(_SEED)
    rows = [
        {**row, "wanted": kind}
        for kind, count in SAMPLE.items()
        for row in draw.sample(of_kind[kind], count)
    ]
    draw.shuffle(rows)
    return rows[:limit]


def run(
    rows: Sequence[Row],
    pipeline: Pipeline,
    find: Callable[[str], Sequence[str]],
) -> dict[str, Any]:
    """Put every message through all four and judge what comes back.

    One after another, not message by message: each may keep in memory what it has
    read of its own prompt, as it would in use.

    Args:
        rows: See ``sample``.
        pipeline: Ebb, with its language model.
        find: Gives the pieces of our articles nearest to a text.
    """
    judges, given = beside_judges.load(), beside_texts.load()
    chat = pipeline.chat
    assert chat is not None  # for the type checker; the suite has loaded it
    asks: dict[str, Ask] = {
        "ebb": lambda line, seed: ask_ebb(pipeline, line, seed),
        "plain_model": lambda line, seed: ask_plainly(chat, given, line, seed),
        "plain_rag": lambda line, seed: ask_plainly(chat, given, line, seed, find),
    }
    figures: dict[str, Any] = {}
    told: list[dict[str, Any]] = [
        {"id": row["id"], "wanted": row["wanted"], "said": _said(row)} for row in rows
    ]
    for name, ask in asks.items():
        judged = [
            _judge(row, ask(records.input_line(dict(row)), seed), judges, pipeline)
            for seed, row in enumerate(rows)
        ]
        figures[name] = _figures(judged)
        for entry, one in zip(told, judged, strict=True):
            entry[name] = one.answer.text
            entry[f"{name} breaks"] = [*one.rules, *one.flags]
    figures["keywords"] = _heard(
        rows, lambda line: has_word(said_by(line), judges.keywords)
    )
    return {**figures, "replies": told}


def run_whole(split: str, hearer: Hearer, limit: int | None = None) -> dict[str, Any]:
    """Hear danger in the whole half, by Ebb and by keywords: no model is needed."""
    judges = beside_judges.load()
    rows = [
        {**row, "wanted": kind}
        for kind, of_kind in _by_kind(split).items()
        for row in of_kind[:limit]
    ]

    def ebb(line: InputLine) -> bool:
        return bool(triage.grade(line.utterance, hearer, line.history).cards)

    def keywords(line: InputLine) -> bool:
        return has_word(said_by(line), judges.keywords)

    return {"ebb": _heard(rows, ebb), "keywords": _heard(rows, keywords)}


@dataclass(frozen=True, slots=True)
class _Judged:
    """One answer and what was found in it."""

    wanted: str
    answer: Answer
    help_named: bool
    help_wider: bool
    sentences: int
    broken: int
    """Sentences that break a rule of Ebb's guard."""
    flagged: int
    """Sentences that the plain checker stops at."""
    rules: tuple[str, ...]
    flags: tuple[str, ...]
    ungiven: bool


def _judge(row: Row, answer: Answer, judges: Judges, pipeline: Pipeline) -> _Judged:
    text, (said, *known) = answer.text, answer.given
    sentences = [text[start:end] for start, end in split_sentences(text)]
    rules = [
        _excused(_rules(pipeline.rules.check, s, said, known), s, judges)
        for s in sentences
    ]
    flags = [_excused(judges.flags(s), s, judges) for s in sentences]
    return _Judged(
        wanted=row["wanted"],
        answer=answer,
        help_named=answer.help_shown or has_word(text, judges.help_named),
        help_wider=answer.help_shown or has_word(text, judges.help_wider),
        sentences=len(sentences),
        broken=sum(map(bool, rules)),
        flagged=sum(map(bool, flags)),
        rules=tuple(rule for broken in rules for rule in broken),
        flags=tuple(flag for found in flags for flag in found),
        ungiven=ungiven(text, answer.given),
    )


def _rules(check: Check, text: str, said: str, known: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(v.rule for v in check(text, said, known)))


def _excused(found: tuple[str, ...], sentence: str, judges: Judges) -> tuple[str, ...]:
    """Let orders pass in a sentence that names help: “you should call a helpline”.

    Ebb's guard refuses them, because its cards say it; the others have no cards.
    """
    if not has_word(sentence, judges.help_named):
        return found
    return tuple(name for name in found if name not in _ORDERS)


def _figures(judged: Sequence[_Judged]) -> dict[str, Any]:
    danger = [one for one in judged if one.wanted == "danger"]
    benign = [one for one in judged if one.wanted == "benign"]
    calm = [one for one in judged if one.wanted != "danger"]
    sentences = sum(one.sentences for one in judged)
    return {
        "danger_help": _share([one.help_named for one in danger]),
        "danger_help_wider": _share([one.help_wider for one in danger]),
        "benign_help": _share([one.help_named for one in benign]),
        "broken_sentences": _count(sum(one.broken for one in judged), sentences),
        "broken_replies": _share([bool(one.broken) for one in judged]),
        "flagged_sentences": _count(sum(one.flagged for one in judged), sentences),
        "flagged_replies": _share([bool(one.flagged) for one in judged]),
        "ungiven_replies": _share([one.ungiven for one in judged]),
        "first_s": median_record([one.answer.first_s for one in calm]),
        "end_s": median_record([one.answer.end_s for one in calm]),
        "words": median_record([len(one.answer.text.split()) for one in calm]),
        "broken_by_rule": _counted(one.rules for one in judged),
        "flagged_by_kind": _counted(one.flags for one in judged),
    }


def _heard(rows: Sequence[Row], hears: Callable[[InputLine], bool]) -> dict[str, Any]:
    heard: dict[str, list[bool]] = {"danger": [], "benign": []}
    for row in rows:
        if row["wanted"] in heard:
            heard[row["wanted"]].append(hears(records.input_line(dict(row))))
    return {f"{kind}_help": _share(values) for kind, values in heard.items()}


def _by_kind(split: str) -> dict[str, list[dict[str, Any]]]:
    rows = sets.load("triage", split)
    return {
        "danger": [r for r in rows if Level[r["level"].upper()] >= Level.URGENT],
        "benign": [r for r in rows if not r["cards"]],
    }


def _said(row: Row) -> str:
    return said_by(records.input_line(dict(row)))


def _share(values: Sequence[bool]) -> dict[str, object]:
    return _count(sum(values), len(values))


def _count(hits: int, total: int) -> dict[str, object]:
    return Share(hits, total).record()


def _counted(found: Any) -> dict[str, int]:
    return dict(Counter(name for names in found for name in names).most_common())
