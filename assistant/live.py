"""Listening while somebody still speaks: sound → words so far, again and again.

What a pause has ended is settled and does not change; what is being said is recognised
anew as it grows. Pieces are shorter than for a recording, so that the words appear soon
and little is left to do at the end. Sound stays in memory, as in ``listen.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from assistant.domain import Audio, Segment, Transcript
from assistant.listen import Session
from assistant.pieces import SAMPLE_RATE_HZ, Piece, PieceCutter
from assistant.ports import SpeechToText, VoiceDetector
from assistant.resample import resample

_DETECT_EVERY_S = 0.5
_LONGEST_S = 14.0
_PAUSE_S = 1.0
_NEW_SPEECH_S = 0.3
"""So much more must have been said before what is being said is recognised anew."""
_SAME_SPEECH_S = 0.06
"""Two looks at the same speech differ by less."""
_QUIET_FROM_S = 1.0
"""A pause is told from here on; shorter ones are between two words."""


@dataclass(frozen=True, slots=True)
class SoFar:
    """What has been heard until now; the last one has the whole transcript."""

    settled: str = field(repr=False)
    speaking: str = field(repr=False)
    """What is being said; it may still change."""
    quiet_s: float = 0.0
    """How long nobody has spoken since; told from one second on."""
    final: Transcript | None = field(default=None, repr=False)


def stream_words(
    audio_blocks: Iterable[Audio],
    stt: SpeechToText,
    vad: VoiceDetector,
    *,
    language: str | None = None,
    is_behind: Callable[[], bool] = lambda: False,
) -> Iterator[SoFar]:
    """Yield the words so far while sound comes in; the last one is final.

    Args:
        audio_blocks: Sound as it comes, at any one rate.
        stt: Recognises the words.
        vad: Finds where somebody speaks.
        language: BCP 47, or None to take the one that is heard first.
        is_behind: True while more sound is waiting already: then only what is settled
            is recognised.

    Raises:
        AudioError: If the sound cannot be read on.
        TranscribeError: If the recogniser or the voice detector fails.
    """
    return _Listening(stt, vad, language, is_behind).run(audio_blocks)


class _Listening:
    """One recording at the microphone."""

    def __init__(
        self,
        stt: SpeechToText,
        vad: VoiceDetector,
        language: str | None,
        is_behind: Callable[[], bool],
    ) -> None:
        self._session = Session(stt, language)
        self._cutter = PieceCutter(
            vad, detect_every_s=_DETECT_EVERY_S, longest_s=_LONGEST_S, pause_s=_PAUSE_S
        )
        self._is_behind = is_behind
        self._settled: list[Segment] = []
        self._looked_at: Piece | None = None
        self._speaking: tuple[Segment, ...] = ()
        self._quiet_s = 0.0

    def run(self, audio_blocks: Iterable[Audio]) -> Iterator[SoFar]:
        heard_s = 0.0
        for block in resample(audio_blocks, SAMPLE_RATE_HZ):
            heard_s += block.duration_s
            before = len(self._settled)
            for piece in self._cutter.feed(block.samples):
                self._settle(piece)
            looked = not self._is_behind() and self._look(self._cutter.open_piece)
            if self._quiet_grew() or looked or len(self._settled) > before:
                yield self._so_far()
        for piece in self._cutter.finish():
            self._settle(piece)
        final = self._session.conclude(self._settled, duration_s=heard_s)
        yield SoFar(final.text, "", final=final)

    def _settle(self, piece: Piece) -> None:
        """Take a piece as said; what was recognised of just this speech is kept."""
        known = _same(piece, self._looked_at)
        self._settled += self._speaking if known else self._session.recognise(piece)
        self._looked_at, self._speaking = None, ()

    def _look(self, piece: Piece | None) -> bool:
        """Recognise what is being said, where enough of it is new."""
        if piece is None:
            return False
        before = self._looked_at.voiced_s if self._looked_at else 0.0
        if _same(piece, self._looked_at):
            return False
        if self._looked_at and piece.voiced_s - before < _NEW_SPEECH_S:
            return False
        self._looked_at = piece
        self._speaking = self._session.recognise(piece)
        return True

    def _quiet_grew(self) -> bool:
        """Tell whether a pause after some words has become longer."""
        before, quiet_s = self._quiet_s, self._cutter.quiet_s
        has_words = bool(self._settled or self._speaking)
        self._quiet_s = quiet_s if has_words and quiet_s >= _QUIET_FROM_S else 0.0
        return self._quiet_s > before

    def _so_far(self) -> SoFar:
        return SoFar(
            " ".join(segment.text for segment in self._settled),
            " ".join(segment.text for segment in self._speaking),
            self._quiet_s,
        )


def _same(piece: Piece, other: Piece | None) -> bool:
    """Tell whether two pieces hold the same speech: begin and length of voice agree."""
    return (
        other is not None
        and abs(piece.start_s - other.start_s) < _SAME_SPEECH_S
        and abs(piece.voiced_s - other.voiced_s) < _SAME_SPEECH_S
    )
