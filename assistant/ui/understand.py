"""The screen Understand: the library as a place to walk in.

What is looked for comes in the body of a request, is compared in memory and forgotten:
it is in no address, no log, and not repeated in the answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from assistant import browse
from assistant.domain import Article, History, Level, Retrieval, Utterance
from assistant.domain_help import CardOffer
from assistant.errors import StageError
from assistant.ui import asked, understand_pages
from assistant.ui.markup import paragraph
from assistant.ui.panels import Panel

if TYPE_CHECKING:
    from assistant.ui.starting import Starting
    from assistant.wiring import Program

NAME: Final = "understand"
_TITLE = "Understand"
_NOT_YET = "The library is still being opened. Please try again in a moment."


def panel(starting: Starting) -> Panel:
    """Give the entrance to the library."""
    program = starting.program
    body = (
        understand_pages.entrance(program.library, program.cycle)
        if program
        else paragraph(_NOT_YET)
    )
    return Panel(NAME, _TITLE, body)


def routes(starting: Starting) -> Sequence[Route]:
    """Give the addresses that answer with pieces of the library."""
    desk = _Desk(starting)
    return (
        Route(f"/{NAME}/read", desk.read, methods=["POST"]),
        Route(f"/{NAME}/stage", desk.stage, methods=["POST"]),
        Route(f"/{NAME}/find", desk.find, methods=["POST"]),
    )


class _Desk:
    """Answers what the screen asks for; remembers nothing of it."""

    def __init__(self, starting: Starting) -> None:
        self._starting = starting
        self._finder: browse.Finder | None = None
        self._finder_lock = threading.Lock()

    async def read(self, request: Request) -> Response:
        """Give an article; a passage's id opens it there."""
        program = self._starting.program
        if program is None:
            return _sentence(_NOT_YET, 503)
        wanted = str((await asked.record(request)).get("read", ""))
        article_id, is_passage, _ = wanted.partition("#")
        try:
            html = understand_pages.article(
                program.library,
                article_id,
                today=date.today(),
                passage_id=wanted if is_passage else None,
            )
        except KeyError:
            return _sentence(understand_pages.NOT_HERE, 404)
        return HTMLResponse(html)

    async def stage(self, request: Request) -> Response:
        """Give a part of the loop."""
        program = self._starting.program
        if program is None:
            return _sentence(_NOT_YET, 503)
        wanted = str((await asked.record(request)).get("stage", ""))
        try:
            html = understand_pages.stage(program.library, program.cycle, wanted)
        except KeyError:
            return _sentence(understand_pages.NOT_HERE, 404)
        return HTMLResponse(html)

    async def find(self, request: Request) -> Response:
        """Give what fits the words; danger that is heard in them comes first."""
        program = self._starting.program
        if program is None:
            return _sentence(_NOT_YET, 503)
        words = str((await asked.record(request)).get("words", ""))
        words = words[: understand_pages.MAX_WORDS_CHARS]
        country = self._starting.choice.country
        danger, articles = await asyncio.gather(
            run_in_threadpool(_danger, program, words, country),
            run_in_threadpool(self._search, program, words),
        )
        return HTMLResponse(understand_pages.found(articles, danger))

    def _search(self, program: Program, words: str) -> tuple[Article, ...]:
        with self._finder_lock:
            if self._finder is None:
                self._finder = browse.Finder(program.library)
        return self._finder.find(words, _by_meaning(program, words))


def _by_meaning(program: Program, words: str) -> Retrieval | None:
    searcher = program.searcher
    if searcher is None:
        return None
    utterance = Utterance(words, program.settings.language)
    try:
        return searcher.find_passages(utterance, History(), browse.MOST_FOUND)
    except StageError:
        return None


def _danger(program: Program, words: str, country: str | None) -> Sequence[CardOffer]:
    try:
        offers = program.hear_danger(words, country)
    except StageError:
        return ()
    return [offer for offer in offers if offer.level >= Level.URGENT]


def _sentence(line: str, status: int) -> Response:
    return HTMLResponse(paragraph(line), status)
