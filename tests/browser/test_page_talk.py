"""Talking in writing: the reply, its sources, stopping, wiping, two tabs."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browsing import Served, open_talk, say, wait_until, watched

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="document.title=1"> **bold** $x$'


def test_a_reply_arrives_sentence_by_sentence(talk: Page) -> None:
    talk.fill("#box textarea", "slow")
    talk.keyboard.press("Enter")
    sentences = talk.locator(".reply span")
    expect(sentences.nth(1)).to_be_visible()
    assert sentences.count() < 10
    expect(talk.locator("#stop")).to_be_visible()
    expect(talk.locator("#send")).to_be_hidden()
    expect(sentences).to_have_count(10)
    expect(talk.locator("#send")).to_be_visible()


def test_each_sentence_is_read_out_once(talk: Page) -> None:
    say(talk, "hello")
    say(talk, "hello again")
    replies = talk.locator(".reply")
    expect(replies.nth(0)).not_to_have_attribute("aria-live", "polite")
    expect(replies.nth(1)).to_have_attribute("aria-live", "polite")
    expect(replies.nth(1).locator("span")).to_have_count(3)


def test_enter_sends_and_shift_enter_makes_a_line(talk: Page, served: Served) -> None:
    talk.focus("#box textarea")
    talk.keyboard.type("one")
    talk.keyboard.press("Shift+Enter")
    talk.keyboard.type("two")
    talk.keyboard.press("Enter")
    expect(talk.locator(".said p")).to_have_text("one\ntwo", use_inner_text=True)
    expect(talk.locator("#box textarea")).to_have_value("")
    assert served.ask()["talks"][-1]["said"] == ["one\ntwo"]


def test_what_a_person_writes_is_shown_as_it_is(talk: Page) -> None:
    say(talk, HOSTILE)
    expect(talk.locator(".said p")).to_have_text(HOSTILE)
    assert talk.locator(".said img").count() == 0
    assert talk.title() == "Notes"


def test_where_it_comes_from_opens_in_place(talk: Page) -> None:
    say(talk, "hello")
    talk.get_by_text("Where this comes from").click()
    passage = talk.locator(".passage")
    expect(passage).to_be_visible()
    expect(passage).to_contain_text("An urge rises and passes")
    expect(passage).to_contain_text("2026-11-30")
    expect(passage.locator(".sources")).to_contain_text("Bowen")
    say(talk, "and now")
    expect(passage.first).to_be_visible()  # a new turn closes nothing


def test_stop_ends_the_reply_and_keeps_what_was_shown(talk: Page) -> None:
    talk.fill("#box textarea", "slow")
    talk.keyboard.press("Enter")
    expect(talk.locator(".reply span").nth(1)).to_be_visible()
    talk.click("#stop")
    expect(talk.locator("#send")).to_be_visible()
    assert 2 <= talk.locator(".reply span").count() < 10


def test_the_next_message_can_be_written_during_a_reply(talk: Page) -> None:
    talk.fill("#box textarea", "slow")
    talk.keyboard.press("Enter")
    expect(talk.locator(".reply span").first).to_be_visible()
    talk.focus("#box textarea")
    talk.keyboard.type("meanwhile")
    talk.keyboard.press("Enter")  # not sent yet
    expect(talk.locator("#send")).to_be_visible()
    expect(talk.locator("#box textarea")).to_have_value("meanwhile")
    assert talk.locator(".turn").count() == 1


def test_end_and_wipe_forgets_on_both_sides(talk: Page, served: Served) -> None:
    say(talk, "danger")
    talk.click("#end")
    expect(talk.locator(".turn")).to_have_count(0)
    expect(talk.locator("#raised")).to_be_hidden()
    wait_until(lambda: served.ask()["talks"][-1]["said"] == [])
    expect(talk.locator("#wire")).not_to_contain_text("danger")
    say(talk, "a new beginning")
    expect(talk.locator(".turn")).to_have_count(1)


def test_a_wipe_in_the_middle_of_a_reply_shows_nothing_more(talk: Page) -> None:
    talk.fill("#box textarea", "slow")
    talk.keyboard.press("Enter")
    expect(talk.locator(".reply span").nth(1)).to_be_visible()
    talk.click("#end")
    talk.wait_for_timeout(1_500)
    expect(talk.locator(".turn")).to_have_count(0)
    expect(talk.locator("#send")).to_be_visible()


def test_a_failure_is_said_kindly(talk: Page) -> None:
    say(talk, "broken")
    expect(talk.locator(".notes")).to_contain_text("Something in Ebb failed")
    say(talk, "hello")
    expect(talk.locator(".turn").nth(1).locator(".reply span")).to_have_count(3)


def test_two_tabs_never_see_each_others_words(
    context: BrowserContext, served: Served
) -> None:
    first = open_talk(watched(context.new_page()), served)
    second = open_talk(watched(context.new_page()), served)
    first.fill("#box textarea", "slow apricot")
    first.keyboard.press("Enter")
    say(second, "walnut")
    expect(first.locator("#send")).to_be_visible()
    assert "walnut" not in first.content()
    assert "apricot" not in second.content()
    said = [talk["said"] for talk in served.ask()["talks"][-2:]]
    assert sorted(said) == [["slow apricot"], ["walnut"]]


def test_closing_the_tab_wipes(context: BrowserContext, served: Served) -> None:
    page = open_talk(watched(context.new_page()), served)
    say(page, "hello")
    number = len(served.ask()["talks"]) - 1
    page.close(run_before_unload=True)
    wait_until(lambda: served.ask()["talks"][number]["wiped"] > 0)
    assert served.ask()["talks"][number]["said"] == []


def test_everything_can_be_reached_by_keyboard_alone(talk: Page) -> None:
    talk.evaluate("document.activeElement.blur()")
    reached = []
    for _ in range(9):
        talk.keyboard.press("Tab")
        reached.append(talk.evaluate("document.activeElement.id || 'box'"))
    assert reached == [
        "exit",
        "menu-button",
        "help-button",
        "box",
        "send",
        "speak",
        "recording",
        "hands-free",
        "end",
    ]


def test_a_reply_can_be_answered_with_a_button_and_a_draft_stays(
    talk: Page, served: Served
) -> None:
    say(talk, "hello")
    talk.fill("#box textarea", "half a thou")
    talk.click("[data-say]:text('Say that differently')")
    expect(talk.locator(".turn")).to_have_count(2)
    expect(talk.locator(".said p").last).to_have_text("Can you say that differently?")
    expect(talk.locator("#box textarea")).to_have_value("half a thou")
    expect(talk.locator("body.busy")).to_have_count(0)
    assert served.ask()["talks"][-1]["said"][-1] == "Can you say that differently?"
    expect(talk.locator(".talk-back:visible")).to_have_count(1)
