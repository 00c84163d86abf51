"""The port ``ChatModel``, on the stand-in and on real weights."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import settings
from assistant.adapters.scripted import ScriptedChat
from assistant.domain import Message, Prompt, Role
from assistant.errors import GenerateError, ModelFileError
from assistant.ports import ChatModel
from tests.speed import slowness

PROMPT = Prompt(
    (
        Message(Role.SYSTEM, "You answer in short plain sentences."),
        Message(Role.USER, "Say something about the sea."),
    ),
    "test",
    "1.0.0",
)
# The smallest weights: this is about the plumbing, not about what is said.
WEIGHTS = "smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf"


def _open(cache: Path | None = None) -> ChatModel:
    from assistant.adapters.llama_chat import LlamaChat

    path = settings.load().models_dir / WEIGHTS
    return LlamaChat(
        path, context_tokens=1024, threads=2, cache_dir=cache, checksum="test"
    )


@pytest.fixture(
    params=[
        pytest.param("scripted", id="scripted"),
        pytest.param("real", id="real", marks=pytest.mark.weights),
    ]
)
def chat(request: pytest.FixtureRequest) -> Iterator[ChatModel]:
    if request.param == "scripted":
        yield ScriptedChat(["The sea is wide and blue. It moves all day."] * 8)
    else:
        yield _open()


def _all(chat: ChatModel, seed: int = 1, max_tokens: int = 24) -> str:
    deltas = chat.stream(
        PROMPT, max_tokens=max_tokens, seed=seed, stopped=lambda: False
    )
    return "".join(deltas)


def test_a_reply_comes_in_several_deltas(chat: ChatModel) -> None:
    deltas = list(chat.stream(PROMPT, max_tokens=24, seed=1, stopped=lambda: False))
    assert len(deltas) > 3
    assert "".join(deltas).strip()


def test_the_same_seed_gives_the_same_reply(chat: ChatModel) -> None:
    assert _all(chat, seed=5) == _all(chat, seed=5)


def test_stopping_ends_the_stream(chat: ChatModel) -> None:
    got: list[str] = []
    stream = chat.stream(PROMPT, max_tokens=200, seed=1, stopped=lambda: len(got) >= 2)
    for delta in stream:
        got.append(delta)
    assert len(got) <= 3


def test_a_stream_that_is_closed_frees_the_model(chat: ChatModel) -> None:
    stream = chat.stream(PROMPT, max_tokens=200, seed=1, stopped=lambda: False)
    next(iter(stream))
    stream.close()  # type: ignore[attr-defined]  # ports give generators
    assert _all(chat)


def test_half_a_character_is_read(chat: ChatModel) -> None:
    """Found by strange input: no model takes the half of a character from a paste."""
    assert chat.count_tokens("he said \ud800 no") > 0


def test_tokens_are_counted(chat: ChatModel) -> None:
    assert chat.count_tokens("one two three four") >= 4
    assert chat.count_tokens("") == 0


@pytest.mark.weights
def test_a_prompt_beyond_the_window_is_one_clear_error() -> None:
    chat = _open()
    long = Prompt((Message(Role.USER, "word " * 3000),), "test", "1")
    with pytest.raises(GenerateError):
        chat.stream(long, max_tokens=10, seed=1, stopped=lambda: False)


@pytest.mark.weights
def test_two_callers_wait_for_each_other() -> None:
    chat = _open()
    replies: list[str] = []
    threads = [
        threading.Thread(target=lambda: replies.append(_all(chat))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert len(set(replies)) == 1
    assert len(replies) == 3


@pytest.mark.weights
def test_a_beginning_is_continued() -> None:
    chat = _open()
    begun = Prompt(
        (*PROMPT.messages, Message(Role.ASSISTANT, "One, two, three,")), "test", "1"
    )
    reply = "".join(chat.stream(begun, max_tokens=8, seed=1, stopped=lambda: False))
    assert not reply.startswith("One")


@pytest.mark.weights
def test_emoji_and_accents_arrive_whole() -> None:
    chat = _open()
    prompt = Prompt(
        (Message(Role.USER, "Repeat: 🌊 café نعم 🌊 café نعم"),), "test", "1"
    )
    reply = "".join(chat.stream(prompt, max_tokens=40, seed=1, stopped=lambda: False))
    assert "\ufffd" not in reply


@pytest.mark.weights
def test_the_fixed_part_is_read_once_and_kept(tmp_path: Path) -> None:
    system = "You answer in short plain sentences. " * 40
    prompt = Prompt(
        (Message(Role.SYSTEM, system), Message(Role.USER, ".")), "test", "1"
    )
    first = _open(tmp_path)
    start = time.perf_counter()
    first.warm(prompt)
    read_s = time.perf_counter() - start
    (kept,) = tmp_path.glob("prompt-*.bin")
    second = _open(tmp_path)
    start = time.perf_counter()
    second.warm(prompt)
    restored_s = time.perf_counter() - start
    assert restored_s < read_s / 2
    whole = Prompt(
        (Message(Role.SYSTEM, system), Message(Role.USER, "Say hello.")), "test", "1"
    )
    replies = [
        "".join(c.stream(whole, max_tokens=16, seed=3, stopped=lambda: False))
        for c in (first, second)
    ]
    assert replies[0] == replies[1]
    assert b"Say hello" not in kept.read_bytes(), "nothing that was said is kept"


@pytest.mark.weights
def test_a_damaged_kept_state_is_read_anew(tmp_path: Path) -> None:
    prompt = Prompt(
        (Message(Role.SYSTEM, "Be brief. " * 20), Message(Role.USER, ".")), "test", "1"
    )
    _open(tmp_path).warm(prompt)
    (kept,) = tmp_path.glob("prompt-*.bin")
    kept.write_bytes(b"damaged")
    chat = _open(tmp_path)
    chat.warm(prompt)
    assert _all(chat)


@pytest.mark.weights
def test_a_damaged_model_file_is_named(tmp_path: Path) -> None:
    from assistant.adapters.llama_chat import LlamaChat

    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF but no more")
    with pytest.raises(ModelFileError, match=r"broken\.gguf"):
        LlamaChat(path, context_tokens=512, threads=1)


@pytest.mark.weights
def test_stopping_in_the_middle_of_reading_frees_the_model_soon(
    capfd: pytest.CaptureFixture[str],
) -> None:
    chat = _open()
    long = Prompt((Message(Role.USER, "word " * 900),), "test", "1")
    stop = threading.Event()
    ended: list[float] = []

    def read() -> None:
        list(chat.stream(long, max_tokens=10, seed=1, stopped=stop.is_set))
        ended.append(time.monotonic())

    before = _all(chat)
    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(0.2)
    assert not ended, "it was read before it could be stopped"
    asked = time.monotonic()
    stop.set()
    reader.join(timeout=20)
    assert ended[0] - asked < 0.3 * slowness()
    assert capfd.readouterr().err == "", "the terminal is not told"
    assert _all(chat) == before


@pytest.mark.weights
def test_what_was_said_is_forgotten_when_asked() -> None:
    chat = _open()
    before = _all(chat)
    chat.forget()
    known = chat._llama.input_ids  # type: ignore[attr-defined]  # looks inside
    assert not known.any()
    assert _all(chat) == before
