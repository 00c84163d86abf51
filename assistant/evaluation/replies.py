"""Whole replies over varied messages: what the model wrote, what was kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assistant import records
from assistant.evaluation import checker
from assistant.evaluation.checker import Given
from assistant.evaluation.stats import Share
from assistant.pipeline import Pipeline


def run(rows: Sequence[dict[str, Any]], pipeline: Pipeline) -> dict[str, Any]:
    """Answer every message once and look at the replies, twice.

    Once by the guard's own rules: that shows that nothing slipped by on the way, and
    not what the rules do not know. Once by a checker that shares nothing with them.
    """
    kept, own, by_rule = 0, 0, Counter[str]()
    with_own: list[bool] = []
    clean: list[bool] = []
    found: list[dict[str, Any]] = []
    found_by_rule = Counter[str]()
    first_ms, speeds = [], []
    replies = []
    for seed, row in enumerate(rows):
        line = records.input_line(row)
        record = records.reply_record(
            pipeline.run_turn(line.utterance, line.history, seed=seed)
        )
        models_own = [s for s in record["sentences"] if s["origin"] == "model"]
        if record["timing"]["reply_tokens"]:
            with_own.append(bool(models_own))
            speeds.append(record["timing"]["tokens_per_s"])
        kept += len(models_own)
        own += len(models_own) + len(record["guard"])
        by_rule.update(action["rule"] for action in record["guard"])
        known = [passage["text"] for passage in record["passages"]]
        clean.append(
            not any(
                pipeline.rules.check(sentence["text"], line.utterance.text, known)
                for sentence in models_own
            )
        )
        findings = checker.check(
            record["reply"], given(record, said_in(row, line.utterance.text))
        )
        if findings:
            found_by_rule.update({finding.rule for finding in findings})
            found.append(
                {
                    "id": row["id"],
                    "said": line.utterance.text,
                    "reply": record["reply"],
                    "found": [finding.record() for finding in findings],
                }
            )
        first_ms.append(record["timing"]["first_sentence_ms"])
        replies.append({"id": row["id"], "said": line.utterance.text, **record})
    return {
        "own_sentences_kept": Share(kept, own).record(),
        "replies_with_own_sentence": Share(sum(with_own), len(with_own)).record(),
        "replies_clean": Share(sum(clean), len(clean)).record(),
        "replies_with_finding": Share(len(found), len(rows)).record(),
        "refused_by_rule": dict(by_rule.most_common()),
        "found_by_rule": dict(found_by_rule.most_common()),
        "first_sentence_ms_median": median(first_ms),
        "tokens_per_s_median": median(speeds),
        "findings": found,
        "replies": replies,
    }


def beside(results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Set some models side by side: what was kept of each, and what was found."""
    return {
        f"{key}_by_model": {name: result[key] for name, result in results.items()}
        for key in ("own_sentences_kept", "replies_with_finding")
    }


def given(record: Mapping[str, Any], said: str) -> Given:
    """Say what a reply may draw on: the talk, the passages, the vetted lines."""
    vetted = [s["text"] for s in record["sentences"] if s["origin"] == "vetted"]
    passages = [passage["text"] for passage in record["passages"]]
    return Given(said, "\n".join([*passages, *vetted]))


def said_in(row: Mapping[str, Any], now: str) -> str:
    """Give all that the person said in a row of a set."""
    messages = row.get("messages", ())
    return "\n".join([m["content"] for m in messages if m["role"] == "user"] + [now])


def median(values: Sequence[float]) -> float:
    """Give the middle value; 0 of nothing."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else 0.0
