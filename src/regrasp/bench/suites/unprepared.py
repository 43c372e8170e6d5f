"""Instructions without preparation: REPLAN's tasks in other words, and other goals in its worlds.

The paper has no figures for these. Each is judged by its own goal, not by the world's.
"""

from __future__ import annotations

from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask

__all__ = ["SUITE"]

_STORED = ("inside(yellow_cube, wooden_cabinet)",)
_APPLE = ("visible(green_apple)",)
_BLUE = ("visible(blue_cube)",)
_RED_ON = ("on(red_cube, crate)",)

_PARAPHRASES = (
    SuiteTask(
        "said-01", "cabinet", "open", goal=_STORED,
        instruction="grab the yellow block and drop it into the wooden cabinet",
    ),
    SuiteTask(
        "said-02", "cabinet", "closed", goal=_STORED,
        instruction="tuck the yellow cube away in the cabinet",
    ),
    SuiteTask(
        "said-03", "cabinet", "closed", goal=_STORED,
        instruction="the yellow cube should end up in the cabinet",
    ),
    SuiteTask(
        "said-04", "cabinet", "barred", goal=_STORED,
        instruction="could you please store the yellow cube in the wooden cabinet",
    ),
    SuiteTask(
        "said-05", "kitchen", goal=_APPLE,
        instruction="where is the green apple?",
    ),
    SuiteTask(
        "said-06", "kitchen", goal=_APPLE, instruction="search the kitchen for the green apple",
    ),
    SuiteTask(
        "said-07", "lever", goal=_BLUE,
        instruction="I am looking for the blue cube, can you find it?",
    ),
    SuiteTask(
        "said-08", "lever", goal=_BLUE, instruction="discover where the blue cube has been put",
    ),
    SuiteTask(
        "said-09", "cubes", "match",
        instruction="put the cube that matches the colour of the crate on top of it",
    ),
    SuiteTask(
        "said-10", "cubes", "match",
        instruction="of the two cubes, place the one with the crate's colour on the crate",
    ),
    SuiteTask(
        "said-11", "cubes", "occupied", goal=_RED_ON,
        instruction="set the red block down on the crate",
    ),
    SuiteTask(
        "said-12", "cubes", "occupied", goal=_RED_ON,
        instruction="get the red cube onto the crate",
    ),
    SuiteTask(
        "said-13", "sensor",
        instruction="please open the stone cabinet (it is unlocked while the red cube is on "
        "the weight sensor)",
    ),
    SuiteTask(
        "said-14", "sensor",
        instruction="the stone cabinet unlocks when the red cube is placed on the weight sensor, "
        "so do that and open the stone cabinet",
    ),
)  # fmt: skip

_GOALS = (
    SuiteTask(
        "goal-clear-crate", "cubes", "occupied", goal=("not on(yellow_cube, crate)",),
        instruction="clear the crate",
    ),
    SuiteTask(
        "goal-make-room", "kitchen", goal=("not blocking(kettle, microwave)",),
        instruction="make room in front of the microwave",
    ),
    SuiteTask(
        "goal-open-cabinet", "cabinet", "closed", goal=("open(wooden_cabinet_left_door)",),
        instruction="open up the wooden cabinet",
    ),
    SuiteTask(
        "goal-no-bar", "cabinet", "barred",
        goal=("apart(red_bar, wooden_cabinet_left_handle)",),
        instruction="take the red bar off the wooden cabinet",
    ),
    SuiteTask(
        "goal-unlock", "lever", goal=("not locked(wooden_cabinet_door)",),
        instruction="unlock the cabinet",
    ),
    SuiteTask(
        "goal-weigh", "sensor", goal=("on(red_cube, weight_sensor)",),
        instruction="move the red cube onto the weight sensor",
    ),
    SuiteTask(
        "goal-wrong-colour", "cubes", "match", goal=("on(red_cube, crate)",),
        instruction="place the red cube upon the crate",
    ),
    SuiteTask(
        "goal-open-microwave", "kitchen", goal=("open(microwave_door)",),
        instruction="open the microwave, please",
    ),
)  # fmt: skip

SUITE = Suite(
    name="unprepared",
    summary="fourteen paraphrases of REPLAN's instructions and eight goals of other kinds",
    tasks=_PARAPHRASES + _GOALS,
    methods=(
        SuiteMethod("full", "replan", "REPLAN [full]"),
        SuiteMethod("no-replan", "replan-no-replan", "REPLAN [no Replan]"),
    ),
    episodes=2,
)
"""The suite."""
