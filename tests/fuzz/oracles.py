"""What must hold whatever comes in."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from assistant.errors import AssistantError
from tests.fuzz.seeds import CANARY

T = TypeVar("T")
_LONGEST_SENTENCE = 400


def own_error(call: Callable[[], T], *, may_name: bool = False) -> T | str:
    """Give what a call gives; where it fails, its own error's class and sentence.

    Any other exception goes through: that is a finding.
    """
    try:
        return call()
    except AssistantError as error:
        return checked_error(error, may_name=may_name)


def checked_error(error: AssistantError, *, may_name: bool = False) -> str:
    """Look at the words of an error: one clear sentence that quotes nobody.

    Of a file that somebody edited, not of what a person says, it ``may_name`` a key.
    """
    said = str(error)
    assert said.strip(), f"{type(error).__name__} says nothing"
    assert "\n" not in said, "an error of several lines"
    assert len(said) < _LONGEST_SENTENCE, "an error too long to read"
    assert may_name or CANARY not in said, "an error quotes the input"
    assert "Traceback" not in said, "an error holds a traceback"
    assert error.__cause__ is None, "an error carries another that may quote the input"
    assert error.__suppress_context__ or error.__context__ is None, (
        "an error carries another that may quote the input"
    )
    return f"{type(error).__name__}: {said[:40]}"


def inside(spans: typing.Iterable[tuple[int, int]], text: str) -> None:
    """Spans lie within the text and are not empty."""
    for start, end in spans:
        assert 0 <= start < end <= len(text), "a span outside the text"


def well_typed(value: Any, hint: Any = None) -> None:
    """Look whether every field of a record has the type that it is declared with."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        names = vars(sys.modules[kind.__module__])
        hints = typing.get_type_hints(kind, vars(typing) | vars(types) | names)
        for one in fields(kind):
            try:
                well_typed(getattr(value, one.name), hints[one.name])
            except AssertionError as error:
                raise AssertionError(f"{kind.__name__}.{one.name}: {error}") from None
        return
    if hint is not None:
        _fits(value, hint)


def _fits(value: Any, hint: Any) -> None:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        assert any(_is(value, one) for one in args), "has a wrong type"
    elif origin is tuple:
        assert isinstance(value, tuple), "is no tuple"
        every = args[:1] * len(value) if args[-1] is Ellipsis else args
        for item, one in zip(value, every, strict=True):
            well_typed(item, one)
    elif origin in (dict, typing.get_origin(typing.Mapping[str, str])):
        assert isinstance(value, dict), "is no table"
        for key, item in value.items():
            well_typed(key, args[0])
            well_typed(item, args[1])
    elif isinstance(hint, type):
        assert _is(value, hint), "has a wrong type"


def _is(value: Any, hint: Any) -> bool:
    kind = typing.get_origin(hint) or hint
    if kind in (int, float, str, bool):
        return type(value) is kind or (isinstance(value, kind) and kind is str)
    return isinstance(value, kind) if isinstance(kind, type) else True
