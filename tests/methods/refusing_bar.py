"""A bar without physics whose robot refuses, changes hands and drops things, as the seed draws.

What is drawn stays as it is: the same command fails again until what the report says is changed.

| what | how often | until |
|---|---|---|
| a hand does not get a thing, or bring it to a place | `reach` | another hand, another place |
| a thing stands in the way of getting or putting one | `way` | that thing has been moved |
| a thing that a hand cannot put somewhere changes hands first | where the other one is free | |
| the put fails after that; the thing stays in the other hand | `reach` | |
| a thing slips out of a hand and lies on the table | `slips`, each command | |
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from symbolic_bar import SymbolicBar

from regrasp.core.action import Action
from regrasp.core.fact import Fact
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.domains.two_hands import HANDS


@dataclass
class Refusals:
    """`Breaks` of a `SymbolicBar`; `always` are commands with their hand that never reach."""

    seed: int
    reach: float = 0.0
    way: float = 0.0
    slips: float = 0.0
    always: frozenset[tuple[str, ...]] = frozenset()
    rng: np.random.Generator = field(init=False)
    told: list[Feedback] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def __call__(self, bar: SymbolicBar, action: Action) -> Feedback | None:
        found = self._refused(bar, action) if bar.checker.check(action, bar.truth) is None else None
        self.told += [found] if found is not None else []
        return found

    def _refused(self, bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name == "get":
            thing, place, *named = action.args
            free = [h for h in named or HANDS if Fact.of("free", h) in bar.truth]
            can = [hand for hand in free if self._reaches("get", thing, place, hand)]
            if not can:
                return _short(action, free[0])
            if blocked := self._in_the_way(bar, action, can[0]):
                return blocked
            bar.prefers = can[0]
        if action.name == "put":
            thing, place = action.args
            hand = next(h for h in HANDS if Fact.of("holding", h, thing) in bar.truth)
            if not self._reaches("put", thing, place, hand):
                other = next(one for one in HANDS if one != hand)
                if Fact.of("free", other) not in bar.truth:
                    return _short(action, hand)
                bar.truth -= {Fact.of("holding", hand, thing), Fact.of("free", other)}
                bar.truth |= {Fact.of("holding", other, thing), Fact.of("free", hand)}
                if not self._reaches("put", thing, place, other):
                    return _short(action, other)
                hand = other
            if blocked := self._in_the_way(bar, action, hand):
                return blocked
        if action.name in ("put", "pour", "unscrew") and self.rng.random() < self.slips:
            return self._slipped(bar, action)
        return None

    def _drawn(self, *names: object) -> float:
        """A number from 0 to 1 that is always the same for the same names."""
        letters = list(" ".join(map(str, names)).encode())
        return float(np.random.default_rng([self.seed, *letters]).random())

    def _reaches(self, name: str, thing: str, place: str, hand: str) -> bool:
        if (name, thing, place, hand) in self.always:
            return False
        if place == "table" or self._drawn(name, thing, place) >= self.reach:
            return True  # a hand can always put something on the table in front of it
        fails = HANDS[self._drawn("hand", thing, place) < 0.5]
        return name == "get" and hand != fails  # one hand takes everything

    def _in_the_way(self, bar: SymbolicBar, action: Action, hand: str) -> Feedback | None:
        thing, place = action.args[:2]
        if self._drawn("way", action.name, thing, place) >= self.way:
            return None
        moved = {one.args[0] for one in bar.ran}
        standing = sorted(_at(bar, place) - {thing})
        if not standing:
            return None
        obstacle = standing[int(len(standing) * self._drawn("which", action.name, thing, place))]
        return None if obstacle in moved else _hit(action, hand, obstacle)

    def _slipped(self, bar: SymbolicBar, action: Action) -> Feedback:
        thing = action.args[0]
        hand = next(h for h in HANDS if Fact.of("holding", h, thing) in bar.truth)
        bar.truth -= {Fact.of("holding", hand, thing)}
        bar.truth |= {Fact.of("free", hand), Fact.of("on", thing, "table")}
        error = f"Could not {action.name} {thing}: the {hand} lost it."
        return Feedback(
            FeedbackLevel.PHYSICAL, FailureCode.DROPPED, error,
            "The fingers of the gripper closed on the way.", f"Get {thing} again.",
            (Evidence("hand", hand),),
        )  # fmt: skip


def _at(bar: SymbolicBar, place: str) -> set[str]:
    where = (one for one in bar.domain.init if one.predicate in ("on", "inside"))
    return {one.args[0] for one in where if one.args[1] == place}


def _short(action: Action, hand: str) -> Feedback:
    thing, place = action.args[:2]
    error = f"Could not {action.name} {thing} at {place}: the {hand} would stay 7 cm short."
    return Feedback(
        FeedbackLevel.PHYSICAL, FailureCode.OUT_OF_REACH, error,
        f"With the {hand} from above, the place is 7 cm beyond the reach of the arm.",
        f"Use another hand, or a place that is nearer to the {hand}.",
        (Evidence("out_of_reach", 0.07, "m"),),
    )  # fmt: skip


def _hit(action: Action, hand: str, obstacle: str) -> Feedback:
    thing = action.args[0]
    error = f"Could not {action.name} {thing}: {obstacle} is in the way."
    return Feedback(
        FeedbackLevel.PHYSICAL, FailureCode.COLLISION, error,
        f"With the {hand} from above, the palm would hit the {obstacle}.",
        f"Move the {obstacle} away first.", (Evidence("would_hit", obstacle),),
    )  # fmt: skip
