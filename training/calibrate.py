"""Choose the ear's thresholds on the development halves of the evaluation sets.

    python training/calibrate.py

Writes ``assistant/ear/thresholds.json``. The held-out halves are not read.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from assistant import records, triage_ear  # noqa: E402 - after the path is set
from assistant.adapters.onnx_ear import OnnxEar  # noqa: E402
from assistant.evaluation import sets  # noqa: E402
from assistant.triage_ear import EarThresholds  # noqa: E402

FALSE_ALARMS = 0.03
START = {
    "danger": 0.5,
    "urgent": 0.5,
    "emergency": 0.5,
    "hint": 0.3,
    "ask": 0.3,
    "card": 0.6,
    "guard_any": 0.5,
    "guard_rule": 0.5,
    "pattern": 0.5,
    "off_topic": 0.5,
}


def main() -> None:
    """Choose and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ear", type=Path, default=ROOT / "assistant" / "ear")
    args = parser.parse_args()
    path = args.ear / "thresholds.json"
    path.write_text(json.dumps(START), "utf-8")
    ear = OnnxEar(args.ear)
    chosen = dict(START)
    chosen["danger"] = _danger(ear)
    path.write_text(json.dumps(chosen, indent=1) + "\n", "utf-8")
    print(json.dumps(chosen))


def _danger(ear: OnnxEar) -> float:
    """The lowest chance of danger that keeps false alarms within bounds."""
    calm = []
    for row in sets.load("triage", "dev"):
        if row["cards"]:
            continue
        line = records.input_line(row)
        heard = triage_ear.listen(ear, line.utterance.text, line.history.messages)
        calm.append(max((1 - h.heard.levels["none"] for h in heard), default=0.0))
    return round(float(np.quantile(calm, 1 - FALSE_ALARMS)) + 0.005, 3)


if __name__ == "__main__":
    main()
