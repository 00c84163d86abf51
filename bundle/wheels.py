"""Copy what is installed of the locked run set, package by package."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement

from bundle.failure import BundleError

_LINE = re.compile(r"^[a-z0-9][\w.-]*==[^\\]+", re.MULTILINE)
_NOT_ALPHANUMERIC = re.compile(r"[-_.]+")
_LICENCE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
# Chroma asks for it to talk to its own server, which is never used here: 128 MB.
LEFT_OUT = frozenset({"kubernetes"})
# What is needed to build against a package or to test it, not to run it.
_FOLDERS = frozenset({"__pycache__", "tests"})
_TOPS = frozenset({"..", "bin", "include", "lib", "share"})


@dataclass(frozen=True, slots=True)
class Package:
    """One package that was copied."""

    name: str
    version: str
    licence: str
    """As the package itself states it."""


def run_set(lock: str) -> dict[str, str]:
    """Read a lock file: name and version of what belongs on this computer."""
    wanted: dict[str, str] = {}
    for line in _LINE.findall(lock):
        requirement = Requirement(line.strip())
        if requirement.marker is None or requirement.marker.evaluate():
            name = _plain(requirement.name)
            wanted[name] = str(requirement.specifier).removeprefix("==")
    return wanted


def copy(
    wanted: dict[str, str], installed_in: Iterable[Path], target: Path
) -> list[Distribution]:
    """Copy packages from the folders in which they are installed; the first one wins.

    Raises:
        BundleError: If one is missing, or there in another version than the locked one.
    """
    there: dict[str, Distribution] = {}
    for folder in installed_in:
        for found in distributions(path=[str(folder)]):
            there.setdefault(_plain(found.name), found)
    copied = []
    for name, version in sorted(wanted.items()):
        if name in LEFT_OUT:
            continue
        distribution = there.get(name)
        if distribution is None or distribution.version != version:
            raise BundleError(
                f"{name} {version} is not installed; “make run” installs it."
            )
        _copy_files(distribution, target)
        copied.append(distribution)
    return copied


def is_used(name: str) -> bool:
    """Tell whether a file, as a package lists it, is needed to run."""
    path = PurePosixPath(name)
    return path.parts[0] not in _TOPS and not _FOLDERS & set(path.parts[:-1])


def collect_licences(packages: Iterable[Distribution], target: Path) -> list[Package]:
    """Copy each package's own licence files, one folder a package."""
    told = []
    for package in packages:
        name = _plain(package.name)
        for file in package.files or ():
            if _is_licence(file):
                place = target / f"{name}-{package.version}" / file.name
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(package.locate_file(file)), place)
        told.append(Package(name, package.version, stated_licence(package)))
    return told


def stated_licence(package: Distribution) -> str:
    """Give the licence that a package states, in one line."""
    said = package.metadata
    for field in ("License-Expression", "License"):
        # Some put the whole text there.
        if field in said and 0 < len(said[field]) < 80 and "\n" not in said[field]:
            return said[field]
    classes = said.get_all("Classifier") or []
    names = [c.rpartition(" :: ")[2] for c in classes if c.startswith("License ::")]
    return ", ".join(names) or "see its files"


def _is_licence(file: PurePosixPath) -> bool:
    in_metadata = file.parts[0].endswith(".dist-info")
    return (
        file.suffix not in {".py", ".pyc"}
        and (in_metadata or len(file.parts) == 2)
        and bool(_LICENCE.search(file.name) or "sboms" in file.parts)
    )


def _copy_files(package: Distribution, target: Path) -> None:
    for file in package.files or ():
        source = Path(str(package.locate_file(file)))
        if not is_used(str(file)) or not source.is_file():
            continue
        place = target / file
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, place)


def _plain(name: str) -> str:
    return _NOT_ALPHANUMERIC.sub("-", name).lower()
