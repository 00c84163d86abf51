"""``ebb bench`` with scripted models and a clock that the tests move."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant import cli, settings
from assistant.adapters.scripted import ScriptedChat
from assistant.adapters.scripted_speech import EnergyVad, ScriptedVoice
from assistant.content_library import Library
from assistant.domain import Audio, Message, Prompt, Role, Segment
from assistant.errors import InputError, UsageError
from assistant.evaluation import (
    aims,
    bench,
    bench_listening,
    bench_sounds,
    bench_words,
    blocks,
    figures,
    publish,
)
from assistant.pieces import SAMPLE_RATE_HZ
from assistant.pipeline import Pipeline
from assistant.ports import RecognisedSpeech, SpeechToText
from assistant.settings import Settings
from assistant.ui import sound as page_sound
from tests import made_up_results as made_up
from tests.conftest import ROOT

Make = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]
SAID = "I keep reading the old messages at night and I miss him."
OWN = "Reading the old messages at night can feel like a pull."


class Clock:
    """Stands still until somebody sleeps or works."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def time(self) -> bench_listening.Time:
        return bench_listening.Time(self, self.sleep)


# --- Words ---------------------------------------------------------------------------


class SlowChat(ScriptedChat):
    """Takes a while to read, and a while for each piece of text."""

    def __init__(self, clock: Clock, read_s: float, piece_s: float) -> None:
        super().__init__([OWN] * 99)
        self._clock, self._read_s, self._piece_s = clock, read_s, piece_s
        self.seeds: list[int] = []
        self.given = 0

    def stream(self, prompt: Prompt, **options: Any) -> Iterator[str]:
        self.seeds.append(options["seed"])
        deltas = super().stream(prompt, **{"stopped": lambda: False, **options})
        return self._slowly(deltas)

    def _slowly(self, deltas: Iterator[str]) -> Iterator[str]:
        self._clock.now += self._read_s
        for delta in deltas:
            self._clock.now += self._piece_s
            self.given += 1
            yield delta


def _pairs(
    make_pipeline: Make,
    texts: Sequence[tuple[str, str]] = ((SAID, SAID),),
    enough: int = 9,
) -> tuple[list[bench_words.Pair], SlowChat, SlowChat]:
    clock = Clock()
    ours, plain = SlowChat(clock, 0.5, 0.1), SlowChat(clock, 7.9, 0.1)
    pipeline, _ = make_pipeline([])
    timer = bench_words.Timer(replace(pipeline, chat=ours, clock=clock), clock)
    return bench_words.time_pairs(timer, texts, plain, enough), ours, plain


def test_the_plain_call_gets_the_very_prompt_and_seed_that_ebb_composed(
    make_pipeline: Make,
) -> None:
    (pair,), ours, plain = _pairs(make_pipeline)
    assert pair.first.call is not None
    assert plain.prompts == [ours.prompts[0]] == [pair.first.call.prompt]
    assert plain.seeds == [ours.seeds[0]]
    assert ours.prompts[0].messages[-3].content == SAID


def test_the_plain_call_is_stopped_after_as_many_pieces(make_pipeline: Make) -> None:
    (pair,), _, plain = _pairs(make_pipeline)
    assert pair.first.call is not None
    assert plain.given == len(pair.first.call.times_s) > 3


def test_the_second_turn_is_in_the_same_talk(make_pipeline: Make) -> None:
    _, ours, plain = _pairs(make_pipeline)
    said = [message.content for message in ours.prompts[-1].messages]
    assert said.count(SAID) == 2
    assert all(SAID in [m.content for m in p.messages] for p in plain.prompts)
    assert len(plain.prompts) == 1


def test_each_talk_begins_anew_and_both_take_turns(make_pipeline: Make) -> None:
    pairs, ours, plain = _pairs(make_pipeline, [(SAID, "Thank you."), (SAID, SAID)])
    assert len(pairs) == len(plain.prompts) == 2
    users = [m for m in plain.prompts[1].messages if m.content == "Thank you."]
    assert users == []
    assert ours.prompts[0].messages == plain.prompts[1].messages


def test_talks_without_the_model_are_counted_but_are_not_enough(
    make_pipeline: Make,
) -> None:
    fixed = ("", SAID)  # nothing said: a fixed answer
    texts = [fixed, (SAID, SAID), fixed, (SAID, SAID), (SAID, SAID)]
    pairs, _, plain = _pairs(make_pipeline, texts, enough=2)
    assert [pair.plain is not None for pair in pairs] == [False, True, False, True]
    assert len(plain.prompts) == 2
    found = bench_words.figures(pairs)
    assert (found["turns"], found["turns_with_the_model"]) == (4, 2)
    assert found["times_sooner_to_first_words"] > 1


def test_times_speeds_and_ratios_are_those_of_the_clock(make_pipeline: Make) -> None:
    pairs, _, _ = _pairs(make_pipeline)
    found = bench_words.figures(pairs)
    assert found["turns"] == 1
    assert found["first_own_word_ms_median"] == pytest.approx(600)
    assert found["plain_first_words_ms_median"] == pytest.approx(8000)
    assert found["times_sooner_to_first_words"] == pytest.approx(8000 / 600, abs=0.01)
    assert found["tokens_per_s_median"] == pytest.approx(10)
    assert found["plain_tokens_per_s_median"] == pytest.approx(10)
    assert found["decode_speed_share"] == pytest.approx(1)


def test_a_slower_model_of_ours_is_said_to_be_slower() -> None:
    ours, plain = _call(0, 1, 2, 3), _call(0, 4, 4.5, 5)
    turn = bench_words.TurnTimes(bench_words.Timing(), 200, 1000, 3000, ours)
    found = bench_words.figures([bench_words.Pair(turn, plain, turn)])
    assert found["decode_speed_share"] == 0.5
    assert found["times_sooner_to_first_words"] == 4
    assert found["times_sooner_to_first_sentence"] == 20
    assert found["follow_up_first_sentence_ms_median"] == 200
    assert found["follow_up_first_own_sentence_ms_median"] == 3000


def test_what_was_not_measured_is_no_figure_and_never_nought() -> None:
    """A nought would reach every aim that is a longest time."""
    turn = bench_words.TurnTimes(bench_words.Timing(), 200, None, None, None)
    found = bench_words.figures([bench_words.Pair(turn, None, turn)])
    assert found["first_sentence_ms_median"] == 200
    for key in ("own", "plain", "times", "tokens", "share"):
        assert not [name for name in found if key in name]


def test_one_piece_of_text_has_no_speed() -> None:
    assert _call(0, 1).tokens_per_s is None
    assert _call(0).first_ms is None


def _call(begun: float, *times: float) -> bench_words.Call:
    prompt = Prompt((Message(Role.USER, "x"),), "test", "1")
    return bench_words.Call(prompt, 9, 0, begun, list(times))


def test_what_a_person_says_is_in_no_repr_of_a_call() -> None:
    prompt = Prompt((Message(Role.USER, SAID),), "test", "1")
    assert SAID not in repr(bench_words.Call(prompt, 9, 0, 0.0))


def test_the_talks_are_fixed_and_the_first_is_for_warming_up() -> None:
    talks = bench.talks_to_time(8)
    assert talks == bench.talks_to_time(8)
    assert len(talks) == 1 + 3 * 8
    assert len({text for text, _ in talks}) == len(talks)
    everything = bench.talks_to_time(10_000)
    assert len({text for text, _ in everything}) == len(everything)
    assert all(text != follow_up for text, follow_up in talks)


# --- Listening -----------------------------------------------------------------------


class SlowStt(SpeechToText):
    """Takes its time by the clock, and says one word."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self.heard_s: list[float] = []

    def transcribe(self, audio: Audio, *, language: str | None) -> RecognisedSpeech:
        self.heard_s.append(audio.duration_s)
        self._clock.now += self._seconds
        segment = Segment(0.0, audio.duration_s, "word", False)
        return RecognisedSpeech((segment,), "en", 0.99)


def _sound(*parts: tuple[float, float]) -> Audio:
    """Make sound of parts with a length in seconds and a loudness."""
    chance = np.random.default_rng(3)
    samples = np.concatenate(
        [
            loud * chance.choice([-1.0, 1.0], round(length * SAMPLE_RATE_HZ))
            for length, loud in parts
        ]
    )
    return Audio(samples.astype(np.float32), SAMPLE_RATE_HZ)


def _ears(
    clock: Clock, seconds: float, plain_s: float = 0.0
) -> tuple[bench_listening.Ears, SlowStt, list[float]]:
    stt, plain = SlowStt(clock, seconds), []

    def load() -> Callable[[Audio], object]:
        def hear(audio: Audio) -> None:
            plain.append(audio.duration_s)
            clock.now += plain_s

        return hear

    return bench_listening.Ears(stt, EnergyVad(), load), stt, plain


def _speech(*parts: tuple[float, float], onset_s: float) -> bench_sounds.Speech:
    return bench_sounds.Speech(_sound(*parts), onset_s)


def test_a_block_is_there_when_it_was_spoken_and_not_sooner() -> None:
    clock = Clock()
    microphone = bench_listening.Microphone(_sound((1.05, 0.1)), clock.time())
    came = []
    for block in microphone.stream_blocks():
        came.append(clock.now - microphone.begun_s)
        assert block.sample_rate_hz == bench_listening.MICROPHONE_HZ
    assert came == pytest.approx([*np.arange(0.1, 1.01, 0.1), 1.05])


def test_who_works_for_too_long_is_behind_and_catches_up() -> None:
    clock = Clock()
    microphone = bench_listening.Microphone(_sound((5, 0.1)), clock.time())
    blocks_ = microphone.stream_blocks()
    next(blocks_)
    assert not microphone.is_behind()
    clock.now += bench_listening.BEHIND_S + 0.01
    assert microphone.is_behind()
    before = clock.now
    next(blocks_)
    assert clock.now == before  # it was waiting already
    assert not microphone.is_behind()


def test_after_the_end_nothing_more_waits() -> None:
    clock = Clock()
    microphone = bench_listening.Microphone(_sound((0.3, 0.1)), clock.time())
    for _ in microphone.stream_blocks():
        pass
    clock.now += 60
    assert not microphone.is_behind()


def test_the_page_is_behind_at_the_same_amount_of_sound() -> None:
    recorder = (ROOT / "assistant/ui/static/recorder.js").read_text("utf-8")
    assert "const PIECE = 4096;" in recorder
    samples = page_sound._WAITING_PIECES * 4096
    assert samples / bench_listening.MICROPHONE_HZ == bench_listening.BEHIND_S


def test_first_words_are_counted_from_the_first_voice() -> None:
    clock = Clock()
    ears, _, _ = _ears(clock, 0.4)
    speech = _speech((0.3, 0), (5, 0.1), onset_s=0.3)
    waited = bench_listening.time_first_words(speech, ears, clock.time())
    # Looked at half a second after the beginning, and recognised in 0.4 s.
    assert waited == pytest.approx(0.5 + 0.4 - 0.3, abs=0.11)
    # The rest is not waited for.
    assert clock.now < 100 + 1.1


def test_a_slower_recogniser_is_later_with_its_first_words() -> None:
    clock = Clock()
    ears, _, _ = _ears(clock, 3.0)
    speech = _speech((0.3, 0), (5, 0.1), onset_s=0.3)
    waited = bench_listening.time_first_words(speech, ears, clock.time())
    assert waited == pytest.approx(3.2, abs=0.11)


def test_no_words_are_no_figure() -> None:
    clock = Clock()
    ears, _, _ = _ears(clock, 0.4)
    silence = _speech((3, 0), onset_s=0.0)
    assert bench_listening.time_first_words(silence, ears, clock.time()) is None


def test_the_final_text_is_counted_from_the_end_of_the_speech() -> None:
    clock = Clock()
    ears, stt, _ = _ears(clock, 0.25)
    speech = _speech((0.3, 0), (6.2, 0.1), onset_s=0.3)
    waited = bench_listening.time_final(speech, ears, clock.time())
    # The last look at the speech may be under way when it ends.
    assert 0.25 <= waited <= 0.5
    assert stt.heard_s[-1] > stt.heard_s[0]


def test_a_recogniser_that_falls_behind_is_seen_in_the_final_text() -> None:
    clock = Clock()
    ears, _, _ = _ears(clock, 4.0)
    speech = _speech((0.3, 0), (6.2, 0.1), onset_s=0.3)
    assert bench_listening.time_final(speech, ears, clock.time()) >= 4.0


def test_all_of_listening_by_the_clock() -> None:
    clock = Clock()
    ears, _, plain = _ears(clock, 0.5, plain_s=2.0)
    sound = _sound(*[(0.9, 0), (3, 0.1)] * 20)
    found = bench_listening.run(sound, ears, clock.time())
    assert found["live_pieces"] == bench_listening.PIECES
    assert 0.5 < found["live_first_words_s"] < 1.2
    assert 0.4 < found["live_final_s_10"] < 1.2
    assert 0.4 < found["live_final_s_60"] < 1.2
    assert "live_final_s_180" not in found
    assert found["plain_transcribe_s_60"] == 2
    ours = found["transcribe_s_10"] + found["transcribe_s_60"]
    assert found["times_as_fast_as_plain"] == pytest.approx(4 / ours, abs=0.01)
    # Once for warming up; each hears the same recordings.
    assert [round(length / 10) for length in plain] == [1, 1, 6]


def test_only_the_lengths_that_were_asked_for_are_taken() -> None:
    clock = Clock()
    ears, _, _ = _ears(clock, 0.5)
    sound = _sound(*[(0.9, 0), (3, 0.1)] * 4)
    found = bench_listening.run(sound, ears, clock.time(), (12,))
    assert "live_final_s_12" in found
    assert "live_final_s_10" not in found


def test_a_recording_that_is_too_short_has_first_words_alone() -> None:
    clock = Clock()
    ears, _, plain = _ears(clock, 0.5)
    found = bench_listening.run(_sound((0.9, 0), (3, 0.1)), ears, clock.time())
    assert set(found) == {"live_first_words_s", "live_pieces"}
    assert plain == []


# --- Sounds --------------------------------------------------------------------------


def test_a_part_ends_where_a_word_has_ended() -> None:
    sound = _sound((1, 0), (3, 0.1), (1, 0), (3, 0.1), (1, 0), (9, 0.1))
    part = bench_sounds.first_part(sound, EnergyVad(), 10)
    assert part is not None
    assert part.audio.duration_s == pytest.approx(8, abs=0.05)
    assert part.onset_s == pytest.approx(1, abs=0.05)


def test_speech_without_a_pause_is_cut_where_it_is() -> None:
    part = bench_sounds.first_part(_sound((30, 0.1)), EnergyVad(), 10)
    assert part is not None
    assert part.audio.duration_s == 10


def test_what_is_not_there_cannot_be_cut_off() -> None:
    assert bench_sounds.first_part(_sound((9, 0.1)), EnergyVad(), 10) is None
    assert bench_sounds.first_part(_sound((20, 0)), EnergyVad(), 10) is None


def test_utterances_have_different_quiet_before_them() -> None:
    sound = _sound(*[(2, 0), (2, 0.1)] * 6)
    found = bench_sounds.utterances(sound, EnergyVad(), 5)
    assert len(found) == 5
    assert len({round(speech.onset_s, 1) for speech in found}) == 5
    for speech in found:
        assert speech.audio.duration_s - speech.onset_s == pytest.approx(2, abs=0.1)


def test_an_utterance_never_begins_in_the_one_before() -> None:
    sound = _sound((2, 0), *[(2, 0.1), (0.6, 0)] * 6)
    for speech in bench_sounds.utterances(sound, EnergyVad(), 5)[1:]:
        assert speech.onset_s <= 0.65


def test_silence_to_listen_to_is_refused() -> None:
    with pytest.raises(InputError, match="Nobody speaks"):
        bench_sounds.utterances(_sound((5, 0)), EnergyVad(), 3)


def test_the_voice_speaks_sentences_of_many_articles(library: Library) -> None:
    texts = list(bench_sounds.sentences(library))
    assert len(texts) > 100
    first = texts[0]
    assert any(first in p.text for p in library.articles[0].passages)
    assert any(texts[1] in p.text for p in library.articles[1].passages)
    sound = bench_sounds.spoken(texts, ScriptedVoice(22_050), 20)
    assert 20 <= sound.duration_s < 40
    assert sound.sample_rate_hz == SAMPLE_RATE_HZ
    assert len(bench_sounds.utterances(sound, EnergyVad(), 9)) > 1


def test_of_a_recording_no_more_is_read_than_is_needed() -> None:
    def endless() -> Iterator[Audio]:
        while True:
            yield _sound((1, 0.1))

    assert bench_sounds.joined(endless(), at_most_s=3).duration_s == 3


# --- The command ---------------------------------------------------------------------


def test_no_turn_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        bench.run(bench.Request(turns=0), Settings(home=tmp_path), print)


def test_a_missing_recording_is_told_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "nothing.wav"
    assert cli.main(["bench", "--sound", str(missing)]) == InputError.exit_code
    assert "There is no file" in capsys.readouterr().err


AIMS = {
    "first_sentence_ms_median": (2500, False),
    "follow_up_first_sentence_ms_median": (2000, False),
    "decode_speed_share": (0.95, True),
    "times_sooner_to_first_words": (5, True),
    "live_first_words_s": (1.2, False),
    "live_final_s_10": (0.8, False),
    "live_final_s_60": (0.8, False),
    "live_final_s_180": (1.5, False),
    "triage_ms_95": (20, False),
    "triage_3000_words_ms": (400, False),
    "times_as_fast_as_plain": (1.5, True),
}


@pytest.mark.parametrize("key", AIMS)
def test_the_aims_are_those_that_were_set(key: str) -> None:
    aim = aims.find(aims.load(), "bench", key)
    assert aim is not None
    assert (aim.limit, aim.higher_is_better) == AIMS[key]


def test_all_figures_have_a_name_and_come_into_the_documents(
    make_pipeline: Make,
) -> None:
    clock = Clock()
    ears, _, _ = _ears(clock, 0.5, plain_s=2.0)
    heard = bench_listening.run(
        _sound(*[(0.9, 0), (3, 0.1)] * 4), ears, clock.time(), (10,)
    )
    lengths = (*bench_listening.LENGTHS_S, bench_listening.LONG_S)
    record = {
        **made_up.bench(),
        **bench_words.figures(_pairs(make_pipeline)[0]),
        **{
            key.replace("_10", f"_{length}"): value
            for length in lengths
            for key, value in heard.items()
        },
    }
    assert "plain_transcribe_s_180" in record
    known = aims.load()
    for figure in figures.read_figures(record):
        aim = aims.find(known, "bench", figure.key)
        assert aim is not None, figure.key
    text = blocks.suite_figures(publish.merge({}, [record]), "bench")
    assert "so many times sooner than called plainly, median |" in text
    assert "≥ 5: reached" in text
    assert "| ≤ 1.2: reached |" in text


@pytest.mark.weights
@pytest.mark.timeout(1800)  # all of triage's dev half, which a busy computer takes slow
def test_one_turn_beside_the_plain_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the smallest weights, and without a voice: listening says it is left out."""
    (tmp_path / "models").mkdir()
    for name in ("minilm-l6-int8", "smollm2-135m", "whisper-base"):
        place = settings.load().models_dir / name
        (tmp_path / "models" / name).symlink_to(place)
    report = tmp_path / "report"
    arguments = ["bench", "--model", "smollm2-135m", "--turns", "1", "--json"]
    code = cli.main(["--home", str(tmp_path), *arguments, "--report", str(report)])
    out = capsys.readouterr()
    assert code == 0, out.err
    record = json.loads(out.out)
    assert record["turns_with_the_model"] == 1
    # How fast, a busy machine cannot tell; that each was measured, it can.
    for key in (
        "first_own_word_ms_median",
        "plain_first_words_ms_median",
        "tokens_per_s_median",
        "plain_tokens_per_s_median",
        "decode_speed_share",
        "times_sooner_to_first_words",
        "follow_up_first_sentence_ms_median",
    ):
        assert record[key] > 0, key
    assert record["peak_memory_mb"] > 100
    assert "live_first_words_s" not in record
    assert out.err.count("Listening is left out") == 1
    assert "plainly" in (report / "report.html").read_text("utf-8")
    assert json.loads((report / "bench.json").read_text("utf-8")) == record


@pytest.mark.weights
def test_the_plain_model_reads_its_whole_prompt_every_time() -> None:
    from assistant.adapters import llama_chat
    from assistant.adapters.plain_llama import PlainLlama, PlainOptions

    path = settings.load().models_dir / "smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf"
    chat = llama_chat.LlamaChat(path, context_tokens=1024, threads=2)
    options = PlainOptions(
        1024, llama_chat.BATCH_TOKENS, 2, llama_chat.SAMPLING, chat.tokens_of
    )
    plain = PlainLlama(path, options)
    prompt = Prompt((Message(Role.USER, "Say something about the sea."),), "t", "1")
    read: list[int] = []
    for llama in (plain._llama, chat._llama):
        whole = llama.eval
        llama.eval = lambda tokens, whole=whole: (
            read.append(len(tokens)),
            whole(tokens),
        )
    plainly = [_text(plain.stream(prompt, max_tokens=12, seed=3)) for _ in "ab"]
    ours = [
        _text(chat.stream(prompt, max_tokens=12, seed=3, stopped=lambda: False))
        for _ in "ab"
    ]
    # Each generation reads its prompt, then one token at a time.
    prompts = [count for count in read if count > 1]
    assert prompts == [len(chat.tokens_of(prompt))] * 3
    assert {*plainly, *ours} == {plainly[0]}
    plain.close()


def _text(deltas: Iterator[str]) -> str:
    return "".join(deltas)
