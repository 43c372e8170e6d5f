"""What is done to make a literal true, by predicate: the verbs of instructions and refusals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from regrasp.prompts.goal import GoalForm

__all__ = ["GoalVerb", "verb_of"]


@dataclass(frozen=True, slots=True)
class GoalVerb:
    """An imperative and its passive over `{a}` and `{b}`."""

    imperative: str
    passive: str


_TABLE = """
on ontop onfloor on_top_of placed_on | X is on Y
  put {a} on {b} | be put on {b}
  take {a} off {b} | be taken off {b}
inside in contained_in stored_in | X is inside Y
  put {a} into {b} | be put into {b}
  take {a} out of {b} | be taken out of {b}
under below beneath | X is under Y
  put {a} under {b} | be put under {b}
  take {a} away from under {b} | be taken away from under {b}
beside nextto next_to near | X is beside Y
  put {a} next to {b} | be put next to {b}
  move {a} away from {b} | be moved away from {b}
left_of | X is to the left of Y
  put {a} to the left of {b} | be put to the left of {b}
  move {a} away from the left of {b} | be moved away from the left of {b}
right_of | X is to the right of Y
  put {a} to the right of {b} | be put to the right of {b}
  move {a} away from the right of {b} | be moved away from the right of {b}
in_front_of | X is in front of Y
  put {a} in front of {b} | be put in front of {b}
  move {a} away from the front of {b} | be moved away from the front of {b}
behind | X is behind Y
  put {a} behind {b} | be put behind {b}
  move {a} away from behind {b} | be moved away from behind {b}
blocking | X is blocking Y
  block {b} with {a} | be put in the way of {b}
  move {a} out of the way of {b} | be moved out of the way of {b}
inroom in_room | X is in the room Y
  bring {a} to {b} | be brought to {b}
  take {a} out of {b} | be taken out of {b}
closed shut | X is closed
  close {a} | be closed
  open {a} | be opened
open opened | X is open
  open {a} | be opened
  close {a} | be closed
locked | X is locked
  lock {a} | be locked
  unlock {a} | be unlocked
unlocked | X is unlocked
  unlock {a} | be unlocked
  lock {a} | be locked
holding inhand in_hand held | the robot holds X | X is held by the robot
  pick up {a} | be picked up
  put down {a} | be put down
visible inview | X is in sight | X is in view | X can be seen
  find {a} | be found
  hide {a} | be hidden
turned_on turnedon toggled_on switched_on powered | X is turned on
  turn on {a} | be turned on
  turn off {a} | be turned off
turned_off turnedoff | X is turned off
  turn off {a} | be turned off
  turn on {a} | be turned on
plugged_in | X is plugged in
  plug in {a} | be plugged in
  unplug {a} | be unplugged
pressed | X is pressed | X has been pressed
  press {a} | be pressed
  release {a} | be released
pulled | X is pulled | X has been pulled
  pull {a} | be pulled
  release {a} | be released
filled full | X is filled | X is full
  fill {a} | be filled
  empty {a} | be emptied
empty emptied | X is empty
  empty {a} | be emptied
  fill {a} | be filled
hot heated | X is hot
  heat {a} | be heated
  cool {a} | be cooled
cold | X is cold
  cool {a} | be cooled
  warm {a} | be warmed
clean | X is clean
  clean {a} | be cleaned
  dirty {a} | be dirtied
stained dirty | X is stained
  stain {a} | be stained
  clean {a} | be cleaned
folded | X is folded
  fold {a} | be folded
  unfold {a} | be unfolded
frozen | X is frozen
  freeze {a} | be frozen
  thaw {a} | be thawed
at robot_at | the robot is at X
  go to {a} | be reached
  go away from {a} | be left
"""

_ONE_WAY = """
cooked | X is cooked
  cook {a} | be cooked
sliced | X is sliced
  slice {a} | be sliced
halved | X is halved
  halve {a} | be cut in half
soaked | X is soaked with water
  soak {a} | be soaked
"""
"""Nothing undoes these."""


def verb_of(predicate: str, positive: bool, forms: Iterable[GoalForm]) -> GoalVerb | None:
    """The verb that makes a fact true, or false; None if there is none.

    The sentence of the form decides before the name of the predicate, which may be any word.
    """
    form = next((one for one in forms if one.predicate == predicate), None)
    verbs = _verbs()
    found = verbs.get(form.sentence.rstrip(".")) if form else None
    if found is None:
        found = verbs.get(predicate)
        places = {name for name in "ab" if found and f"{{{name}}}" in found[0].imperative}
        if form is not None and len(form.takes) != len(places):
            return None
    return found[0 if positive else 1] if found and len(found) > (not positive) else None


@cache
def _verbs() -> Mapping[str, tuple[GoalVerb, ...]]:
    found: dict[str, tuple[GoalVerb, ...]] = {}
    for keys, verbs in _rows():
        found |= dict.fromkeys(keys, verbs)
    return found


def _rows() -> Iterator[tuple[tuple[str, ...], tuple[GoalVerb, ...]]]:
    """The predicates and sentences of each row, and its verbs."""
    keys: tuple[str, ...] = ()
    verbs: list[GoalVerb] = []
    for line in (*_TABLE.strip().splitlines(), *_ONE_WAY.strip().splitlines(), ""):
        first, *rest = (part.strip() for part in line.split("|"))
        if line.startswith(" "):
            verbs.append(GoalVerb(first, rest[0]))
            continue
        if keys:
            yield keys, tuple(verbs)
        keys, verbs = (*first.split(), *rest), []
