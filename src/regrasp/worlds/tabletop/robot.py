"""The arm at the table, as an agent sees it. See `Robot` and `SimRobot`.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from regrasp.control.pick_place import pick, place, rest
from regrasp.control.staged_skill import Stages
from regrasp.control.suction_arm import SuctionArm, SuctionPlant
from regrasp.core.action import Action, SkillSpec
from regrasp.core.errors import RegraspError
from regrasp.core.event import Disturbed, EventSink
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.core.robot import JointReading
from regrasp.worlds.kit.ur5e import CUP, HOME, JOINTS, LINKS
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.tabletop.world import CAMERAS, TabletopWorld
from regrasp.worlds.world import ignore_event

__all__ = ["SKILLS", "TabletopRobot"]

SKILLS = (
    SkillSpec("pick", ("block",), "take a block by its upper face and lift it"),
    SkillSpec("place", ("block", "on"), "put the block that is held on a block, fixture or table"),
    SkillSpec("rest", (), "go to the rest position, with whatever is held"),
)
_USES = {"block": Affordance.PICK, "on": Affordance.PUT_ON}


class TabletopRobot(StagedRobot):
    """A `Robot` over a `TabletopWorld`. `size` is (width, height) of its images.

    `emit` gets an event for every disturbance; the agent never sees them.
    """

    name = "ur5e"
    _world: TabletopWorld

    def __init__(
        self,
        world: TabletopWorld,
        *,
        renderer: str = "raycast",
        size: tuple[int, int] = (640, 480),
        emit: EventSink = ignore_event,
    ) -> None:
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        self._arm = SuctionArm(
            self._plant(), world.scene.affordances(), JOINTS, CUP, HOME,
            [link.speed for link in LINKS],
        )  # fmt: skip
        self._action = Action("rest")
        world.on_disturbance = lambda what: emit(Disturbed(self._action, what))

    def _plant(self) -> SuctionPlant:
        """The state that its skills read."""
        return self._world

    def joints(self) -> JointReading:
        """The six joints of the arm; `vacuum` is the pressure sensor: 0 none, 1 a full vacuum."""
        return self._read(JOINTS, vacuum=self._world.vacuum)

    def _check(self, action: Action, spec: SkillSpec) -> None:
        """See `StagedRobot._check`."""
        super()._check(action, spec)
        if len(set(action.args)) < len(action.args):
            raise RegraspError(f"{action}: a thing cannot be put on itself.")

    def _fits(self, thing: ObjectDescription, role: str) -> bool:
        return thing.allows(_USES[role])

    def _stages(self, action: Action) -> Stages:
        self._action = action
        match action.name, action.args:
            case "pick", (thing,):
                return pick(self._arm, thing)
            case "place", (thing, on):
                return place(self._arm, thing, on, self._world.misplacement)
            case _:
                return rest(self._arm)
