"""The key of one start: whoever has it may come in, and nobody else.

Made anew at every start, and gone with it. There are three secrets, so that none of
the places where one of them can be seen gives away another: the cookie in the browser,
the address that is shown where the program was started, and the address the browser is
started with, which the system's list of programs may show and which works only once.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Final

ENTER: Final = "/enter/"
"""Below it a key is handed in, and exchanged for the cookie."""


class Key:
    """What lets a browser in, for as long as the program runs."""

    def __init__(self, port: int, *, is_strict: bool) -> None:
        """Make new secrets.

        Args:
            port: Where the page is served; cookies of one computer share a jar, so it
                stands in the cookie's name.
            is_strict: True where only an entering address lets a browser in; False
                where opening the bare address does.
        """
        self.is_strict = is_strict
        self._cookie_name = f"page-{port}"
        self._cookie = secrets.token_urlsafe(32)
        self._shown = secrets.token_urlsafe(32)
        self._once: str | None = secrets.token_urlsafe(32)

    @property
    def path_to_show(self) -> str:
        """The entering address that works as often as it is needed."""
        return f"{ENTER}{self._shown}"

    @property
    def path_to_open(self) -> str:
        """The entering address that works once.

        Raises:
            LookupError: If it has been used.
        """
        if self._once is None:
            raise LookupError("used already")
        return f"{ENTER}{self._once}"

    @property
    def set_cookie(self) -> str:
        """The header that gives a browser the cookie, until it is closed."""
        return f"{self._cookie_name}={self._cookie}; HttpOnly; SameSite=Strict; Path=/"

    def accepts(self, path: str) -> bool:
        """Tell whether a path below ``ENTER`` holds a key; the one for once is used."""
        given = path.removeprefix(ENTER)
        if self._once is not None and _same(given, self._once):
            self._once = None
            return True
        return _same(given, self._shown)

    def is_in(self, cookie_headers: Iterable[str]) -> bool:
        """Tell whether a browser has shown the cookie.

        Another program at another port may put a cookie of the same name beside ours:
        so it is enough that one of them is right.
        """
        for header in cookie_headers:
            for pair in header.split(";"):
                name, _, value = pair.strip().partition("=")
                if name == self._cookie_name and _same(value, self._cookie):
                    return True
        return False


def _same(given: str, secret: str) -> bool:
    """Compare in a time that does not depend on where they differ."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), secret.encode())
