"""One run of a real method in a generated room, with every question and answer recorded.

Any language model can answer. Only runs whose result the world confirms are used for training
(`SymbolicRun.confirmed`). The language model gets the room's plain sentence; afterwards `asked_as`
replaces it by a phrasing wherever the goal is in a prompt.
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
    """A question, its answer, and the world at that time (for plans only)."""

    messages: tuple[Message, ...]
    reply: str
    world: SymbolicWorld | None = None


@dataclass(slots=True)
class _Listener(RequestModel):
    """Forwards questions and records them."""

    inner: LanguageModel
    world: SymbolicWorld
    heard: list[RecordedExchange] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self.inner.name

    @property
    def capabilities(self) -> Capabilities:
        """The capabilities of the wrapped model."""
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
    """The result of a run: the agent's claim, whether it is true, and all questions."""

    room: SymbolicRoom
    claim: Claim
    done: bool
    exchanges: tuple[RecordedExchange, ...]

    @property
    def confirmed(self) -> bool:
        """Whether it reached a reachable goal or gave up an impossible one, with a true claim."""
        return self.claim.done is self.done is self.room.solvable


def run_symbolic(
    room: SymbolicRoom,
    model: LanguageModel,
    rng: random.Random,
    *,
    method: str = "replan",
    goal: str | None = None,
) -> SymbolicRun:
    """Run `method` on the room's goal, in its plain sentence unless `goal` is given."""
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
    """The exchange with `phrasing` in place of the plain goal; its answer does not change."""
    lines = {f"Goal: {plain}": f"Goal: {phrasing}", f"Action: {plain}": f"Action: {phrasing}"}
    head, *rest = exchange.messages
    told = tuple(
        Message(m.role, "\n".join(lines.get(line, line) for line in m.content.split("\n")))
        for m in rest
    )
    return RecordedExchange((head, *told), exchange.reply, exchange.world)
