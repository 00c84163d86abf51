"""Say on which machine, when and with which model files something was measured."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from assistant.content import content_root
from assistant.models import hash_file
from assistant.models_registry import Registry

_EAR = Path(__file__).resolve().parent.parent / "ear" / "ear.onnx"


def today() -> str:
    """Give the date of a measurement, UTC, ISO 8601."""
    return datetime.now(UTC).date().isoformat()


def describe() -> dict[str, Any]:
    """Describe this machine; nothing that tells whose it is."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processors": psutil.cpu_count() or 1,
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "python": platform.python_version(),
    }


def say(machine: Mapping[str, Any]) -> str:
    """Put the description of a machine into words."""
    return (
        f"{machine['system']}, {machine['processors']} processors, "
        f"{machine['memory_gib']:g} GiB, Python {machine['python']}"
    )


def model_files(*names: str) -> list[dict[str, str]]:
    """Name the files of models, with the checksums they were opened by.

    Raises:
        UsageError: If there is no model of a name.
    """
    registry = Registry.load(content_root() / "models" / "registry.toml")
    return [
        {"name": name, "file": file.path.rpartition("/")[2], "sha256": file.sha256}
        for name in names
        for file in registry.get(name).files
    ]


def ear_file() -> dict[str, str]:
    """Name the ear, which ships with the program, by what it is now."""
    return {"name": "ear", "file": _EAR.name, "sha256": hash_file(_EAR)}
