"""Does a robot satisfy the `Robot` protocol? The public conformance check for any robot.

`check_robot(factory)` makes one robot, reads it, and runs one of its skills to the end and a few
times to a stop: the robot moves. Every check gives advice for its failure.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from regrasp.core.action import Action, SkillSpec
from regrasp.core.codec import from_json, to_json
from regrasp.core.errors import RegraspError
from regrasp.core.feedback import FailureCode
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, JointReading, Progress, Robot, SkillReport, SkillRun
from regrasp.core.users_code import describe_error

__all__ = ["MAX_STEPS", "RobotCheck", "check_robot"]

MAX_STEPS = 20_000
"""A skill that has not ended after this many steps is reported as one that never ends."""

_UNKNOWN = "no_such_thing_anywhere"
_WHY = "the conformance check stops it"


@dataclass(frozen=True, slots=True)
class RobotCheck:
    """One requirement: its name, whether it is met, and what to do if it is not."""

    name: str
    passed: bool
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {'passed' if self.passed else f'FAILED. {self.advice}'}"


class _BrokenPromiseError(Exception):
    """What is wrong and what to do about it."""


def check_robot(factory: Callable[[], Any], action: Action | None = None) -> list[RobotCheck]:
    """Check the robot that `factory()` returns; all checks run in order, also after a failure.

    `action` is the skill to try, one that takes a while and does no harm; if it is not given, the
    first skill without parameters is tried.
    """
    try:
        robot = factory()
    except (Exception, SystemExit) as error:  # whatever it raises, there is nothing to check
        return [RobotCheck("the factory gives a robot", False, _raised("the factory", error))]
    checks = [RobotCheck("the factory gives a robot", True)]
    examiner = _Examiner(robot, action)
    for name, examine in examiner.promises():
        try:
            examine()
        except _BrokenPromiseError as wrong:
            checks.append(RobotCheck(name, False, str(wrong)))
        except (Exception, SystemExit) as error:  # a user's robot may raise anything
            checks.append(RobotCheck(name, False, _raised("the robot", error)))
        else:
            checks.append(RobotCheck(name, True))
        examiner.calm()
    if callable(getattr(robot, "close", None)):
        robot.close()
    return checks


class _Examiner:
    """Runs the checks on one robot."""

    def __init__(self, robot: Any, action: Action | None) -> None:
        self.robot, self.action = robot, action
        self.running: Any = None
        self.clock: list[float] = []
        self.report: Any = None

    def promises(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """Every check, in an order in which each has what it needs."""
        yield "it has every member of Robot", self.members
        yield "name is text and seconds is a time", self.name_and_clock
        yield "cameras are named", self.cameras
        yield "pictures have their shapes and types", self.pictures
        yield "depth is a distance everywhere", self.depth
        yield "cameras have a pose", self.poses
        yield "pictures are the caller's own", self.copies
        yield "joint readings are whole and finite", self.joints
        yield "objects are named", self.objects
        yield "what is known of objects names objects", self.knowledge
        yield "skills are described", self.skills
        yield "an unknown camera is refused with the valid ones", self.unknown_camera
        yield "an unknown skill is refused with the valid ones", self.unknown_skill
        yield "a wrong number of arguments is refused", self.wrong_arguments
        yield "a skill runs to its end", self.life
        yield "the clock goes on and never back", self.clock_is_monotone
        yield "the report says how it ended", self.report_is_complete
        yield "the report has a JSON form", self.report_round_trips
        yield "after its end a skill stays ended", self.stays_ended
        yield "a second skill is refused while one runs", self.second_start
        yield "cancel ends a skill within one step", self.cancel
        yield "stop cancels what runs", self.stop

    def calm(self) -> None:
        """Make sure that no skill of an earlier check is still running."""
        run, self.running = self.running, None
        with contextlib.suppress(Exception):
            if run is not None and run.report is None:
                run.cancel(_WHY)
                for _ in range(MAX_STEPS):  # one, unless cancel does not work
                    if not run.step() or run.report is not None:
                        break

    # ---- what can be read ----------------------------------------------------------------------

    def members(self) -> None:
        _has_members(self.robot, Robot, "the robot")

    def name_and_clock(self) -> None:
        _require(_is_text(self.robot.name), f"name is {self.robot.name!r}: give it a word.")
        _seconds(self.robot.seconds)

    def cameras(self) -> None:
        _names("cameras()", self.robot.cameras())
        _require(bool(self.robot.cameras()), "cameras() is empty: a robot needs one at least.")

    def pictures(self) -> None:
        for image in self._images():
            rgb, depth = image.rgb, image.depth
            _array(f"{image.camera}: rgb", rgb, np.uint8, 3)
            _require(rgb.shape[2] == 3, f"{image.camera}: rgb is {rgb.shape}: give (h, w, 3).")
            _array(f"{image.camera}: depth", depth, np.float32, 2)
            _require(
                depth.shape == rgb.shape[:2] and depth.size > 0,
                f"{image.camera}: depth is {depth.shape} and rgb {rgb.shape}: give one size.",
            )

    def depth(self) -> None:
        for image in self._images():
            depth = np.asarray(image.depth)
            _require(
                bool((depth > 0).all()),  # false for NaN too
                f"{image.camera}: depth has NaN, zero or negative pixels: give metres along the "
                "optical axis, and +inf where nothing is seen.",
            )
            _require(
                bool(np.isfinite(depth).any()),
                f"{image.camera}: depth is infinite everywhere: give metres to what is seen.",
            )

    def poses(self) -> None:
        for image in self._images():
            where, turn = np.asarray(image.position), np.asarray(image.rotation)
            _require(
                where.shape == (3,) and bool(np.isfinite(where).all()),
                f"{image.camera}: position is {where!r}: give three finite metres.",
            )
            _require(
                turn.shape == (3, 3)
                and bool(np.allclose(turn @ turn.T, np.eye(3), atol=1e-4))
                and bool(np.linalg.det(turn) > 0),
                f"{image.camera}: rotation is no rotation: give a (3, 3) matrix whose columns are "
                "the camera's right, up and back.",
            )
            _require(
                0 < image.fovy_deg < 180,
                f"{image.camera}: fovy_deg is {image.fovy_deg}: give degrees between 0 and 180.",
            )

    def copies(self) -> None:
        for before, after in zip(self._images(), self._images(), strict=True):
            for field in ("rgb", "depth", "position", "rotation"):
                _require(
                    not np.shares_memory(getattr(before, field), getattr(after, field)),
                    f"{before.camera}: {field} of two pictures is one piece of memory: return "
                    "copies, or the next picture changes the one before.",
                )

    def joints(self) -> None:
        reading = self.robot.joints()
        _kind("joints()", reading, JointReading)
        _names("JointReading.names", reading.names)
        for field in ("positions", "velocities", "torques"):
            values = getattr(reading, field)
            _require(
                isinstance(values, tuple) and len(values) == len(reading.names),
                f"JointReading.{field} must be a tuple with a number for each of the "
                f"{len(reading.names)} names.",
            )
            _require(
                all(isinstance(v, float) and math.isfinite(v) for v in values),
                f"JointReading.{field} must be finite floats, not {values!r}.",
            )

    def objects(self) -> None:
        _names("objects()", self.robot.objects())

    def knowledge(self) -> None:
        known, named = self.robot.knowledge(), set(self.robot.objects())
        _require(isinstance(known, tuple), "knowledge() must be a tuple.")
        for thing in known:
            _kind("each of knowledge()", thing, ObjectDescription)
            parts = [thing.name, *(joint.handle for joint in thing.joints)]
            parts += [name for name in (thing.place_name, thing.part_of) if name]
            strange = [name for name in parts if name not in named]
            _require(not strange, f"knowledge() names {strange}, which objects() does not list.")
        _names("the names in knowledge()", tuple(thing.name for thing in known))

    def skills(self) -> None:
        skills = self.robot.skills()
        _require(isinstance(skills, tuple), "skills() must be a tuple.")
        for spec in skills:
            _kind("each of skills()", spec, SkillSpec)
            _names(f"the parameters of {spec.name}", spec.parameters)
        _names("the names in skills()", tuple(spec.name for spec in skills))

    # ---- errors --------------------------------------------------------------------------------

    def unknown_camera(self) -> None:
        _refuses(
            lambda: self.robot.look(_UNKNOWN), "look(unknown camera)", tuple(self.robot.cameras())
        )

    def unknown_skill(self) -> None:
        names = tuple(spec.name for spec in self.robot.skills())
        _refuses(lambda: self._begin(Action(_UNKNOWN)), "start(unknown skill)", names)

    def wrong_arguments(self) -> None:
        action = self._action()
        extra = Action(action.name, (*action.args, _UNKNOWN))
        _refuses(lambda: self._begin(extra), f"start({extra})", (action.name,))

    # ---- the life of a skill -------------------------------------------------------------------

    def life(self) -> None:
        action = self._action()
        run = self._begin(action)
        _has_members(run, SkillRun, "what start() returns")
        _require(run.report is None, "report must be None until the skill has ended.")
        self.clock = [_seconds(self.robot.seconds)]
        for _ in range(MAX_STEPS):
            more = run.step()
            self.clock.append(self.robot.seconds)
            _require(isinstance(more, bool), f"step() must return True or False, not {more!r}.")
            if not more:
                break
            _progress(run.progress)
        else:
            _fail(f"{action} has not ended after {MAX_STEPS} steps: give every skill a time limit.")
        _require(
            isinstance(run.report, SkillReport),
            f"step() returned False and report is {run.report!r}: give a SkillReport.",
        )
        self.report = run.report
        _require(
            run.report.action == action,
            f"report.action is {run.report.action!r}: give back the action that was started.",
        )

    def clock_is_monotone(self) -> None:
        self._lived()
        for before, after in zip(self.clock, self.clock[1:], strict=False):
            _seconds(after)
            _require(
                after >= before, f"seconds went back from {before} to {after}: use a steady clock."
            )
        _require(
            self.clock[-1] > self.clock[0],
            "seconds stood still while a skill ran: count what the robot lives through.",
        )

    def report_is_complete(self) -> None:
        report = self._lived()
        _kind("report.outcome", report.outcome, Outcome)
        _seconds(report.seconds)
        if report.outcome is Outcome.SUCCEEDED:
            _require(report.feedback is None, "a skill that succeeded must report no feedback.")
        else:
            _require(
                report.feedback is not None and _is_text(report.feedback.error),
                f"the skill {report.outcome} and does not say why: give a Feedback with a code "
                "and a sentence.",
            )

    def report_round_trips(self) -> None:
        report = self._lived()
        back = from_json(SkillReport, json.loads(json.dumps(to_json(report), allow_nan=False)))
        _require(
            back == report,
            f"the report is {back!r} when it is read back from its JSON form: use plain values.",
        )

    def stays_ended(self) -> None:
        self._lived()
        run = self._begin(self._action())
        run.cancel(_WHY)
        run.step()
        report = run.report
        _require(report is not None, "cancel did not end the skill.")
        _require(run.step() is False, "step() after the end must return False and do nothing.")
        _require(run.report == report, "report changed after the end: it is the last word.")

    def second_start(self) -> None:
        self._start_and_step()
        first = self.running
        _refuses(lambda: self.robot.start(self._action()), "start() while a skill runs", ())
        _require(first.report is None, "the refused start ended the skill that was running.")

    def cancel(self) -> None:
        run = self._start_and_step()
        run.cancel(_WHY)
        _require(run.step() is False, "step() after cancel() must return False.")
        _cancelled(run.report, "one step after cancel()", _WHY)

    def stop(self) -> None:
        self.robot.stop()  # with nothing running it must do nothing
        run = self._start_and_step()
        self.robot.stop()
        if run.report is None:
            run.step()
        _cancelled(run.report, "one step after stop()", "")

    # ---- how it is done ------------------------------------------------------------------------

    def _images(self) -> list[CameraImage]:
        images = []
        for camera in self.robot.cameras():
            image = self.robot.look(camera)
            _kind(f"look({camera!r})", image, CameraImage)
            _require(image.camera == camera, f"look({camera!r}) says it is of {image.camera!r}.")
            images.append(image)
        return images

    def _action(self) -> Action:
        if self.action is not None:
            return self.action
        for spec in self.robot.skills():
            if not spec.parameters:
                return Action(spec.name)
        _fail(
            "there is no skill without parameters to try: name one with its arguments "
            "(check_robot(factory, action), or --skill and --arg)."
        )

    def _begin(self, action: Action) -> Any:
        self.running = self.robot.start(action)
        return self.running

    def _start_and_step(self) -> Any:
        """A skill in progress: after one step, or before the first if one step ends it."""
        run = self._begin(self._action())
        return run if run.step() else self._begin(self._action())

    def _lived(self) -> SkillReport:
        if not isinstance(self.report, SkillReport):
            _fail("there is no report to look at: first let a skill run to its end.")
        return self.report


def _fail(advice: str) -> NoReturn:
    raise _BrokenPromiseError(advice)


def _require(kept: bool, advice: str) -> None:
    if not kept:
        _fail(advice)


def _raised(who: str, error: BaseException) -> str:
    return f"{who} raised {describe_error(error)}"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _kind(what: str, value: object, kind: type) -> None:
    _require(isinstance(value, kind), f"{what} must be a {kind.__name__}, not {value!r:.60}.")


def _names(what: str, names: object) -> None:
    _require(
        isinstance(names, tuple) and all(map(_is_text, names)) and len(set(names)) == len(names),
        f"{what} must be a tuple of different names, not {names!r:.200}.",
    )


def _seconds(value: Any) -> float:
    _require(
        isinstance(value, float) and math.isfinite(value) and value >= 0,
        f"seconds is {value!r}: give a finite float that is not negative.",
    )
    return float(value)


def _array(what: str, value: Any, dtype: type, dimensions: int) -> None:
    _require(
        isinstance(value, np.ndarray) and value.dtype == dtype and value.ndim == dimensions,
        f"{what} must be an array of {dtype.__name__} with {dimensions} dimensions, not "
        f"{getattr(value, 'shape', type(value).__name__)} of {getattr(value, 'dtype', '?')}.",
    )


def _progress(value: Any) -> None:
    _kind("progress", value, Progress)
    _require(
        isinstance(value.stage, str)
        and isinstance(value.error, float)
        and math.isfinite(value.error),
        f"progress is {value!r}: give the name of a stage and a finite error.",
    )


def _has_members(value: object, protocol: type, what: str) -> None:
    wanted = sorted(name for name in vars(protocol) if not name.startswith("_"))
    missing = [name for name in wanted if not hasattr(value, name)]
    _require(
        not missing,
        f"{what} lacks {', '.join(missing)}: see regrasp.core.robot.{protocol.__name__}.",
    )


def _refuses(ask: Callable[[], object], what: str, valid: tuple[str, ...]) -> None:
    try:
        ask()
    except RegraspError as error:
        silent = [name for name in valid if name not in str(error)]
        _require(
            not silent,
            f"{what} is refused, but the error does not name {', '.join(silent)}: raise "
            "UnknownNameError(what, name, valid).",
        )
    except Exception as error:  # a user's robot may raise anything
        _fail(
            f"{what} raised {type(error).__name__}: raise a RegraspError that says what is valid."
        )
    else:
        _fail(f"{what} was accepted: raise a RegraspError that says what is valid.")


def _cancelled(report: Any, when: str, why: str) -> None:
    _require(isinstance(report, SkillReport), f"{when} there is no report: end the skill at once.")
    _require(
        report.outcome is Outcome.ABORTED
        and report.feedback is not None
        and report.feedback.code is FailureCode.CANCELLED,
        f"{when} the report says {report}: it must be aborted, with the code cancelled.",
    )
    _require(why in str(report.feedback), f"{when} the report does not say why: {report.feedback}.")
