"""Does the robot name the thing that is in its way? Compared with the judge, without an episode.

    python tests/worlds/pizza/name_obstacles.py 0 20

In the pizza kitchen two bottles stand before one bowl. For each seed the robot ranks its primitives
for `get` of that bowl. A name counts as true if the judge knows that this thing stands before the
bowl. Then the named things are taken out of the scene and the robot tries again, until it can take
the bowl. It is a measurement, not a test; seeds below 100 are for it.
"""

from __future__ import annotations

import argparse

import mujoco

from regrasp.control.hand_get import grasp_primitives
from regrasp.control.trial_feedback import none_feasible
from regrasp.worlds.registry import open_world
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from regrasp.worlds.two_arms.kitchen_judge import KitchenJudge
from regrasp.worlds.two_arms.robot import TwoArmRobot

BOWL = "ham_bowl"
MOST_ROUNDS = 4


def main() -> None:
    """Print a line for each seed, then how often the first name, and how many of all, are true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    given = parser.parse_args()
    firsts, names, taken = [], [], 0
    for seed in range(given.first, given.first + given.count):
        rounds, reached = named_until_free(seed)
        taken += reached
        firsts += [rounds[0][0][1]] if rounds else []
        names += [true for one in rounds for _, true in one]
        words = [", ".join(n if true else f"{n} (wrong)" for n, true in one) for one in rounds]
        ends = "then taken" if reached else "never taken"
        print(f"seed {seed}: {'; '.join(words) or 'nothing in the way'}; {ends}")
    print(f"the first name is true in {sum(firsts)}/{len(firsts)} seeds")
    print(f"of all names, {sum(names)}/{len(names)} are true")
    print(f"taken after what was named is gone: {taken}/{given.count}")


def named_until_free(seed: int) -> tuple[list[list[tuple[str, bool]]], bool]:
    """The names of each round, whether each is true, and whether the bowl can be taken at last."""
    world = open_world("pizza", "add-ham", seed)
    assert isinstance(world, KitchenWorld)
    arms, judge = TwoArmRobot(world, size=(64, 48))._arms, KitchenJudge(world)
    arms.begin()
    rounds: list[list[tuple[str, bool]]] = []
    for _ in range(MOST_ROUNDS):
        trials = grasp_primitives(arms, BOWL, None)
        if trials[0].feasible:
            return rounds, True
        why = none_feasible(arms, "Could not get it", trials)
        hit = [str(one.value) for one in why.evidence if one.name == "would_hit"]
        if not hit:
            print(f"  {why}")
            return rounds, False
        rounds.append([(name, judge.holds("stood_before", name, BOWL)) for name in hit])
        for name in hit:
            remove(world, name)
    return rounds, False


def remove(world: KitchenWorld, name: str) -> None:
    """Take a thing out of the scene."""
    world.data.joint(f"{name}_free").qpos[0] = -3.0
    mujoco.mj_forward(world.model, world.data)


if __name__ == "__main__":
    main()
