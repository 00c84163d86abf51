"""The library to walk in: looking for something, reading, the loop, the way back."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.browsing import SCREENSHOTS, Served, open_talk, say, watched

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 740), "desktop": (1280, 860)}
SCHEMES = ("light", "dark")
PANEL = "#panel-understand"
PAGE = "#understand-page"


def _open(page: Page) -> None:
    if page.locator("#menu-button").is_visible():
        page.click("#menu-button")
    page.click('#menu [data-panel="understand"]')
    expect(page.locator(PANEL)).to_be_visible()


def _look_for(page: Page, words: str) -> None:
    page.fill("#understand-words", words)
    page.keyboard.press("Enter")
    expect(page.locator("#understand-found [data-heading]")).to_be_visible()


def _title(page: Page, text: str) -> None:
    expect(page.locator(f"{PAGE} h3")).to_have_text(text)


def test_words_lead_to_an_article_and_back_to_the_search(talk: Page) -> None:
    asked: list[str] = []
    talk.on("request", lambda request: asked.append(request.url))
    before = talk.url
    _open(talk)
    _look_for(talk, "He said sorry and brought flowers")
    found = talk.locator("#understand-found .title")
    expect(found.first).to_have_text("When they say sorry, or send a gift, or promise")
    expect(talk.locator("#understand-found [data-heading]")).to_be_focused()
    found.first.click()
    _title(talk, "When they say sorry, or send a gift, or promise")
    expect(talk.locator(f"{PAGE} h3")).to_be_focused()
    expect(talk.locator(f"{PAGE} ol.sources li").first).to_be_visible()
    expect(talk.locator(f"{PAGE} .reviewed time").first).to_have_text(
        "30 November 2026"
    )
    talk.locator(f"{PAGE} .close-by .title").first.click()
    expect(talk.locator(f"{PAGE} h3")).not_to_have_text("When they say sorry")
    talk.get_by_role("button", name="Back", exact=True).first.click()
    _title(talk, "When they say sorry, or send a gift, or promise")
    talk.get_by_role("button", name="Back to all subjects").first.click()
    expect(found.first).to_be_focused()
    assert talk.url == before
    assert not [url for url in asked if "sorry" in url or "flowers" in url]


def test_nothing_that_was_looked_for_stays_after_closing(talk: Page) -> None:
    _open(talk)
    _look_for(talk, "apricot sleep")
    talk.locator(f"{PANEL} [data-close]").click()
    _open(talk)
    expect(talk.locator("#understand-words")).to_have_value("")
    expect(talk.locator("#understand-found")).to_be_empty()
    assert "apricot" not in talk.content()


def test_an_honest_line_where_nothing_fits(talk: Page) -> None:
    _open(talk)
    _look_for(talk, "zqx <b>lasagne</b>")
    expect(talk.locator("#understand-found")).to_contain_text("I found nothing")
    talk.click("#understand-clear")
    expect(talk.locator("#understand-words")).to_be_focused()


def test_danger_in_a_search_brings_the_card_and_help_first(talk: Page) -> None:
    _open(talk)
    _look_for(talk, "emergency")
    card = talk.locator("#understand-found .card")
    expect(card.locator("h3").first).to_be_focused()
    expect(card.locator(".emergency")).to_be_visible()
    card.locator("[data-help]").click()
    expect(talk.locator("#panel-help")).to_be_visible()
    expect(talk.locator(PANEL)).to_be_hidden()


def test_the_loop_can_be_walked_by_keyboard(talk: Page) -> None:
    _open(talk)
    first = talk.locator(".loop button").first
    first.focus()
    for _ in range(2):
        talk.keyboard.press("Tab")
    expect(talk.locator(".loop [data-stage=harm]")).to_be_focused()
    talk.keyboard.press("Enter")
    _title(talk, "Harm")
    expect(talk.locator(PAGE)).to_contain_text("It is not your fault")
    expect(talk.locator(PAGE)).to_contain_text("Not every relationship goes round")
    talk.get_by_role("button", name="Next in the loop").click()
    _title(talk, "Sorry and tenderness")
    talk.locator(f"{PAGE} .titles .title").first.click()
    _title(talk, "When they say sorry, or send a gift, or promise")


def test_whoever_does_not_fit_the_loop_is_led_to_one_passage(talk: Page) -> None:
    _open(talk)
    talk.get_by_role("button", name="None of this fits").click()
    talk.get_by_role("button", name="If there is no calm part").click()
    expect(talk.locator(".wanted h4")).to_have_text("If there is no calm part")
    expect(talk.locator(".wanted h4")).to_be_focused()
    expect(talk.locator(".wanted h4")).to_be_in_viewport()


def test_all_subjects_open_in_place(talk: Page) -> None:
    _open(talk)
    talk.get_by_text("The pull to return").click()
    talk.get_by_role("button", name="Awake in the hours after midnight").click()
    _title(talk, "Awake in the hours after midnight")


def test_a_reply_leads_to_the_very_part_it_used(talk: Page) -> None:
    say(talk, "hello")
    talk.get_by_text("Where this comes from").click()
    whole = talk.get_by_role("button", name="Read the whole article")
    whole.click()
    expect(talk.locator(PANEL)).to_be_visible()
    heading = talk.locator(".wanted h4")
    expect(heading).to_have_text("An urge rises and passes")
    expect(heading).to_be_focused()
    expect(talk.locator(".wanted")).to_contain_text("the part the reply used")
    talk.keyboard.press("Escape")
    expect(whole).to_be_focused()


def test_ending_the_talk_forgets_what_was_read(talk: Page) -> None:
    _open(talk)
    talk.locator(".loop button").first.click()
    _title(talk, "Closeness")
    talk.keyboard.press("Escape")
    talk.click("#end")
    _open(talk)
    expect(talk.locator("#understand-home")).to_be_visible()
    expect(talk.locator(PAGE)).to_be_hidden()


def _assert_accessible(page: Page) -> None:
    found = Axe().run(page, context=PANEL)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_views_are_kept_accessible_and_never_too_wide(
    browser: Browser, served: Served, size: str, scheme: str
) -> None:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]  # a plain string here
        reduced_motion="reduce",
        bypass_csp=True,  # for the checker alone, which is put in as a script
    )
    page = watched(context.new_page())
    SCREENSHOTS.mkdir(exist_ok=True)

    def keep(name: str) -> None:
        page.wait_for_timeout(150)
        panel = page.locator(PANEL)
        assert panel.evaluate("(e) => e.scrollWidth <= e.clientWidth")
        page.screenshot(path=SCREENSHOTS / f"understand-{name}-{size}-{scheme}.png")
        _assert_accessible(page)

    open_talk(page, served)
    _open(page)
    keep("entrance")
    page.locator(".loop").scroll_into_view_if_needed()
    page.locator("#loop-title").evaluate("(e) => e.scrollIntoView()")
    keep("loop")
    page.get_by_text("Getting help", exact=True).click()
    page.locator("#subjects-title").evaluate("(e) => e.scrollIntoView()")
    keep("subjects")
    _look_for(page, "danger she checks my phone")
    keep("found")
    page.locator("#understand-found .title").first.click()
    expect(page.locator(".reading")).to_be_visible()
    keep("article")
    page.locator(f"{PAGE} ol.sources").evaluate("(e) => e.scrollIntoView()")
    keep("sources")
    context.close()


@pytest.mark.parametrize("root_px", [16, 32])
def test_the_loop_holds_in_a_narrow_window_and_with_large_letters(
    browser: Browser, served: Served, root_px: int
) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = watched(context.new_page())
    open_talk(page, served)
    _open(page)
    help_box = page.locator("#help-button").bounding_box()
    assert help_box is not None
    assert help_box["x"] + help_box["width"] <= 320
    page.evaluate(f"document.documentElement.style.fontSize = '{root_px}px'")
    panel = page.locator(PANEL)
    assert panel.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    boxes = [b.bounding_box() for b in page.locator(".loop button").all()]
    for place, one in enumerate(boxes):
        assert one is not None
        assert one["height"] >= 44
        for other in boxes[place + 1 :]:
            assert other is not None
            assert (
                one["x"] + one["width"] <= other["x"]
                or other["x"] + other["width"] <= one["x"]
                or one["y"] + one["height"] <= other["y"]
                or other["y"] + other["height"] <= one["y"]
            )
    page.locator("#loop-title").evaluate("(e) => e.scrollIntoView()")
    page.screenshot(path=SCREENSHOTS / f"understand-narrow-{root_px}.png")
    context.close()
