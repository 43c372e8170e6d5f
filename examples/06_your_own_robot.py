"""A robot of your own in a world of your own: one file, and no line of the package is changed.

A gantry with an electromagnet stands over a workbench and sorts machine parts. The package knows
neither this robot nor a gear, a bearing, a pallet or a toolbox. What it needs is in this file:

- `build` adds the objects. A `Thing` says what an object allows: it can be picked, takes things on
  its top or inside, or has a part that moves a joint. The planning domain is made from that.
- `Gantry` is the robot. Its skills are generators: they move it by one control step and yield.
- `GantryJudge` knows the truth. It differs from `WorldJudge` in what "holding" means.
- `PLAN` names the parts and the tasks. In `weak-magnet` the current fails once, and a gear falls.

    python examples/06_your_own_robot.py
    regrasp run "put the gear on the pallet" --world examples/06_your_own_robot.py --vlm oracle
    regrasp check robot examples/06_your_own_robot.py:robot
"""

import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.joint_guard import JointGuard
from regrasp.control.staged import Stages, Steps
from regrasp.core.action import Action, EffectTiming, SkillSpec
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import Disturbed, EventSink
from regrasp.core.fact import Literal
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.knowledge import KnownObject, Use
from regrasp.core.robot import JointReading, Progress
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle
from regrasp.methods.registry import open_method
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import FIXED, LOOSE, ROBOT, Articulation, Grasp, Region, Scene, Thing
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.world import CONTROL_DT, Setup, Task, World, WorldPlan, ignore_event

Array = npt.NDArray[np.float64]

# ---- the objects: lengths in m, masses in kg ----------------------------------------------------

TOP = 0.20  # height of the workbench
LID_TRAVEL = 0.13


def add_part(scene: Scene, kind: str, x: float, y: float, radius: float, half: float) -> None:
    """A steel disc that lies on the workbench: it can be picked."""
    body = scene.body(kind, (x, y, TOP + half))
    scene.loose(body)
    scene.shape(body, "cylinder", (radius, half), rgba=scene.paint("grey"), mass=0.2, collide=LOOSE)
    scene.shape(body, "cylinder", (0.3 * radius, half + 0.0005), rgba=scene.paint("black"))
    for angle in np.arange(0, np.pi, np.pi / 6) if kind == "gear" else ():  # teeth, for the eye
        turn = (np.cos(angle / 2), 0, 0, np.sin(angle / 2))
        size = (1.1 * radius, 0.1 * radius, 0.9 * half)
        scene.shape(body, "box", size, rgba=scene.paint("grey"), quat=turn)
    scene.site(body, kind, (0, 0, 0))
    grasp = Grasp(kind, above=True)
    scene.add_thing(Thing(kind, kind, kind, (grasp,), movable=True, extent=(radius, half)))


def add_plate(scene: Scene, name: str, x: float, y: float, half: tuple[float, ...], top: float) -> None:
    """A fixed plate with a flat top at height `top`: things are put on it."""
    body = scene.body(name, (x, y, 0))
    at = (0, 0, top - half[2])
    scene.shape(body, "box", half, at, rgba=scene.paint("brown"), collide=FIXED)
    scene.site(body, name, (0, 0, top))
    scene.add_thing(Thing(name, name, name, place=name))
    scene.tops[name] = Region(name, (0, 0, top + 0.015), (half[0], half[1], 0.02))


def add_toolbox(scene: Scene, x: float, y: float) -> None:
    """A box with a lid that slides to the side by a steel tab: it opens, and takes things inside."""
    body, paint = scene.body("toolbox", (x, y, TOP)), scene.paint("blue")
    scene.shape(body, "box", (0.07, 0.07, 0.002), (0, 0, 0.002), rgba=paint, collide=FIXED)
    for side in (-0.067, 0.067):
        scene.shape(body, "box", (0.003, 0.07, 0.02), (side, 0, 0.024), rgba=paint, collide=FIXED)
        scene.shape(body, "box", (0.07, 0.003, 0.02), (0, side, 0.024), rgba=paint, collide=FIXED)
    lid = scene.body("toolbox_lid", (0, 0, 0.047), parent=body)
    scene.hinge_or_slide(
        lid, "toolbox_lid", kind="slide", axis=(0, 1, 0), reach=LID_TRAVEL, damping=5, friction=1
    )
    scene.shape(lid, "box", (0.07, 0.07, 0.002), rgba=paint, mass=0.2, collide=FIXED)
    tab, tab_size = scene.paint("grey"), (0.025, 0.003)
    scene.shape(lid, "cylinder", tab_size, (0, 0, 0.005), rgba=tab, mass=0.1, collide=FIXED)
    scene.site(lid, "toolbox_tab", (0, 0, 0.008))
    scene.site(body, "toolbox", (0, 0, 0.004))
    scene.add_joint(Articulation("toolbox_lid", "toolbox_tab", 0.0, 0.95 * LID_TRAVEL))
    scene.add_thing(Thing("toolbox_tab", "tab", "toolbox_tab", joint="toolbox_lid", of="toolbox"))
    scene.add_thing(Thing("toolbox", "toolbox", "toolbox", place="toolbox"))
    scene.insides["toolbox"] = Region("toolbox", (0, 0, 0.025), (0.064, 0.064, 0.022))


def build(scene: Scene, task: str) -> Setup:
    """Put things where the seed says; say what holds at the start, and what the goal is."""
    scene.spec.nuserdata = len(SLOTS)
    shift = scene.layout.uniform(-0.02, 0.02, (4, 2))
    add_plate(scene, "workbench", 0.5, 0.0, (0.30, 0.36, 0.02), TOP)
    add_plate(scene, "pallet", *(shift[0] + (0.62, -0.20)), (0.04, 0.04, 0.015), TOP + 0.03)
    add_toolbox(scene, *(shift[1] + (0.60, 0.10)))
    add_part(scene, "gear", *(shift[2] + (0.37, -0.15)), 0.03, 0.012)
    add_part(scene, "bearing", *(shift[3] + (0.37, 0.10)), 0.024, 0.010)
    goal = ("inside", "bearing", "toolbox") if task == "toolbox" else ("on", "gear", "pallet")
    start = [Literal.of("on", part, "workbench") for part in ("gear", "bearing")]
    return Setup([Literal.of(*goal)], [*start, Literal.of("closed", "toolbox")])


# ---- the robot ----------------------------------------------------------------------------------

AXES = ("x", "y", "z")
LOW, HIGH, HOME = (0.22, -0.34, TOP), (0.78, 0.34, 0.48), (0.25, 0.0, 0.48)
SPEED, SAFE_Z, MAGNET_N = 0.5, TOP + 0.14, 30.0
SLOTS = ("held_s", "fails_until_s")  # kept in the simulation's state: a snapshot has them
FAILS_AFTER_S, FAILS_S = 0.9, 0.3
CAMERAS = ("front", "left")
SKILLS = (
    SkillSpec("pick", ("part",), "take a part and lift it", EffectTiming("grip", "lift")),
    SkillSpec("place", ("part", "where"), "put it there", EffectTiming("release", "retreat")),
    SkillSpec("open", ("box",), "slide the lid of a box aside"),
    SkillSpec("rest", (), "go to the corner, with whatever is held"),
)
USES = {"part": (Use.PICK,), "where": (Use.PUT_ON, Use.PUT_IN), "box": (Use.OPEN,)}


def add_gantry(scene: Scene) -> None:
    """Three sliding joints, whose positions are where the magnet's face is; and two cameras."""
    if not scene.planning:
        add_camera(scene.spec, "front", (1.35, 0.0, 0.95), (0.48, 0.0, 0.22), 44.0)
        add_camera(scene.spec, "left", (0.45, 1.05, 0.90), (0.50, 0.0, 0.22), 44.0)
    steel, body = (0.7, 0.7, 0.72, 1.0), scene.body("gantry", (0, 0, 0))
    for y in (-0.42, 0.42):
        scene.shape(body, "box", (0.35, 0.02, 0.02), (0.5, y, 0.74), rgba=steel)
    looks = (  # of each axis, in the frame that it moves
        ((0.02, 0.44, 0.02), (0, 0, 0.78)),
        ((0.04, 0.04, 0.05), (0, 0, 0.78)),
        ((0.012, 0.012, 0.18), (0, 0, 0.20)),
    )
    for name, axis, low, high, look in zip(AXES, np.eye(3), LOW, HIGH, looks, strict=True):
        body = scene.body(name if name != "z" else "magnet", (0, 0, 0), parent=body)
        body.gravcomp = 1
        slide = mujoco.mjtJoint.mjJNT_SLIDE
        body.add_joint(name=name, type=slide, axis=axis, range=[low, high], limited=1)
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=look[0], pos=look[1], mass=1.0, rgba=steel,
            contype=0, conaffinity=0,
        )  # fmt: skip
        scene.start[name] = HOME[AXES.index(name)]
        servo = scene.spec.add_actuator(
            name=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=name, forcerange=[-60, 60],
            forcelimited=1,
        )  # fmt: skip
        servo.set_to_position(kp=4000.0, kv=250.0)
    scene.shape(body, "cylinder", (0.018, 0.014), (0, 0, 0.017), rgba=(0.1, 0.1, 0.1, 1.0))
    for angle in np.arange(4) * np.pi / 2:
        at = [0.012 * np.cos(angle), 0.012 * np.sin(angle), 0.003]
        body.add_geom(size=[0.003, 0, 0], pos=at, mass=0.01, gap=0.001, condim=4, **ROBOT)
    magnet = scene.spec.add_actuator(
        name="magnet", trntype=mujoco.mjtTrn.mjTRN_BODY, target="magnet", ctrlrange=[0, 1]
    )
    magnet.set_to_adhesion(gain=MAGNET_N)


class Gantry(StagedRobot):
    """A `Robot` over a world. What begins with an underscore knows the truth; no agent reads it."""

    name = "gantry"

    def __init__(
        self, world: World, *, renderer: str = "raycast", size: tuple[int, int] = (320, 240),
        emit: EventSink = ignore_event,
    ) -> None:  # fmt: skip
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        self._emit, self._action, self._magnet = emit, Action("rest"), False
        self._guard = JointGuard(np.array(LOW), np.array(HIGH), np.full(3, SPEED))
        self._command = self._q

    def joints(self) -> JointReading:
        """The three axes, and `grip`: 1 while the magnet feels iron. DKPROMPT reads that name."""
        data, zero = self._world.data, (0.0, 0.0, 0.0)
        force = tuple(map(float, data.actuator_force[:3]))
        grip = (float(self._grips),)
        return JointReading((*AXES, "grip"), (*self._q.tolist(), *grip), (*zero, 0.0), (*force, 0.0))
