"""Read the labelled sets that were written before the rules were tuned.

``dev`` may be tuned on; ``heldout`` may only be measured on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assistant.errors import ContentError

_FOLDER = Path(__file__).resolve().parent / "sets"
SPLITS = ("dev", "heldout")


def load(suite: str, split: str) -> list[dict[str, Any]]:
    """Read one set.

    Raises:
        ContentError: If it is missing or a line is not JSON.
    """
    path = _FOLDER / f"{suite}_{split}.jsonl"
    try:
        lines = path.read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, json.JSONDecodeError):
        raise ContentError(f"The evaluation set {path.name} cannot be read.") from None
