"""Shorten IALP's prompt for the next action: the domain is grounded, call by call.

The PDDL of domain and problem has some 1,100 tokens in the apartment, most of them the same at
every step. The short form has one line for each call that would change something now: what it makes
true or untrue, and, for a call that cannot be done yet, which of its preconditions are false.
What such a call makes untrue is told only where the goal or another call wants that.

    Instruction: put the blue mug on the tea tray
    Missing: on(blue_mug, tea_tray)
    Reached: none
    Possible:
    - place(blue_mug, tea_tray): on(blue_mug, tea_tray), not held(blue_mug)
    Blocked: none

It looks one action ahead and searches for no plan: which call leads to the goal is left to the
model. Calls over objects that are not *in play* are left out: that instruction and goal do not
name, that nothing of these is in or on, and that no call makes what another one needs with.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.fact import State
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.formula import And, Atom, Condition, Equal, Exists, ForAll, Imply, Not, Or
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.domains.rules import Binding, Rules, ground
from regrasp.prompts.sections import bullets, layout, read_sections, section, titled

__all__ = ["NEXT_ACTION_TASK", "shorten_next_action"]

NEXT_ACTION_TASK = "Task: next action"

_MOST_LINES = 32
"""Lines of calls at most; the apartment's tasks have fewer."""

_NEVER = "never"
_WORD = re.compile(r"\w+")


def shorten_next_action(text: str) -> str:
    """The user's part of the prompt in its short form; as it is if its PDDL cannot be read."""
    sections = read_sections(text)
    try:
        instruction = sections["Instruction"].value
        domain = _domain("\n".join(sections["Domain"].lines))
        problem = read_problem("\n".join(sections["Problem"].lines), domain)
    except (RegraspError, KeyError):
        return text
    rules = Rules.of(domain, problem)
    calls = _calls(domain, problem, rules)
    missing = _needs(rules, problem.goal, problem.init, {})
    named = _named(instruction, missing, problem)
    calls = _nearest(_in_play(calls, missing, named), named)
    wanted = {*missing, *(need for one in calls if one.makes for need in one.needs)}
    said = [(one, line) for one in calls if (line := one.line(wanted))]
    return layout(
        titled("Instruction", instruction),
        titled("Missing", _joined(missing)),
        titled("Reached", _joined(_reached(rules, problem))),
        section("Possible", bullets(line for one, line in said if not one.needs)),
        section("Blocked", bullets(line for one, line in said if one.needs)),
    )


@dataclass(frozen=True, slots=True)
class _Call:
    """A call: what it makes true, what it needs and is not true, what it makes untrue."""

    action: Action
    makes: tuple[str, ...]
    needs: tuple[str, ...]
    ends: tuple[str, ...]

    def line(self, wanted: Collection[str]) -> str:
        """Its line; "" if it would change nothing that is told."""
        told = (*self.makes, *(one for one in self.ends if not self.needs or one in wanted))
        wants = f"; needs {', '.join(self.needs)}" if self.needs else ""
        return f"{self.action}: {', '.join(told)}{wants}" if told else ""


@lru_cache(maxsize=16)
def _domain(text: str) -> Domain:
    """The domain of a text: the same at every step of a run."""
    return read_domain(text)


def _calls(domain: Domain, problem: Problem, rules: Rules) -> list[_Call]:
    """Every call that could be done at some time."""
    state, found = problem.init, []
    for schema in domain.actions:
        for binding in rules.bindings(schema.parameters):
            call = Action(schema.name, tuple(binding.values()))
            if len(set(call.args)) < len(call.args):
                continue
            needs = _needs(rules, schema.precondition, state, binding)
            if _NEVER in needs:
                continue
            after = rules.apply_effects(state, schema.effects, binding)
            makes = tuple(one for one in map(str, sorted(after - state)) if one not in needs)
            ends = tuple(f"not {fact}" for fact in sorted(state - after))
            found.append(_Call(call, makes, needs, ends))
    return found


def _in_play(calls: list[_Call], missing: Sequence[str], named: Collection[str]) -> list[_Call]:
    """The calls over objects in play: those named, and those of calls that make what is wanted."""
    playing = set(named)
    while True:
        kept = [one for one in calls if playing.issuperset(one.action.args)]
        wanted = {*missing, *(need for one in kept if one.makes for need in one.needs)}
        more = {
            name
            for one in calls
            if not wanted.isdisjoint((*one.makes, *one.ends))
            for name in one.action.args
        }
        if more <= playing:
            return kept
        playing |= more


def _nearest(calls: list[_Call], named: Collection[str]) -> list[_Call]:
    """At most `_MOST_LINES` calls, in their order: those that are over named objects stay."""
    telling = [one for one in calls if one.makes or one.ends]
    far = sorted(telling, key=lambda one: len(set(one.action.args).difference(named)))
    kept = {one.action for one in far[:_MOST_LINES]}
    return [one for one in telling if one.action in kept]


def _needs(rules: Rules, condition: Condition, state: State, bound: Binding) -> tuple[str, ...]:
    """What would have to be true for the condition to hold, and is not: `_NEVER` if nothing helps.

    An implication with a true premise needs its conclusion.
    """
    if rules.holds(condition, state, bound):
        return ()
    match condition:
        case And(parts):
            found = [one for part in parts for one in _needs(rules, part, state, bound)]
        case ForAll(variables, part):
            wider = ({**bound, **more} for more in rules.bindings(variables))
            found = [need for one in wider for need in _needs(rules, part, state, one)]
        case Imply(_, conclusion):
            return _needs(rules, conclusion, state, bound)
        case Or(parts):
            return _either([_needs(rules, part, state, bound) for part in parts])
        case Exists(variables, part):
            wider = ({**bound, **more} for more in rules.bindings(variables))
            return _either([_needs(rules, part, state, one) for one in wider])
        case Equal() | Not(Equal()):
            return (_NEVER,)
        case _:
            found = list(rules.missing(condition, state, bound))
    return tuple(dict.fromkeys(found))


def _either(alternatives: list[tuple[str, ...]]) -> tuple[str, ...]:
    possible = [" and ".join(one) for one in alternatives if _NEVER not in one]
    return (" or ".join(dict.fromkeys(possible)),) if possible else (_NEVER,)


def _reached(rules: Rules, problem: Problem) -> tuple[str, ...]:
    """The facts of the goal that are as they should be."""
    parts = problem.goal.parts if isinstance(problem.goal, And) else (problem.goal,)
    found = []
    for part in parts:
        atom = part.part if isinstance(part, Not) else part
        if isinstance(atom, Atom) and rules.holds(part, problem.init):
            found.append(f"{'' if atom is part else 'not '}{ground(atom, {})}")
    return tuple(found)


def _named(instruction: str, missing: Iterable[str], problem: Problem) -> set[str]:
    """The objects that instruction or goal name, and what these are in or on."""
    said = " ".join(_WORD.findall(instruction.lower()))
    words = set(_WORD.findall(" ".join((instruction, *missing))))
    names = (one.name for one in problem.objects)
    found = {one for one in names if one in words or one.lower().replace("_", " ") in said}
    for fact in problem.init:
        if fact.args and fact.args[0] in found:
            found = found | set(fact.args)
    return found


def _joined(parts: tuple[str, ...]) -> str:
    return ", ".join(parts) or "none"
