"""One walk of the real method through a made-up room, with every question and answer kept.

The reasoner that answers is any language model; taught is only what came of walks in which the
world confirms the end (`Walk.confirmed`). The room's plain sentence is what the reasoner is told;
`asked_as` puts a phrasing in its place afterwards, wherever the goal stands in a prompt.
"""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field

from regrasp.core.claim import Claim
from regrasp.domains.affordances import affordance_domain
from regrasp.lab.language.rooms import SymbolicRoom
from regrasp.lab.language.symbolic_robot import EventLog, SymbolicRobot, SymbolicVision
from regrasp.lab.language.symbols import SymbolicWorld
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completions,
    LanguageModel,
    Message,
    Request,
    RequestModel,
)

__all__ = ["RecordedExchange", "SymbolicRun", "asked_as", "run_symbolic"]

_PLAN = "Task: plan\n"


@dataclass(frozen=True, slots=True)
class RecordedExchange:
    """What was asked, what was answered, and the world as it was then (for plans alone)."""

    messages: tuple[Message, ...]
    reply: str
    world: SymbolicWorld | None = None


@dataclass(slots=True)
class _Listener(RequestModel):
    """Passes questions on and keeps them."""

    inner: LanguageModel
    world: SymbolicWorld
    heard: list[RecordedExchange] = field(default_factory=list)

    @property
    def name(self) -> str:
        """That of the model behind it."""
        return self.inner.name

    @property
    def capabilities(self) -> Capabilities:
        """Those of the model behind it."""
        return self.inner.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """See `RequestModel.respond`."""
        planned = request.messages[0].content.startswith(_PLAN)
        now = copy.deepcopy(self.world) if planned else None
        reply = request.send(self.inner, cancel)
        self.heard.append(RecordedExchange(request.messages, reply.text, now))
        return reply


@dataclass(frozen=True, slots=True)
class SymbolicRun:
    """How a walk went: what the agent claims, whether it is so, and all that was asked."""

    room: SymbolicRoom
    claim: Claim
    done: bool
    exchanges: tuple[RecordedExchange, ...]

    @property
    def confirmed(self) -> bool:
        """Whether it reached what can be reached, or gave up what cannot, and knew which."""
        return self.claim.done is self.done is self.room.solvable


def run_symbolic(
    room: SymbolicRoom,
    model: LanguageModel,
    rng: random.Random,
    *,
    method: str = "replan",
    goal: str | None = None,
) -> SymbolicRun:
    """Let `method` work on the room's want, told in its plain sentence unless `goal` is given."""
    world = copy.deepcopy(room.world)
    listener = _Listener(model, world)
    clumsy = rng.choice((0.0, 0.0, 0.15))
    robot = SymbolicRobot(world, clumsy=clumsy, rng=rng)
    eyes = SymbolicVision(world, plainly=rng.random() < 0.6)
    told = goal if goal is not None else room.want.plain()
    domain = affordance_domain(robot.knowledge(), [skill.name for skill in robot.skills()])
    claim = open_method(method)(Assignment(told, robot, domain, listener, eyes, EventLog()))
    return SymbolicRun(room, claim, room.want.holds(world), tuple(listener.heard))


def asked_as(exchange: RecordedExchange, plain: str, phrasing: str) -> RecordedExchange:
    """The exchange with `phrasing` in place of the plain goal; its answer stays what it is."""
    lines = {f"Goal: {plain}": f"Goal: {phrasing}", f"Action: {plain}": f"Action: {phrasing}"}
    head, *rest = exchange.messages
    told = tuple(
        Message(m.role, "\n".join(lines.get(line, line) for line in m.content.split("\n")))
        for m in rest
    )
    return RecordedExchange((head, *told), exchange.reply, exchange.world)
