"""The answer to each question, made from the text of its prompt alone.

`ANSWERS` maps the first line of a prompt's head to the rule that answers it. A rule reads only the
sections of the prompt; if they do not hold enough information, it replies so in the prompt's own
format.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping

from regrasp.core.action import Action
from regrasp.embedded.rules.belief import read_step
from regrasp.embedded.rules.call_plans import plan_calls
from regrasp.embedded.rules.goal_clauses import goal_reply
from regrasp.embedded.rules.goals import GoalKind, RuleGoal
from regrasp.embedded.rules.ground_skills import depends_on, goal_sentences
from regrasp.embedded.rules.instructions import read_instruction
from regrasp.embedded.rules.interpret import interpret
from regrasp.embedded.rules.motion import (
    action_step,
    guessed_step,
    motions_of,
    primary_line,
    reward_of,
)
from regrasp.embedded.rules.naming import misnamed, renamed
from regrasp.embedded.rules.needed import step_needed
from regrasp.embedded.rules.next_action import next_action, next_action_likelihoods
from regrasp.embedded.rules.parsed_prompt import ParsedPrompt
from regrasp.embedded.rules.plan_builder import PlanBuilder
from regrasp.embedded.rules.planning import RulePlanner
from regrasp.embedded.rules.specify import specify
from regrasp.embedded.rules.visual_checks import (
    causes,
    goal_checks,
    question_type,
    step_questions,
    verdict,
)
from regrasp.embedded.rules.write_commands import write_commands
from regrasp.prompts.questions import MOST_QUESTIONS
from regrasp.prompts.sections import numbered
from regrasp.prompts.skill_plan import LONGEST, LONGEST_THOUGHT
from regrasp.prompts.steps import Likeness, verb_of
from regrasp.prompts.text import one_line, unquoted

__all__ = ["ANSWERS", "NOT_UNDERSTOOD", "answer", "likelihoods"]

NOT_UNDERSTOOD = "Cannot: this is not one of the questions I know"
"""The reply to any text that is not one of our prompts."""


def answer(task: str, text: str) -> str:
    """The answer to the prompt whose head begins with `task` and whose text is `text`."""
    rule = ANSWERS.get(task)
    return rule(ParsedPrompt.read(text)) if rule else NOT_UNDERSTOOD


def _cannot(why: str) -> str:
    return f"Cannot: {one_line(why, 160)}"


def _plan(asked: ParsedPrompt) -> str:
    belief = asked.belief
    instruction = read_instruction(asked.value("Goal"), belief.words)
    if not instruction.goals:
        return _cannot(instruction.unclear or "I find no goal in this instruction")
    means = PlanBuilder(belief, instruction.unlocking_steps)
    steps = RulePlanner(instruction.goals, means).plan()
    if not steps:
        return _cannot(means.failure_reason or "there is nothing left to try")
    thought = means.thought or "I do what the goal says."
    return "\n".join([f"Thought: {thought}", *numbered(map(str, steps))])


def _step_needed(asked: ParsedPrompt) -> str:
    belief = asked.belief
    step = asked.value("Step").partition(".")[0]
    number = int(step) if step.isdigit() else 0
    instruction = read_instruction(asked.value("Goal"), belief.words)
    return step_needed(number, asked.items("Plan"), instruction, belief)


def _is_vision(asked: ParsedPrompt) -> str:
    verb = verb_of(asked.value("Action"))
    return "unknown" if verb is None else "yes" if verb.looks else "no"


def _relocation(asked: ParsedPrompt) -> str:
    verb = verb_of(asked.value("Action"))
    if verb is None:
        return "unknown"
    return "yes" if verb.carries else "no"


def _motion_plan(asked: ParsedPrompt) -> str:
    belief = asked.belief
    step = action_step(asked.value("Action"), belief.words)
    if step is None:
        return _cannot("I do not know how to move for this action")
    if not asked.items("Plan"):  # an instruction alone, as Language to Rewards has it
        step = guessed_step(step, belief)
    motions = motions_of(step, belief)
    return _cannot(motions) if isinstance(motions, str) else "\n".join(numbered(map(str, motions)))


def _rewards(asked: ParsedPrompt) -> str:
    motions = asked.motions
    if not motions:
        return _cannot("I find no motion plan that I can read")
    return "\n".join(["reset_reward()", *map(reward_of, motions), "execute_plan()"])


def _reward_step(asked: ParsedPrompt) -> str:
    reward = asked.value("Reward").replace(" ", "")
    calls = [reward_of(motion).replace(" ", "")[:-1] for motion in asked.motions]
    number = next((i for i, call in enumerate(calls, 1) if reward.startswith(call)), None)
    return f"Step: {number if number is not None else 'none'}"


def _primary_step(asked: ParsedPrompt) -> str:
    motions = asked.motions
    if not motions:
        return _cannot("I find no motion plan that I can read")
    number = primary_line(verb_of(asked.value("Action")), motions)
    thought = f"The action is done once {motions[number - 1].object} is where it should be."
    return f"Thought: {thought}\nStep: {number}"


def _wrong_names(asked: ParsedPrompt) -> str:
    return "yes" if misnamed(unquoted(asked.value("Sentence")), asked.names) else "no"


def _rewrite_names(asked: ParsedPrompt) -> str:
    text = renamed(unquoted(asked.value("Sentence")), asked.names)
    return f"Sentence: {text}" if text else _cannot("no listed name is like what was named")


def _reasons(asked: ParsedPrompt) -> str:
    explanations = tuple(unquoted(item) for item in asked.items("Explanations"))
    found = causes(asked.value("Action"), explanations, asked.words)
    return "\n".join(f"Reason: {claim}" for claim in found) or "Reason: none"


def _questions(asked: ParsedPrompt) -> str:
    belief, words = asked.belief, asked.words
    step = read_step(asked.value("Action"), words)
    if step is not None and step.looks:
        instruction = read_instruction(asked.value("Goal"), words)
        sights = step_questions(step, instruction, belief)
    else:
        goals = read_instruction(asked.value("Action"), words).goals
        checks = [check for goal in goals for check in goal_checks(goal, belief)]
        sights = tuple(dict.fromkeys(sight for sight, _ in checks))[:MOST_QUESTIONS]
    return "\n".join(f"Question: {sight}" for sight in sights) or "Question: none"


def _question_type(asked: ParsedPrompt) -> str:
    return question_type(unquoted(asked.value("Question")))


def _completed(asked: ParsedPrompt) -> str:
    belief, action = asked.belief, asked.value("Action")
    instruction = read_instruction(action, belief.words)
    done, goal = verdict(action, instruction, asked.observations, belief)
    if done != "no":
        return f"Done: {done}"
    return f"Done: no\nNext: {_remaining(goal, belief.words.names.known) or 'none'}"


def _remaining(goal: RuleGoal | None, known: tuple[str, ...]) -> str:
    """The step that a goal still needs, where one step can be named."""
    step = goal.step if goal is not None and goal.kind is not GoalKind.USE else None
    if step is None or not (isinstance(step.object, Likeness) or step.object in known):
        return ""
    return str(step)


def _skills(asked: ParsedPrompt) -> str:
    words = asked.words
    instruction = read_instruction(asked.value("Goal"), words)
    goals = goal_sentences(instruction.goals)
    if not goals:
        return _cannot(instruction.unclear or "I find no goal in this that skills could reach")
    plan = plan_calls(goals, asked.skills, words.scene, asked.items("Known"))
    if plan is None or len(plan.calls) > LONGEST:
        return _cannot("no few calls of these skills lead there")
    if not plan.calls:
        return "Done"
    lines: list[str] = []
    calls = iter(numbered(map(str, plan.calls)))
    for stage in plan.stages:
        thought = " after ".join(reversed(stage.made))
        lines.append(f"Thought: {one_line(thought, LONGEST_THOUGHT)}")
        lines += itertools.islice(calls, len(stage.calls))
    return "\n".join(lines)


def _constraints(asked: ParsedPrompt) -> str:
    call = re.fullmatch(r"(\w+)\(([^()]*)\)", asked.value("Call"))
    skill = next((one for one in asked.skills if call and one.name == call[1]), None)
    if call is None or skill is None:
        return _cannot("I find no line for this call")
    action = Action(call[1], tuple(filter(None, call[2].split(", "))))
    during, after = depends_on(action, skill, asked.items("Forms"))
    lines = [f"While: {one}" for one in during or ("none",)]
    return "\n".join([*lines, *(f"After: {one}" for one in after or ("none",))])


def _goal(asked: ParsedPrompt) -> str:
    return goal_reply(asked.goal_prompt)


def _blind(asked: ParsedPrompt) -> str:
    """This model takes no images, so it has no observation."""
    return "unknown"


ANSWERS: Mapping[str, Callable[[ParsedPrompt], str]] = {
    "Task: see": _blind,
    "Task: plan": _plan,
    "Task: step needed": _step_needed,
    "Task: eyes or arm": _is_vision,
    "Task: motion plan": _motion_plan,
    "Task: relocation": _relocation,
    "Task: rewards": _rewards,
    "Task: reward to step": _reward_step,
    "Task: primary step": _primary_step,
    "Task: why": _blind,
    "Task: wrong names": _wrong_names,
    "Task: rewrite names": _rewrite_names,
    "Task: reasons": _reasons,
    "Task: questions": _questions,
    "Task: question type": _question_type,
    "Task: look": _blind,
    "Task: completed": _completed,
    "Task: skills": _skills,
    "Task: constraints": _constraints,
    "Task: goal": _goal,
    "Task: interpret": interpret,
    "Task: specify": specify,
    "Task: commands": write_commands,
    "Task: next action": next_action,
}
"""Every question of docs/prompts, by the first line of its head."""

_LIKELIHOODS: Mapping[str, Callable[[ParsedPrompt], tuple[tuple[str, float], ...]]] = {
    "Task: next action": next_action_likelihoods,
}


def likelihoods(task: str, text: str) -> tuple[tuple[str, float], ...]:
    """The possible replies to a prompt with their log-probabilities; empty where rules give one."""
    rule = _LIKELIHOODS.get(task)
    return rule(ParsedPrompt.read(text)) if rule else ()
