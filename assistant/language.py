"""Tell whether a text is English, without a model: scripts and very common words."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# Words that are common in English and in one of the others are in neither list.
_ENGLISH = frozenset(
    """about after again all am an and any are at back be because been but by can
    can't could day dey did do does don't dont down even every feel for from
    get go going had has have he her here him home how i i'm if im in into is
    it it's its just know last like love make miss more my need never night
    not now of off one only or other our out over people really said say says
    she should so some still stop tell than that the their them then there
    they thing think this to told too u up us want was way we were what when
    where who why will with without would wan yes you your
    """.split()
)
_OTHERS = frozenset(
    """que de la el los las una por para con pero como estoy tengo quiero muy
    hola hablas habla puedes necesito algo contarte esto
    cuando porque mi yo ella ya y nunca siempre desde hace hasta todo nada
    marido esposo novio hijos miedo sola solo je ne pas suis le les des est
    mais avec pour dans il elle j'ai c'est une qui moi mon mari ich nicht und
    das ist mein mich aber auch wie der die ana mish ala fi min huwa hiya
    wallah ya3ni zawji jawzi mujhe hai nahi nahin hoon mera meri mere woh wo
    aur kya bahut karta karte raha rahi rahe hota ek bhi mein hain uska pati
    maarta marta shohar
    """.split()
)
_ENOUGH_WORDS = 4
_BORROWED = frozenset(
    "fiancé fiancée café naïve cliché déjà touché exposé blasé".split()
)
"""English words that are written with an accent."""
_SPANISH_MARKS = "¿¡"


def is_english(text: str) -> bool:
    """Tell whether a text is English as far as can be told; unsure means yes."""
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return True
    latin = sum(_is_latin(char) for char in letters[:2000])
    if latin < 0.6 * min(len(letters), 2000):
        return False
    words = [word.lower() for word in _WORD.findall(text.replace("’", "'"))][:400]
    if any(mark in text for mark in _SPANISH_MARKS) and not _any_english(words):
        return False
    if len(words) < _ENOUGH_WORDS:
        return True
    english = sum(word in _ENGLISH for word in words)
    others = sum(word in _OTHERS or _is_accented(word) for word in words)
    return others < 2 or others <= english


def _any_english(words: list[str]) -> bool:
    return any(word in _ENGLISH for word in words)


def _is_accented(word: str) -> bool:
    return not word.isascii() and word not in _BORROWED


def has_words(text: str) -> bool:
    """Tell whether there is any word in a text, in any script."""
    return any(char.isalnum() for char in text)


def _is_latin(char: str) -> bool:
    return char.isascii() or unicodedata.name(char, "").startswith("LATIN")


_DEFINES = re.compile(
    r"^(?:(?:so|hi|hello|ok|and|but)[ ,]+)?(?:what(?:'s| is| are| exactly is| does it "
    r"mean when)|what do (?:you|people) mean by|tell me (?:about|what)|define|explain|"
    r"what does .{3,40} mean)\b"
)


def asks_what_it_is(text: str) -> bool:
    """Tell whether a question asks for what a word or a thing means."""
    return bool(_DEFINES.search(text))
