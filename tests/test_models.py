"""The registry is checked key by key; a file counts only if its SHA-256 fits."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from assistant.errors import ContentError, ModelFileError, UsageError
from assistant.models import (
    HubFile,
    Kind,
    Model,
    ModelFile,
    ModelFolder,
    Registry,
    State,
    best_llm_there,
    choose_llm,
    say_bytes,
)

ROOT = Path(__file__).resolve().parent.parent
GB = 1_000_000_000

ENTRY = """
[[model]]
name = "tiny"
kind = "llm"
licence = "MIT"
summary = "For tests."
memory_bytes = 1
tested = true

[[model.file]]
path = "tiny/weights.bin"
bytes = 3
sha256 = "{sha}"
hub = {{ repo = "a/b", revision = "main", file = "weights.bin" }}
parts = [{{ package = "p", version = "1", member = "p/weights.bin" }}]
""".format(sha="0" * 64)


def sample(name: str, content: bytes = b"weights", **fields: object) -> Model:
    file = ModelFile(
        path=f"{name}/{name}.bin",
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        hub=HubFile("a/b", "main", "w.bin"),
    )
    values: dict[str, object] = {
        "kind": Kind.LLM,
        "licence": "MIT",
        "summary": "",
        "memory_bytes": 1,
        "tested": True,
        "files": (file,),
    }
    return Model(name=name, **(values | fields))  # type: ignore[arg-type]


def put(folder: ModelFolder, model: Model, content: bytes) -> Path:
    place = folder.file_path(model.files[0])
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place


# --- The registry ---------------------------------------------------------------------


def test_the_project_s_own_registry_is_valid() -> None:
    registry = Registry.load(ROOT / "models" / "registry.toml")
    defaults = [model for model in registry.models if model.default]
    assert sorted(model.kind for model in defaults) == ["embedder", "llm", "stt"]
    for model in defaults:
        assert all(file.parts for file in model.files), model.name
        assert model.tested, model.name
    for model in registry.models:
        assert {file.path.split("/")[0] for file in model.files} == {model.name}


def test_a_registry_entry_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "registry.toml"
    path.write_text(ENTRY)
    (model,) = Registry.load(path).models
    assert (model.name, model.kind, model.bytes) == ("tiny", Kind.LLM, 3)
    assert model.files[0].hub == HubFile("a/b", "main", "weights.bin")
    assert model.files[0].parts[0].member == "p/weights.bin"


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('licence = "MIT"\n', "", "licence"),
        ('licence = "MIT"\n', 'licence = "MIT"\ncolour = "red"\n', "colour"),
        ("bytes = 3", 'bytes = "3"', "bytes"),
        ("tested = true", "tested = 1", "tested"),
        ('kind = "llm"', 'kind = "car"', "kind"),
        ('sha256 = "0', 'sha256 = "g', "sha256"),
        ('path = "tiny/weights.bin"', 'path = "../weights.bin"', "path"),
        ('path = "tiny/weights.bin"', 'path = "/etc/passwd"', "path"),
        ('path = "tiny/weights.bin"', r'path = "tiny/a\\b"', "path"),
        ('revision = "main", ', "", "revision"),
        ('member = "p/weights.bin"', 'member = "x", size = 1', "size"),
        ("parts = [{ package", "parts = [] #", "parts"),
    ],
)
def test_a_wrong_registry_entry_is_named_with_file_and_field(
    tmp_path: Path, old: str, new: str, field: str
) -> None:
    path = tmp_path / "registry.toml"
    assert old in ENTRY
    path.write_text(ENTRY.replace(old, new, 1))
    with pytest.raises(ContentError) as caught:
        Registry.load(path)
    assert str(path) in str(caught.value)
    assert f"“{field}”" in str(caught.value)


def test_a_file_that_comes_from_nowhere_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "registry.toml"
    path.write_text(ENTRY[: ENTRY.index("hub =")])
    with pytest.raises(ContentError, match="where the file comes from"):
        Registry.load(path)


def test_a_name_that_is_there_twice_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "registry.toml"
    path.write_text(ENTRY + ENTRY)
    with pytest.raises(ContentError, match="“name” is there twice"):
        Registry.load(path)


@pytest.mark.parametrize("content", [b"not = [toml", b"\xff\xfe", None])
def test_an_unreadable_registry_is_one_clear_sentence(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "registry.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ContentError, match="cannot be read as TOML"):
        Registry.load(path)


def test_an_unknown_model_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="Ebb knows: one, two") as caught:
        Registry((sample("one"), sample("two"))).get("three")
    assert caught.value.exit_code == 2


# --- Which language model -------------------------------------------------------------

SMALL = sample("small", default=True)
LARGE = sample("large", recommended_from_memory_bytes=8 * GB)
HUGE = sample("huge", recommended_from_memory_bytes=32 * GB)
TOY = sample("toy")
LLMS = Registry((TOY, SMALL, LARGE, HUGE))


@pytest.mark.parametrize(
    ("memory_gb", "hub", "chosen"),
    [
        (4, True, "small"),
        (8, True, "large"),
        (16, True, "large"),
        (64, True, "huge"),
        (64, False, "small"),
    ],
)
def test_memory_and_reach_decide_the_language_model(
    memory_gb: int, hub: bool, chosen: str
) -> None:
    model = choose_llm(LLMS, memory_bytes=memory_gb * GB, hub_in_reach=hub)
    assert model.name == chosen


def test_a_registry_without_a_default_language_model_is_an_error() -> None:
    with pytest.raises(ContentError, match="no default language model"):
        choose_llm(Registry((TOY,)), memory_bytes=GB, hub_in_reach=True)


@pytest.mark.parametrize(
    ("there", "memory_gb", "used"),
    [
        ((), 16, None),
        ((TOY,), 16, None),
        ((TOY, SMALL), 16, "small"),
        ((SMALL, LARGE), 16, "large"),
        ((SMALL, LARGE), 4, "small"),
        ((LARGE,), 4, None),
    ],
)
def test_the_best_language_model_that_is_there_is_used(
    tmp_path: Path, there: tuple[Model, ...], memory_gb: int, used: str | None
) -> None:
    folder = ModelFolder(LLMS, tmp_path)
    for model in there:
        put(folder, model, b"weights")
    best = best_llm_there(folder, memory_bytes=memory_gb * GB)
    assert (best and best.name) == used


# --- What is there --------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    return ModelFolder(Registry((SMALL,)), tmp_path / "models")


def test_a_model_that_was_never_fetched_is_missing(folder: ModelFolder) -> None:
    assert folder.state(SMALL) is State.MISSING
    assert not folder.path.exists()


def test_a_whole_file_is_ready_and_a_short_one_is_damaged(folder: ModelFolder) -> None:
    put(folder, SMALL, b"weights")
    assert folder.state(SMALL) is State.READY
    put(folder, SMALL, b"weigh")
    assert folder.state(SMALL) is State.DAMAGED


def test_damage_that_keeps_the_size_is_found_at_the_next_look(
    folder: ModelFolder,
) -> None:
    put(folder, SMALL, b"weights")
    assert folder.state(SMALL) is State.READY
    place = put(folder, SMALL, b"weighty")
    os.utime(place, ns=(1, 1))
    assert folder.state(SMALL) is State.DAMAGED
    assert folder.state(SMALL) is State.DAMAGED


def test_a_stamp_saves_the_reading_and_a_thorough_look_does_not_trust_it(
    folder: ModelFolder,
) -> None:
    place = put(folder, SMALL, b"weights")
    assert folder.state(SMALL) is State.READY
    before = place.stat().st_mtime_ns
    place.write_bytes(b"weighty")
    os.utime(place, ns=(before, before))
    assert folder.state(SMALL) is State.READY
    assert folder.state(SMALL, thorough=True) is State.DAMAGED
    assert folder.state(SMALL) is State.DAMAGED


@pytest.mark.parametrize(
    "stamps",
    [
        "",
        "[]",
        '{"small/small.bin": 3}',
        "{",
        "[" * 100_000,
        '{"small/small.bin": [7, TIME, ""]}',
        '{"small/small.bin": [7, TIME, null]}',
        '{"small/small.bin": [7, TIME, "%s"]}' % ("0" * 64),
    ],
    ids=range(8),
)
def test_a_damaged_stamp_file_only_costs_time(folder: ModelFolder, stamps: str) -> None:
    """A stamp with a wrong checksum once made a whole file damaged for good."""
    place = put(folder, SMALL, b"weights")
    stamps = stamps.replace("TIME", str(place.stat().st_mtime_ns))
    (folder.path / "verified.json").write_text(stamps)
    assert folder.state(SMALL) is State.READY


def test_a_stamp_that_cannot_be_written_only_costs_time(folder: ModelFolder) -> None:
    put(folder, SMALL, b"weights")
    (folder.path / "verified.json").mkdir()
    assert folder.state(SMALL) is State.READY
    assert [path.name for path in folder.path.glob("*.new")] == []


def test_a_folder_where_a_file_should_be_is_damage(folder: ModelFolder) -> None:
    folder.file_path(SMALL.files[0]).mkdir(parents=True)
    assert folder.state(SMALL) is State.DAMAGED


@pytest.mark.parametrize(("content", "word"), [(None, "missing"), (b"x", "damaged")])
def test_what_is_required_and_unusable_is_said_in_one_sentence(
    folder: ModelFolder, content: bytes | None, word: str
) -> None:
    if content is not None:
        put(folder, SMALL, content)
    with pytest.raises(ModelFileError) as caught:
        folder.require("small")
    sentence = str(caught.value)
    assert "small.bin" in sentence
    assert word in sentence
    assert str(folder.path / "small") in sentence
    assert "ebb models pull small" in sentence
    assert "\n" not in sentence
    assert caught.value.exit_code == 4


def test_one_file_is_located_as_a_file_and_several_as_their_folder(
    tmp_path: Path,
) -> None:
    (file,) = SMALL.files
    other = ModelFile("pair/other.bin", 1, "0" * 64)
    first = ModelFile("pair/first.bin", 1, "0" * 64)
    pair = sample("pair", files=(first, other))
    folder = ModelFolder(Registry((SMALL, pair)), tmp_path)
    assert folder.locate("small") == tmp_path / file.path
    assert folder.locate("pair") == tmp_path / "pair"
    put(folder, SMALL, b"weights")
    assert folder.require("small") == tmp_path / file.path


def test_a_file_with_another_checksum_is_not_put_in_place(folder: ModelFolder) -> None:
    folder.path.mkdir()
    arrived = folder.path / "arrived"
    arrived.write_bytes(b"weighty")
    digest = hashlib.sha256(b"weighty").hexdigest()
    assert not folder.accept(SMALL.files[0], arrived, digest)
    assert arrived.exists()
    assert folder.state(SMALL) is State.MISSING


@pytest.mark.parametrize(
    ("count", "words"),
    [(4, "1 kB"), (2309, "2 kB"), (22_928_619, "23 MB"), (1_117_320_768, "1.1 GB")],
)
def test_sizes_are_said_in_decimal_units(count: int, words: str) -> None:
    assert say_bytes(count) == words
