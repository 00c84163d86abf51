"""Sound for hours of listening: clips, silence and made noise, one after another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from assistant.adapters.audio_files import AudioFiles
from assistant.domain import Audio
from assistant.evaluation.bench_sounds import joined
from assistant.pieces import SAMPLE_RATE_HZ

Samples = NDArray[np.float32]
_QUIETEST_DB, _LOUDEST_DB = -50.0, -6.0
_FADE = SAMPLE_RATE_HZ // 100
_LENGTHS_S = (2.0, 20.0)


@dataclass(frozen=True, slots=True)
class Clip:
    """A recording of a folder; without a transcript nobody speaks in it."""

    kind: str
    samples: Samples = field(repr=False)
    transcript: str = field(default="", repr=False)


def read_clips(folder: Path, *, speech: bool) -> list[Clip]:
    """Read the clips of the manifests in a folder, or, without any, all its sounds.

    With ``speech``, those with an English transcript; else those where nobody speaks.
    """
    files = AudioFiles()
    manifests = [*folder.glob("manifest.jsonl"), *folder.glob("*/manifest.jsonl")]
    clips = []
    for manifest in sorted(manifests):
        for line in filter(str.strip, manifest.read_text("utf-8").splitlines()):
            row = json.loads(line)
            said = row.get("transcript", "")
            if bool(said) != speech or row.get("language", "en") != "en":
                continue
            place = manifest.parent / row["file"]
            kind = str(row.get("kind") or manifest.parent.name)
            clips.append(Clip(kind, _samples(files, place), said))
    if not manifests and not speech:
        places = (p for p in sorted(folder.rglob("*")) if p.suffix in _SUFFIXES)
        clips += [Clip("clip", _samples(files, place)) for place in places]
    return clips


_SUFFIXES = {".wav", ".flac", ".mp3", ".ogg", ".m4a", ".webm"}


def _samples(files: AudioFiles, place: Path) -> Samples:
    return joined(files.open(place).stream_blocks()).samples


# --- Made noise ----------------------------------------------------------------------


def white(count: int, chance: Generator) -> Samples:
    return chance.standard_normal(count).astype(np.float32)


def pink(count: int, chance: Generator) -> Samples:
    return _coloured(count, chance, 0.5)


def brown(count: int, chance: Generator) -> Samples:
    return _coloured(count, chance, 1.0)


def _coloured(count: int, chance: Generator, slope: float) -> Samples:
    """Give noise whose amplitude falls with the frequency to this power."""
    spectrum = np.fft.rfft(chance.standard_normal(count))
    frequencies = np.fft.rfftfreq(count, 1 / SAMPLE_RATE_HZ)
    spectrum /= np.maximum(frequencies, 20.0) ** slope
    return np.fft.irfft(spectrum, count).astype(np.float32)


def hum(count: int, chance: Generator) -> Samples:
    """Give mains hum at 50 Hz, with some of its overtones."""
    times = np.arange(count) / SAMPLE_RATE_HZ
    parts = [
        chance.uniform(0.1, 1.0) / number * np.sin(2 * np.pi * 50 * number * times)
        for number in (1, 2, 3, 5)
    ]
    return np.sum(parts, axis=0).astype(np.float32)


def clicks(count: int, chance: Generator) -> Samples:
    """Give a key, a clock, a tap now and then: a click, dying away."""
    return _drops(count, chance, each_s=chance.uniform(0.15, 1.0), decay_s=0.004)


def rain(count: int, chance: Generator) -> Samples:
    """Give a hiss with hundreds of small drops a second."""
    drops = _drops(count, chance, each_s=0.004, decay_s=0.002)
    return (drops + 0.2 * white(count, chance) * np.std(drops)).astype(np.float32)


def _drops(count: int, chance: Generator, *, each_s: float, decay_s: float) -> Samples:
    strikes = np.zeros(count)
    how_many = max(1, round(count / SAMPLE_RATE_HZ / each_s))
    strikes[chance.integers(0, count, how_many)] = chance.uniform(0.2, 1.0, how_many)
    length = np.arange(round(decay_s * 8 * SAMPLE_RATE_HZ))
    dying = np.exp(-length / (decay_s * SAMPLE_RATE_HZ))
    drop = dying * chance.standard_normal(len(length))
    return np.convolve(strikes, drop)[:count].astype(np.float32)


def silence(count: int, chance: Generator) -> Samples:
    return np.zeros(count, np.float32)


MADE: Mapping[str, Callable[[int, Generator], Samples]] = {
    "silence": silence,
    "white": white,
    "pink": pink,
    "brown": brown,
    "hum": hum,
    "clicks": clicks,
    "rain": rain,
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """One kind of sound for a while."""

    kind: str
    samples: Samples = field(repr=False)


def stream_stretches(
    clips: Sequence[Clip], seconds: float, seed: int
) -> Iterator[Stretch]:
    """Yield sounds in turn, clips and made ones alike, until they are long enough.

    All kinds come in an order drawn anew each round, at a loudness drawn each time;
    clips also as they are.
    """
    chance = np.random.default_rng(seed)
    left = round(seconds * SAMPLE_RATE_HZ)
    while True:
        for number in chance.permutation(len(MADE) + len(clips)):
            stretch = _stretch(int(number), clips, chance)
            yield Stretch(stretch.kind, stretch.samples[:left])
            left -= len(stretch.samples)
            if left <= 0:
                return


def _stretch(number: int, clips: Sequence[Clip], chance: Generator) -> Stretch:
    if number >= len(MADE):
        clip = clips[number - len(MADE)]
        as_it_is = chance.random() < 0.5
        samples = clip.samples if as_it_is else _at_loudness(clip.samples, chance)
        return Stretch(clip.kind, samples)
    kind = list(MADE)[number]
    count = round(chance.uniform(*_LENGTHS_S) * SAMPLE_RATE_HZ)
    return Stretch(kind, _at_loudness(MADE[kind](count, chance), chance))


def _at_loudness(samples: Samples, chance: Generator) -> Samples:
    loudness = 10 ** (chance.uniform(_QUIETEST_DB, _LOUDEST_DB) / 20)
    peak = float(np.max(np.abs(samples), initial=0.0))
    made = samples * np.float32(loudness / peak) if peak else samples.copy()
    fade = np.linspace(0, 1, min(_FADE, len(made) // 2), dtype=np.float32)
    made[: len(fade)] *= fade
    made[len(made) - len(fade) :] *= fade[::-1]
    return made


# --- Spliced speech ------------------------------------------------------------------

WINDOW_S = (28.0, 33.0)
"""Seconds after the beginning in which somebody must be speaking."""
_PAUSES_S = (0.15, 1.2)
"""Shorter than the pause that ends a piece, so that pieces grow as long as they can."""
_AFTER_S = 20.0
_SHORTEST_CLIP_S = 1.0


def splice(clips: Sequence[Clip], chance: Generator) -> Clip:
    """Put clips of speech together, so that speech goes on through ``WINDOW_S``."""
    usable = [c for c in clips if len(c.samples) >= _SHORTEST_CLIP_S * SAMPLE_RATE_HZ]
    wanted_s = WINDOW_S[1] + 1 + chance.uniform(0, _AFTER_S)
    parts: list[Samples] = []
    said: list[str] = []
    while sum(map(len, parts)) < wanted_s * SAMPLE_RATE_HZ:
        clip = usable[int(chance.integers(len(usable)))]
        pause = round(chance.uniform(*_PAUSES_S) * SAMPLE_RATE_HZ)
        parts += [clip.samples, np.zeros(pause, np.float32)]
        said.append(clip.transcript)
    return Clip("splice", np.concatenate(parts), " ".join(said))


def in_blocks(samples: Samples, seconds: float) -> Iterator[Audio]:
    """Cut sound into blocks, the last shorter."""
    step = round(seconds * SAMPLE_RATE_HZ)
    for start in range(0, len(samples), step):
        yield Audio(samples[start : start + step], SAMPLE_RATE_HZ)
