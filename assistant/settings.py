"""Settings: one frozen record; the only reader of the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import platformdirs

from assistant import toml_lines
from assistant.errors import SettingsError
from assistant.reading import from_toml

DEFAULT_PORT = 7861
TEXT_SIZES: Final = ("normal", "larger", "largest")
MOVEMENTS: Final = ("system", "none")
PAGE_TITLES: Final = ("notes", "recipes", "tab")
IDLE_MINUTES: Final = (0, 5, 10, 30)
"""How long nothing may happen before a talk is wiped; 0 means: never."""
SWITCH: Final = ("off", "on")
TURN_PAUSES_S: Final = tuple(range(2, 11))
"""How long a silence may be until a hands-free turn is over."""
KEPT: Final = (
    "country",
    "text_size",
    "movement",
    "page_title",
    "exit_address",
    "idle_minutes",
    "hands_free",
    "turn_pause_s",
)
"""What the page may write to the file, if the person asks for it; nothing else."""

CHOICES: Final[Mapping[str, tuple[str | int, ...]]] = {
    "text_size": TEXT_SIZES,
    "movement": MOVEMENTS,
    "page_title": PAGE_TITLES,
    "idle_minutes": IDLE_MINUTES,
    "hands_free": SWITCH,
    "turn_pause_s": TURN_PAUSES_S,
}
"""The settings that are one of a few values."""

_RANGES: Final = {
    "port": (0, 65_535),
    "threads": (1, 1_024),
    "context_tokens": (2_048, 1_048_576),
}
_FILE = "settings.toml"
_ALWAYS_KEPT = ("text_size", "movement", "page_title", "exit_address", "idle_minutes")
_MAX_ADDRESS_CHARS = 300
_CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person or a volunteer may set in ``settings.toml``."""

    home: Path
    """Folder for model files and the index. Of what a person says, only the encrypted
    notebook comes here, and only where it was turned on."""
    models: Path | None = None
    """Folder of the model files; None means: ``models`` in the home folder."""
    country: str | None = None
    """ISO 3166-1 alpha-2; None means: ask."""
    language: str = "en"
    port: int = DEFAULT_PORT
    threads: int | None = None
    """Processor threads for the models; None means: as many as there are cores."""
    context_tokens: int = 4096
    chat_model: str | None = None
    """Name in ``models/registry.toml``; None means: the best one that is there."""
    text_size: str = TEXT_SIZES[0]
    movement: str = MOVEMENTS[0]
    page_title: str = PAGE_TITLES[0]
    """What the browser's tab is called."""
    exit_address: str = ""
    """Where the quick exit leads; empty means: the page's own empty sheet."""
    idle_minutes: int = 10
    hands_free: str = SWITCH[0]
    """``on`` where a spoken turn is sent by itself after a silence."""
    turn_pause_s: int = 4

    @property
    def models_dir(self) -> Path:
        """Where the model files lie."""
        return self.models or self.home / "models"

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

    ``EBB_HOME`` in the environment moves the home folder, ``EBB_MODELS`` the model
    files alone.

    Raises:
        SettingsError: If the file has an unknown key or a value of the wrong kind.
    """
    chosen = home or Path(os.environ.get("EBB_HOME") or default_home())
    models = os.environ.get("EBB_MODELS")
    settings = Settings(home=chosen, models=Path(models) if models else None)
    path = chosen / _FILE
    raw = _parsed(_text_of(path), path)
    return replace(settings, **_checked(raw, path))


def are_kept(home: Path) -> bool:
    """Tell whether the page has written its own choices to the file."""
    path = home / _FILE
    try:
        raw = _parsed(_text_of(path), path)
    except SettingsError:
        return False
    # The country alone may have been written by hand; what came later may be missing.
    return set(_ALWAYS_KEPT) <= raw.keys()


def keep(home: Path, values: Mapping[str, str | int | None]) -> None:
    """Change single settings in the file; everything else in it stays as it is.

    Args:
        home: The folder of the file.
        values: By name; None takes a setting out. A file with nothing left is deleted.

    Raises:
        SettingsError: If the file cannot be read or written; it is then unchanged.
    """
    path = home / _FILE
    before = _text_of(path)
    wanted = _parsed(before, path) | dict(values)
    wanted = {key: value for key, value in wanted.items() if value is not None}
    after = toml_lines.change(before, values)
    # The lines are changed by hand; what a reader makes of them is what counts.
    if _parsed(after, path) != wanted:
        raise SettingsError(f"{path} has a form that Ebb cannot change.")
    try:
        if after.strip():
            _replace(path, after)
        else:
            path.unlink(missing_ok=True)
    except OSError:
        raise SettingsError(f"{path} cannot be written.") from None


def check_address(given: str) -> str:
    """Give a web address as a browser opens it; an empty one stays empty.

    Raises:
        SettingsError: If it is no web address; it is not quoted.
    """
    address = given.strip()
    if not address:
        return ""
    if "://" not in address:
        address = f"https://{address}"
    try:
        parts = urlsplit(address)
        fits = bool(parts.hostname) and not parts.username and parts.port != 0
    except ValueError:
        fits = False
    if (
        not fits
        or parts.scheme not in {"http", "https"}
        or len(address) > _MAX_ADDRESS_CHARS
        or not address.isprintable()
        or any(character in address for character in " \\<>\"'")
    ):
        raise SettingsError(
            "That is not a web address. One looks like this: example.org."
        )
    return address


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"{path} cannot be read as TOML.") from None


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        return from_toml(text)
    except ValueError:
        raise SettingsError(f"{path} cannot be read as TOML.") from None


def _replace(path: Path, text: str) -> None:
    """Write all or nothing: a file half written would stop the next start."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        beside.write_text(text, "utf-8")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _checked(raw: dict[str, Any], path: Path) -> dict[str, Any]:
    kinds: dict[str, type] = {
        "country": str,
        "language": str,
        "port": int,
        "threads": int,
        "context_tokens": int,
        "chat_model": str,
        "text_size": str,
        "movement": str,
        "page_title": str,
        "exit_address": str,
        "idle_minutes": int,
        "hands_free": str,
        "turn_pause_s": int,
    }
    known = {f.name for f in fields(Settings)} - {"home", "models"}
    for key, value in raw.items():
        if key not in known:
            raise SettingsError(f"{path}: unknown setting {key!r:.40}.")
        if type(value) is not kinds[key]:
            raise SettingsError(f"{path}: “{key}” must be a {kinds[key].__name__}.")
    for key, (least, most) in _RANGES.items():
        if not least <= raw.get(key, least) <= most:
            raise SettingsError(f"{path}: “{key}” must be from {least} to {most}.")
    for key, allowed in CHOICES.items():
        if key in raw and raw[key] not in allowed:
            known_values = ", ".join(map(str, allowed))
            raise SettingsError(f"{path}: “{key}” must be one of {known_values}.")
    try:
        check_address(str(raw.get("exit_address", "")))
    except SettingsError:
        raise SettingsError(f"{path}: “exit_address” is not a web address.") from None
    return raw
