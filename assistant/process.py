"""What the system shows and keeps of this process: a plain name, no crash image."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from pathlib import Path

_PLAIN = b"python3"
_PR_SET_NAME = 15  # linux/prctl.h
# Places in /proc/self/stat after the name in brackets; proc(5) counts from 1 before it.
_ARG_START, _ARG_END = 48 - 3, 49 - 3
_NO_ERROR_REPORT = 0x0001 | 0x0002  # SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX


def keep_no_crash_image() -> None:
    """Ask the system to write no image of the memory when the program crashes.

    Children inherit it. On Linux the limit alone is not enough: a system that hands
    crashes to a program of its own ignores it, so nothing of the memory is offered
    either. The process stays readable from outside, or nobody could watch it.
    """
    if sys.platform == "win32":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.windll.kernel32.SetErrorMode(_NO_ERROR_REPORT)
        return
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):  # Linux alone has it
        Path("/proc/self/coredump_filter").write_text("0")


def take_plain_name() -> None:
    """Be called ``python3``, without arguments, in the list of programs.

    Arguments may hold what a person wrote. Linux only; nothing happens elsewhere, or
    where the system does not let it. Between the start and this call, a moment, the
    real ones can be seen.
    """
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError, ValueError, IndexError):
        ctypes.CDLL(None).prctl(_PR_SET_NAME, _PLAIN, 0, 0, 0)
        stat = Path("/proc/self/stat").read_text("ascii", "replace")
        fields = stat.rpartition(")")[2].split()
        start, end = int(fields[_ARG_START]), int(fields[_ARG_END])
        if 0 < start < end:
            # Python has its own copy of the arguments by now.
            shown = _PLAIN[: end - start - 1].ljust(end - start, b"\0")
            ctypes.memmove(start, shown, end - start)
