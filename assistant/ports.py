"""What the core asks of the heavy libraries, in the core's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from assistant.domain import Audio, Prompt, Segment


class ChatModel(Protocol):
    """A local language model. One generation at a time; callers wait their turn."""

    context_tokens: int

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text as this model reads it."""
        ...

    def warm(self, prompt: Prompt) -> None:
        """Read the fixed part of a prompt ahead, so that a turn need not."""
        ...

    def forget(self) -> None:
        """Let go of everything read but the fixed part; waits for a turn that runs."""
        ...

    def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        seed: int,
        stopped: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield text deltas.

        Args:
            prompt: The messages; where the last one is from the assistant, its text
                is continued.
            max_tokens: The longest reply.
            seed: For the sampler; the same seed gives the same reply.
            stopped: Asked before every token; True ends the generation at once.

        Raises:
            GenerateError: If the model fails; never a library's own error.
        """
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their likeness."""

    name: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; shape ``(len(texts), dimensions)``, rows of length 1.

        Raises:
            RetrieveError: If the model fails.
        """
        ...


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One text in the index; several entries may stand for the same passage."""

    id: str
    passage_id: str
    text: str


@dataclass(frozen=True, slots=True)
class IndexHit:
    """An entry found, with its likeness to the query in [-1, 1], 1 is the same."""

    entry_id: str
    passage_id: str
    score: float


class PassageIndex(Protocol):
    """Nearest-neighbour search over the entries. A cache, never the source."""

    def is_current(self, key: str) -> bool:
        """Tell whether the index was built, whole, from the content with this key."""
        ...

    def build(
        self,
        key: str,
        entries: Sequence[IndexEntry],
        vectors: NDArray[np.float32],
    ) -> None:
        """Replace the index; a build that is cut off leaves it not current.

        Raises:
            StoreError: If the index cannot be written.
        """
        ...

    def query(self, vector: NDArray[np.float32], count: int) -> list[IndexHit]:
        """Find the entries nearest to a vector of shape ``(dimensions,)``.

        Raises:
            RetrieveError: If the index cannot be read.
        """
        ...


class SpeechToText(Protocol):
    """Recognises speech. One recording at a time."""

    def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
        """Recognise one stretch of speech, at most 29 s long, 16 kHz mono.

        Args:
            audio: Where voice detection has found somebody speaking.
            language: BCP 47, or None to detect it.

        Raises:
            TranscribeError: If the model fails.
        """
        ...


@dataclass(frozen=True, slots=True)
class RecognisedSpeech:
    """Segments with times from the start of the stretch, and the language heard."""

    segments: tuple[Segment, ...]
    language: str
    language_prob: float


class VoiceDetector(Protocol):
    """Finds where somebody speaks."""

    def find_speech(self, audio: Audio) -> list[tuple[int, int]]:
        """Give stretches of speech as sample offsets (start, end), in order."""
        ...


class TextToSpeech(Protocol):
    """Speaks a sentence."""

    def speak(self, text: str) -> Iterable[Audio]:
        """Yield the sound of a text, sentence by sentence.

        Raises:
            ModelFileError: If the voice is not there.
        """
        ...


@dataclass(frozen=True, slots=True)
class Heard:
    """What the ear makes of one text: chances in [0, 1] by name."""

    levels: dict[str, float]
    """Of the four levels; together 1."""
    cards: dict[str, float]
    """Which card, given that there is danger; together 1."""
    abouts: dict[str, float]
    times: dict[str, float]
    patterns: dict[str, float]
    """Of each pattern by itself."""
    topics: dict[str, float]
    """Of each topic of the library, and of ``off_topic``; together 1."""
    guard: dict[str, float]
    """Of each guard rule being broken, and of ``any``; for candidate sentences."""


class Ear(Protocol):
    """A small encoder that hears danger, patterns and topics in meaning."""

    def hear(self, texts: Sequence[str]) -> list[Heard]:
        """Listen to texts of up to about seventy words each.

        Raises:
            TriageError: If the encoder fails.
        """
        ...


class Key(Protocol):
    """What opens and closes one notebook, for as long as it is unlocked."""

    def forget(self) -> None:
        """Overwrite the secret, as well as that can be done from Python."""
        ...


class Vault(Protocol):
    """Turns a notebook into bytes that say nothing without the passphrase."""

    def new_key(self, passphrase: str) -> Key:
        """Make a key for a new passphrase; takes about a second on purpose."""
        ...

    def key_of(self, sealed: bytes, passphrase: str) -> Key:
        """Make the key that a sealed notebook asks for; takes about a second.

        Raises:
            StoreDamagedError: If these are not the bytes of a whole notebook.
            StoreVersionError: If another version of Ebb wrote them.
        """
        ...

    def seal(self, content: bytes, key: Key) -> bytes:
        """Encrypt; the size of what comes out tells the content's only in steps."""
        ...

    def open(self, sealed: bytes, key: Key) -> bytes:
        """Decrypt.

        Raises:
            PassphraseError: If the key does not fit, or anything was altered.
        """
        ...


class Disk(Protocol):
    """The few things the store does with files; each raises ``StoreError`` alone."""

    def exists(self, path: Path) -> bool:
        """Tell whether there is such a file."""
        ...

    def read(self, path: Path, most_bytes: int) -> bytes | None:
        """Read a file; None where there is none.

        Raises:
            StoreDamagedError: If it is longer than ``most_bytes``.
        """
        ...

    def write_new(self, path: Path, content: bytes) -> None:
        """Write a file that was not there; on return it has reached the disk."""
        ...

    def replace(self, path: Path, target: Path) -> None:
        """Give a file another name, in one step, over what had that name before."""
        ...

    def sync_folder(self, folder: Path) -> None:
        """Return when the names in a folder have reached the disk."""
        ...

    def blot_out(self, path: Path) -> None:
        """Overwrite a file where it lies, as well as the disk lets it."""
        ...

    def remove(self, path: Path) -> None:
        """Remove a file; nothing happens where there is none."""
        ...

    def hold(self, path: Path) -> Callable[[], None]:
        """Keep other programs out; gives what lets them in again.

        Raises:
            StoreBusyError: If another program holds it.
        """
        ...
