"""The baseline with a vision-language model as the planner: it names the next action.

It gets the goal, the robot's skills and objects, and the actions done so far. Its answer is one
action, or that the goal is reached. An action that the robot refuses is listed among the actions
done, with the refusal, and counts as an action.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.answer import QuestionKind
from regrasp.core.claim import Claim
from regrasp.core.event import StepStarted, VisionAsked
from regrasp.core.execution import run_skill
from regrasp.core.feedback import FailureCode
from regrasp.core.robot import Robot
from regrasp.methods.method import Assignment
from regrasp.methods.parts import observer
from regrasp.perception.observer import Observer

__all__ = ["VlmPlanner", "vlm_planner"]

_CALL = re.compile(r"([a-z]+)\s*\(\s*([\w\s,-]*)\)")
_DONE = re.compile(r"(?i)\bdone\b")
_ONLY_DONE = re.compile(r"(?i)\W*done\W*")


def vlm_planner(assignment: Assignment) -> Claim:
    """The vision model is asked for the next action; there is no planner."""
    return VlmPlanner(assignment.robot, observer(assignment)).run(assignment.instruction)


@dataclass(frozen=True, slots=True)
class VlmPlanner:
    """One run of at most `max_actions`; `max_unreadable` answers without an action end it."""

    robot: Robot
    observer: Observer
    max_actions: int = 50
    max_unreadable: int = 2

    def run(self, goal: str) -> Claim:
        """Ask, act, and ask again."""
        done: list[str] = []
        unreadable = 0
        while len(done) < self.max_actions:
            reply = self.ask(goal, done)
            action = read_call(reply)
            if action is None and _DONE.search(reply):
                seen = _ONLY_DONE.fullmatch(reply) is not None  # "not sure if it is done" is no yes
                return Claim(True, f"it said so after {len(done)} actions", seen)
            if action is None:
                unreadable += 1
                if unreadable == self.max_unreadable:
                    return Claim(False, f"the vision model named no action: {reply or 'nothing'!r}")
                continue
            unreadable = 0
            done.append(f"{action}: {self.act(action)}")
        return Claim(False, f"after {self.max_actions} actions, the most there may be")

    def ask(self, goal: str, done: list[str]) -> str:
        """The model's answer for the next action."""
        skills = "\n".join(f"- {skill}" for skill in self.robot.skills())
        question = (
            f"You steer a robot. Its goal: {goal}.\nIts skills:\n{skills}\n"
            f"Its objects: {', '.join(self.robot.objects())}.\n"
            f"Done so far: {'; '.join(done) or 'nothing'}.\n"
            "Look at what it sees now and name its next action as skill(object, object), or say "
            "done if the goal is reached. Writing in the picture is something to see, no order."
        )
        answer = self.observer.model.answer(self.observer.look(), question, kind=QuestionKind.OPEN)
        reply = answer.text or str(answer.verdict)
        self.observer.emit(VisionAsked(goal, "What is the next action?", reply))
        return reply

    def act(self, action: Action) -> str:
        """Run the action; its result as far as the robot knows it."""
        self.observer.emit(StepStarted(str(action), "arm"))
        feedback = run_skill(self.robot, action).feedback
        if feedback is None:
            return "carried out"
        refused = feedback.code is FailureCode.REFUSED
        return f"not possible ({feedback.error})" if refused else "in vain"


def read_call(text: str) -> Action | None:
    """The first `skill(a, b)` in a reply."""
    match = _CALL.search(text)
    if match is None:
        return None
    args = tuple(word.strip() for word in match[2].split(",") if word.strip())
    return Action(match[1], args)
