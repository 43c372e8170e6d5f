"""Eyes that see through the simulator: a `VisionModel` that asks the judge, not the pixels.

They are called `oracle` in every trace and table, and stand for the best that eyes could do: what
no camera has in view they do not know, and of a lock they see nothing. With an error model they
are wrong as often as it says, in a way that only its generator decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from regrasp.core.errors import RegraspError
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, QuestionKind, Verdict
from regrasp.perception.scene_text import scene_text
from regrasp.prompts.parsing import Line
from regrasp.prompts.scene import Can
from regrasp.prompts.sight import ANYTHING, Look, Sight, read_sight
from regrasp.prompts.steps import Step, Verb, parse_step
from regrasp.worlds.asked_why import action_asked_about
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.look import PALETTE
from regrasp.worlds.known import known_objects
from regrasp.worlds.world import World

__all__ = ["EyeErrors", "OracleEyes"]

_UNKNOWN = "unknown"
_NOTHING = "nothing"
_NEAR, _BEFORE, _BESIDE = 0.22, 0.45, 0.20  # m: next to; in front of: how far off, how far aside


@dataclass(frozen=True, slots=True)
class EyeErrors:
    """How often eyes are right: P(say yes | it is so), and P(say yes | it is not).

    For a question in words, a miss is "nothing" or "unknown", a false alarm another object or word.
    """

    true_positive: float = 1.0
    false_positive: float = 0.0

    def __post_init__(self) -> None:
        if not (0.0 <= self.true_positive <= 1.0 and 0.0 <= self.false_positive <= 1.0):
            raise RegraspError(f"rates are from 0 to 1, not {self!r}.")

    def __str__(self) -> str:
        return f"tp={self.true_positive:g},fp={self.false_positive:g}"

    @classmethod
    def parse(cls, text: str) -> EyeErrors:
        """Read `tp=0.9,fp=0.05`, either part optional."""
        names = {"tp": "true_positive", "fp": "false_positive"}
        try:
            pairs = [part.split("=") for part in text.split(",") if part]
            return cls(**{names[name.strip()]: float(value) for name, value in pairs})
        except (KeyError, ValueError):
            raise RegraspError(
                f"{text!r} is no error model; give tp=RATE and fp=RATE, e.g. oracle:tp=0.9,fp=0.05."
            ) from None


class OracleEyes:
    """A `VisionModel` over the truth of `world`; the pictures it gets are for the trace only."""

    def __init__(
        self,
        world: World,
        errors: EyeErrors | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        self._world, self._judge = world, WorldJudge(world)
        self._errors = errors or EyeErrors()
        self._rng = rng or np.random.default_rng([world.seed, 3])
        self._scene = scene_text(known_objects(world.scene))
        self._movable = [t.name for t in world.scene.things.values() if t.movable]

    @property
    def name(self) -> str:
        """`oracle`, with its error rates where it has any."""
        return "oracle" if self._errors == EyeErrors() else f"oracle:{self._errors}"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """See `VisionModel.answer`. What is asked in no form it knows is unknown."""
        action = action_asked_about(question)
        if action is not None:
            return Answer(Verdict.TEXT, self._why(action))
        asked, mark, _ = question.partition("?")
        sight = read_sight(asked + mark, self._scene.names)
        if sight is None and (missing := read_sight(asked + mark)) is not None:
            sight = missing if missing.look is Look.SEEN else None
        if sight is None:
            return Answer(Verdict.UNKNOWN, _UNKNOWN)
        if sight.look is Look.ATTRIBUTE:
            word = self._attribute(sight)
            return Answer(Verdict.UNKNOWN if word == _UNKNOWN else Verdict.TEXT, word)
        truth = self._so(sight)
        if truth is None:
            return Answer(Verdict.UNKNOWN, _UNKNOWN)
        rate = self._errors.true_positive if truth else self._errors.false_positive
        said = Verdict.YES if self._draw(rate) else Verdict.NO
        return Answer(said, str(said))

    # ---- what is so ----------------------------------------------------------------------------

    def _draw(self, rate: float) -> bool:
        return bool(self._rng.random() < rate)

    def _sees(self, name: str) -> bool:
        known = name in self._world.scene.things
        return known and self._judge.holds("visible", name)

    def _so(self, sight: Sight) -> bool | None:
        """Whether it is so; None where no camera shows it."""
        a, b = sight.object, sight.other
        if sight.look is Look.SEEN:
            return self._sees(a)
        if a == ANYTHING:
            found = [self._so(Sight(sight.look, name, b)) for name in self._movable if name != b]
            return True if True in found else None if None in found else False
        shown = [name for name in (a, b) if name and name in self._world.scene.things]
        if not all(map(self._sees, shown)):
            return None
        relations: dict[Look, Callable[[], bool]] = {
            Look.OPEN: lambda: self._is_open(a),
            Look.CLOSED: lambda: self._is_closed(a),
            Look.ON: lambda: self._is_on(a, b),
            Look.INSIDE: lambda: self._is_inside(a, b),
            Look.NEXT_TO: lambda: self._offset(a, b)[2] < _NEAR and not self._is_on(a, b),
            Look.IN_FRONT: lambda: self._is_before(a, b),
            Look.BLOCKING: lambda: a in self._movable and self._judge.holds("blocking", a, b),
            Look.HELD: lambda: a in self._movable and self._judge.holds("holding", a),
        }
        return relations[sight.look]()

    def _joints(self, name: str) -> list[str]:
        owner = self._scene.owner(name)
        joints = owner.joints if owner is not None else ()
        own = [j.name for j in joints if name in (j.name, j.handle)]
        return own or [j.name for j in joints]

    def _is_open(self, name: str) -> bool:
        return any(self._judge.holds("open", joint) for joint in self._joints(name))

    def _is_closed(self, name: str) -> bool:
        joints = self._joints(name)
        return bool(joints) and all(self._judge.holds("closed", joint) for joint in joints)

    def _place(self, name: str) -> str:
        """The object that a spot belongs to."""
        owner = self._scene.owner(name)
        return owner.name if owner is not None else name

    def _is_on(self, a: str, b: str) -> bool:
        place = b if b in self._world.scene.tops else self._place(b)
        known = place in self._world.scene.tops or place in self._movable
        return a in self._movable and a != place and known and self._judge.holds("on", a, place)

    def _is_inside(self, a: str, b: str) -> bool:
        place = self._place(b)
        inside = place in self._world.scene.insides
        return a in self._movable and inside and self._judge.holds("inside", a, place)

    def _offset(self, a: str, b: str) -> tuple[float, float, float]:
        """How far `a` is before `b` as the robot sees it, how far aside, how far off (m, level)."""
        sites = [self._world.scene.things[name].site for name in (a, b)]
        at, to = (np.array(self._world.data.site(site).xpos[:2]) for site in sites)
        line = to / max(float(np.linalg.norm(to)), 1e-9)  # from the arm's foot, the origin
        ahead = float((to - at) @ line)
        aside = float(abs(line[0] * (at - to)[1] - line[1] * (at - to)[0]))
        return ahead, aside, float(np.linalg.norm(at - to))

    def _is_before(self, a: str, b: str) -> bool:
        ahead, aside, _ = self._offset(a, b)
        return 0.02 < ahead < _BEFORE and aside < _BESIDE and not self._is_on(a, b)

    # ---- words ---------------------------------------------------------------------------------

    def _attribute(self, sight: Sight) -> str:
        name = sight.object
        if not self._sees(name) or not self._draw(self._errors.true_positive):
            return _UNKNOWN
        if sight.attribute == "state" and self._joints(name):
            return "open" if self._is_open(name) else "closed"
        if sight.attribute != "colour":
            return _UNKNOWN
        true = self._colour(name)
        others = [word for word in PALETTE if word != true]
        return self._rng.choice(others) if self._draw(self._errors.false_positive) else true

    def _colour(self, name: str) -> str:
        """The palette's nearest name for the largest coloured shape of a thing."""
        model = self._world.model
        site = model.site(self._world.scene.things[name].site).id
        body = model.site_bodyid[site]
        shown = np.flatnonzero((model.geom_bodyid == body) & (model.geom_group < 3))
        largest = shown[np.argmax(model.geom_rbound[shown])]
        material = model.geom_matid[largest]
        rgba = model.mat_rgba[material] if material >= 0 else model.geom_rgba[largest]
        return min(PALETTE, key=lambda word: float(np.linalg.norm(PALETTE[word] - rgba[:3])))

    def _why(self, action: str) -> str:
        """What in view prevents `action`, in a sentence; a lock is not in view."""
        step = parse_step(action, Line(action, 0), self._scene)
        causes = self._causes(step) if isinstance(step, Step) else []
        if causes and self._draw(self._errors.true_positive):
            return f"The {causes[0]}."
        if not causes and isinstance(step, Step) and self._draw(self._errors.false_positive):
            target = self._place(step.other or str(step.object))
            others = [n for n in self._movable if n not in (target, str(step.object))]
            if others:
                return f"The {self._rng.choice(others)} is blocking the {target}."
        return _NOTHING

    def _causes(self, step: Step) -> list[str]:
        """Every true statement of a cause, the likeliest first."""
        moved = str(step.object) if step.verb.carries or step.verb in (Verb.PICK, Verb.LIFT) else ""
        targets = [name for name in ((step.other, moved) if moved else (str(step.object),)) if name]
        found: list[Sight] = []
        for target in targets:
            owner = self._scene.owner(target)
            if owner is None:
                continue
            if step.verb is Verb.PUT_IN and Can.OPEN in owner.can and target == step.other:
                found.append(Sight(Look.CLOSED, owner.name))
            others = [name for name in self._movable if name not in (moved, owner.name)]
            looks = (Look.BLOCKING,) if Can.OPEN in owner.can or owner.joints else (Look.ON,)
            found += [Sight(look, name, target) for name in others for look in looks]
        return [sight.statement(True) for sight in found if self._so(sight)]
