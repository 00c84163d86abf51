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


def test_the_environment_moves_the_model_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EBB_MODELS", str(tmp_path / "elsewhere"))
    loaded = settings.load(tmp_path)
    assert loaded.models_dir == tmp_path / "elsewhere"
    assert loaded.cache_dir == tmp_path / ".cache"


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('country = "IE"\nport = 9000\n')
    loaded = settings.load(tmp_path)
    assert (loaded.country, loaded.port) == ("IE", 9000)


@pytest.mark.parametrize(
    "text",
    [
        'colour = "red"',
        'port = "9000"',
        "port = 70000",
        "threads = true",
        "threads = 0",
        "context_tokens = -5",
        "= 3",
        f"port = {'[' * 5_000}",
        f"port = {'9' * 5_000}",
    ],
    ids=range(9),
)
def test_a_wrong_setting_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.toml"):
        settings.load(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        'text_size = "huge"',
        "idle_minutes = 7",
        'page_title = "Ebb"',
        'exit_address = "file:///etc"',
    ],
)
def test_a_choice_that_is_not_offered_is_one_clear_error(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(SettingsError, match=text.split(" ")[0]):
        settings.load(tmp_path)


def test_what_is_kept_is_read_again_and_the_rest_of_the_file_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\nport = 9000\n")
    settings.keep(tmp_path, {"text_size": "larger", "country": "IE"})
    loaded = settings.load(tmp_path)
    assert (loaded.text_size, loaded.country, loaded.port) == ("larger", "IE", 9000)
    assert path.read_text().startswith("# mine\n")
    settings.keep(tmp_path, {"text_size": None, "country": None})
    assert path.read_text() == "# mine\nport = 9000\n"


def test_a_file_with_nothing_left_is_deleted(tmp_path: Path) -> None:
    settings.keep(tmp_path, {"idle_minutes": 5})
    settings.keep(tmp_path, {"idle_minutes": None})
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_form_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    text = 'note = """\ncountry = "GB"\n"""\n'
    path.write_text(text)
    with pytest.raises(SettingsError, match="cannot change"):
        settings.keep(tmp_path, {"country": "IE"})
    assert path.read_text() == text
    assert [found.name for found in tmp_path.iterdir()] == ["settings.toml"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError):
        settings.keep(tmp_path / "file", {"country": "IE"})


def test_only_the_pages_own_choices_count_as_kept(tmp_path: Path) -> None:
    assert not settings.are_kept(tmp_path)
    settings.keep(tmp_path, {"country": "IE"})
    assert not settings.are_kept(tmp_path)
    defaults = settings.Settings(home=tmp_path)
    settings.keep(tmp_path, {name: getattr(defaults, name) for name in settings.KEPT})
    assert settings.are_kept(tmp_path)


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        ("", ""),
        ("  ", ""),
        ("example.org", "https://example.org"),
        (" https://example.org/weather?a=1 ", "https://example.org/weather?a=1"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
        ("localhost:9000", "https://localhost:9000"),
    ],
)
def test_a_web_address_is_taken(given: str, opened: str) -> None:
    assert settings.check_address(given) == opened


@pytest.mark.parametrize(
    "given",
    [
        "javascript://example.org/%0aalert(1)",
        "file:///etc/passwd",
        "https://",
        "https://who@example.org",
        "https://example.org:99999",
        "https://example.org/a b",
        "https://[broken",
        'https://example.org/"',
        "https://" + "a" * 400,
    ],
)
def test_anything_else_is_refused_without_quoting_it(given: str) -> None:
    with pytest.raises(SettingsError) as raised:
        settings.check_address(given)
    assert given not in str(raised.value)
