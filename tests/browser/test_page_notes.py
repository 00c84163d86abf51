"""My notes in a real browser: for a sitting, in the notebook, locked, and gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.browsing import (
    SCREENSHOTS,
    Served,
    open_talk,
    say,
    wait_until,
    watched,
)

pytestmark = pytest.mark.browser

PASSPHRASE = "a kettle on a quiet shelf"
WAVE = """
async () => fetch("/notes/wave", {method: "POST", body: JSON.stringify({
  room: (await import("/static/talk.js")).roomId(),
  started: "2026-05-03T02:10:00Z",
  strengths: [[0, 8], [12, 9], [25, 3]],
  helped: ["cold water"],
})}).then((reply) => reply.status)
"""


@pytest.fixture(scope="module")
def noting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of this file's own, since its notebook would surprise the others."""
    server = Served(tmp_path_factory.mktemp("noting"), "--country", "GB")
    server.wait_open()
    yield server
    assert server.close() == 0


@pytest.fixture
def notes(page: Page, noting: Served) -> Iterator[Page]:
    for left in noting.home.glob("notes.dat*"):
        left.unlink()
    open_talk(page, noting)
    yield page
    if not page.url.endswith("/bye"):
        page.click("#exit")
        page.wait_for_url("**/bye")


def open_notes(page: Page) -> None:
    if page.locator("#menu-button").is_visible():
        page.click("#menu-button")
    page.click("#menu [data-panel=notes]")
    expect(page.locator("#notes-place > *").first).to_be_visible()


def add(page: Page, text: str, more: str = "") -> None:
    page.fill("form[data-do=add] [name=text]", text)
    if more:
        page.fill("form[data-do=add] [name=more]", more)
    page.click("form[data-do=add] button[type=submit]")
    expect(page.locator("#notes-status")).to_have_text("Added.")


def unfold(page: Page, summary: str) -> None:
    page.locator("summary", has_text=summary).first.click()


def turn_on(page: Page) -> None:
    if not page.locator("form[data-do=on]").is_visible():
        unfold(page, "Turn the notebook on")
    page.fill("form[data-do=on] [name=passphrase]", PASSPHRASE)
    page.fill("form[data-do=on] [name=again]", PASSPHRASE)
    page.keyboard.press("Enter")
    expect(page.locator("#notes-status")).to_contain_text("notebook is on")


def unlock(page: Page) -> None:
    page.fill("form[data-do=unlock] [name=passphrase]", PASSPHRASE)
    page.keyboard.press("Enter")
    expect(page.locator("#notes-status")).to_have_text("The notebook is open.")


def test_a_note_of_a_sitting_is_added_changed_found_and_erased(
    notes: Page, noting: Served
) -> None:
    open_notes(notes)
    expect(notes.locator(".notes-where")).to_contain_text("nothing is written")
    add(notes, "A door slammed", "small")
    note = notes.locator(".note")
    expect(note).to_contain_text("A door slammed")
    unfold(notes, "Change")
    notes.fill("form[data-do=edit] [name=text]", "Two doors slammed")
    notes.click("form[data-do=edit] button")
    expect(note).to_contain_text("Two doors slammed")
    notes.click("[data-tool=trigger]")
    expect(notes.locator("#notes-title")).to_have_text("My triggers")
    expect(notes.locator("[data-tool=trigger]")).to_be_focused()
    notes.fill("#notes-find", "doors")
    notes.keyboard.press("Enter")
    expect(notes.locator("#notes-title")).to_have_text("Found")
    expect(note).to_contain_text("Two doors slammed")
    unfold(notes, "Erase")
    notes.click("form[data-do=erase] button")
    expect(note).to_have_count(0)
    assert not list(noting.home.glob("notes.dat*"))


def test_closing_forgets_what_is_shown_but_not_what_was_begun(notes: Page) -> None:
    open_notes(notes)
    add(notes, "A door slammed")
    notes.fill("form[data-do=add] [name=text]", "half a thou")
    notes.keyboard.press("Escape")
    assert "A door slammed" not in notes.content()
    open_notes(notes)
    expect(notes.locator(".note")).to_contain_text("A door slammed")
    expect(notes.locator("form[data-do=add] [name=text]")).to_have_value("half a thou")


def test_wiping_takes_a_sittings_notes_along(notes: Page) -> None:
    open_notes(notes)
    add(notes, "A door slammed")
    notes.fill("form[data-do=add] [name=text]", "half a thou")
    notes.keyboard.press("Escape")
    notes.click("#end")
    expect(notes.locator("#status")).to_contain_text("Wiped")
    open_notes(notes)
    expect(notes.locator(".note")).to_have_count(0)
    expect(notes.locator("form[data-do=add] [name=text]")).to_have_value("")


def test_words_of_a_talk_can_be_kept(notes: Page) -> None:
    say(notes, "It is two at night.")
    notes.click(".turn .keep")
    expect(notes.locator("#notes-title")).to_have_text("Kept from a talk")
    field = notes.locator("form[data-kind=kept] [name=text]")
    expect(field).to_be_focused()
    text = field.input_value()
    assert text.startswith("Me: It is two at night.\n\nEbb: That pull can be")
    notes.click("form[data-do=add] button[type=submit]")
    expect(notes.locator(".note")).to_contain_text("That pull can be very strong")


def test_the_notebook_from_on_to_erased(notes: Page, noting: Served) -> None:
    open_notes(notes)
    add(notes, "A door slammed")
    turn_on(notes)
    expect(notes.locator(".note")).to_contain_text("A door slammed")
    file = noting.home / "notes.dat"
    assert b"door" not in file.read_bytes()
    notes.click("[data-do=lock]")
    expect(notes.locator(".notes-where")).to_contain_text("locked")
    assert "A door slammed" not in notes.content()
    notes.fill("form[data-do=unlock] [name=passphrase]", "not the right words")
    notes.keyboard.press("Enter")
    expect(notes.locator(".notes-said").first).to_have_text(
        "That passphrase does not open it, or the file was damaged."
    )
    unlock(notes)
    expect(notes.locator(".note")).to_contain_text("A door slammed")
    unfold(notes, "Save everything as plain text")
    with notes.expect_download() as given:
        notes.click("form[data-do=export] button")
    assert given.value.suggested_filename == "notes.txt"
    assert "A door slammed" in given.value.path().read_text("utf-8")
    unfold(notes, "Erase everything")
    notes.click("form[data-do=erase-all] button")
    expect(notes.locator(".notes-where")).to_contain_text("For this sitting only")
    expect(notes.locator(".note")).to_have_count(0)
    assert not list(noting.home.glob("notes.dat*"))


@pytest.mark.parametrize("way", ["exit", "wipe", "close"])
def test_leaving_and_wiping_lock_it(
    notes: Page, noting: Served, context: BrowserContext, way: str
) -> None:
    open_notes(notes)
    add(notes, "A door slammed")
    turn_on(notes)
    if way == "exit":
        notes.click("#exit")
        notes.wait_for_url("**/bye")
        page = open_talk(watched(context.new_page()), noting)
    elif way == "wipe":
        notes.keyboard.press("Escape")
        notes.click("#end")
        expect(notes.locator("#status")).to_contain_text("Wiped")
        page = notes
    else:
        page = open_talk(watched(context.new_page()), noting)
        notes.goto(f"{noting.address}bye")
        page.wait_for_timeout(500)
    open_notes(page)
    expect(page.locator(".notes-where")).to_contain_text("nothing in it is shown")
    expect(page.locator(".notes-where")).not_to_contain_text("another tab")
    assert "A door slammed" not in page.content()


def test_another_tab_needs_the_passphrase_too(
    notes: Page, noting: Served, context: BrowserContext
) -> None:
    open_notes(notes)
    add(notes, "A door slammed")
    turn_on(notes)
    other = open_talk(watched(context.new_page()), noting)
    open_notes(other)
    expect(other.locator(".notes-where")).to_contain_text("another tab")
    unlock(other)
    expect(other.locator(".note")).to_contain_text("A door slammed")
    notes.click("[data-tool=person]")
    expect(notes.locator(".notes-where")).to_contain_text("nothing in it is shown")


def test_a_wave_from_its_screen_is_drawn(notes: Page) -> None:
    assert notes.evaluate(WAVE) == 200
    open_notes(notes)
    notes.click("[data-tool=wave]")
    expect(notes.locator("#panel-notes svg[role=img]")).to_have_count(1)
    expect(notes.locator(".note")).to_contain_text("Strongest 9 of 10, 3 after 25")
    unfold(notes, "Add a wave by hand")
    notes.fill("[name=started]", "2026-05-04T23:30")
    notes.fill("form[data-do=add] [name=helped]", "cold water")
    notes.click("form[data-do=add] button[type=submit]")
    expect(notes.locator("#panel-notes svg[role=img]")).to_have_count(2)
    expect(notes.locator(".helped")).to_have_text("cold water (2 times)")


def test_an_unlocked_page_looks_again_after_five_minutes_without_use(
    notes: Page,
) -> None:
    notes.clock.install()
    open_notes(notes)
    turn_on(notes)
    with notes.expect_request("**/notes/view"):
        notes.clock.fast_forward("05:04")


def test_a_passphrase_is_hidden_until_it_shall_be_seen(notes: Page) -> None:
    open_notes(notes)
    unfold(notes, "Turn the notebook on")
    field = notes.locator("form[data-do=on] [name=passphrase]")
    security = "(e) => getComputedStyle(e).webkitTextSecurity"
    assert field.evaluate(security) == "disc"
    notes.locator("form[data-do=on] [data-show-secret]").check()
    assert field.evaluate(security) == "none"


def test_a_boundary_leads_to_services(notes: Page) -> None:
    open_notes(notes)
    notes.click("[data-tool=boundary]")
    notes.click(".caution [data-help]")
    expect(notes.locator("#panel-help .service").first).to_be_visible()
    expect(notes.locator("#panel-help select[name=need]")).to_have_value("abuse")


def test_everything_works_by_keyboard(notes: Page) -> None:
    notes.focus("#menu [data-panel=notes], #menu-button")
    notes.keyboard.press("Enter")
    if notes.locator("#menu.open").count():
        notes.focus("#menu [data-panel=notes]")
        notes.keyboard.press("Enter")
    expect(notes.locator("#notes-title")).to_be_visible()
    notes.focus("[data-tool=person]")
    notes.keyboard.press("Space")
    expect(notes.locator("#notes-title")).to_have_text("My people")
    notes.focus("form[data-do=add] [name=text]")
    notes.keyboard.type("R.")
    notes.keyboard.press("Tab")
    notes.keyboard.type("walks")
    notes.keyboard.press("Tab")
    notes.keyboard.press("Enter")
    expect(notes.locator(".note")).to_contain_text("R.")
    expect(notes.locator("#notes-title")).to_be_focused()


_IS_WHOLE = "(e) => e.getBoundingClientRect().right <= innerWidth"
SIZES = {"phone": (360, 740), "narrow": (320, 560), "desktop": (1280, 860)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_it_fits_reads_well_and_breaks_no_rule_of_axe(
    browser: Browser, noting: Served, size: str, scheme: str
) -> None:
    for left in noting.home.glob("notes.dat*"):
        left.unlink()
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]  # a plain string here
        reduced_motion="reduce",
        bypass_csp=True,  # axe itself needs to be evaluated
    )
    page = open_talk(watched(context.new_page()), noting)

    def check(name: str) -> None:
        page.wait_for_timeout(150)
        assert page.locator("#help-button").evaluate(_IS_WHOLE)
        page.screenshot(path=SCREENSHOTS / f"notes-{name}-{size}-{scheme}.png")
        panel = page.locator("#panel-notes")
        assert panel.evaluate("(e) => e.scrollWidth <= e.clientWidth"), name
        found = Axe().run(page, context="#panel-notes").response["violations"]
        assert not found, (name, [rule["id"] for rule in found])

    SCREENSHOTS.mkdir(exist_ok=True)
    open_notes(page)
    add(page, "A door slammed " + "x" * 200, "small")
    unfold(page, "Change")
    check("sitting")
    page.click("[data-tool=boundary]")
    expect(page.locator("#notes-title")).to_have_text("My boundaries")
    check("boundary")
    assert page.evaluate(WAVE) == 200
    page.click("[data-tool=wave]")
    unfold(page, "The same as a table")
    unfold(page, "Add a wave by hand")
    page.locator("#panel-notes figure").first.scroll_into_view_if_needed()
    check("waves")
    unfold(page, "Turn the notebook on")
    page.locator("form[data-do=on]").scroll_into_view_if_needed()
    check("turn-on")
    turn_on(page)
    unfold(page, "Change the passphrase")
    check("open")
    page.click("[data-do=lock]")
    expect(page.locator("form[data-do=unlock]")).to_be_visible()
    unfold(page, "It will not open")
    check("locked")
    page.click("#exit")
    page.wait_for_url("**/bye")
    context.close()
    wait_until(lambda: (noting.home / "notes.dat").exists())
