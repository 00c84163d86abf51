"""The talk in Gradio: the box, the buttons, and the stream of a turn.

The only module that imports Gradio, which takes seconds: call ``build`` in a thread.
What Gradio offers unasked is off: analytics, API pages, run history, sharing, flagging,
uploads. The page around it is ``talk_page``; what moves there is ``static/talk.js``.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assistant.ui import frames, turns
from assistant.ui.rooms import MAX_ROOMS

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from assistant.ui.choice import Choice
    from assistant.ui.rooms import Rooms
    from assistant.wiring import Program

PATH: Final = "/talk"

_API = f"{PATH}/gradio_api/"
_OPEN_PREFIXES = (
    f"{PATH}/assets/",
    f"{PATH}/static/",
    f"{_API}heartbeat/",
)
_OPEN_PATHS = frozenset(
    {
        f"{PATH}/",
        f"{PATH}/theme.css",
        f"{_API}cancel",
        f"{_API}queue/data",
        f"{_API}queue/join",
        f"{_API}reset",
        f"{_API}startup-events",
    }
)

_HOLD_S = 10
"""How soon a tab that has gone is noticed by the event that holds its stream."""
_JOBS = 3 * MAX_ROOMS
"""Events at once: each tab holds one, and may have a turn and a wipe beside it."""


def is_open(path: str) -> bool:
    """Tell whether the page itself needs this address of Gradio; the rest is shut."""
    return ".." not in path and (path in _OPEN_PATHS or path.startswith(_OPEN_PREFIXES))


def build(
    program: Program,
    rooms: Rooms,
    choice: Choice,
    scratch: Path,
) -> Starlette:
    """Make the ASGI application that answers below ``/talk``.

    Its lifespan must be entered before the first request.

    Args:
        program: What answers.
        rooms: Where the talks of the tabs are kept.
        choice: The country that is chosen at the moment; a talk may change it.
        scratch: An empty folder of our own, for Gradio's temporary files; none come.
    """
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_TEMP_DIR"] = str(scratch)  # read each time; see ``Starting``
    import fastapi
    import gradio as gr

    from assistant.ui import theme

    blocks = _screen(gr, program, rooms, choice)
    outer = fastapi.FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    mounted: Starlette = gr.mount_gradio_app(
        outer,
        blocks,
        PATH,
        server_name="127.0.0.1",
        footer_links=[],
        run_history=False,
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
        show_error=False,
        max_file_size=1,
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        theme=theme.make(gr),
    )
    return mounted


def _screen(gr: Any, program: Program, rooms: Rooms, choice: Choice) -> Any:
    """Lay out the box and the buttons, and join them to the rooms."""

    def enter(request: gr.Request) -> str:
        return frames.encode(room=rooms.of_session(str(request.session_hash)).id)

    def say(their_words: str, request: gr.Request) -> Iterator[str]:
        room = rooms.of_session(str(request.session_hash))
        yield from turns.stream_frames(
            room,
            str(their_words or ""),
            program.library,
            choice.country,
            choice.choose,
        )

    async def hold() -> AsyncIterator[None]:
        # Gradio closes a tab's stream of messages when no event of it is running, and
        # an event that begins in that moment is never answered. This one runs for as
        # long as the tab is there, so the stream stays open.
        while True:
            yield None
            await asyncio.sleep(_HOLD_S)

    def leave(request: gr.Request) -> None:
        rooms.leave(str(request.session_hash))

    # Gradio finds ``request`` by its annotation, which is only text in this module.
    for handler in (enter, say, leave):
        handler.__annotations__["request"] = gr.Request

    with gr.Blocks(title="Notes", analytics_enabled=False, fill_width=True) as blocks:
        box = gr.Textbox(
            label="What is on your mind?",
            lines=1,
            max_lines=8,
            max_length=turns.MAX_CHARS,
            elem_id="box",
            # A browser's spelling help may send words away; its form memory keeps them.
            html_attributes=gr.InputHTMLAttributes(
                spellcheck=False, autocomplete="off", autocorrect="off"
            ),
        )
        with gr.Row(elem_id="buttons"):
            send = gr.Button("Send", variant="primary", elem_id="send")
            gr.Button("Stop", elem_id="stop")
            gr.Button("Speak", variant="primary", elem_id="speak")
            gr.Button("Use a recording", elem_id="recording")
            gr.Button("Hands-free: off", elem_id="hands-free")
            end = gr.Button("End and wipe", elem_id="end")
        wire = gr.Label(elem_id="wire", show_label=False, container=False)
        quiet = {"api_visibility": "private", "show_progress": "hidden"}
        send.click(say, box, wire, concurrency_limit=None, **quiet)
        # The page itself has the room wiped, at once; this empties the wire after it.
        end.click(enter, None, wire, concurrency_limit=None, **quiet)
        blocks.load(enter, None, wire, concurrency_limit=None, **quiet)
        blocks.load(hold, None, None, concurrency_limit=None, **quiet)
        blocks.unload(leave)
    blocks.max_threads = _JOBS
    blocks.queue(api_open=False, status_update_rate=3600, max_size=100)
    return blocks
