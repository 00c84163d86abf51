"""``ChatModel`` over llama-cpp-python.

The model's memory of what it has read is kept between turns, so a turn reads only what
is new. The memory of a prompt's fixed part is also kept on disk: it holds our own text
alone, nothing a person said, and is matched by the checksum of model and text.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.adapters.llama_stop import StopSwitch
from assistant.domain import Prompt, Role
from assistant.errors import GenerateError, ModelFileError
from assistant.ports import ChatModel

BATCH_TOKENS = 256
"""So many tokens of a prompt are read at once."""
SAMPLING: Mapping[str, float] = {"temp": 0.6, "top_p": 0.9, "repeat_penalty": 1.08}
"""How the next token is drawn, in the library's own words."""


class LlamaChat(ChatModel):
    """A GGUF model on the processor. One lock: a second caller waits its turn."""

    def __init__(
        self,
        model_path: Path,
        *,
        context_tokens: int,
        threads: int | None,
        cache_dir: Path | None = None,
        checksum: str = "",
    ) -> None:
        """Load the weights.

        Args:
            model_path: A GGUF file.
            context_tokens: Size of the context window.
            threads: Processor threads; None means one a core.
            cache_dir: Where the memory of fixed prompts is kept; None keeps none.
            checksum: SHA-256 of the weights, to match that memory by.

        Raises:
            ModelFileError: If the file cannot be loaded.
        """
        import llama_cpp
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        self._lib = llama_cpp
        self._lock = threading.Lock()
        try:
            self._llama: Any = llama_cpp.Llama(
                str(model_path),
                n_ctx=context_tokens,
                n_batch=BATCH_TOKENS,
                # Mapped weights stay in memory beside the copy that llama.cpp packs
                # anew for this processor: 0.6 GB more for a 1.1 GB file.
                use_mmap=False,
                n_threads=threads or os.cpu_count() or 2,
                n_threads_batch=threads or os.cpu_count() or 2,
                verbose=False,
            )
        except (ValueError, OSError, AssertionError):
            raise ModelFileError(
                f"{model_path.name} cannot be loaded; “ebb models verify” checks it."
            ) from None
        # It would write about a stopped computation to the terminal.
        logging.getLogger("llama-cpp-python").setLevel(logging.CRITICAL + 1)
        self._switch = StopSwitch(llama_cpp, self._llama.ctx)
        template = self._llama.metadata.get("tokenizer.chat_template")
        if not template:
            raise ModelFileError(f"{model_path.name} is no model for talking.")
        self._formatter = Jinja2ChatFormatter(
            template=template,
            eos_token=self._token_text(self._llama.token_eos()),
            bos_token=self._token_text(self._llama.token_bos()),
        )
        self.context_tokens = context_tokens
        self._cache_dir = cache_dir
        self._checksum = checksum
        self._fixed_tokens = 0

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text as this model reads it."""
        return len(self._tokens(text))

    def tokens_of(self, prompt: Prompt) -> list[int]:
        """Give a prompt as the model reads it, marks between messages included."""
        return self._tokens(self._text(prompt))

    def warm(self, prompt: Prompt) -> None:
        """Read a prompt's fixed part ahead, from disk where it was kept."""
        tokens = self._tokens(self._fixed_text(prompt))
        self._fixed_tokens = len(tokens)
        with self._lock, self._translated():
            if self._restore(tokens):
                return
            self._keep(tokens)

    def forget(self) -> None:
        """Let go of what was read beyond the fixed part; waits for a turn that runs.

        Its place in memory is free at once and overwritten by the next turn.
        """
        with self._lock:
            self._llama.n_tokens = min(self._llama.n_tokens, self._fixed_tokens)
            self._llama.input_ids[self._fixed_tokens :] = 0
            memory = self._lib.llama_get_memory(self._llama.ctx)
            self._lib.llama_memory_seq_rm(memory, -1, self._fixed_tokens, -1)

    def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        seed: int,
        stopped: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield text deltas; see the port."""
        tokens = self.tokens_of(prompt)
        if len(tokens) + max_tokens > self.context_tokens:
            raise GenerateError("The prompt is longer than the model's window.")
        return self._stream(tokens, max_tokens, seed, stopped)

    def _stream(
        self,
        tokens: list[int],
        max_tokens: int,
        seed: int,
        stopped: Callable[[], bool],
    ) -> Iterator[str]:
        with self._lock, self._translated(), self._switch.watching(stopped):
            if stopped():
                return
            self._llama.set_seed(seed)
            pending = b""  # a character may be split over tokens
            made = 0
            generated = self._llama.generate(tokens, **SAMPLING)
            with contextlib.closing(generated), self._quiet_when_stopped():
                for token in generated:
                    made += 1
                    if self._lib.llama_vocab_is_eog(self._vocab(), token):
                        return
                    pending += self._llama.detokenize([token], special=False)
                    text = _whole_characters(pending)
                    pending = pending[len(text.encode()) :]
                    if text:
                        yield text
                    if made >= max_tokens or stopped():
                        return

    def _text(self, prompt: Prompt) -> str:
        messages = [*prompt.messages]
        begun = ""
        if messages and messages[-1].role is Role.ASSISTANT:
            begun = messages.pop().content
        result = self._formatter(
            messages=[{"role": str(m.role), "content": m.content} for m in messages]
        )
        return str(result.prompt) + begun

    def _fixed_text(self, prompt: Prompt) -> str:
        """Give the part of a rendered prompt before its last user message."""
        text = self._text(prompt)
        last = next(m for m in reversed(prompt.messages) if m.role is Role.USER)
        return text[: text.rindex(last.content)]

    def _tokens(self, text: str) -> list[int]:
        return list(
            self._llama.tokenize(
                text.encode("utf-8", "replace"), add_bos=False, special=True
            )
        )

    def _token_text(self, token: int) -> str:
        if token < 0:
            return ""
        return bytes(self._llama.detokenize([token], special=True)).decode(
            "utf-8", "replace"
        )

    def _vocab(self) -> Any:
        return self._lib.llama_model_get_vocab(self._llama.model)

    @contextlib.contextmanager
    def _quiet_when_stopped(self) -> Iterator[None]:
        """End quietly where the switch ended the work.

        What had been read whole until then stays in memory; the library takes the rest
        out itself before it reads on.
        """
        try:
            yield
        except RuntimeError:
            if not self._switch.is_off:
                raise

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (RuntimeError, ValueError, IndexError, StopIteration):
            # Whatever state a failed call left behind is not to be built upon.
            self._llama.reset()
            raise GenerateError("The language model stopped in the middle.") from None

    # --- Memory of fixed prompts on disk ---------------------------------------------

    def _memory_file(self, tokens: Sequence[int]) -> Path | None:
        if self._cache_dir is None:
            return None
        what = f"{self._checksum} {self._lib.__version__} {list(tokens)}"
        key = hashlib.sha256(what.encode()).hexdigest()[:32]
        return self._cache_dir / f"prompt-{key}.bin"

    def _restore(self, tokens: Sequence[int]) -> bool:
        path = self._memory_file(tokens)
        if path is None or not path.is_file():
            return False
        try:
            state = path.read_bytes()
        except OSError:
            return False
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        self._llama.reset()
        taken = self._lib.llama_state_seq_set_data(
            self._llama.ctx, buffer, len(state), 0
        )
        if taken != len(state):
            return False
        self._llama.input_ids[: len(tokens)] = tokens
        self._llama.n_tokens = len(tokens)
        return True

    def _keep(self, tokens: Sequence[int]) -> None:
        """Read these tokens, and keep the memory of exactly them; best effort."""
        # One sampled token makes llama.cpp read up to here; it is dropped.
        with contextlib.closing(self._llama.generate(list(tokens), temp=0.0)) as g:
            next(g)
        path = self._memory_file(tokens)
        if path is None:
            return
        size = self._lib.llama_state_seq_get_size(self._llama.ctx, 0)
        buffer = (ctypes.c_uint8 * size)()
        if self._lib.llama_state_seq_get_data(self._llama.ctx, buffer, size, 0) != size:
            return
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            for old in path.parent.glob("prompt-*.bin"):
                old.unlink()
            beside = path.with_suffix(".part")
            beside.write_bytes(bytes(buffer))
            beside.replace(path)


def _whole_characters(raw: bytes) -> str:
    """Decode as many whole characters as there are."""
    for cut in range(len(raw), max(len(raw) - 4, -1), -1):
        try:
            return raw[:cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
    return ""
