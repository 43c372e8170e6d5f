"""Questions about actions in the household: whether one can be done now, and whether it was done.

It can be done if all its preconditions are true, and it was done if all its effects are true, by
the oracle. One visible false fact is enough for a no; for a yes all facts must be visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal
from regrasp.domains.action_phrases import ACTION_PHRASES, LIQUID, ActionQuestion
from regrasp.domains.rules import Rules
from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, Need
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["ActionQuestions", "LabelledFact"]

_FEW = 4  # possible objects of the action
_GROUPS, _TRIES = (7, 4), 6  # questions per state: actions with few possible objects, and the rest
_ALL_ALIKE = ("find", "cut")  # actions that can be asked about for a halved egg


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """A fact of the state: whether it is true, whether that is clear, and what shows it."""

    positive: bool
    clear: bool
    need: Need


@dataclass(frozen=True, slots=True)
class _AskedAction:
    about: ActionQuestion
    action: Action


class ActionQuestions:
    """Asks about actions with the objects of a room."""

    def __init__(
        self,
        room: VisionRoom,
        world: HouseholdWorld,
        rules: Rules,
        know: Callable[[Fact], LabelledFact],
    ) -> None:
        self._house, self._rules, self._know = world, rules, know
        kinds = {name: room.kind(name) for name in room.spoken} | {LIQUID: LIQUID}
        every = [group for name in ACTION_PHRASES for group in self._every(name, kinds)]
        self._few = [group for group in every if 0 < len(group) <= _FEW]
        self._many = [group for group in every if len(group) > _FEW]
        self._literals: dict[_AskedAction, tuple[Literal, ...]] = {}

    def _every(self, name: str, kinds: dict[str, str]) -> Iterator[list[_AskedAction]]:
        """All possible objects of an action, for each question about it."""
        bindings = self._rules.bindings(self._rules.domain.action(name).parameters)
        done_to = [things for one in bindings if kinds.keys() >= {*(things := (*one.values(),))}]
        for about in ActionQuestion:
            has = {
                asked: KNOWN.has(f"{about} {name}", *asked)
                for asked in {tuple(kinds[thing] for thing in things[:2]) for things in done_to}
            }
            yield [
                _AskedAction(about, Action(name, things))
                for things in done_to
                if has[tuple(kinds[thing] for thing in things[:2])]
            ]

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """A few questions about the state, visible or held objects first; see `SceneSampler`."""
        near = {*seen, self._house.held}
        some = [
            groups[i]
            for groups, count in zip((self._few, self._many), _GROUPS, strict=True)
            for i in rng.permutation(len(groups))[:count]
        ]
        for group in some:
            far = [3 * rng.random() - sum(x in near for x in d.action.args) for d in group]
            told: dict[str, Candidate] = {}
            for deed in (group[i] for i in np.argsort(far)[:_TRIES]):
                one = self._labelled(deed, seen)
                if one is not None:
                    told.setdefault(_visible_answer(one, seen), one)
            yield from told.values()

    def _labelled(self, deed: _AskedAction, seen: set[str]) -> Candidate | None:
        """The question, or None if its answer is not clear."""
        if self._odd(deed):
            return None
        literals = self._expected(deed)
        sought = [one.fact for one in literals if one.fact.predicate == "inview"]
        known = {one: self._of(one.fact, deed.action) for one in literals if one.fact not in sought}
        known = {o: k for o, k in known.items() if k.need and not self._shut_away(o, k, deed, seen)}
        wrong = {one: k for one, k in known.items() if k.clear and k.positive is not one.positive}
        unclear = not all(k.clear for k in (*known.values(), *map(self._know, sought)))
        if (unclear and not wrong) or {one.fact.predicate for one in wrong} == {"handempty"}:
            return None  # a robot that holds another object may still have put this down
        needs: list[Need] = [(fact.args[0],) for fact in sought]
        if wrong:
            needs.append(tuple(name for k in wrong.values() for name in k.need))
        else:
            needs += [k.need for k in known.values()]
        topic, (a, b) = Topic(deed.about), (*deed.action.args, "")[:2]
        answer, once = "no" if wrong else "yes", tuple(dict.fromkeys(needs))
        return Candidate(topic, a, b, answer, once, bool(sought), deed.action.name)

    def _expected(self, deed: _AskedAction) -> tuple[Literal, ...]:
        """The preconditions of an action, or its effects."""
        if deed not in self._literals:
            done = deed.about is ActionQuestion.SUCCESS
            ask = self._rules.effects if done else self._rules.preconditions
            self._literals[deed] = ask(deed.action, frozenset())
        return self._literals[deed]

    def _of(self, fact: Fact, action: Action) -> LabelledFact:
        """A fact as an action uses it: a vessel stands for the water in it when that is cooked."""
        if fact == Fact("cooked", (LIQUID,)):
            vessel, c = action.args[1], self._house.conditions
            hot = bool(c.get("level", vessel) and c.get("hot", vessel))
            return LabelledFact(hot, True, (f"{vessel}_water part",))
        return self._know(fact)

    def _odd(self, deed: _AskedAction) -> bool:
        """Whether the domain's answer differs from a person's.

        Examples: a person would not pick up a halved egg as an egg, or carry a full basket.
        """
        house, name = self._house, deed.action.name
        things = [thing for thing in deed.action.args if thing in house.movable]
        done = deed.about is ActionQuestion.SUCCESS
        if not all(map(house.there, things)) and not (done and name in _ALL_ALIKE):
            return True
        full = name == "grasp_from_on" and things[0] in house.scene.insides
        return full and not done and bool(house.contents(things[0]))

    def _shut_away(
        self, one: Literal, known: LabelledFact, deed: _AskedAction, seen: set[str]
    ) -> bool:
        """Whether the fact is about objects that a closed appliance hides; these are excluded."""
        appliance = deed.action.args[0]
        if not deed.action.name.startswith("turnon") or one.fact.args[0] == appliance:
            return False
        return self._house.shut(appliance) and not any(name in seen for name in known.need)


def _visible_answer(one: Candidate, seen: set[str]) -> str:
    """The answer for a view of the objects `seen`."""
    shown = [any(name in seen for name in need) for need in one.needs]
    if one.sought and not shown[0]:
        return "not in sight"
    return one.answer if all(shown) else "unknown"
