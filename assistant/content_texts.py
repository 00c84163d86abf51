"""Read the vetted texts and the prompt templates of ``prompts/``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from string import Template as StringTemplate
from typing import Any

from assistant import content
from assistant.domain import Card, Level, Message, Role
from assistant.domain_help import CardText
from assistant.errors import ContentError

_EXAMPLE_ROLES = {
    "user": Role.USER,
    "notes": Role.SYSTEM,
    "assistant": Role.ASSISTANT,
}
_TEXTS = tuple[str, ...]
_CARD_SECTIONS = ("heard", "emergency", "urgent", "support", "step", "stay", "ask")


@dataclass(frozen=True, slots=True)
class Replies:
    """Fixed sentences, shown word for word; see ``prompts/fixed/replies.en.toml``."""

    lines: dict[str, str]
    first_page: dict[str, str]
    asks: tuple[str, ...]
    generic: dict[str, tuple[str, ...]]
    again: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Fixed sentence → other words for it, for a second and a third time."""

    def line(self, key: str) -> str:
        """Give a fixed sentence.

        Raises:
            ContentError: If there is none by that name.
        """
        try:
            return self.lines[key]
        except KeyError:
            raise ContentError(f"replies: the line “{key}” is missing.") from None

    def variants(self, key: str) -> tuple[str, ...]:
        """Give a fixed sentence and the other words for it.

        Raises:
            ContentError: If there is none by that name.
        """
        return (self.line(key), *self.again.get(key, ()))

    def fresh(self, key: str, shown: str) -> str:
        """Give the words for a fixed sentence that were not shown yet.

        Where all were, those that were shown longest ago.

        Args:
            key: The name of the sentence.
            shown: Everything that this talk has shown, oldest first.

        Raises:
            ContentError: If there is none by that name.
        """
        return min(self.variants(key), key=shown.rfind)


@dataclass(frozen=True, slots=True)
class Template:
    """One file of ``prompts/``: what the model is told for one task."""

    id: str
    version: str
    system: str
    examples: tuple[Message, ...]
    """Whole exchanges: user, notes (as a system message), assistant."""
    notes: str
    """How the material is put, after the person's own message; ``$name`` only."""
    sentences: int
    """How many sentences the model writes."""

    def render_notes(self, **values: str) -> str:
        """Fill the notes.

        Raises:
            ContentError: If a variable is missing or not used.
        """
        template = StringTemplate(self.notes)
        if set(template.get_identifiers()) != values.keys():
            raise ContentError(f"{self.id}: variables do not match the template.")
        return template.substitute(values)


def load_replies(root: Path, language: str = "en") -> Replies:
    """Read the fixed sentences.

    Raises:
        ContentError: If the file is invalid.
    """
    path = root / "prompts" / "fixed" / f"replies.{language}.toml"
    raw = content.read_toml(path)
    asks = content.take(raw, "asks", dict[str, Any], path.name)
    return Replies(
        lines=content.take(raw, "line", dict[str, str], path.name),
        first_page=content.take(raw, "first_page", dict[str, str], path.name),
        asks=content.take(asks, "safety", _TEXTS, path.name),
        generic=content.take(raw, "generic", dict[str, _TEXTS], path.name),
        again=content.take(raw, "again", dict[str, _TEXTS], path.name),
    )


def load_cards(root: Path, language: str = "en") -> dict[Card, CardText]:
    """Read the texts of all cards.

    Raises:
        ContentError: If a card has no file or a file is invalid.
    """
    folder = root / "prompts" / "fixed" / "cards"
    return {card: _read_card(folder / f"{card}.{language}.md") for card in Card}


def _read_card(path: Path) -> CardText:
    header, body = content.read_front_matter(path)
    sections = content.split_sections(body, path)
    if tuple(sections) != _CARD_SECTIONS:
        raise ContentError(
            f"{path.name}: sections must be {', '.join(_CARD_SECTIONS)}, in order."
        )
    card = content.take(header, "card", Card, path.name)
    if path.name.partition(".")[0] != card:
        raise ContentError(f"{path.name}: “card” must be the file's name.")
    return CardText(
        card=card,
        version=content.take(header, "version", str, path.name),
        title=content.take(header, "title", str, path.name),
        needs=content.take(header, "needs", _TEXTS, path.name),
        sources=content.take(header, "sources", _TEXTS, path.name),
        heard=sections["heard"],
        by_level={
            Level.EMERGENCY: sections["emergency"],
            Level.URGENT: sections["urgent"],
            Level.SUPPORT: sections["support"],
        },
        step=sections["step"],
        stay=sections["stay"],
        ask=sections["ask"],
    )


@dataclass(frozen=True, slots=True)
class Guide:
    """A vetted text in parts, each a heading and its points."""

    title: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    topics: tuple[str, ...]
    """Where in the library more of it stands."""


def load_specialist(root: Path, language: str = "en") -> Guide:
    """Read how a person finds a specialist.

    Raises:
        ContentError: If the file is invalid.
    """
    path = root / "prompts" / "fixed" / f"specialist.{language}.md"
    header, body = content.read_front_matter(path)
    return Guide(
        title=content.take(header, "title", str, path.name),
        parts=tuple(
            (heading, _points(text))
            for heading, text in _template_sections(body).items()
        ),
        topics=content.take(header, "topics", _TEXTS, path.name),
    )


@dataclass(frozen=True, slots=True)
class Stage:
    """One part of the picture of the loop."""

    id: str
    title: str
    text: tuple[str, ...]
    """Paragraphs, with source marks."""
    read: tuple[str, ...]
    """Ids of articles, or of single passages, that say more."""


@dataclass(frozen=True, slots=True)
class CycleTexts:
    """What stands above and around the picture of the loop."""

    id: str
    version: str
    language: str
    reviewed_by: str
    reviewed_on: str
    title: str
    intro: str
    centre: str
    picture: str
    """What the drawing shows, for those who cannot see it."""
    caveat: str


@dataclass(frozen=True, slots=True)
class Cycle:
    """The picture of the loop; see ``prompts/fixed/cycle.en.toml``."""

    texts: CycleTexts
    stages: tuple[Stage, ...]
    other: Stage
    """For whom the picture does not fit."""


def load_cycle(root: Path, language: str = "en") -> Cycle:
    """Read the picture of the loop.

    Raises:
        ContentError: If the file is invalid.
    """
    path = root / "prompts" / "fixed" / f"cycle.{language}.toml"
    raw = content.read_toml(path)
    stages = content.take(raw, "stage", content.TABLES, path.name)
    other = content.take(raw, "other", dict[str, Any], path.name)
    del raw["stage"], raw["other"]
    return Cycle(
        texts=content.build(CycleTexts, raw, path.name),
        stages=tuple(content.build(Stage, stage, path.name) for stage in stages),
        other=content.build(Stage, other, path.name),
    )


def _points(text: str) -> tuple[str, ...]:
    lines = (line.removeprefix("- ").strip() for line in text.splitlines())
    return tuple(line for line in lines if line)


def load_template(root: Path, name: str) -> Template:
    """Read a prompt template: sections ``system``, ``notes`` and numbered examples.

    Raises:
        ContentError: If the file is invalid.
    """
    path = root / "prompts" / f"{name}.md"
    header, body = content.read_front_matter(path)
    sections = _template_sections(body)
    try:
        system, notes = sections.pop("system"), sections.pop("notes")
    except KeyError as error:
        raise ContentError(f"{path.name}: section {error} is missing.") from None
    return Template(
        id=content.take(header, "id", str, path.name),
        version=content.take(header, "version", str, path.name),
        system=system,
        examples=tuple(_examples(sections, path.name)),
        notes=notes,
        sentences=content.take(header, "sentences", int, path.name),
    )


def _template_sections(body: str) -> dict[str, str]:
    """Split at ``##`` headings and keep the lines: a prompt's line breaks matter."""
    _, *pieces = ("\n" + body).split("\n## ")
    pairs = (piece.partition("\n") for piece in pieces)
    return {heading.strip(): text.strip() for heading, _, text in pairs}


def _examples(sections: dict[str, str], file: str) -> list[Message]:
    messages: list[Message] = []
    for heading, text in sections.items():
        role = _EXAMPLE_ROLES.get(heading.rpartition(" ")[2])
        if role is None:
            raise ContentError(f"{file}: unknown section “{heading:.40}”.")
        messages.append(Message(role, text))
    return messages
