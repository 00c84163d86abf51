"""Where the person says they are: a message → a country, or None. Pure.

"I'm in Dubai now" changes which services are shown. Only a clear sentence about the
present and about oneself counts: "he is in Dubai" and "when I was in Dubai" do not. A
name that lies in several countries changes nothing where one of them is known already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from assistant.normalise import plain

_HERE = (
    r"(?:i'?m|i am|we'?re|we are)(?: (?:now|currently|still|actually|here|back|living|"
    r"staying|based|stuck|alone))* in"
    r"|i (?:now |currently |still )?(?:live|stay|study|work) in"
    r"|we (?:now |currently |still )?(?:live|stay) in"
    r"|(?:i|we)(?:'ve| have)? (?:just )?moved (?:here )?to"
    r"|i(?:'ve| have)? (?:just )?(?:come|came|arrived|landed) (?:back )?(?:to|in)"
    r"|here in"
    r"|(?:help|helpline|hotline|shelter|refuge|services?|number|police|therapist|"
    r"counsell?or|someone|anyone|call|ring) (?:is there |are there )?(?:here )?in"
    r"|(?:calling|writing|typing|texting) (?:you )?from"
)
_THERE = r"(?:the (?:city|state|town|north|south|east|west|middle|centre|center) of )?"
_BEFORE = 24
# "He said I'm in Dubai", "if we moved to Spain": not here, or not now.
_NOT_HERE = re.compile(
    r"\b(?:when|whenever|if|unless|until|once|before|wish|imagine|like|thinks?|thought|"
    r"said|says|told|not|never|dreamt|dreamed) (?:\w+ ){0,2}$"
)
_GONE = re.compile(r"^ (?:last|in (?:19|20)\d\d|years ago|then|at the time)\b")


class Places:
    """Knows the names that people use for countries and large cities."""

    def __init__(
        self, codes: Mapping[str, str], also: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Take names and their countries.

        Args:
            codes: Lower-case name → ISO 3166-1 alpha-2.
            also: Lower-case name → other countries where many live in a place of that
                name. One that is not in ``codes`` never changes the country by itself.
        """
        self._codes = dict(codes)
        self._also = {name: frozenset(others) for name, others in (also or {}).items()}
        longest_first = sorted({*codes, *self._also}, key=len, reverse=True)
        names = "|".join(re.escape(name) for name in longest_first)
        self._said = re.compile(
            rf"\b(?:{_HERE}) {_THERE}(?P<name>{names})(?![\w'])"
            rf"(?:,? (?:in )?(?P<more>{names})(?![\w']))?"
        )

    def said_in(self, text: str, known: str | None = None) -> str | None:
        """Give the country that the text says the person is in; the last one counts.

        Args:
            text: What was said.
            known: The country they chose or said before; ISO 3166-1 alpha-2.
        """
        said = plain(text).text
        found = None
        for match in self._said.finditer(said):
            before = said[max(0, match.start() - _BEFORE) : match.start()]
            if _NOT_HERE.search(before) or _GONE.match(said[match.end() :]):
                continue
            found = self._country(match["name"], match["more"], found or known) or found
        return found

    def last_said(self, texts: Iterable[str], known: str | None = None) -> str | None:
        """Give the country that was said last; texts in their order."""
        found = None
        for text in texts:
            found = self.said_in(text, found or known) or found
        return found

    def _country(self, name: str, more: str | None, known: str | None) -> str | None:
        if more in self._codes:  # "London, Ontario"
            return self._codes[more]
        if known in self._also.get(name, ()):
            return known
        return self._codes.get(name)
