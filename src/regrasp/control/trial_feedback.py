"""Why no primitive of a command can run, in words: the failure of the one that came nearest."""

from __future__ import annotations

from collections.abc import Sequence

from regrasp.control.collision_check import Near
from regrasp.control.hand_reports import refuse
from regrasp.control.primitive_trial import PrimitiveTrial
from regrasp.control.staged_skill import Stages
from regrasp.control.two_arms import HandArm, TwoArms
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel

__all__ = ["none_feasible", "refuse_infeasible"]


def refuse_infeasible(robot: TwoArms, what: str, trials: Sequence[PrimitiveTrial]) -> Stages:
    """Fail because none of `trials` (best first) can run, and remember where things are in the way.

    One of them that is moved away is then not put down on that way again.
    """
    best = trials[0]
    for near in best.blockers if best.unreached is None else ():
        robot.avoided[near.other] = best.palm_points()
    return (yield from refuse(robot, none_feasible(robot, what, trials)))


def none_feasible(robot: TwoArms, what: str, trials: Sequence[PrimitiveTrial]) -> Feedback:
    """The failure of the best of `trials` (best first); `what` begins the sentence."""
    best = trials[0]
    tried = Evidence("primitives_tried", float(len(trials)))
    if best.unreached is not None:
        return _unreached(robot, what, trials, tried)
    return _blocked(robot, what, best, tried)


def _unreached(
    robot: TwoArms, what: str, trials: Sequence[PrimitiveTrial], tried: Evidence
) -> Feedback:
    best, other = trials[0], robot.other(trials[0].arm)
    assert best.unreached is not None
    solution, too_far = best.unreached.solution, best.unreached.too_far
    short = max(too_far, solution.distance)
    suggestion, also = _other_hand(other, best, trials)
    if best.unreached.bends:
        return Feedback(
            FeedbackLevel.PHYSICAL, FailureCode.JOINT_LIMIT,
            f"{what}: the {best.arm.hand} finds no straight and level way there.",
            f"{_capital(best.name)}, the joints would have to turn round on the way.{also}",
            suggestion, (tried,),
        )  # fmt: skip
    evidence = [Evidence("out_of_reach", short, "m"), tried]
    evidence += [Evidence("joint_at_limit", name) for name in solution.at_limit]
    error = f"{what}: the {best.arm.hand} would stay {100 * short:.0f} cm short."
    if solution.at_limit and not too_far:
        stuck = " and ".join(solution.at_limit)
        reason = f"{best.name}, {stuck} would have to leave the range of the joint."
        code = FailureCode.JOINT_LIMIT
        error = f"{what}: {stuck} at the limit."
    else:
        reason = f"{best.name}, the place is {100 * short:.0f} cm beyond the reach of the arm."
        code = FailureCode.OUT_OF_REACH
    return Feedback(
        FeedbackLevel.PHYSICAL, code, error, _capital(reason) + also, suggestion, tuple(evidence)
    )


def _other_hand(
    other: HandArm, best: PrimitiveTrial, trials: Sequence[PrimitiveTrial]
) -> tuple[str, str]:
    """What to do about a hand that does not reach, and what is known of the other one."""
    if other.holds:
        return (
            f"Put the {other.holds} in the {other.hand} down first.",
            f" The {other.hand} holds the {other.holds}.",
        )
    if any(trial.arm is other for trial in trials):
        return (
            "Use another place: neither hand reaches it.",
            f" Nor does the {other.hand} get there.",
        )
    return f"Use the {other.hand}, or a place that is nearer to the {best.arm.hand}.", ""


def _blocked(robot: TwoArms, what: str, best: PrimitiveTrial, tried: Evidence) -> Feedback:
    hits, things = best.hits, best.blockers
    first = things[0] if things else hits[0]
    names = [near.other for near in (things or hits[:1])]
    evidence = [Evidence("would_hit", name) for name in names]
    evidence += [
        Evidence("robot_part", first.own),
        Evidence("overlap", max(0.0, -first.distance), "m"),
        tried,
    ]
    error = f"{what}: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} in the way."
    reason = f"{_capital(best.name)}, the {first.own} would hit the {first.other}."
    suggestion = _suggestion(robot, best, things, hits)
    return Feedback(
        FeedbackLevel.PHYSICAL, FailureCode.COLLISION, error, reason, suggestion, tuple(evidence)
    )


def _suggestion(
    robot: TwoArms, best: PrimitiveTrial, things: Sequence[Near], hits: Sequence[Near]
) -> str:
    held = {arm.holds: arm.hand for arm in robot.arms.values() if arm.holds}
    for near in things:
        if near.other in held:
            return f"Put the {near.other} in the {held[near.other]} down first."
    if things:
        return f"Move the {' and the '.join(near.other for near in things)} away first."
    other = robot.other(best.arm)
    for near in hits:
        door = robot.door_of(near.other)
        if door:
            return f"Open the door of the {door} first."
        if near.other.startswith(other.side) and not other.at_rest:
            return f"Move the {other.hand} to rest first."
    return "Use another place."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
