"""What is being started in the background, and how far it has come.

Two threads: one imports Gradio, which takes seconds of pure waiting for the person; one
builds the program. The first page needs neither.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import AssistantError
from assistant.ui import cleaning, scratch
from assistant.ui.choice import Choice
from assistant.ui.preferences import Sitting
from assistant.ui.rooms import Rooms

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from assistant.content_directory import Directory
    from assistant.content_texts import Guide
    from assistant.settings import Settings
    from assistant.wiring import Part, Program

_FAILED = (
    "The talk could not start. Help below works all the same; closing the program and "
    "starting it again may mend it."
)
_NO_FOLDER = (
    "The talk could not start: this computer has no room for a small temporary folder, "
    "or does not let one be made. Help below works all the same."
)
_logger = logging.getLogger(__name__)


class Starting:
    """The state of the start; read by the routes, written by one background thread."""

    def __init__(
        self,
        program_factory: Callable[[], Program],
        settings: Settings,
        directory: Directory | None,
        guide: Guide | None = None,
        stop: Callable[[], None] = lambda: None,
    ) -> None:
        """Remember what to build, and how the server is stopped; nothing runs yet."""
        self._factory = program_factory
        self.id = secrets.token_hex(8)
        """By it a page notices that the program was started again."""
        self.directory = directory
        self.guide = guide
        self.settings = settings
        self.choice = Choice(directory, settings.country)
        self.sitting = Sitting(settings)
        self.program: Program | None = None
        self.rooms: Rooms | None = None
        self.talk_app: Starlette | None = None
        self.failed: str | None = None
        self.is_wound_up = False
        self.cache_is_clear: bool | None = None
        """None where nobody asked to delete it."""
        self._stop = stop
        self._stopping: asyncio.TimerHandle | None = None
        self._scratch: Path | None = None
        self._closing = asyncio.Event()
        self._lifespan: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()

    @property
    def is_open(self) -> bool:
        """True when the talk can be entered."""
        return self.talk_app is not None

    @property
    def is_settled(self) -> bool:
        """True when nothing is loading any more that a reply would need."""
        waits = {p.name for p in self.parts() if p.state == "loading"}
        return self.is_open and not waits - {"speech"}

    def parts(self) -> tuple[Part, ...]:
        """Give the parts of the program; none while it is not built."""
        return self.program.parts() if self.program else ()

    def begin(self) -> None:
        """Start building in the background; returns at once."""
        try:
            self._scratch = scratch.make()
        except OSError:
            self.failed = _NO_FOLDER
            return
        # Gradio reads this once, when it is imported, and makes a folder there.
        os.environ["GRADIO_TEMP_DIR"] = str(self._scratch)
        threading.Thread(target=_import_gradio, name="page", daemon=True).start()
        threading.Thread(
            target=self._build, args=(self._scratch,), name="start", daemon=True
        ).start()

    def _build(self, scratch_folder: Path) -> None:
        try:
            program = self._factory()
            self.program = program
            program.start_loading()
            # Only now: before the program was built, this would hold up the first page.
            from assistant import wiring_notes
            from assistant.ui import talk

            keeper = wiring_notes.open_keeper(self.settings)
            self.rooms = Rooms(program.new_talk, keeper.new_pad)
            app = talk.build(program, self.rooms, self.choice, scratch_folder)
        except AssistantError as error:
            self.failed = str(error)
        except OSError:
            self.failed = _NO_FOLDER
        except Exception:
            # Nobody has said anything yet, so the whole story may be told.
            _logger.exception("the talk could not start")
            self.failed = _FAILED
        else:
            self._loop.call_soon_threadsafe(self._open, app)

    def _open(self, app: Starlette) -> None:
        self._lifespan = self._loop.create_task(self._live(app))

    async def _live(self, app: Starlette) -> None:
        """Hold Gradio's own start and stop around the time it is used."""
        async with app.router.lifespan_context(app):
            self.talk_app = app
            await self._closing.wait()
            self.talk_app = None

    def wind_up(self, *, clear_cache: bool) -> None:
        """Wipe every talk ahead of a stop, and delete the cache if that is wanted."""
        if self.rooms is not None:
            self.rooms.leave_all()
        if clear_cache:
            if self.program is not None:
                self.program.close()
            self.cache_is_clear = cleaning.clear(self.settings.cache_dir)
        self.is_wound_up = True

    def stop_after(self, seconds: float) -> None:
        """Stop the server in a little while; asked again, the newest time holds."""
        if self._stopping is not None:
            self._stopping.cancel()
        self._stopping = self._loop.call_later(seconds, self._stop)

    async def close(self) -> None:
        """Wipe every talk, stop what runs, and leave no folder behind."""
        if self.rooms is not None:
            self.rooms.leave_all()
        self._closing.set()
        if self._lifespan is not None:
            await asyncio.wait([self._lifespan], timeout=2)
        if self.program is not None:
            self.program.close()
        if self.cache_is_clear is not None:
            # What was still being made when the talks were wiped.
            cleaning.clear(self.settings.cache_dir)
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)


def _import_gradio() -> None:
    """Import ahead, beside the building of the program; a failure shows up there."""
    try:
        import gradio  # noqa: F401  # only to have it loaded
    except Exception:
        _logger.debug("importing ahead failed")
