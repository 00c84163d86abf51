"""llama-cpp-python called plainly, each time afresh: for measuring beside Ebb."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.domain import Prompt
from assistant.errors import ModelFileError


@dataclass(frozen=True, slots=True)
class PlainOptions:
    """What is taken from Ebb, so that nothing but the way of calling differs."""

    context_tokens: int
    batch_tokens: int
    threads: int | None
    """Processor threads; None means one a core."""
    sampling: Mapping[str, float]
    tokens_of: Callable[[Prompt], Sequence[int]]
    """Turns a prompt into the very tokens that Ebb's model reads."""


class PlainLlama:
    """A second copy of the same weights: every call reads its whole prompt.

    Nothing is read ahead or kept, and nothing watches whether to stop. The weights are
    not shared with Ebb's: llama.cpp packs them anew for the processor in each copy,
    mapped or not. So there must be memory for both, and ``close`` gives it back.
    """

    def __init__(self, model_path: Path, options: PlainOptions) -> None:
        """Load the weights.

        Raises:
            ModelFileError: If the file cannot be loaded.
        """
        import llama_cpp

        self._lib = llama_cpp
        self._options = options
        threads = options.threads or os.cpu_count() or 2
        try:
            self._llama: Any = llama_cpp.Llama(
                str(model_path),
                n_ctx=options.context_tokens,
                n_batch=options.batch_tokens,
                use_mmap=False,
                n_threads=threads,
                n_threads_batch=threads,
                verbose=False,
            )
        except (ValueError, OSError, AssertionError):
            raise ModelFileError(
                f"{model_path.name} cannot be loaded; “ebb models verify” checks it."
            ) from None

    def stream(self, prompt: Prompt, *, max_tokens: int, seed: int) -> Iterator[str]:
        """Yield text deltas; a token that is no whole character gives none."""
        self._llama.reset()  # or the library would keep the common beginning
        self._llama.set_seed(seed)
        vocab = self._lib.llama_model_get_vocab(self._llama.model)
        generated = self._llama.generate(
            list(self._options.tokens_of(prompt)), **self._options.sampling
        )
        for made, token in enumerate(generated, 1):
            if self._lib.llama_vocab_is_eog(vocab, token):
                return
            raw: bytes = self._llama.detokenize([token], special=False)
            if text := raw.decode("utf-8", "ignore"):
                yield text
            if made >= max_tokens:
                return

    def close(self) -> None:
        """Let go of the weights."""
        self._llama.close()
