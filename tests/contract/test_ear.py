"""The ear that ships with the program: quick, steady, and it hears what it must."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant.adapters.onnx_ear import OnnxEar
from assistant.adapters.remembering_ear import RememberingEar
from assistant.domain import Card
from assistant.errors import ModelFileError
from assistant.ports import Ear, Heard
from tests.speed import slowness

DANGER = "he put his hand there and everything went black for a bit"
CALM = "we planted tomatoes and had soup, it was a quiet sunday"


@pytest.fixture(scope="module", params=["plain", "remembering"])
def ear(request: pytest.FixtureRequest) -> Ear:
    whole = OnnxEar()
    return whole if request.param == "plain" else RememberingEar(whole)


def test_chances_are_between_none_and_one(ear: Ear) -> None:
    (heard,) = ear.hear([DANGER])
    for chances in (heard.levels, heard.abouts, heard.times, heard.topics):
        assert sum(chances.values()) == pytest.approx(1.0, abs=1e-4)
    for chances in (heard.cards, heard.patterns):
        assert all(0 <= chance <= 1 for chance in chances.values())
    assert set(heard.cards) == {str(card) for card in Card}


def test_danger_without_a_keyword_is_told_from_calm(ear: Ear) -> None:
    danger, calm = ear.hear([DANGER, CALM])
    assert danger.levels["none"] < 0.5 < calm.levels["none"]


def test_company_in_a_batch_changes_little(ear: Ear) -> None:
    alone = ear.hear([DANGER])[0].levels["none"]
    together = ear.hear([CALM * 4, DANGER, "no"])[1].levels["none"]
    assert together == pytest.approx(alone, abs=0.1)


def test_strange_texts_are_heard_without_an_error(ear: Ear) -> None:
    assert len(ear.hear(["", "🙂", "a" * 10_000, "\x00", "نعم"])) == 5
    # Half a character, from a paste or a record: no tokenizer takes it.
    assert len(ear.hear(["he said \ud800 no", "\udfff"])) == 2
    assert ear.hear([]) == []


def test_a_sentence_takes_milliseconds(ear: Ear) -> None:
    ear.hear([DANGER])
    times = []
    for _ in range(15):
        start = time.perf_counter()
        ear.hear([DANGER])
        times.append(time.perf_counter() - start)
    # About five on an idle machine; the median of a busy one stays under this.
    assert sorted(times)[7] < 0.06 * slowness()


def test_a_damaged_ear_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "ear.onnx").write_bytes(b"damaged")
    with pytest.raises(ModelFileError):
        OnnxEar(tmp_path)


def test_the_labels_are_those_of_the_library() -> None:
    from assistant.content import content_root, read_toml

    folder = Path(__file__).resolve().parents[2] / "assistant" / "ear"
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    topics = read_toml(content_root() / "knowledge" / "topics.toml")["topic"]
    assert labels["topics"] == [t["id"] for t in topics] + ["off_topic"]
    patterns = read_toml(content_root() / "knowledge" / "patterns.toml")["pattern"]
    assert labels["patterns"] == [p["id"] for p in patterns]


class _Counting(Ear):
    """Counts what it is given; every text is heard alike."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def hear(self, texts: Sequence[str]) -> list[Heard]:
        self.given += texts
        return [Heard({}, {}, {}, {}, {}, {}, {"length": len(t)}) for t in texts]


def test_the_same_words_are_heard_once_and_in_their_order() -> None:
    inner = _Counting()
    ear = RememberingEar(inner)
    ear.hear(["a", "bb"])
    heard = ear.hear(["ccc", "a", "bb", "ccc"])
    assert [h.guard["length"] for h in heard] == [3, 1, 2, 3]
    assert inner.given == ["a", "bb", "ccc"]


def test_of_what_was_heard_no_word_is_kept() -> None:
    ear = RememberingEar(_Counting())
    ear.hear(["quillowmere"])
    assert "quillowmere" not in repr(vars(ear) | {"_ear": None})


def test_old_texts_are_forgotten() -> None:
    inner = _Counting()
    ear = RememberingEar(inner, most=2)
    ear.hear(["a", "bb", "ccc"])  # more at once than it keeps
    ear.hear(["a"])
    assert inner.given == ["a", "bb", "ccc", "a"]
