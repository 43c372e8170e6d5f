"""A robot of your own in a world of your own: one file, and no line of the package is changed.

A gantry with an electromagnet sorts machine parts on a workbench. The package knows neither this
robot nor a gear, a bearing, a pallet or a toolbox. All that it needs to know is in this file:

- `build` adds the objects. A `Thing` says what an object allows: it is picked, things are put on it
  or in it, or one of its parts moves a joint. The planning domain is made from that.
- `Gantry` is the robot. A skill is a generator that moves it by one control step and yields.
- `GantryJudge` knows the truth. Only what "holding" means is different from `WorldJudge`.
- `PLAN` names these parts and the tasks. In `weak-magnet` the current fails once and a gear falls.

    python examples/06_your_own_robot.py
    regrasp run "put the gear on the pallet" --world examples/06_your_own_robot.py --vlm oracle
    regrasp check robot examples/06_your_own_robot.py:robot
"""

import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np

from regrasp.control.joint_guard import JointGuard
from regrasp.control.staged import Stages, Steps
from regrasp.core.action import Action, EffectTiming, SkillSpec
from regrasp.core.errors import UnknownNameError
from regrasp.core.event import Disturbed, EventSink
from regrasp.core.fact import Literal
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.knowledge import KnownObject, Use
from regrasp.core.robot import JointReading, Progress
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle
from regrasp.methods.registry import open_method
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import FIXED, LOOSE, Articulation, Region, Scene, Thing
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.world import CONTROL_DT, Setup, Task, World, WorldPlan, ignore_event

BENCH_Z, SAFE_Z, HOME = 0.20, 0.34, (0.25, 0.0, 0.45)  # m
FREE_SPOTS = [(x, y) for x in (0.30, 0.38, 0.46) for y in np.linspace(-0.3, 0.3, 9)]  # m
FAILS_S = (0.5, 0.8)  # when the current of a weak magnet fails, in seconds of holding something
CAMERAS, SIZE = ("front", "left"), (320, 240)
ALLOWED = {"part": {Use.PICK}, "where": {Use.PUT_ON, Use.PUT_IN}, "box": {Use.OPEN}}
SKILLS = (  # with the stages at which what a skill deletes and adds comes about, for DoReMi
    SkillSpec("pick", ("part",), "take a part and lift it", EffectTiming("lift", "lift")),
    SkillSpec("place", ("part", "where"), "put it there", EffectTiming("release", "retreat")),
    SkillSpec("open", ("box",), "slide the lid of a box aside"),
    SkillSpec("rest", (), "go to the corner, with whatever is held"),
)
JOINTS, MAGNET = ("gantry/x", "gantry/y", "gantry/z"), "gantry/magnet"
GANTRY = """
<mujoco>
  <default>
    <geom type="box" contype="0" conaffinity="0" rgba=".75 .75 .7 1"/> <joint type="slide"/>
    <position kp="4000" kv="250" forcerange="-60 60"/>
    <default class="pole"> <geom type="sphere" size=".003" contype="1" conaffinity="2"/> </default>
  </default>
  <worldbody>
    <geom size=".35 .02 .02" pos=".5 -.42 .74"/> <geom size=".35 .02 .02" pos=".5 .42 .74"/>
    <body name="beam" gravcomp="1">
      <joint name="x" axis="1 0 0" range=".22 .78"/> <geom size=".02 .44 .02" pos="0 0 .78"/>
      <body name="carriage" gravcomp="1">
        <joint name="y" axis="0 1 0" range="-.34 .34"/> <geom size=".04 .04 .05" pos="0 0 .78"/>
        <body name="magnet" gravcomp="1">
          <joint name="z" axis="0 0 1" range=".2 .5"/> <geom size=".012 .012 .2" pos="0 0 .23"/>
          <geom class="pole" pos=".012 0 .003"/> <geom class="pole" pos="-.012 0 .003"/>
          <geom class="pole" pos="0 .012 .003"/> <geom class="pole" pos="0 -.012 .003"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="x" joint="x"/> <position name="y" joint="y"/> <position name="z" joint="z"/>
    <adhesion name="magnet" body="magnet" ctrlrange="0 1" gain="30"/>
  </actuator>
</mujoco>"""


def add_gantry(scene: Scene) -> None:
    """Add the robot, whose joint positions are where its magnet is, and its cameras."""
    gantry, base = mujoco.MjSpec.from_string(GANTRY), scene.spec.worldbody.add_frame()
    scene.spec.attach(gantry, frame=base, prefix="gantry/")
    scene.start.update(zip(JOINTS, HOME, strict=True))
    add_camera(scene.spec, "front", (1.35, 0.0, 0.95), (0.48, 0.0, 0.22), 44.0)
    add_camera(scene.spec, "left", (0.45, 1.05, 0.90), (0.50, 0.0, 0.22), 44.0)


def add_part(scene: Scene, name: str, x: float, y: float, size: tuple[float, float]) -> None:
    """Add a steel disc that can be picked; `size` is its radius and half its height."""
    body = scene.body(name, (x, y, BENCH_Z + size[1]))
    scene.loose(body)
    scene.shape(body, "cylinder", size, rgba=scene.paint("grey"), mass=0.2, collide=LOOSE)
    scene.site(body, name, (0, 0, 0))
    scene.add_thing(Thing(name, name, name, movable=True, extent=size))


def add_plate(scene: Scene, name: str, x: float, y: float, z: float, half: list[float]) -> None:
    """Add a plate whose top is at `z`, on which things are put."""
    body = scene.body(name, (x, y, z))
    scene.shape(body, "box", half, (0, 0, -half[2]), rgba=scene.paint("brown"), collide=FIXED)
    scene.site(body, name, (0, 0, 0))
    scene.add_thing(Thing(name, name, name, place=name))
    scene.tops[name] = Region(name, (0, 0, 0.015), (half[0], half[1], 0.02))


def add_toolbox(scene: Scene, x: float, y: float) -> None:
    """Add a box in which things are put, once its lid is slid aside."""
    box, blue = scene.body("toolbox", (x, y, BENCH_Z)), scene.paint("blue")
    lid = scene.body("lid", (0, 0, 0.047), parent=box)
    scene.hinge_or_slide(lid, "lid", kind="slide", axis=(0, 1, 0), reach=0.13, damping=5, friction=1)
    scene.shape(lid, "box", (0.07, 0.07, 0.002), rgba=blue, mass=0.3, collide=FIXED)
    scene.shape(box, "box", (0.07, 0.07, 0.002), rgba=blue, collide=FIXED)
    for side in (-0.067, 0.067):
        scene.shape(box, "box", (0.003, 0.07, 0.02), (side, 0, 0.024), rgba=blue, collide=FIXED)
        scene.shape(box, "box", (0.07, 0.003, 0.02), (0, side, 0.024), rgba=blue, collide=FIXED)
    scene.site(lid, "lid", (0, 0, 0.002))
    scene.site(box, "toolbox", (0, 0, 0.002))
    scene.add_thing(Thing("toolbox", "toolbox", "toolbox", place="toolbox"))
    scene.add_thing(Thing("lid", "lid", "lid", joint="lid", of="toolbox"))
    scene.add_joint(Articulation("lid", handle="lid", closed=0.0, open=0.12))
    scene.insides["toolbox"] = Region("toolbox", (0, 0, 0.025), (0.064, 0.064, 0.022))


def build(scene: Scene, task: str) -> Setup:
    """Put things where the seed says; say what holds at the start, and what the goal is."""
    pallet, box, gear, bearing = scene.layout.uniform(-0.02, 0.02, (4, 2))
    add_plate(scene, "workbench", 0.5, 0.0, BENCH_Z, [0.30, 0.36, 0.02])
    add_plate(scene, "pallet", *(pallet + (0.62, -0.20)), BENCH_Z + 0.03, [0.04, 0.04, 0.015])
    add_toolbox(scene, *(box + (0.60, 0.10)))
    add_part(scene, "gear", *(gear + (0.37, -0.15)), (0.030, 0.012))
    add_part(scene, "bearing", *(bearing + (0.37, 0.10)), (0.024, 0.010))
    scene.spec.nuserdata = 1  # for how long something was held: a part of the simulation's state
    goal = ("inside", "bearing", "toolbox") if task == "toolbox" else ("on", "gear", "pallet")
    start = [Literal.of("on", part, "workbench") for part in ("gear", "bearing")]
    return Setup([Literal.of(*goal)], [*start, Literal.of("closed", "toolbox")])


class GantryJudge(WorldJudge):
    CAMERAS = CAMERAS

    def _holding(self, thing: str) -> bool:
        return bool(self._world.data.actuator(MAGNET).ctrl[0]) and MAGNET in self._touching(thing)

    def _supported(self, thing: str) -> bool:
        return bool(self._touching(thing) - {MAGNET})


class Gantry(StagedRobot):
    name = "gantry"

    def __init__(self, world: World, *, renderer="raycast", size=SIZE, emit: EventSink = ignore_event):
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        low, high = world.model.jnt_range[[world.model.joint(name).id for name in JOINTS]].T
        self._guard, self._emit = JointGuard(low, high, speed=np.full(3, 0.5)), emit
        self._action, self._carried, self._on = Action("rest"), "", False

    def joints(self) -> JointReading:
        """The axes, and the magnet's own sensor: whether it feels iron. DKPROMPT looks for `grip`."""
        axes = [self._world.data.joint(name) for name in JOINTS]
        q, v, force = ([float(getattr(a, f)[0]) for a in axes] for f in ("qpos", "qvel", "qfrc_actuator"))
        return JointReading(("x", "y", "z", "grip"), (*q, float(self._grips)), (*v, 0.0), (*force, 0.0))

    def objects(self) -> tuple[str, ...]:
        return tuple(self._world.scene.things)

    def knowledge(self) -> tuple[KnownObject, ...]:
        return self._world.objects()

    def _check(self, action: Action, spec: SkillSpec) -> None:
        for name, role in zip(action.args, spec.parameters, strict=True):
            valid = [one.name for one in self.knowledge() if ALLOWED[role] & set(one.can)]
            if name not in valid:
                raise UnknownNameError(f"{role} of {action.name}", name, valid)

    def _stages(self, action: Action) -> Stages:
        self._action, self._sent = action, np.array(self.joints().positions[:3])
        return getattr(self, f"_{action.name}")(*action.args)

    # ---- skills: their value is what went wrong, if anything did -------------------------------

    def _pick(self, part: str) -> Stages:
        if self._grips:
            return self._failed(FailureCode.NOT_GRASPED, "the magnet holds something already")
        if not (yield from self._touch(part, self._world.scene.things[part].extent[1])):
            return self._failed(FailureCode.UNREACHED, "something is in the way")
        if not self._grips:
            return self._failed(FailureCode.NOT_GRASPED, "the magnet feels no iron")
        self._carried = part
        yield from self._go("lift", z=SAFE_Z)
        return None if self._grips else self._failed(FailureCode.DROPPED, "the magnet lost it")

    def _place(self, part: str, where: str) -> Stages:
        if not self._grips or self._carried != part:
            return self._failed(FailureCode.NOT_GRASPED, f"the magnet does not hold {part}")
        x, y, z = self._free_spot(part, where)
        yield from self._go("carry", x, y, SAFE_Z)
        if not (yield from self._go("lower", x, y, z)):
            yield from self._go("retreat", x, y, SAFE_Z)
            return self._failed(FailureCode.UNREACHED, "something is in the way")
        kept, self._on = self._grips, False
        yield from self._go("release", x, y, z)
        yield from self._go("retreat", x, y, SAFE_Z)
        return None if kept else self._failed(FailureCode.DROPPED, "the magnet lost it on the way")

    def _open(self, box: str) -> Stages:
        ...
