"""Gradio's page, dressed: its own scripts marked, foreign addresses out, our parts in.

The bar with the quick exit, the Help panel and the place where the talk is shown are
plain HTML around the Gradio application: they are there before it has loaded, and stay
when it fails.
"""

from __future__ import annotations

import re

from assistant.errors import AssistantError
from assistant.ui.preferences import DEFAULT, Preferences

_FOREIGN_HEAD = re.compile(
    r'<meta\s[^>]*(?:property="og:|name="twitter:)[^>]*/?>'
    r'|<link\s[^>]*(?:rel="manifest"|href="https?:)[^>]*/?>',
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.IGNORECASE | re.DOTALL)
_BODY = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_APP_END = "</gradio-app>"
_FRAME_SCRIPT = "iframeResizer.contentWindow"
"""Sizes the page inside somebody else's; nobody may put it there."""


def dress(
    html: str,
    nonce: str,
    *,
    head: str,
    before: str,
    after: str,
    preferences: Preferences = DEFAULT,
) -> str:
    """Put our parts around Gradio's page.

    Args:
        html: The page as Gradio makes it.
        nonce: Marks the inline scripts that may run.
        head: Goes to the end of the head.
        before: Goes to the start of the body, before the Gradio application.
        after: Follows the Gradio application.
        preferences: How the page is called and looks.

    Raises:
        AssistantError: If this version of Gradio makes a page we do not know.
    """
    html = _FOREIGN_HEAD.sub("", html)
    html = _SCRIPT.sub(lambda found: _marked(found, nonce), html)
    body = _BODY.search(html)
    if body is None or "</head>" not in html or html.count(_APP_END) != 1:
        raise AssistantError("This version of Gradio makes a page Ebb cannot use.")
    html = html[: body.end()] + before + html[body.end() :]
    # Gradio's script sets the title again, from its own settings.
    html = html.replace('"title":"Notes"', f'"title":"{preferences.title}"', 1)
    html = html.replace("<html", f"<html {preferences.attributes}", 1)
    title = f"<title>{preferences.title}</title>"
    html = html.replace("</head>", f"{title}{head}</head>", 1)
    return html.replace(_APP_END, f"{_APP_END}{after}", 1)


def _marked(found: re.Match[str], nonce: str) -> str:
    attributes, code = found.groups()
    if _FRAME_SCRIPT in code:
        return ""
    return f'<script nonce="{nonce}"{attributes}>{code}</script>'
