"""``ebb guard``: checks a candidate reply; needs no model file."""

from __future__ import annotations

import argparse
from typing import Any

from assistant import records
from assistant.commands import stream
from assistant.content import content_root
from assistant.errors import InputError
from assistant.records import InputLine
from assistant.settings import Settings
from assistant.wiring_rules import load_rules

NAME = "guard"
HELP = "check a candidate reply (needs no model file)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    stream.add_text_arguments(parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Check one text or every line; ``user`` is what the person had said."""
    rules = load_rules(content_root())

    def answer(line: InputLine, raw: dict[str, Any]) -> dict[str, Any]:
        said = raw.get("user") or ""
        if not isinstance(said, str):
            raise InputError(f"The line with id {raw['id']!r:.40}: “user” is no text.")
        violations = rules.check(line.utterance.text, said, ())
        return {
            "ok": not violations,
            "violations": records.violation_records(violations),
        }

    return stream.answer_lines(args, answer, _show)


def _show(record: dict[str, Any]) -> None:
    print("ok" if record["ok"] else "refused")
    for violation in record["violations"]:
        print(f"  {violation['rule']} at {violation['span'][0]}–{violation['span'][1]}")
