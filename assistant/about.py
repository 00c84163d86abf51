"""Whom a talk is about: a partner, or plainly somebody else. Pure.

A line about "your partner" is wrong for a mother, a boss or a brother. Only where the
talk names no partner, and somebody else before any "he" or "she", is it about them.
"""

from __future__ import annotations

import re

from assistant.domain import History, Role
from assistant.normalise import plain

_HE = (
    "dad|daddy|father|brother|son|uncle|grandad|grandfather|stepdad|stepfather|nephew"
    "|grandson|father[- ]in[- ]law|brother[- ]in[- ]law|son[- ]in[- ]law"
)
_SHE = (
    "mum|mom|mam|mummy|mother|sister|daughter|aunt|auntie|nan|gran|grandma|stepmum"
    "|stepmom|stepmother|grandmother|niece|mother[- ]in[- ]law|sister[- ]in[- ]law"
)
_ANY = (
    "friend|boss|manager|supervisor|colleague|coworker|co-worker|flatmate|roommate"
    "|housemate|landlord|neighbou?r|cousin|teacher|coach|mate"
)
_SEVERAL = "parents|in-laws|family|friends|colleagues|flatmates|brothers|sisters|kids"
_OTHER = re.compile(
    rf"\b(?:my|our) (?:(?!ex\b)\w+ ){{0,2}}?"
    rf"(?:(?P<several>{_SEVERAL})|(?P<he>{_HE})|(?P<she>{_SHE})|{_ANY})\b"
)
_TIE = (
    "ex|partner|husband|wife|hubby|spouse|boyfriend|girlfriend|bf|gf|fianc[ée]e?|lover"
    "|other half|missus|fella|fellow|bloke|man|woman"
)
_THEIR_TIE = re.compile(
    rf"\b(?:(?P<whose>\w+)'s|his|her|their) (?:new |ex )?(?:{_TIE})\b(?! of)"
)
_PARTNER = re.compile(
    rf"\b(?:my|our|the|an?|this) (?:\w+ ){{0,2}}?"
    rf"(?:{_TIE}|marriage|relationship(?! with))\b"
    r"|\b(?:exes|married|marriage|divorced?|wedding|dating|honeymoon)\b"
)
_THEY = re.compile(r"\b(?:he|she|him|her|his|hers|he's|she's|he'd|she'd)\b")
_SHE_WORD = re.compile(r"\b(?:she|her|hers|she's|she'd)\b")
_HE_WORD = re.compile(r"\b(?:he|him|his|he's|he'd)\b")
# Somebody who only says something about it, or is told, is not whom it is about.
_TOLD = re.compile(r"\b(?:told|tell|telling|ask|asked|call|called|rang|with|to|at) $")
_SAYS = re.compile(
    r"^ (?:\w+ )?(?:says?|said|tells?|told|thinks?|thought|used|calls?|called|gave|came"
    r"|asks?|asked|helps?|helped|knows?|wants? me|believes?|noticed|reckons?)\b"
)
_NAMES_PARTNER = re.compile(
    r"\b(?:partners?|ex|couples?|marriages?|relationships?|husbands?|wife|wives|spouses?"
    r"|lovers?|girlfriend|boyfriend|bond|romance|romantic|break-up|back and forth"
    r"|miss someone|someone who hurts you)\b",
    re.IGNORECASE,
)


def is_about_another(text: str, history: History) -> bool:
    """Tell whether somebody else than a partner is plainly whom the talk is about."""
    said = [m.content for m in history.messages if m.role is Role.USER]
    whole = _THEIR_TIE.sub(
        lambda tie: f"{tie['whose'] or ''} them", plain("\n".join([*said, text])).text
    )
    named = _OTHER.search(whole)
    if named is None or _PARTNER.search(whole):
        return False
    if _THEY.search(whole[: named.start()]):
        return False
    before, after = whole[: named.start()], whole[named.end() :]
    she, he = bool(_SHE_WORD.search(after)), bool(_HE_WORD.search(after))
    # A "he" after "my mother" or "my family" is somebody whom nobody has named.
    if (named["several"] and (she or he)) or (named["she"] and he):
        return False
    if named["he"] and she:
        return False
    if _TOLD.search(before) or _SAYS.match(after):
        return bool((named["she"] and she) or (named["he"] and he))
    return True


def names_partner(line: str) -> bool:
    """Tell whether a line speaks of a partner, or of the bond with one."""
    return bool(_NAMES_PARTNER.search(line))
