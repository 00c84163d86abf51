"""Open what keeps notes: the encrypted file, and who looks after it for all tabs."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from assistant.keeping import Keeper
from assistant.settings import Settings
from assistant.store import Store


def open_keeper(settings: Settings) -> Keeper:
    """Look after the notes of all tabs."""
    return Keeper(
        open_store(settings),
        now=lambda: datetime.now(UTC),
        new_id=lambda: secrets.token_hex(8),
    )


def open_store(settings: Settings) -> Store:
    """Look after the encrypted notebook's file, whether there is one or not."""
    from assistant.adapters.local_disk import LocalDisk
    from assistant.adapters.sealed import SealedVault

    return Store(settings.notebook_path, LocalDisk(), SealedVault())
