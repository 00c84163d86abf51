"""What all tests share: no network, the real content, a pipeline without weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import hypothesis
import pytest

from assistant import content, content_library, wiring_rules
from assistant.adapters.memory_index import MemoryIndex
from assistant.adapters.scripted import HashEmbedder, ScriptedChat
from assistant.content_library import Library
from assistant.network import forbid_outside
from assistant.pipeline import Pipeline
from assistant.retrieve import Searcher
from tests import pipelines

forbid_outside()

# On a busy computer, chance takes its time; that is no failure of what is tested.
hypothesis.settings.register_profile(
    "busy",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("busy")

ROOT = Path(__file__).resolve().parent.parent
CANARY = "zephyrquartz"
"""A word that nobody uses: where it turns up, something was kept or leaked."""


@pytest.fixture(scope="session")
def root() -> Path:
    return content.content_root()


@pytest.fixture(scope="session")
def library(root: Path) -> Library:
    return content_library.load(root)


@pytest.fixture(scope="session")
def searcher(library: Library) -> Searcher:
    made = Searcher(library, HashEmbedder(), MemoryIndex())
    made.prepare()
    return made


@pytest.fixture(scope="session")
def bare_pipeline(root: Path, library: Library) -> Pipeline:
    """The pipeline before any model file has been loaded."""
    return pipelines.bare(root, library, wiring_rules.load_rules(root))


@pytest.fixture
def make_pipeline(
    bare_pipeline: Pipeline, searcher: Searcher
) -> Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]:
    """Give a pipeline whose language model says what the test wants."""
    from dataclasses import replace

    def make(replies: Sequence[str]) -> tuple[Pipeline, ScriptedChat]:
        chat = ScriptedChat(replies)
        return replace(bare_pipeline, searcher=searcher, chat=chat), chat

    return make
