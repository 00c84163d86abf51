"""Listening: sound → ``Transcript``.

A voice detector finds where somebody speaks (``pieces.py``), a recogniser gives the
words of each piece, and ``doubt.py`` says which of them may be invented. Where nobody
speaks there is no text, and the transcript says so.

Sound stays in memory, only as much of it as the piece in hand needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from assistant import doubt
from assistant.domain import Audio, Segment, Transcript
from assistant.pieces import SAMPLE_RATE_HZ, Piece, PieceCutter
from assistant.ports import SpeechToText, VoiceDetector
from assistant.resample import resample

_SURE_OF_LANGUAGE = 0.5
"""From here on the language heard is kept for the rest of the recording."""
_WITHOUT_SPACES = frozenset({"ja", "zh", "yue", "th", "lo", "my", "km"})


def transcribe(
    audio_blocks: Audio | Iterable[Audio],
    stt: SpeechToText,
    vad: VoiceDetector,
    *,
    language: str | None,
    on_progress: Callable[[float], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Transcript:
    """Write down a recording.

    Args:
        audio_blocks: One recording, whole or in blocks, at any one rate.
        stt: Recognises the words.
        vad: Finds where somebody speaks.
        language: BCP 47, or None to take the one that is heard first.
        on_progress: Called now and then with the seconds that are done with.
        stopped: Asked before every block and piece; True ends the listening, and the
            transcript holds what was recognised until then.

    Raises:
        AudioError: If the sound cannot be read on.
        TranscribeError: If the recogniser or the voice detector fails.
    """
    session = Session(stt, language)
    cutter = PieceCutter(vad)
    segments: list[Segment] = []
    blocks = (audio_blocks,) if isinstance(audio_blocks, Audio) else audio_blocks
    duration_s = 0.0
    for step in _stream_steps(blocks, cutter):
        duration_s = step.heard_s
        if stopped is not None and stopped():
            break
        if step.piece is not None:
            segments.extend(session.recognise(step.piece))
        if on_progress is not None:
            on_progress(step.done_s)
    return session.conclude(segments, duration_s=duration_s)


class Session:
    """Recognises the pieces of one recording; keeps the language, never the words."""

    def __init__(self, stt: SpeechToText, language: str | None) -> None:
        """Begin a recording; ``language`` as in ``transcribe``."""
        self._stt = stt
        self._asked = language
        self._language = ""
        self._language_prob = 0.0

    def recognise(self, piece: Piece) -> tuple[Segment, ...]:
        """Give the words of a piece, timed from the beginning of the recording.

        Raises:
            TranscribeError: If the recogniser fails.
        """
        answer = self._stt.transcribe(piece.audio, language=self._language_to_ask())
        segments = doubt.judge(answer.segments, piece.voiced_s)
        if segments and answer.language_prob > self._language_prob:
            self._language = answer.language
            self._language_prob = answer.language_prob
        return tuple(_shift(segment, piece) for segment in segments)

    def conclude(self, segments: Iterable[Segment], *, duration_s: float) -> Transcript:
        """Put the segments of all pieces together."""
        found = tuple(segments)
        space = "" if self._language in _WITHOUT_SPACES else " "
        return Transcript(
            text=space.join(segment.text for segment in found),
            language=self._language if found else "",
            language_prob=self._language_prob if found else 0.0,
            no_speech=not found,
            segments=found,
            duration_s=duration_s,
        )

    def _language_to_ask(self) -> str | None:
        if self._asked is not None:
            return self._asked
        return self._language if self._language_prob >= _SURE_OF_LANGUAGE else None


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """One step through a recording: a block was taken in, or a piece is ready."""

    heard_s: float
    """How much sound has been taken in."""
    done_s: float
    """How much is done with, once the piece of this step has been recognised."""
    piece: Piece | None = None


def _stream_steps(blocks: Iterable[Audio], cutter: PieceCutter) -> Iterator[_Step]:
    heard_s = 0.0
    for block in resample(blocks, SAMPLE_RATE_HZ):
        heard_s += block.duration_s
        for piece in cutter.feed(block.samples):
            yield _Step(heard_s, _end_s(piece), piece)
        yield _Step(heard_s, cutter.settled_s)
    for piece in cutter.finish():
        yield _Step(heard_s, _end_s(piece), piece)
    yield _Step(heard_s, heard_s)


def _shift(segment: Segment, piece: Piece) -> Segment:
    """Move a segment's times from the piece to the recording, inside the piece."""
    length_s = piece.audio.duration_s
    start_s = min(max(segment.start_s, 0.0), length_s)
    end_s = min(max(segment.end_s, start_s), length_s)
    return replace(
        segment,
        start_s=round(piece.start_s + start_s, 2),
        end_s=round(piece.start_s + end_s, 2),
        text=segment.text.strip(),
    )


def _end_s(piece: Piece) -> float:
    return piece.start_s + piece.audio.duration_s
