"""Records that no robot made: for statistics, reports and exports, which ask only for records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from regrasp.bench.manifest import EpisodeSelection, Manifest, configuration, new_manifest
from regrasp.bench.record import (
    CheckedAnswer,
    EpisodeJob,
    EpisodeKey,
    EpisodeRecord,
    episode_outcome,
)
from regrasp.bench.store import Results
from regrasp.bench.suite import Suite
from regrasp.bench.suite_registry import open_suite
from regrasp.core.outcome import Outcome

CODES = ("resisted", "dropped", "unreached", "not_grasped", "timed_out")
REASONS = ("none of 5 procedures reached the goal", "could not open the <b>door</b>", "goal unseen")
PREDICATES = ("seen", "open", "on", "blocking")


def record(task: str = "one", method: str = "a", seed: int = 0, **changes: object) -> EpisodeRecord:
    """An episode that succeeded, but for `changes`."""
    key = EpisodeKey("made-up", task, method, "scripted", "oracle", seed)
    values: dict[str, object] = {
        "key": key, "outcome": Outcome.SUCCEEDED, "claimed": True, "done": True, "reason": "done",
        "sim_s": 10.0, "wall_s": 5.0, "cpu_s": 4.0, "calls": 7, "tokens": 900, "motions": 3,
        "looks": 1, "replans": 0, "failures": (), "checks": (),
        "trace": f"episodes/{task}/{method}/{seed}", **changes,
    }  # fmt: skip
    return EpisodeRecord(**values)  # type: ignore[arg-type]


def failed(task: str = "one", method: str = "a", seed: int = 0, **changes: object) -> EpisodeRecord:
    """An episode that failed and said so, but for `changes`."""
    values = {"outcome": Outcome.FAILED, "claimed": False, "done": False, "reason": "", **changes}
    return record(task, method, seed, **values)


def broken(task: str = "one", method: str = "a", seed: int = 0, why: str = "boom") -> EpisodeRecord:
    """An episode that broke."""
    values = {"outcome": Outcome.BROKEN, "claimed": False, "done": False, "reason": why}
    return record(task, method, seed, sim_s=0.0, **values)


def run_of(suite: Suite, seeds: int, rng: np.random.Generator) -> tuple[EpisodeRecord, ...]:
    """A whole run, each episode succeeding as often as the paper says; some break."""
    found = []
    for task in suite.tasks:
        for method in suite.methods:
            paper = suite.figures.get(method.name, {}).get(task.name)
            rate = 0.1 + 0.8 * (paper.rate if paper else 0.5)
            for seed in range(seeds):
                found.append(_episode(task.name, method.name, seed, rate, rng))
    return tuple(found)


def _episode(
    task: str, method: str, seed: int, rate: float, rng: np.random.Generator
) -> EpisodeRecord:
    if rng.random() < 0.01:
        return broken(task, method, seed, "ZeroDivisionError: <script>alert(1)</script>")
    done = bool(rng.random() < rate)
    claimed = bool(rng.random() < (0.97 if done else 0.25))
    checks = tuple(_check(i, rng) for i in range(int(rng.integers(4, 14))))
    hurt = int(rng.poisson(0.4 if done else 1.5))
    return record(
        task,
        method,
        seed,
        outcome=episode_outcome(done, claimed),
        claimed=claimed,
        done=done,
        reason="after open, put" if done else str(rng.choice(REASONS)),
        sim_s=float(rng.lognormal(3.4, 0.5)),
        wall_s=float(rng.lognormal(3.0, 0.4)),
        cpu_s=float(rng.lognormal(3.0, 0.4)),
        calls=int(rng.poisson(30)),
        tokens=int(rng.poisson(9000)),
        motions=1 + int(rng.poisson(4)),
        looks=int(rng.poisson(1.4)),
        replans=hurt,
        failures=tuple(str(code) for code in rng.choice(CODES, hurt)),
        checks=checks,
    )


def _check(i: int, rng: np.random.Generator) -> CheckedAnswer:
    truth = "yes" if rng.random() < 0.5 else "no"
    wrong = "no" if truth == "yes" else "yes"
    said = str(rng.choice([truth, wrong, "unknown"], p=[0.85, 0.1, 0.05]))
    predicate = PREDICATES[i % len(PREDICATES)]
    return CheckedAnswer(predicate, f"Is the {predicate} so?", said, truth, float(i))


def manifest_of(suite: Suite, seeds: int) -> Manifest:
    """A manifest as a run of all of `suite` would leave it."""
    like = EpisodeJob(suite.name, EpisodeKey(suite.name, "", "", "scripted", "oracle", 0))
    asked = EpisodeSelection(
        tuple(task.name for task in suite.tasks),
        tuple(method.name for method in suite.methods),
        tuple(range(seeds)),
    )
    manifest = new_manifest(configuration(suite, like), like, asked, 1.7e9)
    return replace(manifest, source="0" * 64)  # it need not wait for nobody to edit the source


def replan_run(root: Path, seeds: int, seed: int = 0) -> tuple[Suite, Results]:
    """A made-up run of the suite `replan`."""
    suite = open_suite("replan")
    records = run_of(suite, seeds, np.random.default_rng(seed))
    return suite, Results(root, manifest_of(suite, seeds), records)
