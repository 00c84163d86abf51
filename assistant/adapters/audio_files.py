"""Sound from files, uploads and the browser, decoded with PyAV in bounded memory.

Everything is read through a file object, and only from containers on a short list: a
playlist that calls itself ``.wav`` can neither open another file nor reach a network.
Nothing is written to disk. The whole recording is decoded once to check it, before
anybody spends minutes on recognising it, and once more to use it: decoding takes well
under a hundredth of the time of recognition.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from assistant.domain import Audio
from assistant.errors import AudioError

if TYPE_CHECKING:
    from types import ModuleType

    from av.container import InputContainer

SAMPLE_RATE_HZ = 16_000
LONGEST_S = 2 * 60 * 60
_CONTAINERS = "wav,w64,aiff,mp3,mov,ogg,matroska,flac,aac"
"""FFmpeg's names; "mov" reads m4a and mp4, "matroska" reads webm."""
_GAPS_ALLOWED = ("matroska", "ogg")
"""Containers of live recorders, which leave out silent packets."""
_RATES_HZ = range(4_000, 768_001)
"""Outside of these the number is a mistake: at one hertz, a few kilobytes would become
two hours of sound in one block."""
_BLOCK_SAMPLES = 5 * SAMPLE_RATE_HZ
_HEAD_BYTES = 65_536
_UNKNOWN_BYTES = 0xFFFF_FF00
_SLACK_S = 0.5
_SLACK_SHARE = 0.02
"""How much less may come than was promised: encoders pad, and round."""

_NOT_AUDIO = (
    "This is not a recording that Ebb can read, or it is damaged. "
    "Ebb reads wav, mp3, m4a, ogg, webm and flac."
)
_EMPTY = "The recording is empty: there is no sound in it."
_NO_TRACK = "This file has no audio track."
_CUT_OFF = (
    "The recording is damaged: it stops before its end. "
    "Please save or send it once more."
)
_DAMAGED = (
    "The recording is damaged: parts of it cannot be read. "
    "Please save or send it once more."
)
_NO_RATE = "The recording gives no usable sample rate."
_TOO_LONG = "The recording is longer than two hours. Please cut it into shorter pieces."


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that has been read through once and found sound."""

    duration_s: float
    _files: AudioFiles
    _source: Path | bytes

    def stream_blocks(self) -> Iterator[Audio]:
        """Yield the sound as 16 kHz mono blocks of five seconds, the last shorter.

        Raises:
            AudioError: If the file has changed since it was opened.
        """
        return self._files.stream_blocks(self._source)


@dataclass(slots=True)
class _Tally:
    """What was met while reading one recording."""

    decoded_s: float = 0.0
    end_s: float = 0.0
    broken_s: float = 0.0


class AudioFiles:
    """Opens recordings. Holds no state: may be used from several threads."""

    def __init__(self) -> None:
        """Load the decoder."""
        import av

        # FFmpeg's own messages would go to the screen, and may quote a file's tags.
        av.logging.set_level(None)
        self._av: ModuleType = av

    def open(self, source: Path | bytes) -> Recording:
        """Check a file, or the bytes of one, from beginning to end.

        Raises:
            AudioError: If it is missing, empty, damaged, cut off, longer than two
                hours, or no recording at all; one sentence that says which.
        """
        tally = _Tally()
        with self._container(source) as (container, promised_s):
            if promised_s is not None and promised_s > LONGEST_S:
                raise AudioError(_TOO_LONG)
            samples = sum(len(part) for part in self._decode(container, tally))
            gaps_allowed = any(name in container.format.name for name in _GAPS_ALLOWED)
        if tally.decoded_s == 0 or samples == 0:
            raise AudioError(_DAMAGED if tally.broken_s else _EMPTY)
        reached_s = tally.end_s if gaps_allowed else tally.decoded_s
        if promised_s is not None and _falls_short(reached_s, promised_s):
            raise AudioError(_CUT_OFF if not tally.broken_s else _DAMAGED)
        if tally.broken_s > _SLACK_SHARE * (tally.decoded_s + tally.broken_s):
            raise AudioError(_DAMAGED)
        return Recording(samples / SAMPLE_RATE_HZ, self, source)

    def stream_blocks(self, source: Path | bytes) -> Iterator[Audio]:
        """Yield a recording, unchecked, as 16 kHz mono blocks of five seconds."""
        held: list[NDArray[np.float32]] = []
        count = 0
        with self._container(source) as (container, _):
            for part in self._decode(container, _Tally()):
                held.append(part)
                count += len(part)
                if count >= _BLOCK_SAMPLES:
                    yield Audio(np.concatenate(held), SAMPLE_RATE_HZ)
                    held, count = [], 0
        if held:
            yield Audio(np.concatenate(held), SAMPLE_RATE_HZ)

    @contextmanager
    def _container(
        self, source: Path | bytes
    ) -> Iterator[tuple[InputContainer, float | None]]:
        """Open the container; also give the length it promises, where to be believed.

        Any error of the library inside the block becomes an AudioError.
        """
        with closing(_open_bytes(source)) as file:
            head = file.read(_HEAD_BYTES)
            file.seek(0)
            if not head:
                raise AudioError(_EMPTY)
            try:
                with self._av.open(
                    file,
                    mode="r",
                    metadata_errors="ignore",
                    options={"format_whitelist": _CONTAINERS},
                ) as container:
                    if not container.streams.audio:
                        raise AudioError(_NO_TRACK)
                    if _is_cut_off_wav(head, file):
                        raise AudioError(_CUT_OFF)
                    yield container, _promised_s(container, head)
            except (self._av.FFmpegError, ValueError, OSError, EOFError):
                # The library's message quotes the file's name.
                raise AudioError(_only_a_header(head) or _NOT_AUDIO) from None

    def _decode(
        self, container: InputContainer, tally: _Tally
    ) -> Iterator[NDArray[np.float32]]:
        """Yield the first audio track at 16 kHz mono, skipping what is broken."""
        stream = container.streams.audio[0]
        resampler: Any = None
        kind: tuple[object, ...] = ()
        for packet in container.demux(stream):
            lasts_s = float((packet.duration or 0) * (packet.time_base or 0))
            if packet.pts is not None and packet.time_base is not None:
                tally.end_s = max(
                    tally.end_s, float(packet.pts * packet.time_base) + lasts_s
                )
            try:
                # Packet by packet: after an error, decoding a container ends.
                frames = packet.decode()
            except self._av.FFmpegError:
                tally.broken_s += lasts_s
                continue
            for frame in frames:
                if frame.sample_rate not in _RATES_HZ:
                    raise AudioError(_NO_RATE)
                tally.decoded_s += frame.samples / frame.sample_rate
                if tally.decoded_s > LONGEST_S:
                    raise AudioError(_TOO_LONG)
                if kind != (now := _kind(frame)):
                    yield from _flush(resampler)
                    resampler = self._av.AudioResampler(
                        format="fltp", rate=SAMPLE_RATE_HZ
                    )
                    kind = now
                frame.pts = None  # Gaps in the time stamps are not an error here.
                yield from _arrays(resampler.resample(frame))
        yield from _flush(resampler)


def _open_bytes(source: Path | bytes) -> BinaryIO:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    try:
        return source.open("rb")
    except FileNotFoundError:
        raise AudioError("There is no such file.") from None
    except IsADirectoryError:
        raise AudioError("This is a folder, not a recording.") from None
    except OSError:
        raise AudioError("This file may not be read.") from None


def _promised_s(container: InputContainer, head: bytes) -> float | None:
    """Give the length that the container states, in seconds, or None."""
    if container.duration is None:
        return None
    if container.format.name == "mp3" and not (b"Xing" in head or b"Info" in head):
        # A guess from the first frames and the size of the file.
        return None
    return container.duration / 1_000_000


def _only_a_header(head: bytes) -> str | None:
    """Tell a wav that was begun and never filled from something unreadable."""
    is_wav = head[:4] == b"RIFF" and head[8:12] == b"WAVE"
    return _EMPTY if is_wav and len(head) <= 128 else None


def _is_cut_off_wav(head: bytes, file: BinaryIO) -> bool:
    """Tell whether a wav names more bytes than it has; FFmpeg would not mind.

    Programs that write as they go leave 0 or the largest number in that place.
    """
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return False
    position = file.tell()
    length = file.seek(0, io.SEEK_END)
    file.seek(position)
    named = int.from_bytes(head[4:8], "little")
    return named < _UNKNOWN_BYTES and named * (1 - _SLACK_SHARE) > length


def _falls_short(reached_s: float, promised_s: float) -> bool:
    return promised_s - reached_s > max(_SLACK_S, _SLACK_SHARE * promised_s)


def _kind(frame: Any) -> tuple[object, ...]:
    """What a resampler is made for; it refuses a frame of another kind."""
    return frame.format.name, frame.layout.name, frame.sample_rate


def _arrays(frames: list[Any]) -> Iterator[NDArray[np.float32]]:
    """Mix the channels evenly; FFmpeg's own way would make stereo too loud."""
    for frame in frames:
        mono = frame.to_ndarray().mean(axis=0, dtype=np.float32)
        yield np.clip(np.nan_to_num(mono), -1.0, 1.0)


def _flush(resampler: Any) -> Iterator[NDArray[np.float32]]:
    if resampler is not None:
        yield from _arrays(resampler.resample(None))
