"""The screen Understand: every article whole, escaped, with sources and date."""

from __future__ import annotations

import html
import logging
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from assistant import browse, content_library, content_texts, library_check
from assistant.content_library import Library
from assistant.content_texts import Cycle
from assistant.domain import Retrieval
from assistant.errors import ContentError, RetrieveError
from assistant.ui import cards, cycle_picture, sources, understand, understand_pages
from assistant.ui.choice import Choice
from tests.conftest import CANARY
from tests.scripted_program import ScriptedProgram, directory, settings_for

TODAY = date(2026, 12, 1)
HOSTILE = '<img src=x onerror="alert(1)"> & "quoted"'


@pytest.fixture(scope="session")
def cycle(root: Path) -> Cycle:
    return content_texts.load_cycle(root)


def _plain(markup: str) -> str:
    """Give the words a reader sees, without the numbers of the sources."""
    without = re.sub(r"<sup.*?</sup>", "", markup)
    return html.unescape(re.sub(r"<[^>]+>", "", without))


# --- Articles -------------------------------------------------------------------------


def test_every_article_is_shown_whole_with_its_sources_and_its_date(
    library: Library,
) -> None:
    for article in library.articles:
        shown = understand_pages.article(library, article.id, today=TODAY)
        words = _plain(shown)
        assert article.title in words
        for passage in article.passages:
            assert passage.heading in words
            assert passage.text in words, passage.id
        listed = shown.split('<ol class="sources">')[1].split("</ol>")[0]
        assert listed.count("<li>") == len(article.sources), article.id
        for citation in sources.cited(article.sources):
            assert citation in html.unescape(listed)
        assert f'datetime="{article.reviewed_on}"' in shown
        assert f'datetime="{article.review_due}"' in shown
        assert article.reviewed_by in words


def test_every_source_of_the_library_has_a_citation_and_says_how_sure(
    library: Library,
) -> None:
    for article in library.articles:
        for source in article.sources:
            assert sources.cited((source,)) != (source,)
            assert sources.how_sure(source), source


def test_every_claim_is_followed_by_its_own_source(library: Library) -> None:
    shown = understand_pages.article(library, "tension-harm-and-making-up", today=TODAY)
    claim = "were not a fair sample of all couples."
    assert re.search(re.escape(claim) + r"<sup[^>]*>.*? 1<|>1<", shown)
    numbers = re.findall(r"</span>([\d, ]+)<span", shown)
    assert numbers == ["1", "1", "1", "2", "2"]


def test_marks_are_taken_out_and_the_words_stay() -> None:
    text = "One thing [a-1, b]. And [c], another. The end"
    claims = content_library.claims_in(text)
    assert claims == (
        ("One thing.", ("a-1", "b")),
        (" And,", ("c",)),
        (" another. The end", ()),
    )
    assert content_library.cited_in(claims) == ("a-1", "b", "c")


def test_texts_are_escaped_wherever_they_come_from(library: Library) -> None:
    article = library.articles[0]
    passage = replace(
        article.passages[0], heading=HOSTILE, claims=((HOSTILE, (HOSTILE,)),)
    )
    bad = replace(article, title=HOSTILE, reviewed_by=HOSTILE, passages=(passage,))
    topics = (replace(library.topics[0], id=article.topic, section=HOSTILE),)
    shelf = Library(topics, (bad,), "x")
    for shown in (
        understand_pages.article(shelf, bad.id, today=TODAY),
        understand_pages.found([bad]),
        understand_pages._subjects(shelf),
    ):
        assert "<img" not in shown
        assert "&lt;img" in shown


def test_a_part_a_reply_used_is_marked_and_takes_the_focus(library: Library) -> None:
    shown = understand_pages.article(
        library, "gaslighting", today=TODAY, passage_id="gaslighting#2"
    )
    heading = library.passage_of("gaslighting#2")[1].heading
    assert shown.count("data-heading") == 1
    wanted = shown.split('class="part wanted"')[1].split("</section>")[0]
    assert html.escape(heading) in wanted
    assert "data-heading" in wanted


def test_a_review_that_is_overdue_is_said(library: Library) -> None:
    later = understand_pages.article(library, "grief", today=date(2028, 1, 1))
    assert "out of date" in later
    assert "out of date" not in understand_pages.article(library, "grief", today=TODAY)


def test_a_passage_in_the_talk_leads_to_its_article(library: Library) -> None:
    article, passage = library.passage_of("grief#3")
    shown = cards.passage(article, passage, ())
    assert 'data-panel="understand"' in shown
    assert 'data-passage="grief#3"' in shown


# --- The loop -------------------------------------------------------------------------


def test_every_part_of_the_loop_leads_to_articles_and_names_its_sources(
    library: Library, cycle: Cycle
) -> None:
    for part in (*cycle.stages, cycle.other):
        shown = understand_pages.stage(library, cycle, part.id)
        assert shown.count("data-read=") == len(part.read) >= 4
        assert '<ol class="sources">' in shown
        # Nobody is told that all homes are like this.
        assert "harm that never stops" in shown


def test_the_loop_says_only_what_the_sources_say(root: Path, cycle: Cycle) -> None:
    known = content_library.source_ids(root)
    texts = [cycle.texts.intro, cycle.texts.caveat]
    texts += [piece for part in (*cycle.stages, cycle.other) for piece in part.text]
    for text in texts:
        claims = content_library.claims_in(text)
        assert set(content_library.cited_in(claims)) <= known
        words = "".join(piece for piece, _ in claims)
        assert library_check.reading_grade(words) <= library_check.MAX_GRADE, words
        assert not re.search(r"always|every cycle|shorter|honeymoon", words)


def test_each_part_of_the_picture_is_a_button_with_a_name(cycle: Cycle) -> None:
    shown = cycle_picture.draw(cycle)
    names = re.findall(r'<button type="button" data-stage="\w+">([^<]+)<', shown)
    assert names == [part.title for part in cycle.stages]
    assert [part.id for part in cycle.stages].index("harm") == 2  # where it is sharp
    assert 'role="img"' in shown
    assert "style=" not in shown


def test_a_cycle_file_without_its_parts_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "prompts" / "fixed"
    folder.mkdir(parents=True)
    (folder / "cycle.en.toml").write_text('id = "cycle"')
    with pytest.raises(ContentError, match="stage"):
        content_texts.load_cycle(tmp_path)


# --- The routes -----------------------------------------------------------------------


class _Starting:
    def __init__(self, program: ScriptedProgram | None) -> None:
        self.program = program
        self.choice = Choice(directory(), "GB")


@pytest.fixture
def program(tmp_path: Path) -> ScriptedProgram:
    return ScriptedProgram(settings_for(tmp_path))


def _client(program: ScriptedProgram | None) -> TestClient:
    starting: Any = _Starting(program)
    return TestClient(Starlette(routes=list(understand.routes(starting))))


@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("read", {"read": "no-such-article"}),
        ("read", {"read": "grief#99"}),
        ("read", {"read": "../../etc/passwd"}),
        ("read", {}),
        ("read", {"read": {"a": 1}}),
        ("stage", {"stage": "<b>"}),
        ("stage", [1]),
    ],
)
def test_what_is_not_there_gives_one_plain_sentence(
    program: ScriptedProgram, path: str, record: Any
) -> None:
    reply = _client(program).post(f"/understand/{path}", json=record)
    assert reply.status_code == 404
    assert reply.text == f"<p>{understand_pages.NOT_HERE}</p>"


def test_broken_records_are_like_empty_ones(program: ScriptedProgram) -> None:
    for path, status in (("read", 404), ("stage", 404), ("find", 200)):
        reply = _client(program).post(f"/understand/{path}", content=b"{\xff")
        assert reply.status_code == status


def test_before_the_program_is_there_one_sentence_says_so() -> None:
    client = _client(None)
    for path in ("read", "stage", "find"):
        reply = client.post(f"/understand/{path}", json={})
        assert reply.status_code == 503
        assert "still being opened" in reply.text
    assert "still being opened" in understand.panel(_Starting(None)).body  # type: ignore[arg-type]  # as much as it needs


def test_reading_is_never_asked_for_by_address(program: ScriptedProgram) -> None:
    client = _client(program)
    for path in ("read", "stage", "find"):
        assert client.get(f"/understand/{path}?words=x").status_code == 405


def test_a_search_finds_and_repeats_nothing_of_the_words(
    program: ScriptedProgram,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG, logger="assistant")
    words = f"{CANARY} gaslighting {HOSTILE}"
    reply = _client(program).post("/understand/find", json={"words": words})
    assert reply.status_code == 200
    assert "<img" not in reply.text
    seen = reply.text + caplog.text + "".join(capsys.readouterr())
    assert CANARY not in seen


def test_a_search_that_fits_nothing_says_so(program: ScriptedProgram) -> None:
    reply = _client(program).post("/understand/find", json={"words": "lasagne"})
    assert "I found nothing" in reply.text
    assert "data-read" not in reply.text


def test_danger_in_a_search_comes_before_what_was_found(
    program: ScriptedProgram,
) -> None:
    reply = _client(program).post("/understand/find", json={"words": "danger sleep"})
    assert reply.text.index("data-help") < reply.text.index("data-heading")
    calm = _client(program).post("/understand/find", json={"words": "sleep"})
    assert "data-help" not in calm.text


def test_a_loaded_search_is_asked_and_its_failure_changes_little(
    program: ScriptedProgram, library: Library
) -> None:
    class Searcher:
        def find_passages(self, utterance: Any, history: Any, count: int) -> Retrieval:
            if "please" in utterance.text:
                raise RetrieveError("no")
            return Retrieval((), weak=True)

    program.searcher = Searcher()  # type: ignore[assignment]  # as much as it needs
    client = _client(program)
    found = client.post("/understand/find", json={"words": "gaslighting please"})
    assert 'data-read="gaslighting"' in found.text
    sure = client.post("/understand/find", json={"words": "gaslighting"})
    assert 'data-read="gaslighting"' in sure.text


def test_the_panel_holds_every_title_once_and_all_parts_of_the_loop(
    program: ScriptedProgram, library: Library, cycle: Cycle
) -> None:
    body = understand_pages.entrance(library, cycle)
    for article in library.articles:
        assert body.count(f'data-read="{article.id}"') == 1
    assert body.count("data-stage=") == len(cycle.stages) + 1
    assert "<form" not in body
    assert " name=" not in body
    starting: Any = _Starting(program)
    assert understand.panel(starting).name == understand.NAME


def test_every_shelf_has_a_line_that_says_what_is_on_it(library: Library) -> None:
    for shelf in browse.shelves(library):
        assert understand_pages._OF_SHELF[shelf.title]
