"""Lessons of IALP's prompt for the next action: a generated domain, a state, and a first action.

The answer is the first action of a shortest plan, found by search in the domain from the state of
the prompt. Where several actions begin one, the answer is any of them, so that a model that is
taught with it spreads its probability over all. A few have no plan at all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from regrasp.core.fact import Fact, State
from regrasp.domains.domain import Problem
from regrasp.domains.formula import And, Atom, Condition, Not
from regrasp.domains.grounding import ground_task
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.domains.rules import Rules
from regrasp.embedded.rules.next_action import HOPELESS
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.next_action_search import shortest_plans
from regrasp.lab.language.next_action_worlds import NextActionWorld, make_next_action_world
from regrasp.lab.language.question import LanguageExample
from regrasp.planners.candidates import possible_calls
from regrasp.prompts.next_action import NextActionPrompt

__all__ = ["next_action", "next_actions"]

_MOST_STATES = 2500
_FROM_ONE_PLAN = 4
"""Lessons at most of the states of one plan."""

_STARTS = 3
"""States and goals of one world."""

_LOST = 0.4
"""How often a world that can be solved is asked about again, with things that are in no map."""

_HOPELESS = 0.8
"""How often a world without a plan becomes a lesson."""

_CHANCE = 0.2
"""How often every predicate is true with probability one half, as in the paper's planning test."""

_FRAMES = {
    "on": ("put the {x} on the {y}", "place the {x} onto the {y}", "the {x} belongs on the {y}",
           "move the {x} over to the {y}", "set the {x} down on the {y}",
           "I want the {x} to be on the {y}", "{x} to {y}"),
    "in": ("put the {x} in the {y}", "store the {x} inside the {y}", "the {x} belongs in the {y}",
           "pack the {x} into the {y}"),
    "bring": ("bring the {x} to the {y}", "carry the {x} to the {y}", "come to the {y} with {x}",
              "fetch the {x} and go to the {y}", "I need the {x} at the {y}"),
    "holding": ("pick up the {x}", "take the {x}", "hold the {x}", "get hold of the {x}"),
    "at": ("go to the {x}", "drive over to the {x}", "wait at the {x}"),
    "opened": ("open the {x}", "the {x} should be open", "pull the {x} open"),
    "shut": ("close the {x}", "shut the {x}", "the {x} must not stay open"),
    "has": ("give the {x} to the {y}", "hand the {x} over to the {y}", "the {y} wants the {x}"),
    "running": ("switch on the {x}", "start the {x}", "turn the {x} on"),
    "fit": ("get the {x} ready", "prepare the {x}"),
    "seen": ("find the {x}", "look for the {x}"),
}  # fmt: skip
_EXAM_FRAMES = {
    "on": ("could the {x} go onto the {y}", "leave the {x} upon the {y}"),
    "in": ("could the {x} go into the {y}", "tidy the {x} away in the {y}"),
    "bring": ("transport the {x} to the {y}", "let the {y} be reached with the {x} in hand"),
    "holding": ("grab hold of the {x}",),
    "at": ("position yourself at the {x}",),
    "opened": ("get the {x} opened up",),
    "shut": ("make sure the {x} is shut",),
    "has": ("let the {y} receive the {x}",),
    "running": ("power the {x} up",),
    "fit": ("make the {x} fit for use",),
    "seen": ("check where the {x} is",),
}


def next_action(source: ExampleSource) -> LanguageExample:
    """One lesson: the first of those that a world gives."""
    return next(next_actions(source))


def next_actions(source: ExampleSource) -> Iterator[LanguageExample]:
    """Lessons without end, some ten from one world."""
    rng = source.rng
    while True:
        world = make_next_action_world(source.words, rng, source.held_out)
        for _ in range(_STARTS):
            yield from _examples(world, rng, source.held_out)


def _examples(
    world: NextActionWorld, rng: random.Random, held_out: bool
) -> Iterator[LanguageExample]:
    kinds, goal = _goal(world, rng)
    rules = Rules(world.domain, world.objects)
    start = _by_chance(rules, rng) if rng.random() < _CHANCE else _state(world, rng)
    named = world.domain.name
    problem = Problem(f"{named}-now", named, world.objects, start, goal)
    task = ground_task(world.domain, problem)
    plans = shortest_plans(task, _MOST_STATES)
    if plans is None or task.is_goal(task.init):
        return
    said = _said(kinds, world, start, rng, held_out)
    domain, calls = write_domain(world.domain), possible_calls(world.domain, problem)

    def example(state: State, answer: str) -> LanguageExample:
        text = write_problem(replace(problem, init=state))
        prompt = NextActionPrompt(said, domain, text, calls)
        return LanguageExample(prompt.messages(), answer)

    if not plans.actions:
        if rng.random() < _HOPELESS:
            yield example(start, HOPELESS)
        return
    every = list(plans.walk(task.init, rng))
    fixed = start - frozenset(task.facts)
    for bits, actions in sorted(rng.sample(every, min(_FROM_ONE_PLAN, len(every)))):
        true = {fact for bit, fact in enumerate(task.facts) if bits >> bit & 1}
        yield example(frozenset(true) | fixed, str(rng.choice(actions)))
    if "known" in world.roles and rng.random() < _LOST:
        concerned = {name for _, args, _ in kinds for name in args}
        unknown = {Fact.of(world.name["known"], name) for name in concerned}
        left = replace(problem, init=start - unknown)
        found = shortest_plans(ground_task(world.domain, left), _MOST_STATES)
        if found is not None and not found.actions:
            yield example(left.init, HOPELESS)


# ---- what is wanted ------------------------------------------------------------------------------

_Wish = tuple[str, tuple[str, ...], tuple[Condition, ...]]
"""The kind of a goal, its objects, and its conditions."""


def _goal(world: NextActionWorld, rng: random.Random) -> tuple[list[_Wish], Condition]:
    wishes = [_wish(world, rng)]
    if rng.random() < 0.15:
        other = _wish(world, rng)
        if not set(other[1]) & set(wishes[0][1]) and "bring" not in (other[0], wishes[0][0]):
            wishes.append(other)
    return wishes, And(tuple(part for wish in wishes for part in wish[2]))


def _wish(world: NextActionWorld, rng: random.Random) -> _Wish:
    n, roles = world.name, world.roles
    item = rng.choice(world.of("item"))
    places = [one for role in ("surface", "rack") for one in world.of(role)]
    everything = [one.name for one in world.objects]

    def atom(role: str, *args: str) -> Atom:
        return Atom(n[role], args)

    options = [("on", 8), ("holding", 1)]
    options += [("bring", 5), ("at", 1)] if "at" in roles else []
    options += [("in", 3)] if "stow" in roles else []
    options += [("opened", 2)] if "opened" in roles else []
    options += [("shut", 1)] if "close" in roles else []
    options += [("has", 4)] if "has" in roles else []
    options += [("running", 2)] if "device" in roles else []
    options += [("fit", 1)] if "fit" in roles else []
    options += [("seen", 1)] if "seen" in roles else []
    kind = rng.choices([one for one, _ in options], [share for _, share in options])[0]
    if kind == "on":
        place = rng.choice(places)
        return kind, (item, place), (atom("on", item, place),)
    if kind == "in":
        place = rng.choice(world.of("container"))
        shut = (Not(atom("opened", place)),) if "close" in roles and rng.random() < 0.3 else ()
        return kind, (item, place), (atom("in", item, place), *shut)
    if kind == "bring":
        place = rng.choice([one for one in everything if one not in world.of("item")])
        return kind, (item, place), (atom("holding", item), atom("at", place))
    if kind == "has":
        person = world.of("human")[0]
        return kind, (item, person), (atom("has", person, item),)
    if kind in ("opened", "shut"):
        place = rng.choice(world.of("container"))
        opened = atom("opened", place)
        return kind, (place,), (opened if kind == "opened" else Not(opened),)
    if kind == "running":
        device = rng.choice(world.of("device"))
        return kind, (device,), (atom("running", device),)
    thing = item if kind == "holding" else rng.choice(everything)
    return kind, (thing,), (atom(kind, thing),)


def _said(
    wishes: list[_Wish], world: NextActionWorld, state: State, rng: random.Random, held_out: bool
) -> str:
    """The instruction."""
    spoken = rng.random() < 0.85
    texts = []
    for kind, args, _ in wishes:
        frame = rng.choice((_EXAM_FRAMES if held_out else _FRAMES)[kind])
        names = [one.replace("_", " ") if spoken else one for one in args]
        text = frame.format(x=names[0], y=names[-1])
        before = [f.args[1] for f in sorted(state) if len(f.args) == 2 and f.args[0] == args[0]]
        if before and before[0] not in args and rng.random() < 0.3:
            place = before[0].replace("_", " ") if spoken else before[0]
            text = f"{text}, from the {place}"
        texts.append(text)
    return " and ".join(texts)


# ---- what is true --------------------------------------------------------------------------------


def _by_chance(rules: Rules, rng: random.Random) -> State:
    return frozenset(
        fact
        for predicate in rules.domain.predicates
        for fact in rules.facts(predicate.name)
        if len(set(fact.args)) == len(fact.args) and rng.random() < 0.5
    )


def _state(world: NextActionWorld, rng: random.Random) -> State:
    """A state that a robot may be in: things have one place, and it is at one thing at most."""
    n, roles, found = world.name, world.roles, set[Fact]()
    places = [one for role in ("surface", "rack") for one in world.of(role)]
    held = ""
    for item in world.of("item"):
        if not held and rng.random() < 0.15:
            held = item
            found.add(Fact.of(n["holding"], item))
        elif "in" in roles and rng.random() < 0.4:
            found.add(Fact.of(n["in"], item, rng.choice(world.of("container"))))
        else:
            found.add(Fact.of(n["on"], item, rng.choice(places)))
    everything = [one.name for one in world.objects]
    if "handle" in roles and not held and rng.random() < 0.05:
        held = rng.choice(world.of("container"))
        found.add(Fact.of(n["holding"], held))
    if "hand" in roles and not held:
        found.add(Fact.of(n["hand"]))
    here = rng.choice(everything) if "at" in roles and rng.random() < 0.75 else ""
    if here:
        found.add(Fact.of(n["at"], here))
    lost = rng.random() < 0.3  # else everything is in the map
    for one in everything:
        near = 0.6 if one == here or "at" not in roles else 0.08
        for role, share in (
            ("known", 0.7 if lost else 1.0), ("seen", near), ("near", near * 0.8), ("fit", 0.25),
        ):  # fmt: skip
            if role in roles and rng.random() < share:
                found.add(Fact.of(n[role], one))
    if "ready" in roles:
        takes = [*world.of("item"), *(world.of("container") if "handle" in roles else ())]
        found |= {Fact.of(n["ready"], one) for one in takes if rng.random() < 0.6}
        supports = [*places, *world.of("container")]
        found |= {Fact.of(n["room"], one) for one in supports if rng.random() < 0.6}
    for role, of in (("opened", "container"), ("running", "device")):
        if of in roles:
            found |= {Fact.of(n[role], one) for one in world.of(of) if rng.random() < 0.3}
    return frozenset(found)
