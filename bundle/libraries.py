"""Find the shared libraries that a bundle needs and that not every system has.

The C library and the loader are always the system's: they belong to its kernel and to
each other. Everything else that is found outside the bundle is copied into it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from bundle.failure import BundleError

# The parts of glibc 2.31 and newer, as far as a program is linked to them.
_GLIBC = re.compile(
    r"^(ld-linux|linux-vdso|linux-gate|lib(c|m|mvec|pthread|dl|rt|resolv|util|anl|"
    r"BrokenLocale|thread_db|nss_\w+)\.so)"
)
_LDD = re.compile(r"^\s+(\S+) => (not found|/.+?)(?: \(0x[0-9a-f]+\))?$", re.MULTILINE)
_OTOOL = re.compile(r"^\t(/.+?) \(compatibility", re.MULTILINE)
_APPLES = ("/usr/lib/", "/System/")
_ELF = b"\x7fELF"
_MACH = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_VERSION = re.compile(rb"GLIBC_(\d+)\.(\d+)")


def parse_ldd(said: str) -> dict[str, Path | None]:
    """Read what ``ldd`` says: by name, where it is; None where it was not found.

    The parts of glibc are left out.
    """
    found = dict(_LDD.findall(said))
    return {
        name: None if place == "not found" else Path(place)
        for name, place in found.items()
        if not _GLIBC.match(Path(name).name)
    }


def parse_otool(said: str) -> dict[str, Path | None]:
    """Read what ``otool -L`` says; what every Mac has is left out.

    A library that is named relative to the file that wants it lies in its wheel.
    """
    return {
        Path(place).name: Path(place)
        for place in _OTOOL.findall(said)
        if not place.startswith(_APPLES)
    }


def collect(bundle: Path, target: Path, *, look_also_in: Path) -> dict[str, Path]:
    """Copy what the bundle's programs need into one folder.

    Args:
        bundle: Its programs and libraries are looked at, recursively.
        target: The folder, inside the bundle.
        look_also_in: A folder in which the system may find them too.

    Returns:
        By name, where each was found.

    Raises:
        BundleError: If one is found nowhere.
    """
    target.mkdir(parents=True, exist_ok=True)
    copied: dict[str, Path] = {}
    waiting = list(binaries(bundle))
    search = f"{target}{os.pathsep}{look_also_in}"
    while waiting:
        wanted = _needed(waiting.pop(), search)
        for name, place in wanted.items():
            if name in copied or _lies_in(place, bundle):
                continue
            if place is None or not place.is_file():
                raise BundleError(f"The shared library {name} is not on this computer.")
            shutil.copy2(place.resolve(), target / name)
            copied[name] = place.resolve()
            waiting.append(target / name)
    return copied


def binaries(folder: Path) -> Iterator[Path]:
    """Give all programs and shared libraries in a folder."""
    magic = _MACH if sys.platform == "darwin" else (_ELF,)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and _head(path) in magic:
            yield path


def oldest_glibc(paths: Iterable[Path]) -> tuple[int, int]:
    """Tell which glibc all of these run with, from the versions they ask for."""
    newest = (2, 17)  # what every wheel asks for at least
    for path in paths:
        for major, minor in _VERSION.findall(path.read_bytes()):
            newest = max(newest, (int(major), int(minor)))
    return newest


def loader_of(program: Path) -> str:
    """Give the path of the loader that a program asks for.

    Raises:
        BundleError: If it names none.
    """
    found = re.search(rb"\0?(/lib[\w/]*/ld-[\w.-]+)\0", program.read_bytes())
    if found is None:
        raise BundleError(f"{program.name} does not say which loader it needs.")
    return found[1].decode("ascii")


def _needed(path: Path, search: str) -> dict[str, Path | None]:
    if sys.platform == "darwin":
        return parse_otool(_say(["otool", "-L", str(path)], {}))
    return parse_ldd(_say(["ldd", str(path)], {"LD_LIBRARY_PATH": search}))


def _say(command: list[str], more: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,  # ldd fails on a file that is linked to nothing
        env={**os.environ, "LC_ALL": "C", **more},
    )
    return done.stdout


def _lies_in(place: Path | None, folder: Path) -> bool:
    return place is not None and place.resolve().is_relative_to(folder.resolve())


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)
