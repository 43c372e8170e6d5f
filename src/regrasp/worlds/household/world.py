"""The household: rooms, a mobile robot, and conditions that positions do not show.

The seed and the task's name determine the faults and their times (`faults.py`).

Physics runs while a released or pushed object still moves. At other times all objects are at rest,
and only the robot and its load are moved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.worlds.household.body import CARRY, MobileBody, hold_of
from regrasp.worlds.household.conditions import (
    ROBOT,
    ConditionRenderer,
    Conditions,
    condition_slots,
)
from regrasp.worlds.household.faults import FaultSchedule
from regrasp.worlds.household.household_options import HouseholdOptions
from regrasp.worlds.household.rooms import ROOM_1, ROOM_2, Rect
from regrasp.worlds.household.tasks import HouseholdTask, half_names
from regrasp.worlds.kit.mobile import FINGER_OPEN
from regrasp.worlds.world import CONTROL_DT, Snapshot, Task, World, WorldPlan

__all__ = ["FILLED", "HouseholdPlan", "HouseholdWorld", "plain_name"]

FILLED = 0.8
"""The smallest level of a filled vessel; 1 is the brim."""
_SHUT = 0.1  # of a door's range
_SPILT_M_S, _SPILT_COS = 1.2, 0.7  # a fall or a tilt that empties a vessel
_AWAKE_S, _MOVING = 0.8, 0.03  # minimum time of physics; m/s or rad/s that count as moving
_TIMESTEP = 0.005
_ROLLING = (1.0, 0.02, 0.006)  # friction of loose objects: sliding, turning, rolling


@dataclass(frozen=True, slots=True)
class HouseholdPlan(WorldPlan):
    """A plan with the mobile robot; `details` are its tasks with their objects.

    Options may follow a task's name: `frozen-pie:situations=0.5` (`HouseholdOptions`).
    """

    details: tuple[HouseholdTask, ...] = ()

    def task(self, name: str | None) -> Task:
        """See `WorldPlan.task`."""
        plain, _, given = (name or self.tasks[0].name).partition(":")
        task, options = super(HouseholdPlan, self).task(plain), HouseholdOptions.parse(given)
        FaultSchedule(0, options.situations)
        return replace(task, name=f"{plain}:{options}") if str(options) else task

    def detail(self, task: str) -> HouseholdTask:
        """The details of a task."""
        return {one.task.name: one for one in self.details}[plain_name(task)]


def plain_name(task: str) -> str:
    """A task's name without the part after the colon."""
    return task.partition(":")[0]


class HouseholdWorld(World):
    """A world of the mobile robot, see `World`; `body` moves it, `conditions` are object states.

    `situations` is its fault schedule, `same_room` whether a loose thing in the other room cannot
    be found.
    """

    def __init__(self, plan: HouseholdPlan, task: str | None = None, seed: int = 0) -> None:
        self._ready = False
        super().__init__(plan, task, seed, timestep=_TIMESTEP)
        self.detail = plan.detail(self.task.name)
        options = HouseholdOptions.parse(self.task.name.partition(":")[2])
        self.situations = FaultSchedule(seed, options.situations)
        self.same_room = options.same_room
        self.rooms: dict[str, Rect] = dict(zip(self.detail.rooms, (ROOM_1, ROOM_2), strict=True))
        self.movable = tuple(t.name for t in self.scene.things.values() if t.movable)
        self.body = MobileBody(self.model, self.data)
        self.conditions = Conditions(self.data, condition_slots(self.scene))
        self._appearance = ConditionRenderer(self.scene, self.model, self.conditions)
        loose = np.isin(self.model.geom_bodyid, [self.model.body(n).id for n in self.movable])
        self.model.geom_condim[loose] = 6
        self.model.geom_friction[loose] = _ROLLING
        for fact in (one.fact for one in self.start if one.fact.args):
            if self.conditions.has(fact.predicate, fact.args[-1]):
                self.conditions.set(fact.predicate, fact.args[-1], 1.0)
        x, y, yaw = self.body.base
        ahead = (x + 1.6 * math.cos(yaw), y + 1.6 * math.sin(yaw), 0.8)
        self.focus(ahead, 1.6)
        self.body.reach(CARRY)
        self.body.grip(FINGER_OPEN)
        self._ready = True
        self.refresh()
        self._first = self.snapshot()

    # ---- knowledge of its robot ----------------------------------------------------------------

    def objects(self) -> tuple[ObjectDescription, ...]:
        """See `World.objects`."""
        roles = self.roles()
        uses = {
            "movable": Affordance.PICK,
            "receptacle": Affordance.PUT_IN,
            "surface": Affordance.PUT_ON,
            "floor": Affordance.PUT_ON,
            "receptacle with doors": Affordance.OPEN,
            "appliance": Affordance.TURN,
        }
        return self.in_seeded_order(
            [
                ObjectDescription(
                    name,
                    self.scene.things[name].kind,
                    tuple(use for role, use in uses.items() if name in roles[role]),
                )
                for name in roles["thing"]
            ]
        )

    def roles(self) -> dict[str, tuple[str, ...]]:
        """The valid names for each role of an argument."""
        scene, c = self.scene, self.conditions
        halves = {half for egg in c.of("halved") for half in half_names(egg)}
        things = [t for t in scene.things.values() if not t.of and t.name not in halves]
        names = tuple(t.name for t in things)

        def of(*kinds: str) -> tuple[str, ...]:
            return tuple(t.name for t in things if t.kind in kinds)

        return {
            "thing": names,
            "movable": tuple(t.name for t in things if t.movable),
            "receptacle": tuple(n for n in names if n in scene.insides and n not in of("sink")),
            "receptacle with doors": tuple(n for n in names if self.doors(n)),
            "surface": of("counter", "table"),
            "floor": of("floor"),
            "sink": of("sink"),
            "vessel": tuple(c.of("level")),
            "appliance": tuple(c.of("on")),
            "food": tuple(c.of("halved")),
            "knife": of("knife"),
        }

    # ---- time ----------------------------------------------------------------------------------

    def advance(self, control: Array) -> None:
        """One control period; `control` is empty, because this robot's joints are set directly."""
        if not self._ready:
            return super().advance(control)
        if self.asleep:
            return self.advance_by(CONTROL_DT)
        self.refresh()
        super().advance(control)
        self.data.qvel[self.body.dofs] = 0.0
        if float(np.abs(self.data.qvel).max(initial=0.0)) > _MOVING:
            until = max(self.conditions.get("awake_s", ROBOT), self.seconds + 0.25)
            self.conditions.set("awake_s", ROBOT, until)
        self._apply_automatic_effects()
        self.refresh()
        return None

    def advance_by(self, seconds: float) -> None:
        """Advance the time while only the robot and its load move."""
        self.data.qvel[:] = 0.0
        self.data.time += seconds
        self._apply_automatic_effects()
        self.refresh()

    @property
    def asleep(self) -> bool:
        """Whether physics is paused because no object moves."""
        return self.seconds >= self.conditions.get("awake_s", ROBOT)

    def wake(self) -> None:
        """Run physics until all objects are at rest again: one was released or moved."""
        self.conditions.set("awake_s", ROBOT, self.seconds + _AWAKE_S)

    def refresh(self) -> None:
        """Update head, hand and appearance from the state, and compute all poses."""
        c = self.conditions
        point = [c.get(f"focus_{axis}", ROBOT) for axis in "xyz"]
        self.body.look_at(point, c.get("focus_m", ROBOT))
        self._appearance.update(self.carried())
        mujoco.mj_kinematics(self.model, self.data)
        self._carry()
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)

    def restore(self, snapshot: Snapshot) -> None:
        """See `World.restore`."""
        super().restore(snapshot)
        self.refresh()

    def set_state(self, qpos: Array, user: Array) -> None:
        """See `World.set_state`."""
        super().set_state(qpos, user)
        self.refresh()

    def _apply_automatic_effects(self) -> None:
        """Heat, spilling, and a microwave that stops when it is opened."""
        c = self.conditions
        for appliance in c.of("on"):
            kind = self.scene.things[appliance].kind
            if kind == "microwave" and not self.shut(appliance):
                c.set("on", appliance, 0.0)
        for appliance in c.true_of("on"):
            for thing in self.contents(appliance):
                if c.has("hot", thing) and (c.get("level", thing) or c.has("frozen", thing)):
                    c.set("hot", thing, 1.0)
                if c.has("frozen", thing):
                    c.set("frozen", thing, 0.0)
        for vessel in c.true_of("level"):
            if self._spills(vessel):
                c.set("level", vessel, 0.0)
                c.set("hot", vessel, 0.0)

    def _spills(self, vessel: str) -> bool:
        body = self.model.body(vessel).id
        speed = np.linalg.norm(self.data.qvel[self.model.body_dofadr[body] :][:3])
        return bool(speed > _SPILT_M_S or self.data.xmat[body, 8] < _SPILT_COS)

    # ---- poses (ground truth; not for agents) --------------------------------------------------

    @property
    def held(self) -> str:
        """The held object; empty for none."""
        number = round(self.conditions.get("held", ROBOT))
        return self.movable[number - 1] if number else ""

    def hold(self, thing: str) -> None:
        """Take an object into the hand, or with "" release the held one."""
        self.conditions.set("held", ROBOT, 1.0 + self.movable.index(thing) if thing else 0.0)
        self.wake()

    def carried(self) -> list[str]:
        """The objects that move with the hand: the held one and its contents."""
        return [self.held, *self.contents(self.held)] if self.held else []

    def there(self, thing: str) -> bool:
        """Whether an object exists: an egg until it is halved, its halves from then on."""
        for egg in self.conditions.of("halved"):
            whole = not self.conditions.get("halved", egg)
            if thing == egg:
                return whole
            if thing in half_names(egg):
                return not whole
        return True

    def parts(self, thing: str) -> list[str]:
        """The object itself, or its halves after a cut."""
        if self.there(thing):
            return [thing]
        return [t for t in self.movable if t.startswith(thing) and self.there(t)]

    def contents(self, place: str) -> list[str]:
        """The movable objects in a receptacle or container."""
        region = self.scene.insides.get(place)
        if region is None:
            return []
        others = (t for t in self.movable if t != place and self.there(t) and t != self.held)
        return [t for t in others if self.within(t, region)]

    def doors(self, place: str) -> list[str]:
        """The joints of a receptacle's doors."""
        return [t.joint for t in self.scene.things.values() if t.of == place and t.joint]

    def shut(self, place: str) -> bool:
        """Whether every door of a receptacle is closed."""
        return all(self.fraction(door) <= _SHUT for door in self.doors(place))

    def rooms_of(self, floor: str) -> tuple[str, ...]:
        """The rooms of a floor: its own, or all if there is one floor for all."""
        floors, rooms = self.detail.floors, self.detail.rooms
        return (rooms[floors.index(floor)],) if len(floors) == len(rooms) else rooms

    def room_at(self, x: float, y: float) -> str:
        """The room of a floor point; empty for none."""
        return next((name for name, room in self.rooms.items() if room.holds(x, y)), "")

    def focus(self, point: npt.ArrayLike, width: float) -> None:
        """Set the point that the head looks at, and the width of the view (m)."""
        for axis, value in zip("xyz", np.asarray(point, float), strict=True):
            self.conditions.set(f"focus_{axis}", ROBOT, float(value))
        self.conditions.set("focus_m", ROBOT, width)

    # ---- moving objects ------------------------------------------------------------------------

    def put(self, thing: str, point: npt.ArrayLike, yaw: float, *, roll: float = 0.0) -> None:
        """Put an object's centre at a point, turned by `yaw`, at rest; `roll` turns it over."""
        upright = np.array([math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)])
        over = np.array([math.cos(roll / 2), math.sin(roll / 2), 0.0, 0.0])
        quat = np.zeros(4)
        mujoco.mju_mulQuat(quat, upright, over)
        self._pose(thing, np.asarray(point, float), quat)

    def push(self, thing: str, velocity: npt.ArrayLike) -> None:
        """Give an object a velocity (3,) in m/s."""
        start = int(self.model.joint(f"{thing}_free").dofadr[0])
        self.data.qvel[start : start + 3] = np.asarray(velocity, float)

    def _pose(self, thing: str, point: Array, quat: Array) -> None:
        joint = self.model.joint(f"{thing}_free")
        start, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
        self.data.qpos[start : start + 3] = point
        self.data.qpos[start + 3 : start + 7] = quat
        self.data.qvel[dof : dof + 6] = 0.0

    def _carry(self) -> None:
        """Move the held object with the hand, and its contents with it."""
        if not self.held:
            return
        thing, hold = self.held, hold_of(self.scene.things[self.held])
        body = self.model.body(thing).id
        before, turned = self.data.xpos[body].copy(), self.data.xmat[body].reshape(3, 3).copy()
        inside = self.contents(thing)
        turn = self.body.base[2] + self.body.get("shoulder")
        hand = self.body.world(self.body.hand)
        ahead = np.array([math.cos(turn), math.sin(turn), 0.0])
        self.put(thing, hand + hold.ahead * ahead, turn + hold.turn)
        if inside:
            mujoco.mj_kinematics(self.model, self.data)
            now, facing = self.data.xpos[body], self.data.xmat[body].reshape(3, 3)
            for other in inside:
                number = self.model.body(other).id
                rest = turned.T @ (self.data.xpos[number] - before)
                matrix = facing @ turned.T @ self.data.xmat[number].reshape(3, 3)
                quat = np.zeros(4)
                mujoco.mju_mat2Quat(quat, matrix.flatten())
                self._pose(other, now + facing @ rest, quat)
