"""The oracle vision model: it asks the judge, not the pixels. One class for every world.

It is called `oracle` in every trace and table, and is the upper bound of what vision can do: it
does not know what no camera shows (`Judge.observe`). It understands the questions of the world's
lexicon, questions about a whole action, free-form questions about a picture
(`prompts.visual_question_parser`), and "what prevents this step?". With an error model it is wrong
at the given rates, decided by its random generator alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from regrasp.core.action import Action
from regrasp.core.answer import Verdict
from regrasp.core.errors import RegraspError
from regrasp.core.fact import Literal
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.domains.action_phrases import (
    ActionQuestion,
    affordance_question,
    read_action_question,
    success_question,
)
from regrasp.domains.rules import ActionError, Rules
from regrasp.domains.skill_domain import SkillDomain
from regrasp.episodes.visual_truth import VisualTruth
from regrasp.models.cancel import CancelToken
from regrasp.models.vision import Answer, VisionRequest, VisionRequestModel
from regrasp.prompts.parsing import Line
from regrasp.prompts.steps import Step, Verb, parse_step
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion
from regrasp.prompts.visual_question_parser import parse_visual_question
from regrasp.prompts.why import read_why
from regrasp.worlds.kit.look import PALETTE
from regrasp.worlds.world import World

__all__ = ["OTHER", "OracleVision", "VisionErrors"]

OTHER = "other"
"""The topic of a question of no known form."""

_UNKNOWN = "unknown"
_NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class VisionErrors:
    """The answer rates of a vision model: P(yes | true) and P(yes | false).

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
    def parse(cls, text: str) -> VisionErrors:
        """Read `tp=0.9,fp=0.05`, either part optional."""
        names = {"tp": "true_positive", "fp": "false_positive"}
        try:
            pairs = [part.split("=") for part in text.split(",") if part]
            return cls(**{names[name.strip()]: float(value) for name, value in pairs})
        except (KeyError, ValueError):
            raise RegraspError(
                f"{text!r} is no error model; give tp=RATE and fp=RATE, e.g. oracle:tp=0.9,fp=0.05."
            ) from None


class OracleVision(VisionRequestModel):
    """A `VisionModel` over the truth of `world`; the pictures it gets are for the trace only."""

    def __init__(
        self,
        world: World,
        domain: SkillDomain,
        known: tuple[ObjectDescription, ...],
        errors: VisionErrors | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        self._judge = world.plan.judge(world)
        self._lexicon, self._rules = domain.lexicon, domain.rules(known)
        self._actions = dict(_action_questions(domain, self._rules))
        self._truth = VisualTruth(world, self._judge)
        self._errors = errors or VisionErrors()
        self._rng = rng or np.random.default_rng([world.seed, 3])
        self._scene, self._movable = self._truth.scene, self._truth.movable

    @property
    def name(self) -> str:
        """`oracle`, with its error rates where it has any."""
        return "oracle" if self._errors == VisionErrors() else f"oracle:{self._errors}"

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """Answer from the truth. A question of no known form is answered by unknown."""
        why = read_why(request.question)
        if why is not None:
            return Answer(Verdict.TEXT, self._why(why.action))
        asked = "".join(request.question.partition("?")[:2])
        sight = self._read_sight(asked)
        if sight is not None and sight.template is ObjectQuestion.ATTRIBUTE:
            word = self._attribute(sight)
            return Answer(Verdict.UNKNOWN if word == _UNKNOWN else Verdict.TEXT, word)
        truth = self._is_true(asked, sight)
        if truth is None:
            return Answer(Verdict.UNKNOWN, _UNKNOWN)
        rate = self._errors.true_positive if truth else self._errors.false_positive
        verdict = Verdict.YES if self._draw(rate) else Verdict.NO
        return Answer(verdict, str(verdict))

    def topic(self, question: str) -> str:
        """The predicate that a question asks about, `affordance`, `success`, or `other`."""
        about = self._read_action("".join(question.partition("?")[:2]))
        if about is not None:
            return str(about[0])
        literal = self._lexicon.parse_literal(question, self._rules)
        if literal is not None:
            return literal.fact.predicate
        sight = parse_visual_question(question)
        if sight is None:
            return OTHER
        asked = (one.predicate for one in self._lexicon.entries if sight.template in one.questions)
        return next(asked, sight.template.name.lower())

    def _read_sight(self, asked: str) -> VisualQuestion | None:
        sight = parse_visual_question(asked, self._scene.names)
        if sight is not None:
            return sight
        missing = parse_visual_question(asked)  # an object that does not exist is not seen
        return missing if missing and missing.template is ObjectQuestion.SEEN else None

    def _read_action(self, asked: str) -> tuple[ActionQuestion, Action] | None:
        return self._actions.get(asked) or read_action_question(asked)

    def _is_true(self, asked: str, sight: VisualQuestion | None) -> bool | None:
        """Whether yes is the right answer; None for unknown."""
        about = self._read_action(asked)
        if about is not None:
            return self._all_true(self._of_action(*about))
        literal = self._lexicon.parse_literal(asked, self._rules)
        if literal is not None:
            return self._literal(literal)
        return self._truth.is_true(sight) if sight is not None else None

    def _literal(self, literal: Literal) -> bool | None:
        truth = self._judge.observe(literal.fact)
        return None if truth is None else truth is literal.positive

    def _all_true(self, literals: Iterable[Literal]) -> bool | None:
        """Whether all are true: no if one is seen to be false, unknown if none can be seen."""
        known = [truth for truth in map(self._literal, literals) if truth is not None]
        return all(known) if known else None

    def _of_action(self, about: ActionQuestion, action: Action) -> tuple[Literal, ...]:
        """The preconditions of an action, or its effects."""
        ask = self._rules.effects if about is ActionQuestion.SUCCESS else self._rules.preconditions
        try:
            return ask(action, frozenset())
        except ActionError:  # of objects that are not in this world
            return ()

    def _draw(self, rate: float) -> bool:
        return bool(self._rng.random() < rate)

    # ---- answers in words ----------------------------------------------------------------------

    def _attribute(self, sight: VisualQuestion) -> str:
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
        """A visible cause that prevents `action`, in a sentence; a lock is not visible."""
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
        found: list[VisualQuestion] = []
        for target in targets:
            owner = self._scene.owner(target)
            if owner is None:
                continue
            opens = owner.allows(Affordance.OPEN)
            if step.verb is Verb.PUT_IN and opens and target == step.other:
                found.append(VisualQuestion(ObjectQuestion.CLOSED, owner.name))
            others = [name for name in self._movable if name not in (moved, owner.name)]
            look = ObjectQuestion.BLOCKING if opens or owner.joints else ObjectQuestion.ON
            found += [VisualQuestion(look, name, target) for name in others]
        return [sight.statement(True) for sight in found if self._truth.is_true(sight)]


def _action_questions(
    domain: SkillDomain, rules: Rules
) -> Iterator[tuple[str, tuple[ActionQuestion, Action]]]:
    """Both questions about every action of the domain, in the domain's own words."""
    for schema in domain.domain.actions:
        for binding in rules.bindings(schema.parameters):
            action = Action(schema.name, tuple(binding.values()))
            phrase = domain.describe(action)
            yield affordance_question(phrase), (ActionQuestion.AFFORDANCE, action)
            yield success_question(phrase), (ActionQuestion.SUCCESS, action)
