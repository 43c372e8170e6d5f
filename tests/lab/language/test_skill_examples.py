"""Lessons about named skills: sound, of every kind, apart from the exam, and graded by meaning."""

from __future__ import annotations

import random
import re
import runpy
from functools import cache
from pathlib import Path

import pytest
from gbnf_sampler import pattern
from prompt_table import PROMPTS

from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.embedded.language import COPAL_PURPOSES
from regrasp.lab.language.aim_phrasings import (
    CARRIES,
    DESTINATIONS,
    FRAMED_TOWERS,
    HELD_OUT_CARRIES,
    HELD_OUT_DESTINATIONS,
    HELD_OUT_TOWERS,
    TOWERS,
)
from regrasp.lab.language.aims import draw_aim, draw_impossible
from regrasp.lab.language.evaluation_set import EVALUATED, questions
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.generator import ExampleGenerator
from regrasp.lab.language.generators import GENERATORS
from regrasp.lab.language.grading import grade
from regrasp.lab.language.held_out_phrasings import HELD_OUT_UNCLEAR
from regrasp.lab.language.phrasings import UNCLEAR
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.repairs import sent_back
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.lab.language.skill_names import HELD_OUT_SKILL_NAMES, SKILL_NAMES
from regrasp.lab.language.skill_variations import with_variations
from regrasp.lab.language.skill_worlds import (
    HELD_OUT_CRAFTS,
    TRAINING_CRAFTS,
    SkillFamily,
    make_skill_world,
)
from regrasp.lab.language.statements import HELD_OUT_REPORTS, REPORTS
from regrasp.lab.language.vocabulary import TRAINING_WORDS
from regrasp.models.language import Role
from regrasp.prompts.constraints import ConstraintsPrompt
from regrasp.prompts.parsing import ParseError
from regrasp.prompts.prompt import VisionPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.skill_plan import CallStatus, SkillPlanPrompt
from regrasp.prompts.skills import SkillLine

ROOT = Path(__file__).parents[3]
BY_AGENTS = COPAL_PURPOSES | {"next_action"}
"""Questions that train/language/agents.py teaches."""
EMPTY, HELD = "the hand of the robot is empty", "X is held by the robot"


@cache
def lessons(family: str, count: int) -> tuple[LanguageExample, ...]:
    drill = ExampleSource(random.Random("skill lessons"), TRAINING_TYPES)
    return tuple(GENERATORS[family](drill) for _ in range(count))


def plans() -> tuple[tuple[LanguageExample, SkillPlanPrompt], ...]:
    made = ((question, question.prompt) for question in lessons("skill_plan", 100))
    return tuple((q, prompt) for q, prompt in made if isinstance(prompt, SkillPlanPrompt))


# ---- what is taught ----------------------------------------------------------------------------


def test_every_question_for_a_language_model_is_taught_and_examined() -> None:
    asked = {f.name for f in PROMPTS if not isinstance(f.example, VisionPrompt)}
    assert set(EVALUATED["seen"]) == set(EVALUATED["words"]) == asked
    shares = runpy.run_path(str(ROOT / "train" / "language" / "data.py"))["SHARES"]
    assert set(shares) == asked - BY_AGENTS


def test_the_exam_shares_no_skill_tower_report_or_craft_with_the_lessons() -> None:
    taught = {name for names in SKILL_NAMES.values() for name in names}
    assert not taught & {name for names in HELD_OUT_SKILL_NAMES.values() for name in names}
    assert SKILL_NAMES.keys() == HELD_OUT_SKILL_NAMES.keys()
    for told, kept in (
        ((*TOWERS, *FRAMED_TOWERS), HELD_OUT_TOWERS),
        (CARRIES, HELD_OUT_CARRIES),
        (DESTINATIONS, HELD_OUT_DESTINATIONS),
        (REPORTS, HELD_OUT_REPORTS),
        (UNCLEAR, HELD_OUT_UNCLEAR),
    ):
        assert not set(told) & set(kept)
    assert not set(TRAINING_CRAFTS) & set(HELD_OUT_CRAFTS)


def test_lessons_are_of_every_kind() -> None:
    made = plans()
    assert {question.room for question, _ in made} == set(map(str, TRAINING_CRAFTS))
    answers = [question.answer for question, _ in made]
    for how in ("Thought: ", "Done", "Cannot: "):
        assert 0.02 < sum(a.startswith(how) for a in answers) / len(made) < 0.95, how
    happened = [prompt.history for _, prompt in made]
    assert {len(events) for events in happened} >= set(range(6))
    assert {event.status for events in happened for event in events} == set(CallStatus)
    assert max(answer.count("\n") for answer in answers) >= 6
    assert any("tower" in prompt.goal or "pile" in prompt.goal for _, prompt in made)


def test_an_aim_is_told_in_goals_that_its_phrasing_names() -> None:
    rng = random.Random(5)
    for _ in range(60):
        world = make_skill_world(rng.choice(TRAINING_CRAFTS), TRAINING_WORDS, rng, held_out=False)
        aim = draw_aim(world, rng, held_out=False)
        if aim is None:
            continue
        names = {line.name for line in world.scene.objects}
        assert aim.goals
        assert all(set(goal.split(" ")) & names for goal in aim.goals)
        assert aim.phrasing and "{" not in aim.phrasing


def test_robots_are_sensible() -> None:
    """What lies under something is not lifted, and a stand that takes one thing has one on it."""
    rng = random.Random(6)
    for craft in (*TRAINING_CRAFTS * 20, *HELD_OUT_CRAFTS * 20):
        world = make_skill_world(craft, TRAINING_WORDS, rng, held_out=False)
        assert len({line.name for line in world.skills}) == len(world.skills)
        piled = {
            kind for line in world.skills if "X is on Y" in line.makes for kind in line.takes[1]
        }
        for line in world.skills:
            if HELD in line.makes and piled & set(line.takes[0]):
                assert "anything is on X" in line.bars, line
            if "anything is on Y" in line.bars:
                spots = line.choices(world.scene)[1]
                full = [said.rpartition(" is on ")[2] for said in world.start]
                assert all(full.count(spot) <= 1 for spot in spots), world.start


def test_many_skills_have_names_that_say_nothing() -> None:
    rng = random.Random(7)
    known = {name for names in SKILL_NAMES.values() for name in names}
    worlds = [
        make_skill_world(SkillFamily.TABLE, TRAINING_WORDS, rng, held_out=False) for _ in range(60)
    ]
    odd = [line.name not in known for world in worlds for line in world.skills]
    assert 0.3 < sum(odd) / len(odd) < 0.5


def test_a_quirk_is_a_condition_that_another_skill_sees_to() -> None:
    rng = random.Random(11)
    for craft in TRAINING_CRAFTS * 12:
        plain = make_skill_world(craft, TRAINING_WORDS, rng, held_out=False)
        odd = with_variations(plain, TRAINING_WORDS, rng)
        told = {s for line in plain.skills for s in (*line.needs, *line.bars)}
        wanted = {s for line in odd.skills for s in (*line.needs, *line.bars)} - told
        done = {s for line in odd.skills for s in (*line.makes, *line.ends)}
        assert wanted and {re.sub(r"^[XYZ] ", "X ", said) for said in wanted} <= done
        assert len({line.name for line in odd.skills}) == len(odd.skills) > len(plain.skills)
        assert odd.start >= plain.start and odd.scene == plain.scene


def test_quirks_are_taught_and_not_examined() -> None:
    known = re.compile(r" (?:is (?:held|on|inside|next|at|in view|closed|open)|ahead)\b")

    def odd(prompt: object) -> bool:
        lines = prompt.skills if isinstance(prompt, SkillPlanPrompt) else ()
        wants = [s for line in lines for s in (*line.needs, *line.bars) if s != EMPTY]
        return any(not known.search(said) for said in wants)

    assert 0.2 < sum(odd(prompt) for _, prompt in plans()) / len(plans()) < 0.6
    for part in ("words", "rooms"):
        asked = [q for q in questions(part, 12, 3) if q.family == "skill_plan"]
        assert asked and not any(odd(question.prompt) for question in asked)


def test_no_aim_is_a_ring_but_of_the_impossible() -> None:
    rng, rings = random.Random(8), 0
    for _ in range(150):
        world = make_skill_world(SkillFamily.TABLE, TRAINING_WORDS, rng, held_out=False)
        aim, never = (
            draw_aim(world, rng, held_out=False),
            draw_impossible(world, rng, held_out=False),
        )
        pairs = [goal.split(" is on ") for goal in aim.goals if " is on " in goal] if aim else []
        assert not any([below, above] in pairs for above, below in pairs)
        assert never.goals == ()
        rings += never.plain.count(" and put the ")
    assert rings > 5


def test_little_is_known_that_is_beside_the_point() -> None:
    words = re.compile(r" is (?:hot|cold|raw|cooked|frozen|thawed|halved|whole|turned off)$")
    beside = [any(words.search(said) for said in prompt.known) for _, prompt in plans()]
    assert sum(beside) / len(beside) < 0.2


# ---- replies that are sent back ----------------------------------------------------------------


def test_a_reply_that_could_not_be_read_is_sent_back_with_what_is_wrong() -> None:
    rng, ways = random.Random(9), set()
    for question in lessons("skill_plan", 100)[:40]:
        asked = sent_back(question, rng)
        assert asked is not None
        reply, hint = asked.messages[2:]
        assert isinstance(asked.prompt.parse(reply.content), ParseError)
        assert hint.content.startswith("Your answer could not be read.")
        assert asked.answer == question.answer and asked.grade(question.answer).exact
        ways.add(hint.content[:60])
    assert len(ways) > 5


def test_some_lessons_have_such_a_conversation() -> None:
    teacher = ExampleGenerator(random.Random(10), TRAINING_TYPES, unread=0.3)
    made = list(teacher.questions({"constraints": 60}))
    turns = [[message.role for message in question.messages] for question in made]
    short, long = [Role.SYSTEM, Role.USER], [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER]
    assert all(roles in (short, long) for roles in turns)
    assert 0.1 < turns.count(long) / len(turns) < 0.5


@pytest.mark.parametrize("part", ["seen", "words"])
def test_every_reference_answer_keeps_to_its_grammar(part: str) -> None:
    for question in questions(part, 2, 7):
        if question.family == "commands":
            continue  # a pattern of eighty commands takes long: test_copal_examples.py
        grammar = question.prompt.grammar()
        assert grammar is not None
        assert pattern(grammar).fullmatch(question.answer), (question.family, question.answer)


@pytest.mark.parametrize("family", ["skill_plan", "constraints"])
def test_reference_answers_are_right_and_in_the_grammar(family: str) -> None:
    for question in lessons(family, 100)[:20]:
        grade_ = question.grade(question.answer)
        assert grade_.right and grade_.exact
        assert pattern(question.prompt.grammar() or "").fullmatch(question.answer), question.answer


# ---- how it is graded --------------------------------------------------------------------------

BLOCK = (Affordance.PICK, Affordance.PUT_ON)
TABLE = SkillPlanPrompt(
    "put a on c and b on d",
    SceneDescription(
        tuple(
            ObjectDescription(name, "block", BLOCK) for name in ("jar", "mug", "cup", "tin")
        )
    ),
    (
        SkillLine("pick", (("block",),), (EMPTY,), (), (HELD,), (EMPTY, "X is on anything")),
        SkillLine(
            "place", (("block",), ("block",)), (HELD,), ("anything is on Y",),
            ("X is on Y", EMPTY), (HELD,),
        ),
    ),
    (EMPTY,),
)  # fmt: skip
GOALS = ("jar is on mug", "cup is on tin")
MUG, TIN = ("pick(jar)", "place(jar, mug)"), ("pick(cup)", "place(cup, tin)")
REFERENCE = (*MUG, *TIN)


def plan(*calls: str) -> str:
    return "\n".join(["Thought: so.", *(f"{i}. {call}" for i, call in enumerate(calls, 1))])


def right(reply: str, reference: str = plan(*REFERENCE), prompt: SkillPlanPrompt = TABLE) -> bool:
    result = grade(prompt, reply, reference, goals=GOALS)
    assert result.parsed
    return result.right


def test_calls_count_by_where_they_lead() -> None:
    assert right(plan(*REFERENCE))
    assert right(plan(*TIN, *MUG))
    assert not right(plan(*MUG))
    assert not right(plan(*MUG, "pick(cup)", "place(cup, jar)"))
    assert not right("Done") and not right("Cannot: I will not")


def test_calls_that_are_not_possible_are_wrong() -> None:
    assert not right(plan("place(jar, mug)", *TIN))
    assert not right(plan("pick(jar)", "pick(cup)", "place(jar, mug)", "place(cup, tin)"))


def test_one_call_too_many_is_forgiven_two_are_not() -> None:
    assert right(plan(*REFERENCE, "pick(tin)"))
    assert not right(plan(*REFERENCE, "pick(tin)", "place(tin, jar)"))
    assert not right(plan(*REFERENCE, "pick(jar)"))  # it undoes what was reached


def test_who_has_nothing_left_to_do_must_say_so() -> None:
    reached = SkillPlanPrompt(TABLE.goal, TABLE.scene, TABLE.skills, (EMPTY, *GOALS))
    assert right("Done", "Done", reached)
    assert not right(plan("pick(tin)"), "Done", reached)


def test_constraints_are_compared_as_sets() -> None:
    prompt = ConstraintsPrompt("pick(jar)", TABLE.skills[0], ("jar", "mug"), (HELD, "X is on Y"))
    meant = "While: jar is on mug\nAfter: jar is held by the robot\nAfter: mug is on jar"
    turned = "While: jar is on mug.\nAfter: mug is on jar\nAfter: jar is held by the robot"
    assert grade(prompt, turned, meant).right and not grade(prompt, turned, meant).exact
    for wrong in (
        "While: none\nAfter: jar is held by the robot\nAfter: mug is on jar",
        "While: jar is on mug\nAfter: jar is held by the robot",
        "While: jar is held by the robot\nAfter: jar is on mug",
    ):
        assert grade(prompt, wrong, meant).parsed and not grade(prompt, wrong, meant).right


def test_a_plan_without_its_last_call_is_wrong() -> None:
    cut = [q for q, _ in plans() if "1. " in q.answer]
    assert len(cut) > 30
    for question in cut:
        shorter = question.answer.rpartition("\n")[0]
        assert not question.grade(shorter).right, question
