"""Every family of prompts, with an example: for the tests and for docs/prompts.

The example is one kitchen-like room that has everything; nothing else uses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regrasp.core.action import Action
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.command_line import CommandLine, FailedCommand
from regrasp.prompts.commands import CommandsPrompt
from regrasp.prompts.completed import CompletedPrompt
from regrasp.prompts.constraints import ConstraintsPrompt
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.interpret import InterpretPrompt
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.motions import MotionLine, Relation
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.observations import Observation
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.primary_step import PrimaryStepPrompt
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.question_type import QuestionType, QuestionTypePrompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.relocation import RelocationPrompt
from regrasp.prompts.reward_step import RewardStepPrompt
from regrasp.prompts.rewards import RewardsPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import PALM, SceneDescription
from regrasp.prompts.see_object import SeeObjectPrompt
from regrasp.prompts.skill_plan import CallResult, CallStatus, SkillPlanPrompt
from regrasp.prompts.skills import SkillLine
from regrasp.prompts.specify import Specification, SpecifyPrompt
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.why import WhyPrompt
from regrasp.prompts.wrong_names import WrongNamesPrompt

__all__ = ["EXAMPLE_SCENE", "PROMPTS", "PromptFamily"]


@dataclass(frozen=True, slots=True)
class PromptFamily:
    """An entry of the table of prompts: its source, its purpose, and an example.

    `answers` are replies in the requested form, the first of them the right one for `example`;
    `figure` is the figure of the paper's appendix, or the section where there is no figure.
    """

    name: str
    figure: str
    asks: str
    example: Prompt[Any]
    answers: tuple[str, ...]
    paper: str = "REPLAN"


EXAMPLE_SCENE = SceneDescription(
    (
        ObjectDescription(
            "oak_cupboard",
            affordances=(Affordance.OPEN, Affordance.PUT_IN),
            joints=(
                JointDescription("oak_cupboard_left_door", "oak_cupboard_left_handle"),
                JointDescription("oak_cupboard_right_door", "oak_cupboard_right_handle"),
            ),
            place_name="place_in_oak_cupboard",
            state="closed",
        ),
        ObjectDescription(
            "oven",
            affordances=(Affordance.OPEN, Affordance.PUT_IN),
            joints=(JointDescription("oven_door", "oven_handle"),),
        ),
        ObjectDescription("tray", affordances=(Affordance.PUT_ON,)),
        ObjectDescription(
            "switch", affordances=(Affordance.PULL,), joints=(JointDescription("switch", "switch"),)
        ),
        ObjectDescription("blue_mug", affordances=(Affordance.PICK,)),
        ObjectDescription("white_mug", affordances=(Affordance.PICK,)),
        ObjectDescription("broom", affordances=(Affordance.PICK,)),
        ObjectDescription("ripe_pear", affordances=(Affordance.PICK,), visible=False),
    )
)
"""The room of the examples."""

_PLAN = PlanPrompt("put the blue mug into the oak cupboard", EXAMPLE_SCENE)
_FIND = PlanPrompt("find the ripe pear", EXAMPLE_SCENE)
_NAMES = EXAMPLE_SCENE.places.known
_OPEN = "Open the oak_cupboard"
_STEPS = (_OPEN, "Place the blue_mug in the oak_cupboard")
_MOTIONS = (
    MotionLine(Relation.NEAR, PALM, "blue_mug"),
    MotionLine(Relation.NEAR, "blue_mug", "place_in_oak_cupboard"),
)
_BROOM = "broom is blocking oak_cupboard_left_handle"
_HELD, _EMPTY = "X is held by the robot", "the hand of the robot is empty"
_SKILLS = (
    SkillLine("pick", (("mug", "broom"),), (_EMPTY,), (), (_HELD,), (_EMPTY, "X is on anything")),
    SkillLine(
        "place",
        (("mug", "broom"), ("tray",)),
        (_HELD,),
        ("anything is on Y",),
        ("X is on Y", _EMPTY),
        (_HELD,),
    ),
)
_GOAL_FORMS = (
    GoalForm("on", (("mug", "broom"), ("tray",)), "X is on Y"),
    GoalForm("inside", (("mug", "broom"), ("cupboard", "oven")), "X is inside Y"),
    GoalForm("closed", (("cupboard", "oven"),), "X is closed"),
)
_MUGS_DOMAIN = """(define (domain mugs)
  (:types
    mug - object
    tray - object)
  (:predicates
    (on ?m - mug ?t - tray)
    (held ?m - mug))
  (:action pick
    :parameters (?m - mug)
    :precondition (not (held ?m))
    :effect (and (held ?m)))
  (:action place
    :parameters (?m - mug ?t - tray)
    :precondition (held ?m)
    :effect (and (on ?m ?t) (not (held ?m)))))"""
_MUGS_PROBLEM = """(define (problem mugs-now)
  (:domain mugs)
  (:objects
    blue_mug - mug
    tea_tray - tray)
  (:init
    (held blue_mug))
  (:goal (on blue_mug tea_tray)))"""
_BAR = (
    ("cider_bottle", "bottle"),
    ("ginger_bowl", "bowl"),
    ("tall_glass", "glass"),
    ("shelf", "shelf"),
    ("tray", "tray"),
    ("left_hand", "hand"),
    ("right_hand", "hand"),
)
_BAR_FACTS = (
    "cider_bottle is on shelf",
    "cider_bottle is closed with its cap",
    "ginger_bowl is on shelf",
    "tall_glass is on shelf",
    "there is some cider in cider_bottle",
    "there is some ginger in ginger_bowl",
)
_HELD_BY = "X is held by the Z"
_COMMANDS = (
    CommandLine(
        "get",
        (("bottle", "bowl", "glass"), ("shelf", "tray"), ("hand",)),
        "take the X from the Y with the Z",
        (_HELD_BY,),
        ("X is on Y", "the Z is free"),
        optional=1,
    ),
    CommandLine(
        "put",
        (("bottle", "bowl", "glass"), ("shelf", "tray")),
        "put the X on the Y",
        ("X is on Y", "the anything is free"),
        ("X is held by the anything",),
    ),
    CommandLine(
        "pour",
        (("bottle", "bowl"), ("glass",)),
        "pour from the X into the Y",
        ("there is some anything in Y",),
        unit="ml",
    ),
    CommandLine("unscrew", (("bottle",),), "open the X", (), ("X is closed with its cap",)),
)
_SHANDY = ("into glass", "150 ml cider", "10 ml ginger, optional", "then it is on tray")
_SPECIFICATION = Specification(
    "shandy in tall_glass, served",
    ("cider_bottle", "tall_glass", "tray"),
    "cider_bottle is on shelf; tall_glass is on shelf",
    (
        "Pour 150 ml of cider from cider_bottle into tall_glass",
        "Make sure that tall_glass is on tray",
    ),
)
_CAPPED = FailedCommand(
    "pour(cider_bottle, tall_glass, 150)",
    "pour cider_bottle into tall_glass 150 cannot be done.",
    "cider_bottle is closed with its cap",
)

PROMPTS: tuple[PromptFamily, ...] = (
    PromptFamily(
        "see_object",
        "B.1",
        "Is this object in sight?",
        SeeObjectPrompt("blue_mug"),
        ("unknown", "yes", "no"),
    ),
    PromptFamily(
        "plan",
        "B.2",
        "Which steps reach the goal?",
        _PLAN,
        (
            "Thought: The oak_cupboard must be open before I reach into it.\n"
            "1. Open the oak_cupboard\n2. Place the blue_mug in the oak_cupboard",
            "Cannot: nothing here can be used for that",
        ),
    ),
    PromptFamily(
        "is_vision",
        "B.3",
        "Is this step one for the eyes?",
        IsVisionPrompt("Look inside the oven"),
        ("yes", "no", "unknown"),
    ),
    PromptFamily(
        "motion_plan",
        "B.4",
        "What should the hand and the things do for this step?",
        MotionPlanPrompt(_STEPS[1], EXAMPLE_SCENE, _STEPS, relocates=True),
        (
            "1. palm close to blue_mug\n2. blue_mug close to place_in_oak_cupboard",
            "Cannot: the action moves nothing",
        ),
    ),
    PromptFamily(
        "relocation",
        "B.5",
        "Does this step carry a thing to another place?",
        RelocationPrompt(_STEPS[1]),
        ("yes", "no", "unknown"),
    ),
    PromptFamily(
        "rewards",
        "B.6",
        "What is the motion plan in the language of the controller?",
        RewardsPrompt(_STEPS[1], _MOTIONS, _NAMES, EXAMPLE_SCENE.joints.known),
        (
            'reset_reward()\nminimize_l2_distance_reward("palm", "blue_mug")\n'
            'minimize_l2_distance_reward("blue_mug", "place_in_oak_cupboard")\nexecute_plan()',
            "Cannot: there is no motion plan",
        ),
    ),
    PromptFamily(
        "reward_step",
        "B.7",
        "Which line of the motion plan does this reward serve?",
        RewardStepPrompt(_MOTIONS, 'minimize_l2_distance_reward("palm", "blue_mug")'),
        ("Step: 1", "Step: none"),
    ),
    PromptFamily(
        "primary_step",
        "B.8",
        "Which line, once true, means that the step is done?",
        PrimaryStepPrompt(_STEPS[1], _MOTIONS),
        ("Thought: The action is done once blue_mug is where it should be.\nStep: 2",),
    ),
    PromptFamily(
        "why",
        "B.9",
        "What prevents this? (six wordings)",
        WhyPrompt(_OPEN, _NAMES),
        ("unknown", "The broom leans against the left handle of the oak_cupboard.", "nothing"),
    ),
    PromptFamily(
        "wrong_names",
        "B.10",
        "Does this sentence name things that are not in the scene?",
        WrongNamesPrompt("The brown brush is blocking the cupboard.", _NAMES),
        ("yes", "no", "unknown"),
    ),
    PromptFamily(
        "rewrite_names",
        "B.11",
        "How does it read with the names of the scene?",
        RewriteNamesPrompt("The brown brush is blocking the cupboard.", _NAMES),
        (
            "Sentence: The broom is blocking the oak_cupboard.",
            "Cannot: no listed name is like a spoon",
        ),
    ),
    PromptFamily(
        "reasons",
        "B.12",
        "What do these explanations come to?",
        ReasonsPrompt(
            _OPEN,
            EXAMPLE_SCENE,
            (
                "The broom is blocking the oak_cupboard_left_handle.",
                "There is a broom in front of the oak_cupboard_left_handle.",
                "The robot arm is white.",
                "The oven is closed.",
            ),
        ),
        ("Reason: broom is blocking oak_cupboard_left_handle", "Reason: none"),
    ),
    PromptFamily(
        "replan",
        "B.13",
        "Which steps reach the goal, now that a step failed for this reason?",
        _PLAN.after(FailedAttempt(failed=_OPEN, reasons=(_BROOM,))),
        (
            "Thought: broom is in the way, so I move it first.\n"
            "1. Move the broom away from the oak_cupboard_left_handle\n"
            "2. Open the oak_cupboard\n3. Place the blue_mug in the oak_cupboard",
            "Cannot: nothing here can be used for that",
        ),
    ),
    PromptFamily(
        "questions",
        "B.14",
        "What should the eyes be asked?",
        QuestionsPrompt(
            _FIND.goal, EXAMPLE_SCENE, "Look inside the oven", ("Look inside the oven",)
        ),
        ("Question: Do you see the ripe_pear?", "Question: none"),
    ),
    PromptFamily(
        "question_type",
        "B.15",
        "What sort of question is this?",
        QuestionTypePrompt("What colour is the tray?"),
        tuple(sorted(QuestionType)),
    ),
    PromptFamily(
        "ask_vision",
        "B.16",
        "The question itself.",
        AskVisionPrompt("What colour is the tray?", _NAMES),
        ("unknown", "blue"),
    ),
    PromptFamily(
        "completed",
        "B.17",
        "Is it done, and if not, what remains?",
        CompletedPrompt(
            "place the blue mug on the tray",
            EXAMPLE_SCENE,
            (Observation("Is the blue_mug on the tray?", "no"),),
        ),
        ("Done: no\nNext: Place the blue_mug on the tray", "Done: yes", "Done: unknown"),
    ),
    PromptFamily(
        "new_plan",
        "B.18",
        "Which steps reach the goal, now that a whole plan missed it?",
        _FIND.after(
            FailedAttempt(
                (_OPEN, "Look inside the oak_cupboard"), reasons=("ripe_pear was not seen",)
            )
        ),
        (
            "Thought: ripe_pear may be inside the oven.\n1. Open the oven\n2. Look inside the oven",
            "Cannot: every place was searched",
        ),
    ),
    PromptFamily(
        "step_needed",
        "3.5",
        "Is this step of the plan needed?",
        StepNeededPrompt(
            _PLAN.goal, EXAMPLE_SCENE, _STEPS, 1, attempts=(FailedAttempt(failed=_OPEN),)
        ),
        ("yes", "no", "unknown"),
    ),
    PromptFamily(
        "skill_plan",
        "listing 2",
        "Which calls of skills reach the goal from here?",
        SkillPlanPrompt(
            "put the blue mug on the tray",
            EXAMPLE_SCENE,
            _SKILLS,
            (_EMPTY,),
            (
                CallResult(CallStatus.DID, "pick(blue_mug)"),
                CallResult(
                    CallStatus.STOPPED,
                    "place(blue_mug, tray)",
                    ("blue_mug is not held by the robot",),
                ),
            ),
        ),
        (
            "Thought: blue_mug is on tray after blue_mug is held by the robot\n"
            "1. pick(blue_mug)\n2. place(blue_mug, tray)",
            "Thought: it fell\n1. pick(blue_mug)\nThought: it is held\n2. place(blue_mug, tray)",
            "Done",
            "Cannot: nothing here can be used for that",
        ),
        "DoReMi",
    ),
    PromptFamily(
        "constraints",
        "section 6",
        "What must be so while this skill runs, and after it?",
        ConstraintsPrompt(
            "place(blue_mug, tray)", _SKILLS[1], ("blue_mug", "tray"), (_HELD, "X is on Y")
        ),
        ("While: none\nAfter: blue_mug is on tray", "While: none\nAfter: none"),
        "DoReMi",
    ),
    PromptFamily(
        "goal",
        "core.goal_description",
        "What does the person want to be reached, kept or found out?",
        GoalPrompt(
            "put every mug except the blue one in the oak cupboard and close it, then open the "
            "oven, but leave the broom alone",
            EXAMPLE_SCENE,
            _GOAL_FORMS,
        ),
        (
            "Goal:\ninside(each mug except blue_mug, oak_cupboard)\nclosed(oak_cupboard)\n"
            "then not closed(oven)\nkeep not moved(broom)",
            "Goal:\nask which(each thing in oven)",
            "Cannot: missing: silver spoon",
            "Cannot: impossible",
        ),
        "Regrasp",
    ),
    PromptFamily(
        "interpret",
        "section III-A",
        "Is what a person says answered, or passed on as a request?",
        InterpretPrompt(
            "no ginger, please",
            ("take the X from the Y with the Z", "pour from the X into the Y"),
            tuple(name for name, _ in _BAR),
            ("shandy",),
            _BAR_FACTS[:2],
            ("take the tall_glass from the shelf with the left_hand (at 4 s)",),
            ("person: a shandy with ginger", "request: a shandy with ginger"),
            "a shandy with ginger",
        ),
        (
            "Change: a shandy with ginger, no ginger, please",
            "Request: make a shandy",
            "Answer: I have taken the tall_glass.",
            "Stop",
        ),
        "CoPAL",
    ),
    PromptFamily(
        "specify",
        "section III-B",
        "What does a request come to, and which steps are left?",
        SpecifyPrompt(
            "a shandy",
            _BAR,
            _BAR_FACTS,
            recipes=("shandy",),
            recipe_name="shandy",
            recipe=_SHANDY,
            failures=(_CAPPED,),
        ),
        (
            "Goal: shandy in tall_glass, served\n"
            "Objects: cider_bottle, tall_glass, tray\n"
            "State: cider_bottle is closed with its cap; cider_bottle is on shelf; "
            "tall_glass is on shelf; there is some cider in cider_bottle\n"
            "Steps:\n1. Pour 150 ml of cider from cider_bottle into tall_glass\n"
            "2. Make sure that tall_glass is on tray",
            "Look up: shandy",
            "Read: put the tall_glass on the tray",
            "Done",
            "Cannot: there is no cider here",
        ),
        "CoPAL",
    ),
    PromptFamily(
        "commands",
        "section III-B",
        "Which commands carry out the steps?",
        CommandsPrompt(
            _SPECIFICATION,
            _BAR,
            _COMMANDS,
            ("cider_bottle is held by the left_hand", *_BAR_FACTS[1:]),
            ("get(cider_bottle, shelf)",),
            (_CAPPED,),
        ),
        (
            "Thought: After the failures: pour after X is not closed with its cap\n"
            "1. unscrew(cider_bottle)\n2. pour(cider_bottle, tall_glass, 150)\n"
            "3. put(cider_bottle, shelf)\n4. get(tall_glass, shelf)\n5. put(tall_glass, tray)",
            "Done",
            "Cannot: no command opens the bottle",
        ),
        "CoPAL",
    ),
    PromptFamily(
        "next_action",
        "equation 2",
        "Which action does the robot do now?",
        NextActionPrompt(
            "put the blue mug on the tea tray",
            _MUGS_DOMAIN,
            _MUGS_PROBLEM,
            (
                Action("pick", ("blue_mug",)),
                Action("place", ("blue_mug", "tea_tray")),
            ),
        ),
        (
            "place(blue_mug, tea_tray)",
            "Cannot: no action leads to the goal from what is observed",
        ),
        "IALP",
    ),
)
"""All families, in the order of the papers and their appendices."""
