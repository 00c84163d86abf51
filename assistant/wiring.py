"""Settings → adapters → ``Program``: the only place where parts are joined.

The directory, the cards and triage are there at once. The library, the language model
and speech load in the background; what is missing is said in one plain sentence.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import psutil

from assistant import (
    content,
    content_directory,
    content_library,
    content_ride,
    content_rules,
    content_texts,
    listen,
    live,
    models,
    prompt,
    refer,
    triage,
    wiring_rules,
    wiring_voice,
)
from assistant.adapters.memory_index import MemoryIndex
from assistant.content_directory import Directory
from assistant.content_library import Library
from assistant.content_ride import RideTexts
from assistant.content_texts import Cycle, Replies
from assistant.domain import Audio, Transcript, Utterance
from assistant.domain_help import CardOffer
from assistant.errors import MemoryShortError, ModelFileError, StoreError
from assistant.live import SoFar
from assistant.pipeline import Pipeline
from assistant.ports import (
    ChatModel,
    Embedder,
    PassageIndex,
    SpeechToText,
    TextToSpeech,
    VoiceDetector,
)
from assistant.retrieve import Searcher
from assistant.settings import Settings
from assistant.talk import Talk
from assistant.triage import Hearer


@dataclass(frozen=True, slots=True)
class Part:
    """How far one part of the program is."""

    name: str
    """``library``, ``chat`` or ``speech``."""
    state: str
    """``loading``, ``ready``, ``missing`` or ``failed``."""
    sentence: str = ""
    """One plain sentence for the person; empty when ready."""


EMBEDDER = "minilm-l6-int8"
RECOGNISER = "whisper-base"

# A small model only puts a note into other words; a larger one may also reflect.
_TEMPLATE_SMALL, _TEMPLATE_LARGE = "restate", "reflect"
_LARGE_FROM_BYTES = 2_000_000_000

_LOADING = {
    "library": "The library is being opened.",
    "chat": "The language model is being loaded.",
    "speech": "Listening is being prepared.",
}
_MISSING = {
    "library": "The library cannot be searched at the moment; "
    "I answer from texts that were checked beforehand.",
    "chat": "The language model is not there; "
    "I answer from texts that were checked beforehand.",
    "speech": "I cannot listen at the moment; you can write.",
}

# The ear learnt from whole messages: in a word or two, which name a subject more often
# than they report something, it hears an emergency in “drinking”. There, rules decide.
_STATEMENT_WORDS = 4

_logger = logging.getLogger(__name__)


class Program:
    """Everything that runs, shared by all talks."""

    def __init__(self, settings: Settings, *, chat_model: str | None = None) -> None:
        """Read content; quick, and needs no model file.

        Args:
            settings: Where files lie and what the person chose.
            chat_model: A language model to use instead of the chosen one.

        Raises:
            ContentError: If a file of ``prompts/`` or ``knowledge/`` is invalid.
        """
        root = content.content_root()
        self.settings = settings
        self._chat_name = chat_model or settings.chat_model
        self.directory: Directory = content_directory.load(root)
        self.library: Library = content_library.load(root)
        self.replies: Replies = content_texts.load_replies(root, settings.language)
        self.ride: RideTexts = content_ride.load(root, settings.language)
        self.cycle: Cycle = content_texts.load_cycle(root, settings.language)
        self._pipeline = Pipeline(
            rules=wiring_rules.load_rules(root),
            library=self.library,
            cards=content_texts.load_cards(root, settings.language),
            replies=self.replies,
            directory=self.directory,
            template=content_texts.load_template(root, _TEMPLATE_SMALL),
            clock=time.monotonic,
        )
        self._models = models.ModelFolder(
            models.Registry.load(root / "models" / "registry.toml"),
            settings.models_dir,
        )
        self._parts = {name: Part(name, "loading", _LOADING[name]) for name in _LOADING}
        self._speech: tuple[SpeechToText, VoiceDetector] | None = None
        self._speech_lock = threading.Lock()
        self._change = threading.Lock()
        self._loaded = threading.Event()
        self._index: PassageIndex | None = None

    def start_loading(self) -> None:
        """Load what needs model files, in the background; ``parts`` tells how far."""
        threading.Thread(target=self.load, name="loading", daemon=True).start()

    def load(self, names: Iterable[str] = ("library", "chat", "speech")) -> None:
        """Load parts one after another; a part that fails is said to be missing."""
        for name in names:
            try:
                self._load_part(name)
                part = Part(name, "ready")
            except ModelFileError as error:
                part = Part(name, "missing", f"{_MISSING[name]} {error}")
            except MemoryShortError as error:
                part = Part(name, "failed", f"{_MISSING[name]} {error}")
            except Exception as error:  # memory that is not there, a library's own
                _logger.error("%s was not loaded: %s", name, type(error).__name__)
                part = Part(name, "failed", _MISSING[name])
            with self._change:
                self._parts[name] = part
        self._loaded.set()

    def load_or_raise(self, names: Iterable[str]) -> None:
        """Load parts; for commands that make no sense without them.

        Raises:
            ModelFileError: If a model file is missing or damaged.
        """
        for name in names:
            self._load_part(name)

    def _load_part(self, name: str) -> None:
        loaders = {
            "library": self._load_library,
            "chat": self._load_chat,
            "speech": self._load_speech,
        }
        loaders[name]()

    def parts(self) -> tuple[Part, ...]:
        """Tell how far each part is."""
        with self._change:
            return tuple(self._parts.values())

    def wait_loaded(self, timeout_s: float) -> bool:
        """Wait until loading has ended; False when the time is over first."""
        return self._loaded.wait(timeout_s)

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline with all parts that are ready now."""
        with self._change:
            return self._pipeline

    @property
    def searcher(self) -> Searcher | None:
        """The library's search; None while it is not ready."""
        return self.pipeline.searcher

    @property
    def speech(self) -> tuple[SpeechToText, VoiceDetector] | None:
        """What listens; None while it is not ready."""
        with self._change:
            return self._speech

    def new_talk(self, new_seed: Callable[[], int] | None = None) -> Talk:
        """Begin a talk of its own."""
        return Talk(lambda: self.pipeline, new_seed or _random_seed)

    def hear_danger(self, text: str, country: str | None) -> tuple[CardOffer, ...]:
        """Give the cards for danger heard outside a talk, in a search for example."""
        pipeline = self.pipeline
        hearer = pipeline.rules.triage
        if len(text.split()) < _STATEMENT_WORDS:
            hearer = Hearer(hearer.rules)
        result = triage.grade(Utterance(text, self.settings.language), hearer)
        return refer.offer_cards(result, pipeline.cards, self.directory, country)

    def transcribe(self, blocks: Iterable[Audio]) -> Transcript:
        """Turn sound in memory into text; one recording at a time.

        Raises:
            ModelFileError: If speech is not ready.
            StageError: If the sound cannot be recognised.
        """
        speech = self.speech
        if speech is None:
            raise ModelFileError("Listening is not ready.")
        with self._speech_lock:
            return listen.transcribe(blocks, *speech, language=None)

    def listen_live(
        self, blocks: Iterable[Audio], is_behind: Callable[[], bool]
    ) -> Iterator[SoFar]:
        """Give the words so far while sound comes in; the last one is final.

        Raises:
            ModelFileError: If speech is not ready.
            StageError: If the sound cannot be recognised.
        """
        speech = self.speech
        if speech is None:
            raise ModelFileError("Listening is not ready.")
        return live.stream_words(blocks, *speech, is_behind=is_behind)

    def has_voice(self) -> bool:
        """Tell whether replies can be spoken."""
        return wiring_voice.is_there(self.settings)

    def load_voice(self) -> TextToSpeech:
        """Load the voice for spoken replies, which takes a second or two.

        Raises:
            AssistantError: If it is not there, or damaged.
        """
        return wiring_voice.load(self.settings)

    def close(self) -> None:
        """Let go of the store."""
        close = getattr(self._index, "close", None)
        if close is not None:
            close()

    # --- Loading ---------------------------------------------------------------------

    def _load_library(self) -> None:
        embedder = self._embedder()
        hearer = self._pipeline.rules.triage
        off_topic_from = hearer.limits.off_topic if hearer.limits else 1.0

        def search(index: PassageIndex) -> Searcher:
            return Searcher(self.library, embedder, index, hearer.ear, off_topic_from)

        searcher = search(self._passage_index())
        try:
            searcher.prepare()
        except StoreError:
            self.close()
            searcher = search(MemoryIndex())
            searcher.prepare()
        with self._change:
            self._pipeline = replace(self._pipeline, searcher=searcher)

    def _embedder(self) -> Embedder:
        from assistant.adapters.onnx_embedder import OnnxEmbedder

        self._models.require(EMBEDDER)
        return OnnxEmbedder(
            self.settings.models_dir / EMBEDDER, threads=self.settings.threads
        )

    def _passage_index(self) -> PassageIndex:
        from assistant.adapters.chroma_index import ChromaIndex

        try:
            self._index = ChromaIndex(self.settings.cache_dir)
        except StoreError:
            self._index = MemoryIndex()
        return self._index

    def _load_chat(self) -> None:
        from assistant.adapters.llama_chat import LlamaChat

        # Ahead of the first turn, so that it can neither fail on a rule nor wait.
        rules = self._pipeline.rules
        content_rules.compile_all(
            *rules.triage.rules.rules,
            *rules.guard,
            *rules.patterns,
            *rules.requests,
            *rules.needs,
            *rules.turns,
        )
        model = self.chat_model()
        large = model.bytes >= _LARGE_FROM_BYTES
        template = content_texts.load_template(
            content.content_root(), _TEMPLATE_LARGE if large else _TEMPLATE_SMALL
        )
        path = self._models.require(model.name)
        chat: ChatModel = LlamaChat(
            path,
            context_tokens=self.settings.context_tokens,
            threads=self.settings.threads,
            cache_dir=self.settings.cache_dir,
            checksum=model.files[0].sha256,
        )
        chat.warm(prompt.fixed_prompt(template))
        with self._change:
            self._pipeline = replace(self._pipeline, chat=chat, template=template)

    def chat_model(self) -> models.Model:
        """Give the chosen language model, else the best of those that are there.

        Raises:
            MemoryShortError: If there is too little free memory for any of them.
        """
        if self._chat_name:
            return self._models.registry.get(self._chat_name)
        memory = psutil.virtual_memory()
        best = models.best_llm_there(
            self._models, memory_bytes=memory.total, free_bytes=memory.available
        )
        return best or models.choose_llm(
            self._models.registry, memory_bytes=memory.total, hub_in_reach=False
        )

    def _load_speech(self) -> None:
        from assistant.adapters.silero_vad import SileroVad
        from assistant.adapters.whisper_stt import SttOptions, WhisperStt

        options = SttOptions(threads=self.settings.threads or 0)
        stt = WhisperStt(self._models.require(RECOGNISER), options)
        with self._change:
            self._speech = (stt, SileroVad())


def open_searcher(settings: Settings) -> tuple[Searcher, Callable[[], None]]:
    """Open the library's search alone, and give the way to close it.

    Raises:
        ModelFileError: If the embedder is not there.
    """
    program = Program(settings)
    program.load_or_raise(["library"])
    searcher = program.searcher
    assert searcher is not None  # for the type checker; loading raises otherwise
    return searcher, program.close


def open_speech(settings: Settings) -> tuple[SpeechToText, VoiceDetector]:
    """Open the recogniser and the voice detector alone.

    Raises:
        ModelFileError: If the recogniser is not there.
    """
    program = Program(settings)
    program.load_or_raise(["speech"])
    speech = program.speech
    assert speech is not None  # for the type checker; loading raises otherwise
    return speech


def _random_seed() -> int:
    return random.SystemRandom().randrange(2**31)
