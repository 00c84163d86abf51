"""``Vault`` over the cryptography library: Argon2id, then ChaCha20-Poly1305.

The file, numbers big-endian:

====== ===== ===============================================================
offset bytes what
====== ===== ===============================================================
0      8     magic
8      2     version of this layout
10     1     how the key is made: 1 is Argon2id
11     1     lanes
12     2     passes
14     4     memory in KiB
18     16    salt of the key, new with every passphrase
34     12    nonce, new with every write
46     4     bytes that follow
50     …     ciphertext and its tag
====== ===== ===============================================================

The header is authenticated with the content. The content is its length in 4 bytes, the
notebook, and zeros up to the next step, so that the file's size tells little.

Source of the effort: RFC 9106 asks for at least 3 passes over 64 MiB where memory is
short; four over 128 MiB take 0.6 s on a slow core.
"""

from __future__ import annotations

import os
import struct
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from assistant.errors import (
    PassphraseError,
    StoreDamagedError,
    StoreFullError,
    StoreVersionError,
)
from assistant.ports import Key, Vault

VERSION: Final = 1

_MAGIC = b"\x89NTSDAT\n"
_ARGON2ID = 1
_HEADER = struct.Struct(">8sHBBHI16s12sI")
_LENGTH = struct.Struct(">I")
_SECRET_BYTES, _SALT_BYTES, _NONCE_BYTES, _TAG_BYTES = 32, 16, 12, 16
_MIB_IN_KIB = 1024

_REFUSED = "That passphrase does not open it, or the file was damaged."
_DAMAGED = (
    "The notes file is damaged, or is no notes file, so it cannot be opened. "
    "It was not changed."
)
_NEWER = (
    "The notes file was written by a newer version of Ebb. It was not changed; "
    "that version can open it."
)
_OLDER = (
    "The notes file was written by a version of Ebb that this one no longer knows. "
    "It was not changed."
)
_NO_MEMORY = (
    "There is not enough free memory to open the notebook. Closing other programs may "
    "help. Nothing was changed."
)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work it is to try one passphrase; stands in the file's header."""

    memory_kib: int = 128 * _MIB_IN_KIB
    passes: int = 4
    lanes: int = 1

    def is_bearable(self) -> bool:
        """Tell whether a header may ask for this much; a forged one asks for more."""
        return (
            1 <= self.lanes <= 4
            and 1 <= self.passes <= 12
            and 8 * self.lanes <= self.memory_kib <= 512 * _MIB_IN_KIB
        )


@dataclass(slots=True)
class SealedKey(Key):
    """A key with what its file's header says of it."""

    secret: bytearray = field(repr=False)
    salt: bytes = field(repr=False)
    effort: Effort

    def forget(self) -> None:
        """Overwrite the secret; copies that Python or the library made may remain."""
        self.secret[:] = bytes(len(self.secret))


class SealedVault(Vault):
    """Safe to use from several threads; one derivation takes 128 MiB of memory."""

    def __init__(
        self, effort: Effort | None = None, *, step_bytes: int = 64 * 1024
    ) -> None:
        """Load the library.

        Args:
            effort: For new passphrases; a file's own header tells what was used there.
            step_bytes: The smallest content; larger ones double it until they fit.
        """
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

        self._cipher, self._derivation = ChaCha20Poly1305, Argon2id
        self._invalid = InvalidTag
        self._effort = effort or Effort()
        self._step_bytes = step_bytes

    def new_key(self, passphrase: str) -> SealedKey:
        """Make a key with a new salt."""
        return self._derive(passphrase, os.urandom(_SALT_BYTES), self._effort)

    def key_of(self, sealed: bytes, passphrase: str) -> SealedKey:
        """Make the key that a file's header asks for."""
        effort, salt, _ = _read_header(sealed)
        return self._derive(passphrase, salt, effort)

    def seal(self, content: bytes, key: Key) -> bytes:
        """Encrypt under a new nonce."""
        key = _own(key)
        padded = self._pad(content)
        nonce = os.urandom(_NONCE_BYTES)
        header = _HEADER.pack(
            _MAGIC,
            VERSION,
            _ARGON2ID,
            key.effort.lanes,
            key.effort.passes,
            key.effort.memory_kib,
            key.salt,
            nonce,
            len(padded) + _TAG_BYTES,
        )
        cipher = self._cipher(bytes(key.secret))
        return header + cipher.encrypt(nonce, padded, header)

    def open(self, sealed: bytes, key: Key) -> bytes:
        """Decrypt, and check every byte."""
        _, _, nonce = _read_header(sealed)
        header, body = sealed[: _HEADER.size], sealed[_HEADER.size :]
        try:
            padded = self._cipher(bytes(_own(key).secret)).decrypt(nonce, body, header)
        except self._invalid:
            raise PassphraseError(_REFUSED) from None
        (length,) = _LENGTH.unpack_from(padded)
        return padded[_LENGTH.size : _LENGTH.size + length]

    def _pad(self, content: bytes) -> bytes:
        needed = _LENGTH.size + len(content)
        size = self._step_bytes
        while size < needed:
            size *= 2
        return (_LENGTH.pack(len(content)) + content).ljust(size, b"\0")

    def _derive(self, passphrase: str, salt: bytes, effort: Effort) -> SealedKey:
        derivation = self._derivation(
            salt=salt,
            length=_SECRET_BYTES,
            iterations=effort.passes,
            lanes=effort.lanes,
            memory_cost=effort.memory_kib,
        )
        try:
            secret = derivation.derive(_spelled(passphrase))
        except MemoryError:
            raise StoreFullError(_NO_MEMORY) from None
        return SealedKey(bytearray(secret), salt, effort)


def _spelled(passphrase: str) -> bytes:
    """Spell a passphrase one way: keyboards differ, and a space slips in at the end."""
    plain = unicodedata.normalize("NFKC", " ".join(passphrase.split()))
    return plain.encode("utf-8", "surrogatepass")


def _read_header(sealed: bytes) -> tuple[Effort, bytes, bytes]:
    """Read what a file says of itself: effort, salt, nonce. None of it is secret."""
    if len(sealed) < _HEADER.size:
        raise StoreDamagedError(_DAMAGED)
    magic, version, way, lanes, passes, memory_kib, salt, nonce, follow = (
        _HEADER.unpack_from(sealed)
    )
    if magic != _MAGIC:
        raise StoreDamagedError(_DAMAGED)
    if version != VERSION:
        raise StoreVersionError(_NEWER if version > VERSION else _OLDER)
    effort = Effort(memory_kib, passes, lanes)
    is_whole = len(sealed) == _HEADER.size + follow and follow > _TAG_BYTES
    if way != _ARGON2ID or not effort.is_bearable() or not is_whole:
        raise StoreDamagedError(_DAMAGED)
    return effort, salt, nonce


def _own(key: Key) -> SealedKey:
    if not isinstance(key, SealedKey):
        raise TypeError("a key of another vault")
    return key
