"""The subject and origin of a report: episodes, models, command, versions, links."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from regrasp._version import __version__
from regrasp.bench.layout import LeftOut
from regrasp.bench.manifest import Manifest
from regrasp.bench.protocol import read_protocol, seed_ranges
from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import (
    Block,
    Cell,
    Code,
    EpisodeLink,
    Episodes,
    ReportSection,
    Table,
    Text,
)
from regrasp.bench.report.grid import Grid, method_label, task_label
from regrasp.bench.suite import refused
from regrasp.bench.suite_registry import is_suite_file
from regrasp.core.dates import date_text
from regrasp.core.estimates import Estimates
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TRACE_FILE
from regrasp.view.page import PAGE_FILE

__all__ = ["command", "episodes_section", "lead", "left_out_blocks", "made_section"]

_ABOUT = 240  # characters of an agent's reason in a link


_ESTIMATES = {
    Estimates.PRIVILEGED: " Skills and reports of the robot read true poses: privileged estimates.",
    Estimates.SENSED: " Skills and reports of the robot use sensed estimates of poses.",
}


def lead(grid: Grid, manifest: Manifest) -> list[Block]:
    """The run in a few sentences, and the broken episodes."""
    records = list(grid)
    seeds = sorted({r.key.seed for r in records})
    broken = [r for r in records if r.outcome is Outcome.BROKEN]
    ran = (
        f"{grid.suite.summary}. {len(records)} episodes: {_count(len(grid.tasks), 'task')}, "
        f"{_count(len(grid.methods), 'method')}, {_count(len(seeds), 'seed')} "
        f"({seed_ranges(seeds)}). Language model: {manifest.llm}. Vision model: {manifest.vlm}. "
        "Success needs both words: the world's judge finds the task done, and the agent claims so."
    )
    if manifest.vlm.startswith("oracle"):
        ran += " The vision model is an oracle: it reads the simulator, as no robot can."
    estimates = manifest.like.estimates
    ran += _ESTIMATES[Estimates.SENSED if grid.suite.senses else estimates]
    if manifest.like.cameras:
        ran += f" The vision model sees the cameras {', '.join(manifest.like.cameras)} alone."
    reserved = read_protocol().describe_run(
        manifest.suite, seeds, manifest.llm, manifest.vlm, estimates, manifest.like.cameras
    )
    blocks: list[Block] = [Text(ran), Text(reserved)]
    if broken:
        share = (
            f"{len(broken)} of {len(records)} episodes broke (an exception, a dead or hanging "
            "process). That is a fault of Regrasp, not of the method: they are in no rate, mean or "
            "test, nor in any denominator. “regrasp bench … --resume” runs them again. Why they "
            "broke:"
        )
        reasons = Counter((r.key.method, r.reason) for r in broken).most_common(10)
        rows = tuple((Cell(m), Cell(why), Cell(str(n))) for (m, why), n in reasons)
        head = ("method", "why", "episodes")
        blocks.append(Table(share, head, rows, labels=2))
    else:
        blocks.append(Text("No episode broke."))
    wanted = _wanted(grid, manifest, seeds)
    if wanted > len(records):
        missing = (
            f"Of {wanted} episodes that were asked for {len(records)} are here: the run is not "
            "complete, or it was a comparison that stopped early."
        )
        blocks.append(Text(missing))
    return blocks


def _wanted(grid: Grid, manifest: Manifest, seeds: Sequence[int]) -> int:
    """How many episodes the run has when it is complete: a table of the protocol is not a grid."""
    suite, asked = grid.suite, manifest.asked
    like = manifest.like
    table = read_protocol().table_of(
        manifest.suite, seeds, manifest.llm, manifest.vlm, like.estimates, like.cameras
    )
    cells = {
        (task.name, method.name, seed)
        for run in ((asked,) if table is None else table.runs)
        for task in suite.chosen_tasks(run.tasks)
        for method in suite.chosen_methods(run.methods)
        for seed in run.seeds
        if grid.all(task, method) or not (suite.by_world and refused(task, method))
    }
    return len(cells)


def left_out_blocks(left_out: Sequence[LeftOut]) -> list[Block]:
    """What is in the run's folder and is no episode of the run, if there is any."""
    if not left_out:
        return []
    about = (
        f"{_count(len(left_out), 'path')} in the folder of the run "
        f"{'is' if len(left_out) == 1 else 'are'} no part of it: in no rate, mean or test."
    )
    rows = tuple((Cell(one.path), Cell(one.why)) for one in left_out)
    return [Table(about, ("path", "why it is left out"), rows, labels=2)]


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def command(manifest: Manifest) -> str:
    """The command that repeats this run, from its manifest."""
    asked, like = manifest.asked, manifest.like
    address = Path(manifest.suite).name if is_suite_file(manifest.suite) else manifest.suite
    seeds = sorted(asked.seeds)
    words = ["regrasp", "bench", address, "--methods", ",".join(asked.methods)]
    words += ["--tasks", ",".join(asked.tasks), "--episodes", str(seeds[-1] - seeds[0] + 1)]
    words += ["--first-seed", str(seeds[0]), "--llm", manifest.llm, "--vlm", manifest.vlm]
    words += ["--size", f"{like.size[0]}x{like.size[1]}", "--renderer", like.renderer]
    words += ["--video"] if like.video else []
    return shlex.join(words) + " --out DIR"


def made_section(manifest: Manifest) -> ReportSection:
    """The command, the versions and the configuration of the episodes."""
    rows = [
        ("begun", date_text(manifest.wall_started_s)),
        ("machine", manifest.machine),
        ("configuration", manifest.digest),
        ("source", manifest.source),
        *manifest.configuration.items(),
    ]
    cells = tuple((Cell(name), Cell(value)) for name, value in rows)
    again = f"{command(manifest)}\nregrasp report DIR"
    caption = (
        f"What the run was made with. This report was made by Regrasp {__version__}; “source” is a "
        "digest of its code when the run was begun. Every interval that needs random draws has "
        "them from the same seed, so the same run gives the same report."
    )
    made: list[Block] = [Code(again), Table(caption, ("", ""), cells, labels=2)]
    return ReportSection("How this was made", made)


def episodes_section(grid: Grid, root: Path, out: Path) -> ReportSection:
    """A link to every episode: to its page if it has one, else to its trace."""
    text = (
        "Every episode by its seed. ✓ succeeded, ✗ failed, ! broken. A link leads to the page of "
        "the episode where there is one (“regrasp report --pages” makes them), else to its trace."
    )
    blocks: list[Block] = [Text(text)]
    for method in grid.methods:
        for task in grid.tasks:
            records = grid.all(task, method)
            if records:
                links = tuple(_link(record, root, out) for record in records)
                blocks.append(Episodes(task_label(task), method_label(method), links))
    return ReportSection("Episodes", blocks)


def _link(record: EpisodeRecord, root: Path, out: Path) -> EpisodeLink:
    folder = root / record.trace
    name = PAGE_FILE if (folder / PAGE_FILE).exists() else TRACE_FILE
    target = Path(os.path.relpath(folder / name, out)).as_posix()
    reason = record.reason if len(record.reason) <= _ABOUT else record.reason[:_ABOUT] + "…"
    about = f"{record.outcome}, {record.sim_s:.0f} s" + (f": {reason}" if reason else "")
    return EpisodeLink(record.key.seed, record.outcome, quote(target), about)
