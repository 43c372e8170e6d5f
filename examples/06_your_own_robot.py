"""A robot of your own in a world of your own: one file, and no line of the package is changed.

A gantry with an electromagnet sorts machine parts on a workbench. The package knows neither this
robot nor a gear, a bearing, a pallet or a toolbox. All that it needs to know is here:

- `build` adds the objects. A `SceneObject` says what an object allows: it is picked, things are put
  on or in it, or one of its parts moves a joint. The planning domain is made from that.
- `Gantry` is the robot. A skill is a generator that moves it by one control step and yields.
- `GantryJudge` knows the truth. Only what "holding" means differs from `WorldJudge`.
- `PLAN` joins them with the tasks. In `weak-magnet` the current fails once and the gear falls.

    python examples/06_your_own_robot.py
    regrasp run "put the gear on the pallet" --world examples/06_your_own_robot.py --llm scripted
    regrasp check robot examples/06_your_own_robot.py:robot
"""

import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np

from regrasp.control.guard import JointGuard
from regrasp.control.staged_skill import Attempt, Stages
from regrasp.core.action import Action, EffectTiming, SkillSpec
from regrasp.core.event import Disturbed
from regrasp.core.fact import Literal
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.core.robot import JointReading, Progress
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.vision import vision_factory
from regrasp.methods.registry import open_method
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import FIXED, MOVABLE, ROBOT, Articulation, Region, Scene, SceneObject
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.world import CONTROL_DT, Setup, Task, World, WorldPlan, ignore_event

BENCH_Z, SAFE_Z, HOME = 0.20, 0.34, (0.25, 0.0, 0.45)  # m
WEAK_S = (0.6, 0.9)  # when the current of a weak magnet fails, in seconds of holding something
CAMERAS, AXES, MAGNET = ("front", "left"), ("x", "y", "z"), "magnet"
ROLES = {
    "part": {Affordance.PICK},
    "where": {Affordance.PUT_ON, Affordance.PUT_IN},
    "box": {Affordance.OPEN},
}
SKILLS = (  # DoReMi watches a skill while it runs: at these stages its effects come about
    SkillSpec("pick", ("part",), "take a part and lift it", EffectTiming("lift", "lift")),
    SkillSpec("place", ("part", "where"), "put it there", EffectTiming("release", "retreat")),
    SkillSpec("open", ("box",), "slide the lid of a box aside"),
    SkillSpec("rest", (), "go to the corner, with whatever is held"),
)


def add_gantry(scene: Scene) -> None:
    """Add three sliding joints, whose positions are where the magnet's face is, and two cameras."""
    spec, body = scene.spec, None
    for name, axis, reach, half, z in (
        ("x", (1, 0, 0), (0.22, 0.78), (0.02, 0.44, 0.02), 0.78),
        ("y", (0, 1, 0), (-0.34, 0.34), (0.04, 0.04, 0.05), 0.78),
        ("z", (0, 0, 1), (0.20, 0.50), (0.012, 0.012, 0.20), 0.21),
    ):
        body = scene.body(MAGNET if name == "z" else name, (0, 0, 0), parent=body)
        body.gravcomp = 1
        body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis, range=reach)
        scene.shape(body, "box", half, (0, 0, z), rgba=(0.7, 0.7, 0.7, 1), mass=1.0, collide=ROBOT)
        servo = spec.add_actuator(name=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=name)
        servo.set_to_position(kp=4000.0, kv=250.0)
    for x, y in ((0.012, 0), (-0.012, 0), (0, 0.012), (0, -0.012)):  # the poles of the magnet
        body.add_geom(size=(0.003, 0, 0), pos=(x, y, 0.003), gap=0.001, **ROBOT)
    pull = spec.add_actuator(name=MAGNET, trntype=mujoco.mjtTrn.mjTRN_BODY, target=MAGNET)
    pull.ctrlrange = (0, 1)
    pull.set_to_adhesion(gain=30.0)  # N
    scene.start.update(zip(AXES, HOME, strict=True))
    add_camera(spec, "front", (1.25, 0.0, 0.90), (0.48, 0.0, 0.20), 44.0)
    add_camera(spec, "left", (0.45, 0.95, 0.90), (0.50, 0.0, 0.20), 44.0)


def add_part(scene: Scene, name: str, x: float, y: float, size: tuple[float, float]) -> None:
    """Add a steel disc that can be picked; `size` is its radius and half its height."""
    body, grey = scene.body(name, (x, y, BENCH_Z + size[1])), scene.colour_of("grey")
    scene.add_free_joint(body)
    scene.shape(body, "cylinder", size, rgba=grey, mass=0.2, collide=MOVABLE, hard=True)
    scene.site(body, name, (0, 0, size[1]))  # where the magnet takes it
    scene.add_object(SceneObject(name, name, name, movable=True, extent=size))


def add_plate(scene: Scene, name: str, at: tuple, half: tuple, spot: tuple = (0, 0, 0)) -> None:
    """Add a plate with its top at `at`, on which things are put, at `spot` from its middle."""
    body = scene.body(name, at)
    scene.shape(body, "box", half, (0, 0, -half[2]), rgba=scene.colour_of("brown"), collide=FIXED)
    scene.site(body, name, spot)
    scene.add_object(SceneObject(name, name, name, place=name))
    scene.tops[name] = Region(name, (0, 0, 0.025), (half[0], half[1], 0.02))


def add_toolbox(scene: Scene, x: float, y: float) -> None:
    """Add a box in which things are put, with a lid that slides aside."""
    box, blue = scene.body("toolbox", (x, y, BENCH_Z)), scene.colour_of("blue")
    for side in (-0.067, 0.067):
        scene.shape(box, "box", (0.003, 0.07, 0.02), (side, 0, 0.02), rgba=blue, collide=FIXED)
        scene.shape(box, "box", (0.07, 0.003, 0.02), (0, side, 0.02), rgba=blue, collide=FIXED)
    lid = scene.body("lid", (0, 0, 0.045), parent=box)
    scene.shape(lid, "box", (0.07, 0.07, 0.002), rgba=blue, mass=0.3, collide=FIXED)
    slide = {"kind": "slide", "axis": (0, 1, 0), "reach": 0.13}
    scene.hinge_or_slide(lid, "lid", damping=5.0, friction=1.0, **slide)
    scene.site(lid, "lid", (0, 0, 0.002))
    scene.site(box, "toolbox", (0, 0, 0))
    scene.add_object(SceneObject("toolbox", "toolbox", "toolbox", place="toolbox"))
    scene.add_object(SceneObject("lid", "lid", "lid", joint="lid", of="toolbox"))
    scene.add_joint(Articulation("lid", handle="lid", closed=0.0, open=0.12))
    scene.insides["toolbox"] = Region("toolbox", (0, 0, 0.02), (0.064, 0.064, 0.02))


def build(scene: Scene, task: str) -> Setup:
    """Put things where the seed says; say what holds at the start, and what the goal is."""
    pallet, toolbox, gear, bearing = scene.layout.uniform(-0.02, 0.02, (4, 2)) + np.array(
        [(0.65, -0.22), (0.60, 0.10), (0.33, -0.15), (0.33, 0.10)]
    )
    add_plate(scene, "workbench", (0.5, 0, BENCH_Z), (0.30, 0.36, 0.10), (-0.14, 0.26, 0))
    add_plate(scene, "pallet", (*pallet, BENCH_Z + 0.03), (0.04, 0.04, 0.015))
    add_toolbox(scene, *toolbox)
    add_part(scene, "gear", *gear, (0.030, 0.012))
    add_part(scene, "bearing", *bearing, (0.024, 0.010))
    scene.spec.nuserdata = 1  # for how long something was held: a part of the simulation's state
    goal = ("inside", "bearing", "toolbox") if task == "toolbox" else ("on", "gear", "pallet")
    start = [Literal.of("on", part, "workbench") for part in ("gear", "bearing")]
    return Setup([Literal.of(*goal)], [*start, Literal.of("closed", "toolbox")])


class GantryJudge(WorldJudge):
    CAMERAS = CAMERAS

    def _holding(self, thing: str) -> bool:
        return bool(self._world.data.actuator(MAGNET).ctrl[0]) and MAGNET in self._touching(thing)


class Gantry(StagedRobot):
    name = "gantry"

    def __init__(self, world: World, *, renderer="raycast", size=(320, 240), emit=ignore_event):
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        low, high = np.array([world.model.joint(axis).range for axis in AXES]).T
        self._guard, self._emit = JointGuard(low, high, speed=np.full(3, 0.5)), emit
        self._action, self._carried, self._on = Action("rest"), "", False

    def joints(self) -> JointReading:
        """The axes, and the magnet's own sensor; `grip` is the name that methods know it by."""
        data = self._world.data
        q, v, force = (each[:3].tolist() for each in (data.qpos, data.qvel, data.qfrc_actuator))
        return JointReading((*AXES, "grip"), (*q, float(self._grips)), (*v, 0.0), (*force, 0.0))

    def objects(self) -> tuple[str, ...]:
        return tuple(self._world.scene.things)  # with the lid, by which the box is opened

    def _fits(self, thing: ObjectDescription, role: str) -> bool:
        return thing.allows(*ROLES[role])

    def _stages(self, action: Action) -> Stages:
        self._action, self._sent = action, self._face
        return getattr(self, f"_{action.name}")(*action.args)

    # ---- skills: the value of each is what went wrong, if anything did -------------------------

    def _pick(self, part: str) -> Stages:
        if self._grips:
            return self._failed(FailureCode.NOT_GRASPED, "the magnet holds something already")
        if not (yield from self._reach(part)):
            return self._failed(FailureCode.UNREACHED, "something is in the way")
        self._on, self._carried = True, part
        yield from self._go("lift", *self._face[:2], SAFE_Z)
        return None if self._grips else self._failed(FailureCode.NOT_GRASPED, "it did not come up")

    def _place(self, part: str, where: str) -> Stages:
        if not self._grips or self._carried != part:
            return self._failed(FailureCode.NOT_GRASPED, f"the magnet does not hold the {part}")
        if not (yield from self._reach(where, 2 * self._world.scene.things[part].extent[1])):
            return self._failed(FailureCode.UNREACHED, "something is in the way")
        kept, self._on = self._grips, False
        yield from self._go("release", *self._face)
        yield from self._go("retreat", *self._face[:2], SAFE_Z)
        return None if kept else self._failed(FailureCode.DROPPED, "it fell on the way")

    def _open(self, box: str) -> Stages:
        if self._grips or not (yield from self._reach("lid")):
            return self._failed(FailureCode.UNREACHED, "something is in the way")
        self._on, (x, y, z) = True, self._face
        yield from self._go("slide", x, y + 0.12 * (1 - self._world.fraction("lid")), z)
        self._on = False
        yield from self._go("retreat", *self._face[:2], SAFE_Z)
        opened = self._world.fraction("lid") > 0.9
        return None if opened else self._failed(FailureCode.RESISTED, "the lid did not follow")

    def _rest(self) -> Stages:
        yield from self._go("rise", *self._face[:2], HOME[2])
        yield from self._go("home", *HOME)
        return None

    # ---- motions -------------------------------------------------------------------------------

    def _reach(self, thing: str, above: float = -0.002) -> Attempt:
        """Go over a thing, then down to `above` (m) its site; up again if that is not reached."""
        yield from self._go("rise", *self._face[:2], SAFE_Z)
        yield from self._go("approach", *self._at(thing)[:2], SAFE_Z)
        x, y, z = self._at(thing)
        arrived = yield from self._go("descend", x, y, z + above)
        if not arrived:
            yield from self._go("rise", *self._face[:2], SAFE_Z)
        return arrived

    def _go(self, stage: str, x: float, y: float, z: float) -> Attempt:
        """Move the magnet's face to a point; whether it comes to rest there (4 mm) within 2 s."""
        goal = np.array([x, y, z])
        for _ in range(200):
            self._step(goal)
            away = float(np.linalg.norm(goal - self._face))
            yield Progress(stage, away)
            if away < 0.004 and np.abs(self._world.data.qvel[:3]).max() < 0.01:
                return True
        return False

    def _step(self, goal: np.ndarray) -> None:
        """One control step. The current of a weak magnet fails once, and the robot is not told."""
        held, weak = self._world.data.userdata, self._world.task.name == "weak-magnet"
        held[0] += CONTROL_DT * (self._grips or held[0] > WEAK_S[0])
        fails = weak and WEAK_S[0] < held[0] < WEAK_S[1]
        if fails and self._grips:
            self._emit(Disturbed(self._action, f"the current fails and the {self._carried} falls"))
        self._sent = self._guard.command(goal, self._sent, CONTROL_DT)
        self._world.advance(np.append(self._sent, self._on and not fails))

    @property
    def _face(self) -> np.ndarray:
        return self._world.data.qpos[:3].copy()

    @property
    def _grips(self) -> bool:
        """Whether the magnet is on and touches something."""
        model, data = self._world.model, self._world.data
        touching = model.geom_bodyid[data.contact.geom] == model.body(MAGNET).id
        return bool(data.actuator(MAGNET).ctrl[0]) and bool(touching.any())

    def _at(self, thing: str) -> np.ndarray:
        return self._world.data.site(self._world.scene.things[thing].site).xpos.copy()

    def _failed(self, code: FailureCode, why: str) -> Feedback:
        return Feedback(FeedbackLevel.PHYSICAL, code, f"could not do {self._action}: {why}.")


TASKS = (
    Task("pallet", "put the gear on the pallet"),
    Task("weak-magnet", "put the gear on the pallet"),
    Task("toolbox", "put the bearing in the toolbox"),
)
SUMMARY = "a gantry with an electromagnet, and machine parts on a workbench"
PLAN = WorldPlan("gantry", SUMMARY, TASKS, build, add_gantry, Gantry, GantryJudge)


def robot() -> Gantry:
    return Gantry(PLAN.open("pallet", seed=0))


def main() -> bool:
    done = {}
    for name in ("saycan", "classical-planner", "inner-monologue", "dkprompt", "doremi", "replan"):
        spec = EpisodeSpec(
            place=WorldTask(__file__, "weak-magnet", seed=0),
            method=open_method(name),
            method_name=name,
            language=resolve_language("scripted"),
            vision=vision_factory("oracle"),
            recording=Recording(video=False),
        )
        ended = run_episode(spec, Path(tempfile.mkdtemp()) / name)
        print(f"{name} says: {ended.claim}. The judge says: {'' if ended.done else 'not '}done.")
        done[name] = ended.done
    return done["doremi"] and not done["saycan"]


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
