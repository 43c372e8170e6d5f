"""What the parsers forgive, and what they do not."""

from __future__ import annotations

import pytest

from regrasp.control.rewards import RewardProgram
from regrasp.core.answer import Verdict
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.prompts.ask_vision import AskVisionPrompt, VisionReply
from regrasp.prompts.completed import Completed, CompletedPrompt
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.motions import MotionLine, Relation
from regrasp.prompts.observations import Observation
from regrasp.prompts.parsing import Declined, ParseError, repair_message
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.primary_step import PrimaryStepPrompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.reward_step import RewardStepPrompt, StepChoice
from regrasp.prompts.rewards import RewardsPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.steps import Likeness, Step, Verb
from regrasp.prompts.why import WhyPrompt

SCENE = SceneDescription(
    (
        ObjectDescription(
            "chest",
            affordances=(Affordance.OPEN, Affordance.PUT_IN),
            joints=(JointDescription("chest_lid", "chest_handle"),),
            place_name="place_in_chest",
        ),
        ObjectDescription("red_ball", affordances=(Affordance.PICK,)),
        ObjectDescription("blue_ball", affordances=(Affordance.PICK,)),
        ObjectDescription("stool", affordances=(Affordance.PUT_ON,)),
    )
)
PLAN = PlanPrompt("put the red ball into the chest", SCENE)
MOTION = MotionPlanPrompt("Place the red_ball in the chest", SCENE, relocates=True)
MOTIONS = (
    MotionLine(Relation.NEAR, "palm", "red_ball"),
    MotionLine(Relation.NEAR, "red_ball", "place_in_chest"),
)
REWARDS = RewardsPrompt("Place …", MOTIONS, SCENE.places.known, SCENE.joints.known)
WANTED = (Step(Verb.OPEN, "chest"), Step(Verb.PUT_IN, "red_ball", "chest"))


@pytest.mark.parametrize(
    "reply",
    [
        "Thought: first the lid.\n1. Open the chest\n2. Place the red_ball in the chest",
        "thought: first the lid.\n1) open the Chest.\n2) put red ball into the chest",
        "<thought>first the lid.</thought>\n[start plan]\n > Open the chest\n"
        " > Move the red ball inside the chest\n[end plan]",
        "<thought>first the lid.\n\n- Open up the chest\n- Insert the red-ball into the chest",
        "**Thought:** first the lid.\n\nHere is the plan:\n* Open the chest\n"
        "* Store RED_BALL in chest\n\nBye!",
        "Open the chest\nPlace the red_ball in the chest",
    ],
)
def test_a_plan_in_many_shapes(reply: str) -> None:
    plan = PLAN.parse(reply)
    assert isinstance(plan, Plan), plan
    assert plan.steps == WANTED
    assert plan.thought in ("first the lid.", "")


def test_every_form_of_step_reads_back() -> None:
    for verb in Verb:
        step = Step(
            verb,
            "red_ball",
            "chest" if "{b}" in verb else "",
            "colour" if "{p}" in verb else "",
        )
        plan = PLAN.parse(f"1. {step}")
        assert isinstance(plan, Plan), plan
        assert plan.steps == (step,)
        assert step.action().name == verb.name.lower()


def test_remove_from_is_out_of_a_chest_and_off_a_stool() -> None:
    plan = PLAN.parse(
        "1. Remove the red ball from the chest\n2. Remove the red ball from the stool"
    )
    assert isinstance(plan, Plan)
    assert [step.verb for step in plan.steps] == [Verb.TAKE_OUT, Verb.MOVE_AWAY]


def test_a_thing_may_be_named_by_its_likeness() -> None:
    plan = PLAN.parse("1. Place the ball with the same color as the stool on the stool")
    assert isinstance(plan, Plan)
    assert plan.steps[0].object == Likeness("ball", "colour", "stool")


def test_an_unknown_name_is_an_error_that_lists_the_valid_and_the_closest() -> None:
    reply = "1. Open the chest\n2. Place the red_bal in the chest"
    error = PLAN.parse(reply)
    assert isinstance(error, ParseError)
    assert error.found == "red_bal"
    assert reply[error.span.start : error.span.end] == "red_bal"
    assert "Did you mean red_ball?" in error.hint
    assert "blue_ball" in error.hint
    assert "red_bal" in repair_message(error)


@pytest.mark.parametrize("name", ["sword", "green_ball", "ball", "the", "chest_lid_2"])
def test_names_are_never_guessed(name: str) -> None:
    assert isinstance(PLAN.parse(f"1. Pick up the {name}"), ParseError)


def test_a_plan_that_is_too_long_or_no_plan() -> None:
    too_long = "\n".join(f"{i}. Open the chest" for i in range(1, 12))
    assert isinstance(PLAN.parse(too_long), ParseError)
    assert isinstance(PLAN.parse("1. Sing a song"), ParseError)
    assert isinstance(PLAN.parse(""), ParseError)
    assert PLAN.parse("Cannot: there is no key") == Declined("there is no key")


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("yes", Verdict.YES),
        ("No.", Verdict.NO),
        ("Yes, because it looks.", Verdict.YES),
        ("It only looks.\nAnswer: yes", Verdict.YES),
        ("Let me think about it\nno", Verdict.NO),
        ("The answer is no", Verdict.NO),
        ("unknown", Verdict.UNKNOWN),
        ("I cannot tell", Verdict.UNKNOWN),
        ("Cannot: it names nothing", Verdict.UNKNOWN),
        ("**Yes**", Verdict.YES),
    ],
)
def test_yes_and_no(reply: str, verdict: Verdict) -> None:
    assert IsVisionPrompt("Look at it").parse(reply) is verdict


@pytest.mark.parametrize("reply", ["", "perhaps yes, perhaps no", "banana", "12"])
def test_a_reply_that_says_neither_or_both_is_an_error(reply: str) -> None:
    assert isinstance(IsVisionPrompt("Look at it").parse(reply), ParseError)


@pytest.mark.parametrize(
    "reply",
    [
        "1. palm close to red_ball\n2. red_ball close to place_in_chest",
        "[start of description]\n1. The manipulator's palm should move close to object1=red_ball.\n"
        "2. object1=red_ball should be close to object2=place_in_chest.\n[end of description]",
        "- Palm near the red ball\n- the red ball near place_in_chest",
    ],
)
def test_a_motion_plan_in_many_shapes(reply: str) -> None:
    assert MOTION.parse(reply) == MOTIONS


def test_a_motion_plan_that_relocates_must_say_what() -> None:
    error = MOTION.parse("1. palm close to red_ball")
    assert isinstance(error, ParseError)
    assert "moves a thing" in error.hint
    opened = MotionPlanPrompt("Open the chest", SCENE).parse(
        "1. palm close to chest_handle\n2. joint chest_lid needs to be open"
    )
    assert opened == (
        MotionLine(Relation.NEAR, "palm", "chest_handle"),
        MotionLine(Relation.OPEN, "chest_lid"),
    )


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("joint chest open", "chest"),
        ("palm close to moon", "moon"),
        ("red_ball close to red_ball", "red_ball close to red_ball"),
        ("red_ball at height 99 m", "red_ball at height 99 m"),
        ("dance", "dance"),
    ],
)
def test_a_wrong_motion_is_an_error_in_its_place(line: str, found: str) -> None:
    error = MotionPlanPrompt("Open the chest", SCENE).parse(f"1. palm close to chest\n2. {line}")
    assert isinstance(error, ParseError)
    assert error.found == found


REWARD = 'minimize_l2_distance_reward("palm", "red_ball")'


@pytest.mark.parametrize(
    "reply",
    [
        f"reset_reward()\n{REWARD}\nexecute_plan()",
        f"Sure! Here you go:\n\n{REWARD}\n\nThat moves the palm.",
        f"```python\nimport numpy as np\nreset_reward()\n{REWARD}\nexecute_plan(4)\n```",
        f"1. {REWARD}",
        f"reset_reward()\r\n{REWARD}\r\nexecute_plan()\r\n",
    ],
)
def test_rewards_in_many_shapes(reply: str) -> None:
    program = REWARDS.parse(reply)
    assert isinstance(program, RewardProgram), program
    assert str(program.terms[0]) == REWARD


def test_a_wrong_reward_is_an_error_in_its_place() -> None:
    reply = f'I move it:\n{REWARD}\n  minimize_l2_distance_reward("palm", "red_bal")'
    error = REWARDS.parse(reply)
    assert isinstance(error, ParseError)
    assert error.found == '"red_bal")'
    assert "Did you mean 'red_ball'?" in error.hint
    evil = REWARDS.parse('__import__("os").system("ls")')
    assert isinstance(evil, ParseError)
    assert REWARDS.parse("Cannot: no") == Declined("no")


@pytest.mark.parametrize(
    ("reply", "number"),
    [("Step: 2", 2), ("<step>1</step>", 1), ("step: 2 (the ball)", 2), ("Step: none", None)],
)
def test_the_step_of_a_reward(reply: str, number: int | None) -> None:
    assert RewardStepPrompt(MOTIONS, REWARD).parse(reply) == StepChoice(number)


@pytest.mark.parametrize(
    ("reply", "number"), [("<step>-1</step>", None), ("2", 2), ("<step> 1", 1)]
)
def test_the_step_of_a_reward_as_the_paper_writes_it(reply: str, number: int | None) -> None:
    assert RewardStepPrompt(MOTIONS, REWARD).parse(reply) == StepChoice(number)


@pytest.mark.parametrize("reply", ["", "Step: 3", "Step: 0", "Step: two", "perhaps 1 or 2"])
def test_no_step_is_an_error(reply: str) -> None:
    assert isinstance(RewardStepPrompt(MOTIONS, REWARD).parse(reply), ParseError)
    assert isinstance(PrimaryStepPrompt("x", MOTIONS).parse(reply), ParseError)


def test_reasons_are_at_most_two_and_name_known_things() -> None:
    prompt = ReasonsPrompt("Open the chest", SCENE, ("The red ball is on the chest",))
    assert prompt.parse("Reason: none") == ()
    assert prompt.parse("<reason>The red ball is on the chest.</reason>") == (
        "The red ball is on the chest",
    )
    three = (
        "Reason: red_ball is on chest\nReason: chest is locked\nReason: stool is in front of chest"
    )
    assert prompt.parse(three) == ("red_ball is on chest", "chest is locked")
    unknown = prompt.parse("Reason: green_dragon is on chest")
    assert isinstance(unknown, ParseError)
    assert unknown.found == "green_dragon"
    assert isinstance(prompt.parse("Reason: the weather"), ParseError)


def test_questions_may_name_what_only_the_goal_names() -> None:
    prompt = QuestionsPrompt("find the old_key", SCENE, "Look inside the chest")
    assert prompt.parse("Question: Do you see the old_key") == ("Do you see the old_key?",)
    assert prompt.parse("Question: none") == ()
    assert prompt.parse("1. Question: Is the chest open?\n2. Question: Is the chest open?") == (
        "Is the chest open?",
    )
    assert isinstance(prompt.parse("Question: Is the iron_lock open?"), ParseError)


def test_a_rewritten_sentence_keeps_to_the_names() -> None:
    prompt = RewriteNamesPrompt("The ball is on the trunk", ("red_ball", "chest"))
    assert (
        prompt.parse("Sentence: The red_ball is on the chest.") == "The red_ball is on the chest."
    )
    assert prompt.parse("The red ball is on the chest.") == "The red ball is on the chest."
    assert isinstance(prompt.parse("Sentence: The red_sphere is on the chest."), ParseError)
    assert isinstance(prompt.parse("Sentence: Nothing is there."), ParseError)


def test_completed_with_what_remains() -> None:
    prompt = CompletedPrompt("put the red ball into the chest", SCENE, (Observation("q?", "no"),))
    assert prompt.parse("Done: yes") == Completed(Verdict.YES)
    assert prompt.parse("No.\n<Action>Place the red ball in the chest</Action>") == Completed(
        Verdict.NO, Step(Verb.PUT_IN, "red_ball", "chest")
    )
    assert prompt.parse("Done: no\nNext: none") == Completed(Verdict.NO)
    assert isinstance(prompt.parse("Done: no\nNext: Open the door"), ParseError)


def test_what_the_eyes_say() -> None:
    closed = AskVisionPrompt("Is the chest open?")
    assert closed.parse("Yes, it is.") == VisionReply(Verdict.YES, "Yes, it is.")
    assert isinstance(closed.parse("purple"), ParseError)
    assert AskVisionPrompt("What colour is the chest?").parse("dark red") == VisionReply(
        Verdict.TEXT, "dark red"
    )
    why = WhyPrompt("Open the chest", ("chest", "red_ball"))
    for nothing in ("nothing", "No.", "unknown", "There is nothing in the way.", "none"):
        result = why.parse(nothing)
        assert not isinstance(result, Declined | ParseError)
        assert not result.obstacle, nothing
    told = why.parse("No, but the red_ball lies on it")
    assert not isinstance(told, Declined | ParseError)
    assert told.obstacle


def test_rewards_name_what_the_motion_plan_names_and_nothing_twice() -> None:
    near = MotionLine(Relation.NEAR, "palm", "red_ball")
    places, joints = SCENE.places.known, SCENE.joints.known
    asked = RewardsPrompt("Pick up the red_ball", (near,), places, joints).grammar()
    assert "red_ball" in asked and "blue_ball" not in asked and "chest_lid" not in asked
    assert '(\\"palm\\", \\"" ("red_ball")' in asked and "{1,1}" in asked
    assert "Cannot" not in asked  # every line has its call
    joint = MotionLine(Relation.OPEN, "chest_lid")
    opened = RewardsPrompt("Open the chest", (joint,), places, joints).grammar()
    assert "set_joint_fraction_reward" in opened and "minimize" not in opened


def test_only_what_can_be_picked_up_is_carried() -> None:
    asked = MotionPlanPrompt("Tidy up", SCENE, ("Tidy up",), relocates=True).grammar()
    assert '"1. palm close to red_ball\\n2. red_ball" (" close to "' in asked
    assert "palm close to stool" not in asked and '"stool" (" close to "' not in asked
    bare = SceneDescription((ObjectDescription("stool"), ObjectDescription("bench")))
    assert '"stool" (" close to "' in MotionPlanPrompt("Move", bare, ("Move",)).grammar()


def test_the_palm_comes_close_to_what_the_action_carries() -> None:
    action = "Place the red_ball in the chest"
    asked = MotionPlanPrompt(action, SCENE, (action,), relocates=True).grammar()
    assert "palm close to red_ball" in asked and "palm close to blue_ball" not in asked
    alike = "Place the ball with the same colour as the stool on the stool"
    asked = MotionPlanPrompt(alike, SCENE, (alike,), relocates=True).grammar()
    assert "palm close to red_ball" in asked and "palm close to blue_ball" in asked


def test_a_plan_says_a_step_once() -> None:
    open_it = "Open the chest"
    found = PlanPrompt("open the chest", SCENE).parse(f"Thought: x\n1. {open_it}\n2. {open_it}")
    assert isinstance(found, Plan) and list(map(str, found.steps)) == [open_it]


def test_the_step_that_is_asked_about_is_named() -> None:
    plan = ("Open the chest", "Place the red_ball in the chest")
    text = StepNeededPrompt("tidy the ball", SCENE, plan, 2).render()
    assert text.endswith("Step: 2. Place the red_ball in the chest")
