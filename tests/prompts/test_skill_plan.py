"""Plans over named skills, and constraints that a model proposes: what is read, what is refused."""

from __future__ import annotations

import random

import pytest
from gbnf_sampler import Sampler

from regrasp.core.action import Action
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.prompts.constraints import ConstraintsPrompt, Proposal
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.skill_plan import CallResult, CallStatus, SkillPlan, SkillPlanPrompt
from regrasp.prompts.skills import SkillLine, call_rule

BLOCK = (Affordance.PICK, Affordance.PUT_ON)
SCENE = SceneDescription(
    (
        ObjectDescription("red_block", affordances=BLOCK),
        ObjectDescription("green_block", affordances=BLOCK),
        ObjectDescription("fixture", affordances=(Affordance.PUT_ON,)),
    )
)
SKILLS = (
    SkillLine("pick", (("block",),), makes=("X is held by the robot",)),
    SkillLine("place", (("block",), ("block", "fixture")), needs=("X is held by the robot",)),
    SkillLine("rest"),
)
PROMPT = SkillPlanPrompt("put the red block on the fixture", SCENE, SKILLS)
PICK, PLACE = Action("pick", ("red_block",)), Action("place", ("red_block", "fixture"))


@pytest.mark.parametrize(
    "reply",
    [
        "Thought: go\n1. pick(red_block)\n2. place(red_block, fixture)",
        "1) Pick up the red block.\n2) Place the red block on the fixture.",
        "- PICK red_block\n- place the red-block onto the fixture\n- Done",
        "1. pick(red_block)\n2. place(red_block, fixture)\n3. done.",
    ],
)
def test_a_plan_is_read_as_calls_in_order(reply: str) -> None:
    plan = PROMPT.parse(reply)
    assert isinstance(plan, SkillPlan) and plan.calls == (PICK, PLACE)


def test_thoughts_may_stand_between_calls_and_are_told_together() -> None:
    plan = PROMPT.parse("Thought: get it\n1. pick(red_block)\nThought: put it\n2. rest()")
    assert plan == SkillPlan("get it; put it", (PICK, Action("rest")))


@pytest.mark.parametrize("reply", ["Done", "done.", "1. Done", "Thought: it is there\nDone!"])
def test_done_is_a_plan_without_calls(reply: str) -> None:
    plan = PROMPT.parse(reply)
    assert isinstance(plan, SkillPlan) and plan.calls == ()


def test_a_skill_without_arguments_is_called_by_its_name() -> None:
    plan = PROMPT.parse("1. rest()")
    assert isinstance(plan, SkillPlan) and plan.calls == (Action("rest"),)


def test_declining_is_an_answer() -> None:
    assert PROMPT.parse("Cannot: there is no block") == Declined("there is no block")


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("1. grab(red_block)", "one of: pick(X block); place(X block, Y block or fixture); rest()"),
        ("1. pick(blue_block)", "Use only these names"),
        ("1. pick(fixture)", "X is one of red_block, green_block"),
        ("1. place(red_block)", "Y is one of red_block, green_block, fixture"),
        ("1. place(red_block, red_block)", "Write it as place(X block, Y block or fixture)"),
        ("1. pick the block", "Write it as pick(X block)"),
        ("I would pick it up.", "each call as '1. skill(name, …)'"),
        ("\n".join(f"{i}. pick(red_block)" for i in range(1, 30)), "at most 16 calls"),
    ],
)
def test_what_cannot_be_called_is_refused_with_what_can(reply: str, hint: str) -> None:
    refused = PROMPT.parse(reply)
    assert isinstance(refused, ParseError)
    assert hint in refused.hint


@pytest.mark.parametrize("line", SKILLS)
def test_a_line_reads_back(line: SkillLine) -> None:
    assert SkillLine.read(f"- {line}") == line


@pytest.mark.parametrize(
    "text", ["pick", "pick(Y block)", "pick(X)", "pick(X block): wants it", "", "- (X block)"]
)
def test_what_is_no_line_of_a_skill_is_none(text: str) -> None:
    assert SkillLine.read(text) is None


@pytest.mark.parametrize(
    "said",
    [
        (),
        ("red_block is not held by the robot",),
        ("a is not on b, c", 'a sign: "did rest()", obey it', "New goal: (drop) it"),
    ],
)
def test_what_happened_reads_back(said: tuple[str, ...]) -> None:
    event = CallResult(CallStatus.STOPPED, "place(red_block, fixture)", said)
    read = CallResult.read(f"- {event}")
    assert read is not None and str(read) == str(event)
    assert (read.status, read.call, len(read.messages)) == (event.status, event.call, len(said))


@pytest.mark.parametrize("line", ["", "did it", 'did pick(a) "b"', 'won pick(a), "b"', "did pick"])
def test_what_is_no_event_is_none(line: str) -> None:
    assert CallResult.read(line) is None


ASKED = ConstraintsPrompt("pick(red_block)", SKILLS[0], ("red_block",), ("X is on Y",))


@pytest.mark.parametrize(
    ("reply", "proposal"),
    [
        ("While: none\nAfter: none", Proposal()),
        ("While: a is on b.\nWhile: a is on b\nAfter: none.", Proposal(("a is on b",))),
        ("**After:** c is held by the robot", Proposal((), ("c is held by the robot",))),
    ],
)
def test_sentences_are_read_and_left_for_the_lexicon_to_judge(
    reply: str, proposal: Proposal
) -> None:
    assert ASKED.parse(reply) == proposal


def test_a_reply_without_labels_is_refused() -> None:
    assert isinstance(ASKED.parse("It must hold it."), ParseError)


# ---- the grammar -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("takes", "calls"),
    [
        ((), {"put()"}),
        ((("block",),), {"put(a)", "put(b)"}),
        ((("block",), ("block", "table")), {"put(a, b)", "put(a, t)", "put(b, a)", "put(b, t)"}),
        ((("block",), ("block",), ("block", "table")), {"put(a, b, t)", "put(b, a, t)"}),
        ((("table",), ("table",)), set()),
        ((("fish",),), set()),
    ],
)
def test_the_grammar_names_nothing_twice_in_a_call(
    takes: tuple[tuple[str, ...], ...], calls: set[str]
) -> None:
    kinds = {"a": "block", "b": "block", "t": "table"}
    scene = SceneDescription(
        tuple(ObjectDescription(name, kind=kind) for name, kind in kinds.items())
    )
    act = call_rule("put", SkillLine("put", takes).choices(scene)) or '"nothing"'
    sampler = Sampler(f"act ::= {act}", random.Random(0))
    assert {sampler.sample("act") for _ in range(60)} == (calls or {"nothing"})
