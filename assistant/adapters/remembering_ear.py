"""``Ear`` that does not hear the same words twice.

In one turn triage, patterns and retrieval listen to the same windows, and each turn
listens to the turns before it again.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence

from assistant.ports import Ear, Heard

_MOST = 256


class RememberingEar(Ear):
    """Keeps the chances of the last texts, and of the texts themselves nothing.

    A text is known again by a keyed digest; the key is new at each start and never
    leaves this object, so nothing that is kept tells what was said.
    """

    def __init__(self, ear: Ear, most: int = _MOST) -> None:
        """Listen with ``ear``; remember ``most`` texts. Safe from several threads."""
        self._ear = ear
        self._most = most
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, Heard] = OrderedDict()

    def hear(self, texts: Sequence[str]) -> list[Heard]:
        """Listen to texts; see the port."""
        digests = [self._digest(text) for text in texts]
        with self._lock:
            heard = {d: self._known[d] for d in digests if d in self._known}
        new = {d: t for d, t in zip(digests, texts, strict=True) if d not in heard}
        heard |= zip(new, self._ear.hear(list(new.values())), strict=True)
        with self._lock:
            for digest in digests:
                self._known[digest] = heard[digest]
                self._known.move_to_end(digest)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return [heard[digest] for digest in digests]

    def _digest(self, text: str) -> bytes:
        words = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(words, key=self._key, digest_size=16).digest()
