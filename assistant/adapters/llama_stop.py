"""End llama.cpp's work from outside, in the middle of whatever it computes."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

_ASK_EVERY_S = 0.04


class StopSwitch:
    """A switch that llama.cpp looks at between the steps of one computation.

    It asks a C function whether to stop, hundreds of times a token; a Python function
    there would wait for the interpreter's lock each time. ``strlen`` of the C library,
    given two bytes of ours, answers without it: nought while the first is nought.
    """

    def __init__(self, lib: Any, context: Any) -> None:
        """Give the switch to a context of llama.cpp."""
        self._flag = ctypes.create_string_buffer(2)
        library = "msvcrt" if sys.platform == "win32" else None
        self._ask = ctypes.cast(ctypes.CDLL(library).strlen, lib.ggml_abort_callback)
        lib.llama_set_abort_callback(context, self._ask, self._flag)

    @property
    def is_off(self) -> bool:
        """True when the work was stopped."""
        return self._flag.raw[0] != 0

    @contextlib.contextmanager
    def watching(self, stopped: Callable[[], bool]) -> Iterator[None]:
        """Ask ``stopped`` often while the block runs, and stop the work on True."""
        self._flag[0] = b"\0"
        ended = threading.Event()

        def watch() -> None:
            while not ended.wait(_ASK_EVERY_S):
                if stopped():
                    self._flag[0] = b"\1"
                    return

        watcher = threading.Thread(target=watch, name="stop-switch", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()
            self._flag[0] = b"\0"
