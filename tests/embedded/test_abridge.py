"""What the embedded model is asked: the question, without what it was taught."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_table import EXAMPLE_SCENE, PROMPTS, PromptFamily

from regrasp.core.action import Action
from regrasp.core.fact import Fact
from regrasp.domains.apartment import apartment_lexicon
from regrasp.domains.domain import Domain, Object, Problem
from regrasp.domains.formula import And, Atom
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.domains.rules import Rules
from regrasp.embedded.abridge import shorten_messages
from regrasp.models.language import Message, Role
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.plan import PlanPrompt

REPORT = "[physical/resisted] Could not pull. It did not follow. (peak_force = 62.5 N)"


def shown(prompt: PlanPrompt) -> str:
    return shorten_messages(prompt.messages())[1].content


@pytest.mark.parametrize("family", PROMPTS, ids=lambda family: family.name)
def test_the_head_shrinks_to_the_name_of_the_question(family: PromptFamily) -> None:
    system, user = shorten_messages(family.example.messages())
    assert system.content == f"Task: {family.example.purpose}"
    assert user.content


def test_every_message_of_the_embedded_model_is_as_in_its_lessons() -> None:
    shown = [
        "\n".join([f"== {one.name}", *(f"[{m.role}]\n{m.content}" for m in messages)])
        for one in PROMPTS
        if (messages := shorten_messages(one.example.messages()))
    ]
    frozen = Path(__file__).with_name("shortened_prompts.txt")  # written before other models' help
    assert "\n".join(shown) + "\n" == frozen.read_text(encoding="utf-8")


def test_a_repair_hint_is_kept_and_examples_are_not() -> None:
    asked = PlanPrompt("find the ripe pear", EXAMPLE_SCENE)
    again = (Message(Role.ASSISTANT, "?"), Message(Role.USER, "Answer again."))
    short = shorten_messages((*asked.messages(), *again))
    assert [m.role for m in short] == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER]
    assert short[1].content.startswith("Goal: find the ripe pear") and short[3] == again[1]


def test_a_plan_is_told_neither_joints_nor_spots_nor_evidence() -> None:
    tried = FailedAttempt((), "Open the oven", ("broom is blocking oven_handle",), REPORT)
    text = shown(PlanPrompt("find the ripe pear", EXAMPLE_SCENE, attempts=(tried,)))
    assert "joint" not in text and "spot" not in text and "peak_force" not in text
    assert '- robot: "resisted"' in text
    assert "- oak_cupboard: cupboard; can open, put in; now closed" in text
    assert '- why: "broom is blocking oven_handle"' in text


def test_a_bare_number_says_nothing() -> None:
    tried = FailedAttempt((), "Open the oven", (), "0.83")
    assert "robot" not in shown(PlanPrompt("open the oven", EXAMPLE_SCENE, attempts=(tried,)))


def test_a_motion_plan_keeps_its_joints() -> None:
    motion = next(family for family in PROMPTS if family.name == "motion_plan").example
    assert shorten_messages(motion.messages())[1].content == motion.render()


def test_what_is_seen_is_never_cut() -> None:
    sign = "x; joint a by b; spot c"
    tried = FailedAttempt((), "Open the oven", (sign,))
    assert sign in shown(PlanPrompt("open the oven", EXAMPLE_SCENE, attempts=(tried,)))


def test_a_plan_over_skills_is_told_skills_and_what_is_known_not_what_happened() -> None:
    asked = next(family for family in PROMPTS if family.name == "skill_plan").example
    text = shorten_messages(asked.messages())[1].content
    assert "- oak_cupboard: cupboard; now closed\n" in text and "- blue_mug: mug\n" in text
    whole = asked.render().partition("Skills:")[2]
    assert "\nHappened:\n" in whole
    assert text.partition("Skills:")[2] == whole.partition("\nHappened:\n")[0]


def test_a_goal_is_asked_with_names_and_forms_alone() -> None:
    asked = next(family for family in PROMPTS if family.name == "goal").example
    text = shorten_messages(asked.messages())[1].content
    assert ", blue_mug, white_mug, " in text and "can pick" not in text
    assert "- on(X, Y): X is on Y\n" in text
    said = asked.render().partition("Instruction:")[2]
    assert text.partition("Instruction:")[2] == said and "; Y " not in text


def test_constraints_are_asked_without_the_names_that_the_call_has() -> None:
    asked = next(family for family in PROMPTS if family.name == "constraints").example
    text = shorten_messages(asked.messages())[1].content
    kept = [line for line in asked.render().split("\n") if not line.startswith("Names: ")]
    assert text == "\n".join(kept) and "Names" in asked.render()


def test_other_conversations_are_left_alone() -> None:
    for messages in (
        (Message(Role.USER, "Task: plan"),),
        (Message(Role.SYSTEM, "You are kind."), Message(Role.USER, "Objects:\n- a: b; spot c")),
        (),
    ):
        assert shorten_messages(messages) == messages


def test_a_place_whose_state_nobody_saw_is_told_as_closed() -> None:
    text = shown(PlanPrompt("open the oven", EXAMPLE_SCENE))
    assert "- oven: oven; can open, put in; now closed" in text
    assert "- ripe_pear: pear; can pick; not in sight" in text
    assert text.count("now closed") == 2


# ---- the next action ---------------------------------------------------------------------------


def next_action(problem: Problem, domain: Domain, said: str) -> str:
    prompt = NextActionPrompt(said, write_domain(domain), write_problem(problem), ())
    return shorten_messages(prompt.messages())[1].content


def at_home(*facts: Fact) -> Problem:
    objects = (("red_pot", "item"), ("oak_bench", "surface"), ("pine_bench", "surface"),
               ("tin_chest", "container"), ("wool_hat", "item"))  # fmt: skip
    goal = And((Atom("on", ("red_pot", "oak_bench")),))
    return Problem(
        "apartment-now", "apartment", tuple(Object(*one) for one in objects), frozenset(facts), goal
    )


def test_the_next_action_is_told_call_by_call() -> None:
    domain = apartment_lexicon().domain
    known = [Fact.of("find", name) for name in ("red_pot", "oak_bench", "tin_chest", "wool_hat")]
    shut_in = Fact.of("in", "red_pot", "tin_chest")
    problem = at_home(*known, shut_in, Fact.of("at", "tin_chest"))
    lines = next_action(problem, domain, "put the red pot on the oak bench").split("\n")
    assert lines[1:3] == ["Missing: on(red_pot, oak_bench)", "Reached: none"]
    possible = lines[lines.index("Possible:") + 1 : lines.index("Blocked:")]
    assert possible == [
        "- move(red_pot): at(red_pot), not at(tin_chest)",
        "- move(oak_bench): at(oak_bench), not at(tin_chest)",
        "- scan(tin_chest): detected(tin_chest)",
    ]
    blocked = lines[lines.index("Blocked:") + 1 :]
    assert (
        "- grasp(red_pot): holding(red_pot);"
        " needs at(red_pot), detected(red_pot), reachable(red_pot), graspable(red_pot),"
        " opened(tin_chest)"
    ) in blocked
    assert "- pull(tin_chest): opened(tin_chest); needs holding(tin_chest)" in blocked
    assert not [one for one in lines if "wool_hat" in one or "pine_bench" in one]  # not in play
    assert not [one for one in lines if one.startswith("- lift")]  # changes nothing


def test_possible_calls_are_those_of_the_domain() -> None:
    domain = apartment_lexicon().domain
    held = at_home(Fact.of("holding", "red_pot"), Fact.of("at", "oak_bench"))
    for more in ((), (Fact.of("placeable", "oak_bench"), Fact.of("reachable", "oak_bench"))):
        problem = at_home(*held.init, *more)
        text = next_action(problem, domain, "put the red pot on the oak bench")
        can = text.partition("Possible:")[2].partition("Blocked:")[0]
        rules, call = Rules.of(domain, problem), Action("place", ("red_pot", "oak_bench"))
        assert (f"- {call}:" in can) is (not rules.unmet_preconditions(call, problem.init))


def test_pddl_that_cannot_be_read_is_left_as_it_is() -> None:
    prompt = NextActionPrompt("put it away", "(define (domain", "(define", ())
    assert shorten_messages(prompt.messages())[1].content == prompt.render()
