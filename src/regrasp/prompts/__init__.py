"""One file per question we ask a model: typed inputs, the text, the grammar, the parser.

`PROMPTS` is the table of all of them. A caller builds a prompt, asks it, and looks at the type of
what comes back:

    exchange = ask(model, PlanPrompt("find the green apple", scene))
    match exchange.result:
        case Plan(thought, steps): ...
        case Declined(why): ...
        case ParseError() as error: ...
"""

from regrasp.prompts.ask_eyes import AskEyesPrompt, Seen
from regrasp.prompts.attempts import Attempt
from regrasp.prompts.completed import Completed, CompletedPrompt
from regrasp.prompts.constraints import ConstraintsPrompt, Proposal
from regrasp.prompts.exchange import Exchange, ask
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.motions import Motion, Relation
from regrasp.prompts.names import Names
from regrasp.prompts.new_plan import new_plan_prompt
from regrasp.prompts.observations import Observation, with_observation
from regrasp.prompts.parsing import Declined, ParseError, Span, repair_message
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.primary_step import PrimaryStepPrompt
from regrasp.prompts.prompt import Family, Prompt, SightPrompt
from regrasp.prompts.question_type import Asks, QuestionTypePrompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reading import read_sight
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.relocation import RelocationPrompt
from regrasp.prompts.replan import replan_prompt
from regrasp.prompts.reward_step import RewardStepPrompt, StepChoice
from regrasp.prompts.rewards import RewardsPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import Can, JointLine, ObjectLine, SceneText
from regrasp.prompts.see_object import SeeObjectPrompt
from regrasp.prompts.sight import Look, Sight, obstacle_questions
from regrasp.prompts.skill_plan import Ended, Happened, SkillPlan, SkillPlanPrompt
from regrasp.prompts.skills import SkillLine
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.steps import Likeness, Step, Verb
from regrasp.prompts.table import PROMPTS
from regrasp.prompts.why import Explanation, WhyPrompt, why_prompts
from regrasp.prompts.wrong_names import WrongNamesPrompt

__all__ = [
    "PROMPTS",
    "AskEyesPrompt",
    "Asks",
    "Attempt",
    "Can",
    "Completed",
    "CompletedPrompt",
    "ConstraintsPrompt",
    "Declined",
    "Ended",
    "Exchange",
    "Explanation",
    "Family",
    "GoalForm",
    "GoalPrompt",
    "Happened",
    "IsVisionPrompt",
    "JointLine",
    "Likeness",
    "Look",
    "Motion",
    "MotionPlanPrompt",
    "Names",
    "ObjectLine",
    "Observation",
    "ParseError",
    "Plan",
    "PlanPrompt",
    "PrimaryStepPrompt",
    "Prompt",
    "Proposal",
    "QuestionTypePrompt",
    "QuestionsPrompt",
    "ReasonsPrompt",
    "Relation",
    "RelocationPrompt",
    "RewardStepPrompt",
    "RewardsPrompt",
    "RewriteNamesPrompt",
    "SceneText",
    "SeeObjectPrompt",
    "Seen",
    "Sight",
    "SightPrompt",
    "SkillLine",
    "SkillPlan",
    "SkillPlanPrompt",
    "Span",
    "Step",
    "StepChoice",
    "StepNeededPrompt",
    "Verb",
    "WhyPrompt",
    "WrongNamesPrompt",
    "ask",
    "new_plan_prompt",
    "obstacle_questions",
    "read_sight",
    "repair_message",
    "replan_prompt",
    "why_prompts",
    "with_observation",
]
