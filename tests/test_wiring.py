"""The whole program: without weights it says so and helps; with them it answers."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import records, settings
from assistant.adapters.audio_files import AudioFiles
from assistant.domain import (
    Card,
    Origin,
)
from assistant.errors import ModelFileError
from assistant.events import (
    CardsOffered,
    SentenceReleased,
    TurnEnded,
)
from assistant.settings import Settings
from assistant.wiring import EMBEDDER, RECOGNISER, Program
from tests.speed import slowness

PLAIN = "he was lovely all weekend and then he did not speak to me for days"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Program]:
    program = Program(Settings(home=tmp_path))
    yield program
    program.close()


def test_what_is_missing_is_said_in_one_plain_sentence(empty: Program) -> None:
    assert {part.state for part in empty.parts()} == {"loading"}
    empty.load()
    for part in empty.parts():
        assert part.state == "missing"
        assert "ebb models pull" in part.sentence
        assert part.sentence.count("\n") == 0


def test_a_talk_begins_before_anything_has_loaded(empty: Program) -> None:
    talk = empty.new_talk()
    events = list(talk.say("I want to kill myself", country="GB"))
    assert isinstance(events[1], CardsOffered)
    events = list(talk.say(PLAIN))
    assert any(isinstance(event, SentenceReleased) for event in events)
    assert isinstance(events[-1], TurnEnded)


def test_listening_before_it_is_ready_is_one_clear_error(empty: Program) -> None:
    with pytest.raises(ModelFileError, match="not ready"):
        empty.transcribe(())


def test_the_program_starts_reading_content_within_two_seconds(tmp_path: Path) -> None:
    start = time.process_time()
    Program(Settings(home=tmp_path)).close()
    # The processor's time: tests share it with others.
    assert time.process_time() - start < 2 * slowness()


def test_danger_is_heard_outside_a_talk_but_not_in_a_mere_subject(
    tmp_path: Path,
) -> None:
    program = Program(Settings(home=tmp_path))
    heard = program.hear_danger("He put his hands round my neck last night", "GB")
    assert heard[0].card is Card.STRANGULATION
    assert heard[0].emergency
    assert program.hear_danger("suicide", "GB")[0].card is Card.SUICIDE
    for subject in ("drinking", "pregnant", "I can't sleep", "sorry"):
        assert program.hear_danger(subject, "GB") == (), subject
    program.close()


# --- With real weights ----------------------------------------------------------------


def _linked_home(tmp_path: Path) -> Settings:
    """A home folder of its own that shares the weight files."""
    (tmp_path / "models").symlink_to(settings.load().models_dir)
    return Settings(home=tmp_path)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    made = Program(_linked_home(tmp_path_factory.mktemp("home")))
    made.load()
    yield made
    made.close()


@pytest.mark.weights
def test_every_part_is_ready(program: Program) -> None:
    assert {part.name: part.state for part in program.parts()} == {
        "library": "ready",
        "chat": "ready",
        "speech": "ready",
    }


@pytest.mark.weights
def test_a_reply_has_the_models_own_words_and_a_source(program: Program) -> None:
    """Over several talks: one reply alone may be all vetted, and that is right."""
    own = cited = 0
    for seed in range(4):
        talk = program.new_talk(lambda seed=seed: seed)
        record = records.reply_record(talk.say(PLAIN, country="GB"))
        assert record["passages"]
        assert 2 <= len(record["sentences"]) <= 5
        own += any(s["origin"] == Origin.MODEL for s in record["sentences"])
        cited += any(s["passage"] for s in record["sentences"])
    assert own >= 1
    assert cited >= 3


@pytest.mark.weights
def test_from_a_recording_to_a_card(program: Program, tmp_path: Path) -> None:
    """Made speech about danger: heard, and answered with the card before any word."""
    import subprocess

    path = tmp_path / "speech.wav"
    words = "Last night he choked me until I could not breathe."
    subprocess.run(["espeak-ng", "-s", "140", "-w", str(path), words], check=True)
    recording = AudioFiles().open(path)
    transcript = program.transcribe(recording.stream_blocks())
    assert "choke" in transcript.text.lower()
    events = list(program.new_talk().say(transcript.text, country="GB"))
    assert isinstance(events[1], CardsOffered)
    assert events[1].offers[0].card == "strangulation"


@pytest.mark.weights
def test_stopping_a_real_reply_ends_it_soon(program: Program) -> None:
    talk = program.new_talk()
    stopped_at = 0.0
    for event in talk.say(PLAIN):
        if isinstance(event, SentenceReleased) and not stopped_at:
            talk.stop()
            stopped_at = time.perf_counter()
    # One piece of reading may be under way; the bound is wide for a busy machine.
    assert time.perf_counter() - stopped_at < 5


@pytest.mark.weights
def test_a_second_copy_of_the_program_works_with_an_index_in_memory(
    tmp_path: Path,
) -> None:
    home = _linked_home(tmp_path)
    first, second = Program(home), Program(home)
    first.load(["library"])
    second.load(["library"])
    for copy in (first, second):
        states = {part.name: part.state for part in copy.parts()}
        assert states["library"] == "ready"
        found = copy.new_talk().say(PLAIN)
        assert any(isinstance(event, SentenceReleased) for event in found)
        copy.close()


@pytest.mark.weights
def test_a_folder_that_cannot_be_written_still_has_an_index(tmp_path: Path) -> None:
    home = _linked_home(tmp_path)
    home.cache_dir.write_text("in the way")
    program = Program(home)
    program.load(["library"])
    assert program.searcher is not None
    program.close()


@pytest.mark.weights
def test_a_damaged_weight_file_is_named_and_the_rest_works(tmp_path: Path) -> None:
    models = settings.load().models_dir
    for name in (EMBEDDER, RECOGNISER):
        shutil.copytree(models / name, tmp_path / "models" / name)
    damaged = tmp_path / "models" / RECOGNISER / "model.bin"
    with damaged.open("r+b") as file:  # the same size, one byte changed
        file.seek(1000)
        file.write(b"\x00\xff\x00\xff")
    program = Program(Settings(home=tmp_path))
    program.load()
    parts = {part.name: part for part in program.parts()}
    assert parts["library"].state == "ready"
    assert parts["speech"].state == "missing"
    assert "model.bin" in parts["speech"].sentence
    program.close()
