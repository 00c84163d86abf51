"""Read the directory of services, ``knowledge/helplines/``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from assistant import content
from assistant.domain import CountryHelp, EmergencyNumber, Service
from assistant.errors import ContentError

KINDS = (
    "domestic_violence",
    "suicide_crisis",
    "sexual_assault",
    "child_protection",
    "victim_support",
    "emotional_support",
    "specialist_directory",
)


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


@dataclass(frozen=True, slots=True)
class Directory:
    """Everything that is known about where help can be reached."""

    by_country: dict[str, CountryHelp]
    international: tuple[WorldDirectory, ...]
    technology: tuple[WorldDirectory, ...]

    @property
    def countries(self) -> tuple[tuple[str, str], ...]:
        """Codes and English names, ordered by name."""
        pairs = ((help_.code, help_.name) for help_ in self.by_country.values())
        return tuple(sorted(pairs, key=lambda pair: pair[1]))

    def country(self, code: str | None) -> CountryHelp | None:
        """Give a country's services; None where the directory has none."""
        return self.by_country.get((code or "").upper())


@dataclass(frozen=True, slots=True)
class _Emergency:
    number: str
    use: tuple[str, ...]
    in_metadata: bool


def load(root: Path) -> Directory:
    """Read and validate every country.

    Raises:
        ContentError: If a file is invalid; names the file and the field.
    """
    folder = root / "knowledge" / "helplines"
    countries = [_read_country(path) for path in sorted(folder.glob("[A-Z][A-Z].toml"))]
    world = content.read_toml(folder / "international.toml")
    return Directory(
        {country.code: country for country in countries},
        _world(world, "directory"),
        _world(world, "technology"),
    )


def _world(raw: dict[str, Any], key: str) -> tuple[WorldDirectory, ...]:
    return tuple(
        content.build(WorldDirectory, entry, "international.toml") for entry in raw[key]
    )


def _read_country(path: Path) -> CountryHelp:
    raw = content.read_toml(path)
    code = raw.get("country")
    if code != path.stem:
        raise ContentError(f"{path.name}: “country” must be the file's name.")
    emergency = [
        content.build(_Emergency, entry, path.name) for entry in raw["emergency"]
    ]
    return CountryHelp(
        code=code,
        name=raw["name"],
        emergency=tuple(EmergencyNumber(e.number, e.use) for e in emergency),
        emergency_note=raw.get("emergency_note"),
        services=tuple(
            _read_service(entry, code, path.name) for entry in raw["service"]
        ),
    )


def _read_service(entry: dict[str, Any], code: str, where: str) -> Service:
    service = content.build(Service, {**entry, "country": code}, where)
    for kind in (service.kind, *service.also):
        if kind not in KINDS:
            raise ContentError(f"{where}: {service.id} has unknown kind “{kind}”.")
    reachable = (service.phone, service.sms, service.whatsapp, service.chat)
    if not any((*reachable, service.website, service.email)):
        raise ContentError(f"{where}: {service.id} cannot be reached in any way.")
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
