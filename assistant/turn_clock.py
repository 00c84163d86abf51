"""How long the parts of one turn take."""

from __future__ import annotations

from collections.abc import Callable

from assistant.events import Timing
from assistant.write import Written


class TurnClock:
    """Measures the parts of one turn."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Begin to measure; the clock gives seconds."""
        self._clock = clock
        self._start = self._last = clock()
        self._ms: dict[str, float] = {}
        self._written = Written()

    def mark(self, name: str) -> None:
        """Keep how long it took since the last mark, in milliseconds."""
        now = self._clock()
        self._ms[name] = round((now - self._last) * 1000, 2)
        self._last = now

    def mark_first_sentence(self) -> None:
        """Keep how long the first sentence took since the beginning."""
        elapsed = round((self._clock() - self._start) * 1000, 2)
        self._ms.setdefault("first_sentence_ms", elapsed)

    def add_generation(self, written: Written) -> None:
        """Keep what the model read and wrote."""
        self._written = written

    def timing(self) -> Timing:
        """Give all that was measured."""
        written = self._written
        speed = written.reply_tokens / written.seconds if written.seconds else 0.0
        return Timing(
            **self._ms,
            total_ms=round((self._clock() - self._start) * 1000, 2),
            prompt_tokens=written.prompt_tokens,
            reply_tokens=written.reply_tokens,
            tokens_per_s=round(speed, 1),
        )
