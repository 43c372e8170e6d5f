"""A world made strange: other colours, more things, furniture elsewhere, cameras a little off.

A plain room is the world as agents meet it. In any other the palette is shuffled, loose things are
added, furniture and cameras are moved. Names follow the paint: what is painted purple is spoken of
as purple.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import Thing
from regrasp.control.rewards import PALM, REST_POSITION
from regrasp.models.seeing.known import Known
from regrasp.worlds import WORLDS, world_plan
from regrasp.worlds.kit.bar import add_bar
from regrasp.worlds.kit.bottle import add_bottle
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.fruit import add_apple, add_banana, add_orange
from regrasp.worlds.kit.kettle import add_kettle
from regrasp.worlds.kit.look import PALETTE, jitter_camera
from regrasp.worlds.kit.mug import add_mug
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.sight_truth import SightTruth
from regrasp.worlds.world import Setup, World, WorldPlan

__all__ = ["HELD_OUT_PAIRS", "KINDS", "KNOWN", "Room", "open_room"]

HELD_OUT_PAIRS = frozenset(
    {
        ("purple", "cube"),
        ("cyan", "cube"),
        ("orange", "kettle"),
        ("white", "kettle"),
        ("blue", "crate"),
        ("pink", "crate"),
        ("yellow", "apple"),
        ("black", "mug"),
        ("green", "bar"),
        ("purple", "cabinet"),
        ("blue", "bottle"),
    }
)
"""Colours and kinds that are trained on apart and never together."""

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
KINDS = (*_LOOSE, "crate", "cabinet", "microwave", "counter", "lever", "weight sensor")
"""Kinds that can be asked for, there or not."""
_OWN_COLOUR = {"orange": "orange", "banana": "yellow"}
_MATERIALS = {"brown": "wooden", "grey": "stone"}
_SIDED, _SINGLE = ("left door", "right door", "left handle", "right handle"), ("door", "handle")
KNOWN = Known(
    tints=(*PALETTE, *_MATERIALS.values()),
    loose=tuple(_LOOSE),
    fixed=tuple(kind for kind in KINDS if kind not in _LOOSE),
    parts=(
        *(f"cabinet {part}" for part in (*_SIDED, *_SINGLE)),
        *(f"microwave {part}" for part in _SINGLE),
    ),
    doors=("cabinet", "microwave"),
    tops=("crate", "counter", "weight sensor"),
    driven=("lever",),
    plain=("counter", "microwave"),
)
"""What is asked about in rooms, and so what eyes trained in them can be asked."""
_SURE = 0.16  # how far from the palette a paint may be and still have its colour's name
_TOGETHER = ("counter", "microwave")
_MOST_ADDED = 3
_USUAL, _PLAIN_COLOURS = (
    ("red", "yellow", "blue", "green"),
    0.4,
)  # colours of plain rooms; how often


@dataclass(frozen=True, slots=True)
class Room:
    """A compiled world, its truth, where its bars bar (body: position in cabinet), and its names.

    `spoken` are the names by which each thing or joint can be asked for, the usual one first;
    `colours` those whose colour has a name. Only a `strange` room may hold colours that are held
    out, or be asked about them: what is only ever asked for in vain is soon never seen.
    """

    world: World
    truth: SightTruth
    barring: dict[str, tuple[str, npt.NDArray[np.float64]]]
    spoken: dict[str, tuple[str, ...]]
    colours: dict[str, str]
    strange: bool

    def held_out(self, name: str) -> bool:
        """Whether a thing has a colour that things of its kind are not trained in."""
        thing = self.world.scene.things.get(name)
        return thing is not None and (self.colours.get(name), thing.kind) in HELD_OUT_PAIRS

    def absent(self, rng: np.random.Generator) -> tuple[str, str]:
        """The spoken name and kind of something that is not in this room."""
        things = self.world.scene.things.values()
        taken = {name for names in self.spoken.values() for name in names}
        taken |= {f"{self.colours[t.name]} {t.kind}" for t in things if t.name in self.colours}
        there = {thing.kind for thing in things}
        nameless = {thing.kind for thing in things if thing.name not in self.colours}
        while True:
            usual = rng.random() < _PLAIN_COLOURS
            kind = str(rng.choice(KINDS))
            colour = str(rng.choice(_USUAL if usual else list(PALETTE)))
            name = kind if kind in _OWN_COLOUR or rng.random() < 0.3 else f"{colour} {kind}"
            if kind == "cabinet" and rng.random() < 0.5:
                name = f"{rng.choice(list(_MATERIALS.values()))} {kind}"
            doubtful = kind in there if name == kind else kind in nameless
            kept = not self.strange and (name.removesuffix(f" {kind}"), kind) in HELD_OUT_PAIRS
            if name not in taken and not doubtful and not kept:
                return name, kind


def open_room(world: str, seed: int, *, plain: bool, held_out: bool) -> Room:
    """Build a room of `world`. Only with `held_out` may it hold colours that are held out."""
    rng = np.random.default_rng([seed, 11, WORLDS.index(world)])
    plan = world_plan(world)
    task = plan.tasks[-1] if rng.random() < 0.6 else plan.tasks[rng.integers(len(plan.tasks))]
    while True:
        change = _Change(int(rng.integers(2**31)), plain)
        built = World(
            WorldPlan(plan.name, plan.summary, (task,), change.building(plan)), task.name, seed
        )
        room = _furnish(built, change, plain, held_out)
        if held_out or plain or not any(map(room.held_out, built.scene.things)):
            return room


class _Change:
    """What is done to a world while it is built, the same for both of its copies."""

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
                _add_loose(scene, rng)
                _shift_furniture(scene, rng)
                for camera in scene.spec.cameras if rng.random() < 0.6 else ():
                    jitter_camera(camera, rng)
            return Setup()

        return build


def _add_loose(scene: Scene, rng: np.random.Generator) -> None:
    repaint, scene.repaint = scene.repaint, {}
    taken = set(scene.things)
    for k in range(int(rng.integers(_MOST_ADDED + 1))):
        kind = str(rng.choice(["cube", *_LOOSE]))
        colour = _OWN_COLOUR.get(kind) or str(rng.choice(list(PALETTE)))
        name = kind if kind in _OWN_COLOUR else f"{colour}_{kind}"
        if name not in taken and kind not in taken:
            taken.add(name)
            _LOOSE[kind](scene, name, (-1.0 - 0.4 * k, 0.0, 0.0), colour=colour)
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


def _furnish(world: World, change: _Change, plain: bool, strange: bool) -> Room:
    truth = SightTruth(world)
    things = [t for t in world.scene.things.values() if t.name not in (PALM, REST_POSITION)]
    kinds = [t.kind for t in things]
    colours: dict[str, str] = {}
    spoken: dict[str, tuple[str, ...]] = {}
    for thing in things:
        if thing.of or thing.kind in ("place", "handle"):
            continue
        colour, off = truth.colour(thing.name)
        if off < _SURE and thing.kind != "microwave":
            colours[thing.name] = colour
        spoken[thing.name] = _spoken(thing, colours.get(thing.name, ""), kinds, plain)
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
    return Room(world, truth, dict(change.barring), spoken, colours, strange)


def _spoken(thing: Thing, colour: str, kinds: list[str], plain: bool) -> tuple[str, ...]:
    own = thing.name.replace("_", " ")
    names = [own] if plain or own == thing.kind else []
    if colour and thing.kind not in _OWN_COLOUR:
        names.append(f"{colour} {thing.kind}")
        if thing.kind == "cabinet" and colour in _MATERIALS:
            names.insert(0, f"{_MATERIALS[colour]} {thing.kind}")
    if kinds.count(thing.kind) == 1:
        names.append(thing.kind)
    return tuple(names)
