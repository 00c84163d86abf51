"""Tell whether a sentence says only what its note says. Pure.

A small model likes to go on: "…, and texting is a good way to stay in touch". As a
whole such a sentence is still close to its note, so each of its parts is looked at. It
also turns things round: a "not" goes or comes, what is done to someone becomes what
"you" do, a question comes back as a fact, an example of the prompt comes back as such.

Does not cover: a meaning turned round in the note's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from assistant.guard_words import FUNCTION
from assistant.lexical import words

RESTS_ON = 0.75
"""A sentence at least this like its note says what it says. Of some forty sentences of
three models read by eye, faithful ones lay above 0.75 but for one; at 0.74 one had
turned its note round, and from 0.7 down most had strayed."""
PART_RESTS_ON = 0.5
"""The same for a part of a sentence, which is shorter and says less."""

Likeness = Callable[[str, str], float]
_JOINT = re.compile(
    r"[,;:]|\b(?:and|but|so|because|which|while|without|although|though|unless)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:no|not|never|nobody|nothing|none|neither|nor|cannot|without)\b|n['’]t\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_I = re.compile(r"\b(?:I|me|my|mine|myself)\b(?![-.])", re.IGNORECASE)
_HOW_SURE = re.compile(
    r"\b(?:(?:un)?likel(?:y|ier|iest)|always|never|certain(?:ly)?|surely|definitely"
    r"|usually|guaranteed?|prove[ns]?|must)\b",
    re.IGNORECASE,
)
_HARMS = (
    "control|frighten|hit|harm|threaten|punish|abus|manipulat|provok|blam|spy|stalk"
    "|monitor|isolat|belittl|shout"
)
_YOU_DO = re.compile(
    # "You may be controlling", "you can harm", "you can use a phone to follow".
    r"\byou(?:['’]re| are| were| have been| (?:may|might|could|can) (?:also )?be)"
    rf" (?:also )?(?:{_HARMS})\w?ing\b(?! yourself)"
    r"|\byou (?:can|may|might|could|will|would) (?:also )?"
    rf"(?:(?:{_HARMS})e?|hurt|[^.;]{{0,80}} to (?:{_HARMS}|follow|track|hurt)e?)\b"
    r"(?! yourself)"
    r"|\byou(?:['’]re| are| were| (?:can|may|might|could|will) be) [^.;]{0,40}"
    r"\b(?:cruel|violent|abusive|controlling|jealous|dangerous|unkind|harsh)\b",
    re.IGNORECASE,
)
_PARROTED_WORDS = 6
_SHARED = 1 / 3
"""A part that has this share of its words from the note says something of it."""
_FEW_WORDS = 4
"""A part of no more words than this can hardly claim anything."""
_IS_THE_NOTE = 0.97
_EMPTY = FUNCTION | frozenset(
    "sense makes make feel feels feeling way ways thing things part one time "
    "people person someone something sometimes often much really seem seems".split()
)


def rests_on(sentence: str, note: str, said: str, likeness: Likeness) -> bool:
    """Tell whether a sentence, and each part of it, has its ground.

    A part has it where it shares words with the note, is close to it in meaning, or
    only takes up what the person told of themselves.

    Args:
        sentence: What the model wrote.
        note: What it was to put into words.
        said: What the person said in this turn.
        likeness: How close two texts are in meaning; 1 is the same.
    """
    whole = likeness(sentence, note)
    turned = bool(_NEGATED.search(sentence)) != bool(_NEGATED.search(note))
    if whole < RESTS_ON or (turned and whole < _IS_THE_NOTE):
        return False
    return all(
        _takes_up(part, said)
        or _shares(part, note)
        or likeness(part, note) >= PART_RESTS_ON
        for part in _parts(sentence)
    )


def accuses(sentence: str, note: str) -> bool:
    """Tell whether "you" do in a sentence what harms others, and not in the note."""
    return bool(_YOU_DO.search(sentence)) and not _YOU_DO.search(note)


def speaks_of_itself(sentence: str, note: str) -> bool:
    """Tell whether a sentence says "I" where its note does not: whose are the words?"""
    return bool(_I.search(sentence)) and not _I.search(note)


def claims_more(sentence: str, note: str) -> bool:
    """Tell whether a sentence says how likely a thing is where its note does not.

    "It may help more to notice an urge" came back as "you may be more likely to".
    """
    told = {word.lower() for word in _HOW_SURE.findall(note)}
    return any(word.lower() not in told for word in _HOW_SURE.findall(sentence))


def parrots(sentence: str, note: str, examples: Iterable[str]) -> bool:
    """Tell whether a sentence has a run of words from an example of the prompt."""
    ours, theirs = _runs(sentence), _runs(note)
    return any((ours & _runs(example)) - theirs for example in examples)


def _takes_up(part: str, said: str) -> bool:
    own = _stems(part)
    if len(words(part)) <= _FEW_WORDS:
        return True
    if "?" in said or not _YOU.search(part):
        return False  # a question said again is an answer nobody gave
    return len(own & _stems(said)) * 2 >= len(own)


def _shares(part: str, note: str) -> bool:
    own = _stems(part)
    return len(own & _stems(note)) >= _SHARED * len(own)


def _runs(text: str) -> set[tuple[str, ...]]:
    said = words(text.replace("’", "'"))
    length = _PARROTED_WORDS
    return {tuple(said[at : at + length]) for at in range(len(said) - length + 1)}


def _parts(sentence: str) -> Iterator[str]:
    for part in _JOINT.split(sentence):
        if part.strip():
            yield part.strip()


def _stems(text: str) -> set[str]:
    """Give the beginnings of the words that carry meaning."""
    return {
        re.sub(r"(?:ing|ed|es|s|ly|y)$", "", word)[:6]
        for word in words(text.replace("’", "'"))
        if word not in _EMPTY
    }
