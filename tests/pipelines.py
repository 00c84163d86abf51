"""The real pipeline before any model file has been loaded."""

from __future__ import annotations

import itertools
from pathlib import Path

from assistant import content_directory, content_texts
from assistant.content_library import Library
from assistant.pipeline import Pipeline, Rules


def bare(root: Path, library: Library, rules: Rules) -> Pipeline:
    """Make it of the real content; its clock moves a little with every look."""
    ticks = itertools.count()
    return Pipeline(
        rules=rules,
        library=library,
        cards=content_texts.load_cards(root),
        replies=content_texts.load_replies(root),
        directory=content_directory.load(root),
        template=content_texts.load_template(root, "restate"),
        clock=lambda: next(ticks) / 1000,
    )
