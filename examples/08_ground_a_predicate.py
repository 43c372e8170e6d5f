"""Ground predicates: true or false, computed from depth and odometry, with the evidence for it.

A mobile robot stands in an apartment that it does not know. It makes a map from some pictures that
were taken before, finds the furniture in it, and says of some things whether there is a path to
them, whether it sees them, and whether a hand could take them or put something on them. Each answer
comes with the reason and with evidence: a path, a mask, grasps, a free place. Two pieces of
evidence are drawn as pictures. No predicate asks the simulator.

    python examples/08_ground_a_predicate.py
"""

import sys
import tempfile
from itertools import islice
from pathlib import Path

import numpy as np
from PIL import Image

from regrasp.core.fact import Fact
from regrasp.core.grounded import BasePose, PathEvidence
from regrasp.core.grounding import GroundedRobot
from regrasp.episodes.grounding import arm_maps, perceived_grounding
from regrasp.episodes.setting import world_setting
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.perception.occupancy import occupancy_grid
from regrasp.view.draw_evidence import draw_on_image, draw_path
from regrasp.worlds.registry import open_world

THINGS = ("white_table", "black_table", "paper_box")
PICTURES = 16  # of one standpoint; a whole tour has 144


def main() -> bool:
    world = open_world("apartment", "place-box", seed=0)
    with world_setting(world, size=(320, 240)) as setting:
        robot = setting.robot
        assert isinstance(robot, GroundedRobot)
        evidence = perceived_grounding(setting, islice(robot.survey(), PICTURES))
        print(f"the map has {', '.join(sorted(evidence.pieces)) or 'no furniture'}")
        predicates = EvidencePredicates(robot, evidence, lambda: arm_maps(world))
        found = [
            predicates.ground(Fact.of(predicate, thing))
            for thing in THINGS
            for predicate in ("find", "at", "detected", "placeable")
            if predicate != "placeable" or thing.endswith("table")
        ]
        for one in found:
            print(one)
        folder = Path(tempfile.mkdtemp(prefix="regrasp-"))
        for one in found:
            if one.value and isinstance(one.evidence, PathEvidence):
                grid = occupancy_grid(
                    evidence.voxels, evidence.parts.footprint, standing=BasePose()
                )
                shown = draw_path(
                    grid.blocked, grid.known, grid.free, grid.low, grid.cell, one.evidence, scale=4
                )
            elif one.value and one.evidence is not None:
                shown = draw_on_image(robot.look("head"), one.evidence)
            else:
                continue
            name = f"{one.fact.predicate}-{one.fact.args[0]}.png"
            Image.fromarray(np.asarray(shown)).save(folder / name)
            print(f"drawn: {folder / name}")
    return any(one.value for one in found)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
