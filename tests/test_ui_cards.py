"""Cards, services and the Help block as HTML."""

from __future__ import annotations

import html
import re
from functools import cache
from html.parser import HTMLParser

import pytest

from assistant import content, content_directory, content_texts, refer
from assistant.content_directory import Directory
from assistant.domain import About, Card, Level, Signal, Time, TriageResult
from assistant.domain_help import CardOffer, CardText, Service
from assistant.ui import cards, help, markup, words

HOSTILE = '"><script>alert(1)</script>'
_VOID = {"br", "meta", "link", "input"}


@cache
def _content() -> tuple[Directory, dict[Card, CardText]]:
    root = content.content_root()
    return content_directory.load(root), content_texts.load_cards(root)


@pytest.fixture
def directory() -> Directory:
    return _content()[0]


class _Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _assert_whole(markup_: str) -> None:
    parser = _Balance()
    parser.feed(markup_)
    parser.close()
    assert parser.open == []


def _offer(card: Card, level: Level, country: str | None) -> CardOffer:
    known, texts = _content()
    signal = Signal("made", card, level, 0, 1, Time.NOW, About.SELF)
    result = TriageResult(level, (card,), (signal,))
    (offer,) = refer.offer_cards(result, texts, known, country)
    return offer


def test_a_service_shows_everything_that_is_known() -> None:
    service = Service(
        id="x",
        country="GB",
        name="Example line",
        kind="domestic_violence",
        phone="0000 111 222",
        sms={"number": "55 55", "keyword": "HELLO"},
        whatsapp={"phone": "0000 333"},
        chat="https://chat.example",
        hours="24/7",
        languages=("en", "fr"),
        serves=("everyone",),
        area=("GB-SCT",),
        free=True,
        bill_note="It shows on the bill.",
        caution="It may call back.",
        other_numbers=({"phone": "0000 999", "note": "at night"},),
        confidence="medium",
        checked="2026-11",
    )
    shown = cards.service(service)
    _assert_whole(shown)
    plain = html.unescape(re.sub(r"<[^>]+>", " ", shown))
    for wanted in (
        "0000 111 222",
        "55 55",
        "HELLO",
        "0000 333",
        "https://chat.example",
        "24/7",
        "English, French",
        "everyone",
        "Scotland",
        "free",
        "It shows on the bill.",
        "It may call back.",
        "at night",
        "2026-11",
        words.CONFIDENCE["medium"],
    ):
        assert wanted in plain


def test_numbers_are_text_and_never_call() -> None:
    shown = markup.number("0000 111")
    assert "tel:" not in shown
    assert "<a" not in shown
    assert 'data-copy="0000 111"' in shown


def test_only_web_addresses_become_links() -> None:
    assert "href" not in markup.link("javascript:alert(1)")
    opened = markup.link("https://example.org/a?b=1&c=2")
    assert 'rel="noreferrer noopener' in opened
    assert "b=1&amp;c=2" in opened


def test_everything_from_outside_is_escaped() -> None:
    service = Service(
        id="x",
        country="GB",
        name=HOSTILE,
        kind="domestic_violence",
        phone=HOSTILE,
        sms={"number": HOSTILE, "keyword": HOSTILE},
        website=f"https://example.org/{HOSTILE}",
        caution=HOSTILE,
        languages=(HOSTILE,),
    )
    assert "<script" not in cards.service(service)


@pytest.mark.parametrize("card", list(Card))
@pytest.mark.parametrize("country", ["GB", "US", None])
def test_every_card_is_whole_html(card: Card, country: str | None) -> None:
    for level in (Level.SUPPORT, Level.URGENT, Level.EMERGENCY):
        for folded in (False, True):
            _assert_whole(cards.card(_offer(card, level, country), folded=folded))


def test_in_an_emergency_the_number_stands_above_the_text() -> None:
    now = cards.card(_offer(Card.SUICIDE, Level.EMERGENCY, "GB"))
    assert now.index('class="number big"') < now.index('class="body"')
    _assert_whole(now)


def test_a_card_says_what_a_call_leaves_behind() -> None:
    shown = cards.card(_offer(Card.SUICIDE, Level.URGENT, "GB"))
    assert html.escape(words.CALL_TRACE) in shown


def test_a_card_without_a_country_still_helps() -> None:
    shown = cards.card(_offer(Card.SUICIDE, Level.EMERGENCY, None))
    assert "Your local emergency number works without it." in shown


def test_help_is_whole_for_every_country_and_need(directory: Directory) -> None:
    for code, name in directory.countries:
        shown = help.block(directory, code)
        _assert_whole(shown)
        assert html.escape(f"Services: {name}") in shown
    for need in refer.NEEDS:
        _assert_whole(help.block(directory, "GB", need=need))


def test_emergency_stands_before_every_service(directory: Directory) -> None:
    shown = help.block(directory, "GB")
    assert shown.index("999") < shown.index('class="service"')


def test_every_service_of_a_country_can_be_found(directory: Directory) -> None:
    shown = help.block(directory, "US")
    known = directory.country("US")
    assert known is not None
    assert all(html.escape(service.name) in shown for service in known.services)


def test_without_a_country_help_asks_for_one(directory: Directory) -> None:
    shown = help.block(directory, None)
    assert "Choose a country" in shown
    assert 'class="service"' in shown  # directories of the world


def test_without_a_directory_help_still_says_something() -> None:
    assert "emergency number" in help.block(None, "GB")


def test_a_guess_says_that_it_is_one(directory: Directory) -> None:
    assert "settings suggest" in help.block(directory, "GB", guessed=True)
    assert "settings suggest" not in help.block(directory, "GB")


def test_every_need_of_the_directory_has_words() -> None:
    assert words.NEEDS.keys() == refer.NEEDS.keys()
    assert words.KINDS.keys() == set(content_directory.KINDS)


def test_every_language_and_area_of_the_directory_has_a_name(
    directory: Directory,
) -> None:
    services = [s for help_ in directory.by_country.values() for s in help_.services]
    languages = {code for s in services for code in s.languages}
    areas = {a for s in services for a in s.area if re.match(r"^[A-Z]{2}-", a)}
    assert languages <= words.LANGUAGES.keys()
    assert areas <= words.AREAS.keys()
