"""Put a held thing somewhere, if need be with another grasp or the other hand.

A thing changes grasps by way of the table. Which grasp would do is known before anything moves:
every grasp with either hand is imagined at the spots of the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regrasp.control.clearance import Carried
from regrasp.control.hand_get import grasp_primitives, take
from regrasp.control.hand_grasps import hand_grasps, same_grasp
from regrasp.control.hand_put import put_primitives, put_trials, set_down
from regrasp.control.hand_reports import lost, not_held, refuse
from regrasp.control.hand_rest import settle
from regrasp.control.placements import Patch
from regrasp.control.primitive_trial import PrimitiveTrial
from regrasp.control.staged_skill import Attempt, Stages
from regrasp.control.trial_feedback import refuse_infeasible
from regrasp.control.trial_ranking import best_first
from regrasp.control.two_arms import HandArm, TwoArms, carried_by

__all__ = ["change_grasp", "put"]

_REGRASP_M = 0.08  # room around a thing that is taken again
_CHANGES = 2  # so many other grasps are tried


def put(
    robot: TwoArms, thing: str, place: str, patches: Sequence[Patch], table: Sequence[Patch] = ()
) -> Stages:
    """Put a held thing down on a free spot of a place, and bring the arm to rest.

    With a `table`, the thing may be taken anew on it on the way, with the same or the other hand.
    """
    robot.begin()
    what = f"Could not put {thing} on {place}"
    if not (arm := robot.holder(thing)):
        return (yield from refuse(robot, not_held(robot, thing, what)))
    yield from settle(robot, but=arm)
    trials = put_primitives(robot, arm, thing, patches)
    for _ in range(_CHANGES if table else 0):
        if trials[0].feasible or not (change := _useful_grasp(robot, arm, thing, patches)):
            break
        taker, grasp = change
        yield from change_grasp(robot, arm, thing, table, taker, grasp)
        if not (holder := robot.holder(thing)):
            return lost(taker, thing, what)
        arm, trials = holder, put_primitives(robot, holder, thing, patches)
    if not trials[0].feasible:
        return (yield from refuse_infeasible(robot, what, trials))
    kept = yield from set_down(trials[0])
    robot.avoided.pop(thing, None)
    return None if kept else lost(arm, thing, what)


def change_grasp(
    robot: TwoArms,
    arm: HandArm,
    thing: str,
    table: Sequence[Patch],
    taker: HandArm,
    wanted: Carried | None = None,
) -> Attempt:
    """Put a held thing on a `table` and take it again with the hand of `taker`, maybe the same.

    Whether that hand holds it now. Nothing moves if there is no way to put it down within reach.
    What cannot be taken in the `wanted` manner is taken in another one.
    """
    robot.see()
    carried = arm.carried()
    assert carried is not None
    placings = best_first(
        put_trials(robot, arm, carried, table, room=_REGRASP_M, taker=taker)
    )  # fmt: skip
    if not placings[0].feasible or not (yield from set_down(placings[0])):
        return False
    yield from settle(robot)
    for hand in (taker.hand, None):
        takings = grasp_primitives(robot, thing, hand, wanted)
        if takings[0].feasible and (yield from take(takings[0], thing)):
            yield from settle(robot)  # low over the table there is no way to most places
            return taker.holds == thing
    return False


def _useful_grasp(
    robot: TwoArms, arm: HandArm, thing: str, patches: Sequence[Patch]
) -> tuple[HandArm, Carried] | None:
    """The hand and the grasp, other than the present one, that would serve best to put a thing.

    The other hand would take it when this one is at rest again.
    """
    robot.see()
    held = arm.carried()
    assert held is not None
    rested = arm.imagined(robot.plant.data.qpos, arm.home, held)
    robot.other(arm).check.see(rested)
    trials: list[PrimitiveTrial] = []
    known: dict[int, Carried] = {}
    for taker, grasp in _grasps(robot, thing):
        if taker is arm and same_grasp(grasp, held):
            continue
        for trial in put_trials(robot, taker, grasp, patches, imagined=True):
            known[id(trial)] = grasp
            trials.append(trial)
    if not trials:
        return None
    best = best_first(trials)[0]
    return (best.arm, known[id(best)]) if best.feasible else None


def _grasps(robot: TwoArms, thing: str) -> Iterator[tuple[HandArm, Carried]]:
    """All manners in which a free hand, or the one that holds a thing, could hold it."""
    stands = robot.pose_of(thing)
    for arm in robot.arms.values():
        if arm.holds not in ("", thing):
            continue
        known: list[Carried] = []
        for grasp in hand_grasps(robot, arm, thing):
            for pose in grasp.poses:
                one = carried_by(thing, pose, stands)
                if not any(same_grasp(one, other) for other in known):
                    known.append(one)
                    yield arm, one
