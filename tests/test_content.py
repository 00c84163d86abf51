"""Every file of prompts/ and knowledge/ is valid, and invalid ones are named."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import phonenumbers
import pytest

from assistant import (
    content,
    content_directory,
    content_library,
    content_rules,
    content_texts,
    library_check,
)
from assistant.content_library import Library
from assistant.domain import Card, Level
from assistant.errors import ContentError


def test_every_topic_has_an_article_that_passes_all_checks(library: Library) -> None:
    assert library_check.problems(library) == []


def test_every_article_can_carry_a_conversation(library: Library) -> None:
    for article in library.articles:
        lines = article.lines
        assert len(article.asked_as) >= 10, article.id
        for kind in ("openers", "explanations", "against_shame", "questions"):
            assert len(getattr(lines, kind)) >= 3, (article.id, kind)
        assert all(q.endswith("?") for q in lines.questions), article.id


def test_every_card_has_vetted_text_at_every_level(root: Path) -> None:
    cards = content_texts.load_cards(root)
    assert set(cards) == set(Card)
    for card in cards.values():
        assert set(card.by_level) == {Level.SUPPORT, Level.URGENT, Level.EMERGENCY}
        assert all(card.by_level.values())
        assert set(card.needs) <= set(content_directory.KINDS)
        assert set(card.sources) <= content_library.source_ids(root), card.card


def test_strangulation_always_says_to_be_seen_even_without_marks(root: Path) -> None:
    card = content_texts.load_cards(root)[Card.STRANGULATION]
    for text in card.by_level.values():
        assert "no marks" in text
        assert "doctor" in text


def test_no_phone_number_stands_outside_the_directory(root: Path) -> None:
    number = re.compile(r"\d(?:[\s().-]?\d){4,}")
    dates = re.compile(r"\d{4}-\d{2}-\d{2}")
    paths = [*(root / "prompts").rglob("*.*"), *(root / "knowledge/topics").glob("*")]
    for path in paths:
        assert not number.search(dates.sub("", path.read_text("utf-8"))), path.name


def test_every_number_of_the_directory_is_a_possible_number(root: Path) -> None:
    directory = content_directory.load(root)
    for country in directory.by_country.values():
        assert country.emergency, country.code
        for service in country.services:
            if not service.dial or not service.dial.startswith("+"):
                continue
            number = phonenumbers.parse(service.dial, None)
            assert phonenumbers.is_possible_number(number), service.id


def test_every_service_says_where_it_is_from_and_when_it_was_checked(
    root: Path,
) -> None:
    directory = content_directory.load(root)
    ids = []
    for country in directory.by_country.values():
        for service in country.services:
            ids.append(service.id)
            assert service.sources, service.id
            assert re.fullmatch(r"\d{4}-\d{2}", service.checked), service.id
            assert service.confidence in {"high", "medium", "low"}, service.id
    assert len(ids) == len(set(ids))


def test_the_whole_directory_was_carried_over(root: Path) -> None:
    directory = content_directory.load(root)
    assert len(directory.by_country) >= 62
    assert sum(len(c.services) for c in directory.by_country.values()) >= 309
    assert directory.international
    assert directory.technology


def test_requests_have_an_answer_and_keep_their_examples(root: Path) -> None:
    replies = content_texts.load_replies(root)
    for rule in content_rules.load_phrases(root, "requests"):
        variants = replies.variants(rule.rule)
        assert len(set(variants)) >= 3, rule.rule
        for example in rule.examples:
            assert rule.holds(example.lower()), (rule.id, example)
        for example in rule.counterexamples:
            assert not rule.holds(example.lower()), (rule.id, example)


def test_other_words_are_those_of_a_line_and_are_told_apart(root: Path) -> None:
    replies = content_texts.load_replies(root)
    assert replies.again.keys() <= replies.lines.keys()
    lines = [line for key in replies.lines for line in replies.variants(key)]
    for line in lines:
        assert [other for other in lines if line in other] == [line]
    for key in replies.again:
        first, *others = replies.variants(key)
        assert all(len(other) <= max(len(first), 130) * 1.3 for other in others), key


def test_a_request_is_heard_in_the_middle_of_a_message(root: Path) -> None:
    rules = {r.rule: r for r in content_rules.load_phrases(root, "requests")}
    assert rules["angry_at_me"].holds("this is useless, you're useless")
    assert rules["cannot_act"].holds("i am scared. remind me at nine")


def test_templates_render_and_refuse_other_variables(root: Path) -> None:
    for name in ("restate", "reflect"):
        template = content_texts.load_template(root, name)
        assert "gentle" in template.render_notes(notes="gentle")
        with pytest.raises(ContentError, match=name):
            template.render_notes(notes="x", other="y")
        assert len(template.examples) % 3 == 0


# --- Invalid files are named ---------------------------------------------------------


@dataclass(frozen=True)
class _Sample:
    name: str
    words: tuple[str, ...]
    sure: bool = False


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ({"name": "a"}, "words"),
        ({"name": "a", "words": "b"}, "words"),
        ({"name": 3, "words": []}, "name"),
        ({"name": "a", "words": [1]}, "words"),
        ({"name": "a", "words": [], "extra": 1}, "extra"),
        ({"name": "a", "words": [], "sure": "yes"}, "sure"),
    ],
)
def test_a_wrong_key_or_type_is_named(raw: dict[str, object], named: str) -> None:
    with pytest.raises(ContentError, match=f"sample.toml.*{named}"):
        content.build(_Sample, raw, "sample.toml")


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (content.read_toml, "id = = 3"),
        (content.read_front_matter, "no header"),
        (content.read_front_matter, "+++\nid = \n+++\nbody"),
        (content.read_toml, f"id = {'[' * 5_000}"),
        (content.read_toml, f"id = {'9' * 5_000}"),
        (content.read_front_matter, f"+++\nid = {'[' * 5_000}\n+++\nbody"),
    ],
)
def test_a_broken_file_is_named(
    read: Callable[[Path], object], text: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.md"
    path.write_text(text, "utf-8")
    with pytest.raises(ContentError, match=r"broken\.md"):
        read(path)


def test_an_article_must_cite_what_it_lists(tmp_path: Path, root: Path) -> None:
    original = next((root / "knowledge/topics").glob("*.md"))
    path = tmp_path / original.name
    text = original.read_text("utf-8")
    path.write_text(re.sub(r" \[[a-z0-9, -]+\]", "", text), "utf-8")
    with pytest.raises(ContentError, match="sources"):
        content_library.read_article(path)


def test_every_pattern_of_every_rule_file_compiles(root: Path) -> None:
    count = content_rules.compile_all(*content_rules.load_triage(root).rules)
    for name in ("guard", "patterns", "requests", "needs", "turns", "small"):
        count += content_rules.compile_all(*content_rules.load_phrases(root, name))
    assert count > 1000
    assert all(p.compiled for p in content_rules.load_triage(root).contexts.values())


def test_a_pattern_that_is_not_valid_is_named_by_its_place() -> None:
    pattern = content_rules.compile_pattern("(he", {}, "triage.en.toml: x")
    with pytest.raises(ContentError, match=r"triage\.en\.toml: x"):
        pattern.search("he")


def test_an_unknown_term_in_a_rule_is_named() -> None:
    with pytest.raises(ContentError, match="nobody"):
        content_rules.compile_pattern("<nobody> said", {}, "triage.en.toml: x")
