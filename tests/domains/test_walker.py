"""The walker's domain: what is watched while it carries and walks, and what it believes after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.domains.walker import walker_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.language import Completions, Message
from regrasp.monitors.constraints import ConstraintSet
from regrasp.planners.skill_planner import SkillPlanner
from regrasp.prompts.scene import scene_text
from regrasp.prompts.skill_plan import SkillPlan

ROOM = (
    ObjectDescription("white_table", "table", (Affordance.PUT_ON,)),
    ObjectDescription("gray_table", "table", (Affordance.PUT_ON,)),
    ObjectDescription("red_box", "box", (Affordance.PICK,)),
    ObjectDescription("floor", "floor", ()),
)
FOREST = (ObjectDescription("gate", "gate", ()), ObjectDescription("floor", "floor", ()))
MOVE = "move the red_box from the white_table to the gray_table"
GO_TO, PICK = Action("go_to", ("gray_table",)), Action("pick_up", ("red_box", "white_table"))


def so(predicate: str, *args: str) -> Literal:
    return Literal(Fact(predicate, args))


def plan(constraints: ConstraintSet, known: tuple[ObjectDescription, ...], goal: str) -> list[str]:
    planner = SkillPlanner(ScriptedModel(), constraints.skills, scene_text(known))
    found = planner.plan(goal, constraints.believed_statements, ())
    assert isinstance(found, SkillPlan), found
    return list(map(str, found.calls))


def carrying() -> ConstraintSet:
    """The set of one who has taken the box from the white table."""
    start = ConstraintSet.of(walker_domain(), ROOM).after_observation(
        {so("on", "red_box", "white_table"): True}
    )
    return start.after(Action("go_to", ("white_table",))).after(PICK)


def test_where_the_box_is_is_asked_first_and_the_plan_follows() -> None:
    start = ConstraintSet.of(walker_domain(), ROOM)
    assert so("on", "red_box", "gray_table") in start.initial_literals
    assert so("on", "red_box", "floor") in start.initial_literals
    told = start.after_observation({so("on", "red_box", "white_table"): True})
    assert told.literals == ()
    assert plan(told, ROOM, MOVE) == [
        "go_to(white_table)", "pick_up(red_box, white_table)", "go_to(gray_table)",
        "put_down(red_box, gray_table)",
    ]  # fmt: skip


def test_a_model_that_proposes_constraints_is_told_both_sides() -> None:
    asked: list[str] = []

    class Listening(ScriptedModel):
        def complete(self, messages: Sequence[Message], **more: Any) -> Completions:
            asked.append(messages[-1].content)
            return super().complete(messages, **more)

    SkillPlanner(Listening(), walker_domain(), scene_text(ROOM)).constraints(GO_TO)
    for side in ("left", "right"):
        assert f"the way ahead on the {side} is clear" in asked[0]


def test_the_box_and_the_way_ahead_are_watched_while_it_is_carried() -> None:
    schedule = carrying().schedule(GO_TO)
    assert schedule.before_release == (
        so("holding", "red_box"),
        so("clear", "left"),
        so("clear", "right"),
    )
    there = carrying().after(GO_TO)
    assert there.literals == (so("holding", "red_box"), so("at", "gray_table"))


def test_what_is_dropped_is_thought_to_be_on_the_floor_and_taken_from_there() -> None:
    dropped = carrying().after_violation([so("holding", "red_box")])
    assert "red_box is on floor" in dropped.believed_statements
    assert plan(dropped, ROOM, MOVE) == [
        "pick_up_from_floor(red_box)", "go_to(gray_table)", "put_down(red_box, gray_table)",
    ]  # fmt: skip


def test_what_is_not_on_the_floor_is_still_on_the_table_that_it_stands_at() -> None:
    dropped = carrying().after_violation([so("holding", "red_box")])
    looked = dropped.after_violation([so("on", "red_box", "floor")])
    assert "red_box is on white_table" in looked.believed_statements
    assert plan(looked, ROOM, MOVE)[0] == "pick_up(red_box, white_table)"


def test_it_turns_away_from_the_side_where_something_is() -> None:
    start = ConstraintSet.of(walker_domain(), FOREST)
    goal = "go forward to the gate"
    assert plan(start, FOREST, goal) == ["go_forward(gate)"]
    for side, turn in (("left", "turn_right()"), ("right", "turn_left()")):
        blocked = start.after_violation([so("clear", side)])
        assert plan(blocked, FOREST, goal) == [turn, "go_forward(gate)"]
