"""Getting to a human: cards + directory → what is shown, with services that fit.

Phone numbers and links come from the directory alone. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.content_directory import Directory
from assistant.domain import Card, Level, Signal, TriageResult
from assistant.domain_help import CardOffer, CardText, CountryHelp, Service
from assistant.events import (
    ServicesOffered,
)

MAX_SERVICES = 3

# What a person may filter the directory by: a kind of service, or whom it serves.
NEEDS: dict[str, tuple[str, ...]] = {
    "abuse": ("domestic_violence", "victim_support"),
    "suicide": ("suicide_crisis", "emotional_support"),
    "sexual_violence": ("sexual_assault", "domestic_violence"),
    "child": ("child_protection",),
    "stalking": ("domestic_violence", "victim_support"),
    "specialist": ("specialist_directory",),
    "men": ("domestic_violence", "victim_support", "emotional_support"),
    "lgbtq": ("domestic_violence", "emotional_support", "suicide_crisis"),
    "deaf": (),
    "legal": ("victim_support", "domestic_violence"),
}
_KIND_IS_ENOUGH = frozenset(
    {"abuse", "suicide", "sexual_violence", "child", "stalking"}
)
_CLOSED_TO_MEN = frozenset({"children", "young_people"})
_OPEN_TO_MEN = frozenset({"men", "everyone", "lgbtq"})


def offer_cards(
    result: TriageResult,
    texts: Mapping[Card, CardText],
    directory: Directory,
    country: str | None,
    language: str = "en",
) -> tuple[CardOffer, ...]:
    """Make the cards to show, in the order of the result."""
    return tuple(
        _offer(texts[card], _card_level(card, result), directory, country, language)
        for card in result.cards
    )


def _card_level(card: Card, result: TriageResult) -> Level:
    levels = [s.level for s in result.signals if s.kind is card]
    return max(levels, default=min(result.level, Level.SUPPORT)) or Level.SUPPORT


def _offer(
    text: CardText,
    level: Level,
    directory: Directory,
    country: str | None,
    language: str,
) -> CardOffer:
    help_ = directory.country(country)
    level = max(level, Level.SUPPORT)
    show_emergency = help_ is not None and level > Level.SUPPORT
    services = choose_services(help_.services, text.needs, language) if help_ else ()
    return CardOffer(
        card=text.card,
        level=level,
        title=text.title,
        body=text.by_level[level],
        emergency=help_.emergency if help_ and show_emergency else (),
        emergency_note=help_.emergency_note if help_ and show_emergency else None,
        services=services,
        country=help_.code if help_ else None,
        directories=() if services else directory.first_directories,
    )


def offer_services(
    need: str, directory: Directory, country: str | None, language: str = "en"
) -> ServicesOffered:
    """Give services for a person who looks for help, three at most.

    Args:
        need: A key of ``NEEDS``.
        directory: Everything that is known.
        country: ISO 3166-1 alpha-2; without one, directories of many countries.
        language: BCP 47; services that name it come before those that name others.
    """
    help_ = directory.country(country)
    fitting = filter_services(help_, need) if help_ else ()
    kinds = NEEDS[need]
    first = choose_services(fitting, kinds, language) if kinds else ()
    if need not in _KIND_IS_ENOUGH or not first:
        # What sets this need apart is not a kind: the directory's own order.
        first = fitting[:MAX_SERVICES]
    return ServicesOffered(
        need=need,
        services=first,
        country=help_.code if help_ else None,
        directories=() if first else directory.first_directories,
    )


def choose_services(
    services: Iterable[Service], needs: Sequence[str], language: str = "en"
) -> tuple[Service, ...]:
    """Choose the services that fit the needs best.

    Order: the first need first; within it those for everyone before those for a group,
    those that name the person's language, then the directory's own order. Of services
    for parts of a country the person may live in any, so they count like the others.
    Services for people who harm, and registers of specialists, are never on a card.
    """
    ranked: list[tuple[tuple[int, ...], Service]] = []
    for position, service in enumerate(services):
        kinds = (service.kind, *service.also)
        fits = [needs.index(kind) for kind in kinds if kind in needs]
        if not fits or service.kind == "specialist_directory":
            continue
        if set(service.serves) == {"people_who_harm"}:
            continue
        rank = (
            min(fits),
            int("everyone" not in service.serves and bool(service.serves)),
            int(bool(service.languages) and language not in service.languages),
            position,
        )
        ranked.append((rank, service))
    ranked.sort(key=lambda pair: pair[0])
    return tuple(service for _, service in ranked[:MAX_SERVICES])


def filter_services(help_: CountryHelp, need: str | None) -> tuple[Service, ...]:
    """Give all services of a country that fit a need; all of them without one.

    Services that are for this group by name come first.
    """
    if need is None:
        return help_.services
    fitting = [service for service in help_.services if _fits(service, need)]
    return tuple(sorted(fitting, key=lambda s: need not in s.serves))


def _fits(service: Service, need: str) -> bool:
    kinds = {service.kind, *service.also}
    if need in kinds:
        return True
    if need == "deaf":
        return any((service.sms, service.whatsapp, service.tty, service.chat))
    if not kinds & set(NEEDS.get(need, ())):
        return False
    if need == "men":
        return _is_open_to_men(frozenset(service.serves))
    if need == "lgbtq":
        return "lgbtq" in service.serves or "everyone" in service.serves
    return True


def _is_open_to_men(serves: frozenset[str]) -> bool:
    """Tell whether a man is served; a service that names women must name him too."""
    if "women" in serves:
        return bool(serves & _OPEN_TO_MEN)
    return not serves or not serves <= _CLOSED_TO_MEN


def referred_ids(offers: Iterable[CardOffer | ServicesOffered]) -> tuple[str, ...]:
    """Give the ids of all services and directories offered, each once, in order."""
    ids: list[str] = []
    for offer in offers:
        ids += [service.id for service in offer.services]
        ids += [directory.id for directory in offer.directories]
    return tuple(dict.fromkeys(ids))


def heard_kinds(signals: Iterable[Signal]) -> frozenset[Card]:
    """Give the kinds of danger among signals."""
    return frozenset(signal.kind for signal in signals)
