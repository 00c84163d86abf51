"""Small pieces of HTML, all escaped; the only place where tags meet outside text."""

from __future__ import annotations

from html import escape
from urllib.parse import urlsplit

_LINKS = ("https", "http")


def text(value: str) -> str:
    """Escape a text for use between tags or in a quoted attribute."""
    return escape(value, quote=True)


def lines(value: str) -> str:
    """Escape a person's own words and keep their line breaks."""
    return text(value).replace("\r\n", "\n").replace("\n", "<br>")


def paragraph(value: str | None, css: str = "") -> str:
    """Give a paragraph; nothing where there is no text."""
    if not value:
        return ""
    return f'<p class="{css}">{text(value)}</p>' if css else f"<p>{text(value)}</p>"


def link(address: str) -> str:
    """Show an address as text that can be opened; only web addresses can."""
    shown = text(address)
    if urlsplit(address).scheme not in _LINKS:
        return shown
    return (
        f'<a href="{shown}" target="_blank" rel="noreferrer noopener nofollow">'
        f"{shown}</a>"
    )


def number(value: str, css: str = "number") -> str:
    """Show a number as text with a button that copies it; it never calls."""
    shown = text(value)
    return (
        f'<span class="{css}">{shown}</span> '
        f'<button type="button" class="copy" data-copy="{shown}" '
        f'aria-label="Copy {shown}">Copy</button>'
    )


def row(name: str, value: str) -> str:
    """Give one row of a description list; ``value`` is HTML already."""
    return f"<div><dt>{text(name)}</dt><dd>{value}</dd></div>" if value else ""


def options(pairs: tuple[tuple[str, str], ...], chosen: str | None) -> str:
    """Give the options of a select box."""
    return "".join(
        f'<option value="{text(value)}"{" selected" * (value == (chosen or ""))}>'
        f"{text(label)}</option>"
        for value, label in pairs
    )
