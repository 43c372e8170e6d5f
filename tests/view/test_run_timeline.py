"""The timeline of a trace has the right entries, each with what led to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import Recorder, asked_back, declined, dropped, kitchen

from regrasp.core.action import Action
from regrasp.core.claim import ClaimResult
from regrasp.core.event import (
    ConstraintViolated,
    Disturbed,
    FactGrounded,
    FeedbackGiven,
    GoalUnderstood,
    ImageTaken,
    Judged,
    PersonAsked,
    PlanMade,
    Remark,
    RunEnded,
    RunStarted,
    SkillStarted,
    StepStarted,
)
from regrasp.core.outcome import Outcome
from regrasp.core.trace import read_trace
from regrasp.view.attempts import StepStatus, attempts
from regrasp.view.calls import by_model, by_purpose, total
from regrasp.view.descriptions import Tone, span, summarise_run
from regrasp.view.run_timeline import RunTimeline, build_timeline
from regrasp.view.timeline import headline
from regrasp.view.timeline_entries import (
    Computation,
    Ending,
    QuestionRound,
    StepExecution,
    Watched,
    WatchPeriod,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunTimeline:
    folder = tmp_path_factory.mktemp("run")
    kitchen(folder)
    return build_timeline(read_trace(folder))


def timeline_of(folder: Path) -> RunTimeline:
    return build_timeline(read_trace(folder))


def started(record: Recorder) -> None:
    record.write(RunStarted("kitchen", "apple", 0, "find the apple", "replan", {}))


def test_it_goes_from_plan_to_replan(run: RunTimeline) -> None:
    kinds = [type(entry.what) for entry in run.entries]
    assert kinds == [
        QuestionRound, PlanMade, StepExecution, QuestionRound, FeedbackGiven, QuestionRound,
        PlanMade, StepExecution, StepExecution, StepExecution, QuestionRound, Ending,
    ]  # fmt: skip


def test_each_entry_has_the_calls_that_led_to_it(run: RunTimeline) -> None:
    purposes = [[call.purpose for call in entry.calls] for entry in run.entries]
    assert purposes[:5] == [
        ["look", "look"], ["plan"], ["eyes or arm", "rewards"], ["look"], ["wrong names"]
    ]  # fmt: skip
    assert purposes[-2:] == [["look", "completed"], []]
    assert sum(map(len, purposes)) == len(run.calls)


def test_each_entry_has_what_was_in_sight(run: RunTimeline) -> None:
    looks = [[look.camera for look in entry.looks] for entry in run.entries]
    assert looks[0] == looks[1] == looks[2] == ["front", "side"]
    assert run.entries[0].looks != run.entries[3].looks
    assert looks[-1] == ["front"]


def test_a_trial_knows_its_motion_and_its_stages(run: RunTimeline) -> None:
    execution = run.entries[2].what
    assert isinstance(execution, StepExecution) and execution.failed and not execution.under_way
    (motion,) = execution.motions
    assert [(stage.name, stage.seconds) for stage in motion.stages] == [
        ("reach", 1.0),
        ("pull", 1.5),
    ]
    assert (motion.stages[0].first, motion.stages[0].last) == (1.0, 0.5)
    assert (run.entries[2].began.sim_s, run.entries[2].ended.sim_s) == (0.0, 3.0)


def test_an_answer_that_was_wrong_is_marked_where_it_was_given(run: RunTimeline) -> None:
    first, again = run.entries[0].what, run.entries[5].what
    assert isinstance(first, QuestionRound) and isinstance(again, QuestionRound)
    assert [question.truth for question in first.questions] == ["", ""]
    assert [(q.answer, q.truth) for q in again.questions] == [("no", "yes")]


def test_the_attempts_say_what_became_of_each_step(run: RunTimeline) -> None:
    first, second = attempts(run)
    assert [step.status for step in first.steps] == [StepStatus.FAILED, StepStatus.NOT_TRIED]
    assert first.steps[0].causes == ("kettle is blocking microwave",)
    assert (first.status, second.status) == (StepStatus.FAILED, StepStatus.DONE)
    assert [step.status for step in second.steps] == [StepStatus.DONE] * 3
    assert [step.entry for step in second.steps] == [7, 8, 9]


def test_a_step_that_nobody_planned_hangs_under_the_one_it_came_from(tmp_path: Path) -> None:
    record = Recorder(tmp_path)
    started(record)
    record.write(PlanMade("goal", "", ("Look at the cube", "Lift the cube")))
    record.write(StepStarted("Look at the cube", "camera"), StepStarted("Turn the cube", "arm"))
    record.write(StepStarted("Lift the cube", "arm"), RunEnded(Outcome.SUCCEEDED))
    (attempt,) = attempts(timeline_of(tmp_path))
    assert [step.step for step in attempt.steps] == ["Look at the cube", "Lift the cube"]
    assert [step.step for step in attempt.steps[0].then] == ["Turn the cube"]


def test_a_command_is_the_step_that_was_planned_in_other_words(tmp_path: Path) -> None:
    record = Recorder(tmp_path)
    started(record)
    record.write(
        PlanMade("goal", "", ("get(gin, shelf)", "pour(gin, glass, 40)", "put(gin, shelf)"))
    )
    record.write(StepStarted("get gin from shelf", "arm"), StepStarted("unscrew gin", "arm"))
    record.write(StepStarted("pour gin into glass 40", "arm"), RunEnded(Outcome.FAILED))
    (attempt,) = attempts(timeline_of(tmp_path))
    assert [step.step for step in attempt.steps] == [
        "get gin from shelf", "pour gin into glass 40", "put(gin, shelf)",
    ]  # fmt: skip
    assert [step.step for step in attempt.steps[0].then] == ["unscrew gin"]
    assert attempt.steps[2].status is StepStatus.NOT_TRIED


def test_costs_add_up(run: RunTimeline) -> None:
    oracle, scripted = by_model(run.calls)
    assert (oracle.model, oracle.calls) == ("oracle", 5)
    assert (scripted.prompt_tokens, scripted.usd) == (600, pytest.approx(0.06))
    assert total(run.calls).calls == len(run.calls) == 11
    assert sum(row.calls for row in by_purpose(run.calls)) == 11


class TestVerdict:
    @pytest.mark.parametrize(
        ("claimed", "judged", "word", "tone", "said"),
        [
            (Outcome.SUCCEEDED, True, "Done", Tone.GOOD, "agrees."),
            (Outcome.SUCCEEDED, False, "Not done", Tone.BAD, "does not: the task is not done."),
            (Outcome.FAILED, True, "Reached, not claimed", Tone.BAD, "does not: the task is done."),
            (Outcome.FAILED, False, "Not done", Tone.BAD, "agrees."),
            (Outcome.TIMED_OUT, False, "Not done", Tone.BAD, "agrees."),
            (Outcome.SUCCEEDED, None, "Done, by its own claim", Tone.UNSURE, "not checked"),
            (Outcome.ABORTED, None, "Stopped", Tone.UNSURE, "stopped: why."),
            (Outcome.BROKEN, None, "Broken", Tone.BAD, "fault of Regrasp"),
        ],
    )
    def test_claim_and_truth_are_held_against_each_other(
        self,
        tmp_path: Path,
        claimed: Outcome,
        judged: bool | None,
        word: str,
        tone: Tone,
        said: str,
    ) -> None:
        record = Recorder(tmp_path)
        started(record)
        if judged is not None:
            record.write(Judged(judged))
        record.write(RunEnded(claimed, "why"))
        found = summarise_run(timeline_of(tmp_path))
        assert (found.word, found.tone) == (word, tone)
        assert said in " ".join(found.sentences)

    @pytest.mark.parametrize("result", ClaimResult)
    def test_the_claim_is_shown_as_it_was_made(self, tmp_path: Path, result: ClaimResult) -> None:
        done = result is not ClaimResult.NOT_DONE
        record = Recorder(tmp_path)
        started(record)
        record.write(RunEnded(Outcome.SUCCEEDED if done else Outcome.FAILED, "why", str(result)))
        found = summarise_run(timeline_of(tmp_path))
        assert found.sentences[0] == f"The robot's claim: {result}: why."
        word = f"{str(result).capitalize()}, by its own claim" if done else "Given up"
        assert found.word == word

    def test_a_killed_run_says_where_it_stops(self, tmp_path: Path) -> None:
        record = Recorder(tmp_path)
        started(record)
        record.write(StepStarted("Open the door", "arm"))
        record.seconds = 2.5
        record.write(SkillStarted(Action("follow_reward", ("x",))))
        found = timeline_of(tmp_path)
        said = " ".join(summarise_run(found).sentences)
        assert "killed before it ended" in said
        assert "2.5 s into the robot's time, in the middle of “Open the door”" in said
        (attempt,) = attempts(found)
        assert [step.status for step in attempt.steps] == [StepStatus.UNDER_WAY]

    def test_a_remark_in_the_middle_of_a_motion_does_not_break_it(self, tmp_path: Path) -> None:
        record = Recorder(tmp_path)
        started(record)
        record.write(SkillStarted(Action("rest")), Remark("by the way"))
        record.move(Action("rest"), 1.0)
        trials = [
            m.what for m in timeline_of(tmp_path).entries if isinstance(m.what, StepExecution)
        ]
        assert trials[-1].motions[-1].report is not None

    def test_a_situation_stands_after_the_action_it_befell(self, tmp_path: Path) -> None:
        record = Recorder(tmp_path)
        started(record)
        grasp = Action("grasp", ("mug",))
        record.write(SkillStarted(grasp), Disturbed(grasp, "it slips out of the hand and falls"))
        record.move(grasp, 1.0)
        entries = timeline_of(tmp_path).entries
        befell = next(m for m in entries if isinstance(m.what, Disturbed))
        assert isinstance(entries[entries.index(befell) - 1].what, StepExecution)
        assert headline(befell) == "it slips out of the hand and falls"


def test_a_goal_and_a_question_to_the_person_are_entries_of_their_own(tmp_path: Path) -> None:
    asked_back(tmp_path)
    run = timeline_of(tmp_path)
    kinds = [type(entry.what) for entry in run.entries]
    assert kinds == [
        GoalUnderstood, QuestionRound, PersonAsked, PlanMade, StepExecution, Ending
    ]  # fmt: skip
    assert [call.purpose for call in run.entries[0].calls] == ["goal"]
    assert headline(run.entries[0]) == "the cube is on the crate"
    assert headline(run.entries[2]) == "Which cube do you mean?"


@pytest.mark.parametrize(
    ("result", "goal", "word", "sentence"),
    [
        (
            ClaimResult.SEEN,
            "on(a, b)",
            "Done and seen, by its own claim",
            "claim: done and seen: x.",
        ),
        (
            ClaimResult.NOT_SEEN,
            "on(a, b)",
            "Done, not seen, by its own claim",
            "claim: done, not seen: x.",
        ),
        (ClaimResult.NOT_DONE, "on(a, b)", "Given up", "The robot's claim: not done: x."),
        (ClaimResult.SEEN, "ask which(each cup)", "Answered", "The robot answers: x."),
    ],
)
def test_a_claim_has_one_of_three_results(
    tmp_path: Path, result: ClaimResult, goal: str, word: str, sentence: str
) -> None:
    record = Recorder(tmp_path)
    started(record)
    record.write(GoalUnderstood("find the apple", (goal,), "it is found", 0.9))
    if not goal.startswith("ask"):
        record.write(StepStarted("Find it", "arm"))
    outcome = Outcome.FAILED if result is ClaimResult.NOT_DONE else Outcome.SUCCEEDED
    record.write(RunEnded(outcome, "x", result))
    summary = summarise_run(timeline_of(tmp_path))
    assert summary.word == word
    assert sentence in summary.sentences[0]


def test_an_instruction_that_is_declined_is_not_one_that_was_given_up(tmp_path: Path) -> None:
    declined(tmp_path)
    summary = summarise_run(timeline_of(tmp_path))
    assert (summary.word, summary.tone) == ("Declined", Tone.UNSURE)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.6, "1 min 00 s"), (118.2, "1 min 58 s")],
)
def test_a_span_of_time_is_read_at_a_glance(seconds: float, said: str) -> None:
    assert span(seconds) == said


def test_a_monitor_is_told_by_what_it_watched_and_what_it_was_told(tmp_path: Path) -> None:
    dropped(tmp_path)
    run = timeline_of(tmp_path)
    kinds = [type(entry.what) for entry in run.entries]
    assert kinds == [
        PlanMade,
        StepExecution,
        WatchPeriod,
        Disturbed,
        ConstraintViolated,
        FeedbackGiven,
        Ending,
    ]
    watch, alarm = run.entries[2], run.entries[4]
    question = "Is the robot holding the block?"
    answers = (("yes", 1), ("no", 2))
    assert watch.what == WatchPeriod((Watched("block is held", question, answers, wrong=1),))
    assert len(watch.calls) == 3
    assert headline(alarm) == "block is not held"


def test_a_watch_shows_what_was_seen_first_and_an_alarm_what_was_seen_last(tmp_path: Path) -> None:
    dropped(tmp_path)
    run = timeline_of(tmp_path)
    looks = [e.image for e in read_trace(tmp_path).events if isinstance(e, ImageTaken)]
    assert [look.image for look in run.entries[2].looks] == looks[:2]
    assert [look.image for look in run.entries[4].looks] == looks[-2:]


def test_an_alarm_leaves_the_stopped_motion_whole(tmp_path: Path) -> None:
    dropped(tmp_path)
    run = timeline_of(tmp_path)
    execution = run.entries[1].what
    assert isinstance(execution, StepExecution)
    assert execution.motions[0].report is not None
    (attempt,) = attempts(run)
    assert [step.causes for step in attempt.steps] == [("block is not held",)]

    def test_facts_computed_together_are_one_entry_with_their_own_pictures(
        self, tmp_path: Path
    ) -> None:
        record = Recorder(tmp_path)
        started(record)
        path = ImageTaken("evidence of find(book)", "ab" * 32, 8, 8)
        record.write(path, FactGrounded("find(book)", True, "a path of 2 m leads to it."))
        record.write(FactGrounded("at(book)", False, "the base is 2 m from it."))
        record.write(PlanMade("fetch the book", "It is far.", ("move to the book",)))
        record.seconds = 4.0
        record.write(FactGrounded("at(book)", True, "the base is 0.4 m from it."))
        entries = [
            one for one in timeline_of(tmp_path).entries if isinstance(one.what, Computation)
        ]
        assert [headline(one) for one in entries] == ["find(book); not at(book)", "at(book)"]
        assert [len(one.looks) for one in entries] == [1, 0]
        plan = next(m for m in timeline_of(tmp_path).entries if isinstance(m.what, PlanMade))
        assert plan.looks == ()
