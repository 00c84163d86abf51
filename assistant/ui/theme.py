"""Gradio's part of the look: system fonts and the colours of ``static/base.css``.

The colours themselves stand in the style sheet, once, as variables; here Gradio's own
variables are only pointed at them. No font is named that would be fetched.
"""

from __future__ import annotations

from typing import Any

_FONTS = ["ui-sans-serif", "system-ui", "Segoe UI", "sans-serif"]

_COLOURS = {
    "background_fill_primary": "var(--surface)",
    "background_fill_secondary": "var(--paper)",
    "block_background_fill": "transparent",
    "block_border_color": "var(--line)",
    "block_label_background_fill": "transparent",
    "block_label_text_color": "var(--ink)",
    "block_title_text_color": "var(--ink)",
    "body_background_fill": "var(--paper)",
    "body_text_color": "var(--ink)",
    "body_text_color_subdued": "var(--quiet)",
    "border_color_primary": "var(--line)",
    "button_primary_background_fill": "var(--accent)",
    "button_primary_background_fill_hover": "var(--accent-strong)",
    "button_primary_border_color": "var(--accent)",
    "button_primary_text_color": "var(--on-accent)",
    "button_secondary_background_fill": "var(--surface)",
    "button_secondary_background_fill_hover": "var(--hover)",
    "button_secondary_border_color": "var(--line-strong)",
    "button_secondary_text_color": "var(--ink)",
    "input_background_fill": "var(--surface)",
    "input_background_fill_focus": "var(--surface)",
    "input_border_color": "var(--line-strong)",
    "input_border_color_focus": "var(--accent)",
    "input_placeholder_color": "var(--quiet)",
}


def make(gr: Any) -> Any:
    """Give the theme; ``gr`` is Gradio, which only ``talk`` imports."""
    base = gr.themes.Base(font=_FONTS, font_mono=["ui-monospace", "monospace"])
    both = _COLOURS | {f"{name}_dark": value for name, value in _COLOURS.items()}
    known = {name: value for name, value in both.items() if hasattr(base, name)}
    return base.set(**known)
