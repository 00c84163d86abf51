"""See to it that the language model's library runs on other processors too.

llama-cpp-python is compiled for exactly the processor it is compiled on. On an older
one it would end the whole program at its first sum. For a bundle it is compiled again,
for what most processors since about 2013 can do.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from bundle.failure import BundleError

_NAME = "llama-cpp-python"
_COMMON = frozenset({"LLAMAFILE", "OPENMP", "REPACK", "ACCELERATE"})
_USUAL = {
    "x86_64": frozenset(
        {"SSE3", "SSSE3", "AVX", "AVX2", "F16C", "FMA", "BMI2"} | _COMMON
    ),
    # Every Mac with Apple's processor has these; on other systems, the plain ones.
    "arm64": frozenset({"NEON", "ARM_FMA", "FP16_VA", "DOTPROD"} | _COMMON),
    "aarch64": frozenset({"NEON", "ARM_FMA"} | _COMMON),
}
_ASK = "import llama_cpp; print(llama_cpp.llama_print_system_info().decode())"
_FEATURE = re.compile(r"(\w+) = 1")


def beyond_usual(said: str, machine: str) -> set[str]:
    """Tell what a build asks of the processor that another one may lack.

    Args:
        said: What llama.cpp says of its own build.
        machine: As ``platform.machine()`` names it.
    """
    return set(_FEATURE.findall(said)) - _USUAL.get(machine, _COMMON)


def is_portable(folder: Path | None = None) -> bool:
    """Ask the library how it was compiled: the installed one, or one in a folder."""
    more = {} if folder is None else {"PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", _ASK],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **more},
    )
    return not beyond_usual(done.stdout, platform.machine())


def portable(version: str, lock: str, store: Path) -> Path:
    """Give a folder with the library compiled for many processors.

    The first time takes about ten minutes on two cores, and the network: the source is
    the one the lock file names, by its hash. Later it is there.

    Raises:
        BundleError: If it could not be compiled, or came out for this processor alone.
    """
    unpacked = store / f"llama-{version}-{sys.implementation.cache_tag}"
    if unpacked.is_dir():
        return unpacked
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store) as name:
        scratch = Path(name)
        _compile(_entry(lock), scratch)
        wheel = next(scratch.glob("llama_cpp_python-*.whl"), None)
        if wheel is None:
            raise BundleError(f"{_NAME} was compiled, but its wheel is not there.")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(scratch / "unpacked")
        if not is_portable(scratch / "unpacked"):
            raise BundleError(
                f"{_NAME} was compiled for this processor alone all the same."
            )
        (scratch / "unpacked").rename(unpacked)
    return unpacked


def _entry(lock: str) -> str:
    """Give the lines of the lock file about this library, with its hashes."""
    found = re.search(rf"^{_NAME}==.*\n(?:    --hash=.*\n)+", lock, re.MULTILINE)
    if found is None:
        raise BundleError(f"{_NAME} is not in the lock file.")
    return found[0].rstrip().rstrip("\\") + "\n"


def _compile(entry: str, scratch: Path) -> None:
    wanted = scratch / "wanted.txt"
    wanted.write_text(entry, "utf-8")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--require-hashes"]
    # pip's own store would give the wheel that was compiled for this processor.
    command += ["--no-cache-dir", "--wheel-dir", str(scratch), "-r", str(wanted)]
    switches = f"{os.environ.get('CMAKE_ARGS', '')} -DGGML_NATIVE=OFF"
    done = subprocess.run(command, env={**os.environ, "CMAKE_ARGS": switches})
    if done.returncode:
        raise BundleError(
            f"{_NAME} could not be compiled for other processors. With --as-installed "
            "the bundle runs on processors like this one only."
        )
