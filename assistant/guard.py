"""Check candidate sentences before anyone sees them.

Most of what a reply must not do is written in
``knowledge/rules/guard.<language>.toml``; what needs counting or comparing is in
``guard_checks.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assistant import guard_checks, hearing
from assistant.content_rules import PhraseRule
from assistant.domain import Violation
from assistant.errors import GuardError
from assistant.guard_checks import Known
from assistant.normalise import PlainText, plain
from assistant.ports import Ear
from assistant.sentences import split_sentences as split_sentences
from assistant.sentences import split_stretches

_NEVER_OVERRULED = frozenset({"method"})
"""What this rule lets pass could cost a life; its phrases always count."""
_SELF_TALK = re.compile(r"""[:"“‘]|(?<!\w)'""")
"""A line offered for silent self-talk follows one of these: «say: I am here»."""


def check(
    text: str,
    *,
    rules: Sequence[PhraseRule],
    said: str = "",
    passages: Sequence[str] = (),
    language: str = "en",
    ear: Ear | None = None,
    threshold: float = 0.5,
    overruled_below: float = 0.0,
) -> tuple[Violation, ...]:
    """Find what a candidate sentence, or a whole reply, must not say.

    Covers: the phrases of the rule file; what the ear hears in meaning; numbers, names
    and studies nobody gave; contacts; repeating the person; other languages; traces of
    the prompt.
    Does not cover: irony, claims in plain words that no passage supports.

    Args:
        text: One sentence or several.
        rules: The guard's rules; see ``load_phrases``.
        said: What the person said; names and numbers in it may be used.
        passages: Texts the reply may draw on.
        language: BCP 47; the language of the reply.
        ear: Hears broken rules in meaning; None means by rules alone.
        threshold: The ear's chance from which a sentence is refused.
        overruled_below: The ear's chance below which the match of a phrase is let
            pass; counting, comparing and ``method`` are never overruled.

    Returns:
        What was found, in the order of the text; at most one place for each rule in
        each sentence. Offsets are characters of ``text``, end exclusive.

    Raises:
        GuardError: If there are no rules. Callers must not show the text.
    """
    if not rules:
        raise GuardError("The guard has no rules; nothing may be shown.")
    known = Known.of(said, passages)
    found: list[Violation] = []
    for start, end in split_sentences(text):
        heard = _hear(text[start:end], ear) if ear is not None else None
        first: dict[str, Violation] = {}
        for at, until in split_stretches(start, end):
            sentence = text[at:until]
            broken = [*guard_checks.find_all(sentence, known, language)]
            phrases = [*_phrases(plain(sentence), rules, known)]
            if heard is not None and heard["any"] < overruled_below:
                phrases = [v for v in phrases if v.rule in _NEVER_OVERRULED]
            for v in (*broken, *phrases):
                first.setdefault(v.rule, Violation(v.rule, v.start + at, v.end + at))
        if not first and heard is not None and heard["any"] >= threshold:
            rule = max(heard.keys() - {"any"}, key=lambda rule: heard[rule])
            first[rule] = Violation(rule, start, end)
        found += first.values()
    return tuple(sorted(found, key=lambda v: (v.start, v.end, v.rule)))


def _phrases(
    sentence: PlainText, rules: Sequence[PhraseRule], known: Known
) -> Iterable[Violation]:
    for rule in rules:
        span = _match(rule, sentence.text, known)
        if span:
            yield Violation(rule.rule, *sentence.span(*span))


def _hear(sentence: str, ear: Ear) -> dict[str, float]:
    """Give the ear's chance for each rule, and for any of them."""
    (heard,) = ear.hear([hearing.CANDIDATE + hearing.plain(sentence)])
    return heard.guard


def _match(rule: PhraseRule, sentence: str, known: Known) -> tuple[int, int] | None:
    """Give where a rule holds first, if it does."""
    hits = [
        hit
        for pattern in rule.patterns
        for hit in pattern.finditer(sentence)
        if hit.end() > hit.start()
    ]
    if not hits or any(pattern.search(sentence) for pattern in rule.unless):
        return None
    return min((h.span() for h in hits if not _excused(rule, h, known)), default=None)


def _excused(rule: PhraseRule, hit: re.Match[str], known: Known) -> bool:
    """Tell whether the words may stand here: given by someone, or self-talk offered."""
    if rule.rule == "ungrounded":
        return known.has_words(hit[0])
    return rule.rule == "echo" and bool(_SELF_TALK.search(hit.string, 0, hit.start()))
