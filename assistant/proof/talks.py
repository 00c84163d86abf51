"""What is said in a talk under proof: invented sentences with the word in them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

_CRAVING = "I want to write to {word} again tonight, the pull is so strong."
_QUESTION = "Why do I miss {word} so much when it was like that?"
_QUICK = (
    "{word} had his hands around my throat last night and I could not breathe.",
    "{word} says that he will kill me if I leave.",
    "I do not want to live any more, {word}.",
    "{word} is outside the door right now and he has a knife.",
    "Is there a number in Britain that I can call about {word}?",
    "{word} put a tracker on my phone and follows me to work.",
    "{word} forced me last night though I said no.",
    "hello {word}",
    "How do I bake {word} bread?",
    "Should I leave {word}?",
    "I took too many pills because of {word}.",
    "Ich habe Angst vor {word} und weiß nicht weiter.",
)
_SPOKEN = "My friend {word} says that I keep reading old messages at night."


@dataclass(frozen=True, slots=True)
class Script:
    """One talk: what is written, in order, and what is spoken."""

    written: tuple[str, ...] = field(repr=False)
    spoken: str | None = field(repr=False)
    """None: nothing is spoken in this talk."""


def first(word: str) -> Script:
    """Give the talk with everything in it: a craving, danger, a question, a voice."""
    written = (_CRAVING, _QUICK[0], _QUESTION)
    return Script(tuple(w.format(word=word) for w in written), spoken(word))


def another(word: str, chance: random.Random) -> Script:
    """Give a short talk; one in ten asks the model, one in ten is spoken too."""
    count = chance.randint(1, 3)
    lines = chance.sample(_QUICK, count)
    if chance.random() < 0.1:
        lines.append(chance.choice((_CRAVING, _QUESTION)))
    spoken_words = spoken(word) if chance.random() < 0.1 else None
    written = (_spelled(line.format(word=word), word, chance) for line in lines)
    return Script(tuple(written), spoken_words)


def interrupted(word: str, chance: random.Random) -> str:
    """Give one message, in the middle of whose reply the program is killed."""
    return chance.choice((_CRAVING, _QUESTION, *_QUICK)).format(word=word)


def spoken(word: str) -> str:
    """Give the sentence that is spoken."""
    return _SPOKEN.format(word=word.capitalize())


def _spelled(line: str, word: str, chance: random.Random) -> str:
    spelling = chance.choice((word, word.upper(), word.capitalize()))
    return line.replace(word, spelling)
