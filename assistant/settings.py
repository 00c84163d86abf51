"""Settings: one frozen record; the only reader of the environment."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import platformdirs

from assistant.errors import SettingsError

DEFAULT_PORT = 7861
_CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person or a volunteer may set in ``settings.toml``."""

    home: Path
    """Folder for model files and the index. Of what a person says, only the encrypted
    notebook comes here, and only where it was turned on."""
    country: str | None = None
    """ISO 3166-1 alpha-2; None means: ask."""
    language: str = "en"
    port: int = DEFAULT_PORT
    threads: int | None = None
    """Processor threads for the models; None means: as many as there are cores."""
    context_tokens: int = 4096
    chat_model: str | None = None
    """Name in ``models/registry.toml``; None means: the best one that is there."""

    @property
    def models_dir(self) -> Path:
        """Where the model files lie."""
        return self.home / "models"

    @property
    def cache_dir(self) -> Path:
        """Where the index is kept; can be deleted at any time."""
        return self.home / ".cache"

    @property
    def notebook_path(self) -> Path:
        """Where the encrypted notebook is, if there is one; a name that says little."""
        return self.home / "notes.dat"


def default_home() -> Path:
    """Give the checkout's own folder, or the user's data folder when installed."""
    if (_CHECKOUT / "pyproject.toml").is_file():
        return _CHECKOUT
    return Path(platformdirs.user_data_dir("ebb", appauthor=False))


def load(home: Path | None = None) -> Settings:
    """Read ``settings.toml`` of the home folder, where there is one.

    ``EBB_HOME`` in the environment moves the home folder.

    Raises:
        SettingsError: If the file has an unknown key or a value of the wrong kind.
    """
    chosen = home or Path(os.environ.get("EBB_HOME") or default_home())
    settings = Settings(home=chosen)
    path = chosen / "settings.toml"
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return settings
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise SettingsError(f"{path} cannot be read as TOML.") from None
    return replace(settings, **_checked(raw, path))


def _checked(raw: dict[str, Any], path: Path) -> dict[str, Any]:
    kinds: dict[str, type] = {
        "country": str,
        "language": str,
        "port": int,
        "threads": int,
        "context_tokens": int,
        "chat_model": str,
    }
    known = {f.name for f in fields(Settings)} - {"home"}
    for key, value in raw.items():
        if key not in known:
            raise SettingsError(f"{path}: unknown setting “{key}”.")
        if type(value) is not kinds[key]:
            raise SettingsError(f"{path}: “{key}” must be a {kinds[key].__name__}.")
    if not 0 <= int(str(raw.get("port", DEFAULT_PORT))) <= 65535:
        raise SettingsError(f"{path}: “port” must be between 0 and 65535.")
    return raw
