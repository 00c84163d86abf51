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
from assistant.normalise import plain
from assistant.ports import Ear
from assistant.sentences import split_sentences as split_sentences
from assistant.sentences import split_stretches

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
        first: dict[str, Violation] = {}
        for at, until in split_stretches(start, end):
            for v in _check_sentence(text[at:until], rules, known, language):
                first.setdefault(v.rule, Violation(v.rule, v.start + at, v.end + at))
        if not first and ear is not None:
            rule = _heard(text[start:end], ear, threshold)
            if rule is not None:
                first[rule] = Violation(rule, start, end)
        found += first.values()
    return tuple(sorted(found, key=lambda v: (v.start, v.end, v.rule)))


def _check_sentence(
    sentence: str, rules: Sequence[PhraseRule], known: Known, language: str
) -> Iterable[Violation]:
    plain_sentence = plain(sentence)
    yield from guard_checks.find_all(sentence, known, language)
    for rule in rules:
        span = _match(rule, plain_sentence.text, known)
        if span:
            yield Violation(rule.rule, *plain_sentence.span(*span))


def _heard(sentence: str, ear: Ear, threshold: float) -> str | None:
    """Give the rule that the ear hears broken most, where it is sure enough."""
    (heard,) = ear.hear([hearing.CANDIDATE + hearing.plain(sentence)])
    chances = dict(heard.guard)
    if chances.pop("any") < threshold:
        return None
    return max(chances, key=lambda rule: chances[rule])


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
