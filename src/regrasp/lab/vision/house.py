"""The household's scene sampler: the questions of its lexicon with clear answers.

Truth and visibility are those of the oracle (`worlds/household/judge.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regrasp.core.fact import Fact
from regrasp.domains.action_phrases import LIQUID
from regrasp.domains.household import household_lexicon, household_skills
from regrasp.lab.vision.action_questions import ActionQuestions, LabelledFact
from regrasp.lab.vision.clear import depth
from regrasp.lab.vision.house_poses import HouseholdPoseSampler
from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, Ids, Need, Shows, Visibility
from regrasp.lab.vision.wording import Topic
from regrasp.prompts.visual_question import ConditionQuestion, ObjectQuestion
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.rooms import DOORWAY
from regrasp.worlds.household.sight import Clue, HouseholdSight
from regrasp.worlds.household.world import FILLED, HouseholdWorld
from regrasp.worlds.judge import CLOSED, OPEN
from regrasp.worlds.kit.mobile import CAMERAS
from regrasp.worlds.kit.scene import Region
from regrasp.worlds.render.raycast import RaycastRenderer

__all__ = ["HouseholdSceneSampler"]

_HIDDEN, _SHOWN = 0.3, 2.5  # relative to the visibility threshold: less is hidden, more is visible
_FRAMED = 0.6  # share of an object that must be inside an image to recognise it
_EDGE, _EDGE_BASKET = 0.015, 0.008  # m: margin for a clear "in" or "on"
_PATCH = (0.62, 0.10, 0.0)  # the view of the camera that looks down, in the robot's frame
_SEEN_OFTEN = 0.33  # share of objects whose visibility is also asked in questions about actions
_DOORWAY_M = 0.35  # m from the doorway: an object there is in neither room


class _OneState(HouseholdJudge):
    """A judge of one state that caches its results until `forget`.

    Questions about actions use facts that other questions also use.
    """

    def __init__(self, world: HouseholdWorld, sight: HouseholdSight) -> None:
        super().__init__(world, sight)
        self.forget()

    def forget(self) -> None:
        """Clear the cache after a change of the world."""
        self._found: dict[tuple[str, ...], bool] = {}
        self._contents: dict[str, list[str]] = {}

    def holds(self, predicate: str, *args: str) -> bool:
        """See `WorldJudge`."""
        fact = (predicate, *args)
        if fact not in self._found:
            self._found[fact] = super().holds(predicate, *args)
        return self._found[fact]

    def _inside(self, x: str, place: str) -> bool:
        if place not in self._contents:
            self._contents[place] = self._house.contents(place)
        return x in self._contents[place]


class HouseholdSceneSampler:
    """The mobile robot in its rooms, seen by the three cameras on its head."""

    cameras: tuple[str, ...] = CAMERAS
    more: tuple[str, ...] = ()

    def __init__(self, room: VisionRoom, world: HouseholdWorld, rng: np.random.Generator) -> None:
        self.room, self._house = room, world
        self.pose = HouseholdPoseSampler(room, world, rng).pose
        self._rules = household_skills(frozenset(), tuple(world.rooms)).rules(world.objects())
        self._judge = _OneState(world, HouseholdSight(world))
        self._clues = tuple(dict.fromkeys(self._every_clue()))
        self._deeds = ActionQuestions(room, world, self._rules, self._know)

    def shown(self, ids: Ids, renderer: RaycastRenderer) -> Shows:
        """Visibility relative to the threshold; see `SceneSampler`."""
        sight = self._judge.sight
        sight.count([ids[camera] for camera in CAMERAS])
        shares = {_key(*clue): sight.shown(*clue) for clue in self._clues}
        for name in (n for n in self._house.movable if n in shares):
            cut = sight.framed(name) < _FRAMED
            shares[name] = np.where(cut, np.minimum(shares[name], 1.0), shares[name])
        return {
            camera: {key: _how(float(share[row])) for key, share in shares.items()}
            for row, camera in enumerate(CAMERAS)
        }

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """See `SceneSampler`."""
        self._judge.forget()
        for entry in household_lexicon().entries:
            for forms, so in ((entry.questions, True), (entry.negated_questions, False)):
                form = forms[0] if forms else ""
                if isinstance(form, ObjectQuestion | ConditionQuestion):
                    facts = self._facts(entry.predicate, form, so, seen)
                    often = _SEEN_OFTEN if form is ObjectQuestion.SEEN else 1.0
                    yield from (one for one in facts if rng.random() < often)
        yield from self._deeds.candidates(seen, rng)
        held = self._house.held
        hand: Need = (_key(Clue.HAND, ""),)
        yield Candidate(Topic.ANY_HELD, "", "", "yes" if held else "no", (hand,))
        for name in (n for n in self._spoken() if self._house.doors(n)):
            fact = Fact("closed", (name,))
            if self._clear(fact, ObjectQuestion.OPEN):
                state = "closed" if self._judge.holds("closed", name) else "open"
                yield Candidate(Topic.STATE, name, "", state, (self._need(fact),))
        for name, colour in self.room.colours.items():
            if name in self.room.spoken:
                yield Candidate(Topic.COLOUR, name, "", colour, ((name,),))
        missing = [self.room.absent(rng)[0] for _ in range(4)]
        for name in missing:
            yield Candidate(Topic.SEEN, name, "", "yes", ((name,),), sought=True)
        for _ in range(2):
            a, b = (str(rng.choice([*self._spoken(), *missing])) for _ in range(2))
            yield Candidate(Topic.NONSENSE, a, b, "unknown", ())

    def _facts(
        self, predicate: str, form: ObjectQuestion | ConditionQuestion, so: bool, seen: set[str]
    ) -> Iterator[Candidate]:
        """The questions for a predicate in one of its two forms."""
        topic, spoken = Topic[form.name], self.room.spoken
        for fact in self._rules.facts(predicate):
            if any(arg not in spoken and arg != LIQUID for arg in fact.args):
                continue
            a, b = (*fact.args, "", "")[:2]
            kinds = (self.room.kind(arg) for arg in fact.args)
            if not KNOWN.has(str(topic), *kinds) or not self._clear(fact, form):
                continue
            if predicate == "inview":
                yield Candidate(topic, a, b, "yes", ((a,),), sought=True)
                continue
            if a == LIQUID and not self._shows_heat(seen):
                continue
            holds = self._judge.holds(fact.predicate, *fact.args)
            yield Candidate(topic, a, b, "yes" if holds is so else "no", (self._need(fact),))

    def _know(self, fact: Fact) -> LabelledFact:
        """A fact for questions about actions: a door ajar is neither open nor closed there."""
        so = fact.predicate == "inview" or self._judge.holds(fact.predicate, *fact.args)
        return LabelledFact(so, self._clear(fact, ObjectQuestion.OPEN), self._need(fact))

    def _need(self, fact: Fact) -> Need:
        """The clues that show a fact; one is enough."""
        return tuple(_key(*clue) for clue in self._judge.clues(fact))

    # ---- clear answers -------------------------------------------------------------------------

    def _clear(self, fact: Fact, form: ObjectQuestion | ConditionQuestion | str) -> bool:
        """Whether the answer about a fact is clear in that form of question."""
        match fact:
            case Fact("closed", (place,)):
                far = max(self._house.fraction(door) for door in self._house.doors(place))
                if form is ObjectQuestion.OPEN:  # a door ajar is not clearly open
                    return far < CLOSED - 0.01 or far > OPEN + 0.04
                return far < CLOSED - 0.01 or far > CLOSED + 0.05
            case Fact("filled", (x,)) if form is ConditionQuestion.EMPTY:  # half full is neither
                return not 0.0 < self._house.conditions.get("level", x) < FILLED
            case Fact("inside", (x, place)):
                basket = self._house.scene.things[place].movable
                return self._far_from_edge(x, self._house.scene.insides[place], basket)
            case Fact("ontop", (x, surface)):
                boxed = any(self._judge.holds("inside", x, c) for c in self._baskets())
                region = self._house.scene.tops[surface]
                return not boxed and self._far_from_edge(x, region, False, axes=2)
            case Fact("onfloor", (x, floor)):
                boxed = any(self._judge.holds("inside", x, c) for c in self._baskets())
                between = len(self._house.rooms_of(floor)) == 1 and self._in_doorway(x)
                return not boxed and not between
            case Fact("inview", (x,)) if self._house.scene.things[x].kind == "floor":
                x, y, _ = self._house.body.base
                patch = self._house.body.world(_PATCH)
                rooms = {self._house.room_at(*at) for at in ((x, y), (patch[0], patch[1]))}
                return len(self._house.rooms_of(fact.args[0])) > 1 or len(rooms) == 1
        return True

    def _far_from_edge(self, x: str, region: Region, basket: bool, axes: int = 3) -> bool:
        if not self._house.there(x):
            return axes == 2  # a halved egg can be on a place, not in one
        deep = depth(self.room, x, region, axes)
        if x == self._house.held:
            return deep < -_EDGE
        return abs(deep) > (_EDGE_BASKET if basket else _EDGE)

    def _in_doorway(self, x: str) -> bool:
        return abs(float(self._house.at(x)[1]) - DOORWAY[1]) < _DOORWAY_M

    def _shows_heat(self, seen: set[str]) -> bool:
        """Whether the visible water is the hot water, if any is hot."""
        c = self._house.conditions
        hot = [v for v in c.of("level") if c.get("level", v) and c.get("hot", v)]
        water = [_key(Clue.PART, f"{vessel}_water") for vessel in hot]
        return not hot or LIQUID not in seen or any(key in seen for key in water)

    # ---- names ---------------------------------------------------------------------------------

    def _spoken(self) -> list[str]:
        things = self._house.scene.things
        return [name for name in self.room.spoken if name in things and not things[name].of]

    def _baskets(self) -> list[str]:
        return [name for name in self._house.movable if name in self._house.scene.insides]

    def _every_clue(self) -> Iterator[tuple[Clue, str]]:
        """All clues that a question may need."""
        c, scene = self._house.conditions, self._house.scene
        yield (Clue.HAND, "")
        yield from ((Clue.THING, name) for name in (*self._spoken(), LIQUID))
        yield from ((Clue.TOP, name) for name in scene.tops if name in self.room.spoken)
        yield from ((Clue.INSIDE, name) for name in scene.insides if name in self.room.spoken)
        yield from ((Clue.DOOR, name) for name in self._spoken() if self._house.doors(name))
        yield from ((Clue.BRIM, name) for name in c.of("level"))
        yield from ((Clue.PART, f"{name}_lamp") for name in c.of("on"))
        for name in (*c.of("level"), *c.of("water")):
            yield from ((Clue.PART, f"{name}_{part}") for part in ("water", "bottom"))


def _key(clue: Clue, name: str) -> str:
    return name if clue is Clue.THING else f"{name} {clue}"


def _how(share: float) -> Visibility:
    return (
        Visibility.HIDDEN
        if share < _HIDDEN
        else Visibility.YES
        if share >= _SHOWN
        else Visibility.DOUBTFUL
    )
