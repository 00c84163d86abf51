"""A content file with a value of another kind is named, and never read halfway.

A number where a text belongs would otherwise stop a turn much later.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant import (
    content,
    content_directory,
    content_library,
    content_ride,
    content_rules,
    content_texts,
)
from assistant.errors import ContentError

Load = Callable[[Path], Any]


def _triage(root: Path) -> Any:
    return content_rules.load_triage.__wrapped__(root)


def _needs(root: Path) -> Any:
    return content_rules.load_phrases.__wrapped__(root, "needs")


def _template(root: Path) -> Any:
    return content_texts.load_template(root, "restate")


_FILES: dict[str, Load] = {
    "knowledge/rules/triage.en.toml": _triage,
    "knowledge/rules/triage.world.toml": _triage,
    "knowledge/rules/needs.en.toml": _needs,
    "knowledge/topics.toml": content_library.load,
    "knowledge/topics/isolation.md": content_library.load,
    "knowledge/helplines/GB.toml": content_directory.load,
    "knowledge/helplines/emergency.toml": content_directory.load,
    "knowledge/helplines/international.toml": content_directory.load,
    "knowledge/helplines/places.toml": content_directory.load,
    "prompts/fixed/replies.en.toml": content_texts.load_replies,
    "prompts/fixed/cards/leaving.en.md": content_texts.load_cards,
    "prompts/fixed/cycle.en.toml": content_texts.load_cycle,
    "prompts/fixed/specialist.en.md": content_texts.load_specialist,
    "prompts/fixed/ride.en.toml": content_ride.load,
    "prompts/restate.md": _template,
}
# What a file says of itself, and nobody reads but the tests of the texts.
_HEADER = (
    *(*content.HEADER_KEYS, "sources", "licence", "confidence", "checked"),
    *("emergency_sources", "emergency_confidence", "gaps"),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("content")
    for name in ("knowledge", "prompts"):
        shutil.copytree(content.content_root() / name, root / name)
    return root


def _changed(text: str) -> list[str]:
    """Give the file with one value of another kind, for each of its keys."""
    found = []
    for line in re.finditer(r"(?m)^([A-Za-z_-]+) = (.+)$", text.split("\n+++", 2)[0]):
        if line[1] in _HEADER or line[2][-1] not in '"]':
            continue
        for other in ("3", "[[3]]", "{ a = 1 }"):
            found.append(f"{text[: line.start(2)]}{other}{text[line.end(2) :]}")
        if len(found) > 60:
            break
    return found


@pytest.mark.parametrize("name", _FILES)
def test_a_value_of_another_kind_is_a_content_error(copy: Path, name: str) -> None:
    path = copy / name
    good = path.read_text("utf-8")
    first = path.name.partition(".")[0]
    try:
        tried = _changed(good)
        for text in tried[:: max(1, len(tried) // 12)]:
            path.write_text(text, "utf-8")
            with pytest.raises(ContentError, match=first) as caught:
                _FILES[name](copy)
            assert "\n" not in str(caught.value)
    finally:
        path.write_text(good, "utf-8")
    assert _FILES[name](copy) is not None


@pytest.mark.parametrize("name", _FILES)
@pytest.mark.parametrize("text", ["", "+++\n+++\n", 'x = "', "rule = 3\nline = 3\n"])
def test_an_empty_or_other_file_is_a_content_error(
    copy: Path, name: str, text: str
) -> None:
    path = copy / name
    good = path.read_text("utf-8")
    path.write_text(text, "utf-8")
    try:
        with pytest.raises(ContentError, match=path.name.partition(".")[0]):
            _FILES[name](copy)
    finally:
        path.write_text(good, "utf-8")


@pytest.mark.parametrize("pattern", ["(he", "he)", "(?=", "(" * 3_000])
def test_a_rule_with_a_bracket_left_open_is_named(copy: Path, pattern: str) -> None:
    path = copy / "knowledge/rules/triage.world.toml"
    good = path.read_text("utf-8")
    rule = good[good.index("[[rule]]") :].partition("\n\n")[0]
    broken = re.sub(r"patterns = \[.*", f"patterns = ['{pattern}']", rule)
    try:
        path.write_text(broken, "utf-8")
        with pytest.raises(ContentError, match=r"triage\.world"):
            content_rules.compile_all(*_triage(copy).rules)
    finally:
        path.write_text(good, "utf-8")


@pytest.mark.parametrize("pattern", ["a{99999999999999}", "(" * 3_000 + ")" * 3_000])
def test_a_pattern_that_no_machine_takes_is_named(pattern: str) -> None:
    made = content_rules.compile_pattern(pattern, {}, "triage.en.toml: x")
    with pytest.raises(ContentError, match=r"triage\.en\.toml: x"):
        _ = made.compiled
