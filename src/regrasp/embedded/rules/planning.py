"""From goals and belief to steps: each goal is worked backwards through its obstacles.

An object that is not in sight is looked for in the places that open, one at a time, and never twice
in the same place. An unknown fact is looked at before anything depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.belief import SceneBelief
from regrasp.embedded.rules.claims import ACTUATES
from regrasp.embedded.rules.clauses import use_of
from regrasp.embedded.rules.goals import GoalKind, RuleGoal
from regrasp.embedded.rules.plan_builder import PlanBuilder
from regrasp.prompts.plan import LONGEST_PLAN
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["RulePlanner", "alike"]

_PUTS = {GoalKind.PUT_IN: Verb.PUT_IN, GoalKind.PUT_ON: Verb.PUT_ON, GoalKind.PUT_BY: Verb.PUT_BY}


def alike(likeness: Likeness, belief: SceneBelief) -> str | None:
    """The one object that has the likeness, as far as is known; None if none or several may."""
    wanted = belief.attribute(likeness.like, likeness.attribute)
    found = [
        line.name
        for line in belief.words.scene.objects
        if line.kind.lower() == likeness.kind
        and line.name != likeness.like
        and wanted
        and belief.attribute(line.name, likeness.attribute) == wanted
    ]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class RulePlanner:
    """Makes one plan for `goals` with `means`."""

    goals: tuple[RuleGoal, ...]
    means: PlanBuilder

    def plan(self) -> tuple[Step, ...]:
        """The steps of all goals that do not hold yet; `means.failure_reason` if there is none."""
        left = [goal for goal in self.goals if not self._holds(goal)] or list(self.goals[-1:])
        for goal in left:
            if any(step.verb is Verb.LOOK_IN for step in self.means.steps):
                break  # what comes after depends on what the search finds
            self._work(goal)
        return tuple(self.means.steps[:LONGEST_PLAN])

    def _holds(self, goal: RuleGoal) -> bool:
        """Whether an earlier part of an instruction with several parts is already done."""
        belief, name = self.means.belief, str(goal.thing)
        if len(self.goals) == 1:
            return False
        match goal.kind:
            case GoalKind.OPEN:
                return goal.place in belief.open
            case GoalKind.USE:
                return name in belief.used
            case GoalKind.FIND:
                return belief.seen.get(name, False)
            case GoalKind.PUT_IN | GoalKind.PUT_ON | GoalKind.PUT_BY if not isinstance(
                goal.thing, Likeness
            ):
                return str(Step(_PUTS[goal.kind], name, goal.place)) in belief.done
            case GoalKind.REMOVE | GoalKind.AWAY:
                moved = (Verb.TAKE_OUT, Verb.MOVE_AWAY)
                return any(str(Step(verb, name, goal.place)) in belief.done for verb in moved)
        return False

    def _work(self, goal: RuleGoal) -> None:
        means, name = self.means, str(goal.thing)
        match goal.kind:
            case GoalKind.FIND:
                self._search(name)
            case GoalKind.OPEN:
                means.open(goal.place)
            case GoalKind.CLOSE:
                means.unblock(goal.place)
                means.set_thought(f"I close the {goal.place}.")
                means.add(Step(Verb.CLOSE, goal.place))
            case GoalKind.UNLOCK:
                if not means.unlock(goal.place):
                    means.fail(f"nothing here unlocks {goal.place}")
            case GoalKind.USE:
                means.unblock(name)
                means.set_thought(f"I work the {name}.")
                if (step := use_of(name, means.words)) is not None:
                    means.add(step)
            case GoalKind.LOOK:
                self._look(goal.place, within=True)
            case GoalKind.CLEAR | GoalKind.ROOM:
                self._clear(goal)
            case _:
                self._carry(goal)

    def _search(self, name: str) -> None:
        means, belief = self.means, self.means.belief
        line = means.words.scene.owner(name)
        if line is not None and line.visible and belief.seen.get(name, True):
            means.set_thought(f"The {name} should be in sight.")
            means.add(Step(Verb.LOOK_FOR, name))
            return
        known = [where for what, where in belief.inside if what == name]
        places = [place for place in means.words.scene.that_can(Affordance.OPEN) if place != name]
        left = [place for place in (*known, *places) if place not in belief.searched]
        hopeful = [place for place in left if not self._hopeless(place)] or left
        if not hopeful:
            why = "every place that opens was searched" if places else "no place here opens"
            means.fail(f"{name} is not in sight, and {why}")
            return
        why = f"{name} may be inside the {hopeful[0]}."
        means.open(hopeful[0], why)
        means.set_thought(why)
        means.add(Step(Verb.LOOK_IN, hopeful[0]))

    def _hopeless(self, place: str) -> bool:
        """Whether `place` failed to open twice, without a cause, and nothing is left to try."""
        words, belief = self.means.words, self.means.belief
        failures = belief.unexplained[str(Step(Verb.OPEN, place))]
        blocked = any(words.owner(part) == place for _, part in belief.blocks)
        levers = set(words.scene.that_can(*ACTUATES)) - set(belief.used)
        return failures >= 2 and not blocked and not levers

    def _look(self, place: str, *, within: bool) -> None:
        if within and self.means.words.can(place, Affordance.OPEN):
            self.means.open(place, f"I look inside the {place}.")
            self.means.add(Step(Verb.LOOK_IN, place))
        else:
            self.means.add(Step(Verb.LOOK_AT, place))
        self.means.set_thought(f"I look at the {place}.")

    def _clear(self, goal: RuleGoal) -> None:
        """Move away what is known to be on, in or before a place; if nothing is, look first."""
        means, belief, place = self.means, self.means.belief, goal.place
        owner = means.words.owner
        if goal.kind is GoalKind.CLEAR:
            for thing, where in list(belief.inside):
                if owner(where) == place:
                    means.open(place) if means.words.can(place, Affordance.OPEN) else None
                    means.set_thought(f"{thing} is in the {place}, so I take it out.")
                    means.add(Step(Verb.TAKE_OUT, thing, place))
        opens = goal.kind is GoalKind.CLEAR and means.words.can(place, Affordance.OPEN)
        blocks = [] if opens else belief.blocks  # opening it moves away what blocks it
        for thing, where in (*belief.on, *blocks, *belief.front):
            if owner(where) == place:
                means.move_away(thing, place)
        if not means.steps:
            means.set_thought(f"I do not know yet what has to go, so I look at the {place}.")
            self._look(place, within=goal.kind is GoalKind.CLEAR)

    def _carry(self, goal: RuleGoal) -> None:
        means, belief, thing = self.means, self.means.belief, goal.thing
        if isinstance(thing, Likeness):
            found = alike(thing, belief)
            if found is None:
                self._check(thing)
                self._ready(goal, "")
                means.add(Step(_PUTS.get(goal.kind, Verb.PUT_ON), thing, goal.place))
                return
            thing = found
        line = means.words.scene.owner(thing)
        hidden = line is None or not (line.visible or belief.seen.get(thing, False))
        placed = any(what == thing for what, _ in (*belief.inside, *belief.on))
        if line is None and goal.kind is GoalKind.REMOVE and goal.place:
            self._look(goal.place, within=True)
            return
        if hidden and not placed and (goal.kind is not GoalKind.REMOVE or not goal.place):
            self._search(thing)
            return
        means.reach(thing)
        if goal.kind in _PUTS:
            self._put(goal, thing)
        elif goal.kind is GoalKind.PICK:
            means.set_thought(f"I pick up the {thing}.")
            means.add(Step(Verb.PICK, thing))
        else:
            self._remove(goal, thing, hidden=hidden)

    def _check(self, thing: Likeness) -> None:
        """Look at every unknown fact that decides which object is meant."""
        means = self.means
        means.set_thought(f"I must know the {thing.attribute} of the {thing.like} before I choose.")
        kin = (o.name for o in means.words.scene.objects if o.kind.lower() == thing.kind)
        for name in (thing.like, *kin):
            if not means.belief.attribute(name, thing.attribute):
                means.add(Step(Verb.CHECK, name, attribute=thing.attribute))

    def _ready(self, goal: RuleGoal, thing: str) -> None:
        """Make the place of a goal ready to take `thing`."""
        if goal.kind is GoalKind.PUT_IN and self.means.words.can(goal.place, Affordance.OPEN):
            self.means.open(goal.place, f"The {goal.place} must be open before I reach into it.")
        else:
            self.means.clear(goal.place, keep=thing)
        self.means.unblock(goal.place)

    def _put(self, goal: RuleGoal, thing: str) -> None:
        self._ready(goal, thing)
        step = Step(_PUTS[goal.kind], thing, goal.place)
        if self.means.belief.unexplained[str(step)] == 1 and not self.means.steps:
            self.means.set_thought(
                f"The {thing} did not stay, so I look at the {goal.place} again."
            )
            self.means.add(Step(Verb.LOOK_AT, goal.place))
        self.means.set_thought(f"I bring the {thing} to the {goal.place}.")
        self.means.add(step)

    def _remove(self, goal: RuleGoal, thing: str, *, hidden: bool) -> None:
        means, belief = self.means, self.means.belief
        facts = (*belief.inside, *belief.on, *belief.blocks, *belief.front)
        place = goal.place or next((where for what, where in facts if what == thing), "")
        if not place:
            means.set_thought(f"I pick up the {thing}.")
            means.add(Step(Verb.PICK, thing))
            return
        # An object in sight cannot be inside a place that is not known to be open.
        within = means.words.can(place, Affordance.PUT_IN) and goal.kind is GoalKind.REMOVE
        within = within and (
            hidden or place in belief.open or not means.words.can(place, Affordance.OPEN)
        )
        if within and means.words.can(place, Affordance.OPEN):
            means.open(place, f"The {place} must be open before I reach into it.")
        means.set_thought(f"I take the {thing} from the {place}.")
        means.add(Step(Verb.TAKE_OUT if within else Verb.MOVE_AWAY, thing, place))
