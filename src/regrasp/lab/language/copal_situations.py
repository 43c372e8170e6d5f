"""Situations of CoPAL's lessons: a request in a world, what was done, what failed, what is left.

The steps that are left are known by construction: the request was made from them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from regrasp.core.action import Action
from regrasp.core.fact import Literal, State
from regrasp.lab.language.copal_plans import (
    CopalStep,
    MakeTrue,
    PlanWriter,
    Pour,
    UnplannableError,
    lasting,
    unmet,
)
from regrasp.lab.language.copal_recipes import InventedRecipe, draw_recipe, draw_titles
from regrasp.lab.language.copal_requests import fact_request, spoken, with_changes
from regrasp.lab.language.copal_setbacks import Setback, draw_setback, remaining
from regrasp.lab.language.copal_worlds import CopalWorld, make_copal_world
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.command_line import FailedCommand

__all__ = ["CopalSituation", "draw_situation", "right_commands", "step_text"]

_FAILS = 0.4
_BEGUN = 0.25
_FINISHED = 0.06
_LACKING = 0.06
_RECIPE = 0.62


@dataclass(frozen=True, slots=True)
class CopalSituation:
    """A request and where it stands; without `steps` it is done, or `cannot` be done.

    `wanted` are the sentences that a request without a recipe was read as. `plan` are the commands
    for the steps, where they have been written.
    """

    world: CopalWorld
    request: str
    goal: str
    steps: tuple[CopalStep, ...]
    state: State
    wanted: tuple[str, ...] = ()
    recipe: InventedRecipe | None = None
    titles: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    failures: tuple[FailedCommand, ...] = ()
    hand_for: Mapping[str, str] = field(default_factory=dict)
    came_from: Mapping[str, str] = field(default_factory=dict)
    lesson: str = ""
    kind: str = ""
    cannot: str = ""
    plan: tuple[Action, ...] = ()


def draw_situation(words: Words, rng: random.Random, held_out: bool = False) -> CopalSituation:
    """A situation that can be solved, is solved, or for which it is known why it cannot be."""
    while True:
        world = make_copal_world(words, rng, held_out)
        try:
            found = (
                _recipe(world, words, rng) if rng.random() < _RECIPE else _facts(world, words, rng)
            )
            if found is not None:
                return found
        except UnplannableError:
            continue


def right_commands(situation: CopalSituation) -> tuple[Action, ...]:
    """The commands for what is left; UnplannableError if there are none, or they miss it."""
    if situation.plan:
        return situation.plan
    writer = PlanWriter(
        situation.world, situation.state, situation.hand_for, came_from=dict(situation.came_from)
    )
    plan = writer.do_all(situation.steps)
    if any(unmet(lasting(situation.steps), writer.state)):
        raise UnplannableError(f"the plan does not reach {situation.goal}")
    return plan


def step_text(world: CopalWorld, step: CopalStep) -> str:
    """A step as the specifier writes it."""
    if isinstance(step, Pour):
        return f"Pour {step.ml:g} ml of {step.substance} from {step.source} into {step.target}"
    fact = step.literal.fact
    return f"Make sure that {world.say(fact.predicate, *fact.args, positive=step.literal.positive)}"


# ---- recipes -----------------------------------------------------------------------------------


def _recipe(world: CopalWorld, words: Words, rng: random.Random) -> CopalSituation | None:
    state = world.skills.init
    lacking = words.coined(rng) if rng.random() < _LACKING else ""
    if lacking and world.sources(lacking, state):
        return None
    made = draw_recipe(world, words, rng, lacking)
    chosen = list(made.recipe.ingredients)
    unwanted, extra = list[str](), list[str]()
    doubled = ""
    for one in made.recipe.ingredients:
        if one.optional and rng.random() < 0.5:
            extra.append(spoken(one.substance, rng))
        elif one.optional or (len(chosen) > 1 and one.substance != lacking and rng.random() < 0.1):
            chosen.remove(one)
            unwanted += [] if one.optional and rng.random() < 0.7 else [spoken(one.substance, rng)]
    plain = [one for one in chosen if not one.optional and one.substance != lacking]
    if plain and rng.random() < 0.06:
        doubled = rng.choice(plain).substance
        extra.append(f"double {spoken(doubled, rng)}")
    empty = [v for v in world.roles["targets"] if not _content(v, state)]
    if not empty:
        return None
    vessel = empty[0]
    named = ""
    if len(empty) > 1 and rng.random() < 0.15:
        vessel = rng.choice(empty)
        named = spoken(vessel, rng)
    request = with_changes(made.recipe.name, unwanted, extra, named)
    request = rng.choice((request, request, request.removeprefix("make ")))
    titles = draw_titles(words, rng, made.recipe.name)
    goal = f"{made.recipe.name} in {vessel}{', served' if made.serve else ''}"
    if lacking:
        cannot = f"a {made.recipe.name} needs {lacking}, and there is none here"
        return CopalSituation(world, request, goal, (), state, (), made, titles, cannot=cannot)
    steps: list[CopalStep] = [
        Pour(
            one.substance,
            world.sources(one.substance, state)[0],
            vessel,
            one.ml * (2 if one.substance == doubled else 1),
        )
        for one in chosen
    ]
    steps += map(MakeTrue, made.serve_in(vessel))
    left = remaining(tuple(steps), state)
    base = CopalSituation(world, request, goal, left, state, (), made, titles)
    return _lived(base, rng)


def _content(vessel: str, state: State) -> bool:
    return any(f.predicate == "contains" and f.args[0] == vessel for f in state)


# ---- facts -------------------------------------------------------------------------------------


def _facts(world: CopalWorld, words: Words, rng: random.Random) -> CopalSituation | None:
    literals = _tower(world, rng) if rng.random() < 0.3 else ()
    literals = literals or tuple(_literal(world, rng) for _ in range(rng.choice((1, 1, 2, 3))))
    if len({one.fact.args[0] for one in literals}) < len(literals):
        return None
    request = fact_request(world, literals, rng)
    wanted = tuple(
        world.say(one.fact.predicate, *one.fact.args, positive=one.positive) for one in literals
    )
    state = world.skills.init
    steps = remaining(tuple(map(MakeTrue, literals)), state)
    titles = draw_titles(words, rng) if rng.random() < 0.4 else ()
    base = CopalSituation(world, request, request, steps, state, wanted, None, titles)
    return _lived(base, rng) if steps else base


def _tower(world: CopalWorld, rng: random.Random) -> tuple[Literal, ...]:
    """Objects on each other, the lowest first."""
    items = world.roles["items"]
    if len(items) < 2:
        return ()
    chosen = rng.sample(items, rng.randint(2, min(4, len(items))))
    base = rng.choice(world.roles["surfaces"])
    on = [Literal.of("on", a, b) for b, a in zip((base, *chosen), chosen, strict=False)]
    return tuple(on if rng.random() < 0.6 else on[1:])


def _literal(world: CopalWorld, rng: random.Random) -> Literal:
    roles = world.roles
    things = (
        *roles["items"],
        *roles["items"],
        *roles["sealed"],
        *roles["loose"],
        *roles["targets"],
    )
    draw = rng.random()
    if draw < 0.15 and roles["containers"]:
        return Literal.of("open", rng.choice(roles["containers"]), positive=rng.random() < 0.6)
    if draw < 0.25 and roles["machines"]:
        return Literal.of("switched_on", rng.choice(roles["machines"]), positive=rng.random() < 0.9)
    if draw < 0.35:
        return Literal.of("capped", rng.choice(roles["sealed"]), positive=rng.random() < 0.4)
    if draw < 0.6 and roles["containers"]:
        return Literal.of("inside", rng.choice(things), rng.choice(roles["containers"]))
    return Literal.of("on", rng.choice(things), rng.choice(roles["surfaces"]))


# ---- what has happened -------------------------------------------------------------------------


def _lived(base: CopalSituation, rng: random.Random) -> CopalSituation | None:
    """The situation after some commands, all of them, or a setback."""
    world, plan = base.world, right_commands(base)
    if not plan:
        return None
    draw = rng.random()
    if world.prepared or draw < _FAILS:
        setback = draw_setback(world, plan, base.steps, rng)
        found = _after(base, setback, rng) if setback is not None else None
        return _planned(found) if found is not None else None
    if draw > 1 - _FINISHED:
        return _progressed(base, plan, len(plan), rng)
    if draw > 1 - _FINISHED - _BEGUN and len(plan) > 1:
        return _progressed(base, plan, rng.randrange(1, len(plan)), rng)
    return replace(base, plan=plan)


def _planned(situation: CopalSituation) -> CopalSituation:
    """The situation with its commands; raises where it cannot be solved."""
    return replace(situation, plan=right_commands(situation)) if situation.steps else situation


def _after(base: CopalSituation, setback: Setback, rng: random.Random) -> CopalSituation:
    return CopalSituation(
        base.world,
        base.request,
        base.goal,
        setback.steps,
        setback.state,
        base.wanted,
        base.recipe,
        base.titles,
        setback.done,
        (setback.failure,),
        setback.hand_for,
        setback.came_from,
        setback.lesson,
        setback.kind,
        setback.cannot,
    )


def _progressed(
    base: CopalSituation, plan: tuple[Action, ...], count: int, rng: random.Random
) -> CopalSituation | None:
    state, origins = base.state, dict[str, str]()
    language, done = base.world.checker.language, list[str]()
    as_calls = rng.random() < 0.7
    for one in plan[:count]:
        state = base.world.after(one, state) or state
        done.append(str(one) if as_calls else language.write(one))
        if one.name == base.world.commands["get"]:
            origins[one.args[0]] = one.args[1]
    steps = remaining(base.steps, state)
    if not steps and count < len(plan):
        return None  # only doors are left to close: let it be
    found = CopalSituation(
        base.world,
        base.request,
        base.goal,
        steps,
        state,
        base.wanted,
        base.recipe,
        base.titles,
        tuple(done),
        came_from=origins,
    )
    return _planned(found)
