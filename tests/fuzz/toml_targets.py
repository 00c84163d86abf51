"""Settings, the list of models, the stamps of model files, and single lines."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant import settings, toml_lines
from assistant.content import content_root
from assistant.errors import AssistantError
from assistant.models import ModelFolder, State
from assistant.models_registry import Registry
from assistant.settings import Settings
from tests.fuzz.harness import Run, Target
from tests.fuzz.oracles import checked_error, own_error, well_typed
from tests.fuzz.seeds import ODD_TEXTS

_SETTINGS = (
    "",
    'country = "GB"\nlanguage = "en"\nport = 7861\nthreads = 2\n',
    'context_tokens = 4096\nchat_model = "smollm2-135m"\n',
    'text_size = "larger"\nmovement = "none"\npage_title = "tab"\n',
    'exit_address = "https://example.org/?a=b"\nidle_minutes = 0\n',
    '# a remark\ncountry = "DE" # why\n\n[table]\nx = 1\n',
    'country = """G\nB"""\nport = 0x1f\n"text_size" = \'normal\'\n',
    "port = 1_000\nport = 2\n",
    "a.b = 1\n[[x]]\n",
    f"x = {'[' * 1_500}\n",
    f"port = {'9' * 5_000}\n",
    "threads = -1\n",
    "idle_minutes = true\n",
    "port = 1e3\ncountry = 1979-05-27\n",
)


@contextmanager
def _settings(folder: Path) -> Iterator[Run]:
    path = folder / "settings.toml"

    def run(text: str) -> Hashable:
        path.write_text(text, "utf-8", "replace", newline="")
        read = own_error(lambda: settings.load(folder), may_name=True)
        if isinstance(read, Settings):
            well_typed(read)
            assert 0 <= read.port <= 65_535
        settings.are_kept(folder)
        before = path.read_bytes()
        try:
            settings.keep(folder, {"country": "GB", "text_size": "larger"})
        except AssistantError as error:
            assert path.read_bytes() == before, "a refused change was written"
            return str(read)[:60], checked_error(error, may_name=True)
        kept = tomllib.loads(path.read_text("utf-8"))
        assert kept["country"] == "GB"
        settings.keep(folder, {"country": None, "text_size": None})
        return str(read)[:20], tuple(sorted(kept))[:4]

    yield run


@contextmanager
def _addresses(folder: Path) -> Iterator[Run]:
    """Where the exit leads, and single lines of a settings file."""

    def run(text: str) -> Hashable:
        given = own_error(lambda: settings.check_address(text))
        if not given.startswith("SettingsError") and given:
            assert given.startswith(("http://", "https://"))
            assert given.isprintable()
            assert settings.check_address(given) == given
        changed = toml_lines.change(text, {"exit_address": text, "port": None})
        if text.isprintable() and "[" not in text:
            assert "exit_address = " in changed
        return given[:12]

    yield run


def _registry_seeds() -> tuple[str, ...]:
    one = """[[model]]
name = "m"
kind = "llm"
licence = "MIT"
summary = "One."
memory_bytes = 1
tested = true
default = true
recommended_from_memory_bytes = 8

[[model.file]]
path = "m/w.bin"
bytes = 3
sha256 = "{sha}"
hub = {{ repo = "a/b", revision = "c", file = "d" }}

[[model.file.parts]]
package = "p"
version = "1"
member = "x"
""".format(sha="a" * 64)
    whole = (content_root() / "models" / "registry.toml").read_text("utf-8")
    return (one, one + one.replace('"m', '"n'), whole[:3_000], "model = []", "")


@contextmanager
def _registry(folder: Path) -> Iterator[Run]:
    path = folder / "registry.toml"

    def run(text: str) -> Hashable:
        path.write_text(text, "utf-8", "replace", newline="")
        read = own_error(lambda: Registry.load(path), may_name=True)
        if not isinstance(read, Registry):
            return read[-60:]
        well_typed(read)
        models = ModelFolder(read, folder / "models")
        for model in read.models:
            for file in model.files:
                place = models.file_path(file).resolve()
                assert place.is_relative_to((folder / "models").resolve()), (
                    "a model file outside its folder"
                )
            assert models.state(model) in set(State)
        return len(read.models)

    yield run


@contextmanager
def _stamps(folder: Path) -> Iterator[Run]:
    """The stamps save time; whatever stands in them, a whole file stays whole."""
    import hashlib

    weights = folder / "m" / "w.bin"
    weights.parent.mkdir()
    weights.write_bytes(b"abc")
    text = _registry_seeds()[0].replace("a" * 64, hashlib.sha256(b"abc").hexdigest())
    registry = folder / "registry.toml"
    registry.write_text(text, "utf-8")
    models = ModelFolder(Registry.load(registry), folder)
    model = models.registry.models[0]
    stamps = folder / "verified.json"

    def run(text: str) -> Hashable:
        found = weights.stat()
        text = text.replace("MTIME", str(found.st_mtime_ns))
        stamps.write_text(text, "utf-8", "replace", newline="")
        assert models.state(model) is State.READY, "a whole file is said to be damaged"
        return stamps.read_text("utf-8") == text

    yield run


def _stamp_seeds() -> tuple[str, ...]:
    return (
        json.dumps({"m/w.bin": [3, 5, "a" * 64]}),
        '{"m/w.bin": [3, MTIME, "%s"]}' % ("b" * 64),
        '{"m/w.bin": [3, MTIME, null]}',
        '{"m/w.bin": [3, MTIME, []], "x": 1}',
        "[]",
        "",
    )


TARGETS = (
    Target("settings", lambda: _SETTINGS, _settings, 60_000),
    Target("addresses", lambda: (*_SETTINGS, *ODD_TEXTS), _addresses, 150_000),
    Target("registry", _registry_seeds, _registry, 40_000),
    Target("stamps", _stamp_seeds, _stamps, 30_000),
)
