"""Skills of a humanoid that walks: go to a table and face it, go forward, turn, stand.

Each is a `Stages` generator over a `Humanoid`. It steers by its own estimate of its pose and of the
objects. It avoids no obstacle: a monitor or the agent must find one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regrasp.control.hand_motions import raise_load
from regrasp.control.humanoid import DT, Humanoid, angle, heading
from regrasp.control.staged_skill import Attempt, Stages, Steps
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.robot import Progress

__all__ = [
    "BEFORE_M",
    "align",
    "approach",
    "go_forward",
    "go_to",
    "pose_in_front_of",
    "stand_still",
    "stop_walking",
    "turn",
    "wait",
]  # fmt: skip

BEFORE_M = 0.38
"""The distance at which it stands from the centre of a table or box."""
_RUN_UP_M, _ROOM_M = 0.45, 0.60  # distance behind that to line up; free space to turn
_FAST, _SLOW, _SPIN = 0.5, 0.3, 0.8  # m/s, m/s, rad/s
_NEAR_M, _NEAR_RAD = 0.04, 0.10  # tolerance of a goal
_ROUGHLY_M = 0.12  # tolerance of a waypoint, and sideways
_CURVED, _CURVED_RAD = 0.6, 0.6  # for a curve: largest sideways / forward distance, largest turn
_GAIN = 1.5  # 1/s
_PATIENCE_S = 3.0  # without progress
_SETTLE_S, _BRAKE_S, _STANDS = 0.4, 0.8, 0.08  # s, s, m/s
_BACK_M, _FAR_BACK_M, _BACK, _TRIES = 0.30, 0.40, 0.35, 3  # farther back, it has left the table
_STRAIGHT_M = 0.9  # that it walks straight ahead before it heads for its goal,
_ASTRAY_RAD = 1.7  # unless it faces away from the goal
_UNDER_M = 0.3  # from the middle of a gate: counts as under it
_OPENING_M, _BEFORE_GATE_M = 0.5, 0.9  # half width of the opening; distance of the line-up point


def go_to(body: Humanoid, thing: str) -> Stages:
    """Walk to a table and stop before it, facing it."""
    yield from stop_walking(body)
    goal = pose_in_front_of(body, thing, BEFORE_M)
    if not (yield from approach(body, goal)):
        return _stuck(body, f"Could not go to {thing}", goal)
    return None


def go_forward(body: Humanoid, gate: str) -> Stages:
    """Walk straight ahead, then to a gate, and stop under it."""
    yield from stop_walking(body)
    start, at = body.place, pose_in_front_of(body, gate, 0.0)
    turned = abs(angle(_bearing(start, at) - start[2]))
    straight_m = _STRAIGHT_M if turned < _ASTRAY_RAD else 0.0
    patience = _Patience()
    while _distance(body.place, at) > _UNDER_M:
        straight, aim = _distance(body.place, start) < straight_m, _path_through(body.place, at)
        away = _distance(body.place, aim) + _distance(aim, at)
        off = angle((start[2] if straight else _bearing(body.place, aim)) - body.place[2])
        ahead = _FAST * max(0.0, float(np.cos(off)))
        body.step(ahead, 0.0, float(np.clip(_GAIN * off, -_SPIN, _SPIN)))
        yield Progress("walk", away)
        if patience.over(away + 0.3 * abs(off)):
            left = _stuck(body, f"Could not go forward to {gate}", at)
            yield from _step_back(body)  # the camera sees the obstacle from there
            yield from stand_still(body, _SETTLE_S)
            return left
    yield from stand_still(body, _SETTLE_S)
    return None


def turn(body: Humanoid, radians: float) -> Stages:
    """Turn on the spot, to the left if positive."""
    yield from stop_walking(body)
    goal = angle(body.place[2] + radians)
    there = yield from _face(body, goal, "turn")
    if not there:  # a hand is caught on something
        yield from _step_back(body)
        there = yield from _face(body, goal, "turn")
    yield from stand_still(body, DT)
    return None if there else _stuck(body, "Could not turn", body.place[:2])


def wait(body: Humanoid, seconds: float) -> Stages:
    """Stand still; keep what is held."""
    yield from stop_walking(body)
    yield from stand_still(body, seconds, "stand")
    return None


# ---- parts of skills ---------------------------------------------------------------------------


def stand_still(body: Humanoid, seconds: float, stage: str = "stop") -> Steps:
    """Stand still for a while."""
    for k in range(max(1, round(seconds / DT))):
        body.command()
        yield Progress(stage, max(0.0, 1.0 - (k + 1) * DT / seconds))


def pose_in_front_of(body: Humanoid, thing: str, away: float) -> Array:
    """The pose (x, y, yaw) at distance `away` in front of an object, with the object's yaw."""
    pose = body.pose_of(thing)
    return _behind(np.array([*pose.position[:2], heading(pose.rotation)]), away)


def stop_walking(body: Humanoid) -> Steps:
    """Begin a skill: forget the earlier command, and stop if walking."""
    body.begin()
    for _ in range(round(_BRAKE_S / DT)):
        if body.speed < _STANDS:
            break
        body.command()
        yield Progress("brake", body.speed)


def approach(body: Humanoid, goal: Array) -> Attempt:
    """Walk to a pose (x, y, yaw) from behind it, so that it hits nothing there."""
    for attempt in range(_TRIES):
        along, aside, off = _relative_pose(body.place, goal)
        if abs(along) > _RUN_UP_M or abs(aside) > _ROUGHLY_M or abs(off) > 3 * _NEAR_RAD:
            line_up = _behind(goal, _RUN_UP_M)
            yield from _back_off(body, _RUN_UP_M + _ROUGHLY_M - along)
            curves = attempt < _TRIES - 1 and _curves_in(body.place, goal)
            if _distance(body.place, line_up) > _ROUGHLY_M and not curves:
                yield from _face(body, _bearing(body.place, line_up), "turn")
                yield from _walk(body, line_up)
            yield from _face(body, float(goal[2]), "face")
        if body.carrying:
            yield from raise_load(body)
        if (yield from align(body, goal)):
            return True
    return False


def align(body: Humanoid, goal: Array) -> Attempt:
    """Step to a nearby pose (x, y, yaw) and stand. Returns whether it arrived."""
    patience = _Patience()
    while True:
        along, aside, off = _relative_pose(body.place, goal)
        if abs(along) < _NEAR_M and abs(off) < _NEAR_RAD:
            break
        if along > 2 * _NEAR_M:  # no side steps: approach along a curve
            spin = 2 * (off + float(np.clip(3 * aside, -0.5, 0.5)))
            body.step(_SLOW, 0.0, float(np.clip(spin, -_SPIN, _SPIN)))
        else:
            spin = float(np.clip(2 * off, -_SPIN, _SPIN))
            body.step(float(np.clip(2 * along, -0.15, 0.15)), 0.0, spin)
        yield Progress("align", float(np.hypot(along, aside)))
        if patience.over(abs(along) + 0.3 * abs(off)):
            break
    yield from stand_still(body, _SETTLE_S)
    along, aside, off = _relative_pose(body.place, goal)
    return bool(abs(along) < 2 * _NEAR_M and abs(aside) < _ROUGHLY_M and abs(off) < 2 * _NEAR_RAD)


def _curves_in(place: Array, goal: Array) -> bool:
    """Whether `align` reaches the goal from here, so that no line-up with two turns is needed."""
    along, aside, off = _relative_pose(place, goal)
    return 0.2 < along < 2 * _RUN_UP_M and abs(aside) < _CURVED * along and abs(off) < _CURVED_RAD


def _back_off(body: Humanoid, metres: float) -> Steps:
    """Walk straight backwards if something is directly in front."""
    things = (thing for thing in body.things if thing != body.carrying)
    near = (_relative_pose(body.place, pose_in_front_of(body, thing, 0.0)) for thing in things)
    if any(0.0 < along < _ROOM_M and abs(aside) < _ROOM_M for along, aside, _ in near):
        yield from _step_back(body, float(np.clip(metres, _BACK_M, _FAR_BACK_M)))


def _step_back(body: Humanoid, metres: float = _BACK_M) -> Steps:
    """Walk straight backwards."""
    start = body.place
    patience = _Patience()
    while (left := metres - _distance(body.place, start)) > 0.0:
        off = angle(float(start[2]) - body.place[2])
        body.step(-_BACK, 0.0, float(np.clip(2 * off, -_SPIN, _SPIN)))
        yield Progress("back", left)
        if patience.over(left):
            break


def _walk(body: Humanoid, goal: Array) -> Steps:
    """Walk to a place (x, y, yaw), ignoring the yaw."""
    patience = _Patience()
    while (away := _distance(body.place, goal)) > _ROUGHLY_M:
        off = angle(_bearing(body.place, goal) - body.place[2])
        ahead = max(0.0, float(np.cos(off))) * min(_FAST, _SLOW + away - _ROUGHLY_M)
        body.step(ahead, 0.0, float(np.clip(2 * off, -_SPIN, _SPIN)))
        yield Progress("walk", away)
        if patience.over(away):
            break


def _face(body: Humanoid, yaw: float, stage: str) -> Attempt:
    """Turn on the spot."""
    patience = _Patience(0.2)
    while abs(off := angle(yaw - body.place[2])) > _NEAR_RAD:
        body.step(0.0, 0.0, float(np.clip(4 * off, -_SPIN, _SPIN)))
        yield Progress(stage, abs(off))
        if patience.over(abs(off)):
            return False
    return True


@dataclass(slots=True)
class _Patience:
    """Detects that a distance has not decreased by `least` for too long."""

    least: float = 0.02
    best: float = float("inf")
    steps: int = 0

    def over(self, away: float) -> bool:
        """Whether the distance has not decreased for too long."""
        self.steps += 1
        if away < self.best - self.least:
            self.best, self.steps = away, 0
        return self.steps * DT > _PATIENCE_S


def _behind(place: Array, away: float) -> Array:
    x, y, yaw = place
    return np.array([x - away * np.cos(yaw), y - away * np.sin(yaw), yaw])


def _relative_pose(place: Array, goal: Array) -> tuple[float, float, float]:
    """The goal relative to `place`: distance ahead, distance to the left, and turn."""
    dx, dy = goal[:2] - place[:2]
    c, s = np.cos(place[2]), np.sin(place[2])
    return float(c * dx + s * dy), float(c * dy - s * dx), angle(float(goal[2] - place[2]))


def _distance(place: Array, goal: Array) -> float:
    return float(np.linalg.norm(goal[:2] - place[:2]))


def _path_through(place: Array, gate: Array) -> Array:
    """The next waypoint: the middle of a gate (x, y, yaw); from beside it, a place before it."""
    along, aside, _ = _relative_pose(gate, place)
    if abs(aside) < _OPENING_M:
        return gate
    return _behind(gate, float(np.copysign(_BEFORE_GATE_M, -along)))


def _bearing(place: Array, goal: Array) -> float:
    return float(np.arctan2(goal[1] - place[1], goal[0] - place[0]))


def _stuck(body: Humanoid, what: str, goal: Array) -> Feedback:
    left = Evidence("distance_left", round(_distance(body.place, goal), 2))
    error = f"{what}: it got no nearer."
    return Feedback(FeedbackLevel.PHYSICAL, FailureCode.UNREACHED, error, evidence=(left,))
