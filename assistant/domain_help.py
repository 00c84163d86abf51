"""The values on the way to a human: services, emergency numbers, cards.

Frozen, slotted, and without behaviour, like those of ``domain``.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.domain import Card, Level


@dataclass(frozen=True, slots=True)
class EmergencyNumber:
    """A number of the emergency services of one country."""

    number: str
    use: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Service:
    """One entry of the directory; see ``knowledge/helplines/README.md``."""

    id: str
    country: str
    name: str
    kind: str
    also: tuple[str, ...] = ()
    area: tuple[str, ...] = ()
    phone: str | None = None
    dial: str | None = None
    sms: dict[str, str] | None = None
    whatsapp: dict[str, str] | None = None
    tty: dict[str, str] | None = None
    chat: str | None = None
    email: str | None = None
    website: str | None = None
    website_seen: bool = True
    hours: str | None = None
    languages: tuple[str, ...] = ()
    serves: tuple[str, ...] = ()
    free: bool | None = None
    confidential: bool | None = None
    anonymous: bool | None = None
    bill_note: str | None = None
    caution: str | None = None
    note: str | None = None
    name_local: str | None = None
    short_code: bool = False
    other_numbers: tuple[dict[str, str], ...] = ()
    sources: tuple[str, ...] = ()
    source_date: str | None = None
    confidence: str = "medium"
    checked: str = ""


@dataclass(frozen=True, slots=True)
class WorldDirectory:
    """A directory or guide that is not bound to one country."""

    id: str
    name: str
    website: str
    what: str
    sources: tuple[str, ...]
    confidence: str
    checked: str
    first: bool = False
    """True for the ones to name where nothing is known for a country."""


@dataclass(frozen=True, slots=True)
class CountryHelp:
    """What the directory knows for one country; services may be none."""

    code: str
    name: str
    emergency: tuple[EmergencyNumber, ...]
    emergency_note: str | None
    services: tuple[Service, ...]


@dataclass(frozen=True, slots=True)
class CardText:
    """The vetted texts of one card; see ``prompts/fixed/cards/``."""

    card: Card
    version: str
    title: str
    needs: tuple[str, ...]
    sources: tuple[str, ...]
    heard: str
    by_level: dict[Level, str]
    step: str
    stay: str
    ask: str


@dataclass(frozen=True, slots=True)
class CardOffer:
    """A card as it is shown: vetted text and services of the person's country."""

    card: Card
    level: Level
    title: str
    body: str
    emergency: tuple[EmergencyNumber, ...]
    """Numbers to show on the card; empty where the level is ``SUPPORT``."""
    emergency_note: str | None
    services: tuple[Service, ...]
    country: str | None
    directories: tuple[WorldDirectory, ...] = ()
    """Directories of many countries, where no service of the country is known."""
