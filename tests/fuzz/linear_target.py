"""Triage takes time in proportion to a text's length, whatever is repeated in it."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant import content, content_rules, guard, patterns, triage
from assistant.domain import Utterance
from assistant.normalise import spoken
from assistant.sentences import split_sentences
from assistant.triage import Hearer
from tests.fuzz.harness import Run, Target
from tests.fuzz.seeds import sentences

_SHORT, _LONG = 4_000, 16_000
_MORE_THAN_LINEAR = 8.0
"""Four times the text may take four times as long, and as much again by chance."""
_SLACK_S = 0.25


@contextmanager
def _made(folder: Path) -> Iterator[Run]:
    root = content.content_root()
    hearer = Hearer(content_rules.load_triage(root))
    noticed = content_rules.load_phrases(root, "patterns")
    guarded = content_rules.load_phrases(root, "guard")
    content_rules.compile_all(*hearer.rules.rules, *noticed, *guarded)

    def everything(text: str) -> float:
        began = time.thread_time()
        split_sentences(text)
        spoken(text)
        triage.grade(Utterance(text), hearer)
        patterns.notice(text, noticed)
        guard.check(text, rules=guarded, said=text[:400])
        return time.thread_time() - began

    def run(text: str) -> Hashable:
        if not text:
            return None
        long = (text * (_LONG // len(text) + 1))[:_LONG]
        short_s = everything(long[:_SHORT])
        long_s = everything(long)
        bound = _MORE_THAN_LINEAR * short_s + _SLACK_S
        assert long_s < bound, "four times the text took more than eight times as long"
        return round(long_s, 1)

    yield run


TARGETS = (
    Target("linear", sentences, _made, 300, longest=200, bound_s=20.0, per_unit_s=1.0),
)
