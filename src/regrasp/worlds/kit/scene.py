"""A scene under construction: an `MjSpec` and the register of its objects.

Pieces of the kit (cabinet, kettle, cube, …) add bodies to `scene.spec` and register *things* (the
objects that a reward or a skill can name), *joints* that open or close, *regions* (insides and
tops, for the judge) and *vessels* (what liquids need to know of a body). The robot's name and the
MuJoCo name are equal if there is only one body, site or joint of that name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import mujoco
import numpy as np

from regrasp.control.affordance import Affordances, Articulation, Grasp, SceneObject
from regrasp.core.errors import RegraspError
from regrasp.worlds.kit.look import Vector, colour, jitter_colour
from regrasp.worlds.kit.vessel import Vessel

__all__ = [
    "FIXED",
    "MOVABLE",
    "ROBOT",
    "Articulation",
    "Grasp",
    "Lock",
    "Region",
    "Scene",
    "SceneObject",
    "Vector",
    "position_servo",
]

# Collision classes as MuJoCo bit masks (contype, conaffinity): the robot does not collide with
# itself, furniture does not collide with furniture, movable objects collide with everything.
ROBOT = {"contype": 1, "conaffinity": 2}
FIXED = {"contype": 2, "conaffinity": 1}
MOVABLE = {"contype": 2, "conaffinity": 3}


@dataclass(frozen=True, slots=True)
class Lock:
    """A joint held shut until the joint `trigger` is past `threshold` (a fraction).

    A latching lock stays open once opened. Another lock closes again with its trigger, when its own
    joint is shut.
    """

    joint: str
    equality: str
    trigger: str
    threshold: float
    latching: bool


@dataclass(frozen=True, slots=True)
class Region:
    """A box fixed to a body, centre and half sizes in the body's frame (m)."""

    body: str
    centre: tuple[float, float, float]
    half: tuple[float, float, float]


@dataclass
class Scene:
    """An `MjSpec` and the register of what was added to it.

    `planning=True` leaves out everything visual (visual geoms, lights, cameras), so that the
    planner's copy of the scene is small; it has its own time step. `repaint` maps named colours to
    other colours. `stood_before` are pairs (x, y): x was put in the way of y, for the judge.
    `cost_sensors` adds the sensors that the costs of sampling MPC read; a robot that plans
    otherwise is simulated faster without them. `finish` is called when everything is there.
    """

    layout: np.random.Generator
    look: np.random.Generator
    planning: bool = False
    timestep: float = 0.002
    spec: mujoco.MjSpec = field(default_factory=mujoco.MjSpec)
    things: dict[str, SceneObject] = field(default_factory=dict)
    joints: dict[str, Articulation] = field(default_factory=dict)
    insides: dict[str, Region] = field(default_factory=dict)
    tops: dict[str, Region] = field(default_factory=dict)
    locks: dict[str, Lock] = field(default_factory=dict)
    start: dict[str, float] = field(default_factory=dict)
    repaint: dict[str, str] = field(default_factory=dict)
    vessels: dict[str, Vessel] = field(default_factory=dict)
    stood_before: set[tuple[str, str]] = field(default_factory=set)
    cost_sensors: bool = True
    finish: list[Callable[[Scene], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        spec = self.spec
        spec.compiler.degree = False
        option = spec.option
        option.timestep = self.timestep
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = 10
        # A state that is not finite must be kept and detected, not be replaced by the start state.
        option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)

    def colour_of(self, name: str, shade: float = 1.0, *, fixed: bool = False) -> tuple[float, ...]:
        """The named colour, darker (`shade` < 1) or lighter (> 1), a little different each time.

        A `fixed` one belongs to a thing's identity and is not repainted.
        """
        red, green, blue, alpha = colour(name if fixed else self.repaint.get(name, name))
        if shade <= 1.0:
            rgba = (shade * red, shade * green, shade * blue, alpha)
        else:
            rest = 2.0 - shade
            rgba = (1 - rest * (1 - red), 1 - rest * (1 - green), 1 - rest * (1 - blue), alpha)
        return jitter_colour(rgba, self.look)

    @property
    def stiff(self) -> dict[str, list[float]]:
        """Settings of the stiffest constraint that is stable at this time step."""
        return {"solref": [2.5 * self.timestep, 1.0], "solimp": [0.99, 0.999, 0.001, 0.5, 2.0]}

    # ---- bodies and geoms ----------------------------------------------------------------------

    def body(
        self, name: str, pos: Vector, *, yaw: float = 0.0, parent: mujoco.MjsBody | None = None
    ) -> mujoco.MjsBody:
        """Add a body at `pos` turned by `yaw` rad about the vertical."""
        quat = [np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)]
        return (parent or self.spec.worldbody).add_body(name=name, pos=list(pos), quat=quat)

    def add_free_joint(self, body: mujoco.MjsBody) -> None:
        """Give a body a free joint, so that it moves freely."""
        body.add_joint(name=f"{body.name}_free", type=mujoco.mjtJoint.mjJNT_FREE)

    def movable_body(
        self, name: str, pos: Vector, height: float, *, yaw: float = 0.0
    ) -> mujoco.MjsBody:
        """Add a body that moves freely; its origin is `height` metres above the point `pos`."""
        body = self.body(name, (pos[0], pos[1], pos[2] + height), yaw=yaw)
        self.add_free_joint(body)
        return body

    def shape(
        self,
        body: mujoco.MjsBody,
        kind: str,
        size: Vector,
        pos: Vector = (0.0, 0.0, 0.0),
        *,
        rgba: Vector,
        mass: float = 0.0,
        friction: float = 1.0,
        collide: dict[str, int] | None = None,
        fromto: Vector | None = None,
        quat: Vector | None = None,
        name: str = "",
        hard: bool = False,
    ) -> None:
        """Add a primitive: box (half sizes), sphere (r), cylinder and capsule (r, half length).

        Without `collide` the shape is visual only and is left out of a planning scene. MuJoCo's
        contacts are soft in proportion to mass: 100 N push a bar of 0.3 kg centimetres into its
        support. A body in contact with a `hard` shape penetrates by less than a millimetre.
        """
        if collide is None and self.planning:
            return
        extra: dict[str, object] = {"name": name} if name else {}
        extra |= {"pos": list(pos)} if fromto is None else {"fromto": list(fromto)}
        if quat is not None:
            extra["quat"] = list(quat)
        if hard:
            extra |= {"priority": 1, **self.stiff}
        body.add_geom(
            type=getattr(mujoco.mjtGeom, f"mjGEOM_{kind.upper()}"),
            size=[*size, 0.0, 0.0, 0.0][:3],
            rgba=list(rgba),
            mass=mass,
            friction=[friction, 0.01, 0.001],
            **(collide or {"contype": 0, "conaffinity": 0}),
            **extra,
        )

    def site(
        self,
        body: mujoco.MjsBody,
        name: str,
        pos: Vector,
        *,
        approach: Vector | None = None,
        closing: Vector | None = None,
    ) -> str:
        """Add a site; `approach` and `closing` (body frame) make it a grasp frame."""
        quat = np.array([1.0, 0.0, 0.0, 0.0])
        if approach is not None and closing is not None:
            z = np.asarray(approach, float) / np.linalg.norm(approach)
            y = np.asarray(closing, float)
            y = y - (y @ z) * z
            y /= np.linalg.norm(y)
            mujoco.mju_mat2Quat(quat, np.stack([np.cross(y, z), y, z], axis=1).flatten())
        body.add_site(name=name, pos=list(pos), quat=list(quat), group=4)
        return name

    def hinge_or_slide(
        self,
        body: mujoco.MjsBody,
        name: str,
        *,
        kind: str,
        axis: Vector,
        reach: float,
        damping: float,
        friction: float,
        stiffness: float = 0.0,
    ) -> None:
        """Add a limited joint from 0 to `reach` (rad for a hinge, m for a slide)."""
        low, high = min(0.0, reach), max(0.0, reach)
        joint = body.add_joint(
            name=name,
            type=getattr(mujoco.mjtJoint, f"mjJNT_{kind.upper()}"),
            axis=list(axis),
            range=[low, high],
            limited=1,
            armature=0.01,
        )
        joint.damping = [damping, 0.0, 0.0]
        joint.frictionloss = friction
        joint.stiffness = [stiffness, 0.0, 0.0]

    def add_adhesion(self, name: str, body: str, newtons: float) -> None:
        """Add an actuator, from 0 to 1, that pulls what touches a body with up to `newtons`."""
        trntype = mujoco.mjtTrn.mjTRN_BODY
        pull = self.spec.add_actuator(name=name, trntype=trntype, target=body, ctrlrange=[0, 1])
        pull.set_to_adhesion(gain=newtons)

    # ---- the register --------------------------------------------------------------------------

    def add_object(self, thing: SceneObject) -> None:
        """Register an object that a reward can name; a name is used once."""
        if thing.name in self.things:
            raise RegraspError(f"two objects are called {thing.name!r}: give one another name.")
        self.things[thing.name] = thing

    def add_movable(
        self,
        body: mujoco.MjsBody,
        kind: str,
        *grasps: Grasp,
        extent: tuple[float, float],
        place: str = "",
    ) -> None:
        """Register a free body as an object that can be carried; its point is its origin."""
        name = self.site(body, body.name, (0, 0, 0))
        self.add_object(SceneObject(name, kind, name, grasps, True, place=place, extent=extent))

    def add_vessel(self, body: mujoco.MjsBody, vessel: Vessel) -> None:
        """Register a vessel, with its mouth, its cap and the geom that shows how full it is."""
        up, y = (0, 0, 1), (0, 1, 0)
        self.site(body, vessel.mouth, (0, 0, vessel.mouth_z), approach=up, closing=y)
        if vessel.capped:
            self.site(body, vessel.cap, (0, 0, vessel.mouth_z - 0.01), approach=up, closing=y)
        # Not at the body's origin: MuJoCo treats a geom there as fixed to it.
        middle = vessel.bottom + 0.51 * vessel.depth
        size, clear = (vessel.radius, vessel.depth / 2), (0.5, 0.5, 0.5, 0.0)
        self.shape(body, "cylinder", size, (0, 0, middle), rgba=clear, name=vessel.fill)
        self.vessels[vessel.name] = vessel

    def add_handle(
        self,
        panel: mujoco.MjsBody,
        name: str,
        pos: Vector,
        closing: Vector,
        *,
        joint: str,
        opens: float,
        of: str,
    ) -> None:
        """Register a handle of the object `of`, and the joint it drives, open at `opens`.

        The hand comes from the front, slightly downwards: the elbow stays clear of the floor.
        """
        self.site(panel, name, pos, approach=(0.95, 0, -0.3), closing=closing)
        self.add_object(SceneObject(name, "handle", name, (Grasp(name),), joint=joint, of=of))
        self.add_joint(Articulation(joint, name, 0.0, opens))

    def add_joint(self, joint: Articulation) -> None:
        """Register a joint that opens, closes or is pulled."""
        if joint.name in self.joints:
            raise RegraspError(f"two joints are called {joint.name!r}: give one another name.")
        self.joints[joint.name] = joint

    def lock(self, joint: str, *, trigger: str, threshold: float = 0.7, latching: bool) -> None:
        """Lock a registered joint at 0 until the registered joint `trigger` is past `threshold`.

        The planner's copy of the scene has no lock: the robot does not know it, pulls, and fails.
        """
        name = f"{joint}_lock"
        equality = self.spec.add_equality(
            name=name,
            type=mujoco.mjtEq.mjEQ_JOINT,
            name1=joint,
            objtype=mujoco.mjtObj.mjOBJ_JOINT,
            **self.stiff,
        )
        equality.data = np.zeros(12)
        equality.active = not self.planning
        self.locks[joint] = Lock(joint, name, trigger, threshold, latching)

    def affordances(self) -> Affordances:
        """A controller's knowledge of this scene: grasps, joints and places."""
        return Affordances(dict(self.things), dict(self.joints))

    # ---- compiling -----------------------------------------------------------------------------

    def compile(self) -> mujoco.MjModel:
        """Finish the scene, add the sensors for costs, and compile."""
        for complete in self.finish:
            complete(self)
        if not self.cost_sensors:
            return self.spec.compile()
        sensors = mujoco.mjtSensor
        a_site = mujoco.mjtObj.mjOBJ_SITE
        for name in dict.fromkeys(
            site
            for thing in self.things.values()
            for site in (thing.site, thing.place, *(g.site for g in thing.grasps))
            if site
        ):
            self._sensor(name, sensors.mjSENS_FRAMEPOS, a_site, name)
            for axis in "xyz":
                kind = getattr(sensors, f"mjSENS_FRAME{axis.upper()}AXIS")
                self._sensor(f"{name}.{axis}", kind, a_site, name)
        for joint in self.joints:
            self._sensor(f"{joint}.q", sensors.mjSENS_JOINTPOS, mujoco.mjtObj.mjOBJ_JOINT, joint)
        return self.spec.compile()

    def _sensor(
        self, name: str, kind: mujoco.mjtSensor, objtype: mujoco.mjtObj, target: str
    ) -> None:
        self.spec.add_sensor(name=name, type=kind, objtype=objtype, objname=target)


def position_servo(actuator: mujoco.MjsActuator, kp: float, kv: float) -> None:
    """Make an actuator a position servo of stiffness `kp` and damping `kv`."""
    actuator.gaintype = mujoco.mjtGain.mjGAIN_FIXED
    actuator.biastype = mujoco.mjtBias.mjBIAS_AFFINE
    actuator.gainprm = [kp] + [0.0] * 9
    actuator.biasprm = [0.0, -kp, -kv] + [0.0] * 7
