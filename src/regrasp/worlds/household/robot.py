"""The mobile robot of a household, as an agent sees it. See `Robot` and `SimRobot`.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from regrasp.control.staged_skill import Stages
from regrasp.core.action import Action, SkillSpec
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import Disturbed, EventSink
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.robot import CameraImage, JointReading, Progress
from regrasp.worlds.household.faults import Fault
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.skills import HouseholdSkills
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.kit.mobile import CAMERAS, JOINTS
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.world import ignore_event

__all__ = ["GRIP_N", "SKILLS", "HouseholdRobot", "unmet"]

SKILLS = (
    SkillSpec("find", ("thing",), "go to a thing, or to a floor, and look at it"),
    SkillSpec("grasp", ("thing",), "take a thing into the hand"),
    SkillSpec("placein", ("thing", "receptacle"), "put the thing in the hand into a receptacle"),
    SkillSpec("placeon", ("thing", "surface"), "put the thing in the hand on a surface"),
    SkillSpec("placefloor", ("thing", "floor"), "put the thing in the hand on the floor"),
    SkillSpec("fillsink", ("sink",), "turn the tap on and let water into the sink"),
    SkillSpec("fill", ("vessel", "sink"), "fill the vessel in the hand at a sink"),
    SkillSpec("open", ("receptacle",), "open the doors of a receptacle"),
    SkillSpec("close", ("receptacle",), "close the doors of a receptacle"),
    SkillSpec("turnon", ("appliance",), "switch a microwave or an oven on"),
    SkillSpec("cut", ("food", "knife"), "cut food into halves with the knife in the hand"),
)
"""Eleven skills; the paper has twelve because it separates microwave and oven for switching on."""
GRIP_N = 20.0
"""Force of each finger (N) while it holds an object."""

_ROLES = {
    "grasp": ("movable",),
    "placein": ("movable", "receptacle"),
    "placeon": ("movable", "surface"),
    "placefloor": ("movable", "floor"),
    "open": ("receptacle with doors",),
    "close": ("receptacle with doors",),
}  # where the parameters' names are too wide
_NEAR_SINK_M = 1.3
_UPRIGHT = 0.5  # cosine of the largest tilt of an upright container


class HouseholdRobot(StagedRobot):
    """A `Robot` over a `HouseholdWorld`. `size` is (width, height) of its images.

    `emit` gets an event for every fault; the agent never sees them.
    """

    name = "mobile"
    _world: HouseholdWorld

    def __init__(
        self,
        world: HouseholdWorld,
        *,
        renderer: str = "raycast",
        size: tuple[int, int] = (224, 224),
        emit: EventSink = ignore_event,
    ) -> None:
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        self._judge, self._effects = HouseholdJudge(world), HouseholdSkills(world)
        self._situations, self._emit = world.situations, emit

    def look(self, camera: str) -> CameraImage:
        """Take an image; the camera's pose is in the frame of the base."""
        image = super().look(camera)
        yaw = float(self._world.body.base[2])
        turn = np.array(
            [[math.cos(yaw), math.sin(yaw), 0], [-math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]]
        )
        position = self._world.body.local(image.position)
        return replace(image, position=position, rotation=turn @ image.rotation)

    def joints(self) -> JointReading:
        """Its joints; the fingers push with `GRIP_N` while they hold an object, else with 0."""
        grip = GRIP_N if self._world.held else 0.0
        return JointReading(
            JOINTS,
            tuple(self._world.body.get(name) for name in JOINTS),
            tuple(0.0 for _ in JOINTS),
            tuple(grip if name.startswith("finger") else 0.0 for name in JOINTS),
        )

    def _check(self, action: Action, spec: SkillSpec) -> None:
        """See `StagedRobot._check`."""
        roles = self._world.roles()
        for name, role in zip(action.args, _ROLES.get(action.name, spec.parameters), strict=True):
            if name not in roles["thing"]:
                raise UnknownNameError("thing", name, roles["thing"])
            if name not in roles[role]:
                valid = ", ".join(roles[role]) or "none here"
                raise RegraspError(f"{action}: {name} is no {role}; there is {valid}.")

    def _stages(self, action: Action) -> Stages:
        """Run an action, stage by stage; its error is 1 until it is done."""
        world, used = self._world, self._world.conditions.get("used", action.name)
        if unmet(action, world, self._judge):
            for stage in self._effects.without_effect():
                yield Progress(stage, 1.0)
            return Feedback(
                FeedbackLevel.RUNTIME,
                FailureCode.UNREACHED,
                f"{action} could not be carried out, and nothing was changed.",
            )
        world.conditions.set("used", action.name, used + 1)
        draw = self._situations.draw(action.name, int(used))
        if draw.fault is not None and self._matters(action, draw.fault):
            self._emit(Disturbed(action, str(draw.fault)))
        for stage in self._effects.run(action, draw):
            yield Progress(stage, 1.0)
        return None

    def _matters(self, action: Action, fault: Fault) -> bool:
        """Whether a fault has an effect: an open door cannot stay shut."""
        judge, first = self._judge, action.args[0]
        match fault:
            case Fault.SLIPS:
                return self._world.held not in ("", first)
            case Fault.STAYS_SHUT:
                return not judge.holds("open", first)
            case Fault.STAYS_OPEN:
                return not judge.holds("closed", first)
            case Fault.STAYS_OFF:
                return not judge.holds("turnedon", first)
            case Fault.NO_WATER:
                return not judge.holds("filled", first)
            case Fault.UNCUT:
                return not judge.holds("halved", first)
            case _:
                return True


def unmet(action: Action, world: HouseholdWorld, judge: HouseholdJudge) -> tuple[Fact, ...]:
    """The unmet constraints of `action`, as the facts that should hold.

    They are DKPROMPT's hidden constraints, which the agent does not know: an action with an unmet
    one does nothing. *Same room* is one of them in a task with the option `same_room`.
    *Container empty* means not filled: a half-full vessel can be filled up.
    """
    args = action.args
    needed: dict[str, tuple[Fact, ...]] = {
        "find": (),
        "grasp": (Fact.of("inview", *args), Fact("handempty")),
        "placein": (Fact.of("inhand", *args[:1]), Fact.of("inview", *args[1:])),
        "placeon": (Fact.of("inhand", *args[:1]), Fact.of("inview", *args[1:])),
        "placefloor": (Fact.of("inhand", *args[:1]), Fact.of("inview", *args[1:])),
        "fillsink": (Fact.of("inview", *args),),
        "fill": (Fact.of("inhand", *args[:1]),),
        "open": (Fact.of("inview", *args),),
        "close": (Fact.of("inview", *args),),
        "turnon": (Fact.of("inview", *args),),
        "cut": (Fact.of("inview", *args[:1]), Fact.of("inhand", *args[1:])),
    }
    wrong = [fact for fact in needed[action.name] if not judge.holds(fact.predicate, *fact.args)]
    if action.name == "find" and world.same_room and args[0] in world.movable:
        here = world.room_at(*map(float, world.body.base[:2]))
        if args[0] != world.held and judge.room(args[0]) != here:
            wrong.append(Fact.of("inroom", args[0], here))
    if action.name == "placein" and judge.holds("closed", args[1]):
        wrong.append(Fact.of("open", args[1]))
    if action.name == "fill":
        base, sink = world.body.base[:2], world.at(args[1])[:2]
        if math.dist(base, sink) > _NEAR_SINK_M:
            wrong.append(Fact.of("near", args[1]))
        if judge.holds("filled", args[0]):
            wrong.append(Fact.of("empty", args[0]))
    if action.name == "grasp" and _lies_over(world, args[0]):
        wrong.append(Fact.of("upright", args[0]))
    return tuple(wrong)


def _lies_over(world: HouseholdWorld, thing: str) -> bool:
    """Whether it is a container upside down: the hand cannot reach under its rim."""
    if world.scene.things[thing].kind != "container":
        return False
    return bool(world.data.body(thing).xmat[8] < _UPRIGHT)
