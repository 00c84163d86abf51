"""Read the directory of services, ``knowledge/helplines/``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from assistant import content
from assistant.domain_help import CountryHelp, EmergencyNumber, Service, WorldDirectory
from assistant.errors import ContentError
from assistant.place import Places

KINDS = (
    "domestic_violence",
    "suicide_crisis",
    "sexual_assault",
    "child_protection",
    "victim_support",
    "emotional_support",
    "specialist_directory",
)

_WHICH_SERVICE = (
    "These numbers come from phone-number metadata. Which service answers is not known "
    "here; any of them can be asked."
)
_AMBIGUOUS_NAMES = frozenset({"georgia", "jersey"})
"""Also a state of another country."""


@dataclass(frozen=True, slots=True)
class Directory:
    """Everything that is known about where help can be reached."""

    by_country: dict[str, CountryHelp]
    international: tuple[WorldDirectory, ...]
    technology: tuple[WorldDirectory, ...]
    places: Places

    @property
    def first_directories(self) -> tuple[WorldDirectory, ...]:
        """Directories of many countries to name where nothing else is known."""
        return tuple(entry for entry in self.international if entry.first)

    @property
    def countries(self) -> tuple[tuple[str, str], ...]:
        """Codes and English names, ordered by name."""
        pairs = ((help_.code, help_.name) for help_ in self.by_country.values())
        return tuple(sorted(pairs, key=lambda pair: pair[1]))

    def country(self, code: str | None) -> CountryHelp | None:
        """Give what is known for a country; None where its code is unknown."""
        return self.by_country.get((code or "").upper())


@dataclass(frozen=True, slots=True)
class _Emergency:
    number: str
    use: tuple[str, ...]
    in_metadata: bool


@dataclass(frozen=True, slots=True)
class _NumbersOnly:
    name: str
    numbers: tuple[str, ...]


def load(root: Path) -> Directory:
    """Read and validate every country.

    Raises:
        ContentError: If a file is invalid; names the file and the field.
    """
    folder = root / "knowledge" / "helplines"
    countries = [_read_country(path) for path in sorted(folder.glob("[A-Z][A-Z].toml"))]
    countries += _read_emergency_only(folder / "emergency.toml")
    by_country = {country.code: country for country in countries}
    world = content.read_toml(folder / "international.toml")
    return Directory(
        by_country,
        _world(world, "directory"),
        _world(world, "technology"),
        _places(folder / "places.toml", by_country),
    )


def _read_emergency_only(path: Path) -> list[CountryHelp]:
    """Read the countries whose services are not known, with their numbers."""
    raw = content.read_toml(path)
    table = content.take(raw, "country", dict[str, dict[str, Any]], path.name)
    known = {
        code: content.build(_NumbersOnly, entry, f"{path.name}: {code:.40}")
        for code, entry in table.items()
    }
    return [
        CountryHelp(
            code=code,
            name=entry.name,
            emergency=tuple(
                EmergencyNumber(number, ("emergency",)) for number in entry.numbers
            ),
            emergency_note=_WHICH_SERVICE,
            services=(),
        )
        for code, entry in known.items()
    ]


def _places(path: Path, by_country: dict[str, CountryHelp]) -> Places:
    """Read every name of a place with its country, and with the others it may be in."""
    names = {
        country.name.lower(): code
        for code, country in by_country.items()
        if country.name.lower() not in _AMBIGUOUS_NAMES
    }
    raw = content.read_toml(path)
    places = content.take(raw, "place", dict[str, tuple[str, ...]], path.name)
    also = content.take(raw, "also", dict[str, tuple[str, ...]], path.name)
    for code in (*places, *(code for codes in also.values() for code in codes)):
        if code not in by_country:
            raise ContentError(f"{path.name}: the country {code:.40} is unknown.")
    for code, said in places.items():
        names |= dict.fromkeys(said, code)
    return Places(names, also)


def _world(raw: dict[str, Any], key: str) -> tuple[WorldDirectory, ...]:
    return tuple(
        content.build(WorldDirectory, entry, "international.toml")
        for entry in content.take(raw, key, content.TABLES, "international.toml")
    )


def _read_country(path: Path) -> CountryHelp:
    raw = content.read_toml(path)
    code = raw.get("country")
    if code != path.stem:
        raise ContentError(f"{path.name}: “country” must be the file's name.")
    emergency = [
        content.build(_Emergency, entry, path.name)
        for entry in content.take(raw, "emergency", content.TABLES, path.name)
    ]
    return CountryHelp(
        code=code,
        name=content.take(raw, "name", str, path.name),
        emergency=tuple(EmergencyNumber(e.number, e.use) for e in emergency),
        emergency_note=content.take(raw, "emergency_note", str, path.name, None),
        services=tuple(
            _read_service(entry, code, path.name)
            for entry in content.take(raw, "service", content.TABLES, path.name)
        ),
    )


def _read_service(entry: dict[str, Any], code: str, where: str) -> Service:
    service = content.build(Service, {**entry, "country": code}, where)
    for kind in (service.kind, *service.also):
        if kind not in KINDS:
            raise ContentError(
                f"{where}: {service.id:.40} has unknown kind {kind!r:.40}."
            )
    reachable = (service.phone, service.sms, service.whatsapp, service.chat)
    if not any((*reachable, service.website, service.email)):
        raise ContentError(f"{where}: {service.id:.40} cannot be reached in any way.")
    return service


def service_record(service: Service) -> dict[str, Any]:
    """Give a service as a record: what is known, and nothing that is not."""
    record = {f.name: getattr(service, f.name) for f in fields(Service)}
    always = {"id", "name", "kind", "also", "phone", "dial", "sms", "chat", "website"}
    always |= {"hours", "languages", "serves", "free", "bill_note", "caution"}
    always |= {"sources", "confidence", "checked"}
    return {
        name: value
        for name, value in record.items()
        if name in always or value not in (None, (), False)
    }
