"""The folder for a stick: what goes into it, and what its outside says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bundle import interpreter, libraries, manifest, processor, wheels, words
from bundle.__main__ import Layout, _clear
from bundle.failure import BundleError

_LDD = """\
\tlinux-vdso.so.1 (0x00007ffd)
\tlibpython3.11.so.1.0 => /opt/python/lib/libpython3.11.so.1.0 (0x00007f01)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f02)
\tlibcrypto.so.3 => /lib/x86_64-linux-gnu/libcrypto.so.3 (0x00007f03)
\tlibgone.so.1 => not found
\t/lib64/ld-linux-x86-64.so.2 (0x00007f04)
"""
_OTOOL = """\
/opt/python/bin/python3.11:
\t/opt/python/lib/libpython3.11.dylib (compatibility version 3.11.0, current 3.11.0)
\t@loader_path/.dylibs/libz.1.dylib (compatibility version 1.0.0, current 1.2.12)
\t/usr/lib/libSystem.B.dylib (compatibility version 1.0.0, current version 1336.0.0)
"""
_LOCK = """\
# comment
av==18.1.0 \\
    --hash=sha256:00 \\
    --hash=sha256:01
    # via ebb (pyproject.toml)
pywin32==311 ; sys_platform == 'nowhere' \\
    --hash=sha256:02
typing-extensions==4.16.0 ; python_full_version >= '3.8' \\
    --hash=sha256:03
"""
# What must not stand on the outside: somebody may see it in passing.
_TELLING = ("trauma", "abus", "violen", "partner", "helpline", "bond", "suicid")


def test_of_what_ldd_names_the_c_library_and_the_loader_stay_the_systems() -> None:
    assert libraries.parse_ldd(_LDD) == {
        "libpython3.11.so.1.0": Path("/opt/python/lib/libpython3.11.so.1.0"),
        "libcrypto.so.3": Path("/lib/x86_64-linux-gnu/libcrypto.so.3"),
        "libgone.so.1": None,
    }


def test_of_what_otool_names_only_what_not_every_mac_has_is_wanted() -> None:
    found = libraries.parse_otool(_OTOOL)
    assert found == {"libpython3.11.dylib": Path("/opt/python/lib/libpython3.11.dylib")}


@pytest.mark.skipif(sys.platform != "linux", reason="reads a program of Linux")
def test_a_program_of_linux_tells_its_loader_and_its_oldest_glibc() -> None:
    program = Path(sys.executable).resolve()
    assert Path(libraries.loader_of(program)).exists()
    assert (2, 17) <= libraries.oldest_glibc([program]) < (3, 0)


def test_a_file_that_names_no_loader_is_one_plain_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\x7fELF nothing")
    with pytest.raises(BundleError, match="loader"):
        libraries.loader_of(tmp_path / "x")


def test_of_the_lock_only_what_this_computer_needs_is_taken() -> None:
    assert wheels.run_set(_LOCK) == {"av": "18.1.0", "typing-extensions": "4.16.0"}


def test_the_lock_of_the_run_set_holds_no_test_tool_and_no_gpl_voice() -> None:
    root = Path(__file__).resolve().parent.parent
    names = wheels.run_set((root / "requirements.lock").read_text("utf-8")).keys()
    assert {"av", "anyio", "chromadb", "fastapi", "gradio"} <= names
    assert not {"pytest", "mypy", "playwright", "piper-tts", "hatchling"} & names


def test_a_package_that_is_not_as_locked_is_named(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"av 18\.1\.0"):
        wheels.copy({"av": "18.1.0"}, [tmp_path], tmp_path / "target")


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("pandas/core/frame.py", True),
        ("av.libs/libx264.so", True),
        ("pandas/tests/test_x.py", False),
        ("../../../bin/uvicorn", False),
        ("lib/libllama.so", False),
        ("llama_cpp/lib/libllama.so", True),
        ("numpy/__pycache__/x.pyc", False),
    ],
)
def test_of_a_package_what_is_needed_to_run_is_taken(name: str, used: bool) -> None:
    assert wheels.is_used(name) is used


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("json", True),
        ("_ssl.cpython-311-x86_64-linux-gnu.so", True),
        ("readline.cpython-311-x86_64-linux-gnu.so", False),
        ("_tkinter.cpython-311-x86_64-linux-gnu.so", False),
        ("_testcapi.cpython-311-x86_64-linux-gnu.so", False),
        ("test", False),
        ("site-packages", False),
        ("config-3.11-x86_64-linux-gnu", False),
    ],
)
def test_of_python_what_ebb_may_use_is_taken(name: str, used: bool) -> None:
    assert interpreter.is_used(name) is used


def test_a_library_compiled_for_this_processor_alone_is_noticed() -> None:
    usual = "CPU : SSE3 = 1 | AVX2 = 1 | AVX512 = 0 | FMA = 1 | REPACK = 1 | "
    native = usual + "AVX512_VNNI = 1 | "
    assert processor.beyond_usual(usual, "x86_64") == set()
    assert processor.beyond_usual(native, "x86_64") == {"AVX512_VNNI"}
    # On a kind that is not known, nothing beyond the plainest is taken for granted.
    assert processor.beyond_usual("CPU : VSX = 1 | ", "ppc64le") == {"VSX"}


def test_the_library_is_compiled_from_the_source_that_is_locked() -> None:
    root = Path(__file__).resolve().parent.parent
    entry = processor._entry((root / "requirements.lock").read_text("utf-8"))
    lines = entry.strip().splitlines()
    assert lines[0].startswith("llama-cpp-python==")
    assert all(line.strip().startswith("--hash=sha256:") for line in lines[1:])
    assert not lines[-1].endswith("\\")


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    assert manifest.write(tmp_path) == 2
    return tmp_path


def test_a_folder_as_it_was_made_is_whole(listed: Path) -> None:
    assert not manifest.check(listed)
    assert manifest.main(listed) == 0


def test_every_change_is_found_and_named(
    listed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (listed / "parts" / "a.txt").write_text("A")
    (listed / "b.txt").unlink()
    (listed / "parts" / "c.txt").touch()
    assert manifest.check(listed) == manifest.Difference(
        ("parts/a.txt",), ("b.txt",), ("parts/c.txt",)
    )
    assert manifest.main(listed) == 1
    assert "changed: parts/a.txt" in capsys.readouterr().out


def test_what_the_program_keeps_is_no_change(listed: Path) -> None:
    for name in ("kept/settings.toml", "parts/models/verified.json"):
        (listed / name).parent.mkdir(parents=True, exist_ok=True)
        (listed / name).touch()
    assert not manifest.check(listed)


@pytest.mark.parametrize("text", ["", "no list", None])
def test_a_folder_without_a_list_is_one_plain_sentence(
    tmp_path: Path, text: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (tmp_path / manifest.NAME).write_text(text)
    assert manifest.main(tmp_path) == 1
    assert capsys.readouterr().err.startswith("manifest.txt ")


def test_the_outside_says_nothing_of_what_it_is_for() -> None:
    outside = words.readme("x86_64", (2, 36), 2_000_000_000)
    outside += words.start_script("python3.11", "/lib64/ld-linux.so.2", "x86_64")
    outside += (words.TEXTS / "LICENCES.txt").read_text("utf-8")
    assert [word for word in _TELLING if word in outside.lower()] == []


def test_the_readme_has_what_somebody_needs_who_found_only_this_folder() -> None:
    said = words.readme("x86_64", (2, 36), 2_000_000_000)
    for needed in ("watches your devices", "sh notes.sh", "REMOVE", "2.36", "2 GB"):
        assert needed in said
    assert "@" not in said
    assert max(map(len, said.splitlines())) <= 88


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sh")
@pytest.mark.parametrize("name", ["notes-linux.sh", "notes-macos.sh"])
def test_the_start_script_can_be_read_by_any_sh(name: str, tmp_path: Path) -> None:
    values = {"PYTHON": "python3.11", "LOADER": "/none", "MACHINE": "none"}
    text = words.fill((words.TEXTS / name).read_text("utf-8"), values)
    script = tmp_path / "notes.sh"
    script.write_text(text)
    subprocess.run(["sh", "-n", str(script)], check=True)
    # On another kind of computer it says so in one sentence.
    done = subprocess.run(["sh", str(script)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "another kind" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_licence_list_tells_of_the_gpl_parts() -> None:
    made = words.licences(
        [wheels.Package("av", "18.1.0", "BSD-3-Clause")],
        {"libssl.so.3": "system/libssl3.txt"},
        [],
        has_gpl=True,
    )
    for needed in ("x264", "x265", "GPL-2.0-or-later", "av 18.1.0: BSD", "libssl.so.3"):
        assert needed in made


def test_somebody_elses_folder_is_never_cleared(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(BundleError, match="something else"):
        _clear(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "mine"


def test_a_bundle_with_a_notebook_is_never_cleared(tmp_path: Path) -> None:
    _clear(tmp_path)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "notes.dat").touch()
    with pytest.raises(BundleError, match="notebook"):
        _clear(tmp_path)
    assert (tmp_path / "kept" / "notes.dat").exists()


def test_a_half_made_bundle_is_made_anew(tmp_path: Path) -> None:
    _clear(tmp_path)
    (Layout(tmp_path).parts / "half").touch()
    _clear(tmp_path)
    assert not (Layout(tmp_path).parts / "half").exists()
