"""DKPROMPT over hands that do not reach: what the robot refuses is not tried again."""

from __future__ import annotations

import numpy as np
from symbolic_bar import BlindVision, Events, SymbolicBar
from symbolic_blocks import blocks_robot

from regrasp.core.action import Action
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.dkprompt import dkprompt
from regrasp.methods.method import Assignment
from regrasp.worlds.blocks.problems import draw_problem


def test_a_put_that_one_hand_cannot_reach_is_done_by_the_other() -> None:
    def short(robot: SymbolicBar, action: Action) -> Feedback | None:
        left = Fact.of("holding", "left_hand", action.args[0]) in robot.truth
        if action.name != "put" or action.args[1] == "table" or not left:
            return None
        error = f"Could not put {action.args[0]}: the left_hand would stay 5 cm short."
        return Feedback(FeedbackLevel.PHYSICAL, FailureCode.OUT_OF_REACH, error)

    problem = draw_problem(np.random.default_rng(0), 3)
    robot = blocks_robot(problem)
    robot.breaks = short
    said = " and ".join(f"{x} on {y}" for x, y in problem.goal)
    claim = dkprompt(
        Assignment(f"put {said}", robot, robot.domain, ScriptedModel(), BlindVision(), Events())
    )
    assert claim.done and all(Fact.of("on", x, y) in robot.truth for x, y in problem.goal)
    refused = len(robot.tried) - len(robot.ran)
    assert 0 < refused <= len(problem.goal), "the left hand was tried once for each put"
