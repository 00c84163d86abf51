"""Which recognised words are believed, marked, or not taken for words."""

from __future__ import annotations

import pytest

from assistant.domain import Segment
from assistant.doubt import judge


def _segment(text: str, logprob: float = -0.3, silent: float = 0.05) -> Segment:
    return Segment(0.0, 2.0, text, False, avg_logprob=logprob, no_speech_prob=silent)


@pytest.mark.parametrize(
    ("text", "voiced_s"),
    [
        ("The kettle is on and the window is open.", 2.5),
        ("No. No, no, not today.", 1.5),
        ("Yes.", 0.3),
        ("おはようございます。", 1.2),
        ("It rained, and it rained again, so we stayed in.", 3.0),
    ],
)
def test_plain_speech_is_believed(text: str, voiced_s: float) -> None:
    (kept,) = judge([_segment(text)], voiced_s)
    assert kept.text == text
    assert not kept.doubtful


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for watching!",
        "Thank you so much for watching. See you in the next video.",
        "Please subscribe to my channel.",
        "Subtitles by the Amara.org community",
        "Sous-titrage Société Radio-Canada",
        "Untertitelung des ZDF, 2020",
        "Subtítulos realizados por la comunidad",
        "Napisy stworzone przez społeczność",
        "Субтитры сделал кто-то",
        "字幕由社区提供",
        "ご視聴ありがとうございました",
    ],
)
def test_a_credit_line_is_marked_and_kept(text: str) -> None:
    (kept,) = judge([_segment(text)], voiced_s=2.5)
    assert kept.text == text
    assert kept.doubtful


@pytest.mark.parametrize(
    "text",
    [
        "and then and then and then and then and then",
        "I went to the shop. " * 8,
        "no " * 20,
        "AAAAAAAAAAAAAAAA",
        "la" * 60,
    ],
)
def test_a_loop_is_marked_and_kept_however_sure_it_sounded(text: str) -> None:
    (kept,) = judge([_segment(text, logprob=-0.05)], voiced_s=6.0)
    assert kept.text == text
    assert kept.doubtful


def test_a_loop_over_several_segments_is_marked() -> None:
    kept = judge([_segment("Here we are.") for _ in range(5)], voiced_s=6.0)
    assert len(kept) == 5
    assert all(segment.doubtful for segment in kept)


@pytest.mark.parametrize(("logprob", "silent"), [(-1.2, 0.1), (-0.5, 0.7)])
def test_words_that_the_recogniser_was_unsure_of_are_marked(
    logprob: float, silent: float
) -> None:
    (kept,) = judge([_segment("The garden is green.", logprob, silent)], voiced_s=2.0)
    assert kept.doubtful


@pytest.mark.parametrize(
    ("text", "voiced_s"),
    [
        ("A great many words that nobody could say in so short a time at all.", 1.2),
        ("Oh.", 9.0),
    ],
    ids=["too many", "too few"],
)
def test_words_that_do_not_fit_the_time_are_marked(text: str, voiced_s: float) -> None:
    (kept,) = judge([_segment(text)], voiced_s)
    assert kept.doubtful


@pytest.mark.parametrize(
    ("text", "logprob", "silent", "voiced_s"),
    [
        ("Choo!", -0.84, 0.40, 0.2),
        ("I'm sorry.", -1.58, 0.75, 0.4),
        ("No, no, no, no, no, no, no, no, no", -0.17, 0.52, 0.3),
        ("AHHHHHHHHHHHHHHHHH", -0.21, 0.38, 0.5),
        ("Good evening.", -0.2, 0.05, 0.03),
        ("You are going to be able to see the whole of it", -0.6, 0.3, 0.2),
    ],
)
def test_hardly_any_voice_and_an_unsure_answer_mean_that_nobody_spoke(
    text: str, logprob: float, silent: float, voiced_s: float
) -> None:
    assert judge([_segment(text, logprob, silent)], voiced_s) == ()


def test_sure_words_are_kept_where_the_detector_heard_only_a_part_of_them() -> None:
    """It hears half a second of some shouted sentences of two seconds."""
    (kept,) = judge([_segment("Close the window, it rains!", -0.23, 0.05)], 0.54)
    assert not kept.doubtful


def test_long_silence_in_the_recognisers_own_view_means_that_nobody_spoke() -> None:
    assert judge([_segment("So.", logprob=-1.4, silent=0.8)], voiced_s=3.0) == ()


def test_with_a_clear_voice_nothing_is_deleted_for_low_confidence() -> None:
    (kept,) = judge([_segment("Something mumbled.", -1.8, 0.3)], voiced_s=3.0)
    assert kept.doubtful


@pytest.mark.parametrize("text", ["", "...", "♪ ♪", " — "])
def test_signs_without_a_word_are_no_text(text: str) -> None:
    assert judge([_segment(text)], voiced_s=3.0) == ()


@pytest.mark.parametrize("text", ["Thank you.", "you", "Bye-bye."])
def test_a_filler_is_marked_only_where_the_voice_was_weak(text: str) -> None:
    (weak,) = judge([_segment(text)], voiced_s=0.4)
    (clear,) = judge([_segment(text)], voiced_s=1.4)
    assert weak.doubtful
    assert not clear.doubtful
