"""The screen “Settings and traces”: what it changes, and what it stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from assistant.errors import AssistantError, SettingsError
from assistant.ui import asked, furniture, settings_panel
from assistant.ui.markup import paragraph
from assistant.ui.panels import Panel

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from assistant.ui.starting import Starting

NAME: Final = "settings"
_STOPPED: Final = f"/{NAME}/stopped"

_NO_ANSWER_S: Final = 20.0
"""How long the last page is waited for before the program stops anyway."""
_LAST_PAGE_S: Final = 4.0
"""Time for the last page to come in every tab, on a slow computer too."""

_DONE = "That holds from now on."
_KEPT = "Kept in the settings file."
_NOT_KEPT = "Taken out of the settings file. Your choices hold until the program stops."
_NO_MODELS = "The list of models could not be read."
_WIPED = "Every talk has been wiped. You can close this tab, and the window in which "
_WIPED += "the program was started."
_CLEANED = "The search index has been deleted."
_LEFT = "The search index could not all be deleted. By hand, it can be: {}"
_REMAINS = "What can still remain: the browser’s history and its note about the "
_REMAINS += "microphone, the program’s folder and its model files."


def panel(starting: Starting) -> Panel:
    """Give the panel; what it holds is asked for anew whenever it opens."""
    del starting
    return Panel(NAME, "Settings and traces", '<div id="settings-place"></div>')


def routes(starting: Starting) -> Sequence[BaseRoute]:
    """Give the addresses below ``/settings``."""
    screen = _Screen(starting)
    return (
        Route(f"/{NAME}/body", screen.body, methods=["POST"]),
        Route(f"/{NAME}/models", screen.models, methods=["POST"]),
        Route(f"/{NAME}/change", screen.change, methods=["POST"]),
        Route(f"/{NAME}/keep", screen.keep, methods=["POST"]),
        Route(f"/{NAME}/stop", screen.stop, methods=["POST"]),
        Route(f"/{NAME}/sheet", screen.sheet),
        Route(_STOPPED, screen.stopped),
    )


class _Screen:
    """Answers the screen's own addresses."""

    def __init__(self, starting: Starting) -> None:
        self._starting = starting

    async def body(self, request: Request) -> Response:
        """Give the screen as things stand."""
        del request
        starting = self._starting
        html = await run_in_threadpool(
            settings_panel.body,
            starting.sitting.preferences,
            starting.settings,
            starting.directory,
            starting.choice.country,
            is_kept=starting.sitting.is_kept,
            has_voice=self._has_voice(),
        )
        return HTMLResponse(html)

    async def models(self, request: Request) -> Response:
        """Give the list of models; a file that is new is read whole."""
        del request
        try:
            html = await run_in_threadpool(
                settings_panel.models, self._starting.settings
            )
        except AssistantError:
            html = paragraph(_NO_MODELS)
        return HTMLResponse(html)

    async def change(self, request: Request) -> Response:
        """Change one choice; what holds then goes back, whether it worked or not."""
        wanted = await asked.record(request)
        name, value = str(wanted.get("name", "")), str(wanted.get("value", ""))
        starting, sitting = self._starting, self._starting.sitting
        try:
            if name == "country":
                starting.choice.choose(value)
                sitting.keep_country(starting.choice.country)
            elif (name, value) == ("spoken_replies", "on") and not self._has_voice():
                return self._now(settings_panel.NO_VOICE, ok=False)
            else:
                sitting.change(name, value)
        except SettingsError as error:
            return self._now(str(error), ok=False)
        return self._now(_DONE)

    async def keep(self, request: Request) -> Response:
        """Begin or end to keep the choices in the settings file."""
        wanted = (await asked.record(request)).get("keep") is True
        try:
            self._starting.sitting.keep(wanted, self._starting.choice.country)
        except SettingsError as error:
            return self._now(str(error), ok=False)
        return self._now(_KEPT if wanted else _NOT_KEPT)

    def _has_voice(self) -> bool:
        program = self._starting.program
        return program is not None and program.has_voice()

    def _now(self, said: str, *, ok: bool = True) -> Response:
        sitting = self._starting.sitting
        preferences = sitting.preferences
        return JSONResponse(
            {
                "ok": ok,
                "said": said,
                "keep": sitting.is_kept,
                "look": {
                    "text": preferences.text_size,
                    "movement": preferences.movement,
                    "title": preferences.title,
                    "icon": preferences.icon,
                    "exitTo": preferences.exit_to,
                    "idleS": preferences.idle_minutes * 60,
                    "handsFree": preferences.hands_free,
                    "turnPauseS": preferences.turn_pause_s,
                    "spoken": preferences.spoken_replies,
                },
                "exitAddress": preferences.exit_address,
            }
        )

    async def stop(self, request: Request) -> Response:
        """Wipe everything; the program stops once the last page has been shown."""
        clean = (await asked.record(request)).get("clean") is True
        await run_in_threadpool(self._starting.wind_up, clear_cache=clean)
        self._starting.stop_after(_NO_ANSWER_S)
        return Response(status_code=204)

    async def stopped(self, request: Request) -> Response:
        """Give the last page; by itself it stops nothing."""
        del request
        starting = self._starting
        if not starting.is_wound_up:
            return RedirectResponse("/", 303)
        starting.stop_after(_LAST_PAGE_S)
        cleaned = ""
        if starting.cache_is_clear is not None:
            folder = starting.settings.cache_dir
            cleaned = _CLEANED if starting.cache_is_clear else _LEFT.format(folder)
        return HTMLResponse(
            furniture.page(
                '<main class="last"><h1>The program has stopped</h1>'
                f"{paragraph(_WIPED)}{paragraph(cleaned)}{paragraph(_REMAINS)}</main>",
                preferences=starting.sitting.preferences,
            )
        )

    async def sheet(self, request: Request) -> Response:
        """Give the neutral page that covers a talk nobody has touched for long."""
        del request
        return HTMLResponse(
            furniture.bye(
                self._starting.sitting.preferences,
                above='<a class="sheet-back" href="/talk/#rested">Back</a>',
            )
        )
