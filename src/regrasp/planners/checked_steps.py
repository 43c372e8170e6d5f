"""A plan in words is checked before anything moves (REPLAN).

The verb of a step says which literals it can make true: `Place the mug in the sink` can make
`inside(mug, sink)`. A plan is refused if no step can make a part of the goal true that is not true
now, or if a step would break what must be kept. Steps that look change nothing, so a plan that only
looks is refused unless the goal is that something is seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from regrasp.core.event import EventSink, FeedbackGiven
from regrasp.core.fact import Literal, parse_literals
from regrasp.core.feedback import Feedback
from regrasp.core.goal import Goal, is_variable, variable_kind
from regrasp.domains.kept import kept_statement
from regrasp.domains.skill_domain import SkillDomain
from regrasp.planners.checked_plan import denial
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.goal import MOVED
from regrasp.prompts.parsing import Declined
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["StepCheck", "can_make", "undoes"]

_ANY = "any"
_SHOWS = ("visible(any)", "inview(any)")
_HIDES = ("not visible(any)", "not inview(any)")
_LEAVES = (
    "not on(a, any)", "not ontop(a, any)", "not onfloor(a, any)", "not inside(a, any)",
    "not beside(a, any)", "not blocking(a, any)", *_SHOWS,
)  # fmt: skip
_TAKES = ("holding(a)", "inhand(a)", "not handempty()", *_LEAVES)
_PUTS = ("not holding(a)", "not inhand(a)", "handempty()", *_LEAVES)
_SOMEWHERE = ("on(a, any)", "ontop(a, any)", "onfloor(a, any)", "beside(a, any)", *_PUTS)
_SWITCHES = ("turnedon(a)", "not turnedon(a)", "closed(a)", "not closed(a)", *_SHOWS)

_EFFECTS: Mapping[Verb, tuple[Literal, ...]] = {
    verb: parse_literals(*texts)
    for verb, texts in {
        Verb.OPEN: ("not closed(a)", *_SHOWS),
        Verb.CLOSE: ("closed(a)", *_HIDES),
        Verb.PULL: ("pulled(a)", *_SWITCHES),
        Verb.PRESS: ("pressed(a)", *_SWITCHES),
        Verb.TURN: _SWITCHES,
        Verb.PICK: _TAKES,
        Verb.LIFT: _TAKES,
        Verb.PUT_IN: ("inside(a, b)", *_PUTS, *_HIDES),
        Verb.PUT_ON: ("on(a, b)", "ontop(a, b)", "onfloor(a, b)", "pressed(b)", *_PUTS, *_HIDES),
        Verb.PUT_BY: ("beside(a, b)", "beside(b, a)", *_SOMEWHERE),
        Verb.MOVE_AWAY: _SOMEWHERE,
        Verb.TAKE_OUT: _SOMEWHERE,
        Verb.LOOK_IN: _SHOWS,
        Verb.LOOK_AT: _SHOWS,
        Verb.LOOK_FOR: _SHOWS,
        Verb.CHECK: _SHOWS,
    }.items()
}
"""What a step can make true: `a` is its object, `b` the second one, `any` any object."""

_SIZES = {(one.fact.predicate, len(one.fact.args)) for made in _EFFECTS.values() for one in made}
"""The predicates of the table, with the number of their arguments."""


@dataclass(frozen=True, slots=True)
class StepCheck:
    """Whether plans in words can reach `goal` and keep what the domain keeps.

    `is_true` tells whether a literal without variables is true now; None if nobody knows. At most
    `max_plans` plans in a row are asked for.
    """

    skills: SkillDomain
    goal: Goal
    is_true: Callable[[Literal], bool | None]
    emit: EventSink
    max_plans: int = 3

    def plan(
        self, ask: Callable[[PlanPrompt], tuple[Step, ...] | Declined], question: PlanPrompt
    ) -> tuple[Step, ...] | Declined:
        """The first plan that is not refused; a refused one is a failed attempt in the next prompt.

        Nothing moves in between.
        """
        reasons: tuple[str, ...] = ()
        for _ in range(self.max_plans):
            steps = ask(question)
            if isinstance(steps, Declined):
                return steps
            refused = self.refusal(steps, question.scene)
            if refused is None:
                return steps
            reasons, question = refused.reasons, question.after(refused)
            self.emit(FeedbackGiven("the plan", Feedback.refused_plan("refused", reasons)))
        return Declined(f"{self.max_plans} plans were refused: {'; '.join(reasons)}")

    def refusal(self, steps: Sequence[Step], scene: SceneDescription) -> FailedAttempt | None:
        """The plan as a failed attempt with the reasons; None if it may reach the goal."""
        broken = [
            f"{step}: {kept_statement(self.skills, one)}"
            for one in self.skills.kept
            for step in steps
            if undoes(step, one, scene)
        ]
        listed = "; ".join(map(str, steps)) or "none"
        missing = [
            f"{denial(self.skills.lexicon, one)} after these steps: {listed}"
            for one in self.goal.literals
            if not self._may_hold(one, steps, scene)
        ]
        return FailedAttempt(reasons=(*broken, *missing)) if broken or missing else None

    def _may_hold(self, literal: Literal, steps: Sequence[Step], scene: SceneDescription) -> bool:
        """Whether the literal may be true after the steps. It is looked at only if that matters."""
        if _after(literal, steps, scene, start=False):
            return True
        if not _after(literal, steps, scene, start=True):
            return False
        return any(self.is_true(one) for one in _choices(literal, scene))


def can_make(step: Step, literal: Literal, scene: SceneDescription) -> bool:
    """Whether a step can make a literal true; any motion can, for a predicate without a verb."""
    fact = literal.fact
    if (fact.predicate, len(fact.args)) not in _SIZES:
        return not step.looks
    return any(_fits(effect, step, literal, scene) for effect in _EFFECTS[step.verb])


def undoes(step: Step, literal: Literal, scene: SceneDescription) -> bool:
    """Whether a step certainly makes a literal false; `not moved(x)` by any motion of `x`."""
    if isinstance(step.object, Likeness) or any(map(is_variable, literal.fact.args)):
        return False
    if literal.fact.predicate == MOVED:
        return not step.looks and _may_be(step.object, literal.fact.args[0], scene)
    return any(
        _fits(effect, step, literal.opposite, scene)
        for effect in _EFFECTS[step.verb]
        if effect.fact.args[:1] != (_ANY,)
    )


def _after(literal: Literal, steps: Sequence[Step], scene: SceneDescription, start: bool) -> bool:
    """Whether the literal may be true after the steps if it is true (`start`) or false before."""
    for step in steps:
        start = can_make(step, literal, scene) or (start and not undoes(step, literal, scene))
    return start


def _fits(effect: Literal, step: Step, literal: Literal, scene: SceneDescription) -> bool:
    """Whether the literal is what an effect of the table says of the step's objects."""
    same = (effect.fact.predicate, effect.positive) == (literal.fact.predicate, literal.positive)
    if not same or len(effect.fact.args) != len(literal.fact.args):
        return False
    meant: Mapping[str, str | Likeness] = {"a": step.object, "b": step.other}
    return all(
        place == _ANY or _may_be(meant[place], name, scene)
        for place, name in zip(effect.fact.args, literal.fact.args, strict=True)
    )


def _may_be(meant: str | Likeness, name: str, scene: SceneDescription) -> bool:
    """Whether an object of a step, or what it is a part of, may be the object of a literal."""
    owner = scene.owner(name)
    kind = variable_kind(name) if is_variable(name) else owner.kind if owner else ""
    if isinstance(meant, Likeness):
        return meant.kind == kind
    whole = scene.owner(meant)
    if is_variable(name):
        return whole is not None and whole.kind == kind
    return name in (meant, whole.name if whole else "")


def _choices(literal: Literal, scene: SceneDescription) -> Iterator[Literal]:
    """The literal for every choice of objects for its variables."""
    goal = Goal((literal,))
    choices = (
        [one.name for one in scene.objects if one.kind == variable_kind(variable)]
        for variable in goal.variables
    )
    for chosen in itertools.product(*choices):
        yield from goal.bind(dict(zip(goal.variables, chosen, strict=True))).literals
