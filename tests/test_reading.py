"""JSON and TOML from outside: everything that is wrong with a text is a ValueError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assistant import reading


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "9" * 5_000, "NaN", "[Infinity]", b"\xff"]
)
def test_what_is_no_json_is_one_kind_of_error(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the kind is what counts
        reading.from_json(text)


@pytest.mark.parametrize(
    "text", ["x", f"x = {'[' * 5_000}", f"x = {'{a=' * 5_000}", f"x = {'9' * 5_000}"]
)
def test_what_is_no_toml_is_one_kind_of_error(text: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the kind is what counts
        reading.from_toml(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (reading.from_json, '{"a": [1, "\\ud800"]}', {"a": [1, "\ud800"]}),
        (reading.from_json, b"[]", []),
        (reading.from_toml, "a = [1]\n", {"a": [1]}),
    ],
)
def test_the_rest_is_read(read: Callable[[Any], Any], text: Any, value: Any) -> None:
    assert read(text) == value


def test_half_characters_become_marks_in_their_place() -> None:
    text = "a\ud800b😭\udfffc"
    assert reading.whole(text) == "a?b😭?c"
    assert len(reading.whole(text)) == len(text)
    assert reading.whole("é\x00نعم") == "é\x00نعم"
