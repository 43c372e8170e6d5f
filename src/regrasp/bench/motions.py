"""The motions suite: single motions in real physics, and negative controls (REPLAN, appendix C.1).

Each motion is a reward program as a language model would write it, and the facts it should make
true. The world's judge decides whether it did. The robot's own report is recorded beside the
verdict, to measure the say–do gap. In a negative control an obstacle is in the way (a bar, a lock,
a kettle): it succeeds if the facts never become true and the robot reports a failure.
"""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.bench.suite import Paper
from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Literal, parse_literals

__all__ = ["MOTIONS", "MotionTask", "motion_task"]


@dataclass(frozen=True, slots=True)
class MotionTask:
    """One row of the suite.

    `goal` are the literals that the program should make true, all false at the start. `possible` is
    False in a negative control. `noted` is recorded and not required.
    """

    name: str
    world: str
    task: str
    program: str
    goal: tuple[Literal, ...]
    noted: tuple[Literal, ...] = ()
    possible: bool = True
    paper: Paper | None = None


def _touch(thing: str) -> str:
    return f'minimize_l2_distance_reward("palm", "{thing}")\n'


def _open(joint: str) -> str:
    return f'set_joint_fraction_reward("{joint}", 1, primary_reward=True)\n'


def _bring(thing: str, to: str) -> str:
    return f'minimize_l2_distance_reward("{thing}", "{to}", primary_reward=True)\n'


def _remove(thing: str, of: str) -> str:
    return f'maximize_l2_distance_reward("{thing}", "{of}", primary_reward=True)\n'


_LEFT, _RIGHT = "wooden_cabinet_left_handle", "wooden_cabinet_right_handle"

MOTIONS: tuple[MotionTask, ...] = (
    MotionTask(
        "open-door", "cabinet", "closed", _touch(_LEFT) + _open("wooden_cabinet_left_door"),
        parse_literals("open(wooden_cabinet_left_door)"), paper=Paper(1.0, 20),
    ),
    MotionTask(
        "remove-bar", "cabinet", "barred", _touch("red_bar") + _remove("red_bar", _LEFT),
        parse_literals(f"apart(red_bar, {_LEFT})", f"apart(red_bar, {_RIGHT})"),
        paper=Paper(1.0, 20),
    ),
    MotionTask(
        "remove-kettle", "kitchen", "apple",
        _touch("kettle") + _remove("kettle", "microwave_handle"),
        parse_literals("apart(kettle, microwave_handle)"),
        noted=parse_literals("upright(kettle)"), paper=Paper(0.8, 20),
    ),
    MotionTask(
        "pull-lever", "lever", "locked", _touch("lever") + _open("lever"),
        parse_literals("open(lever)", "not locked(wooden_cabinet_door)"), paper=Paper(1.0, 20),
    ),
    MotionTask(
        "place-cube", "cabinet", "open",
        _touch("yellow_cube") + _bring("yellow_cube", "target_position_in_wooden_cabinet"),
        parse_literals("inside(yellow_cube, wooden_cabinet)"),
    ),
    MotionTask(
        "press-sensor", "sensor", "locked",
        _touch("red_cube") + _bring("red_cube", "weight_sensor"),
        parse_literals("on(red_cube, weight_sensor)", "not locked(stone_cabinet_door)"),
    ),
    MotionTask(
        "barred-door", "cabinet", "barred", _touch(_LEFT) + _open("wooden_cabinet_left_door"),
        parse_literals("open(wooden_cabinet_left_door)"), possible=False,
    ),
    MotionTask(
        "locked-door", "lever", "locked",
        _touch("wooden_cabinet_handle") + _open("wooden_cabinet_door"),
        parse_literals("open(wooden_cabinet_door)"), possible=False,
    ),
    MotionTask(
        "blocked-microwave", "kitchen", "apple",
        _touch("microwave_handle") + _open("microwave_door"),
        parse_literals("open(microwave_door)"), possible=False,
    ),
)  # fmt: skip
"""The suite, in the order of its table."""


def motion_task(name: str) -> MotionTask:
    """The motion of that name; spaces and hyphens are the same."""
    known = {motion.name: motion for motion in MOTIONS}
    found = known.get(name.strip().lower().replace(" ", "-"))
    if found is None:
        raise UnknownNameError("motion", name, known)
    return found
