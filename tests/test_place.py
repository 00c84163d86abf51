"""A country changes only by a clear sentence about oneself and now."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import content
from assistant.place import Places

PLACES = Places(
    {"dubai": "AE", "london": "GB", "the uk": "GB", "lagos": "NG", "new york": "US"}
    | {"york": "GB", "spain": "ES", "saudi": "SA", "jordan": "JO"}
    | {"ontario": "CA", "nova scotia": "CA", "england": "GB"},
    {"halifax": ["CA", "GB"], "london": ["GB", "CA"]},
)


@pytest.mark.parametrize(
    ("said", "country"),
    [
        ("I am in Dubai now, where can I get help", "AE"),
        ("im in dubai and he has my passport", "AE"),
        ("We’re living in London since May", "GB"),
        ("we moved to the UK for his job", "GB"),
        ("is there a shelter in Lagos?", "NG"),
        ("i live in the north of Spain", "ES"),
        ("I'm in New York, he isn't", "US"),
        ("I just landed in saudi with him", "SA"),
        ("I was in London but I'm in Dubai now", "AE"),
        ("where is help here in Lagos", "NG"),
    ],
)
def test_a_place_of_ones_own_now_is_heard(said: str, country: str) -> None:
    assert PLACES.said_in(said) == country


@pytest.mark.parametrize(
    "said",
    [
        "he is in Dubai",
        "when I'm in London I feel safe",
        "he said I'm in Dubai only because of him",
        "I wish I was in Spain",
        "if we moved to Spain it would stop",
        "I am not in London any more",
        "I'm in Jordan's room",
        "I'm in pieces",
        "I'm in love with him",
        "I live in Londonderry Street",
        "my sister lives in Lagos",
        "I moved to Spain last year and came back",
        "",
    ],
)
def test_other_sentences_change_nothing(said: str) -> None:
    assert PLACES.said_in(said) is None


def test_of_several_messages_the_last_place_counts() -> None:
    assert (
        PLACES.last_said(["I'm in Dubai", "hello", "now I live in London", ""]) == "GB"
    )


def test_long_text_is_read_in_linear_time() -> None:
    assert PLACES.said_in("i am in " * 20_000) is None


@pytest.mark.parametrize(
    ("said", "known", "country"),
    [
        ("I'm in Halifax", None, None),
        ("I'm in Halifax", "US", None),
        ("I'm in Halifax, Nova Scotia", "US", "CA"),
        ("I'm in halifax in england", None, "GB"),
        ("I'm in London", None, "GB"),
        ("I'm in London", "FR", "GB"),
        ("I live in London, Ontario", None, "CA"),
    ],
)
def test_a_name_of_several_places_is_not_guessed(
    said: str, known: str | None, country: str | None
) -> None:
    assert PLACES.said_in(said, known) == country


@pytest.mark.parametrize("known", ["CA", "GB"])
def test_a_name_that_lies_in_the_known_country_stays_there(known: str) -> None:
    for said in ("I'm in Halifax", "I'm in London"):
        assert PLACES.said_in(said, known) in {None, known}
    assert PLACES.last_said(["I'm in London", "hello"], "CA") == "CA"


def test_every_doubtful_name_has_several_countries(root: Path) -> None:
    raw = content.read_toml(root / "knowledge" / "helplines" / "places.toml")
    assert all(len(set(codes)) > 1 for codes in raw["also"].values())
    sure = {name: code for code, names in raw["place"].items() for name in names}
    for name, codes in raw["also"].items():
        assert sure.get(name, codes[0]) in codes, name
