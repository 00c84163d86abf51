"""The shape of the house: who may import whom, and that a newcomer's map is true."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "assistant"
HEAVY = {
    "chromadb",
    "cryptography",
    "faster_whisper",
    "gradio",
    "llama_cpp",
    "onnxruntime",
    "piper",
}
# The core: pure stages over domain types and ports.
CORE = (
    "browse",
    "generate",
    "guard",
    "language",
    "lexical",
    "normalise",
    "notebook",
    "patterns",
    "pipeline",
    "plan",
    "prompt",
    "refer",
    "retrieve",
    "store",
    "triage",
    "write",
)


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("stage", CORE)
def test_the_core_imports_no_adapter_screen_or_heavy_library(stage: str) -> None:
    names = _imports(PACKAGE / f"{stage}.py")
    roots = {name.split(".")[0] for name in names}
    assert not roots & HEAVY
    outer = ("assistant.adapters", "assistant.ui", "assistant.wiring", "assistant.cli")
    assert not [name for name in names if name.startswith(outer)]


def test_heavy_libraries_are_imported_in_adapters_and_screens_only() -> None:
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).parts[0]
        if place in {"adapters", "ui"}:
            continue
        roots = {name.split(".")[0] for name in _imports(path)}
        assert not roots & HEAVY, path


def test_importing_the_package_runs_nothing_heavy() -> None:
    code = (
        "import sys, assistant, assistant.pipeline, assistant.wiring, assistant.cli;"
        f"print(sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_the_file_map_in_the_readme_names_every_module_and_no_other() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    section = readme.split("## File map", 1)[1].split("\n## ", 1)[0]
    named = {
        name
        for row in re.findall(r"^\| (.+?) \|", section, re.MULTILINE)
        for name in re.findall(r"`([a-z_]+\.py)`", row)
    }
    there = {path.name for path in PACKAGE.glob("*.py")} - {"__init__.py"}
    assert named == there


def test_no_file_has_grown_out_of_reach() -> None:
    for path in PACKAGE.rglob("*.py"):
        lines = len(path.read_text("utf-8").splitlines())
        assert lines <= 400, f"{path.relative_to(ROOT)} has {lines} lines"
