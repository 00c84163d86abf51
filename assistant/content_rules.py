"""Read the rules of triage, guard and patterns from ``knowledge/rules/``.

How a pattern is written is said in ``rule_pattern``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from assistant import content
from assistant.domain import About, Card, Level, Time
from assistant.errors import ContentError
from assistant.rule_pattern import Pattern, compile_pattern, without_gaps


@dataclass(frozen=True, slots=True)
class TriageRule:
    """One way in which danger is said."""

    id: str
    card: Card
    level: Level
    asks: bool
    """True where the words are too unsure for a card: ask gently instead."""
    patterns: tuple[Pattern, ...]
    unless: tuple[Pattern, ...]
    """Where one of these is near in the same sentence, the rule does not hold."""
    near: tuple[Pattern, ...]
    """Where there are any, one of these must have been said shortly before."""
    now: Level
    """Level when the words say that it is happening now."""
    past: Level
    """Level when the words say that it is over."""
    negatable: bool
    about: About
    time: Time | None
    sure: bool
    """True where the words alone decide; else the ear must hear something too."""
    why: str
    source: str
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TriageRules:
    """The whole rule file for one language."""

    version: str
    rules: tuple[TriageRule, ...]
    contexts: dict[str, Pattern]
    """What changes a match: negation, fiction, other people, time."""
    asked: dict[Card, Pattern] = field(default_factory=dict)
    """How Ebb's own question about a danger sounds, to understand a "yes"."""
    wanted: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Piece of a word → places in ``rules`` of the rules that can match where it is.

    Every rule is here, at least under the empty piece: a rule none of whose pieces is
    in a sentence need not be tried on it.
    """

    @property
    def sure(self) -> frozenset[str]:
        """Give the ids of the rules that decide alone."""
        return frozenset(rule.id for rule in self.rules if rule.sure)


@dataclass(frozen=True, slots=True)
class PhraseRule:
    """A rule of the guard or of the patterns: phrases that show something."""

    id: str
    rule: str
    patterns: tuple[Pattern, ...]
    unless: tuple[Pattern, ...]
    weight: float
    why: str
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]

    def holds(self, said: str) -> bool:
        """Tell whether a plain text matches, and nothing speaks against it."""
        return any(pattern.search(said) for pattern in self.patterns) and not any(
            pattern.search(said) for pattern in self.unless
        )


def compile_all(*rules: TriageRule | PhraseRule) -> int:
    """Compile every pattern of some rules ahead; gives how many there are.

    Raises:
        ContentError: If one is not valid; names its place.
    """
    patterns = [
        pattern
        for rule in rules
        for pattern in (*rule.patterns, *rule.unless, *getattr(rule, "near", ()))
    ]
    for pattern in patterns:
        _ = pattern.compiled
    return len(patterns)


@cache
def load_triage(root: Path, language: str = "en") -> TriageRules:
    """Read the triage rules: those of a language, then those of all other languages.

    Raises:
        ContentError: If a rule is invalid; names file and rule.
    """
    raw = content.read_toml(_path(root, f"triage.{language}"))
    rules: list[TriageRule] = []
    pieces: list[frozenset[str]] = []
    for name in (f"triage.{language}", "triage.world"):
        path = _path(root, name)
        entries = content.read_toml(path)
        terms = _terms(entries, path.name)
        for entry in content.take(entries, "rule", content.TABLES, path.name):
            rules.append(_triage_rule(entry, terms, path.name))
            pieces.append(_pieces(entry["patterns"], terms, _named(entry, path.name)))
    where = f"triage.{language}.toml"
    _check_ids([rule.id for rule in rules], where)
    terms = _terms(raw, where)
    return TriageRules(
        version=content.take(raw, "version", str, where),
        rules=tuple(rules),
        contexts={
            name: compile_pattern(pattern, terms, f"{where}: context {name}")
            for name, pattern in content.take(
                raw, "context", _PATTERN_TABLE, where
            ).items()
        },
        asked={
            card: compile_pattern(pattern, terms, f"{where}: asked {card}")
            for card, pattern in content.take(
                raw, "asked", dict[Card, str], where, {}
            ).items()
        },
        wanted=_wanted(pieces),
    )


@cache
def load_phrases(root: Path, name: str, language: str = "en") -> tuple[PhraseRule, ...]:
    """Read ``guard`` or ``patterns`` rules.

    Raises:
        ContentError: If a rule is invalid; names file and rule.
    """
    path = _path(root, f"{name}.{language}")
    raw = content.read_toml(path)
    terms = _terms(raw, path.name)
    rules = tuple(
        _phrase_rule(entry, terms, _named(entry, path.name))
        for entry in content.take(raw, "rule", content.TABLES, path.name)
    )
    _check_ids([rule.id for rule in rules], path.name)
    return rules


def _path(root: Path, name: str) -> Path:
    return root / "knowledge" / "rules" / f"{name}.toml"


_PATTERN_TABLE = dict[str, str]
_TEXTS = tuple[str, ...]


def _terms(raw: dict[str, Any], file: str) -> dict[str, str]:
    terms: dict[str, str] = content.take(raw, "terms", _PATTERN_TABLE, file, {})
    return terms


def _named(entry: dict[str, Any], file: str) -> str:
    return f"{file}: {entry.get('id', '?')!s:.60}"


def _level(entry: dict[str, Any], key: str, where: str, default: str) -> Level:
    word = content.take(entry, key, str, where, default)
    try:
        return Level[word.upper()]
    except KeyError:
        raise ContentError(f"{where}: “{key}” is no level.") from None


def _triage_rule(entry: dict[str, Any], terms: dict[str, str], file: str) -> TriageRule:
    where = _named(entry, file)
    _check_keys(entry, set(TriageRule.__slots__) - {"asks"}, where)

    def take(key: str, hint: Any, *default: Any) -> Any:
        return content.take(entry, key, hint, where, *default)

    asks = take("level", str) == "ask"
    level = Level.NONE if asks else _level(entry, "level", where, "")
    return TriageRule(
        id=take("id", str),
        card=take("card", Card),
        level=level,
        asks=asks,
        patterns=_compiled(take("patterns", _TEXTS), terms, where),
        unless=_compiled(take("unless", _TEXTS, ()), terms, where),
        near=_compiled(take("near", _TEXTS, ()), terms, where),
        now=_level(entry, "now", where, level.word),
        past=_level(entry, "past", where, level.word),
        negatable=take("negatable", bool, True),
        about=take("about", About, About.SELF),
        time=take("time", Time, None),
        sure=take("sure", bool, False),
        why=take("why", str),
        source=take("source", str),
        examples=take("examples", _TEXTS),
        counterexamples=take("counterexamples", _TEXTS),
    )


def _phrase_rule(
    entry: dict[str, Any], terms: dict[str, str], where: str
) -> PhraseRule:
    _check_keys(entry, set(PhraseRule.__slots__), where)

    def take(key: str, hint: Any, *default: Any) -> Any:
        return content.take(entry, key, hint, where, *default)

    weight: float = take("weight", float, 1.0)
    if not 0 <= weight <= 1:
        raise ContentError(f"{where}: “weight” must be between 0 and 1.")
    return PhraseRule(
        id=take("id", str),
        rule=take("rule", str),
        patterns=_compiled(take("patterns", _TEXTS), terms, where),
        unless=_compiled(take("unless", _TEXTS, ()), terms, where),
        weight=weight,
        why=take("why", str),
        examples=take("examples", _TEXTS),
        counterexamples=take("counterexamples", _TEXTS),
    )


def _check_keys(entry: dict[str, Any], known: set[str], where: str) -> None:
    if unknown := entry.keys() - known:
        raise ContentError(f"{where}: unknown key {min(unknown)!r:.40}.")


def _compiled(
    patterns: tuple[str, ...], terms: dict[str, str], where: str
) -> tuple[Pattern, ...]:
    return tuple(compile_pattern(pattern, terms, where) for pattern in patterns)


def _check_ids(ids: list[str], file: str) -> None:
    for rule_id in ids:
        if ids.count(rule_id) > 1:
            raise ContentError(f"{file}: “{rule_id:.40}” stands twice.")


# --- Which rules to try at all ------------------------------------------------------
# With hundreds of rules, most of the time would go into patterns that cannot match. So
# for each pattern we work out pieces of words one of which must be in the text.

_TOKEN = re.compile(
    r"\(\?<?[=!]|\(\?:|[()|]|\[\^?[^\]]*\]|\\.|[?*+]\??|\{[\d,]+\}\??|.", re.DOTALL
)
_MAX_PIECES = 200
_SHORTEST_PIECE = 2
_Pieces = frozenset[str] | None
"""Pieces one of which must be there; None where nothing is known."""


def _pieces(
    patterns: list[str], terms: dict[str, str], where: str = ""
) -> frozenset[str]:
    """Give pieces one of which is in every text that one of the patterns matches.

    Raises:
        ContentError: If a bracket is not closed; names the place.
    """
    found: set[str] = set()
    for pattern in patterns:
        spaced = without_gaps(pattern, terms)
        try:
            _, needed = _alternatives([*_TOKEN.findall(spaced), ")"])
        except (IndexError, RecursionError):
            raise ContentError(f"{where}: a pattern is not valid.") from None
        found |= needed or {""}
    return frozenset(found)


def _wanted(pieces: list[frozenset[str]]) -> dict[str, tuple[int, ...]]:
    owners: dict[str, list[int]] = {}
    for place, own in enumerate(pieces):
        for piece in own:
            owners.setdefault(piece, []).append(place)
    return {piece: tuple(places) for piece, places in owners.items()}


def _alternatives(tokens: list[str]) -> tuple[_Pieces, _Pieces]:
    """Read up to the closing bracket: all texts that can stand there; needed pieces.

    The tokens that were read are taken from the list.
    """
    exact: _Pieces = frozenset()
    needed: _Pieces = frozenset()
    while True:
        branch_exact, branch_needed, closing = _sequence(tokens)
        exact = _either(exact, branch_exact)
        needed = _either(needed, branch_needed)
        if closing == ")":
            return exact, needed


def _sequence(tokens: list[str]) -> tuple[_Pieces, _Pieces, str]:
    """Read one branch of alternatives, up to its ``|`` or closing bracket."""
    run: frozenset[str] = frozenset({""})
    whole = True
    best: _Pieces = None
    while (token := tokens.pop(0)) not in {"|", ")"}:
        exact, needed = _item(token, tokens)
        joined = _joined(run, exact)
        if joined is not None:
            run = joined
            continue
        best = _better(_better(best, run), needed)
        # The run ends here; the next one starts with this item, where it is known.
        run = exact if exact is not None else frozenset({""})
        whole = False
    return (run if whole else None), _better(best, run), token


def _item(token: str, tokens: list[str]) -> tuple[_Pieces, _Pieces]:
    """Read one character, set or group, and how often it may stand."""
    exact: _Pieces = None
    needed: _Pieces = None
    if token.startswith("(?") and token != "(?:":
        _alternatives(tokens)
        return frozenset({""}), None  # what only looks around takes no room
    if token in {"^", "$", r"\b"}:
        return frozenset({""}), None
    if token in {"(?:", "("}:
        exact, needed = _alternatives(tokens)
    elif not token.startswith("[") and token not in {".", r"\s", r"\w", r"\d"}:
        exact = frozenset({token.removeprefix("\\")})
    if tokens[0] in {"?", "??"}:
        tokens.pop(0)
        return _either(exact, frozenset({""})), None
    if tokens[0][0] in "*+{":
        times = tokens.pop(0)
        always = times[0] == "+" or (times[0] == "{" and times[1] not in "0,")
        return None, (_better(needed, exact) if always else None)
    return exact, needed


def _either(one: _Pieces, other: _Pieces) -> _Pieces:
    if one is None or other is None or len(one) + len(other) > _MAX_PIECES:
        return None
    return one | other


def _joined(run: frozenset[str], exact: _Pieces) -> _Pieces:
    if exact is None or len(run) * len(exact) > _MAX_PIECES:
        return None
    return frozenset(a + b for a, b in product(run, exact))


def _better(one: _Pieces, other: _Pieces) -> _Pieces:
    """Choose the pieces that are in fewer texts: the longer ones, then the fewer."""
    if not other or min(map(len, other)) < _SHORTEST_PIECE:
        return one
    if one is None:
        return other

    def worth(pieces: frozenset[str]) -> tuple[int, int]:
        return min(4, min(map(len, pieces))), -len(pieces)

    return max(one, other, key=worth)
