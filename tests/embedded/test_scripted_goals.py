"""The scripted model reads goals: conditions, plurals, lists, any object of a kind, and doubt."""

from __future__ import annotations

import pytest

from regrasp.core.goal import parse_goal
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.embedded.scripted import ScriptedModel
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.parsing import Declined
from regrasp.prompts.scene import SceneDescription

PICK, STAND = (Affordance.PICK,), (Affordance.PUT_ON,)
OPENS, HOLDS = (Affordance.OPEN, Affordance.PUT_IN), (Affordance.PICK, Affordance.PUT_IN)
SCENE = SceneDescription(
    (
        ObjectDescription("red_vase", affordances=PICK),
        ObjectDescription("blue_vase", affordances=PICK),
        ObjectDescription("vase", affordances=PICK),
        ObjectDescription("oak_log", affordances=PICK),
        ObjectDescription("ripe_melon", affordances=PICK),
        ObjectDescription("small_basket", affordances=HOLDS),
        ObjectDescription("large_basket", affordances=HOLDS),
        ObjectDescription("hutch", affordances=OPENS),
        ObjectDescription("pedestal", affordances=STAND),
        ObjectDescription("lantern", affordances=(Affordance.TURN,)),
        ObjectDescription("study", kind="room"),
        ObjectDescription("terrace", kind="room"),
    )
)
THINGS = ("vase", "log", "melon")
FORMS = (
    GoalForm("on", ((*THINGS, "basket"), ("pedestal",)), "X is on Y"),
    GoalForm("inside", (THINGS, ("hutch", "basket")), "X is inside Y"),
    GoalForm("closed", (("hutch",),), "X is closed"),
    GoalForm("holding", (THINGS,), "X is held by the robot"),
    GoalForm("visible", (THINGS,), "X is in view"),
    GoalForm("sliced", (("melon",),), "X is sliced"),
    GoalForm("full", (("vase",),), "X is full"),
    GoalForm("hot", (("melon",),), "X is hot"),
    GoalForm("powered", (("lantern",),), "X is turned on"),
    GoalForm("in_room", ((*THINGS, "basket"), ("room",)), "X is in the room Y"),
)


def read(instruction: str) -> object:
    prompt = GoalPrompt(instruction, SCENE, FORMS)
    return prompt.parse(ScriptedModel().complete(prompt.messages()).text)


@pytest.mark.parametrize(
    ("instruction", "goal"),
    [
        ("put the melon on the pedestal", "on(ripe_melon, pedestal)"),
        ("open the hutch", "not closed(hutch)"),
        ("push the hutch shut", "closed(hutch)"),
        ("take the melon out of the hutch", "not inside(ripe_melon, hutch)"),
        ("find the oak log", "visible(oak_log)"),
        ("cook the melon", "hot(ripe_melon)"),
        ("cut the ripe melon with the lantern", "sliced(ripe_melon)"),
        ("fill the red vase", "full(red_vase)"),
        ("turn the lantern on", "powered(lantern)"),
        ("please switch off the lantern", "not powered(lantern)"),
        ("heat the melon and put it in the hutch", "hot(ripe_melon); inside(ripe_melon, hutch)"),
        ("put the vase on the pedestal", "on(vase, pedestal)"),
        ("put a vase on the pedestal", "on(?vase, pedestal)"),
        ("put one of the vases on the pedestal", "on(?vase, pedestal)"),
        ("bring the firewood in", "in_room(oak_log, study)"),
        ("take the melon outside", "in_room(ripe_melon, terrace)"),
        ("put the melon in the study", "in_room(ripe_melon, study)"),
        (
            "put the vases in the hutch",
            "inside(red_vase, hutch); inside(blue_vase, hutch); inside(vase, hutch)",
        ),
        (
            "put the log and the melon in the hutch, then close it",
            "inside(oak_log, hutch); inside(ripe_melon, hutch); closed(hutch)",
        ),
        (
            "put the log in the hutch and the melon on the pedestal",
            "inside(oak_log, hutch); on(ripe_melon, pedestal)",
        ),
        (
            "gather the log and the melon in a basket on the pedestal",
            "inside(oak_log, ?basket); inside(ripe_melon, ?basket); on(?basket, pedestal)",
        ),
    ],
)
def test_an_instruction_is_read_as_a_goal(instruction: str, goal: str) -> None:
    found, meant = read(instruction), parse_goal(goal.split("; "))
    assert set(getattr(found, "literals", ())) == set(meant.literals), found


@pytest.mark.parametrize(
    "instruction",
    [
        "",
        "whistle a tune",
        "do not open the hutch",
        "open the hutch, but never touch the melon",
        "put the basket on the pedestal",  # which of the two?
        "put a vase on the pedestal and a vase in the hutch",  # two vases, one variable
        "cook the red vase",
        "put the dragon on the pedestal",
        "clear the pedestal",
        "polish the melon and put it on the pedestal",
        "stack the red vase, the blue vase and the log on the pedestal, the peak first",
        "put the log, which is near the melon, on the pedestal",
    ],
)
def test_what_is_not_understood_in_full_is_declined(instruction: str) -> None:
    assert isinstance(read(instruction), Declined)
