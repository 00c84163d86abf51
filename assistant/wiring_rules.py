"""Open all rules, and the ear that decides with them; needs no model file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assistant import content_rules
from assistant.adapters.remembering_ear import RememberingEar
from assistant.errors import ModelFileError
from assistant.pipeline import Rules
from assistant.triage import Hearer


def load_hearer(root: Path) -> Hearer:
    """Open what triage listens with; without the ear, by rules alone.

    Raises:
        ContentError: If the rule file is invalid.
    """
    from assistant.adapters.onnx_ear import OnnxEar

    rules = content_rules.load_triage(root)
    small = content_rules.load_phrases(root, "small")
    try:
        ear = OnnxEar()
    except ModelFileError:
        return Hearer(rules, small=small)
    return Hearer(rules, ear.limits, ear, small)


def load_rules(root: Path) -> Rules:
    """Read all rules; what uses them in one turn does not hear the same words twice.

    Raises:
        ContentError: If a rule file is invalid.
    """
    hearer = load_hearer(root)
    if hearer.ear is not None:
        hearer = replace(hearer, ear=RememberingEar(hearer.ear))
    return Rules(
        triage=hearer,
        guard=content_rules.load_phrases(root, "guard"),
        patterns=content_rules.load_phrases(root, "patterns"),
        requests=content_rules.load_phrases(root, "requests"),
        needs=content_rules.load_phrases(root, "needs"),
        turns=content_rules.load_phrases(root, "turns"),
        small=hearer.small,
    )
