"""``ebb models``: tables and JSON lines, the default set, exit codes."""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.commands import models as command
from assistant.errors import ModelFileError, UsageError
from assistant.fetch import Progress, Puller, Source
from assistant.models import Kind, Model, ModelFile, ModelFolder, Registry, State

ROOT = Path(__file__).resolve().parent.parent
GB = 1_000_000_000


def sample(name: str, kind: Kind, size_bytes: int, **fields: object) -> Model:
    content = b"x" * size_bytes
    file = ModelFile(f"{name}/w.bin", size_bytes, hashlib.sha256(content).hexdigest())
    values: dict[str, object] = {
        "licence": "MIT",
        "summary": "",
        "memory_bytes": 1,
        "tested": True,
        "files": (file,),
    }
    return Model(name=name, kind=kind, **(values | fields))  # type: ignore[arg-type]


REGISTRY = Registry(
    (
        sample("llm", Kind.LLM, 300, default=True),
        sample(
            "large-llm",
            Kind.LLM,
            900,
            tested=False,
            recommended_from_memory_bytes=8 * GB,
        ),
        sample("ears", Kind.STT, 200, default=True),
        sample("finder", Kind.EMBEDDER, 100, default=True),
        sample("voice", Kind.TTS, 50),
    )
)


class ScriptedPuller(Puller):
    """Puts files in place without a network; some names fail."""

    def __init__(
        self,
        folder: ModelFolder,
        *,
        in_reach: bool = False,
        failing: dict[str, BaseException] | None = None,
    ) -> None:
        super().__init__(folder)
        self.reach = in_reach
        self.failing = failing or {}
        self.pulled: list[tuple[str, Source]] = []
        self.place = folder

    def hub_in_reach(self) -> bool:
        return self.reach

    def pull(
        self,
        model: Model,
        *,
        source: Source = Source.AUTO,
        on_progress: Callable[[Progress], None] = lambda progress: None,
    ) -> bool:
        self.pulled.append((model.name, source))
        if model.name in self.failing:
            raise self.failing[model.name]
        on_progress(Progress(model.name, model.bytes, model.bytes))
        if self.place.state(model) is State.READY:
            return False
        put(self.place, model.name)
        return True


def put(folder: ModelFolder, *names: str, content: bytes | None = None) -> None:
    for name in names:
        (file,) = folder.registry.get(name).files
        place = folder.file_path(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"x" * file.bytes if content is None else content)


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    return ModelFolder(REGISTRY, tmp_path / "models")


def pull(
    puller: ScriptedPuller,
    *names: str,
    source: Source = Source.AUTO,
    as_json: bool = False,
    memory_gb: int = 16,
) -> int:
    return command.pull(
        puller,
        puller.place,
        names,
        source=source,
        as_json=as_json,
        memory_bytes=lambda: memory_gb * GB,
    )


def verify(folder: ModelFolder, *names: str, as_json: bool = False) -> int:
    return command.verify(folder, names, as_json=as_json, memory_bytes=lambda: 16 * GB)


# --- list -----------------------------------------------------------------------------


def test_the_list_has_a_json_object_a_model(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    put(folder, "llm")
    put(folder, "ears", content=b"?")
    assert command.list_models(folder, as_json=True) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert records[0] == {
        "name": "llm",
        "kind": "llm",
        "bytes": 300,
        "licence": "MIT",
        "state": "ready",
        "tested": True,
        "default": True,
        "path": str(folder.path / "llm" / "w.bin"),
    }
    assert [record["state"] for record in records] == [
        "ready",
        "missing",
        "damaged",
        "missing",
        "missing",
    ]


def test_the_list_for_people_names_every_model(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.list_models(folder, as_json=False) == 0
    out = capsys.readouterr().out
    for model in REGISTRY.models:
        assert model.name in out
    assert "untested" in out


def test_looking_at_the_list_makes_no_folder_and_needs_no_network(
    tmp_path: Path,
) -> None:
    home = tmp_path / "models"
    program = (
        "import argparse, pathlib, sys, types;"
        "from assistant.commands import models;"
        "args = argparse.Namespace(action='list', json=True);"
        "settings = types.SimpleNamespace(models_dir=pathlib.Path(sys.argv[1]));"
        "sys.exit(models.run(args, settings))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(home)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert {record["state"] for record in records} == {"missing"}
    assert not home.exists()


# --- pull -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("in_reach", "memory_gb", "source", "pulled"),
    [
        (False, 16, Source.AUTO, ["finder", "ears", "llm"]),
        (True, 16, Source.AUTO, ["finder", "ears", "large-llm"]),
        (True, 4, Source.AUTO, ["finder", "ears", "llm"]),
        (True, 16, Source.CARRIER, ["finder", "ears", "llm"]),
    ],
)
def test_without_names_ebb_fetches_what_it_needs_the_smallest_first(
    folder: ModelFolder,
    in_reach: bool,
    memory_gb: int,
    source: Source,
    pulled: list[str],
) -> None:
    puller = ScriptedPuller(folder, in_reach=in_reach)
    assert pull(puller, source=source, memory_gb=memory_gb) == 0
    assert puller.pulled == [(name, source) for name in pulled]


def test_a_larger_model_that_is_there_is_not_joined_by_the_smaller_one(
    folder: ModelFolder,
) -> None:
    put(folder, "large-llm")
    puller = ScriptedPuller(folder)
    pull(puller)
    assert [name for name, source in puller.pulled] == ["finder", "ears", "large-llm"]


def test_the_voice_comes_only_when_it_is_named(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pull(ScriptedPuller(folder), "voice") == 0
    out, err = capsys.readouterr()
    assert out == f"voice: fetched and whole, in {folder.path / 'voice' / 'w.bin'}\n"
    assert err.startswith("voice: 1 kB, licence MIT\n")
    assert pull(ScriptedPuller(folder), "voice") == 0
    assert "already there" in capsys.readouterr().out


def test_what_was_fetched_is_told_as_json(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    pull(ScriptedPuller(folder), "voice", as_json=True)
    record = json.loads(capsys.readouterr().out)
    assert (record["name"], record["state"]) == ("voice", "ready")


def test_an_unknown_name_fetches_nothing(folder: ModelFolder) -> None:
    puller = ScriptedPuller(folder)
    with pytest.raises(UsageError):
        pull(puller, "voice", "vioce")
    assert puller.pulled == []


def test_one_failure_does_not_keep_the_others_away(folder: ModelFolder) -> None:
    failing: dict[str, BaseException] = {
        "finder": ModelFileError("finder could not be fetched."),
        "llm": ModelFileError("llm could not be fetched."),
    }
    puller = ScriptedPuller(folder, failing=failing)
    with pytest.raises(ModelFileError) as caught:
        pull(puller)
    assert str(caught.value) == "finder could not be fetched. Also not fetched: llm."
    assert caught.value.exit_code == 4
    assert folder.state(REGISTRY.get("ears")) is State.READY


def test_stopping_says_that_it_can_go_on(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    puller = ScriptedPuller(folder, failing={"finder": KeyboardInterrupt()})
    assert pull(puller) == 1
    assert "goes on from there" in capsys.readouterr().err
    assert len(puller.pulled) == 1


# --- verify ---------------------------------------------------------------------------


def test_verify_says_a_line_for_each_that_is_there(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    put(folder, "llm", "ears", "finder")
    assert verify(folder) == 0
    assert capsys.readouterr().out.splitlines() == [
        "llm: whole",
        "ears: whole",
        "finder: whole",
    ]


def test_verify_fails_when_a_default_one_is_missing(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    put(folder, "llm", "ears")
    assert verify(folder) == 4
    assert "finder: missing (ebb models pull finder)" in capsys.readouterr().out


def test_verify_takes_the_recommended_model_for_the_default_one(
    folder: ModelFolder,
) -> None:
    put(folder, "large-llm", "ears", "finder")
    assert verify(folder) == 0


@pytest.mark.parametrize("name", ["llm", "voice"])
def test_verify_fails_when_any_is_damaged(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    put(folder, "llm", "ears", "finder", "voice")
    size = folder.registry.get(name).bytes
    put(folder, name, content=b"y" * size)
    assert verify(folder) == 4
    assert f"{name}: damaged (ebb models pull {name})" in capsys.readouterr().out


def test_verify_of_a_name_fails_when_it_is_missing(folder: ModelFolder) -> None:
    put(folder, "llm")
    assert verify(folder, "llm") == 0
    assert verify(folder, "voice") == 4


def test_verify_speaks_json(
    folder: ModelFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    put(folder, "llm", content=b"?")
    assert verify(folder, "llm", as_json=True) == 4
    assert json.loads(capsys.readouterr().out)["state"] == "damaged"


# --- arguments and progress -----------------------------------------------------------


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize("action", ["list", "pull", "verify"])
def test_every_action_takes_json(action: str) -> None:
    assert parse(action, "--json").json


def test_the_source_can_be_chosen() -> None:
    assert parse("pull", "voice", "--source", "hub").source == "hub"
    assert parse("pull").source == "auto"


@pytest.mark.parametrize("words", [(), ("fetch",), ("pull", "--source", "car")])
def test_wrong_usage_ends_with_two(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(*words)
    assert caught.value.code == 2


def test_without_a_terminal_there_is_a_line_every_ten_percent() -> None:
    out = io.StringIO()
    seconds = iter(range(0, 1000, 2))
    show = command._Lines(out, lambda: float(next(seconds)))
    for percent in range(101):
        show(Progress("llm", percent * 10_000_000, GB))
    lines = out.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0] == "llm: 10 % of 1 GB, about 3 min left"
    assert lines[8] == "llm: 90 % of 1 GB, about 20 s left"
    assert lines[9] == "llm: 100 % of 1 GB"


def test_on_a_terminal_there_is_a_bar_with_the_time_left() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    with command._progress(REGISTRY.get("llm"), out) as on_progress:
        on_progress(Progress("llm", 150, 300))
    assert "150/300 bytes" in out.getvalue()
