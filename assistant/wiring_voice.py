"""The voice for spoken replies: whether it is there, and opening it.

It is an extra that a person chooses; nothing else in the program needs it.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from assistant.content import content_root
from assistant.models import Kind, ModelFolder, Registry, State

if TYPE_CHECKING:
    from pathlib import Path

    from assistant.models import Model
    from assistant.ports import TextToSpeech
    from assistant.settings import Settings


def is_there(settings: Settings) -> bool:
    """Tell whether the extra and a voice's files are there; reads no file whole."""
    if importlib.util.find_spec("piper") is None:
        return False
    folder = _folder(settings)
    return any(_has_files(folder, voice) for voice in _voices(folder))


def load(settings: Settings) -> TextToSpeech:
    """Load the first voice that is there.

    Raises:
        ModelFileError: If there is none, or it is damaged.
        UsageError: If the extra part for speaking is not installed.
    """
    from assistant.adapters.piper_tts import PiperTts

    return PiperTts(_voice_file(_folder(settings)))


def _voice_file(folder: ModelFolder) -> Path:
    voices = _voices(folder)
    ready = [voice for voice in voices if folder.state(voice) is State.READY]
    chosen = (ready or voices)[0]
    place = folder.require(chosen.name)
    files = [folder.file_path(file) for file in chosen.files]
    return next((f for f in files if f.suffix == ".onnx"), place)


def _voices(folder: ModelFolder) -> list[Model]:
    return [model for model in folder.registry.models if model.kind is Kind.TTS]


def _has_files(folder: ModelFolder, voice: Model) -> bool:
    return all(folder.file_path(file).is_file() for file in voice.files)


def _folder(settings: Settings) -> ModelFolder:
    registry = Registry.load(content_root() / "models" / "registry.toml")
    return ModelFolder(registry, settings.models_dir)
