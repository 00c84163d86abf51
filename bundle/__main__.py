"""Make a bundle, or check one: ``python -m bundle``, with ``--check DIR``."""

from __future__ import annotations

import argparse
import compileall
import contextlib
import os
import platform
import py_compile
import shutil
import sys
import sysconfig
import tomllib
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

from assistant import settings
from assistant.errors import AssistantError
from assistant.models import Model, ModelFolder, Registry, State
from bundle import interpreter, libraries, manifest, processor, wheels, words
from bundle.failure import BundleError

_ROOT = Path(__file__).resolve().parent.parent
_STORE = _ROOT / "build" / "bundle"
_SYSTEMS = {"linux": "linux", "darwin": "macos"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things lie in a bundle. On the outside, nothing says what it is for."""

    folder: Path

    @property
    def parts(self) -> Path:
        """Everything that need not be looked at."""
        return self.folder / "parts"

    @property
    def packages(self) -> Path:
        """The program and what it imports."""
        return self.parts / "packages"

    @property
    def licences(self) -> Path:
        """Their licences, one folder a package."""
        return self.folder / "licences"


def main() -> int:
    """Do what the arguments say; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bundle", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where to make it")
    parser.add_argument("--check", type=Path, metavar="DIR", help="check a bundle")
    parser.add_argument(
        "--as-installed",
        action="store_true",
        help="do not compile anything: for computers with the same processor",
    )
    args = parser.parse_args()
    if args.check:
        return manifest.main(args.check)
    try:
        make(args.folder or default_folder(), as_installed=args.as_installed)
    except (AssistantError, BundleError) as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 1
    return 0


def default_folder() -> Path:
    """Give the usual place, with a name that says little.

    Raises:
        BundleError: If bundles are not made on this system.
    """
    if sys.platform not in _SYSTEMS:
        raise BundleError("A bundle can be made on Linux and on macOS so far.")
    name = f"Notes-{_SYSTEMS[sys.platform]}-{platform.machine()}"
    return _ROOT / "dist" / name


def make(folder: Path, *, as_installed: bool = False) -> None:
    """Make a bundle in a folder; one that is there already is made anew.

    Raises:
        BundleError: If something is missing; says what.
    """
    layout = Layout(folder)
    _clear(folder)
    models = _copy_models(layout)
    python = interpreter.copy(layout.parts / "python")
    distributions = _copy_packages(layout, as_installed=as_installed)
    _copy_program(layout)
    found = libraries.collect(
        layout.parts,
        layout.parts / "lib",
        look_also_in=Path(sys.base_prefix) / "lib",
    )
    _say(f"{len(found)} shared libraries")
    _copy_licences(layout, distributions, found, models)
    _compile(layout.parts)
    _write_outside(layout, python)
    _say(f"{manifest.write(folder)} files. The folder is {folder}")


def _clear(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        if not (folder / "parts" / "start.py").is_file():
            raise BundleError(f"{folder} holds something else; choose another folder.")
        if (folder / "kept" / "notes.dat").exists():
            raise BundleError(
                f"Somebody's notebook is in {folder}; it was not touched."
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # First of all, so that one that was left half made can be made anew.
    (folder / "parts").mkdir()
    shutil.copyfile(_ROOT / "bundle" / "start.py", folder / "parts" / "start.py")
    shutil.copyfile(_ROOT / "bundle" / "manifest.py", folder / "parts" / "manifest.py")


def _copy_models(layout: Layout) -> list[Model]:
    """Copy the default model files that are there, each read whole before."""
    registry = Registry.load(_ROOT / "models" / "registry.toml")
    store = ModelFolder(registry, settings.load().models_dir)
    copied = []
    for model in registry.models:
        state = store.state(model, thorough=True) if model.default else None
        if state is State.READY:
            _say(f"model files: {model.name}")
            for file in model.files:
                place = layout.parts / "models" / file.path
                place.parent.mkdir(parents=True, exist_ok=True)
                _link_or_copy(store.file_path(file), place)
            copied.append(model)
        elif state is not None:
            _say(f"model files: {model.name} is {state} here and left out")
    return copied


def _link_or_copy(source: Path, place: Path) -> None:
    """Take no room for a second copy where the disk can share it."""
    with contextlib.suppress(OSError):
        os.link(source.resolve(), place)
        return
    shutil.copyfile(source, place)


def _copy_packages(layout: Layout, *, as_installed: bool) -> list[Distribution]:
    lock = (_ROOT / "requirements.lock").read_text("utf-8")
    wanted = wheels.run_set(lock)
    installed = [Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")]
    if not as_installed and not processor.is_portable():
        _say("compiling the language model's library for other processors")
        version = wanted["llama-cpp-python"]
        installed.insert(0, processor.portable(version, lock, _STORE))
    copied = wheels.copy(wanted, installed, layout.packages)
    _say(f"{len(copied)} packages")
    return copied


def _copy_program(layout: Layout) -> None:
    """Lay out the program as its wheel does, by what ``pyproject.toml`` says."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    ignore = shutil.ignore_patterns("__pycache__")
    for name in wheel["packages"]:
        shutil.copytree(_ROOT / name, layout.packages / name, ignore=ignore)
    for name, place in wheel["force-include"].items():
        source, target = _ROOT / name, layout.packages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignore)
        else:
            shutil.copyfile(source, target)


def _copy_licences(
    layout: Layout,
    distributions: list[Distribution],
    found: dict[str, Path],
    models: list[Model],
) -> None:
    target = layout.licences
    own = target / "program"
    own.mkdir(parents=True)
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(_ROOT / name, own / name)
    shutil.copyfile(_ROOT / "knowledge" / "LICENSE", own / "LICENSE-texts")
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if python.is_file():
        (target / "python").mkdir()
        shutil.copyfile(python, target / "python" / python.name)
    text = words.licences(
        wheels.collect_licences(distributions, target),
        words.collect_library_licences(found, target / "system"),
        models,
        has_gpl=words.collect_gpl(target),
    )
    (target / "LICENCES.txt").write_text(text, "utf-8")


def _compile(parts: Path) -> None:
    """Compile all Python files, so that nothing is written on the stick later.

    By their content, not their time: a stick rounds times. Without the names of this
    computer's folders.
    """
    _say("compiling")
    compileall.compile_dir(
        str(parts),
        maxlevels=20,
        quiet=2,
        stripdir=str(parts),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        workers=0,
    )


def _write_outside(layout: Layout, python: Path) -> None:
    """Write what is seen first: the start script and the README."""
    machine = platform.machine()
    on_linux = sys.platform == "linux"
    loader = libraries.loader_of(python) if on_linux else ""
    script = layout.folder / "notes.sh"
    script.write_text(words.start_script(python.name, loader, machine), "utf-8")
    script.chmod(0o755)
    binaries = list(libraries.binaries(layout.parts)) if on_linux else []
    size = sum(p.stat().st_size for p in layout.folder.rglob("*") if p.is_file())
    text = words.readme(machine, libraries.oldest_glibc(binaries), size)
    (layout.folder / "README.txt").write_text(text, "utf-8")


def _say(what: str) -> None:
    print(f"bundle: {what}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
