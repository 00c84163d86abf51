"""Knowledge and prompts: a file somebody edited is read whole, or named as wrong."""

from __future__ import annotations

import re
import shutil
import warnings
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant import (
    content,
    content_directory,
    content_library,
    content_ride,
    content_rules,
    content_texts,
)
from assistant.content_directory import Directory
from tests.fuzz.harness import Run, Target
from tests.fuzz.oracles import own_error, well_typed

_TRIAGE = """version = "1.0.0"
[terms]
neck = "neck|throat"
his = "his <neck>"
[context]
negation = "(?:not|never)"
[asked]
suicide = "thoughts of dying"
[[rule]]
id = "r1"
card = "strangulation"
level = "urgent"
patterns = ["hands (?:on|round) my <neck>", "can't ~ breathe", "a{2,3}b? ?c"]
unless = ["scarf"]
near = ["he"]
now = "emergency"
past = "support"
negatable = false
about = "self"
time = "now"
sure = true
why = "w"
source = "s"
examples = ["x"]
counterexamples = []
[[rule]]
id = "r2"
card = "suicide"
level = "ask"
patterns = ["[^a-z]die(?!d)", "(?<=x)y|z*"]
why = "w"
source = "s"
examples = []
counterexamples = []
"""
_PHRASES = """[terms]
him = "him|her"
[[rule]]
id = "p1"
rule = "craving"
patterns = ["miss <him>", "go back ~2 <him>"]
unless = ["film"]
weight = 0.6
why = "w"
examples = ["x"]
counterexamples = ["y"]
"""
_COUNTRY = """country = "AA"
name = "A Place"
emergency_note = "note"
[[emergency]]
number = "112"
use = ["police"]
in_metadata = true
[[service]]
id = "aa-one"
name = "One"
kind = "domestic_violence"
also = ["suicide_crisis"]
phone = "1"
sources = ["https://example.org"]
confidence = "high"
checked = "2026-11"
"""

Load = Callable[[Path], Any]


def _rules(root: Path) -> Any:
    rules = content_rules.load_triage.__wrapped__(root)
    content_rules.compile_all(*rules.rules)
    for pattern in (*rules.contexts.values(), *rules.asked.values()):
        assert pattern.compiled
    return rules


def _phrases(root: Path) -> Any:
    rules = content_rules.load_phrases.__wrapped__(root, "guard")
    content_rules.compile_all(*rules)
    return rules


def _article(root: Path) -> Any:
    return content_library.read_article(root / "knowledge" / "topics" / "isolation.md")


def _directory(root: Path) -> Any:
    read = content_directory.load(root)
    assert isinstance(read, Directory)
    for country in read.by_country.values():
        well_typed(country)
    for entry in (*read.international, *read.technology):
        well_typed(entry)
    return sorted(read.by_country)


_LOADERS: dict[str, tuple[str, Load]] = {
    "triage": ("knowledge/rules/triage.en.toml", _rules),
    "world": ("knowledge/rules/triage.world.toml", _rules),
    "phrases": ("knowledge/rules/guard.en.toml", _phrases),
    "article": ("knowledge/topics/isolation.md", _article),
    "topics": ("knowledge/topics.toml", content_library.load),
    "country": ("knowledge/helplines/AA.toml", _directory),
    "emergency": ("knowledge/helplines/emergency.toml", _directory),
    "world-help": ("knowledge/helplines/international.toml", _directory),
    "places": ("knowledge/helplines/places.toml", _directory),
    "replies": ("prompts/fixed/replies.en.toml", content_texts.load_replies),
    "card": ("prompts/fixed/cards/leaving.en.md", content_texts.load_cards),
    "cycle": ("prompts/fixed/cycle.en.toml", content_texts.load_cycle),
    "specialist": ("prompts/fixed/specialist.en.md", content_texts.load_specialist),
    "template": (
        "prompts/restate.md",
        lambda root: content_texts.load_template(root, "restate"),
    ),
    "ride": ("prompts/fixed/ride.en.toml", content_ride.load),
}


def _small(name: str) -> str:
    """Give a small, valid file of a kind."""
    real = content.content_root() / _LOADERS[name][0]
    made = {
        "triage": _TRIAGE,
        "world": "[[rule]]\n" + _TRIAGE.split("[[rule]]")[2].replace("r2", "r3"),
        "phrases": _PHRASES,
        "country": _COUNTRY,
        "emergency": '[country]\nAD = { name = "Andorra", numbers = ["112"] }\n',
        "places": '[place]\nAA = ["a place"]\nAD = ["andorra la vella"]\n'
        '[also]\n"a place" = ["AD"]\n',
    }
    if name == "topics":
        return _one_topic()
    if name == "world-help":
        first, *others = real.read_text("utf-8").split("[[")
        kept = [f"[[{p}" for p in others if p.startswith(("technology", "directory"))]
        return first + kept[0] + next(p for p in kept if p.startswith("[[tech"))
    return made.get(name) or real.read_text("utf-8")


def _one_topic() -> str:
    whole = (content.content_root() / "knowledge" / "topics.toml").read_text("utf-8")
    head, *topics = whole.split("[[topic]]")
    wanted = re.search(
        r'^topic = "(.+)"', _real("knowledge/topics/isolation.md"), re.MULTILINE
    )
    assert wanted is not None
    mine = next(t for t in topics if f'id = "{wanted[1]}"' in t)
    return f"{head}[[topic]]{mine}"


def _real(path: str) -> str:
    return (content.content_root() / path).read_text("utf-8")


def _seeds() -> tuple[str, ...]:
    small = [f"{name}\n{_small(name)}" for name in _LOADERS]
    broken = [f"{name}\nx = {'[' * 1_500}" for name in _LOADERS]
    huge = [f"{name}\nx = {'9' * 5_000}" for name in _LOADERS]
    return (*small, *broken, *huge)


@contextmanager
def _content(folder: Path) -> Iterator[Run]:
    good: dict[str, str] = {}
    for name, (path, _) in _LOADERS.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        good[name] = _small(name)
        place.write_text(good[name], "utf-8")
    root = content.content_root()
    cards = folder / "prompts" / "fixed" / "cards"
    shutil.copytree(root / "prompts" / "fixed" / "cards", cards, dirs_exist_ok=True)
    shutil.copy(root / "knowledge" / "sources.md", folder / "knowledge")
    for name in _LOADERS:
        read = own_error(lambda name=name: _LOADERS[name][1](folder))
        assert not isinstance(read, str), f"the small {name} is not valid: {read}"

    def run(text: str) -> Hashable:
        name, _, body = text.partition("\n")
        if name not in _LOADERS:
            return "no such kind"
        path, load = _LOADERS[name]
        place = folder / path
        place.write_text(body, "utf-8", "replace", newline="")
        try:
            with warnings.catch_warnings():
                # Of a pattern that may mean something else in a later Python.
                warnings.simplefilter("ignore")
                read = own_error(lambda: load(folder), may_name=True)
        finally:
            place.write_text(good[name], "utf-8")
        if isinstance(read, str):
            return name, read[:60]
        for record in read.values() if isinstance(read, dict) else (read,):
            well_typed(record)
        return name, "read"

    yield run


TARGETS = (Target("content", _seeds, _content, 60_000, longest=12_000, bound_s=2.0),)
