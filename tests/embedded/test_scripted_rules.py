"""The rules of the scripted model, one by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_table import PROMPTS, PromptFamily

import regrasp.embedded.scripted
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.embedded.rules.answers import ANSWERS, NOT_UNDERSTOOD
from regrasp.embedded.rules.claims import read_claims
from regrasp.embedded.rules.instructions import read_instruction
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.language import FinishReason, Message, Role
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.completed import CompletedPrompt
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.observations import Observation
from regrasp.prompts.parsing import ParseError
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.relocation import RelocationPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.steps import Verb
from regrasp.prompts.wrong_names import WrongNamesPrompt

SCENE = SceneDescription(
    (
        ObjectDescription(
            "iron_chest",
            affordances=(Affordance.OPEN, Affordance.PUT_IN),
            joints=(JointDescription("iron_chest_lid", "iron_chest_handle"),),
            place_name="place_in_iron_chest",
        ),
        ObjectDescription(
            "hutch",
            affordances=(Affordance.OPEN, Affordance.PUT_IN),
            joints=(JointDescription("flap", "flap_knob"),),
        ),
        ObjectDescription("pedestal", affordances=(Affordance.PUT_ON,)),
        ObjectDescription(
            "big_button",
            affordances=(Affordance.PRESS,),
            joints=(JointDescription("big_button", "big_button"),),
        ),
        ObjectDescription("red_vase", affordances=(Affordance.PICK,)),
        ObjectDescription("blue_vase", affordances=(Affordance.PICK,)),
        ObjectDescription("rake", affordances=(Affordance.PICK,)),
        ObjectDescription("silver_coin", affordances=(Affordance.PICK,), visible=False),
    )
)
WORDS = SceneLexicon(SCENE)


def said(prompt: Prompt[object]) -> str:
    text = ScriptedModel().complete(prompt.messages()).text
    assert not isinstance(prompt.parse(text), ParseError), text
    return text


def steps(prompt: PlanPrompt) -> list[str]:
    return [line.partition(". ")[2] for line in said(prompt).split("\n")[1:]]


@pytest.mark.parametrize("family", PROMPTS, ids=lambda family: family.name)
def test_every_question_of_the_table_is_answered(family: PromptFamily) -> None:
    assert f"Task: {family.example.purpose}" in ANSWERS
    assert ScriptedModel().complete(family.example.messages()).text == family.answers[0]


def test_the_table_has_no_question_too_many() -> None:
    assert set(ANSWERS) == {f"Task: {family.example.purpose}" for family in PROMPTS}


@given(st.sampled_from(sorted(ANSWERS)), st.text())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_text_under_any_head_gets_an_answer_in_the_format(task: str, text: str) -> None:
    messages = (Message(Role.SYSTEM, f"{task}\n…"), Message(Role.USER, text))
    reply = ScriptedModel().complete(messages).text
    assert reply
    prompt = next(family.example for family in PROMPTS if f"Task: {family.example.purpose}" == task)
    assert not isinstance(prompt.parse(reply), ParseError) or "Cannot:" in reply


def test_what_is_no_prompt_of_ours_is_not_understood() -> None:
    model = ScriptedModel()
    assert model.complete([Message(Role.USER, "Hello!")]).text == NOT_UNDERSTOOD
    strange = (Message(Role.SYSTEM, "Task: cook"), Message(Role.USER, "Goal: soup"))
    assert model.complete(strange).text == NOT_UNDERSTOOD


def test_a_repair_hint_asks_the_same_question_again() -> None:
    prompt = IsVisionPrompt("Look at the hutch")
    hinted = (
        *prompt.messages(),
        Message(Role.ASSISTANT, "maybe"),
        Message(Role.USER, "Begin your answer with one word."),
    )
    assert ScriptedModel().complete(hinted).text == "yes"


def test_limits_and_losses_are_kept_and_told() -> None:
    model = ScriptedModel()
    prompt = PlanPrompt("open the hutch", SCENE)
    whole = model.complete(prompt.messages(), n=2, logprobs=True)
    assert [item.text for item in whole.items] == [whole.text] * 2
    assert whole.losses == ("logprobs: scripted has none",)
    cut = model.complete(prompt.messages(), max_tokens=3)
    assert cut.text == "Thought: I open"
    assert cut.items[0].finish_reason is FinishReason.LENGTH
    assert model.complete(prompt.messages(), stop=["\n"]).text == "Thought: I open the hutch."


def test_no_task_scene_or_answer_is_known_by_heart() -> None:
    folder = Path(regrasp.embedded.scripted.__file__).parent
    sources = [folder / "scripted.py", *(folder / "scripted_rules").glob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    names = r"yellow_cube|wooden_cabinet|green_apple|blue_cube|stone_cabinet|weight_sensor|red_bar"
    assert not re.search(names, text)
    assert not re.search(r"\btask ?\d", text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("iron_chest", "iron_chest"),
        ("the iron chest", "iron_chest"),
        ("chest", "iron_chest"),
        ("chest lid", "iron_chest_lid"),
        ("handle of the chest", "iron_chest"),
        ("red vase", "red_vase"),
        ("vases", None),
        ("vase", None),
        ("green vase", None),
        ("rusty rake", "rake"),
        ("lamp", None),
        ("", None),
    ],
)
def test_what_people_call_things(phrase: str, name: str | None) -> None:
    assert WORDS.find(phrase) == name


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The rake is blocking the iron chest.", "rake is blocking iron_chest"),
        ("rake is blocking iron_chest_handle", "rake is blocking iron_chest_handle"),
        ("There is a rake across the chest's handle.", "rake is blocking iron_chest_handle"),
        ("The lid is held shut by the rake", "rake is blocking iron_chest"),
        (
            "The chest cannot be opened because the rake is in the way",
            "rake is blocking iron_chest",
        ),
        ("In front of the hutch is a rake.", "rake is blocking hutch"),
        ("The rake is not blocking the chest.", ""),
        ("Nothing blocks it.", ""),
        ("The robot arm is blocking the chest.", ""),
        ("The robot is holding the red_vase.", ""),
        ("The pedestal is occupied by the blue vase.", "blue_vase is on pedestal"),
        ("the pedestal already holds the blue_vase", "blue_vase is on pedestal"),
        (
            "The likeliest reason why the robot cannot put the red_vase on the pedestal is that "
            "the blue_vase is on top of the pedestal, which would prevent it.",
            "blue_vase is on pedestal",
        ),
        ("blue_vase is on red_vase", "blue_vase is on red_vase"),
        ("The red_vase is covered by the blue_vase", "blue_vase is on red_vase"),
        ("The silver_coin is inside the hutch", "silver_coin is inside hutch"),
        ("The chest is locked.", "iron_chest is locked"),
        (
            "It is locked; the button may release it",
            "iron_chest is locked|big_button unlocks iron_chest",
        ),
        ("You have to press the big button first", "big_button unlocks iron_chest"),
        ("The hutch is not open.", "hutch is closed"),
        ("Lovely weather today.", ""),
    ],
)
def test_what_sentences_claim(sentence: str, claims: str) -> None:
    found = read_claims(sentence, WORDS, "iron_chest")
    assert "|".join(map(str, found)) == claims


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("put the red vase in the chest", "PUT_IN red_vase iron_chest"),
        ("the red vase belongs in the hutch", "PUT_IN red_vase hutch"),
        ("into the hutch, put the rake", "PUT_IN rake hutch"),
        ("move the rake to place_in_iron_chest", "PUT_IN rake iron_chest"),
        ("put the rake in the pedestal", "PUT_ON rake pedestal"),
        ("carry the rake to the pedestal", "PUT_ON rake pedestal"),
        ("lean the rake", None),
        ("stow the rake", None),  # two places would do
        ("find me the silver coin, please", "FIND silver_coin"),
        ("find the lost umbrella", "FIND lost_umbrella"),
        ("open the hutch and then find the coin", "OPEN hutch|FIND silver_coin"),
        ("take the coin out of the hutch and put it on the pedestal",
         "REMOVE silver_coin hutch|PUT_ON silver_coin pedestal"),
        ("grab the rake and put it in the chest", "PUT_IN rake iron_chest"),
        ("clear the pedestal", "CLEAR pedestal"),
        ("make some space before the hutch", "ROOM hutch"),
        ("press the button", "USE big_button"),
        ("never open the hutch", None),
        ("put the vase on the pedestal", None),  # which one?
        ("put the feather in the hutch", "PUT_IN feather hutch"),
        ("stack the red vase on the blue vase", "PUT_ON red_vase blue_vase"),
        ("carry the rake over and leave it inside the hutch", "PUT_IN rake hutch"),
        ("make the chest the home of the rake: put it in there", "PUT_IN rake iron_chest"),
        ("the red vase has to be on the pedestal", "PUT_ON red_vase pedestal"),
        ("I'd like the rake to be kept in the hutch", "PUT_IN rake hutch"),
        ("never mind the dust, put the rake in the hutch", "PUT_IN rake hutch"),
        ("free the hutch's handles from the rake", "REMOVE rake hutch"),
        ("press the button to unlock the hutch, and then open the hutch", "OPEN hutch"),
        ("", None),
    ],
)  # fmt: skip
def test_what_instructions_want(text: str, goals: str | None) -> None:
    instruction = read_instruction(text, WORDS)
    shown = [
        " ".join(filter(None, (g.kind.name, str(g.thing), g.place))) for g in instruction.goals
    ]
    assert ("|".join(shown) or None) == goals
    assert bool(instruction.goals) or not text or instruction.unclear


def test_a_lock_that_the_instruction_explains_is_undone_first() -> None:
    for how in (
        "Its lock opens when the rake is on the pedestal.",
        "It can be unlocked by putting the rake on the pedestal.",
        "The chest is locked unless the rake lies on the pedestal.",
    ):
        assert steps(PlanPrompt(f"open the chest. {how}", SCENE)) == [
            "Place the rake on the pedestal",
            "Open the iron_chest",
        ]


def test_causes_are_removed_before_the_step_that_failed() -> None:
    plan = PlanPrompt("put the red vase in the chest", SCENE)
    failed = "Open the iron_chest"
    assert steps(
        plan.after(FailedAttempt(failed=failed, reasons=("rake is blocking iron_chest_handle",)))
    ) == [
        "Move the rake away from the iron_chest_handle",
        failed,
        "Place the red_vase in the iron_chest",
    ]
    assert steps(plan.after(FailedAttempt(failed=failed, reasons=("iron_chest is locked",)))) == [
        "Press the big_button",
        failed,
        "Place the red_vase in the iron_chest",
    ]
    stacked = ("rake is blocking iron_chest", "blue_vase is on rake")
    assert steps(plan.after(FailedAttempt(failed=failed, reasons=stacked)))[:2] == [
        "Move the blue_vase away from the rake",
        "Move the rake away from the iron_chest",
    ]


def test_what_was_done_is_not_done_again() -> None:
    plan = PlanPrompt("put the red vase in the chest", SCENE)
    moved = FailedAttempt(failed="Open the iron_chest", reasons=("rake is blocking iron_chest",))
    then = FailedAttempt(
        ("Move the rake away from the iron_chest", "Open the iron_chest"),
        "Place the red_vase in the iron_chest",
        ("blue_vase is on red_vase",),
    )
    assert steps(plan.after(moved).after(then)) == [
        "Move the blue_vase away from the red_vase",
        "Place the red_vase in the iron_chest",
    ]


def test_a_slip_of_the_hand_is_no_lock() -> None:
    plan = PlanPrompt("open the chest", SCENE)
    slipped = FailedAttempt(failed="Open the iron_chest", robot="[physical/not_grasped] it slipped")
    stuck = FailedAttempt(
        failed="Open the iron_chest", robot="[physical/resisted] it did not follow"
    )
    assert steps(plan.after(slipped)) == ["Open the iron_chest"]
    assert steps(plan.after(stuck)) == ["Press the big_button", "Open the iron_chest"]


def test_places_are_searched_one_at_a_time_and_remembered() -> None:
    plan = PlanPrompt("find the silver coin", SCENE)
    assert steps(plan) == ["Open the iron_chest", "Look inside the iron_chest"]
    first = FailedAttempt(("Open the iron_chest", "Look inside the iron_chest"))
    second = FailedAttempt(("Open the hutch", "Look inside the hutch"))
    assert steps(plan.after(first)) == ["Open the hutch", "Look inside the hutch"]
    assert said(plan.after(first).after(second)).startswith("Cannot: silver_coin is not in sight")


def test_an_open_place_is_not_opened() -> None:
    now_open = ObjectDescription(
        "hutch", affordances=(Affordance.OPEN, Affordance.PUT_IN), state="open"
    )
    scene = SceneDescription((now_open, ObjectDescription("rake", affordances=(Affordance.PICK,))))
    assert steps(PlanPrompt("put the rake in the hutch", scene)) == ["Place the rake in the hutch"]


def test_a_property_is_checked_and_then_used() -> None:
    goal = "put the vase of the same colour as the pedestal on the pedestal"
    plan = PlanPrompt(goal, SCENE)
    assert steps(plan) == [
        "Check the colour of the pedestal",
        "Place the vase with the same colour as the pedestal on the pedestal",
    ]
    seen = (Observation("What colour is the pedestal?", "It is blue."),)
    assert steps(PlanPrompt(goal, SCENE, seen)) == ["Place the blue_vase on the pedestal"]
    action = "Place the vase with the same colour as the pedestal on the pedestal"
    motion = MotionPlanPrompt(action, SCENE, observations=seen, relocates=True)
    assert said(motion) == "1. palm close to blue_vase\n2. blue_vase close to pedestal"
    blind = MotionPlanPrompt(action, SCENE, (action,), relocates=True)
    assert said(blind).startswith("Cannot: it is not known which")


def test_an_instruction_without_a_plan_still_moves_something() -> None:
    """Language to Rewards has one translation and no look: it guesses."""
    vase = "put the vase of the same colour as the pedestal on the pedestal"
    first = next(o.name for o in SCENE.objects if o.kind == "vase")
    assert f"{first} close to pedestal" in said(MotionPlanPrompt(vase, SCENE, relocates=True))
    found = said(MotionPlanPrompt("find the silver_coin", SCENE))
    assert found == "1. palm close to iron_chest_handle\n2. joint iron_chest_lid open"


@pytest.mark.parametrize("verb", Verb)
def test_every_form_of_step_is_sorted(verb: Verb) -> None:
    action = verb.format(a="rake", b="hutch", p="colour")
    assert said(IsVisionPrompt(action)) == ("yes" if verb.looks else "no")
    assert said(RelocationPrompt(action)) == ("yes" if verb.carries else "no")
    assert said(IsVisionPrompt("Ponder the rake")) == "unknown"


@pytest.mark.parametrize(
    ("action", "motions"),
    [
        ("Open the hutch", "palm close to flap_knob|joint flap open"),
        ("Close the iron_chest", "palm close to iron_chest_handle|joint iron_chest_lid closed"),
        ("Press the big_button", "palm close to big_button|joint big_button open"),
        ("Pick up the rake", "palm close to rake|rake at height 0.4 m"),
        (
            "Place the rake in the iron_chest",
            "palm close to rake|rake close to place_in_iron_chest",
        ),
        ("Place the rake on the pedestal", "palm close to rake|rake close to pedestal"),
        ("Move the rake away from the hutch", "palm close to rake|rake far from flap_knob"),
        (
            "Take the rake out of the iron_chest",
            "palm close to rake|rake far from place_in_iron_chest",
        ),
        ("put the rake into the hutch", "palm close to rake|rake close to hutch"),
    ],
)
def test_motions(action: str, motions: str) -> None:
    lines = said(MotionPlanPrompt(action, SCENE)).split("\n")
    assert "|".join(line.partition(". ")[2] for line in lines) == motions


def test_most_explanations_decide_the_reason() -> None:
    def reasons(*explanations: str) -> str:
        return said(ReasonsPrompt("Open the iron_chest", SCENE, explanations))

    three_to_one = (
        "The rake is blocking the iron_chest.",
        "The rake is in front of the iron_chest.",
        "The rake is in the way.",
        "The blue_vase is blocking the iron_chest.",
        "The robot cannot reach it.",
    )
    assert reasons(*three_to_one) == "Reason: rake is blocking iron_chest"
    assert reasons("The hutch is closed.", "Lovely weather.") == "Reason: none"
    assert reasons("The iron_chest is locked.", "The rake blocks the iron_chest.") == (
        "Reason: iron_chest is locked\nReason: rake is blocking iron_chest"
    )


def test_names_are_checked_and_mended() -> None:
    names = ("iron_chest", "rake", "red_vase", "blue_vase")
    assert said(WrongNamesPrompt("The rake blocks the iron chest.", names)) == "no"
    assert said(WrongNamesPrompt("The shovel blocks the iron chest.", names)) == "yes"
    assert said(WrongNamesPrompt("The rake is in the way.", names)) == "no"
    assert said(RewriteNamesPrompt("The red pot is on the chest.", names)) == (
        "Sentence: The red_vase is on the iron_chest."
    )
    assert said(RewriteNamesPrompt("The zebra sleeps.", names)).startswith("Cannot: ")


def test_questions_and_what_their_answers_come_to() -> None:
    def ask(goal: str, action: str) -> list[str]:
        text = said(QuestionsPrompt(goal, SCENE, action))
        return [line.removeprefix("Question: ") for line in text.split("\n")]

    find = "find the silver coin"
    assert ask(find, "Look inside the hutch") == ["Do you see the silver_coin?"]
    assert ask(find, find) == ["Do you see the silver_coin?"]
    assert ask("x", "Check the colour of the pedestal") == ["What colour is the pedestal?"]
    clear = "clear the pedestal"
    assert ask(clear, "Look at the pedestal")[:2] == [
        "Is the red_vase on the pedestal?",
        "Is the blue_vase on the pedestal?",
    ]
    put = "put the rake in the hutch"
    assert ask(put, put) == ["Is the rake inside the hutch?"]
    assert ask("press the button", "press the button") == ["none"]

    def done(action: str, question: str, answer: str) -> str:
        return said(CompletedPrompt(action, SCENE, (Observation(question, answer),)))

    assert done("Look inside the hutch", "Do you see the silver_coin?", "no") == "Done: yes"
    assert done(find, "Do you see the silver_coin?", "no") == "Done: no\nNext: none"
    assert done(find, "Do you see the silver_coin?", "yes, there") == "Done: yes"
    assert done(put, "Is the rake inside the hutch?", "no") == (
        "Done: no\nNext: Place the rake in the hutch"
    )
    assert done(put, "Is the rake inside the hutch?", "unknown") == "Done: unknown"
    assert done(put, "Do you see the rake?", "yes") == "Done: unknown"


def test_steps_that_serve_nothing_are_not_needed() -> None:
    goal = "put the rake in the hutch"
    plan = (
        "Open the iron_chest",
        "Open the hutch",
        "Open the hutch",
        "Pick up the rake",
        "Place the rake in the hutch",
        "Close the hutch",
        "Sing a song",
    )
    verdicts = [said(StepNeededPrompt(goal, SCENE, plan, i)) for i in range(1, 8)]
    assert verdicts == ["no", "yes", "no", "no", "yes", "no", "unknown"]
