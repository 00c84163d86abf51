"""The patterns of rule files: regular expressions with three short forms.

- ``<name>`` stands for a term of the file's ``[terms]`` table;
- a space stands for any white space, `` ?`` for white space or none;
- `` ~ `` stands for up to five words in between, `` ~2 `` for up to two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.errors import ContentError
from assistant.normalise import fold_letters, unwritten

_TERM = re.compile(r"<([a-z_]+)>")
_GAP = re.compile(r" ~([1-9]?) ")
# What may stand in a word: vowel signs of Indian scripts are no \w for Python.
_WORD = r"\w\u0900-\u0963"


class Pattern:
    """A regular expression that is compiled when it is first used.

    There are well over a thousand; compiling all takes seconds, and most commands use
    few. ``compile_all`` does it ahead, in the background and in the tests.
    """

    __slots__ = ("_compiled", "_source", "_where")

    def __init__(self, source: str, where: str) -> None:
        """Take the expression, and the place it is from, for the error."""
        self._source = source
        self._where = where
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """Give the compiled expression.

        Raises:
            ContentError: If it is not valid; names its place.
        """
        if self._compiled is None:
            try:
                self._compiled = re.compile(self._source)
            except (re.error, OverflowError, RecursionError):
                raise ContentError(f"{self._where}: a pattern is not valid.") from None
        return self._compiled

    def search(self, text: str) -> re.Match[str] | None:
        """Find the first match anywhere."""
        return self.compiled.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Match at the beginning."""
        return self.compiled.match(text)

    def sub(self, replacement: str, text: str) -> str:
        """Replace every match."""
        return self.compiled.sub(replacement, text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Find all matches, in order."""
        return self.compiled.finditer(text)


def compile_pattern(pattern: str, terms: dict[str, str], where: str) -> Pattern:
    """Turn a pattern of a rule file into an expression.

    Raises:
        ContentError: If a term is unknown.
    """
    gap = r"[\s,]+(?:[^\s.!?;,]{1,30}[\s,]+){0,%s}?"
    expanded = _expanded(pattern, terms, where)
    expanded = _GAP.sub(lambda match: gap % (match[1] or 5), expanded)
    expanded = expanded.replace(" ?", r"[\s,]*").replace(" ", r"[\s,]+")
    return Pattern(rf"(?<![{_WORD}'])(?:{expanded})(?![{_WORD}])", where)


def without_gaps(pattern: str, terms: dict[str, str]) -> str:
    """Give a pattern with its terms put in and every gap as one white space."""
    return _GAP.sub(r"\\s", _expanded(pattern, terms, "")).replace(" ", r"\s")


def _expanded(pattern: str, terms: dict[str, str], where: str) -> str:
    """Put in the terms, and fold letters as ``normalise.spoken`` folds the text's."""

    def term(match: re.Match[str]) -> str:
        if match[1] not in terms:
            raise ContentError(f"{where}: unknown term <{match[1]}>.")
        return f"(?:{terms[match[1]]})"

    for _ in range(4):  # a term may use terms
        pattern = _TERM.sub(term, pattern)
    return "".join(char for char in fold_letters(pattern) if not unwritten(char))
