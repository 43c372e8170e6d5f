"""Plans of calls in a natural order: one goal after the other, each by the fewest calls.

The order of goals: first an object on which another will stand, then the object that the hand
holds, then the goals in the order of the instruction; goals about open, closed, held and going come
after everything that is moved. Obstacles are cleared and closed places are opened before the object
is fetched, and the robot moves no earlier than necessary. An object that is set aside goes where no
goal refers to, rather on a place than in it. Where this fails, or takes more than `_DETOUR` calls
too many, a search finds the fewest calls to all goals at once.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.embedded.rules.ground_skills import GroundSkill, every_call
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.skills import SkillLine
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion

__all__ = ["CallPlan", "GoalCalls", "plan_calls", "ringed"]

_MOST_STATES = 20_000
_LONGEST = 40
_DETOUR = 2
_STANDS = re.compile(r" is (?:on|inside) ")

State = frozenset[str]
Rank = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoalCalls:
    """Calls until a goal stays reached, and the purpose of each of them, the goal last."""

    calls: tuple[Action, ...]
    made: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallPlan:
    """The stages of a plan, one for each remaining goal; none where all are reached."""

    stages: tuple[GoalCalls, ...]

    @property
    def calls(self) -> tuple[Action, ...]:
        """All calls, in order."""
        return tuple(call for stage in self.stages for call in stage.calls)


def plan_calls(
    goals: Iterable[str], skills: Iterable[SkillLine], scene: SceneDescription, known: Iterable[str]
) -> CallPlan | None:
    """Calls after which all of `goals` are true; None if there are none."""
    wanted, start = tuple(dict.fromkeys(goals)), frozenset(known)
    every = every_call(skills, scene, start)
    server = _Server(wanted, every, frozenset(thing.name for thing in scene.objects))
    if not _ever(every, start).issuperset(wanted) or server.circular():
        return None
    found = server.serve(start)
    most = _LONGEST if found is None else len(found) - _DETOUR - 1
    fewest = _fewest(frozenset(wanted), [(0, (), call) for call in every], start, most=most)
    calls = found if fewest is None else fewest
    return None if calls is None else CallPlan(tuple(server.stages(calls, start)))


@dataclass(frozen=True, slots=True)
class _Server:
    """Reaches the goals one by one."""

    goals: tuple[str, ...]
    every: tuple[GroundSkill, ...]
    names: frozenset[str]

    def circular(self) -> bool:
        """Whether the goals are circular: objects that shall stand on each other."""
        stands = [self._named(goal) for goal in self.goals if _STANDS.search(goal)]
        return ringed({one[0]: one[-1] for one in stands if len(one) > 1})

    def serve(self, state: State) -> tuple[GroundSkill, ...] | None:
        """The calls for all goals, or None where one of them undoes another."""
        calls: list[GroundSkill] = []
        for _ in range(2 * len(self.goals)):
            if (goal := self._next(state)) is None:
                return tuple(calls)
            kept = frozenset(g for g in self.goals if g in state and self._ready(g, state))
            found = _fewest(frozenset({goal}), self._ranked(goal, state), state, kept)
            if found is None:
                return None
            for call in found:
                state = call.result(state)
            calls += found
        return tuple(calls) if state.issuperset(self.goals) else None

    def stages(self, calls: Iterable[GroundSkill], start: State) -> Iterator[GoalCalls]:
        """`calls` split where a goal is false for the last time."""
        done, states = tuple(calls), [start]
        for call in done:
            states.append(call.result(states[-1]))
        lacking = {g: [i for i, state in enumerate(states) if g not in state] for g in self.goals}
        missing = {goal: found[-1] for goal, found in lacking.items() if found}
        first = 0
        for last in sorted(set(missing.values())):
            reached = " and ".join(goal for goal, number in missing.items() if number == last)
            made = (*(self._made(done[i], states[i]) for i in range(first, last)), reached)
            yield GoalCalls(tuple(call.action for call in done[first : last + 1]), made)
            first = last + 1

    def _made(self, call: GroundSkill, state: State) -> str:
        """The purpose of a call: what it makes true, preferably about more objects."""
        new = sorted(call.makes - state, key=lambda one: (-len(self._named(one)), one))
        ended = (one.replace(" is ", " is not ", 1) for one in sorted(call.ends & state))
        return next(iter((*new, *ended, str(call.action))))

    def _next(self, state: State) -> str | None:
        """The goal that comes next; None if all are reached."""
        unmet = [goal for goal in self.goals if goal not in state]
        ready = [goal for goal in unmet if self._ready(goal, state)]
        held = [goal for goal in ready if self._held(goal) in state]
        return next(iter(held or ready or unmet), None)

    def _ready(self, goal: str, state: State) -> bool:
        """Whether everything that must come before a goal is true, and everything before that."""
        before, new = set[str](), {goal}
        while new:
            before |= new
            new = {first for one in new for first in self._before(one)} - before
        return state >= before - {goal}

    def _before(self, goal: str) -> list[str]:
        """The goals that move this goal's place first; for a goal without a place, all moves."""
        places = self._named(goal)[1:]
        moves = [one for one in self.goals if len(self._named(one)) > 1]
        return [one for one in moves if not places or self._named(one)[0] in places]

    def _held(self, goal: str) -> str:
        return VisualQuestion(ObjectQuestion.HELD, next(iter(self._named(goal)), "")).statement(
            True
        )

    def _named(self, sentence: str) -> list[str]:
        """The objects of a sentence, in order: its subject, then the related object."""
        return [word for word in sentence.split() if word in self.names]

    def _ranked(self, goal: str, state: State) -> list[tuple[int, Rank, GroundSkill]]:
        """Every call with its penalty, which decides between equally short ways to `goal`.

        Putting an object where some goal refers to is penalized, unless the object belongs there.
        """
        about, ready = self._named(goal)[:1], {g for g in self.goals if self._ready(g, state)}
        spoken = {name for one in self.goals for name in self._named(one)}
        ranked: list[tuple[int, Rank, GroundSkill]] = []
        for number, call in enumerate(self.every):
            aside = [one for one in call.makes - ready if len(self._named(one)) > 1]
            fuss = sum(self._named(one)[-1] in spoken for one in aside) - len(call.makes & ready)
            inside = sum(" is on " not in one for one in aside)
            late = 2 * self._goes(call) or any(name in call.action.args for name in about)
            ranked.append((fuss, (int(late), inside, call.conditions, number), call))
        return ranked

    def _goes(self, call: GroundSkill) -> bool:
        """Whether it only moves the robot: the same skill on another object undoes it."""
        alike = (one for one in self.every if one.action.name == call.action.name)
        return any(one.makes and one.makes <= call.ends for one in alike)


def ringed(below: Mapping[str, str]) -> bool:
    """Whether the chain from an object to the one below it returns to that object."""
    for thing in below:
        under = thing
        for _ in below:
            under = below.get(under, "")
            if under == thing:
                return True
    return False


def _fewest(
    wanted: State,
    ranked: Iterable[tuple[int, Rank, GroundSkill]],
    start: State,
    kept: State = frozenset(),
    most: int = _LONGEST,
) -> tuple[GroundSkill, ...] | None:
    """The fewest calls to `wanted`, at most `most`, that never end what is `kept`.

    Among equally few, those with the least penalty; among these, those with the lowest ranks.
    """
    every, ticket = tuple(ranked), itertools.count()
    queue: list[tuple[int, int, tuple[Rank, ...], int, State, tuple[GroundSkill, ...]]] = []
    heapq.heappush(queue, (0, 0, (), next(ticket), start, ()))
    reached: set[State] = set()
    while queue and len(reached) < _MOST_STATES:
        length, fuss, ranks, _, state, calls = heapq.heappop(queue)
        if state in reached:
            continue
        reached.add(state)
        if wanted <= state:
            return calls
        if length >= most:
            continue
        for more, rank, call in every:
            if not call.possible(state):
                continue
            after = call.result(state)
            if kept <= after and after not in reached:
                cost = (length + 1, fuss + more, (*ranks, rank), next(ticket))
                heapq.heappush(queue, (*cost, after, (*calls, call)))
    return None


def _ever(every: Iterable[GroundSkill], start: State) -> State:
    """What could be true if nothing ever ended: a goal outside of it needs no search."""
    calls, state = tuple(every), start
    while True:
        wider = state.union(*(call.makes for call in calls if call.needs <= state))
        if wider == state:
            return state
        state = wider
