"""From the text of a question back to its prompt, so that a reply to it can be graded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.embedded.rules.parsed_prompt import ParsedPrompt
from regrasp.embedded.rules.specify import read_objects
from regrasp.models.language import Message
from regrasp.planners.candidates import possible_calls
from regrasp.prompts.command_line import CommandLine, FailedCommand
from regrasp.prompts.commands import CommandsPrompt
from regrasp.prompts.completed import CompletedPrompt
from regrasp.prompts.constraints import ConstraintsPrompt
from regrasp.prompts.interpret import InterpretPrompt
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.primary_step import PrimaryStepPrompt
from regrasp.prompts.prompt import Prompt, without_examples
from regrasp.prompts.question_type import QuestionTypePrompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.relocation import RelocationPrompt
from regrasp.prompts.reward_step import RewardStepPrompt
from regrasp.prompts.rewards import RewardsPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import PALM
from regrasp.prompts.skill_plan import SkillPlanPrompt
from regrasp.prompts.skills import SkillLine
from regrasp.prompts.specify import Specification, SpecifyPrompt
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.text import unquoted
from regrasp.prompts.wrong_names import WrongNamesPrompt

__all__ = ["FAMILIES", "family_of", "read_prompt"]


def _plan(a: ParsedPrompt) -> Prompt[Any]:
    return PlanPrompt(a.value("Goal"), a.words.scene, a.observations, a.attempts)


def _step_needed(a: ParsedPrompt) -> Prompt[Any]:
    return StepNeededPrompt(
        a.value("Goal"),
        a.words.scene,
        a.items("Plan"),
        int(a.value("Step").partition(".")[0] or 0),
        a.observations,
        a.attempts,
    )


def _questions(a: ParsedPrompt) -> Prompt[Any]:
    plan, seen = a.items("Plan"), a.observations
    return QuestionsPrompt(a.value("Goal"), a.words.scene, a.value("Action"), plan, seen)


def _completed(a: ParsedPrompt) -> Prompt[Any]:
    return CompletedPrompt(a.value("Action"), a.words.scene, a.observations, a.items("Plan"))


def _motion_plan(a: ParsedPrompt) -> Prompt[Any]:
    relocates = a.value("Relocates") == "yes"
    return MotionPlanPrompt(
        a.value("Action"), a.words.scene, a.items("Plan"), a.observations, relocates
    )


def _rewards(a: ParsedPrompt) -> Prompt[Any]:
    names = tuple(name for name in a.names if name != PALM)
    joints = tuple(name for name in a.value("Joints").split(", ") if name and name != "none")
    return RewardsPrompt(a.value("Action"), a.motions, names, joints)


def _reasons(a: ParsedPrompt) -> Prompt[Any]:
    said = tuple(unquoted(item) for item in a.items("Explanations"))
    return ReasonsPrompt(a.value("Action"), a.words.scene, said)


def _skill_plan(a: ParsedPrompt) -> Prompt[Any]:
    return SkillPlanPrompt(a.value("Goal"), a.words.scene, a.skills, a.items("Known"), a.happened)


def _constraints(a: ParsedPrompt) -> Prompt[Any]:
    skill = next(iter(a.skills), SkillLine(""))
    return ConstraintsPrompt(a.value("Call"), skill, a.names, a.items("Forms"))


def _goal(a: ParsedPrompt) -> Prompt[Any]:
    return a.goal_prompt


def _interpret(a: ParsedPrompt) -> Prompt[Any]:
    present = a.value("Present")
    return InterpretPrompt(
        a.value("Says"),
        a.items("Abilities"),
        _listed(a.value("Objects")),
        _listed(a.value("Recipes")),
        a.items("Known"),
        a.items("Done"),
        a.items("Dialogue"),
        "" if present == "none" else present,
    )


def _specify(a: ParsedPrompt) -> Prompt[Any]:
    return SpecifyPrompt(
        a.value("Request"),
        tuple(read_objects(a).items()),
        a.items("Known"),
        a.items("Wanted"),
        _listed(a.value("Recipes")),
        a.value("Recipe name"),
        a.items("Recipe"),
        a.items("Done"),
        a.parsed("Failures", FailedCommand.read),
    )


def _commands(a: ParsedPrompt) -> Prompt[Any]:
    state = a.value("State")
    wanted = Specification(
        a.value("Goal"), state="" if state == "none" else state, steps=a.items("Steps")
    )
    return CommandsPrompt(
        wanted,
        tuple(read_objects(a).items()),
        a.parsed("Commands", CommandLine.read),
        a.items("Known"),
        a.items("Done"),
        a.parsed("Failures", FailedCommand.read),
    )


def _next_action(a: ParsedPrompt) -> Prompt[Any]:
    texts = ("\n".join(a.sections[title].lines) for title in ("Domain", "Problem"))
    domain_text, problem_text = texts
    domain = read_domain(domain_text)
    calls = possible_calls(domain, read_problem(problem_text, domain))
    return NextActionPrompt(a.value("Instruction"), domain_text, problem_text, calls)


def _listed(value: str) -> tuple[str, ...]:
    return tuple(one for one in value.split(", ") if one and value != "none")


FAMILIES: Mapping[str, tuple[str, Callable[[ParsedPrompt], Prompt[Any]]]] = {
    "Task: plan": ("plan", _plan),
    "Task: step needed": ("step_needed", _step_needed),
    "Task: eyes or arm": ("is_vision", lambda a: IsVisionPrompt(a.value("Action"))),
    "Task: relocation": ("relocation", lambda a: RelocationPrompt(a.value("Action"))),
    "Task: motion plan": ("motion_plan", _motion_plan),
    "Task: rewards": ("rewards", _rewards),
    "Task: reward to step": (
        "reward_step",
        lambda a: RewardStepPrompt(a.motions, a.value("Reward")),
    ),
    "Task: primary step": (
        "primary_step",
        lambda a: PrimaryStepPrompt(a.value("Action"), a.motions),
    ),
    "Task: wrong names": (
        "wrong_names",
        lambda a: WrongNamesPrompt(unquoted(a.value("Sentence")), a.names),
    ),
    "Task: rewrite names": (
        "rewrite_names",
        lambda a: RewriteNamesPrompt(unquoted(a.value("Sentence")), a.names),
    ),
    "Task: reasons": ("reasons", _reasons),
    "Task: questions": ("questions", _questions),
    "Task: question type": (
        "question_type",
        lambda a: QuestionTypePrompt(unquoted(a.value("Question"))),
    ),
    "Task: completed": ("completed", _completed),
    "Task: skills": ("skill_plan", _skill_plan),
    "Task: constraints": ("constraints", _constraints),
    "Task: goal": ("goal", _goal),
    "Task: interpret": ("interpret", _interpret),
    "Task: specify": ("specify", _specify),
    "Task: commands": ("commands", _commands),
    "Task: next action": ("next_action", _next_action),
}
"""Every question to a language model: the name of its family, and a parser of its text."""

_SHORTEST = 2
"""Messages of a conversation: the head and the inputs."""


def read_prompt(messages: Sequence[Message]) -> Prompt[Any] | None:
    """The prompt of `messages`; None if it is not ours, or does not parse back to the same text."""
    task, asked = messages[0].content.partition("\n")[0], without_examples(messages)
    if task not in FAMILIES or len(asked) < _SHORTEST:
        return None
    prompt = FAMILIES[task][1](ParsedPrompt.read(asked[1].content))
    same = without_examples(prompt.messages())[:_SHORTEST] == asked[:_SHORTEST]
    return prompt if same else None


def family_of(messages: Sequence[Message]) -> str:
    """The name of the family, with plans separated by earlier attempts; "" for other text."""
    task = messages[0].content.partition("\n")[0]
    if task not in FAMILIES:
        return ""
    family = FAMILIES[task][0]
    if family != "plan":
        return family
    attempts = ParsedPrompt.read(without_examples(messages)[1].content).attempts
    if not attempts:
        return "plan"
    return "replan" if attempts[-1].failed and attempts[-1].reasons else "new_plan"
