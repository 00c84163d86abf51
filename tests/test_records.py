"""JSON Lines in and out: clear errors that never quote what was said."""

from __future__ import annotations

import json

import pytest

from assistant import records
from assistant.domain import Role
from assistant.errors import InputError
from tests.conftest import CANARY


@pytest.mark.parametrize(
    "line",
    [
        f"{{{CANARY}",
        f'["{CANARY}"]',
        f'"{CANARY}"',
        f'{{"text": "{CANARY}"}}',
        "[" * 100_000,
        f'{{"id": {"9" * 5_000}, "text": "{CANARY}"}}',
        f'{{"id": "1", "text": "{CANARY}", "weight": NaN}}',
        f'{{"id": ["{CANARY}"], "text": "x"}}',
        f'{{"id": 1.5, "text": "{CANARY}"}}',
    ],
)
def test_a_bad_line_is_named_by_its_number_only(line: str) -> None:
    with pytest.raises(InputError, match=r"Line 2\b") as caught:
        list(records.read_lines(["", line]))
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"text": 3},
        {"messages": []},
        {"messages": "x"},
        {"messages": [{"role": "system", "content": CANARY}]},
        {"messages": [{"role": "user"}]},
        {"messages": [{"role": "assistant", "content": "x"}]},
        {"text": "x", "country": 3},
        {"text": "x", "language": []},
    ],
)
def test_a_line_without_a_text_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(InputError) as caught:
        records.input_line({"id": "7", **more})
    assert CANARY not in str(caught.value)


def test_messages_are_split_into_now_and_before() -> None:
    said = [
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "two"},
        {"role": "user", "content": "three"},
    ]
    line = records.input_line({"id": "1", "messages": said, "country": "GB"})
    assert line.utterance.text == "three"
    assert line.utterance.country == "GB"
    roles = [m.role for m in line.history.messages]
    assert roles == [Role.USER, Role.ASSISTANT]


def test_records_are_plain_json() -> None:
    empty = records.reply_record([])
    assert json.loads(json.dumps(empty)) == empty
