"""A talk remembers, can be stopped and wiped, and never mixes with another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.adapters.scripted import ScriptedChat
from assistant.domain import (
    Card,
)
from assistant.events import (
    SentenceReleased,
    TurnEnded,
)
from assistant.pipeline import Pipeline
from assistant.talk import Talk

Make = Callable[[Sequence[str]], tuple[Pipeline, ScriptedChat]]
PLAIN = "he was lovely all weekend and then he did not speak to me for days"
MORE = "and then on monday he went quiet about the dishes"


def _talk(pipeline: Pipeline) -> Talk:
    return Talk(lambda: pipeline, lambda: 1)


def _say(talk: Talk, text: str) -> list[str]:
    events = list(talk.say(text, country="GB"))
    assert isinstance(events[-1], TurnEnded)
    return [e.sentence.text for e in events if isinstance(e, SentenceReleased)]


def test_the_model_reads_the_turns_before(make_pipeline: Make) -> None:
    pipeline, chat = make_pipeline(["It is hard.", "It is hard.", "It is so."] * 2)
    talk = _talk(pipeline)
    _say(talk, PLAIN)
    _say(talk, MORE)
    assert any(PLAIN in m.content for m in chat.prompts[-1].messages)


def test_no_line_is_said_twice_in_a_talk(make_pipeline: Make) -> None:
    pipeline, _ = make_pipeline(["Stray words about bread."] * 40)
    talk = _talk(pipeline)
    said = [line for _ in range(5) for line in _say(talk, PLAIN)]
    assert len(said) == len(set(said))


def test_a_turn_with_danger_is_not_read_by_the_model_later(
    make_pipeline: Make,
) -> None:
    pipeline, chat = make_pipeline(["It is hard."] * 4)
    talk = _talk(pipeline)
    _say(talk, "I want to kill myself")
    _say(talk, "the weather was grey")
    _say(talk, "the bus was late again")
    _say(talk, PLAIN)
    assert chat.prompts
    for prompt in chat.prompts:
        assert not any("kill myself" in m.content for m in prompt.messages)


def test_a_raised_card_stays_until_it_is_put_aside(make_pipeline: Make) -> None:
    pipeline, _ = make_pipeline(["It is hard."] * 4)
    talk = _talk(pipeline)
    _say(talk, "I want to kill myself")
    _say(talk, "never mind, what a grey day")
    assert Card.SUICIDE in talk.raised
    talk.put_aside(Card.SUICIDE)
    assert Card.SUICIDE not in talk.raised


def test_a_wiped_talk_knows_nothing(make_pipeline: Make) -> None:
    pipeline, chat = make_pipeline(["It is hard."] * 4)
    talk = _talk(pipeline)
    _say(talk, PLAIN)
    talk.wipe()
    _say(talk, MORE)
    assert talk.raised == ()
    assert not any(PLAIN in m.content for m in chat.prompts[-1].messages)


def test_wiping_in_the_middle_of_a_reply_keeps_nothing_of_it(
    make_pipeline: Make,
) -> None:
    pipeline, chat = make_pipeline(["It is hard."] * 4)
    talk = _talk(pipeline)
    for event in talk.say(PLAIN):
        if isinstance(event, SentenceReleased):
            talk.wipe()
    _say(talk, MORE)
    assert not any(PLAIN in m.content for m in chat.prompts[-1].messages)


def test_two_talks_share_nothing(make_pipeline: Make) -> None:
    pipeline, chat = make_pipeline(["It is hard."] * 4)
    one, other = _talk(pipeline), _talk(pipeline)
    _say(one, PLAIN)
    _say(other, MORE)
    assert not any(PLAIN in m.content for m in chat.prompts[-1].messages)


def test_twenty_thousand_characters_are_heard(make_pipeline: Make) -> None:
    pipeline, _ = make_pipeline(["It is hard."] * 4)
    talk = _talk(pipeline)
    assert _say(talk, "all grey. " * 5000)
