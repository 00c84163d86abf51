"""Render cards, services and sources to escaped HTML; shows what it is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from assistant.domain import Level
from assistant.domain_help import CardOffer, EmergencyNumber, Service, WorldDirectory
from assistant.events import (
    ServicesOffered,
)
from assistant.ui import words
from assistant.ui.markup import link, number, paragraph, row, text

if TYPE_CHECKING:
    from assistant.domain import Article, ArticlePassage


def card(offer: CardOffer, *, folded: bool = False, numberless: bool = False) -> str:
    """Give a whole card: text, emergency numbers, services, and what a call leaves.

    Args:
        offer: What the card says and offers.
        folded: True for every card but the first of a turn: its services open in
            place.
        numberless: True where a card above shows the emergency numbers already.
    """
    title_id = f"card-title-{offer.card}"
    services_ = _card_services(offer)
    numbers = "" if numberless else emergency(offer.emergency, offer.emergency_note)
    body = f'<p class="body">{text(offer.body)}</p>'
    # On a small screen the text alone fills the view: a number must not wait below it.
    is_now = offer.level is Level.EMERGENCY
    if folded:
        services_ = (
            f"<details><summary>Who can be reached about this</summary>{services_}"
            "</details>"
        )
    return (
        f'<section class="card" data-card="{text(offer.card)}" '
        f'data-level="{offer.level.word}" data-title="{text(offer.title)}" '
        f'aria-labelledby="{title_id}" tabindex="-1">'
        f'<h2 id="{title_id}">{text(offer.title)}</h2>'
        f"{numbers + body if is_now else body + numbers}{services_}"
        '<div class="actions">'
        '<button type="button" class="plain" data-aside>Put this aside</button>'
        '<button type="button" class="plain" data-help>More help</button>'
        "</div></section>"
    )


def _card_services(offer: CardOffer) -> str:
    note = ""
    if not offer.country and offer.level > Level.SUPPORT:
        note = paragraph("Your local emergency number works without it.")
    return _reachable(offer, note)


def offered(offer: ServicesOffered) -> str:
    """Give services for a person who asked where help is."""
    more = paragraph(words.SPECIALIST_PATH) if offer.need == "specialist" else ""
    return (
        '<section class="offered" aria-label="Services">'
        f"{_reachable(offer)}{more}"
        '<div class="actions"><button type="button" class="plain" data-help '
        f'data-need="{text(offer.need)}">More under Help</button></div></section>'
    )


def _reachable(offer: CardOffer | ServicesOffered, note: str = "") -> str:
    """Give who can be reached; else directories, and how to choose a country."""
    trace = paragraph(f"{words.CALL_TRACE} {words.LINK_TRACE}", "quiet")
    if offer.services:
        first, *rest = offer.services
        return f"{services([first])}{_more(rest)}{trace}"
    known = (
        "I know of no service for this in your country. These know more."
        if offer.country
        else "Choose your country under Help, and services there can be shown. "
        "These know many countries."
    )
    return f"{paragraph(known)}{note}{world(offer.directories)}"


def _more(rest: Sequence[Service]) -> str:
    if not rest:
        return ""
    many = "One more service" if len(rest) == 1 else f"{len(rest)} more services"
    return f"<details><summary>{many}</summary>{services(rest)}</details>"


def emergency(numbers: Sequence[EmergencyNumber], note: str | None) -> str:
    """Give the emergency numbers, large, with what each is for."""
    if not numbers:
        return ""
    items = "".join(
        f"<li>{number(entry.number, 'number big')}"
        f'<span class="use">{text(_uses(entry))}</span></li>'
        for entry in numbers
    )
    return (
        '<div class="emergency"><h3>Emergency</h3>'
        f"<ul>{items}</ul>{paragraph(note, 'quiet')}</div>"
    )


def _uses(entry: EmergencyNumber) -> str:
    return ", ".join(words.EMERGENCY_USES.get(u, words.plain(u)) for u in entry.use)


def services(entries: Iterable[Service]) -> str:
    """Give a list of services with everything needed to choose and reach one."""
    items = "".join(f"<li>{service(entry)}</li>" for entry in entries)
    return f'<ul class="services">{items}</ul>' if items else ""


def service(entry: Service) -> str:
    """Give one service; what is not known is left out, a caution never is."""
    local = (
        f' <span class="quiet">{text(entry.name_local)}</span>'
        if entry.name_local
        else ""
    )
    facts = "".join(
        (
            row("Phone", _phones(entry)),
            row("Text", _way(entry.sms)),
            row("WhatsApp", _way(entry.whatsapp)),
            row("Text phone", _way(entry.tty)),
            row("Chat", link(entry.chat) if entry.chat else ""),
            row("Email", text(entry.email) if entry.email else ""),
            row("Website", link(entry.website) if entry.website else ""),
            row("Hours", text(entry.hours) if entry.hours else ""),
        )
    )
    return (
        f'<article class="service"><h4>{text(entry.name)}{local}</h4>'
        f'<p class="kind">{text(_about(entry))}</p>'
        f"<dl>{facts}</dl>{paragraph(entry.caution, 'caution')}"
        f"{paragraph(entry.note)}{paragraph(entry.bill_note)}"
        f'<p class="quiet">{text(_checked(entry.checked, entry.confidence))}</p>'
        "</article>"
    )


def _about(entry: Service) -> str:
    """Say in one line what it is, for whom, where, in which languages."""
    promises = (
        (entry.free, "free"),
        (entry.confidential, "confidential"),
        (entry.anonymous, "no name needed"),
    )
    facts = [words.kind(entry.kind)]
    if entry.serves:
        facts.append("for " + ", ".join(words.serves(group) for group in entry.serves))
    if entry.area:
        facts.append("in " + ", ".join(words.area(part) for part in entry.area))
    if entry.languages:
        spoken = ", ".join(words.language(code) for code in entry.languages)
        facts.append(f"speaks {spoken}")
    facts += [word for known, word in promises if known]
    return " · ".join(facts)


def _phones(entry: Service) -> str:
    shown = [number(entry.phone)] if entry.phone else []
    shown += [_way(other) for other in entry.other_numbers]
    return "<br>".join(shown)


def _way(way: dict[str, str] | None) -> str:
    """Show a way in: its number, the word to send, and what is known about it."""
    if not way:
        return ""
    parts = [number(way.get("number") or way.get("phone") or "")]
    if keyword := way.get("keyword"):
        parts.append(f"with the word <b>{text(keyword)}</b>")
    if note := way.get("note"):
        parts.append(f'<span class="quiet">{text(note)}</span>')
    return " ".join(parts)


def _checked(when: str, confidence: str) -> str:
    sure = words.CONFIDENCE.get(confidence, "")
    if not when:
        return f"How sure: {sure}." if sure else ""
    return f"Last checked {when}" + (f", {sure}." if sure else ".")


def world(entries: Iterable[WorldDirectory]) -> str:
    """Give directories that are not bound to one country."""
    items = "".join(
        f'<li><article class="service"><h4>{text(entry.name)}</h4>'
        f"<p>{text(entry.what)}</p><p>{link(entry.website)}</p>"
        f'<p class="quiet">{text(_checked(entry.checked, entry.confidence))}</p>'
        "</article></li>"
        for entry in entries
    )
    return f'<ul class="services">{items}</ul>' if items else ""


def passage(article: Article, found: ArticlePassage, cited: Sequence[str]) -> str:
    """Give one passage of the library with its sources and its review date."""
    listed = "".join(f"<li>{text(source)}</li>" for source in cited)
    return (
        f'<article class="passage"><p class="heading">{text(found.heading)}</p>'
        f"{paragraph(found.text)}"
        f'<p class="quiet">From “{text(article.title)}”. Reviewed '
        f"{text(article.reviewed_on)} by {text(article.reviewed_by)}.</p>"
        + (f'<ul class="sources">{listed}</ul>' if listed else "")
        + '<button type="button" data-panel="understand" aria-haspopup="dialog" '
        f'data-passage="{text(found.id)}">Read the whole article</button></article>'
    )
