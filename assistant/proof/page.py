"""What the pages let a browser load: only what comes from the program itself."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import httpx

from assistant.network import is_local

_LOADS = re.compile(
    r"""<(?:script|img|iframe|link|source|audio|video|object|embed|form|base)\b[^>]*?"""
    r"""\b(?:src|href|data|action)\s*=\s*["']?([^"'\s>]+)""",
    re.IGNORECASE,
)
_ALLOWED = frozenset({"'self'", "'none'", "'unsafe-inline'", "data:"})
_MUST_BE_SET = ("default-src", "frame-ancestors", "form-action", "base-uri")


def foreign(answer: httpx.Response) -> list[str]:
    """Give what a page loads, or may load, from elsewhere; none is what is wanted."""
    found = [
        f"it loads {url}" for url in _LOADS.findall(answer.text) if _leads_out(url)
    ]
    policy = answer.headers.get("content-security-policy", "")
    parts = [part.split() for part in policy.split(";") if part.split()]
    rules = {part[0]: part[1:] for part in parts}
    found += [f"no rule for {name}" for name in _MUST_BE_SET if name not in rules]
    host = answer.url.netloc.decode("ascii")
    for name, sources in rules.items():
        for source in sources:
            own = source in _ALLOWED or source == f"ws://{host}"
            nonce = source.startswith("'nonce-")
            if not own and not nonce:
                found.append(f"{name} allows {source}")
    for cookie in answer.headers.get_list("set-cookie"):
        if not _is_for_this_start_alone(cookie):
            found.append("it sets a cookie that stays, or that others can read")
    if answer.headers.get("cache-control") != "no-store":
        found.append("a browser may store it")
    return found


def _is_for_this_start_alone(cookie: str) -> bool:
    """Tell whether a browser forgets a cookie at its end, and no script sees it."""
    says = {part.partition("=")[0].strip().lower() for part in cookie.split(";")[1:]}
    strict = "samesite=strict" in cookie.lower().replace(" ", "")
    return strict and "httponly" in says and not says & {"expires", "max-age"}


def _leads_out(url: str) -> bool:
    if url.startswith(("data:", "tel:", "sms:", "#")):
        return False
    parts = urlsplit(url)
    return bool(parts.netloc) and not is_local(parts.hostname)
