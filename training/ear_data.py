"""The sentences the ear learns from, and the noise that is added while it learns."""

from __future__ import annotations

import json
import random
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(__file__).resolve().parent / "data"
CANDIDATE = "reply: "
"""Stands before a candidate sentence: the same words mean other things there."""
TURNS = 4
"""Of a conversation, the person's last so many messages are read together, and of these
the last ``WINDOW_WORDS`` words."""
WINDOW_WORDS = 60
COMPANY = 0.25
COMPANY_WORDS = 28
"""This share of the messages up to so many words is learned with calm ones beside."""
STEP_WORDS = 48
"""A long message is read in windows, as the program reads it."""
FINE_WINDOW_WORDS = 24
FINE_STEP_WORDS = 16
FINE_UP_TO_WORDS = 300
"""And a shorter one also in windows of so many words."""

NO_PATTERNS = {f"hand_{letter}" for letter in "mnoqrsuvwxyz"} | {
    f"hand_a{letter}" for letter in "abcde"
}
"""Hands that wrote for danger alone."""

LEVELS = ["none", "support", "urgent", "emergency"]
CARDS = [
    "suicide",
    "self_harm",
    "violence_now",
    "strangulation",
    "threats",
    "medical",
    "sexual_violence",
    "child_danger",
    "stalking",
    "leaving",
    "partner_suicide",
    "harm_to_others",
    "someone_else",
]
ABOUTS = ["self", "partner", "child", "other"]
TIMES = ["now", "recent", "past", "unclear"]
GUARD = [
    "directive",
    "diagnosis",
    "blame",
    "minimise",
    "promise",
    "couples_counselling",
    "contact",
    "medical_legal",
    "method",
    "false_claim",
    "unsafe_tactic",
    "sexual",
    "leak",
    "ungrounded",
    "echo",
    "agree_worthless",
    "off_language",
]
PATTERNS = [
    p["id"]
    for p in tomllib.loads((ROOT / "knowledge/patterns.toml").read_text("utf-8"))[
        "pattern"
    ]
]


@dataclass(frozen=True)
class Example:
    """One text with the labels it has; None means: not labelled for this."""

    text: str
    level: str | None = None
    cards: tuple[str, ...] = ()
    about: str = "self"
    time: str = "unclear"
    patterns: tuple[str, ...] | None = None
    topic: int | None = None
    broken: tuple[str, ...] | None = None
    """Guard rules that a candidate sentence breaks."""
    windows: tuple[str, ...] = ()
    """Of a long message: its parts. Where there is danger, nobody said in which. Of a
    talk that is calm throughout: what was said by each turn."""
    fine_windows: tuple[str, ...] = ()
    """The same, cut finely."""

    def noisy(self, rng: random.Random) -> str:
        """Give the text, now and then as a hurried person types or a machine hears."""
        return self.text if self.broken is not None else noisy(self.text, rng)


def mixed(examples: list[Example], rng: random.Random) -> list[Example]:
    """Put something calm before or after some of the short messages.

    One plain sentence of danger must not drown in a word about the weather. Calm ones
    get company too, so that company itself says nothing.
    """
    calm = [e.text for e in examples if e.level == "none" and not e.windows]
    calm = [text for text in calm if len(text.split()) <= COMPANY_WORDS]
    made = []
    for example in examples:
        is_short = len(example.text.split()) <= COMPANY_WORDS
        if example.level is None or not is_short or rng.random() >= COMPANY:
            made.append(example)
            continue
        both = [example.text, rng.choice(calm)]
        rng.shuffle(both)
        text = " ".join(t if t[-1:] in ".!?" else f"{t}." for t in both)
        # What the company shows besides is not known here.
        made.append(replace(example, text=text, patterns=None, topic=None))
    return made


def join_turns(messages: list[str]) -> str:
    """Put a person's last messages into one text, the way the program does."""
    return " ".join(" / ".join(messages[-TURNS:]).split()[-WINDOW_WORDS:])


def windows_of(text: str) -> tuple[str, ...]:
    """Cut a long message as the program does; nothing for a short one."""
    return _cut(text.split(), WINDOW_WORDS, STEP_WORDS)


def fine_windows_of(text: str) -> tuple[str, ...]:
    """Cut a message finely as the program does; nothing for a short or a huge one."""
    words = text.split()
    if len(words) > FINE_UP_TO_WORDS:
        return ()
    return _cut(words, FINE_WINDOW_WORDS, FINE_STEP_WORDS)


def _cut(words: list[str], length: int, step: int) -> tuple[str, ...]:
    if len(words) <= length:
        return ()
    starts = range(0, len(words) - length + step, step)
    return tuple(" ".join(words[start : start + length]) for start in starts)


def load() -> list[Example]:
    """Read every hand's sentences; a text that stands twice is kept once."""
    seen: set[str] = set()
    examples = []
    for path in sorted(DATA.glob("hand_*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            said = [
                m["content"] for m in row.get("messages", []) if m["role"] == "user"
            ]
            text = row.get("text") or join_turns(said)
            if text.lower() in seen:
                continue
            seen.add(text.lower())
            if "text" in row:
                windows = windows_of(plain(text))
            else:
                windows = _by_turn(said) if row.get("calm_throughout") else ()
            examples.append(
                Example(
                    text=plain(text),
                    level=row["level"],
                    cards=tuple(row["cards"]),
                    about=row.get("about", "self"),
                    time=row.get("time", "unclear"),
                    patterns=None if windows else _patterns(row, path.stem),
                    windows=windows,
                    fine_windows=fine_windows_of(plain(text)) if "text" in row else (),
                )
            )
    return examples


def _by_turn(said: list[str]) -> tuple[str, ...]:
    """Give what had been said by each turn, as the program hears it."""
    return tuple(plain(join_turns(said[:turn])) for turn in range(2, len(said) + 1))


def _patterns(row: dict[str, Any], hand: str) -> tuple[str, ...] | None:
    """Give the patterns of a text; None where its writer may have left them out.

    The later hands wrote for danger, and where one of them names no pattern of a text
    that holds danger, that says little. Some named hardly any pattern at all.
    """
    if not row["patterns"]:
        if hand in NO_PATTERNS or (row["level"] != "none" and hand > "hand_e"):
            return None
    return tuple(p for p in row["patterns"] if p in PATTERNS)


CALM_TOPICS = frozenset(
    "after-a-lapse answering-a-message apologies-and-promises blame-shifting "
    "body-basics bond-definition bond-formation bond-versus-codependency "
    "boundaries-by-behaviour brain-and-body calling-a-helpline calming-the-body "
    "can-they-change checking-on-them cost-and-access craving-and-withdrawal crumbs "
    "cycle-of-abuse early-experiences finding-a-therapist gaslighting grief "
    "guilt-and-pity hope-for-the-good-one how-long-healing-takes "
    "intermittent-reinforcement interrupting-the-cycle keeping-records "
    "kinds-of-therapy knowing-versus-doing legal-options love-bombing "
    "memory-and-longing money-control naming-the-pattern new-relationships "
    "no-couples-counselling physical-longing privacy-and-traces "
    "put-downs-and-devaluation reality-list rebuilding-support reducing-contact "
    "riding-out-an-urge self-compassion shame-after-returning signs-of-a-bond "
    "smear-and-triangulation stockholm-syndrome support-groups "
    "triggers-and-anniversaries why-people-return".split()
)
"""What is asked about these holds no danger, but for what a word of this list tells."""
_MAY_BE_DANGER = re.compile(
    r"\b(?:hit|hits|hitting|broke|hurt\w*|threw|throw\w*|punch\w*|push\w*|violen\w+"
    r"|police|visa|passport|engine|keys|scared|fright\w+|afraid|fear\w*|flinch\w*"
    r"|kill\w*|die|dies|dying|dead|cut|cuts|cutting|blood|bleed\w*|chok\w+|strangl\w+"
    r"|neck|throat|knife|gun|threat\w*|rape\w*|forced|follow\w*|track\w*|end it"
    r"|in case he|in case she|unknown number|bathroom floor|face he pulls)\b",
    re.IGNORECASE,
)


def load_topics() -> tuple[list[str], list[Example]]:
    """Read the ways people ask about each topic: the articles' and the hands'."""
    raw = tomllib.loads((ROOT / "knowledge/topics.toml").read_text("utf-8"))
    topics = [t["id"] for t in raw["topic"]] + ["off_topic"]

    def asked(topic: str, text: str) -> Example:
        is_calm = topic in CALM_TOPICS and not _MAY_BE_DANGER.search(text)
        level = "none" if is_calm else None
        return Example(plain(text), level, topic=topics.index(topic))

    examples = []
    for path in sorted((ROOT / "knowledge/topics").glob("*.md")):
        header = tomllib.loads(path.read_text("utf-8").split("+++\n", 2)[1])
        examples += [asked(header["topic"], text) for text in header["asked_as"]]
    for path in sorted(DATA.glob("topics_*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["topic"] == "off_topic":  # and no danger, and no pattern
                index = topics.index("off_topic")
                calm = Example(plain(row["text"]), "none", patterns=(), topic=index)
                examples.append(calm)
            else:
                examples.append(asked(row["topic"], row["text"]))
    return topics, examples


def load_guard() -> list[Example]:
    """Read the candidate sentences for the guard, good and bad."""
    examples = []
    for path in sorted(DATA.glob("guard_*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            text = CANDIDATE + plain(row["text"])
            examples.append(Example(text, broken=tuple(row["rules"])))
    return examples


def plain(text: str) -> str:
    """Bring quotes and spaces into one shape."""
    text = text.translate(str.maketrans("’‘“”–—", "''\"\"--"))
    return " ".join(text.split())


_WORD = re.compile(r"\w+")


def noisy(text: str, rng: random.Random) -> str:
    """Leave half as it is; else drop punctuation, letters or capitals."""
    if rng.random() < 0.5:
        return text
    if rng.random() < 0.5:
        text = text.lower()
    if rng.random() < 0.4:
        text = re.sub(r"[.,!?;:]", "", text)
    if rng.random() < 0.3:
        text = text.replace("'", "")
    if rng.random() < 0.3 and len(text) > 20:
        text = _WORD.sub(lambda m: _typo(m[0], rng), text)
    return text


def _typo(word: str, rng: random.Random) -> str:
    if len(word) < 4 or rng.random() > 0.12:
        return word
    i = rng.randrange(1, len(word) - 1)
    return rng.choice(
        [
            word[:i] + word[i + 1 :],
            word[:i] + word[i + 1] + word[i] + word[i + 2 :],
            word[:i] + word[i] + word[i:],
        ]
    )
