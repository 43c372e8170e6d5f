"""Lessons for CoPAL's specifier and commander: the reply follows from how the situation was made.

The specifier's steps are those that the request was made from. The commander's commands were
checked in the domain and reach them.
"""

from __future__ import annotations

import random
from dataclasses import replace

from regrasp.core.action import Action
from regrasp.core.fact import Fact
from regrasp.lab.language.copal_plans import CommandGoal, CopalStep, MakeTrue, Pour, unmet
from regrasp.lab.language.copal_recipes import draw_titles, recipe_name
from regrasp.lab.language.copal_requests import HELD_OUT_ORDERS, ORDERS, a_or_an, never_heard_of
from regrasp.lab.language.copal_situations import (
    CopalSituation,
    draw_situation,
    right_commands,
    step_text,
)
from regrasp.lab.language.copal_worlds import CopalWorld
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.question import LanguageExample
from regrasp.prompts.commands import CommandsPrompt
from regrasp.prompts.sections import numbered
from regrasp.prompts.specify import Specification, SpecifyPrompt

__all__ = ["commands", "specify"]

_LOOKS_UP, _UNKNOWN, _READS, _OTHER_RECIPE = 0.16, 0.06, 0.09, 0.04
"""How often the specifier needs a recipe, has none, must read a request, or has a wrong recipe."""

_LONGEST_LINE, _LONGEST_THOUGHT = 190, 280
_LONGEST_ANSWER = 1500
"""Characters of the longest reply in a lesson, some 500 tokens: longer ones would be slow."""


def _specification(situation: CopalSituation) -> Specification:
    """The right specification of what is left."""
    world = situation.world
    steps = tuple(step_text(world, one) for one in situation.steps)
    words = {word for step in steps for word in step.split()}
    used = tuple(
        name for name, kind in world.listed_objects if name in words and kind != "substance"
    )
    state = ""
    for one in world.sentences(situation.state):
        if _concerns(world, one, used) and len(state) + len(one) < _LONGEST_LINE:
            state += f"; {one}" if state else one
    return Specification(situation.goal[:_LONGEST_LINE], used, state or "nothing is known", steps)


def _concerns(world: CopalWorld, sentence: str, used: tuple[str, ...]) -> bool:
    """Whether a sentence is about one of `used`, and not only about what stands on it."""
    places = {*world.roles["surfaces"], *world.roles["containers"], *world.roles["machines"]}
    words = set(sentence.split())
    about = words & set(used)
    others = words & {one.name for one in world.known} - about
    return bool(about - places) or (bool(about) and not others)


# ---- the specifier -----------------------------------------------------------------------------


def specify(drill: ExampleSource) -> LanguageExample:
    """What does a request come to?"""
    rng, words = drill.rng, drill.words
    situation = draw_situation(words, rng, drill.held_out)
    draw = rng.random()
    recipe = situation.recipe
    if recipe is not None and draw < _LOOKS_UP:
        said = _ordered(situation.request, recipe.recipe.name, drill)
        return _asked(_before(situation, said), f"Look up: {recipe.recipe.name}")
    draw -= _LOOKS_UP
    if 0 <= draw < _UNKNOWN:
        other = never_heard_of(rng, words.coined(rng))
        titles = tuple(one for one in draw_titles(words, rng) if one != other)
        said = _ordered(f"make {a_or_an(other)}", other, drill)
        asked = _before(replace(situation, titles=titles), said)
        return _asked(asked, f"Cannot: I know no recipe for {other}")
    draw -= _UNKNOWN
    if 0 <= draw < _READS and recipe is None:
        return _asked(_before(situation, situation.request), f"Read: {situation.request}")
    draw -= _READS
    if 0 <= draw < _OTHER_RECIPE and recipe is not None:
        other = recipe_name(words, rng)
        said = f"make {a_or_an(other)}"
        asked = replace(
            _prompt(situation),
            request=said,
            recipes=draw_titles(words, rng, other, recipe.recipe.name),
        )
        return _asked(asked, f"Look up: {other}")
    return _asked(_prompt(situation), _reply(situation), situation)


def _ordered(request: str, name: str, drill: ExampleSource) -> str:
    """A request for a recipe, as it may be passed on: plain, or in the person's words."""
    rng = drill.rng
    if rng.random() < 0.6:
        return request
    order = rng.choice(HELD_OUT_ORDERS if drill.held_out else ORDERS)
    return order.format(x=a_or_an(name), n=name)


def _prompt(situation: CopalSituation) -> SpecifyPrompt:
    recipe = situation.recipe.recipe if situation.recipe is not None else None
    return SpecifyPrompt(
        situation.request,
        situation.world.listed_objects,
        situation.world.sentences(situation.state),
        situation.wanted,
        situation.titles,
        recipe.name if recipe else "",
        recipe.lines() if recipe else (),
        situation.done,
        situation.failures,
    )


def _before(situation: CopalSituation, request: str) -> SpecifyPrompt:
    """The prompt before anything was looked up, read or done."""
    world = situation.world
    facts = world.sentences(world.skills.init)
    return SpecifyPrompt(request, world.listed_objects, facts, recipes=situation.titles)


def _reply(situation: CopalSituation) -> str:
    if situation.cannot:
        return f"Cannot: {situation.cannot}"
    if not situation.steps:
        return "Done"
    wanted = _specification(situation)
    return "\n".join(
        (
            f"Goal: {wanted.goal}",
            f"Objects: {', '.join(wanted.objects) or 'none'}",
            f"State: {wanted.state}",
            "Steps:",
            *numbered(wanted.steps),
        )
    )


def _asked(
    prompt: SpecifyPrompt, answer: str, situation: CopalSituation | None = None
) -> LanguageExample:
    kind = situation.world.theme if situation is not None else ""
    return LanguageExample(prompt.messages(), answer, room=kind)


# ---- the commander -----------------------------------------------------------------------------


def commands(drill: ExampleSource) -> LanguageExample:
    """Which commands carry out the steps?"""
    rng = drill.rng
    while True:
        situation = draw_situation(drill.words, rng, drill.held_out)
        if situation.steps:
            plan = right_commands(situation)
            found = _command_lesson(situation, plan, rng)
        elif situation.cannot:
            continue  # the specifier declines: nobody asks the commander
        else:
            found = _done_lesson(situation)
        if found is not None and len(found.answer) <= _LONGEST_ANSWER:
            return found


def _command_lesson(
    situation: CopalSituation, plan: tuple[Action, ...], rng: random.Random
) -> LanguageExample | None:
    world, wanted = situation.world, _specification(situation)
    goal = CommandGoal(world.checker, situation.state, situation.steps)
    calls = tuple(map(str, plan))
    if not plan or not goal.is_reached_by(calls):
        return None
    lines = world.command_lines
    if rng.random() < 0.07:
        return _impossible(situation, wanted, rng)
    worded = wanted
    if rng.random() < 0.45:
        steps = tuple(_in_other_words(world, one, rng) for one in situation.steps)
        worded = replace(wanted, steps=steps, state=rng.choice((wanted.state, "none")))
    facts = world.sentences(situation.state)
    prompt = CommandsPrompt(
        worded, world.listed_objects, lines, facts, situation.done, situation.failures
    )
    answer = "\n".join((f"Thought: {_thought(situation, plan)}", *numbered(calls)))
    return LanguageExample(prompt.messages(), answer, room=world.theme, command_goal=goal)


def _done_lesson(situation: CopalSituation) -> LanguageExample | None:
    """All is done: the steps are those of the finished request."""
    if not situation.done:
        return None
    made = situation.recipe
    serve = (
        tuple(map(MakeTrue, made.serve_in(situation.goal.split(" in ")[-1].partition(",")[0])))
        if made is not None
        else ()
    )
    steps = tuple(step_text(situation.world, one) for one in serve)
    steps = steps or tuple(f"Make sure that {one}" for one in situation.wanted)
    if not steps or any(unmet(serve, situation.state)):
        return None
    world = situation.world
    wanted = Specification(situation.goal, (), "none", steps)
    lines = world.command_lines
    prompt = CommandsPrompt(
        wanted, world.listed_objects, lines, world.sentences(situation.state), situation.done
    )
    return LanguageExample(prompt.messages(), "Done", room=world.theme)


def _impossible(
    situation: CopalSituation, wanted: Specification, rng: random.Random
) -> LanguageExample:
    """A step that no command does."""
    world = situation.world
    names = [one.name for one in world.known]
    deed = rng.choice(
        (
            "Paint {x} red",
            "Weigh {x}",
            "Fold {x} twice",
            "Photograph {x}",
            "Sharpen {x}",
            "Boil {x} for 10 min",
            "Cut {x} in half",
            "Sew {x}",
        )
    )
    deed = deed.format(x=rng.choice(names))
    at = rng.randrange(len(wanted.steps) + 1)
    steps = (*wanted.steps[:at], deed, *wanted.steps[at:])
    prompt = CommandsPrompt(
        replace(wanted, steps=steps),
        world.listed_objects,
        world.command_lines,
        world.sentences(situation.state),
        situation.done,
        situation.failures,
    )
    answer = f"Cannot: none of my commands does this: {deed}"
    return LanguageExample(prompt.messages(), answer, room=world.theme)


def _thought(situation: CopalSituation, plan: tuple[Action, ...]) -> str:
    """What must be known to write the commands: the lesson of a failure, places, caps and doors."""
    world, state = situation.world, situation.state
    parts = [situation.lesson] if situation.lesson else []
    for thing in dict.fromkeys(one.args[0] for one in plan if one.args):
        place = world.place_of(thing, state)
        held = thing in world.held(state)
        if not place and not held:
            continue
        cap = ", closed" if Fact.of("capped", thing) in state else ""
        shut = place in world.roles["containers"] and Fact.of("open", place) not in state
        where = "held" if held else f"from {place}{' (shut)' if shut else ''}"
        parts.append(f"{thing} {where}{cap}")
    text = "; ".join(parts) or "one command does it"
    while len(text) > _LONGEST_THOUGHT:
        parts.pop()
        text = "; ".join(parts)
    return text


def _in_other_words(world: CopalWorld, step: CopalStep, rng: random.Random) -> str:
    """A step as another specifier may write it."""
    if isinstance(step, Pour):
        ml, x, s, v = f"{step.ml:g}", step.source, step.substance, step.target
        return rng.choice(
            (
                f"Add {ml} ml of {s} from the {x} to the {v}.",
                f"Fill {ml} ml {s} ({x}) into {v}",
                f"Pour {s} from {x} into {v}: {ml} ml",
                f"{v} gets {ml} ml of {s} out of {x}",
                f"Take {x} and pour {ml} ml into {v}",
                f"Use {x} to add {ml} ml of {s} to {v}",
            )
        )
    fact, positive = step.literal.fact, step.literal.positive
    forms = {
        ("on", True): (
            "Put {0} on {1}",
            "Place the {0} on the {1}.",
            "Move {0} to {1}",
            "Bring {0} to {1}",
        ),
        ("inside", True): (
            "Put {0} into {1}",
            "Place the {0} inside the {1}.",
            "Move {0} into {1}",
        ),
        ("open", True): ("Open {0}", "Open the {0}."),
        ("open", False): ("Close {0}", "Close the {0}.", "See that {0} is closed"),
        ("switched_on", True): ("Switch {0} on", "Turn on the {0}."),
        ("switched_on", False): ("Switch {0} off", "Turn off the {0}."),
        ("capped", True): ("Close {0} with its cap", "Seal {0}"),
        ("capped", False): ("Open {0}", "Remove the cap of {0}"),
        ("baked", True): ("Bake {0}",),
    }.get((fact.predicate, positive))
    return rng.choice(forms).format(*fact.args) if forms else step_text(world, step)
