"""From goals and belief to steps: each goal is worked backwards through what stands in its way.

To put a thing into a place, open it; to open it, move what blocks it and undo its lock; to move
what blocks it, move first what lies on that. What is not in sight is looked for in the places that
open, one at a time, and never twice in the same one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from regrasp.models.scripted_rules.belief import Belief
from regrasp.models.scripted_rules.claims import ACTUATES
from regrasp.models.scripted_rules.goals import Goal, Instruction, Wants, use_of
from regrasp.models.scripted_rules.words import Lexicon
from regrasp.prompts.plan import LONGEST_PLAN
from regrasp.prompts.scene import Can
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["Planner", "alike"]

_PUTS = {Wants.PUT_IN: Verb.PUT_IN, Wants.PUT_ON: Verb.PUT_ON, Wants.PUT_BY: Verb.PUT_BY}


def alike(likeness: Likeness, words: Lexicon, belief: Belief) -> str | None:
    """The one thing that has the likeness, as far as is known; None if none or several may."""
    wanted = belief.attribute(likeness.like, likeness.attribute)
    found = [
        o.name
        for o in words.scene.objects
        if o.kind.lower() == likeness.kind
        and o.name != likeness.like
        and wanted
        and belief.attribute(o.name, likeness.attribute) == wanted
    ]
    return found[0] if len(found) == 1 else None


@dataclass(slots=True)
class Planner:
    """Makes one plan; `steps` and `thought` grow as goals are worked through."""

    words: Lexicon
    belief: Belief
    instruction: Instruction
    steps: list[Step] = field(default_factory=list)
    thought: str = ""
    stuck: str = ""

    def plan(self) -> tuple[Step, ...]:
        """The steps of all goals that do not hold yet; empty where `stuck` says why."""
        goals = self.instruction.goals
        open_goals = [goal for goal in goals if not self._holds(goal)] or list(goals[-1:])
        for goal in open_goals:
            if len(goals) > 1 and self._searching():
                break  # what comes after depends on what the search finds
            self._reach(goal)
        return tuple(self.steps[:LONGEST_PLAN])

    def _holds(self, goal: Goal) -> bool:
        """Whether an earlier part of the instruction was done already."""
        if len(self.instruction.goals) == 1:
            return False
        name = str(goal.thing)
        match goal.wants:
            case Wants.OPEN:
                return goal.place in self.belief.open
            case Wants.USE:
                return name in self.belief.used
            case Wants.FIND:
                return self.belief.seen.get(name, False)
            case Wants.PUT_IN | Wants.PUT_ON | Wants.PUT_BY if not isinstance(goal.thing, Likeness):
                return str(Step(_PUTS[goal.wants], name, goal.place)) in self.belief.done
            case Wants.REMOVE | Wants.AWAY:
                moved = (Verb.TAKE_OUT, Verb.MOVE_AWAY)
                return any(str(Step(v, name, goal.place)) in self.belief.done for v in moved)
        return False

    def _searching(self) -> bool:
        return any(step.verb in (Verb.LOOK_IN, Verb.LOOK_AT) for step in self.steps)

    def _say(self, thought: str) -> None:
        self.thought = self.thought or thought

    def _add(self, step: Step) -> None:
        if step not in self.steps:
            self.steps.append(step)

    def _reach(self, goal: Goal) -> None:
        name = str(goal.thing)
        match goal.wants:
            case Wants.FIND:
                self._search(name)
            case Wants.OPEN:
                self._open(goal.place)
            case Wants.CLOSE:
                self._unblock(goal.place)
                self._say(f"I close the {goal.place}.")
                self._add(Step(Verb.CLOSE, goal.place))
            case Wants.UNLOCK:
                if not self._unlock(goal.place):
                    self.stuck = self.stuck or f"nothing here unlocks {goal.place}"
            case Wants.USE:
                step = use_of(name, self.words)
                self._unblock(name)
                self._say(f"I work the {name}.")
                if step is not None:
                    self._add(step)
            case Wants.LOOK:
                self._look(goal.place)
            case Wants.CLEAR | Wants.ROOM:
                self._clear(goal)
            case _:
                self._carry(goal)

    def _open(self, place: str, why: str = "") -> None:
        if place in self.belief.open:
            return
        thing = self.words.scene.owner(place)
        if thing is None or Can.OPEN not in thing.can:
            self.stuck = self.stuck or f"{place} does not open"
            return
        self._unblock(place)
        told = any(where in ("", place) for _, where in self.instruction.recipes)
        tried = self.belief.unexplained[str(Step(Verb.OPEN, place))]
        if told or place in self.belief.locked or tried:
            self._unlock(place)
        self._say(why or f"I open the {place}.")
        self._add(Step(Verb.OPEN, place))
        self.belief.open.add(place)

    def _unlock(self, place: str) -> bool:
        """Add what may unlock `place`: as told, as seen, else a lever or button not yet tried."""
        for step, where in self.instruction.recipes:
            if where in ("", place):
                if (
                    str(step) in self.belief.done
                    and (str(step.object), step.other) in self.belief.on
                ):
                    return True  # it lies there already
                self._say(f"The {place} is locked, so I undo its lock first.")
                self._access(str(step.object))
                self._free(step.other)
                self._add(step)
                return True
        own = {place}
        named = [lever for lever, where in self.belief.unlocks if where == place]
        levers = named or [n for n in self.words.scene.that_can(*ACTUATES) if n not in own]
        fresh = [lever for lever in levers if lever not in self.belief.used]
        use = use_of(fresh[0], self.words) if fresh else None
        if use is None:
            return False
        self._say(f"The {place} may be locked, so I use the {fresh[0]} first.")
        self._unblock(fresh[0])
        self._add(use)
        self.belief.used.append(fresh[0])
        return True

    def _unblock(self, place: str) -> None:
        """Move away whatever blocks `place` or a part of it."""
        for thing, part in list(self.belief.blocks):
            if self.words.owner(part) == self.words.owner(place):
                self._move_away(thing, part)

    def _move_away(self, thing: str, part: str, depth: int = 0) -> None:
        line = self.words.scene.owner(thing)
        if line is None or depth > 3 or self.words.owner(part) == line.name:
            return
        for above, below in list(self.belief.on):
            if below == thing:
                self._move_away(above, thing, depth + 1)
        self.belief.forget(thing)
        if Can.PICK in line.can:
            self._say(f"{thing} is in the way, so I move it first.")
            self._add(Step(Verb.MOVE_AWAY, thing, part))
        elif Can.OPEN in line.can:
            self._say(f"{thing} is in the way, so I close it first.")
            self._add(Step(Verb.CLOSE, thing))

    def _free(self, place: str, but: str = "") -> None:
        """Move away what lies on `place`, except `but`."""
        for thing, where in list(self.belief.on):
            if self.words.owner(where) == self.words.owner(place) and thing != but:
                self._move_away(thing, place)

    def _access(self, thing: str) -> None:
        """Make `thing` reachable: open what it is in, take off what lies on it or blocks it."""
        for what, where in list(self.belief.inside):
            line = self.words.scene.owner(where)
            if what == thing and line is not None and Can.OPEN in line.can:
                self._open(line.name)
        self._unblock(thing)
        self._free(thing)

    def _search(self, name: str) -> None:
        line = self.words.scene.owner(name)
        if line is not None and line.seen and self.belief.seen.get(name, True):
            self._say(f"The {name} should be in sight.")
            self._add(Step(Verb.LOOK_FOR, name))
            return
        known = [where for what, where in self.belief.inside if what == name]
        places = [n for n in self.words.scene.that_can(Can.OPEN) if n != name]
        left = [p for p in (*known, *places) if p not in self.belief.searched]
        hopeful = [p for p in left if not self._hopeless(p)] or left
        if not hopeful:
            why = "every place that opens was searched" if places else "no place here opens"
            self.stuck = self.stuck or f"{name} is not in sight, and {why}"
            return
        place = hopeful[0]
        why = f"{name} may be inside the {place}."
        self._open(place, why)
        self._say(why)
        self._add(Step(Verb.LOOK_IN, place))

    def _hopeless(self, place: str) -> bool:
        """Whether `place` would not open twice, for no cause, with nothing left to try."""
        tried = self.belief.unexplained[str(Step(Verb.OPEN, place))]
        blocked = any(self.words.owner(part) == place for _, part in self.belief.blocks)
        levers = set(self.words.scene.that_can(*ACTUATES)) - set(self.belief.used)
        return tried >= 2 and not blocked and not levers

    def _look(self, place: str) -> None:
        line = self.words.scene.owner(place)
        if line is not None and Can.OPEN in line.can:
            self._open(place)
            self._say(f"I look inside the {place}.")
            self._add(Step(Verb.LOOK_IN, place))
        else:
            self._say(f"I look at the {place}.")
            self._add(Step(Verb.LOOK_AT, place))

    def _clear(self, goal: Goal) -> None:
        """Move away what is known to be on, in or before a place; if nothing is, look first."""
        place = goal.place
        line = self.words.scene.owner(place)
        contained = [t for t, where in self.belief.inside if self.words.owner(where) == place]
        facts = self.belief.on + self.belief.blocks + self.belief.front
        around = [t for t, where in facts if self.words.owner(where) == place]
        for thing in dict.fromkeys(contained if goal.wants is Wants.CLEAR else []):
            self._open(place) if line is not None and Can.OPEN in line.can else None
            self._say(f"{thing} is in the {place}, so I take it out.")
            self._add(Step(Verb.TAKE_OUT, thing, place))
        for thing in dict.fromkeys(around):
            self._move_away(thing, place)
        if not self.steps:
            self._look_for_clutter(goal)

    def _look_for_clutter(self, goal: Goal) -> None:
        line = self.words.scene.owner(goal.place)
        self._say(f"I do not know yet what has to go, so I look at the {goal.place}.")
        if goal.wants is Wants.CLEAR and line is not None and Can.OPEN in line.can:
            self._open(goal.place)
            self._add(Step(Verb.LOOK_IN, goal.place))
        else:
            self._add(Step(Verb.LOOK_AT, goal.place))

    def _carry(self, goal: Goal) -> None:
        thing = goal.thing
        if isinstance(thing, Likeness):
            thing = alike(thing, self.words, self.belief) or thing
        if isinstance(thing, Likeness):
            self._check(thing)
            self._ready(goal, "")
            self._add(Step(_PUTS[goal.wants], thing, goal.place))
            return
        line = self.words.scene.owner(thing)
        hidden = line is None or (not line.seen and not self.belief.seen.get(thing, False))
        if hidden and goal.wants is not Wants.REMOVE and not self._known(thing):
            self._search(thing)
            return
        self._access(thing)
        if goal.wants in _PUTS:
            self._ready(goal, thing)
            step = Step(_PUTS[goal.wants], thing, goal.place)
            if self.belief.unexplained[str(step)] == 1 and not self.steps:
                self._say(f"The {thing} did not stay; I look at the {goal.place} again.")
                self._add(Step(Verb.LOOK_AT, goal.place))
            self._say(f"I bring the {thing} to the {goal.place}.")
            self._add(step)
        elif goal.wants is Wants.PICK:
            self._say(f"I pick up the {thing}.")
            self._add(Step(Verb.PICK, thing))
        else:
            self._remove(goal, thing, hidden)

    def _known(self, thing: str) -> bool:
        return any(what == thing for what, _ in (*self.belief.inside, *self.belief.on))

    def _ready(self, goal: Goal, thing: str) -> None:
        """Make the place of a goal ready to take `thing`."""
        line = self.words.scene.owner(goal.place)
        if goal.wants is Wants.PUT_IN and line is not None and Can.OPEN in line.can:
            self._open(goal.place, f"The {goal.place} must be open before I reach into it.")
        else:
            self._free(goal.place, but=thing)
        self._unblock(goal.place)

    def _remove(self, goal: Goal, thing: str, hidden: bool) -> None:
        facts = (*self.belief.inside, *self.belief.on, *self.belief.blocks, *self.belief.front)
        place = goal.place or next((where for what, where in facts if what == thing), "")
        if not place:
            if hidden:
                self._search(thing)
            else:
                self._say(f"I pick up the {thing}.")
                self._add(Step(Verb.PICK, thing))
            return
        line = self.words.scene.owner(place)
        within = line is not None and Can.PUT_IN in line.can and goal.wants is Wants.REMOVE
        if within and line is not None and Can.OPEN in line.can:
            self._open(line.name, f"The {line.name} must be open before I reach into it.")
        self._say(f"I take the {thing} from the {place}.")
        self._add(Step(Verb.TAKE_OUT if within else Verb.MOVE_AWAY, thing, place))

    def _check(self, thing: Likeness) -> None:
        """Look at whatever decides which thing is meant and is not known yet."""
        self._say(f"I must know the {thing.attribute} of the {thing.like} before I choose.")
        kin = (o.name for o in self.words.scene.objects if o.kind.lower() == thing.kind)
        for name in (thing.like, *kin):
            if not self.belief.attribute(name, thing.attribute):
                self._add(Step(Verb.CHECK, name, attribute=thing.attribute))
