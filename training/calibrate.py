"""Choose the ear's thresholds on the development halves of the evaluation sets.

    python training/calibrate.py

Writes ``assistant/ear/thresholds.json``. The held-out halves are not read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "training" / "data"
sys.path.insert(0, str(ROOT))

from assistant import content_rules, hearing, patterns, records, triage_ear  # noqa: E402 - after the path is set
from assistant.adapters.onnx_ear import OnnxEar  # noqa: E402
from assistant.adapters.remembering_ear import RememberingEar  # noqa: E402
from assistant.content import content_root, read_toml  # noqa: E402
from assistant.evaluation import sets  # noqa: E402

# Bounds on what may go wrong on the development halves.
FALSE_ALARMS = 0.045
ASKED_FOR_NOTHING = 0.06
GOOD_REFUSED = 0.05
TURNED_AWAY = 0.01
# By hand, on the development half and `data/kept_back.jsonl`: "likelier than not",
# a card that is a likely second or surely the one of a talk, what is needed beside a hint
# and in a few words out of many, and where a sentence is so surely good that a phrase
# does not count against it.
FIXED = {
    "urgent": 0.35,
    "emergency": 0.5,
    "card": 0.15,
    "hint": 0.7,
    "short": 0.46,
    "fine": 0.85,
    "joined": 0.65,
    "joined_card": 0.5,
    "guard_overrules": 0.1,
}
START = {
    "danger": 0.5,
    "ask": 0.3,
    "pattern": 0.5,
    "guard": 0.5,
    "off_topic": 0.5,
}


def main() -> None:
    """Choose and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ear", type=Path, default=ROOT / "assistant" / "ear")
    args = parser.parse_args()
    path = args.ear / "thresholds.json"
    now = json.loads(path.read_text("utf-8")) if path.is_file() else START
    path.write_text(json.dumps(now | FIXED), "utf-8")
    ear = OnnxEar(args.ear)
    calm = _dangers(ear)
    chosen = FIXED | {
        "danger": _above(calm, FALSE_ALARMS),
        "ask": _above(calm, ASKED_FOR_NOTHING),
        "pattern": _best_for_patterns(ear),
        "guard": _above(_candidates(ear), GOOD_REFUSED),
        "off_topic": _above(_off_topics(ear), TURNED_AWAY),
    }
    path.write_text(json.dumps(chosen, indent=1) + "\n", "utf-8")
    print(json.dumps(chosen))


def _above(values: list[float], share: float) -> float:
    """Give a threshold that at most this share of the values reaches.

    It lies midway between the last value that reaches it and the next one.
    """
    ordered = sorted(values, reverse=True)
    reached = int(share * len(ordered))
    last = ordered[reached - 1] if reached else 1.0
    return round((last + ordered[reached]) / 2, 4)


def _dangers(ear: OnnxEar) -> list[float]:
    """Give the chance of danger in each message that holds none."""
    chances = []
    kept = (DATA / "kept_short.jsonl").read_text("utf-8").splitlines()
    rows = [*sets.load("triage", "dev"), *map(json.loads, kept)]
    for number, row in enumerate(rows):
        if not row["cards"]:
            row["id"] = str(number)
            line = records.input_line(row)
            text, earlier = line.utterance.text, line.history.messages
            heard = [
                *triage_ear.listen(ear, text, ear.limits),
                *triage_ear.listen_joined(ear, text, earlier, ear.limits),
            ]
            found = [triage_ear.chance_of_danger(h.heard) for h in heard]
            chances.append(max(found, default=0.0))
    return chances


def _candidates(ear: OnnxEar) -> list[float]:
    rows = [row for row in sets.load("guard", "dev") if not row["rules"]]
    heard = ear.hear([hearing.CANDIDATE + hearing.plain(row["text"]) for row in rows])
    return [h.guard["any"] for h in heard]


def _off_topics(ear: OnnxEar) -> list[float]:
    rows = [row for row in sets.load("retrieval", "dev") if row["topics"]]
    texts = [records.input_line(row).utterance.text for row in rows]
    return [h.topics["off_topic"] for h in ear.hear([hearing.plain(t) for t in texts])]


def _best_for_patterns(ear: OnnxEar) -> float:
    """Give the threshold with the best mean F1 over the patterns."""
    rows = sets.load("patterns", "dev")
    rules = content_rules.load_phrases(content_root(), "patterns")
    heard = RememberingEar(ear, most=10_000)
    names = [
        p["id"]
        for p in read_toml(content_root() / "knowledge/patterns.toml")["pattern"]
    ]

    def mean_f1(threshold: float) -> float:
        found = [
            {
                one.id
                for one in patterns.notice(row["text"], rules, heard, threshold)
                if one.score >= patterns.NOTICED
            }
            for row in rows
        ]
        return float(np.mean([_f1(name, found) for name in names]))

    def _f1(name: str, found: list[set[str]]) -> float:
        wanted = [name in row["patterns"] for row in rows]
        got = [name in one for one in found]
        both = sum(w and g for w, g in zip(wanted, got, strict=True))
        return 2 * both / max(sum(wanted) + sum(got), 1)

    return _argmax(mean_f1, [round(0.3 + 0.02 * n, 2) for n in range(33)])


def _argmax(score: Callable[[float], float], values: list[float]) -> float:
    return max(values, key=score)


if __name__ == "__main__":
    main()
