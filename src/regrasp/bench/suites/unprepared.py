"""Instructions without preparation: REPLAN's tasks in other words, and other goals in its worlds.

The paper has no figures for these. Each is judged by its own goal, or by the world's if it
has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask

__all__ = ["SUITE"]

_Row: TypeAlias = tuple[str, str | None, str, str]
"""World, task (None for its first), goal (empty for the task's own) and instruction."""

_STORED = "inside(yellow_cube, wooden_cabinet)"
_APPLE = "visible(green_apple)"
_BLUE = "visible(blue_cube)"
_RED_ON = "on(red_cube, crate)"
_LEFT = "wooden_cabinet_left"

_PARAPHRASES: tuple[_Row, ...] = (
    ("cabinet", "open", _STORED, "grab the yellow block and drop it into the wooden cabinet"),
    ("cabinet", "closed", _STORED, "tuck the yellow cube away in the cabinet"),
    ("cabinet", "closed", _STORED, "the yellow cube should end up in the cabinet"),
    ("cabinet", "barred", _STORED, "could you please store the yellow cube in the wooden cabinet"),
    ("kitchen", None, _APPLE, "where is the green apple?"),
    ("kitchen", None, _APPLE, "search the kitchen for the green apple"),
    ("lever", None, _BLUE, "I am looking for the blue cube, can you find it?"),
    ("lever", None, _BLUE, "discover where the blue cube has been put"),
    ("cubes", "match", "", "put the cube that matches the colour of the crate on top of it"),
    ("cubes", "match", "", "of the two cubes, place the one with the crate's colour on the crate"),
    ("cubes", "occupied", _RED_ON, "set the red block down on the crate"),
    ("cubes", "occupied", _RED_ON, "get the red cube onto the crate"),
    ("sensor", None, "", "please open the stone cabinet (it is unlocked while the red cube is on "
     "the weight sensor)"),
    ("sensor", None, "", "the stone cabinet unlocks when the red cube is placed on the weight "
     "sensor, so do that and open the stone cabinet"),
)  # fmt: skip

_GOALS: Mapping[str, _Row] = {
    "clear-crate": ("cubes", "occupied", "not on(yellow_cube, crate)", "clear the crate"),
    "make-room": ("kitchen", None, "not blocking(kettle, microwave)",
                  "make room in front of the microwave"),
    "open-cabinet": ("cabinet", "closed", f"open({_LEFT}_door)", "open up the wooden cabinet"),
    "no-bar": ("cabinet", "barred", f"apart(red_bar, {_LEFT}_handle)",
               "take the red bar off the wooden cabinet"),
    "unlock": ("lever", None, "not locked(wooden_cabinet_door)", "unlock the cabinet"),
    "weigh": ("sensor", None, "on(red_cube, weight_sensor)",
              "move the red cube onto the weight sensor"),
    "wrong-colour": ("cubes", "match", _RED_ON, "place the red cube upon the crate"),
    "open-microwave": ("kitchen", None, "open(microwave_door)", "open the microwave, please"),
}  # fmt: skip


def _task(name: str, world: str, task: str | None, goal: str, instruction: str) -> SuiteTask:
    literals = (goal,) if goal else ()
    return SuiteTask(name, world, task, instruction=instruction, goal=literals)


SUITE = Suite(
    name="unprepared",
    summary="fourteen paraphrases of REPLAN's instructions and eight goals of other kinds",
    tasks=(
        *(_task(f"said-{i:02}", *row) for i, row in enumerate(_PARAPHRASES, start=1)),
        *(_task(f"goal-{name}", *row) for name, row in _GOALS.items()),
    ),
    methods=(
        SuiteMethod("full", "replan", "REPLAN [full]"),
        SuiteMethod("no-replan", "replan-no-replan", "REPLAN [no Replan]"),
    ),
    episodes=2,
)
"""The suite."""
