"""The long fuzz, by hand: `python tests/fuzz --count 1000000` from the root of the repository.

Every reader gets its share of the inputs in turn. Each input follows from --seed and its number, so
a failure can be repeated. Exits with 1 if a reader raised anything but a RegraspError, took longer
than --limit seconds of CPU time, or the process held more than --memory MB.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parent / "cli", HERE.parent / "prompts"):
    sys.path.insert(0, str(folder))

from fuzzing import Report, fuzz_one  # noqa: E402
from readers import Readers  # noqa: E402


def main() -> int:
    """Run the fuzz, print how it goes every ten seconds, and return the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1_000_000)
    options.add_argument("--first", type=int, default=0, help="number of the first input")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--only", default="", help="only readers whose name contains this")
    options.add_argument("--limit", type=float, default=5.0, help="CPU seconds for one input")
    options.add_argument("--memory", type=float, default=1000.0, help="MB")
    options.add_argument("--keep", type=Path, help="a folder for the inputs that failed")
    given = options.parse_args()
    report, began = Report(), time.monotonic()
    shown = began
    with Readers() as every:
        chosen = [reader for reader in every if given.only in reader.name]
        for number in range(given.first, given.first + given.count):
            reader = chosen[number % len(chosen)]
            fuzz_one(report, reader, given.seed, number, given.limit, given.keep)
            if time.monotonic() - shown > 10:
                shown = time.monotonic()
                print(_line(report, shown - began), flush=True)
    print(_line(report, time.monotonic() - began))
    for where, what in report.failures.items():
        print(f"FAILED {where}: {what[:300]}")
    for late in report.late:
        print(f"LATE {late}")
    return int(bool(report.failures or report.late) or report.memory_mb > given.memory)


def _line(report: Report, seconds: float) -> str:
    return (
        f"{report.inputs} inputs, {report.inputs / seconds:.0f} a second, {report.refused} "
        f"refused, {len(report.failures)} kinds of failure, {len(report.late)} late, slowest "
        f"{report.slowest_s:.2f} s ({report.slowest}), longest message {report.longest_message} "
        f"({report.wordiest}), "
        f"{report.memory_mb:.0f} MB"
    )


if __name__ == "__main__":
    sys.exit(main())
