"""The command line: every command, every exit code, never a traceback."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from assistant import cli
from tests.conftest import CANARY


@pytest.fixture
def empty_home(tmp_path: Path) -> list[str]:
    """A home folder before any model file is there."""
    return ["--home", str(tmp_path)]


def _out(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_triage_needs_no_model_file(
    empty_home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*empty_home, "triage", "--json", "I want to kill myself"]) == 0
    record = json.loads(_out(capsys))
    assert record["cards"][0] == "suicide"
    assert record["level"] in {"urgent", "emergency"}
    assert {"kind", "span", "time", "about"} <= set(record["signals"][0])


def test_lines_in_give_lines_out_in_order_with_their_ids(
    empty_home: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [{"id": f"n{n}", "text": "a grey day"} for n in range(5)]
    lines.append({"id": 6, "messages": [{"role": "user", "content": "hello"}]})  # type: ignore[dict-item]  # ids may be numbers
    text = "\n".join(json.dumps(line) for line in lines) + "\n\n"
    for command in ("triage", "patterns", "guard"):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert cli.main([*empty_home, command, "--json"]) == 0
        ids = [json.loads(line)["id"] for line in _out(capsys).splitlines()]
        assert ids == ["n0", "n1", "n2", "n3", "n4", 6]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["triage"], 2),
        (["nonsense"], 2),
        (["helplines"], 2),
        (["helplines", "--country", "Britain"], 2),
        (["helplines", "--country", "GB", "--need", "pizza"], 2),
        (["retrieve", "x", "-k", "0"], 2),
        (["retrieve", "where is he"], 4),
        (["transcribe", "no-such-file.wav"], None),
        (["eval", "--suite", "voice"], 2),
        (["reply", "x", "--model", "no-such-model"], None),
        (["--port", "99999"], 2),
        (["--language", "fr"], 2),
        (["doctor"], 4),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_errors_are_one_line_and_have_their_code(
    empty_home: list[str],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int | None,
) -> None:
    try:
        given = cli.main([*empty_home, *arguments])
    except SystemExit as stop:  # argparse itself
        given = int(stop.code or 0)
    err = capsys.readouterr().err
    assert "Traceback" not in err
    if code is not None:
        assert given == code


@pytest.mark.parametrize(
    "arguments",
    [
        ["reply", "I", "feel", CANARY],
        ["triage", "x", f"--{CANARY}"],
        [CANARY, "he", "said"],
        ["retrieve", "x", "-k", CANARY],
        ["patterns", f"--json={CANARY}"],
        ["models", CANARY],
    ],
    ids=lambda arguments: arguments[0],
)
def test_wrong_usage_does_not_repeat_what_was_written(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Words without quotation marks around them were once shown in the error."""
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert CANARY not in err
    assert "usage: ebb" in err
    assert err.strip()[-1] not in ":'"


def test_words_without_quotation_marks_are_told_how(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["reply", "I", "feel", "sad"])
    assert "needs quotation marks" in capsys.readouterr().err


def test_half_a_character_in_a_record_is_answered(
    empty_home: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO('{"id": "1", "text": "no \\ud800"}'))
    assert cli.main([*empty_home, "triage", "--json"]) == 0
    assert json.loads(_out(capsys))["id"] == "1"


def test_a_broken_line_is_exit_code_three_and_is_not_quoted(
    empty_home: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good = json.dumps({"id": "1", "text": "a grey day"})
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{good}\n{{{CANARY}\n"))
    assert cli.main([*empty_home, "triage", "--json"]) == 3
    captured = capsys.readouterr()
    assert json.loads(captured.out)["id"] == "1", "what was answered is not lost"
    assert CANARY not in captured.err
    assert captured.err.count("\n") == 1


def test_a_bug_leaves_one_line_without_what_was_said(
    empty_home: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr("assistant.triage.grade", broken)
    assert cli.main([*empty_home, "triage", CANARY]) == 1
    assert CANARY not in "".join(capsys.readouterr())


def test_reply_without_a_model_answers_from_vetted_text_and_says_so(
    empty_home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*empty_home, "reply", "--json", "he was so sweet on sunday"]) == 0
    captured = capsys.readouterr()
    record = json.loads(captured.out)
    assert {s["origin"] for s in record["sentences"]} == {"vetted"}
    assert record["notices"]
    assert "ebb models pull" in captured.err
    expected = {"triage", "patterns", "passages", "reply", "sentences", "cards"}
    assert expected | {"referrals", "guard", "timing"} <= set(record)


def test_reply_in_danger_gives_the_card_and_services(
    empty_home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    line = [*empty_home, "reply", "--json", "--country", "GB", "he choked me yesterday"]
    assert cli.main(line) == 0
    record = json.loads(_out(capsys))
    assert "strangulation" in record["cards"]
    assert record["referrals"]


def test_helplines_as_a_record(
    empty_home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    line = [*empty_home, "helplines", "--country", "gb", "--json"]
    assert cli.main(line) == 0
    record = json.loads(_out(capsys))
    assert record["country"] == "GB"
    keys = {"id", "name", "kind", "also", "phone", "dial", "sms", "chat", "website"}
    keys |= {"hours", "languages", "serves", "free", "bill_note", "caution"}
    for service in record["services"]:
        assert keys | {"sources", "confidence", "checked"} <= set(service)
    assert record["emergency"][0] == {
        "number": "999",
        "use": ["police", "ambulance", "fire"],
    }
    assert record["international"]


def test_an_unknown_country_gets_the_directories_of_the_world(
    empty_home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*empty_home, "helplines", "--country", "ZZ", "--json"]) == 0
    record = json.loads(_out(capsys))
    assert record["services"] == []
    assert record["international"]


def test_the_fast_suites_run_before_any_model_file_is_there(
    empty_home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for suite in ("triage", "guard", "patterns"):
        line = [*empty_home, "eval", "--suite", suite, "--json", "--limit", "20"]
        assert cli.main(line) == 0
        assert json.loads(_out(capsys))["suite"] == suite


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    text = _out(capsys)
    for name in ("reply", "triage", "patterns", "retrieve", "guard", "transcribe"):
        assert name in text
    for name in ("speak", "helplines", "models", "doctor", "eval", "bench"):
        assert name in text
