"""What the person chose for this sitting, and what of it is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import settings as settings_file
from assistant.errors import SettingsError
from assistant.settings import CHOICES, Settings
from assistant.ui import settings_panel
from assistant.ui.preferences import DEFAULT, TITLES, Sitting, changed


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, str(value)) for name, values in CHOICES.items() for value in values],
)
def test_every_choice_that_is_offered_can_be_made(name: str, value: str) -> None:
    assert str(getattr(changed(DEFAULT, name, value), name)) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text_size", "huge"),
        ("idle_minutes", "7"),
        ("idle_minutes", "-5"),
        ("page_title", ""),
        ("exit_address", "javascript:alert(1)"),
        ("title", "Notes"),
        ("port", "80"),
        ("hands_free", "yes"),
        ("turn_pause_s", "1"),
    ],
)
def test_anything_else_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError):
        changed(DEFAULT, name, value)


def test_every_title_has_a_word_and_a_picture() -> None:
    static = Path(settings_panel.__file__).parent / "static"
    assert tuple(TITLES) == settings_file.PAGE_TITLES
    for name in TITLES:
        assert (static / f"icon-{name}.svg").is_file()


def test_choices_stay_in_memory_unless_asked(tmp_path: Path) -> None:
    sitting = Sitting(Settings(home=tmp_path))
    sitting.change("text_size", "largest")
    sitting.keep_country("GB")
    assert sitting.preferences.text_size == "largest"
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_holds_at_the_next_start_until_it_is_taken_out(
    tmp_path: Path,
) -> None:
    sitting = Sitting(Settings(home=tmp_path))
    sitting.change("page_title", "tab")
    sitting.keep(True, "IE")
    sitting.change("exit_address", "example.org")
    sitting.keep_country("GB")
    loaded = settings_file.load(tmp_path)
    again = Sitting(loaded)
    assert again.is_kept
    assert again.preferences == sitting.preferences
    assert loaded.country == "GB"
    again.keep(False, "GB")
    assert list(tmp_path.iterdir()) == []
    assert again.preferences.page_title == "tab"


def test_spoken_replies_are_never_kept(tmp_path: Path) -> None:
    """A page that speaks by itself after a start could be overheard."""
    sitting = Sitting(Settings(home=tmp_path))
    sitting.keep(True, "IE")
    sitting.change("spoken_replies", "on")
    sitting.change("hands_free", "on")
    written = (tmp_path / "settings.toml").read_text()
    assert "spoken" not in written
    assert 'hands_free = "on"' in written
    again = Sitting(settings_file.load(tmp_path)).preferences
    assert (again.spoken_replies, again.hands_free) == ("off", "on")


def test_a_file_from_before_hands_free_still_counts_as_kept(tmp_path: Path) -> None:
    Sitting(Settings(home=tmp_path)).keep(True, "IE")
    settings_file.keep(tmp_path, {"hands_free": None, "turn_pause_s": None})
    assert Sitting(settings_file.load(tmp_path)).is_kept


def test_only_harmless_settings_are_written(tmp_path: Path) -> None:
    Sitting(Settings(home=tmp_path, port=9000)).keep(True, "IE")
    written = (tmp_path / "settings.toml").read_text()
    names = {line.split(" = ")[0] for line in written.splitlines()}
    assert names == set(settings_file.KEPT)
