"""DoReMi on the walker: a box that slips and an obstacle in the way stop it while it walks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from regrasp.core.answer import Verdict
from regrasp.core.event import ConstraintViolated, Disturbed, FeedbackGiven, PlanMade
from regrasp.core.trace import TraceEntry, read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.methods.registry import open_method
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, VisionModel
from regrasp.worlds.disturbance import Disturbance


def watched(
    out: Path,
    task: str,
    seed: int,
    limit_s: float,
    method: str = "doremi",
    vision: Callable[[VisionModel], VisionModel] = lambda perfect: perfect,
) -> tuple[TraceEntry, ...]:
    """What happened in the first seconds."""
    spec = EpisodeSpec(
        WorldTask("walker_room", task, seed),
        open_method(method),
        method,
        ScriptedModel(),
        lambda setting: vision(oracle_factory()(setting)),
        recording=Recording(video=False, size=(16, 12)),
        limit_s=limit_s,
    )
    run_episode(spec, out)
    return tuple(read_trace(out).entries)


def test_a_box_that_slips_stops_the_walk_and_is_taken_from_the_floor(tmp_path: Path) -> None:
    luck = Disturbance(p=0.2)
    seed = next(s for s in range(100) if 4.5 < luck.hold_s(s, 0) < 5.5)
    entries = watched(tmp_path, "move-box:p=0.2", seed, 19.0)
    fell = next(e.stamp.sim_s for e in entries if isinstance(e.event, Disturbed))
    noticed = next(e for e in entries if isinstance(e.event, ConstraintViolated))
    assert 0.25 < noticed.stamp.sim_s - fell < 0.5
    plans = [e.event.steps for e in entries if isinstance(e.event, PlanMade)]
    assert plans[0][0] == "go_to(white_table)"
    assert plans[1][0].startswith("pick_up_from_floor(")
    assert plans[1][1] == "go_to(gray_table)"


def test_an_obstacle_stops_the_walk_and_it_turns_away(tmp_path: Path) -> None:
    entries = watched(tmp_path, "obstacle-forest:d=0.6", 3, 9.5)
    (noticed,) = [e for e in entries if isinstance(e.event, ConstraintViolated)]
    (found,) = noticed.event.found
    away = {"left": "right", "right": "left"}[found.split()[5]]
    assert found == f"the way ahead on the {found.split()[5]} is not clear"
    assert noticed.stamp.sim_s < 9.5
    plans = [e.event.steps for e in entries if isinstance(e.event, PlanMade)]
    assert plans == [("go_forward(gate)",), (f"turn_{away}()", "go_forward(gate)")]


@dataclass
class Blinking:
    """A vision model that says no to a question, so many times."""

    inner: VisionModel
    left: int
    about: str = "on the floor"
    name = "blinking"

    def answer(self, images: Sequence[ImageData], question: str, **more: Any) -> Answer:
        said = self.inner.answer(images, question, **more)
        if self.about not in question or self.left == 0:
            return said
        self.left -= 1
        return replace(said, verdict=Verdict.NO)


def test_what_fell_is_seen_to_lie_there_before_it_is_picked_up(tmp_path: Path) -> None:
    entries = watched(tmp_path, "move-box:p=0.02", 802, 21.0, vision=partial(Blinking, left=4))
    (noticed,) = [e.stamp.sim_s for e in entries if isinstance(e.event, ConstraintViolated)]
    plans = [e for e in entries if isinstance(e.event, PlanMade)]
    assert plans[1].event.steps[0] == "pick_up_from_floor(purple_box)"
    assert 0.25 < plans[1].stamp.sim_s - noticed < 0.45, "four looks, the first of them at once"


def test_what_is_nowhere_to_be_seen_may_be_in_its_hands_after_all(tmp_path: Path) -> None:
    blinking = partial(Blinking, left=4, about="holding")
    entries = watched(tmp_path, "move-box", 802, 18.0, vision=blinking)
    alarms = [entry for entry in entries if isinstance(entry.event, ConstraintViolated)]
    plans = [entry.event.steps for entry in entries if isinstance(entry.event, PlanMade)]
    assert len(alarms) == 1 and alarms[0].event.found == ("purple_box is not held by the robot",)
    assert plans[1:] == [("go_to(gray_table)", "put_down(purple_box, gray_table)")]


def test_what_it_only_concluded_it_looks_at_before_it_says_done(tmp_path: Path) -> None:
    """Not on the floor, a box that fell before the table would be on it; it is not there either."""
    entries = watched(tmp_path, "move-box:p=0.02", 802, 24.5, vision=partial(Blinking, left=40))
    events = [entry.event for entry in entries]
    plans = [event.steps for event in events if isinstance(event, PlanMade)]
    given = [event.feedback for event in events if isinstance(event, FeedbackGiven)]
    reasons = [reason for feedback in given for reason in feedback.reasons]
    assert "purple_box is not on floor" in reasons and ("done",) in plans
    assert "purple_box is not on gray_table" in reasons
    assert plans[plans.index(("done",)) + 1][0] == "pick_up_from_floor(purple_box)"


def test_where_a_conclusion_is_not_to_be_seen_it_looks_around(tmp_path: Path) -> None:
    """The box fell back on the first table, and it walked to the second without it."""
    entries = watched(tmp_path, "move-box:p=0.04", 5119, 32.0, "inner-monologue")
    plans = [entry.event.steps for entry in entries if isinstance(entry.event, PlanMade)]
    assert plans[-1][:2] == ("go_to(white_table)", "pick_up(green_box, white_table)")
    assert not any(plan[0].startswith("pick_up_from_floor") for plan in plans)


@dataclass
class Hopeful:
    """A vision model that sees the robot at the gate, always."""

    inner: VisionModel
    name = "hopeful"

    def answer(self, images: Sequence[ImageData], question: str, **more: Any) -> Answer:
        said = self.inner.answer(images, question, **more)
        return replace(said, verdict=Verdict.YES) if "at the gate" in question else said


def test_where_it_is_the_robot_knows_better_than_its_vision_model(tmp_path: Path) -> None:
    """Before a pillar it gets no nearer, and does not take itself to be at the gate."""
    entries = watched(tmp_path, "obstacle-forest:d=0.6", 3, 30.0, "inner-monologue", Hopeful)
    events = [entry.event for entry in entries]
    (stuck, *_) = [event for event in events if isinstance(event, FeedbackGiven)]
    assert "got no nearer" in stuck.feedback.error
    assert stuck.feedback.reasons == ("the robot is not at gate",)
    plans = [event.steps for event in events if isinstance(event, PlanMade)]
    assert len(plans) > 1 and ("done",) not in plans


@dataclass
class Twice:
    """A vision model that sees the box on the floor as well, until it is carried."""

    inner: VisionModel
    name = "twice"

    def answer(self, images: Sequence[ImageData], question: str, **more: Any) -> Answer:
        said = self.inner.answer(images, question, **more)
        return replace(said, verdict=Verdict.YES) if "on the floor" in question else said


def test_what_is_out_of_reach_is_not_where_it_was_thought_to_be(tmp_path: Path) -> None:
    entries = watched(tmp_path, "move-box", 1, 1.0, vision=Twice)
    events = [entry.event for entry in entries]
    plans = [event.steps for event in events if isinstance(event, PlanMade)]
    assert plans[0][0].startswith("pick_up_from_floor(")
    assert plans[1][0] == "go_to(white_table)"
