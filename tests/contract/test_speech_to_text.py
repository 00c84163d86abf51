"""What every ``SpeechToText`` must do: the stand-in, and the real one (``weights``)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from assistant import listen, settings
from assistant.adapters.audio_files import AudioFiles
from assistant.adapters.scripted_speech import ScriptedStt, recognised
from assistant.domain import Audio
from assistant.errors import AudioError, ModelFileError, UsageError
from assistant.ports import SpeechToText

SPEECH = Path(__file__).parent.parent / "data" / "speech" / "lj001-0002.flac"
SNEEZE = SPEECH.with_name("sneeze.flac")
SENTENCE = "in being comparatively modern"


def _whisper() -> SpeechToText:
    from assistant.adapters.whisper_stt import SttOptions, WhisperStt

    folder = settings.load().models_dir / "whisper-base"
    return WhisperStt(folder, SttOptions(threads=2))


def _scripted() -> SpeechToText:
    return ScriptedStt([recognised(SENTENCE)] * 9)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(_scripted, id="scripted"),
        pytest.param(_whisper, id="whisper", marks=pytest.mark.weights),
    ],
)
def stt(request: pytest.FixtureRequest) -> SpeechToText:
    make: Callable[[], SpeechToText] = request.param
    return make()


def _sound(path: Path) -> Audio:
    blocks = list(AudioFiles().open(path).stream_blocks())
    return Audio(np.concatenate([b.samples for b in blocks]), 16_000)


def _bare(text: str) -> str:
    return text.lower().strip(" .,")


def test_words_language_and_times_are_given(stt: SpeechToText) -> None:
    audio = _sound(SPEECH)
    answer = stt.transcribe(audio, language="en")
    assert _bare(" ".join(s.text for s in answer.segments)) == SENTENCE
    assert answer.language == "en"
    assert 0 < answer.language_prob <= 1
    for segment in answer.segments:
        assert 0 <= segment.start_s <= segment.end_s <= audio.duration_s + 1
        assert segment.avg_logprob < 0
        assert 0 <= segment.no_speech_prob <= 1
        assert not segment.doubtful


def test_without_a_language_it_is_found_out(stt: SpeechToText) -> None:
    assert stt.transcribe(_sound(SPEECH), language=None).language == "en"


def test_the_same_sound_gives_the_same_words(stt: SpeechToText) -> None:
    audio = _sound(SPEECH)
    first, second = (stt.transcribe(audio, language="en") for _ in range(2))
    assert first == second


# --- The real one only ----------------------------------------------------------------


@pytest.fixture(scope="module")
def whisper() -> SpeechToText:
    return _whisper()


@pytest.mark.weights
def test_whisper_refuses_what_is_too_long_or_at_another_rate(
    whisper: SpeechToText,
) -> None:
    silence = np.zeros(30 * 16_000, np.float32)
    with pytest.raises(AudioError):
        whisper.transcribe(Audio(silence, 16_000), language="en")
    with pytest.raises(AudioError):
        whisper.transcribe(Audio(silence[:1000], 48_000), language="en")


@pytest.mark.weights
def test_whisper_says_so_when_it_does_not_know_a_language(
    whisper: SpeechToText,
) -> None:
    with pytest.raises(UsageError, match="language"):
        whisper.transcribe(_sound(SPEECH), language="tlh")


@pytest.mark.weights
@pytest.mark.parametrize("language", ["en-GB", "EN", "en_US"])
def test_whisper_takes_a_language_with_a_region(
    whisper: SpeechToText, language: str
) -> None:
    assert whisper.transcribe(_sound(SPEECH), language=language).language == "en"


@pytest.mark.weights
def test_two_threads_wait_for_each_other(whisper: SpeechToText) -> None:
    texts: list[str] = []

    def work() -> None:
        answer = whisper.transcribe(_sound(SPEECH), language="en")
        texts.append(_bare(answer.segments[0].text))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == [SENTENCE, SENTENCE]


@pytest.mark.weights
def test_a_damaged_or_missing_weight_file_is_named(tmp_path: Path) -> None:
    from assistant.adapters.whisper_stt import WhisperStt

    with pytest.raises(ModelFileError, match=r"model\.bin is missing"):
        WhisperStt(tmp_path)
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(ModelFileError, match="cannot be loaded") as caught:
        WhisperStt(tmp_path)
    assert caught.value.exit_code == 4


def _made_sounds() -> dict[str, np.ndarray]:
    """Ten seconds each of what is heard in a room where nobody speaks."""
    rate = 16_000
    count = 10 * rate
    times = np.arange(count) / rate
    generator = np.random.default_rng(5)
    noise = generator.normal(0, 1, count)
    slow = np.convolve(noise, np.ones(24) / 24, mode="same")
    breathing = slow * np.clip(np.sin(2 * np.pi * times / 4), 0, 1) * 0.1
    keys = np.zeros(count)
    for start in generator.integers(0, count - 400, 60):
        keys[start : start + 400] += noise[:400] * np.exp(-np.arange(400) / 60) * 0.2
    chords = sum(
        np.sin(2 * np.pi * pitch * k * times) / k
        for pitch in (220.0, 277.2, 329.6)
        for k in (1, 2, 3, 4)
    )
    swell = 0.04 * (1 + np.sin(2 * np.pi * 0.7 * times))
    return {
        "silence": np.zeros(count),
        "room": noise * 0.003,
        "rain": (noise - slow) * 0.1,
        "breathing": breathing,
        "keyboard": keys,
        "hum": 0.2 * np.sin(2 * np.pi * 50 * times),
        "music": np.asarray(chords) * swell,
    }


@pytest.mark.weights
@pytest.mark.parametrize("kind", sorted(_made_sounds()))
@pytest.mark.parametrize("language", ["en", "pl", None])
def test_where_nobody_speaks_no_word_is_invented(
    whisper: SpeechToText, kind: str, language: str | None
) -> None:
    from assistant.adapters.silero_vad import SileroVad

    audio = Audio(_made_sounds()[kind].astype(np.float32), 16_000)
    heard = listen.transcribe(audio, whisper, SileroVad(), language=language)
    assert heard.no_speech
    assert heard.text == ""


@pytest.mark.weights
def test_a_sneeze_is_no_word_and_speech_after_it_is_heard(
    whisper: SpeechToText,
) -> None:
    from assistant.adapters.silero_vad import SileroVad

    sneeze, speech = _sound(SNEEZE), _sound(SPEECH)
    alone = listen.transcribe(sneeze, whisper, SileroVad(), language="en")
    assert alone.no_speech
    heard = listen.transcribe([sneeze, speech], whisper, SileroVad(), language="en")
    assert _bare(heard.text).endswith(SENTENCE)


TALK = (
    "The kettle is on the stove.",
    "My sister came by with a basket of apples.",
    "We walked along the river until it was dark.",
    "The dog ran ahead and waited at the bridge.",
    "In the evening we played cards and listened to the radio.",
    "Nobody won, because we had lost count.",
    "Tomorrow I want to paint the garden fence.",
    "There is some green paint left in the cellar.",
    "The brushes are old, but they still work.",
    "If it rains, I will bake bread instead.",
    "The neighbours have asked for the recipe.",
    "It takes flour, water, salt and a long night.",
)


@pytest.fixture(scope="module")
def talk() -> list[Audio]:
    """Invented sentences, spoken by the project's own voice."""
    from assistant.adapters.piper_tts import PiperTts

    folder = settings.load().models_dir / "en_US-joe-medium"
    voice = PiperTts(folder / "en_US-joe-medium.onnx")
    return [sound for sentence in TALK for sound in voice.speak(sentence)]


@pytest.mark.weights
@pytest.mark.parametrize("seconds", [28.0, 29.0, 30.0, 31.0, 32.0])
def test_around_thirty_seconds_no_sentence_is_added_or_lost(
    whisper: SpeechToText, talk: list[Audio], seconds: float
) -> None:
    """Whisper alone invents an ending for about every second clip of 30 to 32 s."""
    import jiwer

    from assistant.adapters.silero_vad import SileroVad
    from assistant.evaluation.spoken_form import spoken_form

    rate_hz = talk[0].sample_rate_hz
    lengths_s = np.cumsum([sound.duration_s for sound in talk])
    count = int(np.searchsorted(lengths_s, seconds - 1))
    pause_s = (seconds - lengths_s[count - 1]) / count
    pause = np.zeros(round(pause_s * rate_hz), np.float32)
    parts = [part for sound in talk[:count] for part in (sound.samples, pause)]
    audio = Audio(np.concatenate(parts), rate_hz)
    assert audio.duration_s == pytest.approx(seconds, abs=0.1)

    heard = listen.transcribe(audio, whisper, SileroVad(), language="en")
    said = spoken_form(" ".join(TALK[:count]))
    result = jiwer.process_words(said, spoken_form(heard.text))
    assert result.wer < 0.1
    assert result.insertions <= 2
    assert result.deletions <= 2
