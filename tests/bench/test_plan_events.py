"""What a record has of plans: counted from the trace, and judged by the judge alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up import failed, record

from regrasp.bench.layout import EpisodeNote, episode_path, finish, new_draft
from regrasp.bench.plan_events import ignored_failures, judged_values, named_obstacles
from regrasp.bench.reading import read_record
from regrasp.bench.record import EpisodeKey, EpisodeRecord, NamedObstacle
from regrasp.core.action import Action
from regrasp.core.event import (
    Event,
    Judged,
    ModelCalled,
    PlanMade,
    ReplanLevel,
    Replanned,
    RunEnded,
    SkillEnded,
)
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Clock, TraceWriter

KEY = EpisodeKey("made-up", "one", "a", "scripted", "oracle", 3)
BEFORE = ("stood_before(salt_bottle, ham_bowl)", "stood_before(oil_bottle, ham_bowl)")


def hit(thing: str, *names: str, code: FailureCode = FailureCode.COLLISION) -> SkillEnded:
    evidence = tuple(Evidence("would_hit", name) for name in names)
    feedback = Feedback(FeedbackLevel.PHYSICAL, code, "It failed.", evidence=evidence)
    action = Action("get", (thing, "table"))
    return SkillEnded(SkillReport(action, Outcome.FAILED, 1.0, feedback))


def read(tmp_path: Path, *events: Event) -> EpisodeRecord:
    draft = new_draft(tmp_path, KEY)
    with TraceWriter(draft, Clock(lambda: 1.0, lambda: 2.0)) as trace:
        for event in events:
            trace.write(event)
    finish(draft, tmp_path, EpisodeNote(KEY, 5.0, 4.0, "", ""))
    return read_record(tmp_path / episode_path(KEY), tmp_path)


def called(verdict: str, seconds: float) -> ModelCalled:
    return ModelCalled("m", "p", "0", (), ("text",), verdict=verdict, wall_latency_s=seconds)


def test_new_plans_are_counted_by_level_and_only_the_language_model_plans(tmp_path: Path) -> None:
    wrong = Feedback(FeedbackLevel.LOGICAL, FailureCode.UNMET_PRECONDITION, "It is capped.")
    plan = PlanMade("a drink", "", ("pour",))
    found = read(
        tmp_path,
        called("", 0.5), plan, Replanned(ReplanLevel.MID, "pour", wrong),
        Replanned(ReplanLevel.MID, "put", wrong), called("yes", 9.0),
        Replanned(ReplanLevel.HIGH, "get", wrong), called("", 0.25), plan,
        Judged(False, ("missing(rum)", "missing(mint)", "ordered(mojito)", "superfluous(gin)")),
        RunEnded(Outcome.SUCCEEDED, "", "done, not seen"),
    )  # fmt: skip
    assert (found.plans, found.high_replans, found.mid_replans) == (2, 1, 2)
    assert (found.language_calls, found.language_s) == (2, 0.75)
    assert found.executable and not found.succeeded
    assert found.ordered == "mojito"
    assert (found.missing, found.superfluous) == (("rum", "mint"), ("gin",))


@pytest.mark.parametrize(
    ("episode", "executable"),
    [
        (record(plans=6, high_replans=5), True),
        (record(plans=7, high_replans=6), False),
        (record(plans=0), False),  # the agent only answered
        (failed(plans=1), False),  # the agent gave up
        (record(plans=1, ignored_failures=1), False),  # the agent does not look at reports
        (failed(plans=1, claimed=True), True),  # carried out, and the result is wrong
    ],
)
def test_a_plan_is_executable_to_its_end_within_five_new_plans(
    episode: EpisodeRecord, executable: bool
) -> None:
    assert episode.executable is executable


def test_a_failed_skill_is_ignored_unless_a_new_plan_follows() -> None:
    lost, plan = hit("cup"), PlanMade("a drink", "", ("get",))
    wrong = lost.report.feedback
    assert wrong is not None
    up = Replanned(ReplanLevel.HIGH, "get", wrong)
    mended = Replanned(ReplanLevel.MID, "get", wrong)
    assert ignored_failures([plan, lost, up]) == ignored_failures([plan, lost, plan]) == 0
    assert ignored_failures([plan, lost, lost, PlanMade("a drink", "nothing to do", ())]) == 2
    assert ignored_failures([plan, lost, plan, lost, mended]) == 1


def test_what_the_robot_names_is_compared_with_what_stood_there() -> None:
    assert named_obstacles([hit("ham_bowl", "salt_bottle", "oil_bottle")], BEFORE) == (
        NamedObstacle("get(ham_bowl, table)", "salt_bottle, oil_bottle", True),
    )
    (other,) = named_obstacles([hit("ham_bowl", "salt_bottle", "feta_bowl")], BEFORE)
    (nothing,) = named_obstacles([hit("ham_bowl")], BEFORE)
    assert not other.true and not nothing.true


def test_only_the_first_report_on_a_blocked_object_counts() -> None:
    first, later = hit("ham_bowl", "salt_bottle"), hit("ham_bowl", "first_plate")
    unjudged = hit("egg_bowl", "salt_bottle")
    limit = hit("ham_bowl", "tray", code=FailureCode.JOINT_LIMIT)
    (found,) = named_obstacles([unjudged, limit, first, later], BEFORE)
    assert found.named == "salt_bottle"


def test_facts_of_another_predicate_are_no_values() -> None:
    assert judged_values(("missing_cap(gin)", "missing(rum)"), "missing") == ("rum",)
