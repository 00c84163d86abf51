"""What each figure is called, which way is better, and the aim it is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.content import read_toml
from assistant.errors import ContentError
from assistant.evaluation.figures import Figure

_PATH = Path(__file__).with_name("aims.toml")
_REQUIRED = {"suite", "key", "name", "better"}
_OPTIONAL = {"aim", "main", "gate"}


@dataclass(frozen=True, slots=True)
class Aim:
    """One entry of ``aims.toml``."""

    suite: str
    key: str
    """Of one figure, or, ending in ``.*``, of a figure of every class."""
    name: str
    higher_is_better: bool
    limit: float | None = None
    """The value that is just good enough; None where nothing was aimed at."""
    main: bool = False
    gate: bool = False

    @property
    def is_class(self) -> bool:
        """Whether it stands for a figure of every class."""
        return self.key.endswith(".*")

    @property
    def text(self) -> str:
        """The aim in words, “≥ 0.97”; empty where there is none."""
        if self.limit is None:
            return ""
        return f"{'≥' if self.higher_is_better else '≤'} {self.limit:g}"

    def is_as_good(self, value: float, other: float) -> bool:
        """Tell whether a value is as good as another, or better."""
        return value >= other if self.higher_is_better else value <= other

    def verdict(self, figure: Figure) -> str:
        """Say whether the aim is reached; empty where there is none.

        A figure that reaches the aim, but whose interval does not, is said to be
        unsure: other messages of the same sort could have shown the contrary.
        """
        if self.limit is None:
            return ""
        if not self.is_as_good(figure.value, self.limit):
            return "not reached"
        worst = figure.low if self.higher_is_better else figure.high
        if worst is not None and not self.is_as_good(worst, self.limit):
            return "reached, not surely"
        return "reached"


def load(path: Path = _PATH) -> tuple[Aim, ...]:
    """Read the aims, in the order in which figures are shown.

    Raises:
        ContentError: If an entry is not as it should be.
    """
    aims = []
    for entry in read_toml(path).get("figure", []):
        if not _REQUIRED <= entry.keys() <= _REQUIRED | _OPTIONAL:
            raise ContentError(f"{path.name}: {entry.get('key')}: wrong fields.")
        if entry["better"] not in ("higher", "lower"):
            raise ContentError(f"{path.name}: {entry['key']}: better is unknown.")
        aims.append(
            Aim(
                suite=entry["suite"],
                key=entry["key"],
                name=entry["name"],
                higher_is_better=entry["better"] == "higher",
                limit=entry.get("aim"),
                main=entry.get("main", False),
                gate=entry.get("gate", False),
            )
        )
    return tuple(aims)


def find(aims: Sequence[Aim], suite: str, key: str) -> Aim | None:
    """Give the entry of a figure: its own, else that of its classes."""
    group = f"{key.partition('.')[0]}.*"
    ours = {aim.key: aim for aim in aims if aim.suite == suite}
    return ours.get(key) or ours.get(group)
