"""Feed damaged inputs to readers and keep count: errors that are none of ours, time, memory."""

from __future__ import annotations

import random
import resource
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from mutations import mutated
from readers import Reader

from regrasp.core.errors import RegraspError

__all__ = ["Report", "fuzz_one", "input_of"]


@dataclass
class Report:
    """How it went so far."""

    inputs: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    slowest: str = ""
    longest_message: int = 0
    wordiest: str = ""
    failures: dict[str, str] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)

    @property
    def memory_mb(self) -> float:
        """The most memory that this process has held."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def input_of(reader: Reader, seed: int, number: int) -> bytes:
    """The same input for the same numbers."""
    return mutated(random.Random(f"{seed} {reader.name} {number}"), reader.seeds)


def fuzz_one(
    report: Report, reader: Reader, seed: int, number: int, limit_s: float, keep: Path | None = None
) -> None:
    """Read one input, and note what is wrong with how that ended."""
    data, began = input_of(reader, seed, number), time.process_time()
    name, where = f"{reader.name} {number}", ""
    try:
        reader.read(data)
    except RegraspError as error:
        report.refused += 1
        if len(str(error)) > report.longest_message:
            report.longest_message, report.wordiest = len(str(error)), name
    except Exception as error:  # that is what is looked for
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"
        report.failures.setdefault(where, f"{name}: {error}")
    spent = time.process_time() - began
    report.inputs += 1
    if spent > report.slowest_s:
        report.slowest_s, report.slowest = spent, name
    if spent > limit_s:
        report.late.append(f"{name}: {spent:.1f} s")
    if keep is not None and (where or spent > limit_s):
        keep.mkdir(parents=True, exist_ok=True)
        (keep / name.replace(" ", "-")).write_bytes(data)
