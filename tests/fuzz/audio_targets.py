"""Sound: damaged recordings through the decoder, and odd chunks through listening."""

from __future__ import annotations

import io
import resource
import sys
import wave
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from assistant.adapters.audio_files import AudioFiles
from assistant.adapters.scripted_speech import EnergyVad, recognised
from assistant.domain import Audio, Transcript
from assistant.errors import AssistantError
from assistant.listen import transcribe
from assistant.live import stream_words
from assistant.ports import RecognisedSpeech, SpeechToText
from tests.fuzz.choices import Choices
from tests.fuzz.harness import Run, Target
from tests.fuzz.oracles import checked_error

_MOST_SAMPLES = 3 * 60 * 60 * 16_000
_MOST_BLOCK_BYTES = 16_000_000
_MOST_MORE_BYTES = 400_000_000
"""More memory than this for a recording of a few kilobytes is a way to harm."""
_FORMATS = {
    "mp3": ("mp3", "libmp3lame", 44_100),
    "m4a": ("ipod", "aac", 44_100),
    "ogg": ("ogg", "libopus", 48_000),
    "webm": ("webm", "libopus", 48_000),
    "flac": ("flac", "flac", 44_100),
    "aiff": ("aiff", "pcm_s16be", 22_050),
}


@cache
def recordings() -> tuple[bytes, ...]:
    """Give a quarter of a second of a tone in every format."""
    import av

    found = [_wav(16_000, 1), _wav(44_100, 2), _wav(8_000, 1)[:60]]
    for container_name, codec, rate in _FORMATS.values():
        out = io.BytesIO()
        with av.open(out, "w", format=container_name) as container:
            stream: Any = container.add_stream(codec, rate=rate, layout="mono")
            part = (_tone(rate) * 32_767).astype(np.int16)[None, :]
            frame = av.AudioFrame.from_ndarray(part, format="s16", layout="mono")
            frame.rate = rate
            container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        found.append(out.getvalue())
    return tuple(found)


def _tone(rate: int) -> Any:
    return 0.5 * np.sin(2 * np.pi * 440 * np.arange(rate // 4) / rate)


def _wav(rate: int, channels: int) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((_tone(rate) * 32_767).astype("<i2").tobytes() * channels)
    return out.getvalue()


def _most_memory() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@contextmanager
def _decoder(folder: Path) -> Iterator[Run]:
    files = AudioFiles()
    for good in recordings()[:2]:
        files.open(good)

    def run(data: bytes) -> Hashable:
        before = _most_memory()
        count = 0
        try:
            recording = files.open(data)
            for block in recording.stream_blocks():
                assert block.sample_rate_hz == 16_000
                assert block.samples.dtype == np.float32
                assert block.samples.nbytes <= _MOST_BLOCK_BYTES, "a block is too big"
                assert np.isfinite(block.samples).all(), "sound that is no number"
                assert np.abs(block.samples).max(initial=0) <= 1
                count += len(block.samples)
            outcome: Hashable = min(count // 4_000, 8)
        except AssistantError as error:
            outcome = checked_error(error)
        assert count <= _MOST_SAMPLES, "a recording without end"
        assert _most_memory() - before < _MOST_MORE_BYTES, "too much memory"
        return outcome

    yield run


# --- Chunks at the microphone -------------------------------------------------------


class EndlessStt(SpeechToText):
    """Says a word for every piece, numbered, and fails now and then when told to."""

    def __init__(self) -> None:
        self.calls = 0

    def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
        self.calls += 1
        assert 0 < audio.duration_s <= 30.0, "a piece no recogniser can take"
        assert np.isfinite(audio.samples).all()
        return recognised(f"word {self.calls}", seconds_each=audio.duration_s)


_RATES = (16_000, 48_000, 44_100, 8_000, 22_050, 192_000, 4_000, 3_999, 0, -1, 192_001)


def _blocks(given: Choices, rate: int) -> Iterator[Audio]:
    """Make sound of bytes: each block has a length and a loudness of its own."""
    chance = np.random.default_rng(abs(rate))
    left = 60
    while not given.is_empty and left:
        left -= 1
        length = given.number(3) * given.number(64) * max(1, abs(rate) // 500)
        kind = given.number(8)
        samples = np.zeros(length, np.float32)
        if kind in {1, 2, 3, 4}:
            samples = (chance.random(length, np.float32) - 0.5) * np.float32(kind / 4)
        elif kind == 5:
            samples += 1.0
        elif kind == 6:
            samples[::2] = -1.0
        other_rate = kind == 7 and given.number(16) == 1
        yield Audio(samples, rate + 1 if other_rate else rate)


def _listening(data: bytes) -> Hashable:
    given = Choices(data)
    rate = given.pick(_RATES)
    live = given.number(2)
    behind = given.number(4)
    blocks = list(_blocks(given, rate))
    stt, vad = EndlessStt(), EnergyVad()
    try:
        if not live:
            final: Transcript | None = transcribe(blocks, stt, vad, language=None)
        else:
            final = None
            settled = ""
            for so_far in stream_words(
                blocks, stt, vad, is_behind=lambda: behind == 3 and stt.calls % 2 == 0
            ):
                assert so_far.settled.startswith(settled), "settled words have changed"
                settled, final = so_far.settled, so_far.final
    except AssistantError as error:
        return checked_error(error)
    assert final is not None, "listening ended without a transcript"
    _in_order(final)
    return final.no_speech, min(len(final.segments), 5), live, rate


def _in_order(final: Transcript) -> None:
    ended = 0.0
    for segment in final.segments:
        assert 0 <= segment.start_s <= segment.end_s <= final.duration_s + 0.1
        assert segment.start_s >= ended - 0.02, "words before those that came first"
        ended = segment.end_s


@contextmanager
def _live(folder: Path) -> Iterator[Run]:
    yield _listening


def _chunk_seeds() -> Sequence[bytes]:
    loud = bytes([2, 60, 2]) * 12
    quiet = bytes([2, 60, 0]) * 6
    return tuple(
        bytes([rate, live, 0]) + part
        for rate in range(6)
        for live in (0, 1)
        for part in (loud, loud + quiet + loud, quiet, loud * 4, b"\x01\x01\x02" * 20)
    )


TARGETS = (
    Target("decoder", recordings, _decoder, 25_000, longest=30_000, bound_s=5.0),
    Target("listening", _chunk_seeds, _live, 20_000, longest=300, bound_s=3.0),
)
