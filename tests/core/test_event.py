"""Events: each round-trips through JSON under its own tag."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.core.action import Action
from regrasp.core.codec import CodecError, JsonValue
from regrasp.core.errors import UnknownNameError
from regrasp.core.event import (
    EVENT_KINDS,
    AnswerChecked,
    CommandChecked,
    ConstraintsWatched,
    ConstraintViolated,
    Disturbed,
    Event,
    FactGrounded,
    FeedbackGiven,
    Forked,
    GoalUnderstood,
    ImageTaken,
    Judged,
    Layer,
    LayerMessage,
    ModelCalled,
    PersonAsked,
    PlanMade,
    Remark,
    ReplanLevel,
    Replanned,
    RunEnded,
    RunStarted,
    ShownMessage,
    SkillEnded,
    SkillProgress,
    SkillStarted,
    StepStarted,
    VisionAsked,
    event_from_json,
    event_to_json,
)
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport

finite = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(-(2**63) + 1, 2**63 - 1)
texts = st.text(max_size=20)
some_texts = st.lists(texts, max_size=3).map(tuple)
actions = st.builds(Action, texts, st.lists(texts, max_size=3).map(tuple))
evidence = st.lists(st.builds(Evidence, texts, finite | texts, texts), max_size=3).map(tuple)
feedback = st.builds(
    Feedback,
    st.sampled_from(FeedbackLevel),
    st.sampled_from(FailureCode),
    texts,
    texts,
    texts,
    evidence,
)
reports = st.builds(SkillReport, actions, st.sampled_from(Outcome), finite, st.none() | feedback)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(RunStarted, texts, texts, whole, texts, texts, st.dictionaries(texts, texts)),
    st.builds(SkillStarted, actions),
    st.builds(SkillProgress, texts, finite, evidence),
    st.builds(SkillEnded, reports),
    st.builds(Disturbed, actions, texts),
    st.builds(ImageTaken, texts, texts, whole, whole),
    st.builds(
        ModelCalled,
        texts,
        texts,
        texts,
        st.lists(st.builds(ShownMessage, texts, texts, some_texts), max_size=2).map(tuple),
        some_texts,
        texts,
        st.none() | finite,
        some_texts,
        whole,
        whole,
        whole,
        finite,
        finite,
        texts,
        texts,
    ),
    st.builds(GoalUnderstood, texts, some_texts, texts, finite, some_texts, some_texts),
    st.builds(PersonAsked, texts, some_texts, texts),
    st.builds(PlanMade, texts, texts, some_texts, some_texts),
    st.builds(StepStarted, texts, texts),
    st.builds(LayerMessage, st.sampled_from(Layer), st.sampled_from(Layer), texts),
    st.builds(CommandChecked, texts, st.none() | feedback),
    st.builds(Replanned, st.sampled_from(ReplanLevel), texts, feedback, some_texts, some_texts),
    st.builds(VisionAsked, texts, texts, texts),
    st.builds(FeedbackGiven, texts, feedback),
    st.builds(ConstraintsWatched, some_texts, some_texts),
    st.builds(ConstraintViolated, actions, some_texts, some_texts),
    st.builds(AnswerChecked, texts, texts, texts, texts, finite),
    st.builds(Forked, texts, texts, whole, st.dictionaries(texts, texts)),
    st.builds(Judged, st.booleans(), st.lists(texts, max_size=3).map(tuple)),
    st.builds(FactGrounded, texts, st.booleans(), texts),
    st.builds(Remark, texts),
    st.builds(RunEnded, st.sampled_from(Outcome), texts, texts),
)

EXAMPLES: tuple[Event, ...] = (
    RunStarted("cabinet", "2", 7, "open the door", "replan", {"regrasp": "0.1.0"}),
    SkillStarted(Action("open", ("microwave",))),
    SkillProgress("approach", 0.42, (Evidence("palm_distance", 0.04, "m"),)),
    SkillEnded(SkillReport(Action("open", ("microwave",)), Outcome.SUCCEEDED, 2.7)),
    Disturbed(Action("grasp", ("mug",)), "it slips out of the hand and falls"),
    ImageTaken("front", "ab" * 32, 224, 224),
    ModelCalled(
        "scripted", "plan", "cd" * 32, (ShownMessage("user", "go", ("ab" * 32,)),), ("1. Go.",)
    ),
    GoalUnderstood(
        "put the cube on the crate", ("on(the cube, crate)",), "the cube is on the crate", 0.9
    ),
    PersonAsked("Which cube do you mean?", ("red_cube", "yellow_cube"), "red_cube"),
    PlanMade("find the apple", "It may be inside.", ("Open the microwave",)),
    StepStarted("Open the microwave", "arm"),
    LayerMessage(Layer.INTERPRETER, Layer.SPECIFIER, "make a mojito"),
    CommandChecked("get(mug, shelf)"),
    Replanned(
        ReplanLevel.MID,
        "get(mug, fridge)",
        Feedback.refused_plan("get(mug, fridge) cannot be done", ("fridge is not open",)),
        ("a closed container is opened",),
        ("open_door(fridge)", "get(mug, fridge)"),
    ),
    VisionAsked("Look inside the microwave", "Do you see the apple?", "yes"),
    FeedbackGiven(
        "Open the microwave",
        Feedback.misalignment("it did not follow", ("kettle is blocking microwave",)),
    ),
    ConstraintsWatched(
        ("red_block is held by the robot",), ("Is the robot holding the red_block?",)
    ),
    ConstraintViolated(
        Action("place", ("red_block", "fixture")),
        ("red_block is not held by the robot",),
        ("Is the robot holding the red_block?",),
    ),
    AnswerChecked("open", "Is the microwave open?", "yes", "no", 3.5),
    Judged(True, ("open(microwave)",)),
    Forked("../0", "ef" * 32, 12, {"llm": "scripted"}),
    FactGrounded("graspable(book)", True, "12 grasps."),
    Remark("hello"),
    RunEnded(Outcome.SUCCEEDED, "the door is open", "done and seen"),
)


@settings(deadline=None)
@given(events)
def test_every_event_round_trips(event: Event) -> None:
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


def test_the_examples_cover_every_kind() -> None:
    assert [type(event) for event in EXAMPLES] == list(EVENT_KINDS.values())


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.kind)
def test_every_event_has_a_tag_of_its_own_and_prints_as_a_sentence(event: Event) -> None:
    form = event_to_json(event)
    assert form["kind"] == event.kind
    assert EVENT_KINDS[event.kind] is type(event)
    assert "kind" not in {field.name for field in fields(event)}  # the tag would hide it
    assert str(event).startswith(event.kind.replace("_", " "))


def test_feedback_keeps_its_reasons_apart_and_its_error() -> None:
    given = FeedbackGiven("Open the door", Feedback.misalignment("stuck", ("a kettle", "a lock")))
    assert event_from_json(event_to_json(given)) == given
    assert (given.feedback.reasons, given.feedback.error) == (("a kettle", "a lock"), "stuck")
    assert str(given) == "feedback: Open the door failed because a kettle; a lock"
    assert Feedback.misalignment("stuck", ()).reasons == ()


@pytest.mark.parametrize(
    ("old", "now"),
    [
        (
            {"kind": "reasoned", "failed": "Open", "causes": ["a kettle", "a lock"], "robot": "x"},
            FeedbackGiven("Open", Feedback.misalignment("x", ("a kettle", "a lock"))),
        ),
        (
            {"kind": "reasoned", "failed": "Open", "causes": [], "robot": ""},
            FeedbackGiven("Open", Feedback.misalignment("", ())),
        ),
        (
            {"kind": "step_started", "step": "Look inside", "by": "eyes"},
            StepStarted("Look inside", "camera"),
        ),
        (
            {"kind": "step_started", "step": "Open", "by": "arm"},
            StepStarted("Open", "arm"),
        ),
        (
            {
                "kind": "skill_ended",
                "report": {
                    "action": {"name": "open", "args": ["door"]},
                    "outcome": "failed",
                    "seconds": 2.5,
                    "feedback": {
                        "kind": "physical",
                        "code": "resisted",
                        "error": "It did not follow.",
                        "reason": "",
                        "suggestion": "Pull harder.",
                        "evidence": [{"name": "force", "value": 42.0, "unit": "N"}],
                    },
                },
            },
            SkillEnded(
                SkillReport(
                    Action("open", ("door",)),
                    Outcome.FAILED,
                    2.5,
                    Feedback(
                        FeedbackLevel.PHYSICAL,
                        FailureCode.RESISTED,
                        "It did not follow.",
                        suggestion="Pull harder.",
                        evidence=(Evidence("force", 42.0, "N"),),
                    ),
                )
            ),
        ),
        (
            {
                "kind": "disturbed",
                "action": {"name": "pick", "args": ["cube"]},
                "mishap": "it slips",
            },
            Disturbed(Action("pick", ("cube",)), "it slips"),
        ),
        (
            {"kind": "run_ended", "outcome": "failed", "reason": "enough"},
            RunEnded(Outcome.FAILED, "enough"),
        ),
    ],
    ids=[
        "reasoned", "reasoned without causes", "by eyes", "by arm", "feedback kind", "mishap",
        "no claim",
    ],
)  # fmt: skip
def test_an_event_of_an_earlier_schema_is_read_as_it_is_written_now(
    old: dict[str, JsonValue], now: Event
) -> None:
    assert event_from_json(old) == now
    assert event_from_json(event_to_json(now)) == now


def test_an_unknown_kind_names_the_valid_ones() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'skill_ended'") as caught:
        event_from_json({"kind": "skill_endet"})
    assert set(caught.value.valid) == set(EVENT_KINDS)


@pytest.mark.parametrize("data", [None, 3, [], "looked", {}, {"kind": None}, {"kind": ["looked"]}])
def test_what_is_no_event_is_refused(data: object) -> None:
    with pytest.raises(CodecError):
        event_from_json(data)  # type: ignore[arg-type]


def test_an_error_names_the_path_from_the_event_down() -> None:
    form = json.loads(json.dumps(event_to_json(EXAMPLES[3])))
    form["report"]["seconds"] = "long"
    with pytest.raises(CodecError, match=r"^SkillEnded\.report\.seconds: expected a float"):
        event_from_json(form)


def test_only_events_are_written() -> None:
    with pytest.raises(CodecError, match="not an event"):
        event_to_json(Action("open"))  # type: ignore[arg-type]
