"""The scene sampler of the worlds with two hands: bar, pizza kitchen and blocks.

The questions are those of the domain's lexicon that a picture can answer: where things are, doors,
caps, levels, switches, crusts. What a mixture contains, no picture shows; it is not asked. The
truth is the judge's. Not asked, because people would disagree: whether a held thing just above a
place is on it, whether a thing between open fingers is held, a bottle whose contents have the
colour of its glass, and whatever of a thing's marks is barely visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, Ids, Need, Shows
from regrasp.lab.vision.two_hands_poses import TwoHandsPoseSampler
from regrasp.lab.vision.two_hands_sight import TwoHandsSight, part
from regrasp.lab.vision.vessel_contents import ContentsSampler
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.judge import CLOSED, OPEN
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.two_arms import SIDES, WORK_CAMERAS
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.two_arms.judge import TwoArmJudge
from regrasp.worlds.two_arms.kitchen import KitchenWorld, doors_of
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["TwoHandsSceneSampler"]

_AT_HAND_M = 0.05  # from a palm: nearer, a thing that is not held may seem so
_OVER_M = 0.035  # above a place: nearer, a held thing may seem to stand on it
_SOME, _FULL, _ROOM = 0.06, 0.985, 0.75  # shares of a vessel: clearly some, full, and not full
_CONTRAST = 0.20  # least distance of the colours of contents and vessel (RGB, 0 to 1)
_MISSING = 5
_SEEN_OF, _PLACED, _FILLED, _LOOSE, _COLOURED = 8, 11, 8, 5, 2  # of how many things it is asked
_OTHERS = 4  # blocks that a block may be on


class TwoHandsSceneSampler:
    """A robot with two hands, seen by the camera in its head and two over its shoulders."""

    cameras: tuple[str, ...] = WORK_CAMERAS
    more: tuple[str, ...] = ()

    def __init__(self, room: VisionRoom, world: TwoArmWorld, rng: np.random.Generator) -> None:
        self.room, self._world = room, world
        judge = world.plan.judge(world)
        assert isinstance(judge, TwoArmJudge)
        self._judge: TwoArmJudge = judge
        self._poser = TwoHandsPoseSampler(room, world, rng)
        self._kitchen = world if isinstance(world, KitchenWorld) else None
        self._contents = ContentsSampler(world, rng) if isinstance(world, KitchenWorld) else None
        self._sight = TwoHandsSight(room, world)
        scene = world.scene
        self._things = [n for n in room.spoken if n in scene.things and not scene.things[n].of]
        self._movable = [n for n in self._things if scene.things[n].movable]

    def pose(self) -> None:
        """See `SceneSampler`."""
        self._poser.pose()
        if self._contents is not None:
            self._contents.fill()

    def shown(self, ids: Ids, renderer: RaycastRenderer) -> Shows:
        """See `SceneSampler`."""
        return self._sight.shown(ids)

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """See `SceneSampler`."""
        missing = [self.room.absent(rng)[0] for _ in range(_MISSING)]
        held = [name for name in self._held() if name in self._movable]
        some = [*held, *(n for n in rng.permutation(self._movable).tolist() if n not in held)]
        for name in (*rng.permutation(self._things)[:_SEEN_OF].tolist(), *missing):
            yield Candidate(Topic.SEEN, name, "", "yes", ((name,),), sought=True)
        yield from self._hands(some[: len(held) + _LOOSE])
        for name in some[:_PLACED]:
            yield from self._places(name, rng)
        if self._kitchen is not None:
            yield from self._doors(self._kitchen)
            for vessel in rng.permutation(self._movable)[:_FILLED].tolist():
                yield from self._vessel(self._kitchen, vessel)
            yield from self._machines(self._kitchen)
        for name in some[:_COLOURED]:
            colour = self.room.family.called.get(name, "").removesuffix(" block")
            if colour:
                yield Candidate(Topic.COLOUR, name, "", colour, ((name,),))
        yield from self._about_missing(missing, rng)
        for _ in range(2):
            a, b = (str(rng.choice([*self._things, *missing])) for _ in range(2))
            yield Candidate(Topic.NONSENSE, a, b, "unknown", ())

    # ---- hands and places ----------------------------------------------------------------------

    def _held(self) -> list[str]:
        return [grip.holds for grip in self._world.grips.values() if grip.holds]

    def _hands(self, some: list[str]) -> Iterator[Candidate]:
        held, near = self._held(), {n for n in self._movable if self._at_hand(n)}
        for name in some:
            if name in held or name not in near:
                yield Candidate(Topic.HELD, name, "", _word(name in held), ((name,),))
        hands: tuple[Need, ...] = tuple((part(f"{side}_hand", "hand"),) for side in SIDES)
        for side, hand in zip(SIDES, hands, strict=True):
            yield from self._hand(side, hand, [n for n in some if n in held or n not in near])
        if held:
            yield Candidate(Topic.ANY_HELD, "", "", "yes", (tuple(held),))
        elif not near:
            yield Candidate(Topic.ANY_HELD, "", "", "no", hands)

    def _hand(self, side: str, hand: Need, some: list[str]) -> Iterator[Candidate]:
        """Whether some things, and anything, are in a hand; `hand` is what must be seen of it."""
        has, name = self._world.grips[side].holds, f"{side}_hand"
        others = {grip.holds for one, grip in self._world.grips.items() if one != side}
        for thing in some:
            needs = ((thing,), hand) if thing == has or thing in others else ((thing,),)
            yield Candidate(Topic.INSIDE, thing, name, _word(thing == has), needs)
        if has in self._movable:
            yield Candidate(Topic.ANY_INSIDE, "", name, "yes", (hand, (has,)))
        elif not any(self._at_hand(n, (side,)) for n in self._movable):
            yield Candidate(Topic.ANY_INSIDE, "", name, "no", (hand,))

    def _at_hand(self, name: str, sides: tuple[str, ...] = SIDES) -> bool:
        at, (wide, high) = self._world.at(name), self._world.scene.things[name].extent
        rotation = self._world.data.body(name).xmat.reshape(3, 3)
        for side in sides:
            away = rotation.T @ (self._world.data.site(f"{side}_{PALM}").xpos - at)
            beyond = np.maximum(np.abs(away) - np.array([wide, wide, high]), 0.0)
            if np.linalg.norm(beyond) < _AT_HAND_M:
                return True
        return False

    def _places(self, name: str, rng: np.random.Generator) -> Iterator[Candidate]:
        """On which place a thing is, and inside which; only of what it cannot be mistaken for."""
        scene, kind = self._world.scene, self.room.kind(name)
        support, held = self._judge.support(name), name in self._held()
        below, gap = self._judge.beneath(name) if held else ("", 0.0)
        below = below if gap < _OVER_M else ""
        others = [n for n in self._movable if n not in (name, support)]
        fixed = [n for n in self._things if n not in self._movable]
        chosen = [support] if support in self._movable else []
        for place in (*fixed, *chosen, *rng.permutation(others)[:_OTHERS].tolist()):
            other = self.room.kind(place)
            if place != name and KNOWN.has("on", kind, other) and place != below:
                so, solid = support == place, scene.things[place].movable
                needs: tuple[Need, ...] = ((name,), (place,)) if so or solid else ((name,),)
                yield Candidate(Topic.ON, name, place, _word(so), needs)
            if place in scene.insides and KNOWN.has("inside", kind, other):
                within = self._judge.holds("inside", name, place)
                if within or not (held and self._world.within(name, scene.insides[place])):
                    needs = ((name,), (place,)) if within else ((name,),)
                    yield Candidate(Topic.INSIDE, name, place, _word(within), needs)

    # ---- doors, vessels, machines --------------------------------------------------------------

    def _doors(self, world: KitchenWorld) -> Iterator[Candidate]:
        for name in (n for n in self._things if doors_of(world.scene, n)):
            far, needs = (
                max(map(world.fraction, doors_of(world.scene, name))),
                ((part(name, "door"),),),
            )
            if far > OPEN + 0.04 or far < CLOSED - 0.01:
                yield Candidate(Topic.OPEN, name, "", _word(far > OPEN), needs)
                yield Candidate(Topic.STATE, name, "", "open" if far > OPEN else "closed", needs)
            if far < CLOSED - 0.01 or far > CLOSED + 0.08:
                yield Candidate(Topic.CLOSED, name, "", _word(far < CLOSED), needs)

    def _vessel(self, world: KitchenWorld, name: str) -> Iterator[Candidate]:
        if name not in world.scene.vessels:
            return
        vessel, volume = world.scene.vessels[name], world.liquids.volume(name)
        if vessel.capped:
            capped, needs = world.liquids.capped(name), ((name,), (part(name, "cap"),))
            yield Candidate(Topic.CAPPED, name, "", _word(capped), needs)
            yield Candidate(Topic.UNCAPPED, name, "", _word(not capped), needs)
        if self._sight.contrast(name) < _CONTRAST:
            return
        share, inside = volume / vessel.capacity, ((name,), (part(name, "level"),))
        empty = self._judge.holds("empty", name)
        dough = world.scene.things[name].kind == "dough"
        if empty or share > _SOME or dough:
            yield Candidate(Topic.EMPTY, name, "", _word(empty), inside)
            yield Candidate(Topic.ANY_INSIDE, "", name, _word(not empty), inside)
        if not dough and (share > _FULL or share < _ROOM):
            yield Candidate(Topic.FILLED, name, "", _word(share > _FULL), inside)

    def _machines(self, world: KitchenWorld) -> Iterator[Candidate]:
        for name in self._things:
            if f"{name}_switch" in world.scene.joints:
                on, needs = self._judge.holds("switched_on", name), ((part(name, "lamp"),),)
                yield Candidate(Topic.TURNED_ON, name, "", _word(on), needs)
                yield Candidate(Topic.TURNED_OFF, name, "", _word(not on), needs)
            if world.scene.things[name].kind == "dough":
                baked, needs = self._judge.holds("baked", name), ((part(name, "crust"),),)
                yield Candidate(Topic.COOKED, name, "", _word(baked), needs)
                yield Candidate(Topic.RAW, name, "", _word(not baked), needs)

    def _about_missing(self, missing: list[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """Questions about things that are not there: unknown."""
        asked: list[Callable[[str], Candidate]] = [
            lambda x: Candidate(Topic.HELD, x, "", "unknown", ((x,),)),
            lambda x: Candidate(Topic.ON, x, "table", "unknown", ((x,),)),
            lambda x: Candidate(Topic.EMPTY, x, "", "unknown", ((x,),)),
        ]
        names = ("held", "on", "empty")
        for name in missing[:2]:
            k = int(rng.integers(len(asked)))
            if KNOWN.has(names[k], name, "table" if k == 1 else ""):
                yield asked[k](name)


def _word(so: bool) -> str:
    return "yes" if so else "no"
