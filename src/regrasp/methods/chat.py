"""A conversation with a robot: one thing is said after the other, and the robot remembers.

Each thing goes to CoPAL, whose interpreter answers it or passes it on. What a request leaves behind
is believed at the next one. What is said while the robot works stops it, changes the request, is
answered, or is done afterwards (`methods.copal_layers`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError
from regrasp.core.event import Layer, LayerMessage
from regrasp.core.person import chosen_option
from regrasp.core.robot import SkillReport
from regrasp.methods.copal import copal
from regrasp.methods.method import Assignment
from regrasp.planners.interpreter import Conversation
from regrasp.planners.recipe_book import shipped_recipes

__all__ = ["Chat", "ChatPartner", "PersonInChat"]


class ChatPartner(Protocol):
    """Someone who talks with a robot."""

    def next(self) -> str | None:
        """What is said next, which may take its time; None at the end of the conversation."""
        ...

    def interjection(self, seconds: float) -> str:
        """What was said since the last call, while the robot works; "" if nothing.

        `seconds` is the robot's clock.
        """
        ...

    def hear(self, text: str) -> None:
        """Hear what the robot says."""
        ...


@dataclass(frozen=True, slots=True)
class PersonInChat:
    """A `Person` who is asked back in the conversation."""

    partner: ChatPartner

    def choose(self, question: str, options: Sequence[str]) -> int | None:
        """See `Person`."""
        self.partner.hear(f"{question} {' or '.join(options)}?")
        try:
            return chosen_option(self.partner.next() or "", options)
        except RegraspError:
            return None


@dataclass(slots=True)
class Chat:
    """Carries out what `partner` says with `method`: CoPAL, in any configuration.

    `recipe_files` of a user are added to the recipe book.
    """

    partner: ChatPartner
    method: Callable[..., Claim] = copal
    recipe_files: tuple[str, ...] = ()
    conversation: Conversation = field(default_factory=Conversation)

    def record(self, seconds: float, report: SkillReport) -> None:
        """Remember a skill of the trace: questions about the past are answered from these."""
        self.conversation.reports.append((seconds, report))

    def run(self, assignment: Assignment) -> Claim:
        """Talk until the end of the conversation."""
        robot, domain, turns, talk = assignment.robot, assignment.domain, 0, self.conversation
        talk.listen = lambda: self.partner.interjection(robot.seconds)
        talk.say = self.partner.hear
        book = shipped_recipes()
        for file in self.recipe_files:
            book = book.with_file(file)
        person = PersonInChat(self.partner)
        while (said := self._next()) is not None:
            talk.finished = ""
            given = replace(assignment, instruction=said, domain=domain, person=person)
            claim = self.method(given, conversation=talk, recipes=book)
            if claim.believed is not None:
                domain = replace(domain, init=claim.believed)
            reply, turns = _reply(claim, talk), turns + 1
            assignment.emit(LayerMessage(Layer.INTERPRETER, Layer.PERSON, reply))
            talk.reply(reply)
        return Claim(True, f"a conversation of {turns} turns")

    def _next(self) -> str | None:
        """What was put off while the robot worked, else what the person says."""
        if self.conversation.later:
            return self.conversation.later.pop(0)
        return self.conversation.heard() or self.partner.next()


def _reply(claim: Claim, conversation: Conversation) -> str:
    """The claim in words: what was done or answered, or why it was not."""
    if claim.done and claim.believed is not None and conversation.finished:
        return f"Done: {conversation.finished}"
    return claim.reason[:1].upper() + claim.reason[1:]
