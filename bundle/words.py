"""The texts of a bundle: its start script, its README, its list of licences."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from assistant.models import Model, say_bytes
from bundle.wheels import Package

TEXTS = Path(__file__).resolve().parent / "texts"
_GPL = Path("/usr/share/common-licenses/GPL-2")
_EMPTY = "(none)"


def fill(text: str, values: Mapping[str, str]) -> str:
    """Put values into a text, for names between two “@”.

    Raises:
        KeyError: If the text has a name without a value.
    """
    return re.sub(r"@([A-Z]+)@", lambda found: values[found[1]], text)


def start_script(python: str, loader: str, machine: str) -> str:
    """Give the script that starts the program on this system."""
    name = "notes-macos.sh" if sys.platform == "darwin" else "notes-linux.sh"
    values = {"PYTHON": python, "LOADER": loader, "MACHINE": machine}
    return fill((TEXTS / name).read_text("utf-8"), values)


def readme(machine: str, glibc: tuple[int, int], size_bytes: int) -> str:
    """Give the README, for somebody who found only this folder."""
    if sys.platform == "darwin":
        needs = f"macOS on {machine}, as new as the one it was made on, or newer."
        usual = "  Library/Application Support/ebb, in your own folder."
    else:
        needs = (
            f"Linux on {machine} with glibc {glibc[0]}.{glibc[1]} or newer. What a "
            "computer has is told by\n    ldd --version\n"
            "To write and to listen, the processor must be from about 2013 or newer."
        )
        usual = "  .local/share/ebb, in your own folder."
    values = {"NEEDS": needs, "USUAL": usual, "SIZE": say_bytes(size_bytes)}
    return fill((TEXTS / "README.txt").read_text("utf-8"), values)


def licences(
    packages: Iterable[Package],
    libraries: Mapping[str, str],
    models: Iterable[Model],
    *,
    has_gpl: bool,
) -> str:
    """Give the list of licences.

    Args:
        packages: What was copied.
        libraries: By name of the file, where its licence is, or that it is not known.
        models: Those whose files were copied.
        has_gpl: Whether the text of the GPL lies in the folder.
    """
    gpl = " The GPL's text: licences/GPL-2.txt." if has_gpl else ""
    rows = [f"{p.name} {p.version}: {p.licence}" for p in packages]
    values = {
        "GPL": gpl,
        "PACKAGES": "\n".join(rows) or _EMPTY,
        "LIBRARIES": "\n".join(f"{k}: {v}" for k, v in libraries.items()) or _EMPTY,
        "MODELS": "\n".join(f"{m.name}: {m.licence}" for m in models) or _EMPTY,
    }
    return fill((TEXTS / "LICENCES.txt").read_text("utf-8"), values)


def collect_gpl(target: Path) -> bool:
    """Copy the text of the GPL, where this system has it."""
    if not _GPL.is_file():
        return False
    shutil.copyfile(_GPL, target / "GPL-2.txt")
    return True


def collect_library_licences(
    libraries: Mapping[str, Path], target: Path
) -> dict[str, str]:
    """Copy what the system's packages say of the libraries' licences.

    Returns:
        By name of the library, one line for the list.
    """
    told = {}
    for name, origin in sorted(libraries.items()):
        package = _package_of(origin)
        said = Path("/usr/share/doc") / (package or "-") / "copyright"
        if name.startswith("libpython"):
            told[name] = "Python's own; licences/python/"
        elif package and said.is_file():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(said, target / f"{package}.txt")
            told[name] = f"{target.parent.name}/{target.name}/{package}.txt"
        else:
            told[name] = "its licence was not found on that computer"
    return told


def _package_of(path: Path) -> str | None:
    """Ask Debian's list; on other systems there is none."""
    if shutil.which("dpkg-query") is None:
        return None
    # Where /lib is a link to /usr/lib, the list may know either name.
    for place in (path, Path(str(path).removeprefix("/usr"))):
        done = subprocess.run(
            ["dpkg-query", "--search", str(place)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout.split(":", 1)[0]
    return None
