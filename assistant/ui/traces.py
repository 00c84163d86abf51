"""What stays on this computer, and how each trace can be removed, in plain words.

Menus of browsers change; where a version may differ, the text stays general.
Sources: knowledge/sources.md, ``privacy-traces`` and ``browser-menus``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import assistant
from assistant.ui.markup import text

if TYPE_CHECKING:
    from assistant.settings import Settings

_FIRST: Final = (
    "Not every trace can be removed. An empty history, or something that is suddenly "
    "gone, can be noticed too. You know best what would be noticed, so take only the "
    "steps that fit. A program that watches this computer sees all of them."
)
_HISTORY: Final = (
    "The browser lists this page, under the name its tab has and an address that "
    "begins with 127.0.0.1. If the browser is signed in to an account, its history may "
    "show up on other devices."
)
_MICROPHONE: Final = (
    "If you allowed the microphone, the browser remembers that for 127.0.0.1."
)
_COOKIE: Final = (
    "One cookie for 127.0.0.1, whose name begins with “page-”. It holds a random key, "
    "nothing about you; it is void once the program stops, and goes when the browser "
    "is closed, or later where the browser restores its tabs."
)
_DOWNLOADS: Final = (
    "The file this program came in may lie in the download folder, and the browser "
    "may list it. The same goes for anything you saved from here."
)
_UNFINISHED: Final = (
    "If the computer or the program stopped suddenly, an empty folder whose name "
    "begins with “notes-” may be left in the system’s folder for temporary files. "
    "Nothing you said is in it, and it can be deleted."
)
_PULLED: Final = (
    "Fetching the parts may have left copies in the download store of pip; the command "
    "“pip cache purge” empties that store. A terminal may show the commands that were "
    "typed."
)

BROWSERS: Final = (
    (
        "Firefox",
        (
            "History: open the menu (three lines), then History, then Manage history. "
            "Find the lines with 127.0.0.1, open the menu of a line with the right "
            "button and choose Delete Page.",
            "Microphone: Settings, then Privacy & Security. Under Permissions, open "
            "the Settings of Microphone, choose the line with 127.0.0.1, then Remove "
            "Website and Save Changes.",
            "List of downloads: open the menu, then Downloads. Open the menu of a "
            "line with the right button and choose to remove it from the history.",
        ),
    ),
    (
        "Chrome",
        (
            "History: open the menu (three dots), then History, and History again. "
            "Tick the lines with 127.0.0.1 and choose Delete.",
            "Microphone: Settings, then Privacy and security, then Site settings, "
            "then Microphone. Remove the line with 127.0.0.1.",
            "List of downloads: open the menu, then Downloads, and take the line away.",
        ),
    ),
    (
        "Edge",
        (
            "History: open the menu (three dots), then History. Point at a line with "
            "127.0.0.1 and press the cross or bin beside it.",
            "Microphone: open Settings and search there for “site permissions”. Under "
            "Microphone, remove the line with 127.0.0.1.",
            "List of downloads: open the menu, then Downloads, and take the line away.",
        ),
    ),
    (
        "Safari",
        (
            "History: in the History menu choose Show All History, click a line with "
            "127.0.0.1 and press Delete.",
            "Microphone: in the Safari menu choose Settings, then Websites, then "
            "Microphone. Choose the line with 127.0.0.1, then Remove.",
            "List of downloads: press the downloads button at the top and take the "
            "line away.",
        ),
    ),
)
_OTHER: Final = (
    "The words differ a little from version to version. In any browser, Ctrl and H (on "
    "a Mac, Command and Y) mostly opens the history."
)


def block(settings: Settings, *, is_kept: bool) -> str:
    """Give the list of traces.

    Args:
        settings: Where the program's folders are.
        is_kept: True where the settings file was written by the page.
    """
    return (
        f"<p>{text(_FIRST)}</p>"
        f"{_trace('In the browser: history', _HISTORY)}"
        f"{_trace('In the browser: microphone', _MICROPHONE)}"
        f"{_trace('In the browser: cookie', _COOKIE)}"
        f"{_trace('The download folder', _DOWNLOADS)}"
        f"<h3>How to remove these, by browser</h3>{_browsers()}"
        f'<p class="quiet">{text(_OTHER)}</p>'
        f"{_trace('The program', _program())}"
        f"{_trace('Model files', _models(settings))}"
        f"{_trace('Search index', _index(settings))}"
        f"{_trace('The notebook', _notebook(settings))}"
        f"{_trace('Settings file', _file(settings, is_kept))}"
        f"{_trace('After a sudden stop', _UNFINISHED)}"
        f"{_trace('From fetching it', _PULLED)}"
    )


def _trace(name: str, said: str) -> str:
    return f"<h3>{text(name)}</h3><p>{text(said)}</p>"


def _browsers() -> str:
    return "".join(
        f"<details><summary>{text(name)}</summary>"
        f"<ul>{''.join(f'<li>{text(step)}</li>' for step in steps)}</ul></details>"
        for name, steps in BROWSERS
    )


def _program() -> str:
    folder = _own_folder(Path(assistant.__file__).resolve().parent.parent)
    if folder is not None:
        return (
            f"It lies in the folder {folder}. To remove it, stop it first, delete the "
            "folder and empty the bin."
        )
    return (
        "It was installed among the Python packages. To remove it, stop it first and "
        "run the command “pip uninstall ebb”."
    )


def _own_folder(above: Path) -> Path | None:
    """Give the one folder that holds all of it: a checkout, or one that was carried."""
    if (above / "pyproject.toml").is_file():
        return above
    carried = above.parent.parent  # as ``bundle`` lays it out: <folder>/parts/packages
    return carried if (carried / "parts" / "start.py").is_file() else None


def _models(settings: Settings) -> str:
    return (
        f"They lie in {settings.models_dir}. They are large, and someone who looks for "
        "full disks may find them. Deleting that folder removes them; they can be "
        "fetched again."
    )


def _index(settings: Settings) -> str:
    return (
        f"It lies in {settings.cache_dir} and holds our own texts only, nothing that "
        "you said. “Shut down and clean” below can delete it."
    )


def _notebook(settings: Settings) -> str:
    path = settings.notebook_path
    if not path.is_file():
        return "There is no file of it: it was never turned on, or it was erased."
    return (
        f"It is the file {path}, with an empty one beside it whose name ends in "
        "“.lock”. Nobody can read it without the passphrase, and anybody can see that "
        "it is there. “Erase everything” in My notes removes it; copies in a backup "
        "stay. A damaged one that was put aside has a number at its end."
    )


def _file(settings: Settings, is_kept: bool) -> str:
    if is_kept:
        return (
            f"Your choices are kept in {settings.home / 'settings.toml'}. To remove "
            "them, take away the tick at “Remember these on this computer”."
        )
    return "Your choices on this screen are not written to any file."
