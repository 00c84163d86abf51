"""Copy the running Python's own installation, without what Ebb does not use."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

_FOLDERS = frozenset(
    {
        "__pycache__",
        "dist-packages",
        "ensurepip",
        "idlelib",
        "lib2to3",
        "site-packages",
        "test",
        "tests",
        "tkinter",
        "turtledemo",
    }
)
# readline, dbm and gdbm are left out because what they are linked to is GPL; the
# others because they would bring libraries that nothing here uses.
_MODULES = frozenset(
    {
        "_crypt",
        "_curses",
        "_curses_panel",
        "_dbm",
        "_gdbm",
        "_tkinter",
        "nis",
        "ossaudiodev",
        "readline",
    }
)
_TESTING = ("_test", "_xxtest", "xxlimited")


def copy(target: Path) -> Path:
    """Copy the interpreter and its standard library.

    Args:
        target: The folder that becomes the new prefix.

    Returns:
        The interpreter there.
    """
    program = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    copied = target / "bin" / program.name
    copied.parent.mkdir(parents=True)
    shutil.copy2(program, copied)
    stdlib = Path(sysconfig.get_path("stdlib"))
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    place = target / sys.platlibdir / version
    # Files, never links: a stick has none.
    shutil.copytree(stdlib, place, ignore=_unused, symlinks=False)
    _forget_origin(place)
    return copied


def is_used(name: str) -> bool:
    """Tell whether a file or folder of the standard library belongs into the bundle."""
    module = name.partition(".")[0]
    return not (
        name in _FOLDERS
        or name.startswith("config-")
        or module in _MODULES
        or module.startswith(_TESTING)
        or name == "LICENSE.txt"  # collected with the other licences
        or name.endswith(".a")
    )


def _unused(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not is_used(name)]


def _forget_origin(stdlib: Path) -> None:
    """Take the maker's folder names out of the file in which Python was configured."""
    for path in stdlib.glob("_sysconfigdata*.py"):
        text = path.read_text("utf-8")
        path.write_text(text.replace(sys.base_prefix, "/python"), "utf-8")
