"""The protocol of the bench: which seeds a table uses, with which models, for which comparisons.

It is written before a table is made (`protocol.toml`). Its seeds are reserved: generators of
training data call `refuse_reserved`, so that what is measured was never learnt from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path

from regrasp.core.codec import JsonValue
from regrasp.core.document import decode_document
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.estimates import Estimates
from regrasp.core.file_reading import read_limited

__all__ = [
    "PROTOCOL_FILE",
    "PlannedRun",
    "PlannedTable",
    "Protocol",
    "ReservedSeedError",
    "TableState",
    "is_reserved",
    "read_protocol",
    "refuse_reserved",
    "seed_ranges",
    "training_seeds",
]

PROTOCOL_FILE = Path(__file__).with_name("protocol.toml")
_REMEDY = f"Correct {PROTOCOL_FILE.name}."
_OPTIONAL: dict[str, JsonValue] = {
    "llm": "", "vlm": "", "options": [], "commit": "", "why": "", "against": "",
}  # fmt: skip
_ASIDE = 6_000_000  # where training data takes a room from in place of a reserved one


class ReservedSeedError(RegraspError):
    """Training data would hold what a table measures."""


class TableState(StrEnum):
    """Whether a table is made, and from what."""

    PLANNED = "planned"
    OLDER = "older"


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """Methods and tasks on `episodes` seeds from `first_seed`; no names mean all of the suite."""

    methods: tuple[str, ...]
    tasks: tuple[str, ...]
    first_seed: int
    episodes: int

    @property
    def seeds(self) -> range:
        """Its seeds."""
        return range(self.first_seed, self.first_seed + self.episodes)


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table: what it asks, how it is made, and whether it is; see `protocol.toml`.

    `against` names a table on the same seeds; the report has the differences from it.
    """

    name: str
    suite: str
    asks: str
    llm: str
    vlm: str
    options: tuple[str, ...]
    compare: tuple[tuple[str, str], ...]
    state: TableState
    commit: str
    why: str
    against: str
    runs: tuple[PlannedRun, ...]

    def __post_init__(self) -> None:
        if self.state is TableState.OLDER and not (self.commit and self.why):
            raise RegraspError(f"the older table {self.name} needs a commit and a reason.")
        if not self.runs:
            raise RegraspError(f"the table {self.name} has no run.")

    @property
    def seeds(self) -> frozenset[int]:
        """The seeds of all its runs."""
        return frozenset(seed for run in self.runs for seed in run.seeds)

    @property
    def estimates(self) -> Estimates:
        """Where its robots get the poses of things from."""
        words = ("", *self.options)
        return Estimates(dict(pairwise(words)).get("--estimates", Estimates.PRIVILEGED))

    @property
    def cameras(self) -> tuple[str, ...]:
        """The cameras that its vision model sees alone; empty for the domain's own."""
        named = dict(pairwise(("", *self.options))).get("--cameras", "")
        return tuple(filter(None, named.split(",")))

    def commands(self, out: str, *, begun: bool = False) -> list[list[str]]:
        """The words of the commands that make it in the folder `out`.

        All but the first go on with the run of the first; if it is `begun`, the first does too.
        """
        made = []
        for number, run in enumerate(self.runs):
            words = ["regrasp", "bench", self.suite]
            for name, value in (("--llm", self.llm), ("--vlm", self.vlm)):
                words += [name, value] if value else []
            for name, names in (("--methods", run.methods), ("--tasks", run.tasks)):
                words += [name, ",".join(names)] if names else []
            words += ["--first-seed", str(run.first_seed), "--episodes", str(run.episodes)]
            words += [*self.options, "--out", out, *(["--resume"] if number or begun else [])]
            made.append(words)
        return made


@dataclass(frozen=True, slots=True)
class Protocol:
    """Every table, and a block of seeds for tables to come (both ends included)."""

    reserved_first: int
    reserved_last: int
    tables: tuple[PlannedTable, ...]

    def table(self, name: str) -> PlannedTable:
        """The table of that name."""
        known = {table.name: table for table in self.tables}
        if name not in known:
            raise UnknownNameError("table of the protocol", name, known)
        return known[name]

    def reserves(self, seed: int) -> bool:
        """Whether a table uses, or may come to use, this seed."""
        if self.reserved_first <= seed <= self.reserved_last:
            return True
        return any(seed in run.seeds for table in self.tables for run in table.runs)

    def table_of(
        self,
        suite: str,
        seeds: Iterable[int],
        llm: str,
        vlm: str,
        estimates: Estimates,
        cameras: tuple[str, ...] = (),
    ) -> PlannedTable | None:
        """The table that a run with these seeds and models is; None if it is none."""
        wanted = (suite, frozenset(seeds), estimates, cameras, llm, vlm)
        for one in self.tables:
            models = (one.llm or llm, one.vlm or vlm)
            if (one.suite, one.seeds, one.estimates, one.cameras, *models) == wanted:
                return one
        return None

    def describe_run(
        self,
        suite: str,
        seeds: Iterable[int],
        llm: str,
        vlm: str,
        estimates: Estimates = Estimates.PRIVILEGED,
        cameras: tuple[str, ...] = (),
    ) -> str:
        """Whether a run of a suite uses the protocol's seeds, in a sentence for its report."""
        used = frozenset(seeds)
        tables = [t for t in self.tables if t.suite == suite and t.estimates is estimates]
        if not tables:
            with_these = "" if estimates is Estimates.PRIVILEGED else f" with {estimates} estimates"
            return f"The protocol has no table of this suite{with_these}."
        same = [table for table in tables if table.seeds == used]
        table = self.table_of(suite, used, llm, vlm, estimates, cameras)
        if not same:
            planned = [t for t in tables if t.state is TableState.PLANNED]
            listed = "; ".join(f"{t.name}: {seed_ranges(t.seeds)}" for t in planned) or "none"
            return f"Not the protocol's seeds. Planned for this suite: {listed}."
        if table is None:
            return (
                f"Seeds as reserved for the table {same[0].name}, but with other models than the "
                f"protocol's ({same[0].llm}, {same[0].vlm})."
            )
        if table.state is TableState.OLDER:
            return f"The seeds of the older table {table.name}, which have been looked at."
        compared = ", ".join(f"{a} against {b}" for a, b in table.compare)
        against = f" Planned comparisons: {compared}." if compared else ""
        return f"Seeds as reserved: the table {table.name} of the protocol. {table.asks}{against}"


def seed_ranges(seeds: Iterable[int]) -> str:
    """Seeds as text, `6000 to 6019`."""
    found: list[list[int]] = []
    for seed in sorted(seeds):
        if found and seed == found[-1][1] + 1:
            found[-1][1] = seed
        else:
            found.append([seed, seed])
    return ", ".join(f"{a} to {b}" if a < b else str(a) for a, b in found)


@cache
def read_protocol(path: Path = PROTOCOL_FILE) -> Protocol:
    """The protocol in a file."""
    try:
        data = tomllib.loads(read_limited(path).decode("utf-8"))
        tables: list[JsonValue] = [{**_OPTIONAL, **table} for table in data.get("tables", [])]
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise RegraspError(f"cannot read {path}: {error}. {_REMEDY}") from error
    protocol = decode_document(Protocol, {**data, "tables": tables}, path, _REMEDY)
    names = [table.name for table in protocol.tables]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise RegraspError(f"{path} has two tables with the name {twice[0]}. {_REMEDY}")
    for table in protocol.tables:
        if table.against and protocol.table(table.against).runs != table.runs:
            raise RegraspError(
                f"{table.name} has other runs than {table.against}, which it is compared with. "
                f"{_REMEDY}"
            )
    return protocol


def is_reserved(seed: int) -> bool:
    """Whether the protocol reserves this seed."""
    return read_protocol().reserves(seed)


def refuse_reserved(seeds: Iterable[int], what: str) -> None:
    """Raise if training data (`what`) would hold scenes of seeds that are reserved for tables."""
    wrong = [seed for seed in seeds if is_reserved(seed)]
    if wrong:
        raise ReservedSeedError(
            f"{what} would hold scenes of seeds that are reserved for measurements: "
            f"{seed_ranges(wrong)} ({PROTOCOL_FILE.name}). Take other seeds; training_seeds does."
        )


def training_seeds(seeds: Iterable[int]) -> list[int]:
    """These seeds, with another one in place of each that is reserved."""
    return [seed + _ASIDE if is_reserved(seed) else seed for seed in seeds]
