"""Results of suites as nobody measured them, for the tests of the report."""

from __future__ import annotations

from typing import Any

from assistant.evaluation.stats import Share

MACHINE = {"system": "Linux x86_64", "processors": 2, "memory_gib": 8, "python": "3.11"}
EAR = {"name": "ear", "file": "ear.onnx", "sha256": "ab" * 32}
NASTY = '<script>alert("1")</script> & <b>'


def share(hits: int, total: int) -> dict[str, object]:
    return Share(hits, total).record()


def triage(split: str = "heldout", heard: int = 90) -> dict[str, Any]:
    return {
        "suite": "triage",
        "split": split,
        "date": "2030-01-02",
        "seconds": 1.5,
        "machine": MACHINE,
        "models": [EAR],
        "recall_serious": share(heard, 100),
        "right_card_shown": share(95, 100),
        "recall_by_card": {"suicide": share(9, 10), "self_harm": share(10, 10)},
        "right_by_kind": {"oblique": share(5, 10), "idiom": share(10, 10)},
        "false_alarms": share(1, 100),
        "false_stops": share(0, 100),
        "false_emergencies": 0,
        "misses": [{"id": "t1", "text": NASTY, "wanted": ["urgent"], "got": ["none"]}],
        "false_alarm_list": [],
    }


def bench() -> dict[str, Any]:
    return {
        "suite": "bench",
        "date": "2030-01-03",
        "machine": MACHINE,
        "models": [EAR],
        "triage_ms_95": 12.5,
        "retrieve_ms_median": 44,
    }


def replies() -> dict[str, Any]:
    sentences = [
        {"text": "A vetted line.", "origin": "vetted"},
        {"text": "The model said so.", "origin": "model"},
    ]
    reply = {"id": "r1", "said": "Hello.", "sentences": sentences, "timing": None}
    return {
        "suite": "replies",
        "split": "dev",
        "date": "2030-01-02",
        "machine": MACHINE,
        "own_sentences_kept": share(3, 4),
        "refused_by_rule": {"echo": 1},
        "replies": [{**reply, "guard": [{"rule": "echo", "action": "retried"}]}],
    }


def voice() -> dict[str, Any]:
    return {
        "suite": "voice",
        "date": "2030-01-02",
        "machine": MACHINE,
        "speech-nonspeech": {
            "clips": 20,
            "with_text": 1,
            "share_95": [0.01, 0.24],
            "words": 2,
            "texts": [["rain", "so it is"]],
        },
        "speech-read": {
            "wer": 0.07,
            "wer_95": [0.04, 0.11],
            "words": 300,
            "groups": {"calm": {"wer": 0.05, "wer_95": [0.02, 0.09], "words": 90}},
        },
    }
