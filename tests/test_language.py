"""English or not: unsure means English, so that nobody is turned away."""

from __future__ import annotations

import pytest

from assistant import language


@pytest.mark.parametrize(
    "text",
    [
        "i miss him so bad",
        "him dey beat me every day and i no fit talk",
        "he is beating me daily, what to do",
        "idk",
        "café with José was fine",
        "¿why?",
        "123",
        "",
        "my husband he not speak with me two week",
    ],
)
def test_english_of_every_kind_is_english(text: str) -> None:
    assert language.is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "زوجي يضربني كل يوم",
        "मेरा पति मुझे मारता है",
        "estoy muy sola y no quiero volver con el",
        "je ne veux pas rentrer avec lui mais il est gentil",
        "mera pati mujhe bahut karta hai aur main kya karu",
        "он меня бьёт каждый день",
    ],
)
def test_other_languages_are_noticed(text: str) -> None:
    assert not language.is_english(text)


def test_words_are_found_in_any_script() -> None:
    assert language.has_words("…مساعدة")
    assert not language.has_words("🙂 … \x00")


@pytest.mark.parametrize(
    "text",
    [
        "hola, ¿hablas español? quiero contarte algo",
        "¿me entiendes?",
        "já não sei o que é verdade, ele diz sempre não",
    ],
)
def test_marks_and_accents_tell_another_language(text: str) -> None:
    assert not language.is_english(text)


def test_an_accent_alone_tells_nothing() -> None:
    assert language.is_english("my fiancé José left the café and I am alone again")
