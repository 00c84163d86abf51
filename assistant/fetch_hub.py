"""Model files from the publisher's repository on the hub.

``huggingface_hub`` gives the address (so a mirror set in ``HF_ENDPOINT`` is used) and
no more: since 2.x its ``hf_hub_download`` deletes what it has when it is interrupted,
and a person on a slow line must not start a gigabyte over. So the file is read here,
with HTTP range requests. No token, no cookie and no name of this program is sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import ModelFileError
from assistant.models import HubFile

if TYPE_CHECKING:
    import httpx

_REACH_TIMEOUT_S = 3.0
_READ_TIMEOUT_S = 30.0
_BLOCK_BYTES = 1 << 18
_TRIES = 4
_PAUSE_S = 2.0
# The hub itself answers with this header, a café's login page does not.
_HUB_HEADER = "x-repo-commit"


class SourceError(ModelFileError):
    """One source could not give a file; another one may."""


class Hub:
    """The model hub, or a mirror of it."""

    def __init__(
        self,
        *,
        endpoint: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the hub's address; nothing is asked yet.

        Args:
            endpoint: Address of the hub; None for the usual one or ``HF_ENDPOINT``.
            sleep: Waits between two tries.
        """
        self._endpoint = endpoint
        self._sleep = sleep

    def is_in_reach(self, file: HubFile) -> bool:
        """Ask, with a short time-out, whether the hub has a file for us."""
        import httpx
        from huggingface_hub import constants

        if self._endpoint is None and constants.HF_HUB_OFFLINE:
            return False
        try:
            answer = httpx.head(
                self._url(file),
                timeout=_REACH_TIMEOUT_S,
                headers={"Accept-Encoding": "identity"},
                follow_redirects=True,
            )
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            return False
        # The store that the hub sends us on to need not answer HEAD.
        steps = [*answer.history, answer]
        return any(
            step.status_code < 400 and _HUB_HEADER in step.headers for step in steps
        )

    def fetch(
        self,
        file: HubFile,
        target: Path,
        *,
        size_bytes: int,
        on_bytes: Callable[[int], None],
    ) -> None:
        """Fetch a file; goes on from what is already in ``target``.

        A line that drops is taken up again a few times, as long as bytes arrive.

        Args:
            file: Which file.
            target: Where to write; kept when this fails, so that it can go on later.
            size_bytes: The size that the file must have.
            on_bytes: Told how many bytes of the file are there.

        Raises:
            SourceError: If the hub does not give the file.
            OSError: If it cannot be written.
        """
        import httpx

        url = self._url(file)
        tries, furthest = _TRIES, _size(target)
        timeout = httpx.Timeout(_READ_TIMEOUT_S, connect=_REACH_TIMEOUT_S * 2)
        with httpx.Client(timeout=timeout, follow_redirects=True) as client:
            while (before := _size(target)) != size_bytes:
                if before > size_bytes:
                    target.unlink()
                    before = 0
                try:
                    _read_on(client, url, target, before, size_bytes, on_bytes)
                except (httpx.TransportError, _CutOffError):
                    # Only bytes that were never reached before earn new tries, so
                    # that a server without ranges cannot keep us here for ever.
                    tries = _TRIES if _size(target) > furthest else tries - 1
                    furthest = max(furthest, _size(target))
                    if not tries:
                        raise _lost(file) from None
                    self._sleep(_PAUSE_S)
                except (httpx.HTTPError, httpx.InvalidURL):
                    raise _lost(file) from None
        on_bytes(size_bytes)

    def _url(self, file: HubFile) -> str:
        from huggingface_hub import hf_hub_url

        return hf_hub_url(
            file.repo, file.file, revision=file.revision, endpoint=self._endpoint
        )


class _CutOffError(Exception):
    """The answer ended early, or went on from the wrong place."""


def _read_on(
    client: httpx.Client,
    url: str,
    target: Path,
    start: int,
    size_bytes: int,
    on_bytes: Callable[[int], None],
) -> None:
    # Compressed answers have no byte ranges that could be added up.
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    with client.stream("GET", url, headers=headers) as answer:
        if answer.status_code == 416:
            target.unlink()
            raise SourceError("The hub has a shorter file than the one that is pinned.")
        answer.raise_for_status()
        if answer.status_code != 206:
            start = 0  # the server sends the whole file, whatever we asked for
        elif not answer.headers.get("content-range", "").startswith(f"bytes {start}-"):
            raise _CutOffError
        with target.open("ab" if start else "wb") as out:
            for block in answer.iter_bytes(_BLOCK_BYTES):
                out.write(block)
                start += len(block)
                on_bytes(min(start, size_bytes))
                if start > size_bytes:
                    break
    if start < size_bytes:
        raise _CutOffError
    if start > size_bytes:
        target.unlink()
        raise SourceError("The hub sent a larger file than the one that is pinned.")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _lost(file: HubFile) -> SourceError:
    return SourceError(f"The model hub did not give {file.repo}/{file.file}.")
