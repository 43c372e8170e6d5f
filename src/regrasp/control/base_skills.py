"""Skills of the base and the head: move along a path, scan, adjust, alert.

`move` follows a path by pure pursuit (Coulter 1992) on odometry. Where the laser scanner sees
something in the way it stops, and waits: a person walks on. After `_PATIENCE_S` it fails with
`collision`, and whoever knows the map finds another way.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from regrasp.control.controller import DT
from regrasp.control.hand_reports import failed
from regrasp.control.mobile_manipulator import MobileManipulator
from regrasp.control.staged_skill import Attempt, Stages, Steps
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode
from regrasp.core.grounding import FloorPath, Grounding, Stand
from regrasp.core.robot import Progress

__all__ = ["adjust", "alert", "drive_straight", "move", "raise_lift", "scan", "turn_to"]

_AHEAD_M = 0.45  # of the point on the path that is steered to
_ARRIVED_M, _FACING = 0.04, 0.02
_STOP_M, _SIDE_M = 0.30, 0.30  # free ahead of the base, and to either side of its middle
_PATIENCE_S, _LIMIT_S = 12.0, 120.0
_STRAIGHT = 0.9  # rad off the heading from which the base turns on the spot
_LOOKS = ((0.0, 0.45), (0.6, 0.45), (-0.6, 0.45), (1.15, 0.45), (-1.15, 0.45),
          (0.0, 0.85), (0.7, 0.85), (-0.7, 0.85), (0.0, 0.0))  # fmt: skip
"""Pan and tilt of the views of a scan, in their order."""
_SETTLE_S = 0.2
_CLOSEST_M, _SLOWEST_S_M = 0.06, 15.0
_DRIVING_TILT = 0.35
_LOOK_S = 2.0  # between two looks while it drives
_STUCK_S, _STUCK_M, _STUCK_RAD = 1.5, 0.015, 0.03
_FREE_M, _MOST_FREED = 0.25, 3  # driven back to free a base that is held, and how often
_OVER_BEAM_M = 0.08  # of the foot of what a hand carries over the beam of the scanner
_LASER_STEPS = 8  # control steps between two scans


def move(robot: MobileManipulator, thing: str, known: Grounding) -> Stages:
    """Follow a path to a thing; look on the way, and follow the path that is known then."""
    robot.begin()
    what = f"Could not move to {thing}"
    path = known.path_to(thing)
    if path is None:
        yield from _wait(robot, _SETTLE_S, "refuse")
        return failed(
            FailureCode.UNREACHED, f"{what}: no path to it is known.",
            "It is not in the map, or everything around it is occupied.",
            f"Look for {thing} from other places, or alert a person.",
        )  # fmt: skip
    if robot.lift_m < (clear := _load_height(robot)):
        yield from raise_lift(robot, clear)
    waited, steps, free, freed = 0.0, 0, math.inf, 0
    started = looked = robot.plant.seconds
    standstill = _Standstill(robot)
    while (left := _remaining(robot, path)) > _ARRIVED_M:
        if robot.plant.seconds - started > _LIMIT_S:
            yield from _halt(robot)
            return failed(
                FailureCode.TIMED_OUT, f"{what}: still {left:.1f} m away after {_LIMIT_S:.0f} s.",
                "", "Try again.", Evidence("path_left", left, "m"),
            )  # fmt: skip
        if robot.plant.seconds - looked > _LOOK_S:
            looked = robot.plant.seconds
            known.refresh()
            path = known.path_to(thing) or path
        ahead, turn = _steer(robot, path)
        if steps % _LASER_STEPS == 0:
            free = _free_ahead(robot)
        steps += 1
        blocked = ahead > 0.0 and free < _STOP_M and left > _STOP_M
        if blocked:
            waited += DT
            if waited > _PATIENCE_S:
                yield from _halt(robot)
                return failed(
                    FailureCode.COLLISION, f"{what}: something stands in the way.",
                    f"It did not move away in {_PATIENCE_S:.0f} s.",
                    "Find a path around it, or alert a person.",
                    Evidence("laser_distance", free, "m"), Evidence("path_left", left, "m"),
                    Evidence("waited", waited, "s"),
                )  # fmt: skip
        robot.approach_targets(robot.targets[0], 0.0, _DRIVING_TILT)
        robot.drive(0.0 if blocked else ahead, 0.0 if blocked else turn)
        yield Progress("wait for the way" if blocked else "drive", left)
        if standstill.lasts(commanded=not blocked):
            if freed == _MOST_FREED:
                yield from _halt(robot)
                return failed(
                    FailureCode.UNREACHED, f"{what}: the wheels turn, and the base stands still.",
                    "It or a hand touches something.", "Try again, or alert a person.",
                    Evidence("path_left", left, "m"),
                )  # fmt: skip
            freed += 1
            yield from drive_straight(robot, -_FREE_M, "free the base")
            standstill = _Standstill(robot)
    yield from turn_to(robot, path.heading)
    return None


def _load_height(robot: MobileManipulator) -> float:
    """The height (m) of the lift at which what the hands hold is over the beam of the scanner."""
    over = robot.body.laser_m[2] + _OVER_BEAM_M
    held = [arm for arm in robot.arms.values() if arm.gripped]
    return max((over + arm.above - float(arm.palm.position[2]) for arm in held), default=0.0)


class _Standstill:
    """Whether the base has stood still for `_STUCK_S` although it was commanded to drive."""

    def __init__(self, robot: MobileManipulator) -> None:
        self._robot, self._pose, self._since = robot, robot.pose, robot.plant.seconds

    def lasts(self, *, commanded: bool) -> bool:
        """Called after each control step."""
        now, seconds = self._robot.pose, self._robot.plant.seconds
        turned = abs(math.remainder(now[2] - self._pose[2], 2 * math.pi))
        moved = math.dist(now[:2], self._pose[:2])
        if not commanded or moved > _STUCK_M or turned > _STUCK_RAD:
            self._pose, self._since = now, seconds
        return seconds - self._since > _STUCK_S


def scan(robot: MobileManipulator, thing: str, grounding: Grounding) -> Stages:
    """Turn the head until a thing is in view: first to where it was, then over the room."""
    robot.begin()
    views: list[tuple[float, float]] = list(_LOOKS)
    if (last := grounding.position_of(thing)) is not None:
        views.insert(0, robot.aim(last))
    for k, (pan, tilt) in enumerate(views):
        yield from _posture(robot, robot.targets[0], pan, tilt, "look")
        yield from _wait(robot, _SETTLE_S, "look")
        if grounding.in_view(thing):
            return None
        yield Progress("look", 1.0 - (k + 1) / len(views))
    return failed(
        FailureCode.NOT_OBSERVED, f"Could not find {thing}: it is in none of {len(views)} views.",
        "It is not here, or something hides it.", f"Move elsewhere, or alert a person for {thing}.",
        Evidence("views", float(len(views))),
    )  # fmt: skip


def adjust(
    robot: MobileManipulator,
    thing: str,
    position: Array | None,
    shoulder_above: float,
    side: str = "left",
    stand: Stand | None = None,
    clear: float = 0.0,
) -> Stages:
    """Move base, head and lift so that a position comes into view and within reach of a hand.

    Before the base drives, the lift is raised to `clear` (m), so that what is held comes over the
    place and not against its edge.

    Where a `stand` for it is known, the base goes there. Else it turns to the thing and drives
    until that is `_REACH_M` ahead and a little to the `side` of the hand; the lift brings the
    shoulders `shoulder_above` m over it.
    """
    robot.begin()
    if position is None:
        yield from _wait(robot, _SETTLE_S, "refuse")
        return failed(
            FailureCode.NOT_OBSERVED, f"Could not adjust to {thing}: it was not seen.", "",
            f"Scan for {thing} first.",
        )  # fmt: skip
    if robot.lift_m < clear:
        yield from raise_lift(robot, clear)
    if stand is not None:
        yield from turn_to(robot, stand.heading)
        yield from drive_straight(robot, stand.drive, "approach")
        wanted = stand.lift
    else:
        x, y, _ = robot.pose
        far = max(math.dist(position[:2], (x, y)), _REACH_M)
        aside = math.asin(_ASIDE_M / far) * (1.0 if side == "left" else -1.0)
        yield from turn_to(robot, math.atan2(position[1] - y, position[0] - x) - aside)
        away = float(robot.to_base(position).position[0])
        yield from drive_straight(robot, away - _REACH_M, "approach")
        wanted = float(position[2]) + shoulder_above - robot.body.shoulder[2]
    pan, tilt = robot.aim(position)
    yield from _posture(robot, wanted, pan, tilt, "raise")
    pan, tilt = robot.aim(position)  # the head rose with the lift
    yield from _posture(robot, wanted, pan, tilt, "look")
    return None


_REACH_M, _ASIDE_M = 0.56, 0.12
"""Distances ahead of the base's middle and to the side at which a hand works best."""


def raise_lift(robot: MobileManipulator, height: float) -> Steps:
    """Bring the lift to a height (m)."""
    yield from _posture(robot, height, float(robot.targets[1]), float(robot.targets[2]), "raise")


def alert(robot: MobileManipulator, thing: str) -> Stages:
    """Stand still and call a person; what is wrong is in the feedback that led here."""
    robot.begin()
    yield from _halt(robot)
    yield from _wait(robot, 1.0, "alert")
    return None


# ---- driving -----------------------------------------------------------------------------------


def _remaining(robot: MobileManipulator, path: FloorPath) -> float:
    x, y, _ = robot.pose
    return math.dist((x, y), path.points[-1])


def _steer(robot: MobileManipulator, path: FloorPath) -> tuple[float, float]:
    """Speed (m/s) and turning rate (rad/s) towards a point ahead on the path."""
    x, y, yaw = robot.pose
    goal = _point_ahead(path, (x, y))
    off = math.remainder(math.atan2(goal[1] - y, goal[0] - x) - yaw, 2 * math.pi)
    turn = 2.0 * off
    if abs(off) > _STRAIGHT:
        return 0.0, turn
    left = _remaining(robot, path)
    return max(0.05, min(0.6, 1.2 * left)) * math.cos(off) ** 2, turn


def _point_ahead(path: FloorPath, at: tuple[float, float]) -> tuple[float, float]:
    """The point of the path `_AHEAD_M` beyond the one nearest to `at`."""
    points = np.array(path.points)
    if len(points) == 1:
        return path.points[0]
    starts, legs = points[:-1], np.diff(points, axis=0)
    lengths = np.maximum(np.linalg.norm(legs, axis=1), 1e-9)
    part = np.clip(((np.array(at) - starts) * legs).sum(axis=1) / lengths**2, 0.0, 1.0)
    nearest = starts + part[:, None] * legs
    k = int(np.argmin(np.linalg.norm(nearest - at, axis=1)))
    far = float(part[k] * lengths[k]) + _AHEAD_M
    while far > lengths[k] and k < len(legs) - 1:
        far, k = far - float(lengths[k]), k + 1
    point = starts[k] + min(far / float(lengths[k]), 1.0) * legs[k]
    return float(point[0]), float(point[1])


def _free_ahead(robot: MobileManipulator) -> float:
    """How far (m) it is from the base to the first thing that the scanner sees ahead of it."""
    far, angles = robot.plant.laser(), robot.body.laser_angles
    seen = np.isfinite(far)
    far, angles = far[seen], angles[seen]
    x = robot.body.laser_m[0] + far * np.cos(angles)
    y = far * np.sin(angles)
    ahead = (np.abs(y) < _SIDE_M) & (x > 0.0)
    return float(np.min(x[ahead], initial=math.inf)) - robot.body.radius_m


def turn_to(robot: MobileManipulator, heading: float) -> Steps:
    """Turn on the spot to a heading (rad) of the odometry's frame."""
    while abs(off := math.remainder(heading - robot.pose[2], 2 * math.pi)) > _FACING:
        robot.drive(0.0, math.copysign(max(0.08, min(1.0, 1.8 * abs(off))), off))
        yield Progress("turn", abs(off))
    yield from _halt(robot)


def drive_straight(
    robot: MobileManipulator, by: float, stage: str, until: Callable[[], bool] = lambda: False
) -> Steps:
    """Drive straight by some metres, back if negative; stop before what the scanner sees.

    It also stops when `until` is true, or when the base is held back.
    """
    start, begun = robot.pose[:2], robot.plant.seconds
    while (left := abs(by) - math.dist(start, robot.pose[:2])) > 0.01:
        late = robot.plant.seconds - begun > _SLOWEST_S_M * abs(by) + 2.0
        if until() or late or (by > 0 and _free_ahead(robot) < _CLOSEST_M):
            break
        robot.drive(math.copysign(max(0.04, min(0.20, left)), by), 0.0)
        yield Progress(stage, left)
    yield from _halt(robot)


def _halt(robot: MobileManipulator) -> Steps:
    while not robot.still:
        robot.drive(0.0, 0.0)
        yield Progress("stop", 0.0)


def _posture(robot: MobileManipulator, lift: float, pan: float, tilt: float, stage: str) -> Attempt:
    """Bring lift and head to positions; True when they are there."""
    while (left := robot.approach_targets(lift, pan, tilt)) > 1e-4:
        robot.step()
        yield Progress(stage, left)
    yield from _wait(robot, _SETTLE_S, stage)
    return True


def _wait(robot: MobileManipulator, seconds: float, stage: str) -> Steps:
    for k in range(max(1, round(seconds / DT))):
        robot.step()
        yield Progress(stage, 1.0 - (k + 1) * DT / seconds)
