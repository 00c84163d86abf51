"""Single values change; every other line stays."""

from __future__ import annotations

import tomllib

import pytest

from assistant import toml_lines

TEXT = """# by hand
port = 9000
country="IE"  # here

[later]
country = "inside"
"""


def test_values_are_replaced_and_added_before_the_first_table() -> None:
    after = toml_lines.change(TEXT, {"country": "GB", "idle_minutes": 5})
    assert tomllib.loads(after) == {
        "port": 9000,
        "country": "GB",
        "idle_minutes": 5,
        "later": {"country": "inside"},
    }
    assert "# by hand" in after


def test_none_takes_a_value_out() -> None:
    after = toml_lines.change(TEXT, {"country": None, "text_size": None})
    assert tomllib.loads(after) == {"port": 9000, "later": {"country": "inside"}}


@pytest.mark.parametrize("value", ['a "quoted" \\ one', "ünï — 文", "", "a\nb"])
def test_any_text_comes_back_as_it_was(value: str) -> None:
    after = toml_lines.change("", {"exit_address": value})
    assert tomllib.loads(after) == {"exit_address": value}
