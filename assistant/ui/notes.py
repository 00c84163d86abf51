"""My notes: the reality list, boundaries, people, triggers, waves, and what was kept.

Everything comes and goes in the body of a POST; the answers are small JSON records with
the panel's HTML and a sentence that is read out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from assistant.errors import AssistantError, NoteError
from assistant.keeping import Pad
from assistant.notebook import Kind, wave_of
from assistant.reading import whole
from assistant.ui import asked, notes_view
from assistant.ui import notes_words as words
from assistant.ui.panels import Panel

if TYPE_CHECKING:
    from starlette.requests import Request

    from assistant.ui.starting import Starting

NAME: Final = "notes"

_EXPORT = "export"
_WAVE = "wave"
_UNSEEN = ("touch", _WAVE)
"""What needs no answer to look at."""

Asked = Mapping[str, Any]


def panel(starting: Starting) -> Panel:
    """Give the panel, empty: what is in it comes when it is opened."""
    del starting
    return Panel(
        NAME,
        "My notes",
        f'<p id="notes-status" role="status"></p><div id="notes-place" '
        f'data-idle-minutes="{words.IDLE_MINUTES}"></div>',
    )


def routes(starting: Starting) -> Sequence[Route]:
    """Give the addresses: one for each thing that can be done."""
    desk = _Desk(starting)
    return (Route(f"/{NAME}/{{act}}", desk.answer, methods=["POST"]),)


class _Desk:
    """Answers what the panel asks."""

    def __init__(self, starting: Starting) -> None:
        self._starting = starting

    async def answer(self, request: Request) -> Response:
        """Do one thing with a tab's notes, in a thread: the disk may be slow."""
        act = request.path_params["act"]
        wanted = await asked.record(request)
        if act not in _ACTS and act != _EXPORT:
            return JSONResponse({}, 404)
        rooms = self._starting.rooms
        room = rooms.by_id(str(wanted.get("room", ""))) if rooms else None
        if room is None:
            return JSONResponse({"said": words.NO_ROOM}, 404)
        try:
            return await run_in_threadpool(_answer, room.pad, act, wanted)
        except AssistantError as error:
            return JSONResponse({"said": str(error)}, 409)


def _answer(pad: Pad, act: str, wanted: Asked) -> Response:
    if act != "view":
        pad.touch()
    if act == _EXPORT:
        return PlainTextResponse(pad.as_text().encode("utf-8", "replace"))
    said = _ACTS[act](pad, wanted)
    if act in _UNSEEN:
        return JSONResponse({"said": said, "where": str(pad.where)})
    html = notes_view.view(
        pad, _kind(wanted, "tool"), _words(wanted, "find"), now=datetime.now(UTC)
    )
    return JSONResponse({"html": html, "said": said, "where": str(pad.where)})


# --- What can be done -----------------------------------------------------------------


def _look(pad: Pad, wanted: Asked) -> str:
    del pad, wanted
    return ""


def _add(pad: Pad, wanted: Asked) -> str:
    kind = _kind(wanted, "kind")
    if kind is Kind.WAVE:
        return _add_wave_by_hand(pad, wanted)
    pad.add(kind, _words(wanted, "text"), _words(wanted, "more"))
    return words.ADDED


def _add_wave_by_hand(pad: Pad, wanted: Asked) -> str:
    minutes, peak, end = (_number(wanted, n) for n in ("minutes", "peak", "end"))
    strengths = [(0, peak), (minutes, end)] if minutes else [(0, peak)]
    # The page sends the computer's own time of day, without a zone.
    started = _moment(_words(wanted, "started"))
    pad.add_wave(wave_of(started, strengths, _helped(wanted)), _words(wanted, "text"))
    return words.ADDED


def _add_wave(pad: Pad, wanted: Asked) -> str:
    """Take over a wave from its screen: when, how strong at which minute, what helped.

    The record is ``{"room", "started": ISO 8601 with a zone, "strengths":
    [[minutes, 0 to 10], …], "helped": [text, …]}``.
    """
    helped = wanted.get("helped", [])
    if isinstance(helped, list):
        helped = [whole(str(entry)) for entry in helped]
    pad.add_wave(
        wave_of(wanted.get("started", ""), wanted.get("strengths", ()), helped)
    )
    return words.WAITING if pad.waiting else words.ADDED


def _edit(pad: Pad, wanted: Asked) -> str:
    pad.edit(
        _words(wanted, "id"),
        _words(wanted, "text"),
        _words(wanted, "more"),
        _helped(wanted),
    )
    return words.CHANGED


def _erase(pad: Pad, wanted: Asked) -> str:
    pad.erase(_words(wanted, "id"))
    return words.ERASED


def _turn_on(pad: Pad, wanted: Asked) -> str:
    pad.turn_on(_new_passphrase(wanted))
    return words.TURNED_ON


def _unlock(pad: Pad, wanted: Asked) -> str:
    pad.unlock(_words(wanted, "passphrase"))
    return words.UNLOCKED


def _lock(pad: Pad, wanted: Asked) -> str:
    del wanted
    pad.lock()
    return words.LOCKED_NOW


def _change_passphrase(pad: Pad, wanted: Asked) -> str:
    pad.change_passphrase(_words(wanted, "old"), _new_passphrase(wanted))
    return words.NEW_PASSPHRASE


def _erase_all(pad: Pad, wanted: Asked) -> str:
    del wanted
    pad.erase_all()
    return words.ALL_ERASED


def _set_aside(pad: Pad, wanted: Asked) -> str:
    del wanted
    return words.PUT_ASIDE.format(name=pad.set_aside())


_ACTS: Final[Mapping[str, Callable[[Pad, Asked], str]]] = {
    "view": _look,
    "touch": _look,
    "add": _add,
    "edit": _edit,
    "erase": _erase,
    "on": _turn_on,
    "unlock": _unlock,
    "lock": _lock,
    "passphrase": _change_passphrase,
    "erase-all": _erase_all,
    "aside": _set_aside,
    _WAVE: _add_wave,
}


# --- What was sent --------------------------------------------------------------------


def _words(wanted: Asked, name: str) -> str:
    value = wanted.get(name, "")
    return whole(value).replace("\r\n", "\n") if isinstance(value, str) else ""


def _kind(wanted: Asked, name: str) -> Kind:
    try:
        return Kind(_words(wanted, name))
    except ValueError:
        return Kind.REALITY


def _number(wanted: Asked, name: str) -> int:
    value = _words(wanted, name)
    return int(value) if value.isdecimal() and len(value) < 6 else -1


def _moment(started: str) -> str:
    try:
        return datetime.fromisoformat(started).astimezone().isoformat()
    except (OSError, OverflowError, ValueError):
        return ""


def _helped(wanted: Asked) -> tuple[str, ...]:
    entries = (entry.strip() for entry in _words(wanted, "helped").splitlines())
    return tuple(entry for entry in entries if entry)


def _new_passphrase(wanted: Asked) -> str:
    passphrase = _words(wanted, "passphrase")
    if passphrase != _words(wanted, "again"):
        raise NoteError(words.NOT_THE_SAME)
    return passphrase
