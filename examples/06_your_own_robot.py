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

import mujoco
import numpy as np

from regrasp.control.joint_guard import JointGuard
from regrasp.control.staged_skill import Stages
from regrasp.core.action import Action, EffectTiming, SkillSpec
from regrasp.core.errors import UnknownNameError
from regrasp.core.event import EventSink
from regrasp.core.fact import Literal
from regrasp.core.feedback import FailureCode
from regrasp.core.object_description import KnownObject, Use
from regrasp.core.robot import JointReading
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import FIXED, LOOSE, Articulation, Region, Scene, Thing
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.world import Setup, World, ignore_event

BENCH_Z, HOME, SAFE_Z = 0.20, (0.25, 0.0, 0.45), 0.34  # m
FAILS_S = (0.9, 1.2)  # when the current of a weak magnet fails, in seconds of holding something
CAMERAS = ("front", "left")
USES = {"part": {Use.PICK}, "where": {Use.PUT_ON, Use.PUT_IN}, "box": {Use.OPEN}}
SKILLS = (  # with the stages at which a constraint ends and an effect is there, for DoReMi
    SkillSpec("pick", ("part",), "take a part and lift it", EffectTiming("grip", "lift")),
    SkillSpec("place", ("part", "where"), "put it there", EffectTiming("release", "retreat")),
    SkillSpec("open", ("box",), "slide the lid of a box aside"),
    SkillSpec("rest", (), "go to the corner, with whatever is held"),
)
# The joints' positions are where the magnet's face is. Four small spheres are its poles.
GANTRY = """
<mujoco>
  <default>
    <geom type="box" contype="0" conaffinity="0" rgba=".75 .75 .7 1"/> <joint type="slide"/>
    <position kp="4000" kv="250" forcerange="-60 60"/>
    <default class="pole">
      <geom type="sphere" size=".003" contype="1" conaffinity="2" gap=".001" condim="4" mass=".01"/>
    </default>
  </default>
  <worldbody>
    <geom size=".35 .02 .02" pos=".5 -.42 .74"/> <geom size=".35 .02 .02" pos=".5 .42 .74"/>
    <body name="beam" gravcomp="1">
      <joint name="x" axis="1 0 0" range=".22 .78"/> <geom size=".02 .44 .02" pos="0 0 .78"/>
      <body name="carriage" gravcomp="1">
        <joint name="y" axis="0 1 0" range="-.34 .34"/> <geom size=".04 .04 .05" pos="0 0 .78"/>
        <body name="magnet" gravcomp="1">
          <joint name="z" axis="0 0 1" range=".2 .5"/> <geom size=".012 .012 .2" pos="0 0 .23"/>
          <geom type="cylinder" size=".018 .014" pos="0 0 .018" rgba=".1 .1 .1 1"/>
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
JOINTS, MAGNET = ("gantry/x", "gantry/y", "gantry/z"), "gantry/magnet"


def add_gantry(scene: Scene) -> None:
    """Add the robot and its cameras."""
    gantry, here = mujoco.MjSpec.from_string(GANTRY), scene.spec.worldbody.add_frame()
    scene.spec.attach(gantry, frame=here, prefix="gantry/")
    scene.start.update(zip(JOINTS, HOME, strict=True))
    add_camera(scene.spec, "front", (1.35, 0.0, 0.95), (0.48, 0.0, 0.22), 44.0)
    add_camera(scene.spec, "left", (0.45, 1.05, 0.90), (0.50, 0.0, 0.22), 44.0)


def add_part(scene: Scene, name: str, x: float, y: float, radius: float, half: float) -> None:
    """Add a steel disc that can be picked."""
    body = scene.body(name, (x, y, BENCH_Z + half))
    scene.loose(body)
    scene.shape(body, "cylinder", (radius, half), rgba=scene.paint("grey"), mass=0.2, collide=LOOSE)
    scene.site(body, name, (0, 0, 0))
    scene.add_thing(Thing(name, name, name, movable=True, extent=(radius, half)))


def add_plate(scene: Scene, name: str, x: float, y: float, z: float, half: list[float]) -> None:
    """Add a plate whose top is at `z`, on which things are put."""
    body = scene.body(name, (x, y, z))
    scene.shape(body, "box", half, (0, 0, -half[2]), rgba=scene.paint("brown"), collide=FIXED)
    scene.site(body, name, (0, 0, 0))
    scene.add_thing(Thing(name, name, name, place=name))
    scene.tops[name] = Region(name, (0, 0, 0.015), (half[0], half[1], 0.02))


def add_toolbox(scene: Scene, x: float, y: float) -> None:
    """Add a box in which things are put once its lid was slid aside by a steel tab."""
    body, paint = scene.body("toolbox", (x, y, BENCH_Z)), scene.paint("blue")
    lid = scene.body("lid", (0, 0, 0.047), parent=body)
    scene.hinge_or_slide(
        lid, "lid", kind="slide", axis=(0, 1, 0), reach=0.13, damping=5, friction=1
    )
    for part, size, pos in (
        (body, (0.07, 0.07, 0.002), (0, 0, 0.002)),
        (body, (0.003, 0.07, 0.02), (0.067, 0, 0.024)),
        (body, (0.003, 0.07, 0.02), (-0.067, 0, 0.024)),
        (body, (0.07, 0.003, 0.02), (0, 0.067, 0.024)),
        (body, (0.07, 0.003, 0.02), (0, -0.067, 0.024)),
        (lid, (0.07, 0.07, 0.002), (0, 0, 0)),
        (lid, (0.02, 0.02, 0.003), (0, 0, 0.005)),
    ):
        scene.shape(part, "box", size, pos, rgba=paint, mass=0.1, collide=FIXED)
    scene.site(body, "toolbox", (0, 0, 0.004))
    scene.site(lid, "tab", (0, 0, 0.008))
    scene.add_thing(Thing("toolbox", "toolbox", "toolbox", place="toolbox"))
    scene.add_thing(Thing("tab", "tab", "tab", joint="lid", of="toolbox"))
    scene.add_joint(Articulation("lid", handle="tab", closed=0.0, open=0.12))
    scene.insides["toolbox"] = Region("toolbox", (0, 0, 0.025), (0.064, 0.064, 0.022))


def build(scene: Scene, task: str) -> Setup:
    """Put things where the seed says; say what holds at the start, and what the goal is."""
    pallet, box, gear, bearing = scene.layout.uniform(-0.02, 0.02, (4, 2))
    add_plate(scene, "workbench", 0.5, 0.0, BENCH_Z, [0.30, 0.36, 0.02])
    add_plate(scene, "pallet", *(pallet + (0.62, -0.20)), BENCH_Z + 0.03, [0.04, 0.04, 0.015])
    add_toolbox(scene, *(box + (0.60, 0.10)))
    add_part(scene, "gear", *(gear + (0.37, -0.15)), 0.03, 0.012)
    add_part(scene, "bearing", *(bearing + (0.37, 0.10)), 0.024, 0.010)
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
    """What begins with an underscore stands for the robot's own estimator; no agent reads it."""

    name = "gantry"

    def __init__(
        self, world: World, *, renderer: str = "raycast", size: tuple[int, int] = (320, 240),
        emit: EventSink = ignore_event,
    ) -> None:  # fmt: skip
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        low, high = world.model.jnt_range[[world.model.joint(name).id for name in JOINTS]].T
        self._guard, self._emit = JointGuard(low, high, np.full(3, 0.5)), emit
        self._on, self._carried, self._action = False, "", Action("rest")

    def joints(self) -> JointReading:
        """Three axes, and a sensor in the magnet that must be called `grip`: 1 means iron."""
        axes = [self._world.data.joint(name) for name in JOINTS]
        return JointReading(
            ("x", "y", "z", "grip"),
            (*(float(one.qpos[0]) for one in axes), float(self._grips())),
            (*(float(one.qvel[0]) for one in axes), 0.0),
            (*(float(one.qfrc_actuator[0]) for one in axes), 0.0),
        )

    def objects(self) -> tuple[str, ...]:
        return tuple(self._world.scene.things)

    def knowledge(self) -> tuple[KnownObject, ...]:
        return self._world.objects()

    def _check(self, action: Action, spec: SkillSpec) -> None:
        for name, role in zip(action.args, spec.parameters, strict=True):
            valid = [one.name for one in self.knowledge() if USES[role] & set(one.can)]
            if name not in valid:
                raise UnknownNameError(f"{role} of {action.name}", name, valid)

    def _stages(self, action: Action) -> Stages:
        self._action, self._sent = action, np.array(self.joints().positions[:3])
        match action.name, action.args:
            case "pick", (part,):
                return self._pick(part)
            case "place", (part, where):
                return self._place(part, where)
            case "open", (box,):
                return self._open(box)
        return self._rest()

    # ---- skills: each ends with None, or with what went wrong -----------------------------------

    def _pick(self, part: str) -> Stages:
        if self._grips():
            return (yield from self._fail(FailureCode.NOT_GRASPED, "the magnet is taken"))
        if not (yield from self._touch(part)):
            return (yield from self._fail(FailureCode.UNREACHED, f"could not get down to {part}"))
        if not self._grips():
            return (yield from self._fail(FailureCode.NOT_GRASPED, f"no iron where {part} was"))
        self._carried = part
        yield from self._rise("lift")
        return (
            None
            if self._grips()
            else self._failure(
                DROPPED,
            )
        )
