"""Setbacks of CoPAL's lessons: a command fails, and what is told of it, in three levels of detail.

*Logical* ones come from the checker itself: a command of the right plan is left out or has a wrong
name, and the checker says what is wrong. *Physical* ones are what a robot reports: something is in
the way, a hand does not reach, a vessel is empty or full, an object was lost.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.feedback import Feedback
from regrasp.lab.language.copal_plans import CopalStep, MakeTrue, Pour, unmet
from regrasp.lab.language.copal_worlds import CopalWorld
from regrasp.prompts.command_line import FailedCommand

__all__ = ["Setback", "describe_failure", "draw_setback", "remaining"]

_HELPERS = ("unscrew", "open_door", "get", "prepare")
"""Commands that prepare others: a plan without one of them has a logical error."""


@dataclass(frozen=True, slots=True)
class Setback:
    """A failure, the state after it, the commands done before it, and what is to be done now.

    `lesson` is the thought of the commander, `cannot` why nothing can be done.
    """

    failure: FailedCommand
    state: State
    steps: tuple[CopalStep, ...]
    lesson: str
    kind: str
    done: tuple[str, ...] = ()
    hand_for: Mapping[str, str] = field(default_factory=dict)
    came_from: Mapping[str, str] = field(default_factory=dict)
    cannot: str = ""


def describe_failure(
    command: str, feedback: tuple[str, str, str], rng: random.Random
) -> FailedCommand:
    """The failure with the error alone, also the reason, or also the suggestion."""
    level = rng.randrange(3)
    error, reason, suggestion = feedback
    return FailedCommand(command, error, reason * (level > 0), suggestion * (level > 1))


def draw_setback(
    world: CopalWorld,
    plan: tuple[Action, ...],
    steps: tuple[CopalStep, ...],
    rng: random.Random,
) -> Setback | None:
    """A setback of a plan that would work; None if this draw does not fit."""
    if world.prepared:
        return _logical(world, plan, steps, rng, "prepare")
    kind = rng.choice(
        ("logical", "logical", "name", "way", "way", "reach", "empty", "empty", "full", "lost")
    )
    if kind == "logical":
        return _logical(world, plan, steps, rng, rng.choice(_HELPERS[:-1]))
    if kind == "name":
        return _named(world, plan, steps, rng)
    role = "pour" if kind in ("empty", "full") else "get"
    where = [i for i, one in enumerate(plan) if one.name == world.commands[role]]
    if not where:
        return None
    at = rng.choice(where)
    scene = _Scene(world, plan, steps, at, rng)
    return {
        "way": scene.in_the_way,
        "reach": scene.out_of_reach,
        "empty": scene.ran_empty,
        "full": scene.too_full,
        "lost": scene.lost,
    }[kind]()


def _logical(
    world: CopalWorld,
    plan: tuple[Action, ...],
    steps: tuple[CopalStep, ...],
    rng: random.Random,
    role: str,
) -> Setback | None:
    """The plan without the commands of a role, and what the checker says of it."""
    without = [one for one in plan if one.name != world.commands.get(role)]
    if len(without) == len(plan):
        return None
    fault = world.checker.check_plan(without, world.skills.init)
    if fault is None:
        return None
    failed = without[fault.index]
    lesson = f"{world.commands[role]} comes before {failed.name}"
    said = _written(world, failed, rng)
    failure = describe_failure(said, _parts(fault.feedback), rng)
    return Setback(failure, world.skills.init, steps, lesson, "logical")


def _named(
    world: CopalWorld, plan: tuple[Action, ...], steps: tuple[CopalStep, ...], rng: random.Random
) -> Setback | None:
    """A command with a wrong name of an object or of the command itself."""
    failed = rng.choice(plan)
    if not failed.args or rng.random() < 0.3:
        wrong = Action(failed.name + rng.choice(("_it", "_now", "x")), failed.args)
    else:
        name = rng.choice((failed.args[0].split("_")[0] + "_thing", failed.args[0] + "_2"))
        wrong = Action(failed.name, (name, *failed.args[1:]))
    feedback = world.checker.language.parse(str(wrong))
    if not isinstance(feedback, Feedback):
        return None
    failure = describe_failure(str(wrong), _parts(feedback), rng)
    return Setback(failure, world.skills.init, steps, "use the listed names", "name")


def _parts(feedback: Feedback) -> tuple[str, str, str]:
    return feedback.error, feedback.reason, feedback.suggestion


def _written(world: CopalWorld, action: Action, rng: random.Random) -> str:
    """A command as a call, or as the sequencer writes it."""
    return str(action) if rng.random() < 0.7 else world.checker.language.write(action)


@dataclass(slots=True)
class _Scene:
    """The world after the commands before number `at`, which fails."""

    world: CopalWorld
    plan: tuple[Action, ...]
    steps: tuple[CopalStep, ...]
    at: int
    rng: random.Random
    state: State = frozenset()
    done: tuple[str, ...] = ()
    came_from: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = self.world.skills.init
        for one in self.plan[: self.at]:
            self.state = self.world.after(one, self.state) or self.state
            self.done += (_written(self.world, one, self.rng),)
            if one.name == self.world.commands["get"]:
                self.came_from[one.args[0]] = one.args[1]

    @property
    def failed(self) -> Action:
        """The command that fails."""
        return self.plan[self.at]

    def _setback(
        self,
        kind: str,
        feedback: tuple[str, str, str],
        lesson: str,
        steps: tuple[CopalStep, ...],
        hand_for: Mapping[str, str] | None = None,
        cannot: str = "",
    ) -> Setback:
        failure = describe_failure(_written(self.world, self.failed, self.rng), feedback, self.rng)
        return Setback(
            failure,
            self.state,
            steps,
            lesson,
            kind,
            self.done,
            hand_for or {},
            self.came_from,
            cannot,
        )

    def _left(self) -> tuple[CopalStep, ...]:
        """The steps that are left; from the first unmet fact on, all facts."""
        return remaining(self.steps, self.state)

    def in_the_way(self) -> Setback | None:
        """Another object stands before the one that is taken."""
        thing, place = self.failed.args[:2]
        near = [
            f.args[0]
            for f in sorted(self.state)
            if f.predicate in ("on", "inside") and f.args[1] == place and f.args[0] != thing
        ]
        targets = {one.target for one in self.steps if isinstance(one, Pour)}
        goals = {one.literal.fact.args[0] for one in self.steps if isinstance(one, MakeTrue)}
        near = [one for one in near if one not in targets | goals]
        elsewhere = [one for one in self.world.roles["surfaces"] if one != place]
        if not near or not elsewhere:
            return None
        blocker, aside = self.rng.choice(near), elsewhere[0]
        hand = self.rng.choice(self.world.hands or ("hand",))
        feedback = (
            f"Could not {self.failed.name} {thing} from {place}: {blocker} is in the way.",
            f"From the side, the {hand} would hit the {blocker}.",
            f"Move the {blocker} away first.",
        )
        away = MakeTrue(Literal.of("on", blocker, aside))
        return self._setback(
            "way", feedback, f"{blocker} goes to {aside} first", (away, *self._left())
        )

    def out_of_reach(self) -> Setback | None:
        """The hand does not get there: the other one does."""
        hands, (thing, place) = self.world.hands, self.failed.args[:2]
        if len(hands) != 2:
            return None
        free = [hand for hand in hands if Fact.of("free", hand) in self.state]
        hand = self.failed.args[2] if len(self.failed.args) > 2 else free[0]
        other = next(one for one in hands if one != hand)
        short = self.rng.randint(2, 40)
        what = f"Could not {self.failed.name} {thing} from {place}"
        feedback = self.rng.choice(
            (
                (
                    f"{what}: the {hand} would stay {short} cm short.",
                    f"From the side, the place is {short} cm beyond the reach of the arm.",
                    "Use a place that is nearer to that hand, or the other hand.",
                ),
                (
                    f"{what}: the {hand} finds no straight and level way there.",
                    "From above, the joints would have to turn round on the way.",
                    "Use the other hand, or another place.",
                ),
            )
        )
        lesson = f"{thing} is taken with {other}"
        return self._setback("reach", feedback, lesson, self._left(), {thing: other})

    def ran_empty(self) -> Setback | None:
        """The flow stops before all was poured: another source has the rest, or nothing has."""
        source, target, amount = self.failed.args
        pour = self._pour(source, target)
        if pour is None:
            return None
        ml = float(amount)
        poured = float(self.rng.randint(0, max(0, int(ml) - 2)))
        missing = ml - poured
        if poured:
            self.state = self.world.after(self.failed, self.state) or self.state
            self.done += (f"{self.failed} (in part)",)
        self.state -= {f for f in self.state if f.predicate == "contains" and f.args[0] == source}
        self.state |= {Fact.of("empty", source)}
        others = self.world.sources(pour.substance, self.state)
        what = f"Could not {self.failed.name} {ml:g} ml from {source} into {target}"
        feedback = (
            f"{what}: {poured:.0f} ml came out, then the flow stopped.",
            f"The {source} is empty or closed.",
            f"{missing:.0f} ml are missing: use another.",
        )
        later = self.steps[self.steps.index(pour) + 1 :]
        if not others:
            cannot = f"{source} is empty, and there is no other {pour.substance} here"
            return self._setback("empty", feedback, "", (), cannot=cannot)
        rest = Pour(pour.substance, others[0], target, missing)
        lesson = f"the rest of the {pour.substance} is in {others[0]}"
        return self._setback("empty", feedback, lesson, (rest, *remaining(later, self.state)))

    def too_full(self) -> Setback | None:
        """The target has room for less."""
        source, target, amount = self.failed.args
        pour = self._pour(source, target)
        ml = int(float(amount))
        if pour is None or ml < 4:
            return None
        room = self.rng.randint(1, ml - 1)
        what = f"Could not {self.failed.name} {ml} ml from {source} into {target}"
        feedback = (
            f"{what}: {target} has room for {room} ml only.",
            f"The {target} would overflow.",
            f"Pour {room} ml at most, or use another vessel.",
        )
        later = self.steps[self.steps.index(pour) + 1 :]
        rest = Pour(pour.substance, source, target, float(room))
        facts = tuple(one for one in later if isinstance(one, MakeTrue))
        steps = (rest, *remaining(facts, self.state))
        return self._setback("full", feedback, f"{target} takes {room} ml more", steps)

    def lost(self) -> Setback | None:
        """The object fell out of the hand onto a surface."""
        thing, place = self.failed.args[:2]
        fallen = self.world.roles["surfaces"][0]
        if place in self.world.roles["items"]:
            return None
        hand = self.rng.choice(self.world.hands or ("hand",))
        self.state -= {
            f for f in self.state if f.predicate in ("on", "inside") and f.args[0] == thing
        }
        self.state |= {Fact.of("on", thing, fallen)}
        feedback = (
            f"Could not {self.failed.name} {thing} from {place}: the {hand} lost it.",
            f"{self.world.say('on', thing, fallen)}; The fingers of the gripper closed on the way.",
            f"Get {thing} again.",
        )
        return self._setback("lost", feedback, f"{thing} is on {fallen} now", self._left())

    def _pour(self, source: str, target: str) -> Pour | None:
        found = (one for one in self.steps if isinstance(one, Pour))
        return next((one for one in found if (one.source, one.target) == (source, target)), None)


def remaining(steps: tuple[CopalStep, ...], state: State) -> tuple[CopalStep, ...]:
    """What is left: pours that were not made, and all facts from the first that is not true."""
    left = tuple(unmet(steps, state))
    facts = [one for one in steps if isinstance(one, MakeTrue)]
    open_facts = [one for one in left if isinstance(one, MakeTrue)]
    pours = tuple(one for one in left if isinstance(one, Pour))
    return (*pours, *(facts[facts.index(open_facts[0]) :] if open_facts else ()))
