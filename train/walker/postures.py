"""`python -m train.walker.postures`: moments of the walker at work, for the gallery of the eyes.

Episodes with oracle eyes, boxes that slip and pillars in the way; a moment in every 0.3 s is kept,
and of those as many of each kind as there is room for.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regrasp.bench.protocol import refuse_reserved
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.lab.vision.postures import FILE, Posture
from regrasp.methods.registry import open_method
from regrasp.worlds.walker_room.world import WalkerWorld
from regrasp.worlds.world import CONTROL_DT

TASKS = ("move-box:p=0.08", "obstacle-forest:d=0.6")
FIRST_SEED = 50_000
"""The shipped postures were made from seed 5,000 on, before seeds were reserved."""
_EVERY = round(0.3 / CONTROL_DT)
_LIMIT_S = 90.0
_LOW_M = 0.48  # of the trunk of who squats


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=16, help="of each task")
    parser.add_argument("--keep", type=int, default=1_000, help="moments")
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    seeds = range(FIRST_SEED, FIRST_SEED + given.episodes)
    found = [posture for task in TASKS for seed in seeds for posture in moments(task, seed)]
    kept = spread(found, given.keep, np.random.default_rng(FIRST_SEED))
    np.save(given.out, np.stack([posture.row for posture in kept]))
    print(f"{len(kept)} of {len(found)} moments in {given.out}")


def moments(task: str, seed: int) -> list[Posture]:
    """What the walker looks like in an episode, while it does not lie."""
    refuse_reserved([seed], "these postures")
    found: list[Posture] = []
    advance = WalkerWorld.advance

    def noted(world: WalkerWorld, control: npt.NDArray[np.float64]) -> None:
        advance(world, control)
        if round(world.seconds / CONTROL_DT) % _EVERY == 0 and not world.fallen:
            found.append(Posture.in_world(world))

    WalkerWorld.advance = noted  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as folder:
            spec = EpisodeSpec(
                WorldTask("walker_room", task, seed), open_method("doremi"), "doremi",
                ScriptedModel(), oracle_factory(), recording=Recording(False, size=(16, 12)),
                limit_s=_LIMIT_S,
            )  # fmt: skip
            run_episode(spec, folder)
    finally:
        WalkerWorld.advance = advance  # type: ignore[method-assign]
    return found


def spread(found: list[Posture], keep: int, rng: np.random.Generator) -> list[Posture]:
    """As many of each kind: held or not, by the box or not, at a table or not, low or upright."""
    kinds: dict[tuple[bool, ...], list[Posture]] = {}
    for posture in found:
        kind = (posture.held, posture.box is None, posture.table is None, posture.height < _LOW_M)
        kinds.setdefault(kind, []).append(posture)
    some: list[Posture] = []
    for left, kind in enumerate(sorted(kinds.values(), key=len)):
        share = (keep - len(some)) // (len(kinds) - left)
        chosen = rng.permutation(len(kind))[:share]
        some += [kind[n] for n in sorted(chosen.tolist())]
    return some


if __name__ == "__main__":
    main()
