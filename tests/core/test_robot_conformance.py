"""The public check of robots: a good one passes, and each way to be bad fails its own check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from regrasp.core.action import Action, SkillSpec
from regrasp.core.conformance import check_robot
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, JointReading, Progress, Robot, SkillReport, SkillRun


class Wave:
    """A skill of five steps."""

    def __init__(self, robot: Any, action: Action) -> None:
        self.robot, self.action = robot, action
        self.report: SkillReport | None = None
        self.steps, self.why = 0, ""

    @property
    def progress(self) -> Progress:
        return Progress("wave", 5.0 - self.steps)

    def step(self) -> bool:
        if self.report is not None:
            return False
        if self.why:
            feedback = Feedback(FeedbackLevel.RUNTIME, FailureCode.CANCELLED, self.why)
            self.end(Outcome.ABORTED, feedback)
            return False
        self.steps += 1
        self.robot.seconds += 0.1
        if self.steps == 5:
            self.end(Outcome.SUCCEEDED)
        return self.report is None

    def end(self, outcome: Outcome, feedback: Feedback | None = None) -> None:
        self.report = SkillReport(self.action, outcome, 0.1 * self.steps, feedback)

    def cancel(self, why: str) -> None:
        self.why = why


class Waver:
    """A robot that can only wave, and keeps every promise."""

    skill: type[Wave] = Wave
    name: Any = "waver"

    def __init__(self) -> None:
        self.seconds: Any = 0.0
        self.run: Wave | None = None

    def cameras(self) -> Any:
        return ("eye",)

    def look(self, camera: str) -> Any:
        if camera != "eye":
            raise UnknownNameError("camera", camera, ["eye"])
        rgb, depth = np.zeros((4, 6, 3), np.uint8), np.full((4, 6), np.inf, np.float32)
        depth[0, 0] = 1.0
        return CameraImage("eye", rgb, depth, 45.0, np.zeros(3), np.eye(3))

    def joints(self) -> Any:
        return JointReading(("elbow",), (0.1,), (0.0,), (2.0,))

    def objects(self) -> Any:
        return ("ball",)

    def knowledge(self) -> Any:
        return (ObjectDescription("ball", "ball", (Affordance.PICK,)),)

    def skills(self) -> Any:
        return (SkillSpec("throw", ("what",), "throw it"), SkillSpec("wave", (), "wave"))

    def start(self, action: Action) -> Any:
        if self.run is not None and self.run.report is None:
            raise RegraspError("a skill is running.")
        if action.name not in ("wave", "throw"):
            raise UnknownNameError("skill", action.name, ["wave", "throw"])
        if len(action.args) != (action.name == "throw"):
            raise RegraspError(f"{action.name} takes another number of arguments.")
        self.run = self.skill(self, action)
        return self.run

    def stop(self) -> None:
        if self.run is not None:
            self.run.cancel("stopped")


def robot(skill: type[Wave] = Wave, **changed: Any) -> Callable[[], Any]:
    """A factory of wavers with another skill, or other members."""
    return type("Broken", (Waver,), {"skill": skill, **changed})


def image(**changed: Any) -> Callable[[], Any]:
    """A factory of wavers whose pictures are wrong."""
    return robot(look=lambda self, camera: replace(Waver.look(self, camera), **changed))


def failed(factory: Callable[[], Any], action: Action | None = None) -> dict[str, str]:
    """The names of the checks that fail, and their advice."""
    return {c.name: c.advice for c in check_robot(factory, action) if not c.passed}


def depth(value: float) -> Any:
    return np.full((4, 6), value, np.float32)


def read(positions: Any = (0.1,), names: Any = ("elbow",)) -> Any:
    return lambda self: JointReading(names, positions, (0.0,), (2.0,))


def knows(*names: str) -> Any:
    return lambda self: tuple(ObjectDescription(name, "toy") for name in names)


def careless(self: Waver, action: Action) -> Wave:
    return Wave(self, action)


class Endless(Wave):
    def step(self) -> bool:
        if self.why:
            return super().step()
        self.robot.seconds += 0.1
        return True


class Silent(Wave):
    def end(self, outcome: Outcome, feedback: Feedback | None = None) -> None:
        super().end(Outcome.FAILED if outcome is Outcome.SUCCEEDED else outcome, feedback)


class Wordless(Wave):
    def step(self) -> bool:
        self.steps += 1
        return self.steps < 5 and not self.why


class Forgetful(Wave):
    def __init__(self, robot: Any, action: Action) -> None:
        super().__init__(robot, Action("something_else"))


class Backwards(Wave):
    def step(self) -> bool:
        more = super().step()
        self.robot.seconds = 1.0 / (1 + self.steps)
        return more


class Timeless(Wave):
    def step(self) -> bool:
        self.robot.seconds -= 0.1
        return super().step()


class Infinite(Wave):
    def end(self, outcome: Outcome, feedback: Feedback | None = None) -> None:
        self.report = SkillReport(self.action, outcome, float("inf"), feedback)


class Odd(Wave):
    def end(self, outcome: Outcome, feedback: Feedback | None = None) -> None:
        listed: Any = ["a list"]
        odd = Feedback(FeedbackLevel.RUNTIME, FailureCode.REFUSED, "so", evidence=listed)
        self.report = SkillReport(self.action, outcome, 0.5, odd)


class Restless(Wave):
    def step(self) -> bool:
        super().step()
        return self.report is None or bool(self.why)


class Stubborn(Wave):
    def cancel(self, why: str) -> None:
        pass


class Slow(Wave):
    def step(self) -> bool:
        self.countdown = getattr(self, "countdown", 2) - bool(self.why)
        why, self.why = self.why, self.why if self.countdown <= 0 else ""
        more = super().step()
        self.why = why
        return more


class Mumbling(Wave):
    def cancel(self, why: str) -> None:
        self.why = "for reasons"


class Miscoded(Wave):
    def end(self, outcome: Outcome, feedback: Feedback | None = None) -> None:
        super().end(outcome, feedback and replace(feedback, code=FailureCode.TIMED_OUT))


class Directionless(Wave):
    progress = property(lambda self: Progress("wave", float("nan")))


def test_a_good_robot_passes_every_check() -> None:
    checks = check_robot(Waver)
    assert [str(check) for check in checks if not check.passed] == []
    assert len({check.name for check in checks}) == len(checks) > 20
    assert isinstance(Waver(), Robot) and isinstance(Wave(Waver(), Action("wave")), SkillRun)


def test_the_skill_to_try_can_be_named() -> None:
    assert failed(Waver, Action("throw", ("ball",))) == {}
    demanding = robot(skills=lambda self: Waver.skills(self)[:1])
    assert failed(demanding, Action("throw", ("ball",))) == {}
    assert "--skill" in failed(demanding)["a skill runs to its end"]


def test_the_arm_in_front_of_the_cabinet_passes() -> None:
    from regrasp.worlds.examples import cabinet_robot

    assert failed(cabinet_robot) == {}


@pytest.mark.parametrize(
    ("factory", "check", "advice"),
    [
        (lambda: 1 / 0, "the factory gives a robot", "ZeroDivisionError"),
        (object, "it has every member of Robot", "lacks cameras, joints, knowledge, look"),
        (robot(name=""), "name is text and seconds is a time", "name is ''"),
        (robot(cameras=lambda self: ("eye", "eye")), "cameras are named", "different names"),
        (robot(cameras=lambda self: ()), "cameras are named", "empty"),
        (image(rgb=np.zeros((4, 6, 3))), "pictures have their shapes and types", "uint8"),
        (image(rgb=np.zeros((4, 6, 4), np.uint8)), "pictures have their shapes", "(h, w, 3)"),
        (image(depth=np.ones((4, 6))), "pictures have their shapes and types", "float32"),
        (image(depth=np.ones((3, 6), np.float32)), "pictures have their shapes", "one size"),
        (image(camera="ear"), "pictures have their shapes and types", "'ear'"),
        (image(depth=depth(np.nan)), "depth is a distance everywhere", "NaN"),
        (image(depth=depth(0.0)), "depth is a distance everywhere", "zero"),
        (image(depth=depth(np.inf)), "depth is a distance everywhere", "infinite everywhere"),
        (image(position=np.full(3, np.nan)), "cameras have a pose", "three finite metres"),
        (image(rotation=2 * np.eye(3)), "cameras have a pose", "no rotation"),
        (image(rotation=-np.eye(3)), "cameras have a pose", "no rotation"),
        (image(fovy_deg=0.0), "cameras have a pose", "fovy_deg"),
        (image(rgb=np.zeros((4, 6, 3), np.uint8)), "pictures are the caller's own", "copies"),
        (robot(joints=read((0.1, 0.2))), "joint readings are whole and finite", "1 names"),
        (robot(joints=read((float("nan"),))), "joint readings are whole and finite", "finite"),
        (robot(joints=lambda self: {}), "joint readings are whole and finite", "JointReading"),
        (robot(objects=lambda self: ["ball"]), "objects are named", "tuple"),
        (robot(knowledge=lambda self: ("ball",)), "what is known of objects", "ObjectDescription"),
        (robot(knowledge=knows("bat")), "what is known of objects", "does not list"),
        (robot(knowledge=knows("ball", "ball")), "what is known of objects", "different names"),
        (robot(skills=lambda self: ("wave",)), "skills are described", "SkillSpec"),
        (robot(look=lambda self, _: Waver.look(self, "eye")), "an unknown camera is", "accepted"),
        (robot(start=careless), "an unknown skill is refused", "accepted"),
        (robot(start=careless), "a wrong number of arguments", "accepted"),
        (robot(start=careless), "a second skill is refused", "accepted"),
        (robot(start=lambda self, a: {}[a]), "an unknown skill is refused", "KeyError"),
        (robot(Endless), "a skill runs to its end", "time limit"),
        (robot(Wordless), "a skill runs to its end", "give a SkillReport"),
        (robot(Forgetful), "a skill runs to its end", "something_else"),
        (robot(Directionless), "a skill runs to its end", "finite error"),
        (robot(Backwards), "the clock goes on and never back", "went back"),
        (robot(Timeless), "the clock goes on and never back", "stood still"),
        (robot(Silent), "the report says how it ended", "does not say why"),
        (robot(Infinite), "the report says how it ended", "finite"),
        (robot(Infinite), "the report has a JSON form", "not finite"),
        (robot(Odd), "the report has a JSON form", "expected a tuple"),
        (robot(Restless), "after its end a skill stays ended", "must return False"),
        (robot(Stubborn), "cancel ends a skill within one step", "must return False"),
        (robot(Slow), "cancel ends a skill within one step", "must return False"),
        (robot(Mumbling), "cancel ends a skill within one step", "does not say why"),
        (robot(Miscoded), "cancel ends a skill within one step", "the code cancelled"),
        (robot(stop=lambda self: None), "stop cancels what runs", "no report"),
    ],
)
def test_each_broken_promise_is_found_and_says_what_to_do(
    factory: Callable[[], Any], check: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("regrasp.core.conformance.MAX_STEPS", 50)
    found = {name: said for name, said in failed(factory).items() if name.startswith(check)}
    assert found, f"{check} passed"
    assert all(advice in said for said in found.values()), found


def test_an_unknown_name_must_be_answered_with_the_valid_ones() -> None:
    def look(self: Waver, camera: str) -> Any:
        if camera != "eye":
            raise RegraspError("no.")
        return Waver.look(self, camera)

    found = failed(robot(look=look))
    assert list(found) == ["an unknown camera is refused with the valid ones"]
    assert "does not name eye" in found["an unknown camera is refused with the valid ones"]
