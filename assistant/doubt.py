"""Decide which recognised words to believe, to mark, or not to take for words.

Whisper always answers: to a sneeze with "Choo!", to silence with the closing line of
a film. Two rules follow. Where hardly any voice was heard and the recogniser was
unsure too, nobody spoke. Everywhere else nothing is deleted: what looks invented is
marked, and the person decides.

Covers: loops, credit lines, low confidence, more words than the voice had time for,
or far fewer. Does not cover: a wrong word in a sentence that sounds right.

The numbers were set on the development halves of public recordings of sneezes, barks,
clocks and cries, and of calm and upset speech; see ``evaluation/voice.py``.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace

from assistant.domain import Segment

_WEAK_VOICE_S = 1.0
"""With less voice than this, the recogniser has to be sure as well."""
_LEAST_VOICE_S = 0.1
"""Less than this is no word in any language."""
_WEAK_SUPPORT = -1.0
"""Least ``avg_logprob - no_speech_prob`` for a weak voice. Sneezes reached -1.12, angry
speech of which the detector heard half a second fell to -0.6."""
_HASTY_SUPPORT = -0.6
"""The same, where there are more words than a weak voice had time for."""
_SILENT_PROB = 0.6
_UNSURE_LOGPROB = -1.0
"""Whisper's own limits; they are used for marking rather than for deleting."""
_LOOP_RATIO = 2.4
"""Whisper's limit: text that shrinks further when packed repeats itself."""
_LOOP_SHORTEST_CHARS = 40
_MOST_LETTERS_PER_S = 30.0
"""Fast speech has about 22 letters in a second."""
_UNHEARD_S = 0.5
"""Added to the voice that was heard: the detector misses the edges of words."""
_FEWEST_LETTERS_PER_S = 1.5
_LONG_VOICE_S = 5.0

_REPEATED = re.compile(r"\b(\w+(?:\W+\w+){0,7}?)(?:\W+\1\b){3,}", re.IGNORECASE)
"""One to eight words, four times in a row."""
_CREDIT_LINE = re.compile(
    r"""
    thank(s|\ you)(\ (so|very)\ much)?\ for\ (watching|listening|viewing)
    | (like\ and\ |please\ )subscribe | subscribe\ to\ (my|our|the)\ channel
    | see\ you\ (in\ the\ )?next\ (time|video)
    | (sub)?titles?\ (by|made|created) | (captions?|transcri(bed|ption))\ by
    | amara\.org | opensubtitles | www\.\S+ | copyright\b | all\ rights\ reserved
    | sous-titr | untertitel(ung)?\ (der|von|im|des) | vielen\ dank\ f.rs\ zuschauen
    | subt.tulos\ (por|realizados|de) | gracias\ por\ ver | legendas?\ (pela|por)
    | sottotitoli | ondertitel | napisy | textning | undertekster
    | \u0441\u0443\u0431\u0442\u0438\u0442\u0440 | \u5b57\u5e55
    | \u3054\u8996\u8074 | \uc2dc\uccad\ud574
    | \u062a\u0631\u062c\u0645\u0629\ \u0646\u0627\u0646\u0633\u064a
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Closing lines of films and videos, which Whisper has learned to expect."""
_FILLER = frozenset({"you", "thank you", "thanks", "bye", "bye bye", "okay", "so"})
"""Said to nothing at all more often than to somebody, where the voice was weak."""


def judge(segments: Sequence[Segment], voiced_s: float) -> tuple[Segment, ...]:
    """Mark doubtful segments of one piece; give none where nobody spoke.

    Args:
        segments: What was recognised in the piece.
        voiced_s: How long a voice was heard in the piece.
    """
    worded = [s for s in segments if any(c.isalnum() for c in s.text)]
    text = " ".join(s.text for s in worded)
    if not worded or _nobody_spoke(worded, text, voiced_s):
        return ()
    whole = _is_loop(text) or _is_out_of_time(text, voiced_s)
    return tuple(
        replace(s, doubtful=whole or _is_doubtful(s, voiced_s)) for s in worded
    )


def _nobody_spoke(segments: Sequence[Segment], text: str, voiced_s: float) -> bool:
    surest = max(s.avg_logprob for s in segments)
    silent = min(s.no_speech_prob for s in segments)
    if silent > _SILENT_PROB and surest < _UNSURE_LOGPROB:
        return True
    if voiced_s >= _WEAK_VOICE_S:
        return False
    hasty = _letters_per_s(text, voiced_s) > _MOST_LETTERS_PER_S
    return (
        voiced_s < _LEAST_VOICE_S
        or surest - silent < (_HASTY_SUPPORT if hasty else _WEAK_SUPPORT)
        or _is_loop(text)
    )


def _is_doubtful(segment: Segment, voiced_s: float) -> bool:
    bare = " ".join(re.sub(r"[^\w\s]", " ", segment.text).lower().split())
    return (
        segment.avg_logprob < _UNSURE_LOGPROB
        or segment.no_speech_prob > _SILENT_PROB
        or _is_loop(segment.text)
        or _CREDIT_LINE.search(segment.text) is not None
        or (voiced_s < _WEAK_VOICE_S and bare in _FILLER)
    )


def _is_loop(text: str) -> bool:
    if _REPEATED.search(text):
        return True
    packed = text.encode("utf-8", "replace")
    if len(text) < _LOOP_SHORTEST_CHARS:
        return _longest_run(text) >= 8
    return len(packed) / len(zlib.compress(packed)) > _LOOP_RATIO


def _longest_run(text: str) -> int:
    """Give the length of the longest run of one letter, as in a drawn-out cry."""
    runs = re.finditer(r"(\w)\1*", text.lower())
    return max((len(run.group()) for run in runs), default=0)


def _is_out_of_time(text: str, voiced_s: float) -> bool:
    """Tell whether the words do not fit the time in which a voice was heard."""
    per_s = _letters_per_s(text, voiced_s)
    too_few = voiced_s >= _LONG_VOICE_S and per_s < _FEWEST_LETTERS_PER_S
    return per_s > _MOST_LETTERS_PER_S or too_few


def _letters_per_s(text: str, voiced_s: float) -> float:
    return sum(c.isalnum() for c in text) / (voiced_s + _UNHEARD_S)
