"""Whole replies over varied messages: what the model wrote, what was kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from assistant import records
from assistant.evaluation.stats import Share
from assistant.pipeline import Pipeline


def run(rows: Sequence[dict[str, Any]], pipeline: Pipeline) -> dict[str, Any]:
    """Answer every message once and look at the replies.

    The last look is by the guard's own rules on the whole reply, so it shows that
    nothing slipped by on the way; it does not show what the rules do not know.
    """
    kept, own, by_rule = 0, 0, Counter[str]()
    with_own: list[bool] = []
    clean: list[bool] = []
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
        first_ms.append(record["timing"]["first_sentence_ms"])
        replies.append({"id": row["id"], "said": line.utterance.text, **record})
    return {
        "own_sentences_kept": Share(kept, own).record(),
        "replies_with_own_sentence": Share(sum(with_own), len(with_own)).record(),
        "replies_clean": Share(sum(clean), len(clean)).record(),
        "refused_by_rule": dict(by_rule.most_common()),
        "first_sentence_ms_median": median(first_ms),
        "tokens_per_s_median": median(speeds),
        "replies": replies,
    }


def median(values: Sequence[float]) -> float:
    """Give the middle value; 0 of nothing."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else 0.0
