"""All targets by their names."""

from __future__ import annotations

from typing import Final

from tests.fuzz import (
    audio_targets,
    cli_target,
    content_targets,
    http_targets,
    linear_target,
    notebook_targets,
    record_targets,
    socket_target,
    text_targets,
    toml_targets,
    turn_target,
)
from tests.fuzz.harness import Target

_PARTS = (
    text_targets,
    linear_target,
    record_targets,
    toml_targets,
    content_targets,
    notebook_targets,
    audio_targets,
    socket_target,
    http_targets,
    cli_target,
    turn_target,
)

TARGETS: Final[dict[str, Target]] = {
    target.name: target for part in _PARTS for target in part.TARGETS
}
