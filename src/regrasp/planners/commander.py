"""CoPAL's commander: a language model writes commands for the steps of a specification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from regrasp.core.fact import Literal
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.domain import ActionSchema
from regrasp.domains.formula import And, Condition, Effect, Equal
from regrasp.domains.rules import ground
from regrasp.domains.skill_domain import SkillDomain
from regrasp.models.language import LanguageModel
from regrasp.planners.goals import goal_scene
from regrasp.prompts.command_line import CommandLine, FailedCommand
from regrasp.prompts.commands import CommandPlan, CommandsPrompt
from regrasp.prompts.exchange import ask
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.skills import VARIABLES
from regrasp.prompts.specify import Specification
from regrasp.prompts.visual_question import ANYTHING

__all__ = ["Commander", "command_lines", "listed_kinds"]

_MOST_TOKENS = 1500
"""Enough for the longest plan; a truncated plan would mislead."""


@dataclass(frozen=True, slots=True)
class Commander:
    """Asks `model` for the commands of `domain` over the objects that a robot knows."""

    model: LanguageModel
    domain: SkillDomain
    known: tuple[ObjectDescription, ...]

    def write(
        self,
        specification: Specification,
        facts: tuple[str, ...],
        done: tuple[str, ...],
        failures: tuple[FailedCommand, ...],
    ) -> CommandPlan | Declined:
        """The commands for the steps, or why there are none."""
        objects = listed_kinds(self.domain, self.known)
        lines = command_lines(self.domain, self.known, objects)
        prompt = CommandsPrompt(specification, objects, lines, facts, done, failures)
        result = ask(self.model, prompt, max_tokens=_MOST_TOKENS).result
        if isinstance(result, ParseError):
            return Declined(f"the commands could not be read: {result.hint}")
        return result

    @property
    def command_lines(self) -> tuple[CommandLine, ...]:
        """The commands of the domain as lines of a prompt."""
        return command_lines(self.domain, self.known)


def listed_kinds(
    domain: SkillDomain, known: Iterable[ObjectDescription]
) -> tuple[tuple[str, str], ...]:
    """Every object that a command may name, with its kind."""
    return tuple((one.name, one.kind) for one in goal_scene(domain, known).objects)


def command_lines(
    domain: SkillDomain,
    known: Iterable[ObjectDescription],
    listed: tuple[tuple[str, str], ...] = (),
) -> tuple[CommandLine, ...]:
    """The actions of a domain as commands of a prompt, with all that they can make and end.

    `listed` is what `listed_kinds` gives for the same objects, where it is at hand.
    """
    objects = tuple(known)
    types = {one.name: one.type for one in domain.rules(objects).objects}
    kinds = listed or listed_kinds(domain, objects)
    typed_kinds = tuple(dict.fromkeys((kind, types[n]) for n, kind in kinds if n in types))
    lines = (_line(domain, schema, typed_kinds) for schema in domain.domain.actions)
    return tuple(line for line in lines if all(line.takes))  # a command that fits nothing is none


def _line(
    domain: SkillDomain, schema: ActionSchema, typed_kinds: tuple[tuple[str, str], ...]
) -> CommandLine:
    variables = {p.name: v for p, v in zip(schema.parameters, VARIABLES, strict=False)}
    takes = tuple(
        tuple(
            dict.fromkeys(kind for kind, type_ in typed_kinds if domain.domain.is_a(type_, p.types))
        )
        for p in schema.parameters
    )
    makes, ends = (
        tuple(dict.fromkeys(_sentences(domain, schema, variables, positive)))
        for positive in (True, False)
    )
    phrase = domain.phrases.get(schema.name, " ".join((schema.name, *variables.values())))
    words = phrase.format(*VARIABLES).replace(";", ",")
    quantity = domain.quantities.get(schema.name)
    unit = quantity.unit if quantity is not None else ""
    optional = domain.optional.get(schema.name, 0)
    return CommandLine(schema.name, takes, words, makes, ends, unit, optional)


def _sentences(
    domain: SkillDomain, schema: ActionSchema, variables: Mapping[str, str], positive: bool
) -> Iterator[str]:
    """What an action can make true (or false), each as a sentence over X, Y, Z and anything."""
    known = {entry.predicate for entry in domain.lexicon.entries}
    for effect in schema.effects:
        if effect.positive is positive and effect.atom.predicate in known:
            fact = ground(effect.atom, {**_same(effect, variables), **variables})
            yield domain.lexicon.statement(Literal(fact))


def _same(effect: Effect, variables: Mapping[str, str]) -> Mapping[str, str]:
    """The quantified variables of an effect: the argument that one must equal, else anything."""
    names = {variable.name: ANYTHING for variable in effect.variables}
    for left, right in _equal(effect.condition):
        for one, other in ((left, right), (right, left)):
            if one in names and other in variables:
                names[one] = variables[other]
    return names


def _equal(condition: Condition) -> Iterator[tuple[str, str]]:
    match condition:
        case Equal(left, right):
            yield left, right
        case And(parts):
            for part in parts:
                yield from _equal(part)
        case _:
            return
