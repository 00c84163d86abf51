"""What the inputs are made of: our own made-up sentences, and odd strings."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import assistant.evaluation

CANARY = "zephyrquartz"
"""A word nobody uses; in an error or a log it would be a leak."""

_SETS = Path(assistant.evaluation.__file__).parent / "sets"
_EVERY = 9
"""So that all sets together give a few hundred sentences."""

ODD_TEXTS = (
    CANARY,
    f" {CANARY} ",
    "",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "\x1b[31m",
    "\x7f",
    "\u200b",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\u202e",
    "\u202a\u2066\u2069\u202c",
    "\u00ad",
    "\ud800",
    "\udfff",
    "\ud83d",
    "😭",
    "👩‍👩‍👧‍👦",
    "🏳️‍⚧️",
    "e\u0301\u0323\u0302" * 3,
    "h\u0336e\u0336",
    "\u0345",
    "ﷺ",
    "ﬃ",
    "İ",
    "ß",
    "ǰ",
    "ᾳ",
    "ŉ",
    "Å",
    "①",
    "Ⅷ",
    "²",
    "٣",
    "৪",
    "१२",
    "。",
    "\u2028",
    "\u2029",
    "\x85",
    "\x0b\x0c\x1c",
    "\u3000",
    "\u00a0",
    "‘’“”«»",
    "\"'\"'\"'",
    "((((((((",
    "[[[[[[[[",
    "{{{{{{{{",
    "]" * 40,
    '{"a":' * 30,
    "[" * 1_200,
    "(" * 3_000,
    "a" * 500,
    "a " * 300,
    "not " * 100,
    "1" * 400,
    "9" * 5_000,
    "-1",
    "0",
    "1e999",
    "NaN",
    "Infinity",
    "null",
    "true",
    "1979-05-27T07:32:00Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "%s%n{0}{x}$name${}",
    "<script>",
    "</p><b>",
    "&amp;&#0;",
    "../../etc/passwd",
    "\\",
    "\\\\u0000",
    "=",
    "#",
    "+++\n",
    "\n## ",
    "i'm in dubai",
    "he hit me",
    "i want to die",
    "no",
    "yes",
    "not",
    "...",
    "e.g. No. 5",
    "https://a.example/x?y=1",
    "07700 900000",
    "a.b@c.example",
)

ODD_BYTES = (
    b"",
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\x00\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\x00\x00\x00\x80",
    b"\x01\x00\x00\x00",
    b"\x00\x00\x00\x01",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\x00\x00\x00\x00\x00\x00\xf0\x7f",
    b"\xed\xa0\x80",
    b"\xc3\x28",
    b"\xef\xbb\xbf",
    b"RIFF",
    b"data",
    b"fmt ",
    b"OggS",
    b"fLaC",
    b"ID3\x04\x00",
    b"moov",
    b"\x1aE\xdf\xa3",
    b"null",
    b'"',
    b"\\ud800",
    b"[" * 1_200,
    b"9" * 5_000,
    b"A" * 300,
    CANARY.encode(),
)


@cache
def sentences() -> tuple[str, ...]:
    """Give some of the made-up sentences that quality is measured on, and odd texts."""
    found = []
    for path in sorted(_SETS.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines()[::_EVERY]:
            record = json.loads(line)
            said = record.get("text") or record.get("query") or ""
            found.append(said)
    strange = [f"he said {odd} and i want to go back" for odd in ODD_TEXTS]
    return (*filter(None, found), *strange, "a" * 5_000, "")
