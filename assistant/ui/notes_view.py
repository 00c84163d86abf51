"""The notes as HTML: the tool that is open, and the notebook below it.

Forms carry what they do in ``data-do``; ``static/notes.js`` sends them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, tzinfo
from typing import Final

from assistant import notebook as notes
from assistant.keeping import Pad, Where
from assistant.notebook import MAX_CHARS, MAX_STRENGTH, Entry, Kind
from assistant.store import MAX_PASSPHRASE_CHARS
from assistant.ui import notes_waves
from assistant.ui import notes_words as words
from assistant.ui.markup import lines, paragraph, text

_FIELD: Final = 'autocomplete="off" autocorrect="off" spellcheck="false"'
_SAID: Final = '<p class="notes-said" role="alert"></p>'


def view(
    pad: Pad,
    kind: Kind,
    find: str = "",
    *,
    now: datetime,
    zone: tzinfo | None = None,
) -> str:
    """Show a tab's notes as they are now.

    Args:
        pad: The tab's notes.
        kind: The tool that is open.
        find: Words to look for, in all tools.
        now: Stands in the form for a new wave.
        zone: For times of day; None takes the computer's.
    """
    where = pad.where
    if where is Where.LOCKED:
        return _locked(pad)
    if find.strip():
        shown = f"{_search(find)}{_tools(None)}{_found(pad, find, zone)}"
    else:
        shown = f"{_tools(kind)}{_tool(pad, kind, now, zone)}{_search()}"
    return f"{_head(where)}{shown}{_notebook(where)}"


# --- The tools ------------------------------------------------------------------------


def _head(where: Where) -> str:
    if where is Where.SITTING:
        return f'<div class="notes-where">{paragraph(words.SITTING)}</div>'
    return (
        f'<div class="notes-where">{paragraph(words.OPEN)}'
        '<button type="button" data-do="lock">Lock it now</button></div>'
    )


def _search(find: str = "") -> str:
    again = (
        '<button type="button" class="plain" data-clear>Show all again</button>'
        if find.strip()
        else ""
    )
    return (
        '<form class="notes-find" data-find role="search">'
        '<label for="notes-find">Look for words in all notes</label>'
        f'<div><input id="notes-find" name="find" type="text" {_FIELD} maxlength="200" '
        f'value="{text(find)}"><button type="submit">Look</button>{again}</div></form>'
    )


def _tools(chosen: Kind | None) -> str:
    items = "".join(
        f'<li><button type="button" data-tool="{kind}"{_current(kind is chosen)}>'
        f"{text(tool.title)}</button></li>"
        for kind, tool in words.TOOLS.items()
    )
    return (
        f'<nav class="notes-tools" aria-label="Kinds of notes"><ul>{items}</ul></nav>'
    )


def _current(is_chosen: bool) -> str:
    return ' aria-current="true"' if is_chosen else ""


def _tool(pad: Pad, kind: Kind, now: datetime, zone: tzinfo | None) -> str:
    tool = words.TOOLS[kind]
    entries = notes.find(pad.notebook, kind=kind)
    waves = notes.waves(pad.notebook) if kind is Kind.WAVE else ()
    form = _new_wave(now.astimezone(zone)) if kind is Kind.WAVE else _new(kind)
    return (
        f'<section class="notes-tool" aria-labelledby="notes-title">'
        f'<h3 id="notes-title" tabindex="-1">{text(tool.title)}</h3>'
        f"{paragraph(tool.intro)}{_caution(tool)}{form}"
        f"{notes_waves.picture(waves, zone) if waves else ''}"
        f"{_list(entries, zone) or paragraph(tool.none_yet, 'quiet')}</section>"
    )


def _found(pad: Pad, find: str, zone: tzinfo | None) -> str:
    entries = notes.find(pad.notebook, find)
    shown = _list(entries, zone, named=True) or paragraph(words.NOTHING_FOUND)
    return (
        '<section class="notes-tool" aria-labelledby="notes-title">'
        '<h3 id="notes-title" tabindex="-1">Found</h3>'
        f"{shown}</section>"
    )


def _caution(tool: words.Tool) -> str:
    if not tool.caution:
        return ""
    return (
        f'<div class="caution">{paragraph(tool.caution)}'
        f'<button type="button" data-help data-need="{text(tool.need)}">'
        "Show services</button></div>"
    )


def _new(kind: Kind) -> str:
    tool = words.TOOLS[kind]
    more = _area("more", tool.more, rows=2) if tool.more else ""
    return (
        f'<form data-do="add" data-kind="{kind}">'
        f"{_area('text', tool.text, hint=tool.hint, rows=3, needed=True)}{more}"
        f'{_SAID}<button type="submit" class="go">Add</button></form>'
    )


def _new_wave(now: datetime) -> str:
    return (
        "<details><summary>Add a wave by hand</summary>"
        '<form data-do="add" data-kind="wave"><div class="notes-row">'
        '<label>When it began <input type="datetime-local" name="started" required '
        f'autocomplete="off" value="{now:%Y-%m-%dT%H:%M}"></label>'
        '<label>How many minutes <input type="number" name="minutes" min="0" '
        'max="1440" step="1" value="20" required autocomplete="off"></label>'
        f"{_strength('peak', 'At its strongest', 7)}"
        f"{_strength('end', 'At the end', 3)}</div>"
        f"{_area('helped', 'What helped, one a line', rows=2)}"
        f"{_area('text', words.TOOLS[Kind.WAVE].text, rows=2)}"
        f'{_SAID}<button type="submit" class="go">Add</button></form></details>'
    )


def _strength(name: str, label: str, chosen: int) -> str:
    options = "".join(
        f"<option{' selected' if n == chosen else ''}>{n}</option>"
        for n in range(MAX_STRENGTH + 1)
    )
    return (
        f'<label>{label} <select name="{name}" autocomplete="off">{options}</select>'
        "</label>"
    )


def _area(
    name: str,
    label: str,
    value: str = "",
    *,
    hint: str = "",
    rows: int,
    needed: bool = False,
) -> str:
    shown = f' <span class="quiet">{text(hint)}</span>' if hint else ""
    # A line break right after the tag is dropped by browsers, so one is put there.
    return (
        f'<label class="notes-field">{text(label)}{shown}'
        f'<textarea name="{name}" rows="{rows}" maxlength="{MAX_CHARS}" {_FIELD}'
        f"{' required' if needed else ''}>\n{text(value)}</textarea></label>"
    )


# --- What is there --------------------------------------------------------------------


def _list(entries: Iterable[Entry], zone: tzinfo | None, *, named: bool = False) -> str:
    items = "".join(f"<li>{_entry(entry, zone, named)}</li>" for entry in entries)
    return f'<ul class="notes-list">{items}</ul>' if items else ""


def _entry(entry: Entry, zone: tzinfo | None, named: bool) -> str:
    kind = f"{words.TOOLS[entry.kind].title}, " if named else ""
    return (
        f'<article class="note"><p class="quiet">{text(kind)}{_when(entry, zone)}</p>'
        f"{_wave_lines(entry)}"
        f"{_own_words(entry.text)}{_own_words(entry.more)}"
        f'<div class="note-acts">{_change(entry)}{_erase(entry)}</div></article>'
    )


def _own_words(value: str) -> str:
    return f"<p>{lines(value)}</p>" if value else ""


def _when(entry: Entry, zone: tzinfo | None) -> str:
    moment = (entry.wave.started if entry.wave else entry.made).astimezone(zone)
    return f"{moment.day} {moment:%B %Y}" + (f", {moment:%H:%M}" if entry.wave else "")


def _wave_lines(entry: Entry) -> str:
    if (wave := entry.wave) is None:
        return ""
    helped = f"Helped: {', '.join(wave.helped)}" if wave.helped else ""
    return f"{paragraph(notes_waves.steps(wave).capitalize())}{paragraph(helped)}"


def _change(entry: Entry) -> str:
    tool = words.TOOLS[entry.kind]
    helped = (
        _area("helped", "What helped, one a line", "\n".join(entry.wave.helped), rows=2)
        if entry.wave
        else ""
    )
    more = _area("more", tool.more, entry.more, rows=2) if tool.more else ""
    is_needed = entry.wave is None
    return (
        '<details name="note-act"><summary>Change</summary>'
        f'<form data-do="edit" data-id="{text(entry.id)}">{helped}'
        f"{_area('text', tool.text, entry.text, rows=3, needed=is_needed)}{more}"
        f'{_SAID}<button type="submit">Keep the change</button></form></details>'
    )


def _erase(entry: Entry) -> str:
    return (
        '<details name="note-act"><summary>Erase</summary>'
        f'<form data-do="erase" data-id="{text(entry.id)}">'
        f"<p>It cannot be brought back.</p>{_SAID}"
        '<button type="submit">Yes, erase this note</button></form></details>'
    )


# --- The notebook ---------------------------------------------------------------------


def _notebook(where: Where) -> str:
    if where is Where.SITTING:
        parts = _turn_on() + _export() + _erase_all(words.ERASE_SITTING)
    else:
        parts = _new_passphrase() + _export() + _erase_all(words.ERASE_NOTEBOOK)
    return (
        '<section class="notes-book" aria-labelledby="notes-book">'
        f'<h3 id="notes-book">The notebook</h3>{parts}</section>'
    )


def _locked(pad: Pad) -> str:
    return (
        f'<div class="notes-where">{paragraph(words.LOCKED)}'
        f"{paragraph(words.ELSEWHERE if pad.is_elsewhere else None)}"
        f"{paragraph(words.WAITING if pad.waiting else None)}</div>"
        f'<form data-do="unlock">{_secret("passphrase", "Your passphrase")}{_show()}'
        f'{_SAID}<button type="submit" class="go">Unlock</button></form>'
        '<section class="notes-book"><details><summary>It will not open</summary>'
        f"{paragraph(words.WILL_NOT_OPEN)}"
        f'<form data-do="aside">{_SAID}<button type="submit">Put the file aside and '
        "begin anew</button></form></details>"
        f"{_erase_all(words.ERASE_NOTEBOOK)}</section>"
    )


def _turn_on() -> str:
    return (
        f"<details><summary>Turn the notebook on</summary>{paragraph(words.TURN_ON)}"
        f"<h4>What it protects</h4>{_points(words.PROTECTS)}"
        f"<h4>What it does not protect from</h4>{_points(words.PROTECTS_NOT)}"
        f'<p class="caution">{text(words.NO_WAY_IN)}</p>'
        f"{paragraph(words.CHOOSE_WORDS)}{paragraph(words.NO_SAVING)}"
        f'<form data-do="on">{_secret("passphrase", "A passphrase")}'
        f"{_secret('again', 'The same once more')}{_show()}{_SAID}"
        '<button type="submit" class="go">Turn it on</button></form></details>'
    )


def _new_passphrase() -> str:
    return (
        "<details><summary>Change the passphrase</summary>"
        f"{paragraph(words.CHOOSE_WORDS)}{paragraph(words.NO_WAY_IN)}"
        f'<form data-do="passphrase">{_secret("old", "The passphrase until now")}'
        f"{_secret('passphrase', 'The new one')}"
        f"{_secret('again', 'The new one once more')}{_show()}{_SAID}"
        '<button type="submit">Change it</button></form></details>'
    )


def _export() -> str:
    return (
        "<details><summary>Save everything as plain text</summary>"
        f'<p class="caution">{text(words.EXPORT)}</p><form data-do="export">{_SAID}'
        '<button type="submit">Yes, save it unprotected</button></form></details>'
    )


def _erase_all(told: str) -> str:
    return (
        "<details><summary>Erase everything</summary>"
        f'<p class="caution">{text(told)}</p><form data-do="erase-all">{_SAID}'
        '<button type="submit">Yes, erase everything</button></form></details>'
    )


def _points(sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{text(sentence)}</li>" for sentence in sentences)
    return f'<ul class="points">{items}</ul>'


def _secret(name: str, label: str) -> str:
    """Give a field for a passphrase.

    Not of the browser's password kind where its letters can be hidden otherwise: for
    that kind a browser offers to keep what was typed.
    """
    return (
        f'<label class="notes-field">{text(label)}<input class="secret" type="text" '
        f'name="{name}" {_FIELD} autocapitalize="off" required '
        f'maxlength="{MAX_PASSPHRASE_CHARS}"></label>'
    )


def _show() -> str:
    return (
        '<label class="notes-show"><input type="checkbox" data-show-secret '
        'autocomplete="off"> Show what I type</label>'
    )
