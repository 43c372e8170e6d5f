"""Eyes that see through the simulator: a `VisionModel` that asks the judge, not the pixels.

They are called `oracle` in every trace and table, and stand for the best that eyes could do: what
no camera has in view they do not know, and of a lock they see nothing. With an error model they
are wrong as often as it says, in a way that only its generator decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.episodes.sight_truth import SightTruth
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer
from regrasp.prompts.parsing import Line
from regrasp.prompts.reading import read_sight
from regrasp.prompts.scene import Can
from regrasp.prompts.sight import Look, Sight
from regrasp.prompts.steps import Step, Verb, parse_step
from regrasp.prompts.why import read_why
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.look import PALETTE
from regrasp.worlds.world import World

__all__ = ["OTHER", "EyeErrors", "OracleEyes"]

OTHER = "other"
"""What a question is about that is in no form we know."""

_UNKNOWN = "unknown"
_NOTHING = "nothing"


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
        judge: WorldJudge | None = None,
    ) -> None:
        self._truth = SightTruth(world, judge=judge)
        self._errors = errors or EyeErrors()
        self._rng = rng or np.random.default_rng([world.seed, 3])
        self._scene, self._movable = self._truth.scene, self._truth.movable

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
        why = read_why(question)
        if why is not None:
            return Answer(Verdict.TEXT, self._why(why.action))
        asked, mark, _ = question.partition("?")
        sight = read_sight(asked + mark, self._scene.names)
        if sight is None and (missing := read_sight(asked + mark)) is not None:
            sight = missing if missing.look is Look.SEEN else None
        if sight is None:
            return Answer(Verdict.UNKNOWN, _UNKNOWN)
        if sight.look is Look.ATTRIBUTE:
            word = self._attribute(sight)
            return Answer(Verdict.UNKNOWN if word == _UNKNOWN else Verdict.TEXT, word)
        truth = self._truth.is_true(sight)
        if truth is None:
            return Answer(Verdict.UNKNOWN, _UNKNOWN)
        rate = self._errors.true_positive if truth else self._errors.false_positive
        said = Verdict.YES if self._draw(rate) else Verdict.NO
        return Answer(said, str(said))

    def topic(self, question: str) -> str:
        """What a question asks about: `seen`, `open`, …, or `other`."""
        sight = read_sight(question)
        return sight.look.name.lower() if sight is not None else OTHER

    def _draw(self, rate: float) -> bool:
        return bool(self._rng.random() < rate)

    # ---- words ---------------------------------------------------------------------------------

    def _attribute(self, sight: Sight) -> str:
        name = sight.object
        if not self._truth.sees(name) or not self._draw(self._errors.true_positive):
            return _UNKNOWN
        if sight.attribute == "state" and self._truth.joints(name):
            return "open" if self._truth.is_open(name) else "closed"
        if sight.attribute != "colour":
            return _UNKNOWN
        true, _ = self._truth.colour(name)
        others = [word for word in PALETTE if word != true]
        return self._rng.choice(others) if self._draw(self._errors.false_positive) else true

    def _why(self, action: str) -> str:
        """What in view prevents `action`, in a sentence; a lock is not in view."""
        step = parse_step(action, Line(action, 0), self._scene)
        causes = self._causes(step) if isinstance(step, Step) else []
        if causes and self._draw(self._errors.true_positive):
            return f"The {causes[0]}."
        if not causes and isinstance(step, Step) and self._draw(self._errors.false_positive):
            target = self._truth.place(step.other or str(step.object))
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
        return [sight.statement(True) for sight in found if self._truth.is_true(sight)]
