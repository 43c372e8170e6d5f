"""Whether a step of a plan serves its goal."""

from __future__ import annotations

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.belief import SceneBelief, read_step
from regrasp.embedded.rules.claims import ACTUATES
from regrasp.embedded.rules.goals import GoalKind
from regrasp.embedded.rules.instructions import Instruction
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["step_needed"]


def step_needed(
    number: int, plan: tuple[str, ...], instruction: Instruction, belief: SceneBelief
) -> str:
    """`yes`, `no` or `unknown` for step `number`, from 1, of `plan`."""
    steps = [read_step(line, belief.words) for line in plan]
    if not 1 <= number <= len(steps) or not instruction.goals:
        return "unknown"
    step = steps[number - 1]
    if step is None:
        return "unknown"
    if step in steps[: number - 1]:
        return "no"
    after = next((s for s in steps[number:] if s is not None), None)
    carried = after is not None and after.verb.carries and after.object == step.object
    if step.verb is Verb.PICK and carried:
        return "no"  # carrying it begins with picking it up
    return "yes" if _serves(step, instruction, belief) else "no"


def _serves(step: Step, instruction: Instruction, belief: SceneBelief) -> bool:
    about, words = set[str](), belief.words
    for goal in instruction.goals:
        about |= {words.owner(n) for n in (str(goal.thing), goal.place) if n}
        if isinstance(goal.thing, Likeness):
            about.add(words.owner(goal.thing.like))
            about |= {o.name for o in words.scene.objects if o.kind.lower() == goal.thing.kind}
    wants = {goal.kind for goal in instruction.goals}
    hidden = any(
        (line := words.scene.owner(str(goal.thing))) is None or not line.visible
        for goal in instruction.goals
        if goal.thing and not isinstance(goal.thing, Likeness)
    )
    name = words.owner(str(step.object)) if not isinstance(step.object, Likeness) else ""
    if step.verb is Verb.CLOSE:
        return GoalKind.CLOSE in wants and name in about
    if step.verb in (Verb.OPEN, Verb.LOOK_IN):
        searched = hidden and words.can(name, Affordance.OPEN)
        return name in about or (searched and name not in belief.searched)
    if step.verb in (Verb.PULL, Verb.PRESS, Verb.TURN):
        locks = belief.locked or belief.unexplained or instruction.unlocking_steps
        may_unlock = (locks or GoalKind.UNLOCK in wants) and words.can(name, *ACTUATES)
        return name in about or bool(may_unlock)
    if step.verb in (Verb.MOVE_AWAY, Verb.TAKE_OUT):
        facts = (*belief.blocks, *belief.on, *belief.front, *belief.inside)
        return name in about or any(thing == name for thing, _ in facts)
    unlocking = {words.owner(str(s.object)) for s, _ in instruction.unlocking_steps}
    return isinstance(step.object, Likeness) or name in about | unlocking
