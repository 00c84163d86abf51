"""The Help block: emergency first, then services; needs no model and no network.

The same block stands on the first page and in the panel of the talk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant import refer
from assistant.ui import cards, words
from assistant.ui.markup import options, paragraph, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assistant.content_directory import Directory
    from assistant.content_texts import Guide
    from assistant.domain_help import CountryHelp, WorldDirectory

_MAIN_KINDS = ("domestic_violence", "suicide_crisis", "sexual_assault")
_MAIN_SERVICES = 6

_NO_DIRECTORY = (
    "The list of services could not be read on this computer. Your local emergency "
    "number works all the same."
)
_UNKNOWN_COUNTRY = (
    "Choose a country to see its emergency number and its services. If you are in "
    "danger now, your local emergency number works without it; in many countries "
    "112 also does from a mobile phone."
)
_NO_SERVICES = (
    "I know of no services there yet. These directories know more countries than I do."
)
_NOTHING_FITS = "I know of no service for that here. The others are in the whole list."


def block(
    directory: Directory | None,
    country: str | None,
    *,
    need: str | None = None,
    guessed: bool = False,
    guide: Guide | None = None,
) -> str:
    """Give the Help block for a country.

    Args:
        directory: Everything that is known; None where it could not be read.
        country: ISO 3166-1 alpha-2; None shows how to choose one.
        need: A key of ``refer.NEEDS`` to filter by; others show everything.
        guessed: True where nobody chose the country: the block says so.
        guide: How to find a specialist; shown where that is looked for.
    """
    if directory is None:
        return f'<div class="help">{paragraph(_NO_DIRECTORY)}</div>'
    known = directory.country(country)
    body = (
        _of_country(known, need, guessed, directory.first_directories)
        if known
        else paragraph(_UNKNOWN_COUNTRY)
    )
    if need == "specialist" and guide is not None:
        body = f"{_guide(guide)}{body}"
    return (
        f'<div class="help" id="help-block">{_choice(directory, known, need)}{body}'
        f"{_world(directory)}</div>"
    )


def _choice(directory: Directory, known: CountryHelp | None, need: str | None) -> str:
    countries = (("", "Choose a country"), *directory.countries)
    needs = (("", "Everything"), *words.NEEDS.items())
    return (
        '<form class="choice" method="post" action="/country">'
        '<label>Country <select name="country" autocomplete="off">'
        f"{options(countries, known.code if known else None)}</select></label>"
        '<label>I look for <select name="need" autocomplete="off">'
        f"{options(needs, need)}</select></label>"
        '<button type="submit">Show</button></form>'
    )


def _of_country(
    known: CountryHelp,
    need: str | None,
    guessed: bool,
    directories: Iterable[WorldDirectory],
) -> str:
    guess = (
        f"Shown for {known.name}, as this computer’s settings suggest. "
        "If you are somewhere else, choose it above."
    )
    fitting = refer.filter_services(known, need if need in refer.NEEDS else None)
    if not known.services:
        listed = paragraph(_NO_SERVICES) + cards.world(directories)
    elif need in refer.NEEDS:
        listed = cards.services(fitting) or paragraph(_NOTHING_FITS)
    else:
        listed = _main_and_rest(known)
    return (
        f"{paragraph(guess, 'quiet') if guessed else ''}"
        f"{cards.emergency(known.emergency, known.emergency_note)}"
        f"<h3>Services: {text(known.name)}</h3>"
        f'<p class="quiet">{text(words.CALL_TRACE)} {text(words.LINK_TRACE)}</p>'
        f"{listed}"
    )


def _guide(guide: Guide) -> str:
    """Show how a specialist is found; the registers are the services below it."""
    parts = "".join(
        f"<details{' open' * (place == 0)}><summary>{text(heading)}</summary>"
        f"<ul>{''.join(f'<li>{text(point)}</li>' for point in points)}</ul></details>"
        for place, (heading, points) in enumerate(guide.parts)
    )
    return f'<section class="guide"><h3>{text(guide.title)}</h3>{parts}</section>'


def _main_and_rest(known: CountryHelp) -> str:
    main = refer.choose_services(known.services, _MAIN_KINDS)
    for kind in _MAIN_KINDS:
        main += refer.choose_services(known.services, (kind,))[:2]
    first = tuple(dict.fromkeys(s.id for s in main))[:_MAIN_SERVICES]
    by_id = {service.id: service for service in known.services}
    rest = [service for service in known.services if service.id not in first]
    more = (
        f"<details><summary>All {len(known.services)} services</summary>"
        f"{cards.services(rest)}</details>"
        if rest
        else ""
    )
    return cards.services(by_id[i] for i in first) + more


def _world(directory: Directory) -> str:
    return (
        "<details><summary>Other countries, and help with phones and pictures"
        "</summary><h3>Directories of services in many countries</h3>"
        f"{cards.world(directory.international)}"
        "<h3>Phones, accounts and pictures</h3>"
        f"{cards.world(directory.technology)}</details>"
    )
