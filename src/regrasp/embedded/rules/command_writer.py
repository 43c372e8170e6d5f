"""Writes the commands of steps one after the other, with what feedback taught (`learned_rules`).

Two habits are all it knows of handling: an object that a command lets go of, or pours from, is
taken first, and what was taken for pouring is put back. It follows its own commands on the list of
known sentences, so that it takes nothing twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.embedded.rules.learned_rules import LearnedRule, lets_go, read_call, takes_up
from regrasp.embedded.rules.put_places import PutPlaces
from regrasp.embedded.rules.sentences import after, fill, is_true, match, opposite
from regrasp.prompts.command_line import CommandLine
from regrasp.prompts.skills import VARIABLES

__all__ = ["CommandWriter"]

_POUR = re.compile(r"Pour ([\d.]+) ml of \w+ from (\w+) into (\w+)")
_SENTENCE = re.compile(r"Make sure that (.+)")
_CONTENT = re.compile(r"there is some (\w+) in (\w+)")
_HELD = " held by "
_DEEPEST = 6
"""How many commands may be written for the sake of another before one gives up."""


@dataclass(slots=True)
class CommandWriter:
    """Writes commands one after the other; `state` are the sentences that are true after them.

    `wanted` are the names in the steps: nothing is put there for another reason. `taken_from` says
    where an object stood before it was taken. `tried` are objects and places to which they were
    brought. `doing` are the commands that are being prepared, and `clearing` the objects that are
    being set aside: none of them is prepared by itself. `cleared` are those that were set aside.
    """

    commands: dict[str, CommandLine]
    objects: dict[str, str]
    state: frozenset[str]
    learned: tuple[LearnedRule, ...] = ()
    wanted: frozenset[str] = frozenset()
    taken_from: dict[str, str] = field(default_factory=dict)
    written: list[Action] = field(default_factory=list)
    tried: frozenset[tuple[str, str]] = frozenset()
    doing: list[Action] = field(default_factory=list)
    clearing: list[str] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)

    def clear(self, names: Iterable[str]) -> None:
        """Set objects aside before anything else."""
        for name in names:
            self._set_aside(name, Action("", ("",)))

    def is_done(self, step: str) -> bool:
        """Whether a step that names a sentence is done after what was written."""
        found = _SENTENCE.fullmatch(step)
        return found is None or is_true(found[1], self.state)

    def step(self, step: str) -> bool:
        """Write the commands of a step; whether there is a command for it."""
        if found := _POUR.fullmatch(step):
            return self._pour(found[2], found[3], found[1])
        if found := _SENTENCE.fullmatch(step):
            return self.achieve(found[1])
        action = read_call(step, self.commands, self.objects)
        return action is not None and self._do(action)

    def achieve(self, sentence: str, depth: int = 0) -> bool:
        """Write a command that makes the sentence true, unless it is; False if there is none."""
        if is_true(sentence, self.state):
            return True
        if (wanted := _CONTENT.fullmatch(sentence)) and depth == 0:
            stored = (_CONTENT.fullmatch(one) for one in sorted(self.state))
            sources = [one[2] for one in stored if one and one[1] == wanted[1]]
            return bool(sources) and self._pour(sources[0], wanted[2])
        return any(self._do(action, depth) for action in self._achievers(sentence))

    def _pour(self, source: str, target: str, *amount: str) -> bool:
        pouring = next((one for one in self.commands.values() if one.unit == "ml"), None)
        if pouring is None:
            return False
        stood = self._place(source) or self.taken_from.get(source, "")
        done = self._do(Action(pouring.name, (source, target, *amount)))
        if done and stood and stood.split()[-1] in self.refused_places(source):
            return self.put_down(source)
        return done and (not stood or self.achieve(stood))

    def _place(self, name: str) -> str:
        """The sentence that says where an object is; "" if none does, or if it is held."""
        about = [s for s in sorted(self.state) if s.startswith(f"{name} is ") and _HELD not in s]
        return next((s for s in about if s.split()[-1] in self.objects), "")

    def _do(self, action: Action, depth: int = 0) -> bool:
        """Write an action after what it is known to need; False if that goes too deep."""
        line = self.commands[action.name]
        if depth > _DEEPEST:
            return False
        first = action.args[0] if line.takes else ""
        released = lets_go(line)
        learned = [one for one in self.learned if one.is_for(action)]
        self.doing.append(action)
        for rule in (one for one in learned if not one.handles_first):
            self._apply(rule, action, depth + 1)
        ready = not released or self._take(first, depth + 1)
        for rule in (one for one in learned if one.handles_first):
            self._apply(rule, action, depth + 1)
        ready = ready and (not released or self._take(first, depth + 1))
        chosen = self._choose_hand(action, line, learned, depth + 1) if ready else None
        self.doing.pop()
        if chosen is not None:
            self._write(chosen)
        return chosen is not None

    def _apply(self, rule: LearnedRule, action: Action, depth: int) -> None:
        """Do what a rule says, as far as it changes anything."""
        binding = dict(zip(VARIABLES, action.args, strict=False))
        for group in rule.needs:
            sentences = [fill(one, binding) for one in group]
            if not any(is_true(one, self.state) for one in sentences):
                any(self.achieve(one, depth) for one in sentences)
        for call in rule.calls:
            bound = Action(call.name, tuple(binding.get(one, one) for one in call.args))
            fits = self._fit(self.commands[call.name], self._given(bound))
            if fits and bound != action and self._changes(bound):
                self._do(bound, depth)
        for name in rule.set_aside:
            if not any(name == one.args[0] for one in self.written if one.args):
                self._set_aside(name, action, self.tried)
        for pattern in rule.clear:
            sentence = fill(pattern, binding)
            on_it = [s for s in sorted(self.state) if match(sentence, s) is not None]
            for one in on_it if self._portable(sentence.split()[-1]) else ():
                self._set_aside(one.split()[0], action)
        held = f"{action.args[0]} is{_HELD}the {rule.other_than}" if action.args else ""
        if rule.other_than and held in self.state:
            self._change_hands(action, rule.other_than, depth)

    def _choose_hand(
        self, action: Action, line: CommandLine, learned: list[LearnedRule], depth: int
    ) -> Action | None:
        """The action, with a free hand that did not fail at it; None if every hand did."""
        failed = {one.other_than for one in learned if one.other_than}
        if not failed or not takes_up(line) or len(action.args) != len(line.takes) - 1:
            return action
        hands = [o for o, kind in self.objects.items() if kind in line.takes[-1]]
        free = [fill(one, {"Z": hand}) for one in line.ends for hand in hands if "X" not in one]
        for hand in (one for one in hands if one not in failed):
            needed = [one for one in free if hand in one.split()]
            if all(is_true(one, self.state) or self.achieve(one, depth) for one in needed):
                return Action(action.name, (*action.args, hand))
        return None

    def _change_hands(self, action: Action, hand: str, depth: int) -> None:
        """Put an object down and take it up with another hand, unless that failed too."""
        name = action.args[0]
        failed = {one.other_than for one in self.learned if one.is_for(action)}
        kind = self.objects[hand]
        others = [o for o, other in self.objects.items() if other == kind and o not in failed]
        put_down = next(self._achievers(f"{name} is not{_HELD}the {hand}"), None)
        if put_down is None or not others:
            return
        self._do(put_down, depth)
        taking = next((line for line in self.commands.values() if takes_up(line)), None)
        again = self._complete(taking, {"X": name}) if taking is not None else None
        if again is not None:
            self._do(Action(again.name, (*again.args, others[0])), depth)

    def _set_aside(
        self, name: str, action: Action, tried: frozenset[tuple[str, str]] = frozenset()
    ) -> None:
        """Move an object to another place: best to one that cannot be taken and is not in use."""
        if name in self.clearing or name == action.args[0]:
            return
        before = {place for moved, place in tried if moved == name}
        places = self._put_places(name, before).set_aside(self.objects, action.args)
        patterns = [
            one
            for line in self.commands.values()
            for one in line.makes
            if _HELD not in one and {"X", "Y"} <= set(one.split())
        ]
        self.clearing.append(name)
        sentences = (fill(one, {"X": name, "Y": place}) for place in places for one in patterns)
        if any(self._make_anew(one) for one in sentences):  # the first that can be made true
            self.cleared.append(name)
        self.clearing.pop()

    def _make_anew(self, sentence: str) -> bool:
        """Make a sentence about a place true; if it is, take the object and put it there again."""
        ready = not is_true(sentence, self.state) or self._take(sentence.partition(" ")[0], 0)
        return ready and self.achieve(sentence)

    def put_down(self, name: str) -> bool:
        """Put an object in a hand where it came from, or where it can be put."""
        putting = [o for o in self.commands.values() if lets_go(o) and not o.unit]
        for line in (one for one in putting if len(one.takes) > 1):
            fitting = [o for o, kind in self.objects.items() if kind in line.takes[1] and o != name]
            places = self._put_places(name).put_down(fitting)
            return any(self._do(Action(line.name, (name, place))) for place in places[:1])
        return False

    def refused_places(self, name: str) -> frozenset[str]:
        """The places where the robot could not put an object."""
        return frozenset(one.avoid for one in self.learned if one.avoid and name in one.objects)

    def _put_places(self, name: str, tried: Iterable[str] = ()) -> PutPlaces:
        origin = self._place(name) or self.taken_from.get(name, "")
        refused = self.refused_places(name).union(tried)
        avoid = {one.avoid for one in self.learned}
        known = self.state, self.objects
        return PutPlaces(*known, origin, refused, avoid, self.wanted, self._portable)

    def _portable(self, name: str) -> bool:
        """Whether some command takes the object into the hand."""
        kind = self.objects.get(name)
        return any(takes_up(line) and kind in line.takes[0] for line in self.commands.values())

    def _take(self, name: str, depth: int) -> bool:
        """Take an object into the hand, unless it is held; True if no command takes anything."""
        if any(s.startswith(f"{name} is{_HELD}") for s in self.state):
            return True
        held = [line for line in self.commands.values() if takes_up(line)]
        actions = [one for line in held if (one := self._complete(line, {"X": name}))]
        fitting = [one for one in actions if self._changes(one, only_ends=True)]
        return any(self._do(one, depth) for one in (fitting or actions)[:1]) or not held

    def _achievers(self, sentence: str) -> Iterator[Action]:
        """Actions that make a sentence true, in the order of the list of commands.

        Unless something shall be held, those come first that take nothing into the hand.
        """
        negative = " not " in sentence
        positive = opposite(sentence) if negative else sentence
        lines = self.commands.values()
        for line in sorted(lines, key=lambda one: _HELD not in sentence and takes_up(one)):
            for pattern in line.ends if negative else line.makes:
                binding = match(pattern, positive)
                action = self._complete(line, binding) if binding is not None else None
                if action is not None and action not in self.doing:
                    yield action

    def _complete(self, line: CommandLine, binding: dict[str, str]) -> Action | None:
        """The command with its open arguments filled; None where an object does not fit.

        An open argument is what stands in a known sentence that the command ends; else the first
        object of a fitting kind. Optional ones are left out.
        """
        needed = VARIABLES[: len(line.takes) - line.optional]
        found = {key: name for key, name in binding.items() if key in VARIABLES}
        for pattern in line.ends:
            if set(pattern.split()) & set(needed) - set(found):
                known = sorted(self.state, key=lambda s: (not self.wanted.isdisjoint(s.split()), s))
                fits = (match(pattern, one, found) for one in known)
                found = next((one for one in fits if one and self._fit(line, one)), found)
        for key, kinds in zip(needed, line.takes, strict=False):
            if key not in found:
                fit = [o for o, kind in self.objects.items() if kind in kinds]
                free = sorted(fit, key=lambda one: one in self.wanted)
                if key == "Y" and lets_go(line):
                    free = self._put_places(found["X"]).put_down(fit)
                found[key] = next((o for o in free if o not in found.values()), "")
        if not self._fit(line, found):
            return None
        return Action(line.name, tuple(found[key] for key in needed))

    def _fit(self, line: CommandLine, found: dict[str, str]) -> bool:
        return all(
            self.objects.get(found[key]) in kinds
            for key, kinds in zip(VARIABLES, line.takes, strict=False)
            if key in found
        )

    def _changes(self, action: Action, only_ends: bool = False) -> bool:
        """Whether an action would change what is known."""
        line = self.commands[action.name]
        made = () if only_ends else line.makes
        return after(self.state, made, line.ends, self._binding(line, action)) != self.state

    def _binding(self, line: CommandLine, action: Action) -> dict[str, str]:
        """The arguments of an action; one that is left out is the first that a known end fits."""
        found = self._given(action)
        for pattern in line.ends:
            if set(pattern.split()) & set(VARIABLES) - set(found):
                fits = (match(pattern, one, found) for one in sorted(self.state))
                found = next((one for one in fits if one and self._fit(line, one)), found)
        return found

    def _given(self, action: Action) -> dict[str, str]:
        """The objects that an action names, by variable."""
        names = [one for one in action.args if one in self.objects]
        return dict(zip(VARIABLES, names, strict=False))

    def _write(self, action: Action) -> None:
        line = self.commands[action.name]
        self.state = after(self.state, line.makes, line.ends, self._binding(line, action))
        self.written.append(action)
