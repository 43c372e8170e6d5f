"""A randomised world: other colours, more objects, moved furniture and cameras.

A plain room is the world as agents get it. In any other room the palette is shuffled, loose objects
are added, furniture and cameras are moved. Names follow the colours: an object painted purple is
called purple.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.bench.protocol import refuse_reserved
from regrasp.control.affordance import SceneObject
from regrasp.control.rewards import PALM, REST_POSITION
from regrasp.episodes.visual_truth import VisualTruth
from regrasp.lab.vision.kinds import HELD_OUT_PAIRS, TINTS, TWO_HANDS, ObjectFamily, family_of
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.worlds.blocks.tasks import BlocksPlan
from regrasp.worlds.disturbance import DisturbedPlan
from regrasp.worlds.household.plan import household_plan
from regrasp.worlds.household.tasks import HouseholdTask
from regrasp.worlds.household.world import HouseholdPlan
from regrasp.worlds.kit.bar import add_bar
from regrasp.worlds.kit.block import add_block
from regrasp.worlds.kit.bottle import add_bottle
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.fruit import add_apple, add_banana, add_orange
from regrasp.worlds.kit.kettle import add_kettle
from regrasp.worlds.kit.look import PALETTE, jitter_camera
from regrasp.worlds.kit.mug import add_mug
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kitchen_plan import KitchenPlan
from regrasp.worlds.registry import world_plan
from regrasp.worlds.walker_room.tasks import FOREST
from regrasp.worlds.world import Setup, Task, World, WorldPlan

__all__ = ["VisionRoom", "open_room"]

_LOOSE: dict[str, Callable[..., None]] = {
    "cube": add_cube,
    "apple": add_apple,
    "orange": add_orange,
    "banana": add_banana,
    "kettle": add_kettle,
    "mug": add_mug,
    "bottle": add_bottle,
    "bar": add_bar,
}
_BLOCK_COUNTS = (3, 4, 5, 6, 8, 10, 12, 14, 16, 20)
_SEEDS_APART = 20_000_000  # from the seeds of episodes: none of their scenes is drawn
_SURE = 0.16  # largest distance of a paint from the palette colour whose name it has
_TOGETHER = ("counter", "microwave")
_MOST_ADDED = 3
_CHANGING = ("boil-water", "frozen-pie", "halve-egg")  # tasks with objects that change by use
_USUAL, _PLAIN_COLOURS = (
    ("red", "yellow", "blue", "green"),
    0.4,
)  # colours of plain rooms; how often


@dataclass(frozen=True, slots=True)
class VisionRoom:
    """A compiled world, its judge, its bars (body: position in cabinet), and its names.

    `family` determines the questions about its objects. `spoken` are the names for each object or
    joint, the usual one first; `colours` those whose colour has a name. Only a `strange` room may
    hold held-out colours, or have questions about them: a model learns to answer no to a name that
    is always absent.
    """

    world: World
    truth: VisualTruth
    family: ObjectFamily
    barring: dict[str, tuple[str, npt.NDArray[np.float64]]]
    spoken: dict[str, tuple[str, ...]]
    colours: dict[str, str]
    strange: bool

    def held_out(self, name: str) -> bool:
        """Whether an object has a colour that is held out for its kind."""
        thing = self.world.scene.things.get(name)
        return thing is not None and (self.colours.get(name), thing.kind) in HELD_OUT_PAIRS

    def kind(self, name: str) -> str:
        """The kind of a name: a kind of object, a door, or nothing in this room."""
        thing = self.world.scene.things.get(name)
        if thing is not None:
            return _kind(thing, self.family)
        return "door" if name in self.world.scene.joints else " ".join(name.split()[-1:])

    def absent(self, rng: np.random.Generator) -> tuple[str, str]:
        """The spoken name and kind of an absent object."""
        things, family = self.world.scene.things.values(), self.family
        taken = {name for names in self.spoken.values() for name in names}
        kinds = {thing.name: _kind(thing, family) for thing in things}
        taken |= {f"{self.colours[name]} {kinds[name]}" for name in kinds if name in self.colours}
        there = set(kinds.values())
        nameless = {kind for name, kind in kinds.items() if name not in self.colours}
        bare = {*family.own, *family.plain}
        while True:
            usual = rng.random() < _PLAIN_COLOURS
            kind = str(rng.choice(family.kinds))
            colour = str(rng.choice(_USUAL if usual else list(PALETTE)))
            name = kind if kind in bare or rng.random() < 0.3 else f"{colour} {kind}"
            if kind in family.materials and rng.random() < 0.5:
                name = f"{rng.choice(list(family.materials[kind].values()))} {kind}"
            doubtful = kind in there if name == kind else kind in nameless
            kept = not self.strange and (name.removesuffix(f" {kind}"), kind) in HELD_OUT_PAIRS
            if name not in taken and not doubtful and not kept:
                return name, kind


def open_room(world: str, seed: int, *, plain: bool, held_out: bool) -> VisionRoom:
    """Build a room of `world`. Only with `held_out` may it hold colours that are held out.

    Seeds that the bench reserves are refused.
    """
    refuse_reserved([seed], "this room")
    rng = np.random.default_rng([seed, 11, PICTURED_WORLDS.index(world)])
    plan = world_plan(world)
    task = plan.tasks[-1] if rng.random() < 0.6 else plan.tasks[rng.integers(len(plan.tasks))]
    if isinstance(plan, HouseholdPlan):
        often = [4.0 if one.name in _CHANGING else 1.0 for one in plan.tasks]
        task = plan.tasks[rng.choice(len(often), p=np.array(often) / sum(often))]
        plan = plan if plain else _with_others(plan, task, rng)
    if plan.name == "walker_room":
        dense = f"{FOREST.name}:d={rng.uniform(0.1, 0.9):.2f}"
        task = plan.task(dense) if rng.random() < 0.5 else plan.tasks[0]
    if isinstance(plan, BlocksPlan):
        task = plan.task(f"{plan.tasks[0].name}:{rng.choice(_BLOCK_COUNTS)}")
    apart = _SEEDS_APART if family_of(world) is TWO_HANDS else 0
    while True:
        change = _Change(int(rng.integers(2**31)), plain)
        built = replace(plan, build=change.building(plan)).open(task.name, seed + apart)
        room = _furnish(built, change, plain, held_out)
        if held_out or plain or not any(map(room.held_out, built.scene.things)):
            return room


def _with_others(plan: HouseholdPlan, task: Task, rng: np.random.Generator) -> HouseholdPlan:
    """The same house with the objects of other tasks as well, mainly those that change."""
    own, others = plan.detail(task.name), [d for d in plan.details if d.task != task]
    some = [d for d in others if rng.random() < (0.9 if d.task.name in _CHANGING else 0.05)]

    def place(scene: Scene) -> None:
        for detail in (own, *some):
            detail.place(scene)

    both = HouseholdTask(task, own.rooms, own.floors, place, (), ())
    return household_plan(plan.name, plan.summary, (both,))


class _Change:
    """The changes to a world while it is built, the same for both of its copies."""

    def __init__(self, seed: int, plain: bool) -> None:
        self._seed, self._plain = seed, plain
        self.barring: dict[str, tuple[str, npt.NDArray[np.float64]]] = {}

    def building(self, plan: WorldPlan) -> Callable[[Scene, str], Setup]:
        def build(scene: Scene, task: str) -> Setup:
            rng = np.random.default_rng(self._seed)
            if not self._plain and rng.random() < 0.75:
                scene.repaint.update(
                    zip(PALETTE, rng.permutation(list(PALETTE)).tolist(), strict=True)
                )
            plan.build(scene, task)
            bars = [t.name for t in scene.things.values() if t.kind == "bar"]
            cabinets = [t.name for t in scene.things.values() if t.kind == "cabinet"]
            for bar in bars:
                for cabinet in cabinets[:1]:
                    home = np.array(scene.spec.body(cabinet).pos)
                    self.barring[bar] = (cabinet, np.array(scene.spec.body(bar).pos) - home)
            if not self._plain:
                _disarrange(plan, scene, rng)
                for camera in scene.spec.cameras if rng.random() < 0.6 else ():
                    jitter_camera(camera, rng)
            return Setup()

        return build


def _disarrange(plan: WorldPlan, scene: Scene, rng: np.random.Generator) -> None:
    """Add objects and move furniture, if the world's own draws are not enough."""
    if plan.name == "tabletop":
        _add_blocks(scene, rng)
    elif not isinstance(plan, HouseholdPlan | DisturbedPlan | KitchenPlan | BlocksPlan):
        _add_loose(scene, rng)
        _shift_furniture(scene, rng)


def _add_loose(scene: Scene, rng: np.random.Generator) -> None:
    repaint, scene.repaint = scene.repaint, {}
    taken, own = set(scene.things), family_of("").own
    for k in range(int(rng.integers(_MOST_ADDED + 1))):
        kind = str(rng.choice(["cube", *_LOOSE]))
        colour = own.get(kind) or str(rng.choice(list(PALETTE)))
        name = kind if kind in own else f"{colour}_{kind}"
        if name not in taken and kind not in taken:
            taken.add(name)
            _LOOSE[kind](scene, name, (-1.0 - 0.4 * k, 0.0, 0.0), colour=colour)
    scene.repaint = repaint


def _add_blocks(scene: Scene, rng: np.random.Generator) -> None:
    """Up to two blocks of other colours, as large as the existing ones."""
    half = next(thing.extent for thing in scene.things.values() if thing.movable)
    repaint, scene.repaint = scene.repaint, {}
    for k, colour in enumerate(rng.permutation(list(PALETTE))[: rng.integers(3)].tolist()):
        if f"{colour}_block" not in scene.things:
            add_block(scene, f"{colour}_block", (-1.0 - 0.4 * k, 0, 0), half=half, colour=colour)
    scene.repaint = repaint


def _shift_furniture(scene: Scene, rng: np.random.Generator) -> None:
    loose = {t.name for t in scene.things.values() if t.movable}
    common = rng.uniform(-0.05, 0.05, 2)
    for body in scene.spec.worldbody.bodies:
        if body.name in loose or body.name == "link0":
            continue
        own, turn = rng.uniform(-0.06, 0.06, 2), rng.uniform(-0.12, 0.12)
        together = body.name in _TOGETHER
        move = common if together else own
        body.pos = np.asarray(body.pos) + np.array([*move, 0.0])
        if not together:
            quat, now = np.zeros(4), np.asarray(body.quat)
            mujoco.mju_mulQuat(quat, np.array([np.cos(turn / 2), 0, 0, np.sin(turn / 2)]), now)
            body.quat = quat


def _furnish(world: World, change: _Change, plain: bool, strange: bool) -> VisionRoom:
    truth, family = VisualTruth(world, world.plan.judge(world)), family_of(world.plan.name)
    things = [t for t in world.scene.things.values() if t.name not in (PALM, REST_POSITION)]
    kinds = [_kind(t, family) for t in things]
    colours: dict[str, str] = {}
    spoken: dict[str, tuple[str, ...]] = {}
    for thing in things:
        kind = _kind(thing, family)
        if thing.of or thing.kind in ("place", "handle") or kind not in family.kinds:
            continue
        colour, off = truth.colour(thing.name) if kind not in family.plain else ("", 1.0)
        if off < _SURE:
            colours[thing.name] = colour
        spoken[thing.name] = _spoken(thing, colours.get(thing.name, ""), kinds, plain, family)
    twice = [n for names in spoken.values() for n in set(names)]
    spoken = {
        thing: tuple(n for n in dict.fromkeys(names) if twice.count(n) == 1)
        for thing, names in spoken.items()
    }
    spoken = {thing: names for thing, names in spoken.items() if names}
    for thing in things:
        if thing.of in spoken and thing.joint:  # a handle, and the door it drives
            for part in (thing.name, thing.joint):
                tail = part.removeprefix(thing.of).replace("_", " ")
                spoken[part] = tuple(f"{owner}{tail}" for owner in spoken[thing.of])
    return VisionRoom(world, truth, family, dict(change.barring), spoken, colours, strange)


def _kind(thing: SceneObject, family: ObjectFamily) -> str:
    """An object's name without its colour or material: `red_cube` is a cube."""
    if (whole := thing.name.replace("_", " ")) in family.kinds:
        return whole
    tint, _, rest = thing.name.partition("_")
    tint = "grey" if tint == "gray" else tint
    return (rest if rest and tint in TINTS else thing.name).replace("_", " ")


def _spoken(
    thing: SceneObject, colour: str, kinds: list[str], plain: bool, family: ObjectFamily
) -> tuple[str, ...]:
    own, kind = thing.name.replace("_", " "), _kind(thing, family)
    names = [own] if plain or own == kind or kind in family.plain else []
    if colour and kind not in family.own:
        names.append(f"{colour} {kind}")
        if colour in family.materials.get(kind, {}):
            names.insert(0, f"{family.materials[kind][colour]} {kind}")
    if kinds.count(kind) == 1:
        names.append(kind)
    if kind in family.called:
        names.append(family.called[kind])
    return tuple(names)
