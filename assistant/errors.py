"""The exception tree. Messages say what failed and what to do next.

A message never contains what a person said or what was written in answer: it may
end up on a screen that someone else sees. Each class carries the exit code that the
command line gives for it.
"""

from __future__ import annotations


class AssistantError(Exception):
    """Anything that Ebb itself reports; the base of all errors below."""

    exit_code = 1


class UsageError(AssistantError):
    """The command was called in a way that makes no sense."""

    exit_code = 2


class SettingsError(AssistantError):
    """A setting is unknown, missing or out of range."""

    exit_code = 2


class InputError(AssistantError):
    """An input line or file could not be read as what it should be."""

    exit_code = 3


class NoteError(InputError):
    """What should be noted is empty, too long, or not there any more."""


class ContentError(AssistantError):
    """A file of ``prompts/`` or ``knowledge/`` is invalid; names file and field."""


class ModelFileError(AssistantError):
    """A model file is missing or damaged; says which and where it belongs."""

    exit_code = 4


class MemoryShortError(AssistantError):
    """There is too little free memory for a model; says which and what may help."""


class NetworkError(AssistantError, PermissionError):
    """A connection beyond this computer was asked for and refused.

    Also a ``PermissionError``: a library that can live without a connection then does.
    """


class StoreError(AssistantError):
    """The local store (index or notebook) could not be read or written."""

    exit_code = 5


class NotebookLockedError(StoreError):
    """The notebook is locked, so nothing can be read or written."""


class PassphraseError(StoreError):
    """A passphrase does not open the notebook; a damaged file looks the same."""


class StoreDamagedError(StoreError):
    """A file is cut short, or is not one of ours."""


class StoreVersionError(StoreError):
    """A file was made by a version of Ebb that this one does not know."""


class StoreBusyError(StoreError):
    """Another program has the file."""


class StoreChangedError(StoreError):
    """The file on disk is no longer the one that was read."""


class StoreFullError(StoreError):
    """There is no room left, on the disk or in the notebook."""


class StoreDeniedError(StoreError):
    """The folder or the file may not be read or written."""


class StageError(AssistantError):
    """One stage of a turn failed; only ``pipeline.py`` turns it into an event."""


class AudioError(StageError, InputError):
    """A recording could not be opened or decoded."""

    exit_code = 3


class TranscribeError(StageError):
    """Speech could not be turned into text."""


class TriageError(StageError):
    """Danger could not be looked for; nothing may be generated."""


class RetrieveError(StageError):
    """The library could not be searched."""


class PromptError(StageError):
    """No prompt could be made that fits the model's context window."""


class GenerateError(StageError):
    """The language model failed or stopped in the middle."""


class GuardError(StageError):
    """A sentence could not be checked, so it may not be shown."""
