"""The wheel and the source package: made without a connection, and whole."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest

from assistant.content import content_root

ROOT = Path(__file__).resolve().parent.parent
_WINDOWS = sys.platform == "win32"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source package, and the wheel that was made from it."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run(
        [*command, str(ROOT)], capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def ebb(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, from the wheel, in a fresh environment that has the libraries."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    _say(sys.executable, "-m", "venv", "--without-pip", str(folder))
    scripts = folder / ("Scripts" if _WINDOWS else "bin")
    python = scripts / ("python.exe" if _WINDOWS else "python")
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(_say(str(python), "-c", ask))
    # The libraries of this environment; a line in a .pth file does not bring the
    # editable install that stands beside them.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    wheel = next(built.glob("*.whl"))
    install = ("-m", "pip", "install", "--no-deps", "--no-index", "--ignore-installed")
    _say(str(python), *install, "--quiet", str(wheel))
    where = _say(str(python), "-c", "import assistant; print(assistant.__file__)")
    assert Path(where).is_relative_to(site)
    return scripts / ("ebb.exe" if _WINDOWS else "ebb")


def _bare(home: Path) -> dict[str, str]:
    """Nothing that points to the checkout."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return {**kept, "EBB_HOME": str(home)}


def _say(*command: str) -> str:
    # From a folder where no package lies: Python looks there first.
    elsewhere = Path(tempfile.gettempdir())
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=elsewhere,
        env=_bare(elsewhere),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _run(ebb: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ebb), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=home,
        env=_bare(home),
    )


def _content() -> set[str]:
    root = content_root()
    return {
        path.relative_to(root).as_posix()
        for name in ("knowledge", "prompts")
        for path in (root / name).rglob("*")
        if path.is_file()
    }


def test_the_wheel_holds_the_ear_and_all_content(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert {f"assistant/_content/{name}" for name in _content()} <= names
    assert "assistant/_content/models/registry.toml" in names
    ear = {path.name for path in (ROOT / "assistant" / "ear").iterdir()}
    assert {f"assistant/ear/{name}" for name in ear if name != "__pycache__"} <= names
    outside = {name.split("/")[0] for name in names}
    assert {n for n in outside if not n.endswith(".dist-info")} == {"assistant"}


def test_the_source_package_holds_what_is_needed_to_build_and_test(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert _content() <= names
    needed = {"pyproject.toml", "LICENSE", "requirements.lock", "tests/conftest.py"}
    assert needed <= names
    assert not [name for name in names if name.endswith((".gguf", "model.bin"))]


def test_installed_it_hears_danger(ebb: Path, tmp_path: Path) -> None:
    done = _run(ebb, tmp_path, "triage", "He put his hands around my neck last night.")
    assert done.returncode == 0, done.stderr
    assert "strangulation" in done.stdout


def test_installed_it_has_the_directory(ebb: Path, tmp_path: Path) -> None:
    done = _run(ebb, tmp_path, "helplines", "--country", "GB")
    assert done.returncode == 0, done.stderr
    assert "999" in done.stdout


def test_installed_it_guards(ebb: Path, tmp_path: Path) -> None:
    done = _run(ebb, tmp_path, "guard", "You should leave him today.")
    assert done.returncode == 0, done.stderr
    assert "directive" in done.stdout


def test_installed_only_the_model_files_are_missing(ebb: Path, tmp_path: Path) -> None:
    done = _run(ebb, tmp_path, "doctor")
    problems = [line for line in done.stdout.splitlines() if line.startswith("!!")]
    assert [line.split(":")[0] for line in problems] == ["!!    model files"]
    assert done.returncode == 4  # what the contract says of a missing model file
