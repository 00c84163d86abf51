"""Decide what a turn's reply will be, before any word is generated.

Pure: what was said, what was noticed and found, and what was already shown → ``Plan``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assistant import language
from assistant.content_rules import PhraseRule
from assistant.domain import History, PatternFound, Plan, Retrieval, TurnKind, Utterance
from assistant.normalise import plain

SURE_FROM = 0.6
"""A passage with at least this score is nearly always of the right topic; below it,
lines that fit any turn are said instead of the article's own. See
``docs/measurements.md``."""

MODEL = "model"
"""The part of a reply that the language model writes."""

# Parts name line kinds of an article (or of the generic lines), in reading order.
_PARTS: dict[TurnKind, tuple[str, ...]] = {
    TurnKind.CRAVING: ("craving_openers", MODEL, "against_shame", "craving_steps"),
    TurnKind.QUESTION: ("explanations", MODEL, "questions"),
    # Where help is comes from the directory alone: the model would make places up.
    TurnKind.HELP: ("help_openers", "help_offers", "explanations", "questions"),
    TurnKind.SHAME: ("openers", MODEL, "against_shame", "questions"),
    TurnKind.DOUBT: ("openers", MODEL, "against_shame", "questions"),
    TurnKind.GRIEF: ("openers", MODEL, "small_steps"),
    TurnKind.ANGER: ("anger_openers", MODEL, "anger_questions"),
    TurnKind.PROGRESS: ("progress", MODEL, "questions"),
    TurnKind.SHARING: ("openers", MODEL, "against_shame", "questions"),
    TurnKind.SMALL_TALK: ("small_talk", "first_doors"),
}
_SMALL: dict[str, tuple[TurnKind, tuple[str, ...]]] = {
    "step_taken": (TurnKind.PROGRESS, ("steps_taken", "doors")),
    "step_ahead": (TurnKind.PROGRESS, ("steps_ahead", "come_back")),
    "eased": (TurnKind.PROGRESS, ("eased", "doors")),
    "asked_back": (TurnKind.SMALL_TALK, ("asked_back", "first_doors")),
    "small_words": (TurnKind.SMALL_TALK, ("small_words", "first_doors")),
    "thanked": (TurnKind.SMALL_TALK, ("thanked", "doors")),
    "acknowledged": (TurnKind.SMALL_TALK, ("acknowledged", "doors")),
}
"""What is met in two short lines, by the name that ``small`` gives it."""
_ANGRY = "angry"
_WORRIED = "worried-about-someone"
ASKING = frozenset({"questions", "anger_questions"})
"""Parts that ask: left out where safety is asked about."""
_TO_THEM = "message_back"
"""Fixed answer about words to a partner; what to say to a brother is another thing."""
_UNSURE_SHARING = ("openers", MODEL, "steady", "questions")
_NOTHING_HEARD = ("openers", "steady", "questions")
# Said only where the article surely fits: a note that nearly does would explain a
# success away, or talk beside the services that were asked for.
_NEEDS_FIT = {
    TurnKind.PROGRESS: MODEL,
    TurnKind.ANGER: MODEL,
    TurnKind.HELP: "explanations",
}
_BY_PATTERN = {
    "craving": TurnKind.CRAVING,
    "withdrawal": TurnKind.CRAVING,
    "shame_after_return": TurnKind.SHAME,
    "self_blame": TurnKind.SHAME,
    "self_doubt": TurnKind.DOUBT,
    "gaslighting": TurnKind.DOUBT,
    "grief": TurnKind.GRIEF,
    "boundary_kept": TurnKind.PROGRESS,
    "reaching_out": TurnKind.PROGRESS,
}
_BY_TOPIC = {
    "craving-and-withdrawal": TurnKind.CRAVING,
    "riding-out-an-urge": TurnKind.CRAVING,
    "answering-a-message": TurnKind.CRAVING,
    "shame-after-returning": TurnKind.SHAME,
    "after-a-lapse": TurnKind.SHAME,
    "gaslighting": TurnKind.DOUBT,
    "grief": TurnKind.GRIEF,
    "calling-a-helpline": TurnKind.HELP,
    "finding-a-therapist": TurnKind.HELP,
    "cost-and-access": TurnKind.HELP,
}
_QUOTED = re.compile(r'"[^"\n]{4,}"|(?<![\w\'])\'(?=\w)[^"\n]{4,}?[.!?,\w]\'(?!\w)')
"""Words that somebody else said: what they ask for is not the person's request."""
_IMPERATIVE = re.compile(
    r"^(?:please )?(?:name|list|translate|write|calculate|solve|convert|compare"
    r"|summari[sz]e|recommend|suggest|explain|define|describe) "
)
_NOTE_FROM = 0.5
"""Below this, what an article says is beside what was told more often than not, on
replies read by eye. A question gets it all the same, and is told that it may not
fit."""
_HELP_FROM = 0.75
"""Services are offered to who asks for them, not to who may have."""
_BARE_WORDS = 3
"""A turn of so few words says nothing that an article could surely fit."""
_WORSE = re.compile(r"\b(?:worse|regret\w*|mistake|should(?:n't| not) have|wish i)\b")
# What is only just noticed may be shown as such, but does not turn a whole reply.
_SURE_PATTERN = 0.65
_QUESTION = re.compile(
    r"\?\s*$|^(?:why|what|how|is it|is this|does|do|can|could|when|will|are|am i)\b"
)
# Asked of nobody: what is wanted is company in it, and no answer.
_RHETORICAL = re.compile(
    r"^(?:how come|why) (?:(?:do|does) )?(?:he|she|they) gets? to\b"
    r"|\bhappy now\b|^how (?:could|can|dare) (?:he|she|they)\b"
    r"|^who (?:does|do) (?:he|she|they) think\b|^why (?:is it )?(?:always )?me\b"
    r"|\bwhat (?:have|did) i (?:ever )?(?:do|done) to deserve\b"
)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|good (?:morning|evening|afternoon)|hiya|yo)\b[\s\w,.!]{0,20}$"
)


def make_plan(
    utterance: Utterance,
    patterns: Sequence[PatternFound],
    retrieval: Retrieval,
    requests: Iterable[PhraseRule],
    *,
    seeks_help: bool = False,
    small: str | None = None,
    pressed: str | None = None,
    about_another: bool = False,
) -> Plan:
    """Decide the kind of turn, the passage and the order of the parts.

    Args:
        utterance: What was said; triage has found no urgent danger.
        patterns: What was noticed, strongest first.
        retrieval: What the library has.
        requests: Rules for requests that have one fixed, vetted answer.
        seeks_help: True where the person asks where help is.
        small: The name of a small thing that was heard, see ``small``.
        pressed: The fixed answer that was a no, where the person presses on.
        about_another: True where the talk is plainly not about a partner.
    """
    made = _make_plan(
        plain(utterance.text).text.strip(),
        patterns,
        retrieval,
        [rule for rule in requests if not (about_another and rule.rule == _TO_THEM)],
        seeks_help=seeks_help,
        small=small,
        pressed=pressed,
    )
    if not about_another:
        return made
    parts = made.parts
    if not patterns:
        # Somebody else is missed, or cared about: nothing tells of harm by them.
        parts = tuple("steady" if part == "against_shame" else part for part in parts)
    return replace(made, parts=parts, about_another=True)


def _make_plan(
    text: str,
    patterns: Sequence[PatternFound],
    retrieval: Retrieval,
    requests: Iterable[PhraseRule],
    *,
    seeks_help: bool,
    small: str | None,
    pressed: str | None,
) -> Plan:
    if key := _fixed_request(_own_words(text), requests) or pressed:
        return Plan(TurnKind.FIXED, (), fixed_key=key)
    if small in _SMALL and not seeks_help:
        return Plan(*_SMALL[small])
    if _GREETING.match(text):
        return Plan(TurnKind.SMALL_TALK, _PARTS[TurnKind.SMALL_TALK])
    if retrieval.weak or not retrieval.passages:
        if seeks_help:
            return Plan(TurnKind.HELP, _PARTS[TurnKind.HELP])
        if small == _ANGRY:
            kind = TurnKind.ANGER
            return Plan(kind, _without(MODEL, _PARTS[kind]))
        searched = bool(retrieval.passages)
        return _plan_without_passage(text, patterns, searched=searched)
    passage = retrieval.passages[0]
    sure = passage.score >= SURE_FROM
    kind = _kind(text, patterns, passage.topic, passage.score)
    kind = TurnKind.ANGER if small == _ANGRY else kind
    kind = TurnKind.HELP if seeks_help else kind
    if kind is TurnKind.SHARING and _is_bare(text, patterns, sure=sure):
        return Plan(kind, _without(MODEL, _PARTS[kind]))
    parts = _PARTS[kind]
    if kind is TurnKind.SHARING and not sure and not patterns:
        parts = _UNSURE_SHARING
    if kind is not TurnKind.QUESTION and passage.score < _NOTE_FROM:
        parts = _without(MODEL, parts)
    if not sure and kind is TurnKind.QUESTION:
        parts = ("unsure", *parts)
    if not sure and kind in _NEEDS_FIT:
        parts = _without(_NEEDS_FIT[kind], parts)
    return Plan(
        kind,
        parts,
        passage.article_id,
        passage,
        sure=sure,
        defines=kind is TurnKind.QUESTION and language.asks_what_it_is(text),
    )


def for_a_worried_person(retrieval: Retrieval) -> Retrieval:
    """Keep what is meant for somebody who worries about another; all else is beside."""
    fitting = (p for p in retrieval.passages if p.topic == _WORRIED)
    passages = tuple(fitting)
    return Retrieval(passages, weak=not passages)


def after_correction(made: Plan) -> Plan:
    """Leave out an opener that would stand beside "I took it the wrong way"."""
    generic = {"unsure"} if made.sure else {"unsure", "openers"}
    parts = tuple(part for part in made.parts if part not in generic)
    return replace(made, parts=parts)


def _without(part: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(other for other in parts if other != part)


def _is_bare(text: str, patterns: Sequence[PatternFound], *, sure: bool) -> bool:
    return not sure and not patterns and len(text.split()) <= _BARE_WORDS


def _own_words(text: str) -> str:
    """Leave out what is quoted, unless everything is."""
    own = _QUOTED.sub(" ", text)
    return own if language.has_words(own) else text


def _fixed_request(text: str, requests: Iterable[PhraseRule]) -> str | None:
    return next((rule.rule for rule in requests if rule.holds(text)), None)


def _plan_without_passage(
    text: str, patterns: Sequence[PatternFound], *, searched: bool
) -> Plan:
    """A feeling is met with generic lines; a question is told there is no source.

    Where the library could not be searched at all, nobody can say that it has none.
    """
    if searched and (_asks(text) or _IMPERATIVE.search(text)):
        return Plan(TurnKind.FIXED, (), fixed_key="weak")
    kind = _kind(text, patterns, "", 0.0)
    if kind is TurnKind.SHARING and searched and not patterns:
        # Nothing tells of harm: words about it would be put on whoever is missed.
        return Plan(kind, _NOTHING_HEARD)
    return Plan(kind, _PARTS[kind])


def _kind(
    text: str, patterns: Sequence[PatternFound], topic: str, score: float
) -> TurnKind:
    by_topic = _BY_TOPIC.get(topic)
    if by_topic is TurnKind.HELP:
        if score >= _HELP_FROM:
            return TurnKind.HELP
        by_topic = None
    for pattern in patterns:
        kind = _BY_PATTERN.get(pattern.id)
        if kind is TurnKind.PROGRESS and _unsure_of_it(text):
            continue  # no praise for what hurts, or is only asked about
        if pattern.score >= _SURE_PATTERN and kind:
            return kind
    if _asks(text):
        return TurnKind.QUESTION
    return by_topic or TurnKind.SHARING


def _asks(text: str) -> bool:
    return bool(_QUESTION.search(text)) and not _RHETORICAL.search(text)


def _unsure_of_it(text: str) -> bool:
    return bool(_WORSE.search(text) or _QUESTION.search(text))


class LineChooser:
    """Gives vetted lines without repeating one that this conversation has seen."""

    def __init__(self, history: History, seed: int) -> None:
        """Remember what was shown; the seed turns the order."""
        # The model's notes too: what it has put into words is not new any more.
        told = (*history.messages, *history.context)
        self._seen = "\n".join(message.content for message in told)
        self._used: set[str] = set()
        self._seed = seed

    def choose(self, lines: Sequence[str]) -> str | None:
        """Give the first line that was not shown yet; None when all were."""
        if not lines:
            return None
        start = self._seed % len(lines)
        for line in (*lines[start:], *lines[:start]):
            if line not in self._seen and line not in self._used:
                self._used.add(line)
                return line
        return None
