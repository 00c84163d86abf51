"""Listening, with a scripted recogniser and a detector that goes by loudness."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from assistant import listen
from assistant.adapters.scripted_speech import EnergyVad, ScriptedStt, recognised
from assistant.domain import Audio, Segment
from assistant.errors import TranscribeError
from assistant.ports import RecognisedSpeech

RATE_HZ = 16_000


def _sound(*parts: tuple[float, float], rate_hz: int = RATE_HZ) -> Audio:
    """A tone of given (seconds, loudness) parts."""
    pieces = []
    for seconds, loudness in parts:
        times = np.arange(round(seconds * rate_hz)) / rate_hz
        pieces.append(loudness * np.sin(2 * np.pi * 300 * times))
    return Audio(np.concatenate(pieces).astype(np.float32), rate_hz)


TWO_TALKS = ((2.0, 0.0), (3.0, 0.2), (5.0, 0.0), (3.0, 0.2), (1.0, 0.0))


def test_where_nobody_speaks_there_is_no_text_and_nothing_is_recognised() -> None:
    stt = ScriptedStt([])
    heard = listen.transcribe(_sound((40, 0.0)), stt, EnergyVad(), language=None)
    assert heard.no_speech
    assert heard.text == ""
    assert heard.language == ""
    assert heard.segments == ()
    assert heard.duration_s == pytest.approx(40)
    assert stt.heard == []


def test_a_recording_without_samples_is_no_speech() -> None:
    heard = listen.transcribe([], ScriptedStt([]), EnergyVad(), language=None)
    assert heard.no_speech
    assert heard.duration_s == 0


def test_words_are_timed_from_the_beginning_of_the_recording() -> None:
    stt = ScriptedStt([recognised("The tea is warm."), recognised("It is late.")])
    heard = listen.transcribe(_sound(*TWO_TALKS), stt, EnergyVad(), language="en")
    assert heard.text == "The tea is warm. It is late."
    assert not heard.no_speech
    first, second = heard.segments
    assert first.start_s == pytest.approx(1.2, abs=0.1)
    assert second.start_s == pytest.approx(9.2, abs=0.1)
    assert second.end_s <= heard.duration_s


def test_times_of_the_recogniser_beyond_the_piece_are_brought_back() -> None:
    late = Segment(1.0, 30.0, "The tea is warm.", False, avg_logprob=-0.1)
    stt = ScriptedStt([RecognisedSpeech((late,), "en", 0.9)])
    heard = listen.transcribe(_sound((3, 0.2)), stt, EnergyVad(), language="en")
    assert heard.segments[0].end_s == pytest.approx(3.0)


@pytest.mark.parametrize("rate_hz", [8_000, 44_100, 48_000])
def test_sound_of_any_rate_reaches_the_recogniser_at_its_own(rate_hz: int) -> None:
    stt = ScriptedStt([recognised("The tea is warm.")])
    sound = _sound((1, 0), (3, 0.2), (1, 0), rate_hz=rate_hz)
    heard = listen.transcribe(sound, stt, EnergyVad(), language="en")
    assert heard.text == "The tea is warm."
    assert heard.duration_s == pytest.approx(5.0, abs=0.01)
    assert stt.heard[0][0] == pytest.approx(4.6, abs=0.1)


def test_the_language_heard_first_is_kept_for_the_rest() -> None:
    stt = ScriptedStt(
        [recognised("Es regnet.", language="de"), recognised("Gut.", language="de")]
    )
    heard = listen.transcribe(_sound(*TWO_TALKS), stt, EnergyVad(), language=None)
    assert [asked for _, asked in stt.heard] == [None, "de"]
    assert heard.language == "de"


def test_a_language_that_is_only_guessed_is_asked_for_again() -> None:
    guess = RecognisedSpeech(recognised("Hm, so.").segments, "cy", 0.3)
    stt = ScriptedStt([guess, recognised("It is late.")])
    heard = listen.transcribe(_sound(*TWO_TALKS), stt, EnergyVad(), language=None)
    assert [asked for _, asked in stt.heard] == [None, None]
    assert heard.language == "en"


def test_a_language_that_was_given_is_always_asked_for() -> None:
    stt = ScriptedStt([recognised("The tea is warm."), recognised("It is late.")])
    listen.transcribe(_sound(*TWO_TALKS), stt, EnergyVad(), language="en-GB")
    assert [asked for _, asked in stt.heard] == ["en-GB", "en-GB"]


def test_japanese_is_put_together_without_spaces() -> None:
    stt = ScriptedStt([recognised("雨です。", "傘です。", language="ja")])
    heard = listen.transcribe(_sound((3, 0.2)), stt, EnergyVad(), language=None)
    assert heard.text == "雨です。傘です。"


def test_a_sound_that_is_no_word_leaves_no_speech() -> None:
    noise = Segment(0, 1, "Choo!", False, avg_logprob=-1.3, no_speech_prob=0.5)
    stt = ScriptedStt([RecognisedSpeech((noise,), "en", 0.4)])
    sound = _sound((1, 0), (0.3, 0.2), (1, 0))
    heard = listen.transcribe(sound, stt, EnergyVad(), language=None)
    assert heard.no_speech
    assert heard.text == ""
    assert heard.language == ""


def test_what_may_be_invented_is_marked_and_stays_in_the_text() -> None:
    stt = ScriptedStt([recognised("Thanks for watching!"), recognised("It is late.")])
    heard = listen.transcribe(_sound(*TWO_TALKS), stt, EnergyVad(), language="en")
    assert [segment.doubtful for segment in heard.segments] == [True, False]
    assert heard.text == "Thanks for watching! It is late."


def test_progress_goes_forward_to_the_end() -> None:
    stt = ScriptedStt([recognised("The tea is warm."), recognised("It is late.")])
    seen: list[float] = []
    listen.transcribe(
        _sound(*TWO_TALKS), stt, EnergyVad(), language="en", on_progress=seen.append
    )
    assert seen[-1] == pytest.approx(14.0)
    assert seen == sorted(seen)


def test_stopping_ends_the_listening_and_keeps_what_was_heard() -> None:
    stt = ScriptedStt([recognised("The tea is warm.")])
    heard = listen.transcribe(
        _sound(*TWO_TALKS),
        stt,
        EnergyVad(),
        language="en",
        stopped=lambda: bool(stt.heard),
    )
    assert heard.text == "The tea is warm."


def test_blocks_are_taken_one_at_a_time() -> None:
    """Listening never asks for sound that it does not need yet: memory is bounded."""
    asked = 0

    def blocks() -> Iterator[Audio]:
        nonlocal asked
        for _ in range(24):
            asked += 1
            yield _sound((5, 0.2))

    class Counting(ScriptedStt):
        def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
            first_call.append(asked)
            return super().transcribe(audio, language=language)

    first_call: list[int] = []
    stt = Counting([recognised("The tea is warm and it is late.")] * 9)
    listen.transcribe(blocks(), stt, EnergyVad(), language="en")
    assert asked == 24
    assert first_call[0] <= 7


def test_a_failing_recogniser_is_not_hidden() -> None:
    with pytest.raises(TranscribeError):
        listen.transcribe(_sound((3, 0.2)), ScriptedStt([]), EnergyVad(), language="en")


def test_nothing_that_was_said_is_in_a_repr() -> None:
    stt = ScriptedStt([recognised("Marzipan marzipan.")])
    heard = listen.transcribe(_sound((3, 0.2)), stt, EnergyVad(), language="en")
    assert "arzipan" not in repr(heard)
