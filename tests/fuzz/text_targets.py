"""Everything that reads what a person says, without a model: shapes, spans, time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant import (
    browse,
    content,
    content_directory,
    content_library,
    content_rules,
    content_texts,
    follow,
    guard,
    language,
    lexical,
    patterns,
    plan,
    refer,
    seek,
    small,
    triage,
)
from assistant.about import is_about_another
from assistant.adapters.memory_index import MemoryIndex
from assistant.adapters.scripted import HashEmbedder
from assistant.content_texts import load_cards
from assistant.domain import (
    Card,
    History,
    Level,
    Message,
    Retrieval,
    Role,
    TriageResult,
    Utterance,
)
from assistant.normalise import PlainText, plain, spoken
from assistant.retrieve import Searcher
from assistant.sentences import split_sentences, split_stretches
from assistant.triage import Hearer
from tests.fuzz.harness import Run, Target
from tests.fuzz.oracles import inside
from tests.fuzz.seeds import sentences

_MOST_CARDS = 3


def _simple(run: Callable[[str], Hashable]) -> Callable[[Path], object]:
    @contextmanager
    def made(folder: Path) -> Iterator[Run]:
        yield run

    return made


def _normalise(text: str) -> Hashable:
    shapes = []
    for shaped in (plain(text), spoken(text)):
        assert len(shaped.text) == len(shaped.offsets), "a character without its place"
        assert list(shaped.offsets) == sorted(shaped.offsets), "places out of order"
        if shaped.text:
            inside([shaped.span(0, len(shaped.text))], text)
        shapes.append(_shape(shaped))
    again = plain(plain(text).text).text
    assert len(again) <= len(plain(text).text), "plain text grows"
    return tuple(shapes)


def _shape(shaped: PlainText) -> tuple[bool, bool, int]:
    text = shaped.text
    return text.isascii(), text == text.strip(), min(5, len(text))


def _sentences(text: str) -> Hashable:
    spans = split_sentences(text)
    if spans:
        inside(spans, text)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    for end, start in zip(ends, starts, strict=True):
        assert end <= start, "sentences overlap"
        assert not text[end:start].strip(), "a character is lost between sentences"
    for span in spans:
        stretches = list(split_stretches(*span))
        inside(stretches, text)
        assert stretches[0][0] == span[0]
        assert stretches[-1][1] == span[1]
    return len(spans)


def _language(text: str) -> Hashable:
    lexical.words(text)
    return (
        language.is_english(text),
        language.has_words(text),
        language.asks_what_it_is(plain(text).text),
    )


@contextmanager
def _place(folder: Path) -> Iterator[Run]:
    directory = content_directory.load(content.content_root())

    def run(text: str) -> Hashable:
        code = directory.places.said_in(text)
        assert code is None or directory.country(code) is not None, "no such country"
        directory.country(text)
        assert directory.places.last_said([text, "", text]) == code
        return code

    yield run


@contextmanager
def _asks(folder: Path) -> Iterator[Run]:
    """Needs, requests with one answer, and turns about the talk itself."""
    root = content.content_root()
    needs = content_rules.load_phrases(root, "needs")
    requests = content_rules.load_phrases(root, "requests")
    turns = content_rules.load_phrases(root, "turns")
    smalls = content_rules.load_phrases(root, "small")
    replies = content_texts.load_replies(root)
    content_rules.compile_all(*needs, *requests, *turns, *smalls)

    def run(text: str) -> Hashable:
        half = len(text) // 2
        talk = History(
            (
                Message(Role.USER, text[:half]),
                Message(Role.ASSISTANT, "What was that like?"),
                Message(Role.USER, text[half:]),
            )
        )
        need = seek.need_of(text, needs)
        assert seek.need_of(text, needs, asked=True) is not None
        about = follow.meant(text, talk, turns)
        assert about in {None, follow.NOT_IT, follow.AGAIN}
        follow.since_correction(talk, turns)
        same = follow.same_again(Utterance(text), talk, turns)
        assert same.text in {text, text[:half], text[half:]}
        rest = follow.corrected(text, talk, turns)
        assert rest is None or rest in text
        planned = plan.make_plan(
            Utterance(text),
            (),
            Retrieval((), True),
            requests,
            small=small.heard(text, smalls),
            pressed=follow.pressed(text, talk, turns, replies),
            about_another=is_about_another(text, talk),
        )
        return need, about, planned.kind, planned.fixed_key

    yield run


@contextmanager
def _search(folder: Path) -> Iterator[Run]:
    library = content_library.load(content.content_root())
    searcher = Searcher(library, HashEmbedder(), MemoryIndex())
    searcher.prepare()
    finder = browse.Finder(library)

    def run(text: str) -> Hashable:
        talk = History((Message(Role.USER, text[:200]),))
        found = searcher.find_passages(Utterance(text), talk)
        for passage in found.passages:
            assert 0 <= passage.score <= 1, "a score beyond its range"
        articles = finder.find(text, found)
        assert len({a.id for a in articles}) == len(articles)
        assert len(finder.find(text, None)) <= browse.MOST_FOUND
        return found.weak, found.passages[0].topic if found.passages else None

    yield run


# --- Danger -------------------------------------------------------------------------


def _agree(result: TriageResult, text: str) -> Hashable:
    """Level, cards and signals of one result go together."""
    inside(((s.start, s.end) for s in result.signals), text)
    assert len(result.cards) <= _MOST_CARDS
    assert len(set(result.cards)) == len(result.cards), "a card stands twice"
    assert bool(result.cards) == (result.level > Level.NONE), "a level without a card"
    assert result.ask not in result.cards, "asked about what is known"
    for signal in result.signals:
        assert signal.level <= result.level, "a signal above the level"
    return result.level, result.cards, result.ask


def _heard_with(hearer: Hearer) -> Run:
    content_rules.compile_all(*hearer.rules.rules)
    cards = load_cards(content.content_root())
    directory = content_directory.load(content.content_root())

    def run(text: str) -> Hashable:
        outcome = _agree(triage.grade(Utterance(text), hearer), text)
        # Cut in two turns, and as a "yes" to a question.
        half = len(text) // 2
        talk = History(
            (
                Message(Role.USER, text[:half]),
                Message(Role.ASSISTANT, cards[Card.SUICIDE].ask),
            ),
            raised=(Card.STALKING,),
        )
        result = triage.grade(Utterance(text[half:]), hearer, talk)
        _agree(result, text[half:])
        offers = refer.offer_cards(result, cards, directory, "GB")
        assert [offer.card for offer in offers] == list(result.cards)
        return outcome

    return run


@contextmanager
def _triage_by_rules(folder: Path) -> Iterator[Run]:
    yield _heard_with(Hearer(content_rules.load_triage(content.content_root())))


@contextmanager
def _triage_by_ear(folder: Path) -> Iterator[Run]:
    from assistant.wiring_rules import load_hearer

    hearer = load_hearer(content.content_root())
    assert hearer.ear is not None, "the ear is missing"
    yield _heard_with(hearer)


@contextmanager
def _patterns(folder: Path) -> Iterator[Run]:
    rules = content_rules.load_phrases(content.content_root(), "patterns")
    content_rules.compile_all(*rules)

    def run(text: str) -> Hashable:
        found = patterns.notice(text, rules)
        inside(((p.start, p.end) for p in found), text)
        scores = [p.score for p in found]
        assert scores == sorted(scores, reverse=True), "weaker before stronger"
        assert all(0 <= score <= 1 for score in scores)
        assert len({p.id for p in found}) == len(found), "a pattern stands twice"
        return tuple(p.id for p in found[:3])

    yield run


def _guard_with(ear: object) -> Callable[[Path], object]:
    @contextmanager
    def made(folder: Path) -> Iterator[Run]:
        from assistant.wiring_rules import load_hearer

        root = content.content_root()
        rules = content_rules.load_phrases(root, "guard")
        content_rules.compile_all(*rules)
        hearer = load_hearer(root) if ear else None

        def run(text: str) -> Hashable:
            said, reply = text[: len(text) // 2], text[len(text) // 2 :]
            found = guard.check(
                reply,
                rules=rules,
                said=said,
                passages=("An urge rises, it peaks, and it passes.",),
                ear=hearer.ear if hearer else None,
                threshold=hearer.limits.guard if hearer and hearer.limits else 1.0,
            )
            inside(((v.start, v.end) for v in found), reply)
            return tuple(sorted({v.rule for v in found}))

        yield run

    return made


def _target(
    name: str, make: object, executions: int, bound_s: float = 0.5, **more: float
) -> Target:
    return Target(name, sentences, make, executions, bound_s=bound_s, **more)  # type: ignore[arg-type]


TARGETS = (
    _target("normalise", _simple(_normalise), 250_000, longest=1_000),
    _target("sentences", _simple(_sentences), 500_000, longest=1_500),
    _target("language", _simple(_language), 350_000, longest=1_500),
    _target("place", _place, 150_000, longest=800),
    _target("asks", _asks, 80_000, longest=500),
    _target("search", _search, 30_000, longest=800),
    _target("triage_rules", _triage_by_rules, 40_000, longest=800),
    _target("triage_ear", _triage_by_ear, 1_500, 2.0, longest=300),
    _target("patterns", _patterns, 40_000, longest=600),
    _target("guard", _guard_with(None), 30_000, longest=600),
    _target("guard_ear", _guard_with("ear"), 1_500, 2.0, longest=200),
)
