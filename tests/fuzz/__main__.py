"""``python -m tests.fuzz``: run all targets, or some, for long.

All inputs are made up here, so what is found can be shown as it is.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from pathlib import Path

from assistant import network
from tests.fuzz.harness import Fuzzer, Tally
from tests.fuzz.targets import TARGETS

_SLICE_S = 2.0
_SHOWN = 300


def main() -> int:
    """Run; gives 1 where anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--executions", type=int, default=100_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--seed", type=int, default=0, metavar="K")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS))
    chosen = parser.parse_args()
    network.forbid_outside()
    names = chosen.target or list(TARGETS)
    wanted = sum(TARGETS[name].executions for name in names)
    quotas = {
        name: max(1, TARGETS[name].executions * chosen.executions // wanted)
        for name in names
    }
    with contextlib.ExitStack() as open_:
        folder = Path(open_.enter_context(tempfile.TemporaryDirectory()))
        fuzzers = {}
        for name in names:
            own = folder / name
            own.mkdir()
            run = open_.enter_context(TARGETS[name].make(own))
            fuzzers[name] = Fuzzer(TARGETS[name], run, chosen.seed)
        _run(fuzzers, quotas, time.monotonic() + chosen.seconds)
        tallies = {name: fuzzer.tally for name, fuzzer in fuzzers.items()}
    return _report(tallies)


def _run(fuzzers: dict[str, Fuzzer], quotas: dict[str, int], ends: float) -> None:
    """Give each target a little time in turn, until all have had their share."""
    while time.monotonic() < ends:
        left = {n: quotas[n] - f.tally.executions for n, f in fuzzers.items()}
        if not any(count > 0 for count in left.values()):
            return
        for name, count in left.items():
            if count > 0:
                until = min(ends, time.monotonic() + _SLICE_S)
                fuzzers[name].go_on(count, until)


def _report(tallies: dict[str, Tally]) -> int:
    print(f"{'target':22}{'executions':>12}{'outcomes':>10}{'slowest':>10}  findings")
    for name, tally in tallies.items():
        print(
            f"{name:22}{tally.executions:>12,}{tally.outcomes:>10,}"
            f"{tally.slowest_s * 1000:>7.0f} ms  {len(tally.findings)}"
        )
    print(f"{'all':22}{sum(t.executions for t in tallies.values()):>12,}")
    findings = [f for tally in tallies.values() for f in tally.findings.values()]
    for finding in findings:
        print(f"\n{finding.target}: {finding.place}\n  {finding.error[:_SHOWN]}")
        shown = repr(finding.smallest)
        print(f"  {shown[:_SHOWN]}{' …' if len(shown) > _SHOWN else ''}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
