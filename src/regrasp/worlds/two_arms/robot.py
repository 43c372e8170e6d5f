"""The two-armed robot, as an agent sees it, over any world built around it. See `Robot`.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from regrasp.control.cap_skill import turn_cap
from regrasp.control.door_skill import move_door
from regrasp.control.hand_get import get
from regrasp.control.hand_over import put
from regrasp.control.hand_rest import rest, wait
from regrasp.control.placements import Patch, patches_within, top_of
from regrasp.control.pouring import pour
from regrasp.control.push_skill import finger_push
from regrasp.control.staged_skill import StagedSkill, Stages
from regrasp.control.two_arms import ArmSetup, TwoArmPlant, TwoArms
from regrasp.core.action import Action, Quantity, SkillSpec
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import EventSink
from regrasp.core.feedback import Evidence
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.core.robot import JointReading, SkillRun
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.two_arms import CAMERAS, HANDS, HOME, JOINTS, LINKS, SIDES
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.two_arms.world import TwoArmWorld
from regrasp.worlds.world import ignore_event

__all__ = ["QUANTITIES", "SKILLS", "TwoArmRobot"]

SKILLS = (
    SkillSpec("get", ("thing", "from", "hand"), "take a thing from a place; the hand is optional"),
    SkillSpec("put", ("thing", "to"), "put a held thing on or into a place, or on a block"),
    SkillSpec("pour", ("vessel", "into", "ml"), "pour so many ml from a held vessel into another"),
    SkillSpec("open_door", ("container",), "open the door of a thing by its handle"),
    SkillSpec("close_door", ("container",), "close the door of a thing by its handle"),
    SkillSpec("screw", ("bottle",), "screw the cap onto a held bottle with the other hand"),
    SkillSpec("unscrew", ("bottle",), "screw the cap off a held bottle with the other hand"),
    SkillSpec("finger_push", ("machine",), "push the button of a machine with closed fingers"),
    SkillSpec("wait", ("s",), "hold still for so many seconds"),
    SkillSpec("rest", (), "bring both arms to rest, with whatever they hold"),
)
QUANTITIES = {"ml": Quantity("ml", 40, 1, 1000), "s": Quantity("s", 5, 0.1, 600)}
"""The arguments that are numbers."""


class TwoArmRobot(StagedRobot):
    """A `Robot` over a `TwoArmWorld`. `size` is (width, height) of its images."""

    name = "two_arms"
    _world: TwoArmWorld

    def __init__(
        self,
        world: TwoArmWorld,
        *,
        renderer: str = "raycast",
        size: tuple[int, int] = (640, 480),
        emit: EventSink = ignore_event,
    ) -> None:
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        speeds = tuple(link.speed for link in LINKS)
        setups = [
            ArmSetup(side, JOINTS[side], f"{side}_{PALM}", HOME[side], speeds) for side in SIDES
        ]
        self._arms = TwoArms(self._plant(), world.scene.affordances(), setups)
        self._skill: StagedSkill | None = None

    def _plant(self) -> TwoArmPlant:
        """The state that its skills read."""
        return self._world

    def objects(self) -> tuple[str, ...]:
        """See `WorldRobot.objects`; handles, buttons and boards are named too."""
        return tuple(self._world.scene.things)

    def joints(self) -> JointReading:
        """The joints and fingers of both arms, and the weight in each hand (`left_load`, g)."""
        names = [name for side in SIDES for name in (*JOINTS[side], f"{side}_finger_left")]
        loads = {f"{side}_load": self._world.hand_load(side) for side in SIDES}
        return self._read(tuple(names), **loads)

    # ---- arguments -----------------------------------------------------------------------------

    def _takes(self, spec: SkillSpec, count: int) -> bool:
        """See `WorldRobot._takes`: the hand may be left out."""
        return super()._takes(spec, count + (spec.parameters[-1:] == ("hand",) and count == 2))

    def _check(self, action: Action, spec: SkillSpec) -> None:
        """See `StagedRobot._check`: an argument may also be a hand or a number."""
        roles = spec.parameters[: len(action.args)]
        for name, role in zip(action.args, roles, strict=True):
            if role in QUANTITIES:
                _number(action, role, name)
                continue
            valid = list(HANDS)
            if role != "hand":
                valid = [thing.name for thing in self.knowledge() if self._fits(thing, role)]
            if name not in valid:
                raise UnknownNameError(f"{role} of {action.name}", name, valid)
        if len(set(action.args)) < len(action.args):
            raise RegraspError(f"{action}: the two things must be different.")

    def _fits(self, thing: ObjectDescription, role: str) -> bool:
        return thing.allows(*_USES[role])

    # ---- skills --------------------------------------------------------------------------------

    def _begin(self, action: Action, spec: SkillSpec) -> SkillRun:
        skill = super()._begin(action, spec)
        assert isinstance(skill, StagedSkill)
        self._skill = skill
        return skill

    def _stages(self, action: Action) -> Stages:
        """See `StagedRobot._stages`. The report of a failure says what each hand holds now."""
        why = yield from self._command(action)
        if why is None:
            return None
        known = {one.name for one in why.evidence}
        hands = (Evidence(arm.hand, arm.holds) for arm in self._arms.arms.values())
        return replace(why, evidence=(*why.evidence, *(h for h in hands if h.name not in known)))

    def _command(self, action: Action) -> Stages:
        match action.name, action.args:
            case "get", (thing, place, *hands):
                return get(self._arms, thing, place, next(iter(hands), None), self._chose)
            case "put", (thing, place):
                return put(self._arms, thing, place, self._patches(place), self._table())
            case "pour", (vessel, into, ml):
                return pour(self._arms, vessel, into, float(ml))
            case ("open_door" | "close_door") as name, (thing,):
                return move_door(self._arms, thing, float(name == "open_door"))
            case ("screw" | "unscrew") as name, (bottle,):
                return turn_cap(self._arms, bottle, self._table(), on=name == "screw")
            case "finger_push", (machine,):
                return finger_push(self._arms, machine)
            case "wait", (seconds,):
                return wait(self._arms, float(seconds))
            case _:
                return rest(self._arms)

    def _chose(self, hand: str) -> None:
        assert self._skill is not None
        thing, place = self._skill.action.args[:2]
        self._skill.action = Action("get", (thing, place, hand))

    def _table(self) -> Sequence[Patch]:
        """Where a thing may stand while it changes hands; none in a scene without a table."""
        return self._patches("table") if "table" in self._world.scene.things else ()

    def _patches(self, place: str) -> Sequence[Patch]:
        """Where things can stand on or in a place."""
        scene = self._world.scene
        if place in self._arms.movable:
            return (top_of(self._arms, place),)
        for regions in (scene.insides, scene.tops):
            for name in (place, scene.things[place].place):
                if region := regions.get(name):
                    centre, half = np.array(region.centre), np.array(region.half)
                    found = patches_within(self._world.planning, region.body, centre, half)
                    if found:
                        return found
        raise RegraspError(f"{place} has no level patch on which a thing can stand.")


_USES = {
    "thing": (Affordance.PICK,),
    "vessel": (Affordance.PICK,),
    "bottle": (Affordance.PICK,),
    "into": (Affordance.PICK,),
    "from": (Affordance.PUT_ON, Affordance.PUT_IN),
    "to": (Affordance.PUT_ON, Affordance.PUT_IN),
    "container": (Affordance.OPEN,),
    "machine": (Affordance.PRESS, Affordance.TURN),
}
"""What an argument must allow."""


def _number(action: Action, role: str, text: str) -> float:
    quantity = QUANTITIES[role]
    try:
        amount = float(text)
    except ValueError:
        amount = float("nan")
    if not quantity.accepts(amount):
        raise RegraspError(f"{action}: give {quantity} instead of {text!r}.")
    return amount
