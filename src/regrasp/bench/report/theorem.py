"""Theorem 1 of DoReMi in one figure: its curve, and the measurements of recorded episodes.

A carrying skill can drop its object from its start until the release at t. A method that checks
only at the end detects a drop at s when the empty hand opens at t: it wastes t - s. Only methods
without a monitor are measured: a skill that a monitor stops wastes no time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from regrasp.bench.report.document import Cell, Picture, ReportSection, Table
from regrasp.bench.report.figure_style import GREY, INKS, bare, new_figure
from regrasp.bench.report.grid import Grid
from regrasp.core.action import Action
from regrasp.core.event import Disturbed, SkillEnded, SkillProgress, SkillStarted
from regrasp.core.trace import TRACE_FILE, TraceEntry, read_trace
from regrasp.monitors.theory import SkillDuration, expected_waste

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Carry", "CarryWaste", "carries", "measured", "theorem_figure", "theorem_section"]

_DRAWS = 4000
_DROPS = "p"  # the knob for the probability of a drop per second
_CARRYING, _RELEASE = "place", "release"  # the skill, and its stage that lets go
_DROP = "falls"  # in the description of a drop, and not in that of a placement error


@dataclass(frozen=True, slots=True)
class Carry:
    """One carrying skill: the seconds until it let go, and those after a drop (0 without one)."""

    seconds: float
    wasted: float


def carries(entries: Iterable[TraceEntry]) -> list[Carry]:
    """Every carrying skill that reached its release; one that was stopped earlier is none.

    A skill that began without its object never reaches it.
    """
    found: list[Carry] = []
    action: Action | None = None
    began = 0.0
    dropped: float | None = None
    for entry in entries:
        event, now = entry.event, entry.stamp.sim_s
        match event:
            case SkillStarted() if event.action.name == _CARRYING:
                action, began, dropped = event.action, now, None
            case Disturbed(fault=fault) if event.action == action and _DROP in fault:
                dropped = now
            case SkillProgress(stage=stage) if action is not None and stage == _RELEASE:
                found.append(Carry(now - began, now - dropped if dropped is not None else 0.0))
                action = None
            case SkillEnded():
                action = None
            case _:
                pass
    return found


@dataclass(frozen=True, slots=True)
class CarryWaste:
    """Carrying skills with `rate` drops per second."""

    rate: float
    by_seed: tuple[tuple[Carry, ...], ...]

    @property
    def carries(self) -> tuple[Carry, ...]:
        """All of them."""
        return tuple(carry for some in self.by_seed for carry in some)

    @property
    def waste(self) -> float:
        """Mean seconds wasted per skill."""
        return fmean(carry.wasted for carry in self.carries)

    def interval(self, generator: np.random.Generator) -> tuple[float, float]:
        """Its 95% interval, by resampling seeds: episodes of one seed are not independent."""
        wasted, many = (
            np.array([f(some) for some in self.by_seed], float)
            for f in (lambda some: sum(carry.wasted for carry in some), len)
        )
        drawn = generator.integers(0, len(many), (_DRAWS, len(many)))
        means = wasted[drawn].sum(axis=1) / many[drawn].sum(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        return float(low), float(high)

    @property
    def timing(self) -> SkillDuration:
        """The durations of the skills."""
        return SkillDuration.of([carry.seconds for carry in self.carries])

    @property
    def expected(self) -> float:
        """The theorem's value for skills with these durations."""
        return expected_waste(self.rate, self.timing)


def measured(grid: Grid, root: Path) -> tuple[CarryWaste, ...]:
    """The carrying skills of a run with its traces under `root`, by the rate of drops.

    A probability p of a drop per second is a rate of -ln(1 - p).
    """
    knob = next((one for one in grid.suite.knobs if one.name == _DROPS), None)
    if knob is None:
        return ()
    blind = [m for m in grid.methods if not any(r.watched for r in grid.of_method(m))]
    found: dict[float, dict[int, list[Carry]]] = {}
    for task in grid.tasks:
        chance = knob.of(task.task)
        for record in (r for method in blind for r in grid.ended(task, method) if chance > 0):
            folder = root / record.trace
            if (folder / TRACE_FILE).exists():
                some = carries(read_trace(folder).entries)
                by_seed = found.setdefault(-math.log1p(-chance), {})
                by_seed.setdefault(record.key.seed, []).extend(some)
    return tuple(
        CarryWaste(rate, tuple(tuple(some) for some in by_seed.values() if some))
        for rate, by_seed in sorted(found.items())
        if any(by_seed.values())
    )


def theorem_section(
    points: Sequence[CarryWaste], generator: np.random.Generator
) -> ReportSection | None:
    """The curve and the points as figures; None without carrying skills under drops."""
    rows = []
    for point in points:
        low, high = point.interval(generator)
        timing = point.timing
        rows.append(
            (
                Cell(f"{point.rate:.3f}"), Cell(f"{timing.mean:.2f}", f"± {timing.spread:.2f}"),
                Cell(f"{point.waste:.3f}", f"{low:.3f}–{high:.3f}, n = {len(point.carries)}, "
                     f"{len(point.by_seed)} seeds"),
                Cell(f"{point.expected:.3f}"),
            )
        )  # fmt: skip
    if not rows:
        return None
    caption = (
        "The cost of a drop that is detected only when the empty hand opens: seconds wasted per "
        "carrying skill, over the methods without a monitor, with an interval from resampling "
        "seeds, and λ(μ² + σ²)/2, the value of Theorem 1 of DoReMi."
    )
    head = ("drops per second, λ", "duration of the skill, s", "wasted, s", "Theorem 1, s")
    picture = Picture("theorem", "Seconds wasted per skill against drops per second.")
    return ReportSection("Theorem 1", [Table(caption, head, tuple(rows)), picture])


def theorem_figure(waste: Sequence[CarryWaste], generator: np.random.Generator) -> Figure | None:
    """The curve and the points; None without carrying skills under drops."""
    points = [point for point in waste if point.carries]
    if not points:
        return None
    figure = new_figure(2.4)
    axes = figure.subplots()
    timing = SkillDuration.of([carry.seconds for point in points for carry in point.carries])
    rates = np.linspace(0.0, 1.1 * max(point.rate for point in points), 50)
    curve = [expected_waste(float(rate), timing) for rate in rates]
    axes.plot(rates, curve, color=INKS[0], linewidth=1.0, label="Theorem 1, λ(μ² + σ²)/2")
    for number, point in enumerate(points):
        low, high = point.interval(generator)
        label = "measured, 95% interval" if number == 0 else None
        axes.vlines(point.rate, low, high, color=GREY, linewidth=1.0)
        axes.plot(
            point.rate, point.waste, marker="o", markersize=4, linestyle="", color=INKS[1],
            markeredgecolor="black", markeredgewidth=0.5, label=label,
        )  # fmt: skip
    axes.set_xlabel("drops a second")
    axes.set_ylabel("seconds wasted a skill")
    axes.set_title(f"skills of {timing.mean:.2f} ± {timing.spread:.2f} s")
    axes.set_ylim(bottom=0.0)
    bare(axes, "y")
    axes.legend(frameon=False)
    return figure
