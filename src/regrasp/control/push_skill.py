"""Push a button with the tips of closed fingers."""

from __future__ import annotations

from functools import partial

import numpy as np

from regrasp.control.affordance import SceneObject
from regrasp.control.following import follow, follow_all, hold_still
from regrasp.control.hand_paths import backed, free_ways
from regrasp.control.hand_skills import failed, no_free_hand, refuse, settle
from regrasp.control.ik import Pose
from regrasp.control.postures import hand_rotation
from regrasp.control.primitive_trial import Planning, PrimitiveTrial, best_first
from regrasp.control.staged_skill import Stages
from regrasp.control.trial_feedback import none_feasible
from regrasp.control.two_arms import OPEN_M, TwoArms
from regrasp.core.feedback import Evidence, FailureCode

__all__ = ["finger_push"]

_TIP_M = 0.010  # the fingers reach this far beyond the palm
_DEEP_M, _BACK_M = 0.014, 0.08
_SHUT_M, _SHUT_S, _PRESSED = 0.0, 0.4, 0.8
_YAWS = tuple(np.linspace(0.0, 2 * np.pi, 8, endpoint=False))


def finger_push(robot: TwoArms, machine: str) -> Stages:
    """Push the button of a machine once, and bring the arm to rest."""
    robot.begin()
    what = f"Could not push the button of {machine}"
    button = robot.part_of(machine, "switch") or robot.part_of(machine, "button")
    if button is None:
        return (yield from refuse(robot, failed(FailureCode.REFUSED, f"{what}: it has none.")))
    if full := no_free_hand(robot, what):
        return (yield from refuse(robot, full))
    yield from settle(robot)
    trials = _primitives(robot, button)
    best = trials[0]
    if not best.feasible:
        return (yield from refuse(robot, none_feasible(robot, what, trials)))
    arm, pressed = best.arm, False

    def watch() -> bool:
        nonlocal pressed
        pressed = pressed or robot.fraction(button.joint) > _PRESSED
        return pressed

    arm.fingers = _SHUT_M
    yield from follow_all(arm, best.parts["approach"], "approach")
    yield from hold_still(arm, _SHUT_S, "close")
    (down,) = best.parts["push"]
    yield from follow(arm, down, "push", until=watch)
    if not pressed:
        yield from hold_still(arm, _SHUT_S, "push", until=watch)
    yield from follow(arm, np.array([arm.q, down[0]]), "retreat")
    arm.fingers = OPEN_M
    yield from follow_all(arm, best.parts.get("return", ()), "return")
    if pressed:
        return None
    return failed(
        FailureCode.RESISTED, f"{what}: it did not go in.", "The fingers met something before it.",
        "", Evidence("pushed", round(robot.fraction(button.joint), 2)),
    )  # fmt: skip


def _primitives(robot: TwoArms, button: SceneObject) -> list[PrimitiveTrial]:
    robot.see()
    site, trials = robot.site(button.site), []
    for arm in robot.arms.values():
        if not arm.holds:
            for yaw in _YAWS:
                plan = partial(_plan, button=button, site=site, yaw=float(yaw))
                trials.append(PrimitiveTrial(robot, arm, f"with the {arm.hand}", plan))
    return best_first(trials)


def _plan(trial: PrimitiveTrial, button: SceneObject, site: Pose, yaw: float) -> Planning:
    robot, arm = trial.robot, trial.arm
    into = site.rotation[:, 2]
    across = np.cos(yaw) * site.rotation[:, 0] + np.sin(yaw) * site.rotation[:, 1]
    touch = Pose(site.position - _TIP_M * into, hand_rotation(into, across))
    model = robot.plant.planning
    head = str(model.body(int(model.site(button.site).bodyid[0])).name)
    parts = (head, button.of or button.name)
    q = trial.solve(backed(touch, _BACK_M), gripped=parts, fingers=_SHUT_M)
    down = trial.line(q, backed(touch, -_DEEP_M))
    trial.use("push", down, gripped=parts, fingers=_SHUT_M)
    yield
    trial.use_best("approach", free_ways(trial, arm.q, q))
    yield
    trial.use_if_free("return", free_ways(trial, q, arm.home))
