"""A world: a seeded scene in two copies (the simulated one, and the planner's model).

`World` owns the physics. Agents never get it: they get a `Robot`; the benchmark gets a `Judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import mujoco
import numpy as np

from regrasp.control.guard import finite_numbers
from regrasp.core.arrays import Array
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.estimates import Estimates
from regrasp.core.event import EventSink
from regrasp.core.fact import Literal
from regrasp.core.goal import Goal
from regrasp.core.grounding import Grounding
from regrasp.core.judge import Judge
from regrasp.core.object_description import ObjectDescription
from regrasp.core.robot import Robot
from regrasp.domains.skill_domain import SkillDomain
from regrasp.worlds.kit.look import add_floor_material, add_lights
from regrasp.worlds.kit.scene import MOVABLE, Region, Scene
from regrasp.worlds.kit.skin import SKINS, add_mesh_skin
from regrasp.worlds.object_catalogue import known_objects

__all__ = [
    "CONTROL_DT",
    "RobotFactory",
    "Setup",
    "SimulatedRobot",
    "Snapshot",
    "Task",
    "World",
    "WorldError",
    "WorldPlan",
    "ignore_event",
]

CONTROL_DT = 0.01  # s between commands, and the planner's time step
_Listed = TypeVar("_Listed")
_ORDER_STREAM = 5  # of random numbers; 0 is the layout, 1 the look
_SETTLE_S = 0.4


class WorldError(RegraspError):
    """The world itself is wrong (a fault of Regrasp): unstable, or a start predicate is false."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a world: its instruction, and its name in the paper."""

    name: str
    instruction: str
    paper: str = ""


@dataclass
class Setup:
    """The result of a builder: literals that are true at the start, and the literals of the goal.

    `instruction` is set if it depends on the seed; else it is the task's.
    """

    goal: list[Literal] = field(default_factory=list)
    start: list[Literal] = field(default_factory=list)
    instruction: str = ""


def ignore_event(event: object) -> None:
    """Ignore an event."""


class SimulatedRobot(Robot, Protocol):
    """A robot with a renderer, which must be closed."""

    def close(self) -> None:
        """Free its resources."""
        ...


class RobotFactory(Protocol):
    """Creates the robot of a world. `size` is (width, height) of its images.

    `emit` gets the disturbances, which the robot does not know; no agent reads them.
    """

    def __call__(
        self, world: Any, *, renderer: str, size: tuple[int, int], emit: EventSink
    ) -> SimulatedRobot:
        """The robot, at the world's start."""
        ...


@dataclass(frozen=True, slots=True)
class WorldPlan:
    """A world's description: scene, tasks, robot, judge and domain.

    `build(scene, task)` adds the objects and returns goal and start; `body` adds the robot's body
    and its cameras; `robot` creates the robot and `judge` the judge of a built world. `domain`
    gives the planning domain of a built world; if it is None, one is made from the affordances of
    the robot's objects. `oracle_robot` is the robot with the oracle controller, and `sensed_robot`
    the one that uses what it senses, for worlds that have one; `unsensed` says why there is none.
    `world` makes the world, where it is
    not a plain `World`; only a plain one has skins.
    `oracle_grounding` gives the true evidence for the skills of a `GroundedRobot`.
    """

    name: str
    summary: str
    tasks: tuple[Task, ...]
    build: Callable[[Scene, str], Setup]
    body: Callable[[Scene], None]
    robot: RobotFactory
    judge: Callable[[Any], Judge]
    domain: Callable[[Any], SkillDomain] | None = None
    oracle_robot: RobotFactory | None = None
    sensed_robot: RobotFactory | None = None
    world: Callable[[Any, str | None, int], World] | None = None
    oracle_grounding: Callable[[Any], Grounding] | None = None
    unsensed: str = ""

    def task(self, name: str | None) -> Task:
        """The task of that name; the first when None."""
        if name is None:
            return self.tasks[0]
        known = {t.name: t for t in self.tasks}
        if name not in known:
            raise UnknownNameError(f"task of world {self.name!r}", name, known)
        return known[name]

    def robot_with(self, estimates: Estimates) -> RobotFactory | None:
        """The robot with such estimates, if it is not the world's own."""
        if estimates is Estimates.PRIVILEGED:
            return None
        if self.sensed_robot is None:
            why = f": {self.unsensed}" if self.unsensed else ""
            raise RegraspError(
                f"the robot of {self.name} has no {estimates} estimates{why}; docs/robot.md says "
                "which robots have. Leave --estimates out."
            )
        return self.sensed_robot

    def open(self, task: str | None, seed: int, *, skin: str = "primitive") -> World:
        """The world on that task, built and settled."""
        if self.world is None:
            return World(self, task, seed, skin=skin)
        if skin != "primitive":
            raise RegraspError(f"the robot of {self.name} has no skin {skin!r}; leave --skin out.")
        return self.world(self, task, seed)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The full state of a world: MuJoCo's integration state and which locks have latched."""

    state: Array
    latched: frozenset[str]


class World:
    """A compiled world at a seeded start, with its clock at zero.

    `model`, `data` are the simulation (`timestep` s per step); `planning` is the controller's model
    (10 ms per step, without visual geoms and locks). Both have the same state layout, so a state of
    one is a state of the other. `skin` is the appearance of the arm. `address` opens the world
    again: a name, or the file of its plan.
    """

    def __init__(
        self,
        plan: WorldPlan,
        task: str | None = None,
        seed: int = 0,
        *,
        timestep: float = 0.002,
        skin: str = "primitive",
    ) -> None:
        # The guard detects a diverged state; MuJoCo itself would write a log file.
        mujoco.set_mju_user_warning(ignore_event)
        if skin not in SKINS:
            raise UnknownNameError("skin", skin, SKINS)
        self._skin = skin
        self.plan, self.task, self.seed = plan, plan.task(task), seed
        self.address = plan.name
        self.substeps = round(CONTROL_DT / timestep)
        if self.substeps < 1 or not np.isclose(self.substeps * timestep, CONTROL_DT):
            raise RegraspError(f"timestep must divide {CONTROL_DT} s, not {timestep!r}.")
        self.scene, self.model, setup = self._compile(planning=False, timestep=timestep)
        _, self.planning, _ = self._compile(planning=True, timestep=CONTROL_DT)
        self.goal, self.start = Goal(tuple(setup.goal)), tuple(setup.start)
        self.task = replace(self.task, instruction=setup.instruction or self.task.instruction)
        self.data = mujoco.MjData(self.model)
        self._latched: set[str] = set()
        self._settle()
        self._first = self.snapshot()

    def _compile(self, *, planning: bool, timestep: float) -> tuple[Scene, mujoco.MjModel, Setup]:
        layout, look = (np.random.default_rng([self.seed, stream]) for stream in (0, 1))
        scene = Scene(layout=layout, look=look, planning=planning, timestep=timestep)
        spec = scene.spec
        floor: dict[str, object] = {}
        if not planning:
            add_lights(spec, look)
            floor["material"] = add_floor_material(spec, look)
        spec.worldbody.add_geom(
            name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1], **MOVABLE, **floor
        )
        self.plan.body(scene)
        if self._skin == "mesh" and not planning:
            add_mesh_skin(spec)
        setup = self.plan.build(scene, self.task.name)
        return scene, scene.compile(), setup

    def _settle(self) -> None:
        for joint, value in self.scene.start.items():
            self.data.joint(joint).qpos = value
        mujoco.mj_forward(self.model, self.data)
        hold = self._hold()
        for _ in range(round(_SETTLE_S / CONTROL_DT)):
            self.advance(hold)
        self.data.time = 0.0
        self.data.qvel[:] = 0.0
        mujoco.mj_forward(self.model, self.data)

    def _hold(self) -> Array:
        """The control (nu,) that holds the robot at its start."""
        return np.array(self.data.actuator_length)

    # ---- time ----------------------------------------------------------------------------------

    @property
    def seconds(self) -> float:
        """Simulated seconds since the start."""
        return float(self.data.time)

    def advance(self, control: Array) -> None:
        """One control period under `control` (nu,), then let locks follow their triggers.

        Raises `GuardTrip`, before anything moves, for what is not `nu` finite numbers.
        """
        self.data.ctrl[:] = finite_numbers(control, self.model.nu, "a command to the actuators")
        mujoco.mj_step(self.model, self.data, self.substeps)
        for lock in self.scene.locks.values():
            trigger = self.fraction(lock.trigger) > lock.threshold
            if trigger and lock.latching:
                self._latched.add(lock.joint)
            shut = abs(self.fraction(lock.joint)) < 0.02
            free = trigger or lock.joint in self._latched
            if self.locked(lock.joint) == free and (free or shut):
                self.data.eq_active[self.model.equality(lock.equality).id] = not free

    def reset(self) -> None:
        """Back to the seeded start."""
        self.restore(self._first)

    def snapshot(self) -> Snapshot:
        """The full state now."""
        spec = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        state = np.empty(mujoco.mj_stateSize(self.model, spec))
        mujoco.mj_getState(self.model, self.data, state, spec)
        return Snapshot(state, frozenset(self._latched))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this world (same plan, task and seed)."""
        spec = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        if snapshot.state.shape != (mujoco.mj_stateSize(self.model, spec),):
            raise WorldError("this snapshot is of another world: take it and restore it on one.")
        mujoco.mj_setState(self.model, self.data, snapshot.state, spec)
        self._latched = set(snapshot.latched)
        mujoco.mj_forward(self.model, self.data)

    def set_state(self, qpos: Array, user: Array) -> None:
        """Set a recorded state, for rendering: `qpos` (nq,) and `user` (nuserdata,)."""
        self.data.qpos[:] = qpos
        self.data.userdata[:] = user
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)  # cameras that track need it
        mujoco.mj_camlight(self.model, self.data)

    # ---- knowledge of its robot ----------------------------------------------------------------

    def objects(self) -> tuple[ObjectDescription, ...]:
        """The descriptions of its objects: affordances, never the present state or position."""
        return self.in_seeded_order(known_objects(self.scene))

    def in_seeded_order(self, listed: Sequence[_Listed]) -> tuple[_Listed, ...]:
        """`listed` in an order that the seed determines: a place in a list gives nothing away."""
        order = np.random.default_rng([self.seed, _ORDER_STREAM]).permutation(len(listed))
        return tuple(listed[i] for i in order)

    # ---- joint states and poses (ground truth; not for agents) ---------------------------------

    def fraction(self, joint: str) -> float:
        """How far a joint is open, 0 to 1."""
        articulation = self.scene.joints[joint]
        return articulation.fraction(float(self.data.joint(joint).qpos[0]))

    def locked(self, joint: str) -> bool:
        """Whether a lock holds a joint."""
        lock = self.scene.locks.get(joint)
        return lock is not None and bool(self.data.eq_active[self.model.equality(lock.equality).id])

    def at(self, thing: str) -> Array:
        """The position of an object (3,)."""
        return np.array(self.data.site(self.scene.things[thing].site).xpos)

    def within(self, thing: str, region: Region) -> bool:
        """Whether an object's centre is in a region."""
        body = self.data.body(region.body)
        local = body.xmat.reshape(3, 3).T @ (self.at(thing) - body.xpos)
        return bool(np.all(np.abs(local - region.centre) <= region.half))
