"""Whole turns of a talk, as the page shows them; the language model says anything."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from assistant import (
    content,
    content_library,
    content_rules,
)
from assistant.adapters.memory_index import MemoryIndex
from assistant.adapters.scripted import HashEmbedder, ScriptedChat
from assistant.domain import Prompt
from assistant.pipeline import Pipeline, Rules
from assistant.ports import ChatModel
from assistant.retrieve import Searcher
from assistant.talk import Talk
from assistant.triage import Hearer
from assistant.ui import turns
from tests import pipelines
from tests.fuzz.harness import Run, Target
from tests.fuzz.seeds import sentences

MARK = "<zephyrquartz>"
"""If this reaches a page as it is, somebody's words have become markup."""


class ParrotChat(ScriptedChat):
    """Says what it was last told to say, as often as it is asked."""

    says = "That sounds hard."

    def __init__(self) -> None:
        super().__init__([])

    def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        seed: int,
        stopped: Callable[[], bool],
    ) -> Iterator[str]:
        return self._pieces(self.says, max_tokens, stopped)


def make_pipeline(chat: ChatModel | None, *, ear: bool = False) -> Pipeline:
    """Make the real pipeline with a model that says what it likes."""
    root = content.content_root()
    library = content_library.load(root)
    searcher = Searcher(library, HashEmbedder(), MemoryIndex())
    searcher.prepare()
    if ear:
        from assistant.wiring_rules import load_rules

        rules = load_rules(root)
    else:
        load = content_rules.load_phrases
        rules = Rules(
            triage=Hearer(content_rules.load_triage(root)),
            guard=load(root, "guard"),
            patterns=load(root, "patterns"),
            requests=load(root, "requests"),
            needs=load(root, "needs"),
            turns=load(root, "turns"),
            small=load(root, "small"),
        )
    content_rules.compile_all(
        *rules.triage.rules.rules,
        *rules.guard,
        *rules.patterns,
        *rules.requests,
        *rules.needs,
        *rules.turns,
        *rules.small,
    )
    made = pipelines.bare(root, library, rules)
    return replace(made, searcher=searcher, chat=chat)


class _Room:
    """A room without notes."""

    id = "room"
    sitting = 0

    def __init__(self, talk: Talk) -> None:
        import threading

        self.talk = talk
        self.writing = threading.Lock()
        self._turns = 0

    def next_turn(self) -> int:
        self._turns += 1
        return self._turns


def page_of(frame: str) -> str:
    """Give all the HTML of a frame."""
    parts = json.loads(base64.b64decode(frame)).get("parts", [])
    return "".join(part["html"] for part in parts)


@contextmanager
def _turn(folder: Path) -> Iterator[Run]:
    chat = ParrotChat()
    pipeline = make_pipeline(chat)

    def run(text: str) -> Hashable:
        chat.says = text[len(text) // 2 :] or "Yes."
        talk = Talk(lambda: pipeline, lambda: len(text))
        room = _Room(talk)
        slots: tuple[str, ...] = ()
        for words in (text, f"{MARK}{text[::-1]}", "say that differently"):
            frames = list(
                turns.stream_frames(room, words, pipeline.library, "GB")  # type: ignore[arg-type]
            )
            last = json.loads(base64.b64decode(frames[-1]))
            assert last["open"] is False, "the page is not free again"
            page = page_of(frames[-1])
            assert MARK not in page, "what a person wrote became markup"
            assert turns._BROKEN not in page, "a turn broke off"
            slots += tuple(dict.fromkeys(p["slot"] for p in last["parts"]))
        return slots[:6]

    yield run


def _seeds() -> tuple[str, ...]:
    return (*sentences(), f"{MARK} he said", f"Tell her {MARK}. It is a wave.")


TARGETS = (Target("turn", _seeds, _turn, 4_000, longest=500, bound_s=3.0),)
