"""Settings: few, checked, from one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import settings
from assistant.errors import SettingsError


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    loaded = settings.load(tmp_path)
    assert loaded.models_dir == tmp_path / "models"
    assert loaded.country is None


def test_the_environment_moves_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EBB_HOME", str(tmp_path))
    assert settings.load().home == tmp_path


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('country = "IE"\nport = 9000\n')
    loaded = settings.load(tmp_path)
    assert (loaded.country, loaded.port) == ("IE", 9000)


@pytest.mark.parametrize(
    "text",
    ['colour = "red"', 'port = "9000"', "port = 70000", "threads = true", "= 3"],
)
def test_a_wrong_setting_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.toml"):
        settings.load(tmp_path)
