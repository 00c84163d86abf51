"""Cards carry services that fit, from the directory alone."""

from __future__ import annotations

import pytest

from assistant import refer
from assistant.content_directory import Directory
from assistant.domain import About, Card, Level, Signal, Time, TriageResult
from assistant.domain_help import CountryHelp, Service
from assistant.pipeline import Pipeline


def _result(level: Level, card: Card = Card.SUICIDE) -> TriageResult:
    signal = Signal("r", card, level, 0, 1, Time.NOW, About.SELF)
    return TriageResult(level, (card,), (signal,))


def _service(ident: str, **more: object) -> Service:
    base = {"country": "XX", "name": ident, "kind": "suicide_crisis", "phone": "1"}
    return Service(id=ident, confidence="high", **(base | more))  # type: ignore[arg-type]  # made for a test


@pytest.fixture(scope="module")
def directory(bare_pipeline: Pipeline) -> Directory:
    return bare_pipeline.directory


@pytest.mark.parametrize("level", [Level.SUPPORT, Level.URGENT, Level.EMERGENCY])
@pytest.mark.parametrize("card", list(Card))
def test_every_card_has_text_and_services_in_the_main_countries(
    bare_pipeline: Pipeline, card: Card, level: Level
) -> None:
    for code in ("GB", "US", "IN", "AE", "NG"):
        (offer,) = refer.offer_cards(
            _result(level, card), bare_pipeline.cards, bare_pipeline.directory, code
        )
        assert offer.body
        assert offer.services, (card, code)
        assert bool(offer.emergency) == (level > Level.SUPPORT)


def test_an_unknown_country_still_has_its_card(bare_pipeline: Pipeline) -> None:
    (offer,) = refer.offer_cards(
        _result(Level.URGENT), bare_pipeline.cards, bare_pipeline.directory, "ZZ"
    )
    assert offer.body
    assert offer.services == ()
    assert offer.country is None


def test_the_first_need_comes_first() -> None:
    services = [
        _service("b", kind="domestic_violence"),
        _service("a", kind="suicide_crisis"),
    ]
    chosen = refer.choose_services(services, ["suicide_crisis", "domestic_violence"])
    assert [s.id for s in chosen] == ["a", "b"]


def test_services_for_everyone_come_before_those_for_a_group() -> None:
    services = [
        _service("women", serves=("women",)),
        _service("everyone", serves=("everyone",)),
        _service("harm", serves=("people_who_harm",)),
    ]
    chosen = refer.choose_services(services, ["suicide_crisis"])
    assert [s.id for s in chosen] == ["everyone", "women"]


def test_a_register_of_specialists_is_never_on_a_danger_card(
    bare_pipeline: Pipeline, directory: Directory
) -> None:
    for text in bare_pipeline.cards.values():
        for country in directory.by_country.values():
            for service in refer.choose_services(country.services, text.needs):
                assert service.kind != "specialist_directory"


@pytest.mark.parametrize("need", sorted(refer.NEEDS))
def test_every_need_finds_something_in_britain(directory: Directory, need: str) -> None:
    help_ = directory.country("GB")
    assert help_ is not None
    assert refer.filter_services(help_, need)


def test_men_are_not_sent_to_services_for_women() -> None:
    help_ = CountryHelp(
        "XX",
        "X",
        (),
        None,
        (
            _service("w", kind="domestic_violence", serves=("women",)),
            _service("m", kind="domestic_violence", serves=("men",)),
            _service(
                "of some women",
                kind="domestic_violence",
                serves=("women", "minoritised_communities"),
            ),
            _service("all", kind="domestic_violence", serves=("women", "everyone")),
        ),
    )
    assert [s.id for s in refer.filter_services(help_, "men")] == ["m", "all"]


def test_a_country_without_services_shows_its_numbers_and_world_directories(
    bare_pipeline: Pipeline,
) -> None:
    (offer,) = refer.offer_cards(
        _result(Level.URGENT), bare_pipeline.cards, bare_pipeline.directory, "NP"
    )
    assert offer.country == "NP"
    assert [entry.number for entry in offer.emergency]
    assert offer.services == ()
    assert offer.directories


@pytest.mark.parametrize("need", sorted(refer.NEEDS))
def test_every_need_finds_services_or_directories(
    need: str, directory: Directory
) -> None:
    for code in ("GB", "US", "IN", "AE", "NG", "NP", None):
        offered = refer.offer_services(need, directory, code)
        assert offered.services or offered.directories, (need, code)
        assert len(offered.services) <= refer.MAX_SERVICES


def test_services_for_a_group_by_name_come_first(directory: Directory) -> None:
    assert "men" in refer.offer_services("men", directory, "GB").services[0].serves
    assert "lgbtq" in refer.offer_services("lgbtq", directory, "US").services[0].serves


def test_emergency_numbers_without_services_are_those_of_the_metadata(
    directory: Directory,
) -> None:
    from phonenumbers import is_emergency_number

    bare = [help_ for help_ in directory.by_country.values() if not help_.services]
    assert len(bare) > 150
    for help_ in bare:
        for entry in help_.emergency:
            assert is_emergency_number(entry.number, help_.code), help_.code
