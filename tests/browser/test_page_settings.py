"""“Settings and traces”: choices that hold, the idle wipe, shutting down."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from assistant.ui.preferences import DEFAULT
from tests.browser.browsing import (
    SCREENSHOTS,
    Served,
    open_talk,
    say,
    wait_until,
    watched,
)

pytestmark = pytest.mark.browser

_FONT = (
    "parseFloat(getComputedStyle(document.querySelector('h1, #box textarea')).fontSize)"
)
_SCREENS = {"phone": (360, 740), "desktop": (1280, 860)}
_LOOKS = [(size, scheme) for size in _SCREENS for scheme in ("light", "dark")]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of this file's own: choices would reach the other tests."""
    server = Served(tmp_path_factory.mktemp("settings"), "--country", "GB")
    server.wait_open()
    yield server
    assert server.close() == 0


@pytest.fixture
def own(running: Served) -> Iterator[Served]:
    """The server; what a test has chosen is taken back after it."""
    yield running
    for name in (field.name for field in fields(DEFAULT)):
        _post(running, "change", {"name": name, "value": str(getattr(DEFAULT, name))})


def _post(served: Served, path: str, wanted: dict[str, str]) -> None:
    answer = served.client.post(f"/settings/{path}", json=wanted)
    assert answer.status_code == 200


@pytest.fixture
def talking(page: Page, own: Served) -> Page:
    return open_talk(page, own)


def _open(page: Page) -> None:
    if page.locator("#menu-button").is_visible():
        page.click("#menu-button")
    page.click("[data-panel=settings]")
    expect(page.locator("#settings-models li").first).to_be_attached()


def _choose(page: Page, name: str, value: str) -> None:
    page.check(f'input[name={name}][value="{value}"]')
    expect(page.locator("#settings-said")).to_contain_text("from now on")


def test_text_size_holds_at_once_after_a_reload_and_on_the_first_page(
    talking: Page, own: Served
) -> None:
    before = talking.evaluate(_FONT)
    _open(talking)
    _choose(talking, "text_size", "largest")
    assert talking.evaluate(_FONT) > 1.3 * before
    talking.reload()
    assert talking.locator("html").get_attribute("data-text") == "largest"
    talking.goto(f"{own.address}#help")
    assert talking.locator("html").get_attribute("data-text") == "largest"


def test_title_and_picture_change_at_once_and_stay(talking: Page, own: Served) -> None:
    _open(talking)
    _choose(talking, "page_title", "recipes")
    assert talking.title() == "Recipes"
    open_talk(talking, own)
    talking.wait_for_timeout(500)
    assert talking.title() == "Recipes"
    icon = talking.locator('link[rel="icon"]').get_attribute("href")
    assert icon == "/static/icon-recipes.svg"
    for path in ("#help", "bye"):
        talking.goto(f"{own.address}{path}")
        assert talking.title() == "Recipes"


def test_a_choice_reaches_the_other_tab(
    talking: Page, own: Served, context: BrowserContext
) -> None:
    other = open_talk(watched(context.new_page()), own)
    _open(talking)
    _choose(talking, "movement", "none")
    expect(other.locator("html[data-movement=none]")).to_be_attached()


@contextmanager
def _plain_site() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<title>Weather</title>")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_the_exit_can_lead_to_a_site_of_ones_own(talking: Page, own: Served) -> None:
    with _plain_site() as site:
        _open(talking)
        talking.fill("#exit-address", "not an address")
        talking.keyboard.press("Enter")
        expect(talking.locator("#settings-said")).to_contain_text("not a web address")
        expect(talking.locator("#exit-address")).to_be_focused()
        talking.fill("#exit-address", site)
        talking.keyboard.press("Enter")
        expect(talking.locator("#settings-said")).to_contain_text("from now on")
        open_talk(talking, own)
        talking.click("#exit")
        talking.wait_for_url(site)
        talking.go_back()
        talking.wait_for_timeout(300)
        assert "/talk/" not in talking.url
    assert not (own.home / "settings.toml").exists()


def test_choices_are_written_only_when_asked(talking: Page, own: Served) -> None:
    path = own.home / "settings.toml"
    _open(talking)
    _choose(talking, "text_size", "larger")
    assert not path.exists()
    talking.check("input[name=keep]")
    expect(talking.locator("#settings-said")).to_contain_text("Kept in")
    assert 'text_size = "larger"' in path.read_text()
    talking.uncheck("input[name=keep]")
    expect(talking.locator("#settings-said")).to_contain_text("Taken out")
    assert not path.exists()


def _rest_after(page: Page, seconds: float) -> None:
    page.evaluate(f"document.documentElement.dataset.idleS = {seconds}")
    page.keyboard.press("Control")  # a sign of life begins the new time


def test_when_nothing_moves_the_talk_is_wiped_and_covered(
    talking: Page, own: Served
) -> None:
    say(talking, "danger apricot")
    number = len(own.ask()["talks"]) - 1
    _rest_after(talking, 3)
    expect(talking.locator("#idle-notice")).to_be_visible()
    talking.wait_for_url("**/settings/sheet")
    assert "apricot" not in talking.content()
    wait_until(lambda: own.ask()["talks"][number]["wiped"] > 0)
    assert own.ask()["talks"][number]["said"] == []
    talking.click("text=Back")
    expect(talking.locator("#status")).to_contain_text("was wiped")
    assert talking.url.endswith("/talk/")
    expect(talking.locator(".turn")).to_have_count(0)
    expect(talking.locator("[data-testid=label-output-value]")).not_to_be_empty()
    _rest_after(talking, 600)  # or a slow computer rests again before the reply
    say(talking, "still here")


def test_any_key_keeps_everything(talking: Page) -> None:
    say(talking, "apricot")
    _rest_after(talking, 4)
    expect(talking.locator("#idle-notice")).to_be_visible()
    talking.keyboard.press("ArrowDown")
    expect(talking.locator("#idle-notice")).to_have_count(0)
    talking.wait_for_timeout(2_500)
    expect(talking.locator(".said")).to_contain_text("apricot")


def test_idle_can_be_switched_off(talking: Page) -> None:
    _open(talking)
    _choose(talking, "idle_minutes", "0")
    assert talking.locator("html").get_attribute("data-idle-s") == "0"
    talking.wait_for_timeout(500)
    assert talking.url.endswith("/talk/")


def test_shutting_down_wipes_stops_and_cleans(
    new_server: Callable[..., Served], context: BrowserContext
) -> None:
    own = new_server()
    own.wait_open()
    talking = open_talk(watched(context.new_page()), own)
    cache = own.home / ".cache"
    (cache / "index").mkdir(parents=True)
    (cache / "index.key").write_text("made by the program")
    other = open_talk(watched(context.new_page()), own)
    say(other, "apricot")
    _open(talking)
    talking.check("#clean")
    talking.click("#shut-down")
    for page in (talking, other):
        expect(page.locator("h1")).to_have_text("The program has stopped")
        assert "apricot" not in page.content()
    expect(talking.locator("main")).to_contain_text("index has been deleted")
    assert own.process.wait(timeout=60) == 0
    assert not cache.exists()
    with pytest.raises(httpx.ConnectError):
        httpx.get(own.address)


@contextmanager
def _window(browser: Browser, size: str, scheme: str) -> Iterator[Page]:
    width, height = _SCREENS[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]  # a plain string here
    )
    yield watched(context.new_page())
    context.close()


def _keep(page: Page, name: str, *, whole: bool = False) -> None:
    """Keep a picture, and look for what assistive technology would miss."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_first_minute_is_kept_and_breaks_no_rule_of_access(
    new_server: Callable[..., Served], browser: Browser
) -> None:
    served = new_server("--country", "GB", "--slow-start", "5")
    for size, scheme in _LOOKS:
        with _window(browser, size, scheme) as page:
            page.goto(served.address)
            expect(page.locator("#welcome")).to_be_visible()
            _keep(page, f"welcome-{size}-{scheme}")
            page.get_by_text("More about this").click()
            _keep(page, f"welcome-more-{size}-{scheme}", whole=True)


@pytest.mark.parametrize(("size", "scheme"), _LOOKS)
def test_the_screen_is_kept_and_breaks_no_rule_of_access(
    browser: Browser, own: Served, size: str, scheme: str
) -> None:
    with _window(browser, size, scheme) as page:
        open_talk(page, own)
        _open(page)
        _keep(page, f"settings-{size}-{scheme}")
        for summary in page.locator("#settings-place > details > summary").all():
            summary.click()
        page.locator("#exit-address").scroll_into_view_if_needed()
        _keep(page, f"settings-middle-{size}-{scheme}")
        page.get_by_text("Firefox").scroll_into_view_if_needed()
        _keep(page, f"settings-traces-{size}-{scheme}")
        page.locator("#shut-down").scroll_into_view_if_needed()
        _keep(page, f"settings-end-{size}-{scheme}")
        page.keyboard.press("Escape")
        _rest_after(page, 40)
        expect(page.locator("#idle-notice")).to_be_visible(timeout=25_000)
        _keep(page, f"idle-notice-{size}-{scheme}")
        page.goto(f"{own.address}settings/sheet")
        _keep(page, f"sheet-{size}-{scheme}")


@pytest.mark.parametrize("text", ["normal", "largest"])
def test_nothing_is_cut_off_at_320_pixels(
    browser: Browser, own: Served, text: str
) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 560})
    page = watched(context.new_page())
    _post(own, "change", {"name": "text_size", "value": text})
    page.goto(f"{own.address}#help")
    _assert_no_sideways_scroll(page, text)
    open_talk(page, own)
    say(page, "danger")
    _assert_no_sideways_scroll(page, text)
    _open(page)
    for summary in page.locator("#settings-place > details > summary").all():
        summary.click()
    panel = page.locator("#panel-settings")
    assert panel.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"settings-320-{text}.png")
    context.close()


def _assert_no_sideways_scroll(page: Page, name: str) -> None:
    page.screenshot(path=Path(SCREENSHOTS) / f"narrow-{name}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for place in page.locator("#bar :is(a, button)").all():
        if place.is_visible():
            box = place.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 320
