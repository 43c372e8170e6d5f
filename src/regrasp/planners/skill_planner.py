"""A language model that plans over named skills (DoReMi, section 4.1), and their lines of text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.fact import Literal
from regrasp.domains.domain import ActionSchema
from regrasp.domains.formula import And, Atom, Condition, ForAll, Not
from regrasp.domains.lexicon import Access
from regrasp.domains.rules import ground
from regrasp.domains.skill_domain import SkillDomain
from regrasp.models.language import LanguageModel
from regrasp.prompts.constraints import ConstraintsPrompt, Proposal
from regrasp.prompts.exchange import ask, ask_value
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.skill_plan import CallResult, SkillPlan, SkillPlanPrompt
from regrasp.prompts.skills import VARIABLES, SkillLine
from regrasp.prompts.text import plain_name
from regrasp.prompts.visual_question import ANYTHING, ObjectQuestion, VisualQuestion

__all__ = ["SkillPlanner", "skill_lines"]

_MOST_TOKENS = 512
"""Enough for the longest plan with a thought for each goal; a truncated plan would mislead."""


@dataclass(frozen=True, slots=True)
class SkillPlanner:
    """Asks `model` for the remaining calls, and for constraints if those are wanted."""

    model: LanguageModel
    skills: SkillDomain
    scene: SceneDescription

    def plan(
        self, goal: str, known: tuple[str, ...], happened: tuple[CallResult, ...]
    ) -> SkillPlan | Declined:
        """The calls that lead from the `known` facts to the goal, or why there are none."""
        prompt = SkillPlanPrompt(goal, self.scene, skill_lines(self.skills), known, happened)
        result = ask(self.model, prompt, max_tokens=_MOST_TOKENS).result
        if isinstance(result, ParseError):
            return Declined(f"the plan could not be read: {result.hint}")
        return result

    def constraints(self, action: Action) -> Proposal:
        """The model's proposed constraints while `action` runs and after it; empty if unreadable.

        These are sentences. The constraint set decides whether they can be checked.
        """
        (line,) = (one for one in skill_lines(self.skills) if one.name == action.name)
        names = tuple(thing.name for thing in self.scene.objects)
        forms = tuple(
            entry.statement.replace("{not}", "").format(a=a, b=b)
            for entry in self.skills.lexicon.entries
            if entry.access is Access.SEEN
            for a, b in self._argument_names(entry.predicate)
        )
        return (
            ask_value(self.model, ConstraintsPrompt(str(action), line, names, forms)) or Proposal()
        )

    def _argument_names(self, predicate: str) -> Iterator[tuple[str, str]]:
        """The arguments of a predicate: variables, or constants where no object fits."""
        domain, kinds = self.skills.domain, self.skills.kinds.values()
        choices = []
        for p, variable in zip(domain.predicate(predicate).parameters, VARIABLES, strict=False):
            in_scene = any(domain.is_a(kind, p.types) for kind in kinds)
            fixed = tuple(one.name for one in domain.constants if domain.is_a(one.type, p.types))
            choices.append((variable,) if in_scene else fixed)
        yield from itertools.product(*(*choices, ("",), ("",))[:2])


def skill_lines(skills: SkillDomain) -> tuple[SkillLine, ...]:
    """The actions of a domain as lines of a prompt.

    A line has the conditions that one sentence can express: an atom, true or false, about an
    argument or about anything.
    """
    return tuple(_line(skills, schema) for schema in skills.domain.actions)


def _line(skills: SkillDomain, schema: ActionSchema) -> SkillLine:
    of = {p.name: v for p, v in zip(schema.parameters, VARIABLES, strict=False)}
    domain = skills.domain
    takes = tuple(
        tuple(
            plain_name(kind)
            for kind, type_name in skills.kinds.items()
            if domain.is_a(type_name, p.types)
            or any(domain.is_a(wanted, (type_name,)) for wanted in p.types)  # some of the kind
        )
        for p in schema.parameters
    )
    wanted = list(_sentences(skills, schema.precondition, of))
    makes: list[str] = []
    ends: list[str] = []
    for effect in schema.effects:
        if effect.condition == And():
            names = {**of, **{variable.name: ANYTHING for variable in effect.variables}}
            same, other = (makes, ends) if effect.positive else (ends, makes)
            same.append(_statement(skills, effect.atom, names))
            if opposite := _opposite(skills, effect.atom, names):
                other.append(opposite)
    needs, bars = (
        tuple(sentence for sentence, true in wanted if true is which) for which in (True, False)
    )
    return SkillLine(schema.name, takes, needs, bars, tuple(makes), tuple(ends))


def _sentences(
    skills: SkillDomain, condition: Condition, of: Mapping[str, str]
) -> Iterator[tuple[str, bool]]:
    """The parts of a condition that a sentence can express, and whether each must be true."""
    match condition:
        case And(parts):
            for part in parts:
                yield from _sentences(skills, part, of)
        case Atom():
            yield _statement(skills, condition, of), True
        case Not(Atom() as atom):
            yield _statement(skills, atom, of), False
        case ForAll(variables, Not(Atom() as atom)):
            every = {variable.name: ANYTHING for variable in variables}
            yield _statement(skills, atom, {**of, **every}), False
        case _:
            return


def _statement(skills: SkillDomain, atom: Atom, of: Mapping[str, str]) -> str:
    return skills.lexicon.statement(Literal(ground(atom, of)))


def _opposite(skills: SkillDomain, atom: Atom, of: Mapping[str, str]) -> str:
    """The opposite as a sentence, where goals use that word: not closed is open."""
    entry = skills.lexicon.entry(atom.predicate)
    look = entry.negated_questions[0] if entry.negated_questions else None
    if not isinstance(look, ObjectQuestion):
        return ""
    return VisualQuestion(look, *ground(atom, of).args).statement(True)
