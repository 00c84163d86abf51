"""Cards that stay, and the Help panel."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Served, say

pytestmark = pytest.mark.browser

STRANGULATION = '.card[data-card="strangulation"]'


def test_cards_stand_above_the_reply_and_stay(talk: Page) -> None:
    say(talk, "danger")
    card = talk.locator(STRANGULATION)
    expect(card).to_be_in_viewport()
    expect(card.locator(".number.big").first).to_have_text("999")
    order = talk.evaluate(
        "[...document.querySelector('.turn').children].map((e) => e.className)"
    )
    assert order.index("cards") < order.index("reply")
    say(talk, "something else")
    expect(card).to_be_attached()
    expect(talk.locator("#raised button")).to_have_count(2)


def test_a_card_can_be_found_again_from_the_strip(talk: Page) -> None:
    say(talk, "danger")
    say(talk, "long")
    talk.evaluate("scrollTo(0, document.body.scrollHeight)")
    talk.locator("#raised button").first.click()
    expect(talk.locator(STRANGULATION)).to_be_in_viewport()
    expect(talk.locator(STRANGULATION)).to_be_focused()


def test_a_card_raised_again_stands_once_at_the_newest_turn(talk: Page) -> None:
    say(talk, "danger")
    say(talk, "danger again")
    expect(talk.locator(STRANGULATION)).to_have_count(1)
    expect(talk.locator(".turn").nth(1).locator(STRANGULATION)).to_be_attached()


def test_a_card_put_aside_stays_under_help(talk: Page, served: Served) -> None:
    say(talk, "danger")
    talk.locator(STRANGULATION).get_by_text("Put this aside").click()
    expect(talk.locator("#raised button")).to_have_count(1)
    expect(talk.locator(f"#turns {STRANGULATION}")).to_have_count(0)
    talk.click("#help-button")
    expect(talk.locator(f"#aside {STRANGULATION}")).to_be_visible()
    assert served.ask()["talks"][-1]["aside"] == ["strangulation"]


def test_help_opens_with_emergency_first_and_leaves_the_exit_in_reach(
    talk: Page,
) -> None:
    talk.click("#help-button")
    panel = talk.locator("#panel-help")
    expect(panel.locator(".emergency")).to_be_visible()
    expect(panel.locator(".service").first).to_be_attached()
    exit_ = talk.locator("#exit").bounding_box()
    assert exit_ is not None
    on_top = talk.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('#exit') !== null",
        [exit_["x"] + 10, exit_["y"] + 10],
    )
    assert on_top


def test_help_closes_by_escape_and_gives_the_focus_back(talk: Page) -> None:
    talk.focus("#help-button")
    talk.keyboard.press("Enter")
    expect(talk.locator("#panel-help .emergency")).to_be_visible()
    talk.keyboard.press("Escape")
    expect(talk.locator("#panel-help")).to_be_hidden()
    expect(talk.locator("#help-button")).to_be_focused()
    talk.fill("#box textarea", "still writing here")


def test_a_country_chosen_under_help_reaches_the_next_turn(
    talk: Page, served: Served
) -> None:
    talk.click("#help-button")
    talk.locator("#panel-help select[name=country]").select_option("CA")
    expect(talk.locator("#panel-help")).to_contain_text("Services: Canada")
    talk.locator("#panel-help select[name=need]").select_option("deaf")
    expect(talk.locator("#panel-help .service").first).to_be_visible()
    talk.click("#panel-help [data-close]")
    say(talk, "emergency")
    assert served.ask()["talks"][-1]["countries"] == ["CA"]
    expect(talk.locator(".card .number.big").first).to_have_text("911")
    talk.click("#help-button")
    talk.locator("#panel-help select[name=country]").select_option("GB")
    expect(talk.locator("#panel-help")).to_contain_text("Services: United Kingdom")


def test_a_number_can_be_copied(talk: Page) -> None:
    talk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    talk.click("#help-button")
    talk.locator("#panel-help .copy").first.click()
    expect(talk.locator("#panel-help .copy").first).to_have_text("Copied")
    assert talk.evaluate("navigator.clipboard.readText()") == "999"
