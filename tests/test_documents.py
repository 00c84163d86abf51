"""The documents name what is there: tests, files, links, libraries, model files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from assistant.content import content_root
from assistant.models import Registry

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/architecture.md",
    "docs/materials.md",
    "docs/threat-model.md",
    "docs/tried-by-a-stranger.md",
)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)?::(\w+)`|`(tests/[\w/]+\.py)`")


def _text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_somewhere(name: str) -> None:
    for address in _LINK.findall(_text(name)):
        if "://" in address:
            continue
        path, _, anchor = address.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.exists(), address
        assert not anchor or anchor in _anchors(target.read_text("utf-8")), address


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_test_that_is_named_is_there(name: str) -> None:
    current = ""
    for with_name, test, alone in _NAMED_TEST.findall(_text(name)):
        current = with_name or alone or current
        path = ROOT / current
        assert path.is_file(), current
        if test:
            assert f"def {test}(" in path.read_text("utf-8"), f"{current}::{test}"


def test_every_direct_library_stands_among_the_materials() -> None:
    project = tomllib.loads(_text("pyproject.toml"))
    wanted = list(project["project"]["dependencies"])
    for extra in project["project"]["optional-dependencies"].values():
        wanted += extra
    wanted += project["build-system"]["requires"]
    rows = set(re.findall(r"^\| ([\w.-]+)", _text("docs/materials.md"), re.MULTILINE))
    names = {re.split(r"[<>=!~\[ ]", line)[0] for line in wanted}
    assert names <= rows, names - rows


def test_every_model_file_stands_among_the_materials_with_its_checksum() -> None:
    registry = Registry.load(content_root() / "models" / "registry.toml")
    lines = _text("docs/materials.md").splitlines()
    for model in registry.models:
        assert any(f"| `{model.name}` |" in line for line in lines), model.name
        for file in model.files:
            row = next((line for line in lines if f"`{file.path}`" in line), "")
            assert file.sha256 in row, file.path


def test_the_picture_of_a_turn_stands_alone_and_has_words() -> None:
    picture = _text("docs/pictures/turn.svg")
    assert "<title " in picture
    assert "<desc " in picture
    assert "prefers-color-scheme: dark" in picture
    addresses = re.findall(r"https?://[^\"' )]+", picture)
    assert set(addresses) == {"http://www.w3.org/2000/svg"}
