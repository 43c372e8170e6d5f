"""Give the two-armed robot commands without any planner, and count which of them fail.

    python tests/worlds/two_arms/stress_hands.py bar 1 2 3
    python tests/worlds/two_arms/stress_hands.py pizza 1 2 --all
    python tests/worlds/two_arms/stress_hands.py blocks 1 2 3

Every routine is what a plan would ask for with one thing: take it, open it, pour, put it back. When
a command fails, the world goes back to the start of its routine. Seeds below 100 are for this. It
is a measurement, not a test.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from regrasp.core.action import Action
from regrasp.worlds.bar.scene import BOWLS, COLD, GLASSES, SHELVED
from regrasp.worlds.pizza.scene import BOTTLES, DOUGH, OVEN
from regrasp.worlds.pizza.scene import BOWLS as TOPPINGS
from regrasp.worlds.registry import open_world
from regrasp.worlds.two_arms.robot import TwoArmRobot
from regrasp.worlds.two_arms.world import TwoArmWorld

Command = tuple[str, ...]
Routine = list[Command]
TASKS = {"bar": None, "pizza": None, "blocks": "stack:5"}


def main() -> None:
    """Run the routines of the named seeds; a line for each failure, and a table after each seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("world", choices=TASKS)
    parser.add_argument("seeds", type=int, nargs="+")
    parser.add_argument("--all", action="store_true", help="all things, not a sample of them")
    parser.add_argument("--only", default="", help="routines whose first command has this word")
    given = parser.parse_args()
    spent: dict[str, list[float]] = defaultdict(list)
    failures: Counter[tuple[str, str]] = Counter()
    for seed in given.seeds:
        world = open_world(given.world, TASKS[given.world], seed)
        assert isinstance(world, TwoArmWorld)
        robot = TwoArmRobot(world, size=(64, 48))
        rng = np.random.default_rng(seed)
        for routine in _ROUTINES[given.world](world, rng, given.all):
            if any(given.only in word for word in routine[0]):
                run_routine(seed, world, robot, routine, spent, failures)
        print(f"up to seed {seed}:")
        print_table(spent, failures)


def run_routine(
    seed: int,
    world: TwoArmWorld,
    robot: TwoArmRobot,
    routine: Routine,
    spent: dict[str, list[float]],
    failures: Counter[tuple[str, str]],
) -> None:
    """Run commands until one fails; then undo all of them."""
    start, before = world.snapshot(), dict(robot._arms.taken)
    for name, *args in routine:
        began = time.process_time()
        skill = robot.start(Action(name, tuple(args)))
        while skill.step():
            pass
        report = skill.report
        assert report is not None
        spent[name].append(time.process_time() - began)
        if report.feedback is None:
            fallen = [held for held in _movable(world) if world.data.body(held).xmat[8] < 0.9]
            assert not fallen or name != "put", f"{fallen} lie"
            continue
        failures[name, str(report.code)] += 1
        print(f"seed {seed}, {spent[name][-1]:.1f} s: {name} {' '.join(args)}: {report.feedback}")
        world.restore(start)
        robot._arms.taken = before
        return


def print_table(spent: dict[str, list[float]], failures: Counter[tuple[str, str]]) -> None:
    """Commands by kind: how many, how many succeeded, CPU seconds, and why the others failed."""
    for name, times in sorted(spent.items()):
        codes = {code: count for (kind, code), count in failures.items() if kind == name}
        good = len(times) - sum(codes.values())
        print(
            f"{name:12} {good:4}/{len(times):<4} {100 * good / len(times):5.1f}%  "
            f"{statistics.mean(times):5.2f} s, at most {max(times):5.2f} s  {codes or ''}"
        )
    total = sum(map(len, spent.values()))
    good = total - sum(failures.values())
    print(f"all          {good}/{total}, {sum(map(sum, spent.values())):.0f} CPU s")


# ---- routines ----------------------------------------------------------------------------------


def bar_routines(world: TwoArmWorld, rng: np.random.Generator, every: bool) -> Iterator[Routine]:
    """Drinks without a recipe."""
    glass = str(rng.choice(GLASSES))
    for k, bottle in enumerate(_some(rng, SHELVED, 5, every)):
        again = [("screw", bottle)] if k % 2 else []
        yield [
            ("get", bottle, "shelf"), ("unscrew", bottle), ("pour", bottle, glass, "20"), *again,
            ("put", bottle, "shelf"),
        ]  # fmt: skip
    for bottle in _some(rng, COLD, 1, every):
        yield [
            ("open_door", "fridge"), ("get", bottle, "fridge"), ("unscrew", bottle),
            ("pour", bottle, glass, "20"), ("put", bottle, "fridge"), ("close_door", "fridge"),
        ]  # fmt: skip
    for bowl in _some(rng, BOWLS, 3, every):
        yield [("get", bowl, "table"), ("pour", bowl, glass, "10"), ("put", bowl, "table")]
    for served in _some(rng, GLASSES, 2, every):
        yield [
            ("get", served, "table"), ("put", served, "tray"), ("get", served, "tray"),
            ("put", served, "table"),
        ]  # fmt: skip


def pizza_routines(world: TwoArmWorld, rng: np.random.Generator, every: bool) -> Iterator[Routine]:
    """The things in the way first: a plan would move them."""
    before = sorted({thing for thing, _ in world.scene.stood_before})
    for bottle in before:
        yield [("get", bottle, "table"), ("put", bottle, "shelf")]
    for bottle in _some(rng, [one for one in BOTTLES if one not in before], 2, every):
        yield [
            ("get", bottle, "shelf"), ("unscrew", bottle), ("pour", bottle, DOUGH, "20"),
            ("put", bottle, "shelf"),
        ]  # fmt: skip
    for bowl in _some(rng, TOPPINGS, 4, every):
        yield [("get", bowl, "table"), ("pour", bowl, DOUGH, "20"), ("put", bowl, "table")]
    yield [
        ("open_door", OVEN), ("get", DOUGH, "table"), ("put", DOUGH, OVEN), ("close_door", OVEN),
        ("finger_push", OVEN), ("wait", "1"), ("finger_push", OVEN),
    ]  # fmt: skip


def blocks_routines(world: TwoArmWorld, rng: np.random.Generator, every: bool) -> Iterator[Routine]:
    """Take the towers apart, then build one tower of all."""
    above = dict(literal.fact.args for literal in world.start if literal.fact.predicate == "on")
    blocks = sorted(above)
    for block in _top_first(above):
        if above[block] != "table":
            yield [("get", block, above[block]), ("put", block, "table")]
    order = [str(block) for block in rng.permutation(blocks)]
    for lower, upper in pairwise(order):
        yield [("get", upper, "table"), ("put", upper, lower)]


_ROUTINES = {"bar": bar_routines, "pizza": pizza_routines, "blocks": blocks_routines}


def _top_first(above: dict[str, str]) -> list[str]:
    def level(block: str) -> int:
        return 0 if above[block] == "table" else 1 + level(above[block])

    return sorted(above, key=level, reverse=True)


def _some(rng: np.random.Generator, names: Sequence[str], count: int, every: bool) -> list[str]:
    chosen = rng.permutation(len(names))
    return [names[int(k)] for k in chosen[: len(names) if every else count]]


def _movable(world: TwoArmWorld) -> list[str]:
    return [thing.name for thing in world.scene.things.values() if thing.movable]


if __name__ == "__main__":
    main()
