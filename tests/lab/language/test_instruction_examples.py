"""Lessons about goals: sound in every language, of every kind, the same for the same seed."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from gbnf_sampler import pattern

from regrasp.core.goal_description import ClauseMode, GoalDescription, Selection, parse_description
from regrasp.core.object_description import ObjectDescription
from regrasp.lab.language.evaluation_set import EVALUATED, questions
from regrasp.lab.language.frames import FOLDER, frames_of, languages
from regrasp.lab.language.grading import grade
from regrasp.lab.language.human_instructions import HumanInstructions
from regrasp.lab.language.instruction_examples import (
    ABROAD,
    TOLD,
    InstructionExample,
    instruction,
)
from regrasp.lab.language.instruction_nouns import RetryError
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_worlds import HELD_OUT_NOUNS, InstructionWorld, make_world
from regrasp.lab.language.reading import read_prompt
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, TRAINING_WORDS, is_held_out
from regrasp.prompts.goal import DeclineReason, GoalPrompt
from regrasp.prompts.parsing import Declined
from regrasp.worlds.registry import WORLDS, world_plan


@cache
def lessons(held_out: bool = False, count: int = 500) -> tuple[InstructionExample, ...]:
    rng = random.Random("test")
    words = HELD_OUT_WORDS if held_out else TRAINING_WORDS
    return tuple(instruction(rng, words) for _ in range(count))


def of_language(language: str, count: int) -> Iterator[InstructionExample]:
    rng = random.Random(language)
    while count:
        world = make_world(rng, TRAINING_WORDS, plain=language != "en")
        try:
            speaker = Speaker(world, rng, TRAINING_WORDS, language)
            text, answer = speaker.say()
        except RetryError:
            continue
        count -= 1
        yield InstructionExample(GoalPrompt(text, world.scene, world.forms), answer, language)


def check(made: InstructionExample) -> GoalDescription | Declined:
    """Whether an answer parses by its prompt to what it says."""
    value = made.prompt.parse(made.answer)
    assert isinstance(value, GoalDescription | Declined), made
    first, *lines = made.answer.split("\n")
    if isinstance(value, GoalDescription):
        assert first == "Goal:"
        assert value == parse_description(lines)
        assert [str(clause) for clause in value.clauses] == lines
    elif first == "Goal:":  # the goal is written down; that its objects are unfit, the prompt says
        assert value.why.startswith(f"{DeclineReason.IMPOSSIBLE}: ")
        assert parse_description(lines).clauses
    else:
        assert first == f"Cannot: {value.why}"
        assert value.why.partition(":")[0] in set(DeclineReason)
    return value


# ---- every lesson ------------------------------------------------------------------------------


@pytest.mark.parametrize("held_out", [False, True])
def test_an_answer_parses_to_what_it_says(held_out: bool) -> None:
    for made in lessons(held_out):
        check(made)


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "zh"])
def test_an_answer_parses_in_every_language(language: str) -> None:
    assert language in languages()
    values = [check(made) for made in of_language(language, 100)]
    assert 60 < sum(isinstance(value, GoalDescription) for value in values) < 95
    frames = frames_of(language)
    assert all((frames.clauses, frames.phrases, frames.links, frames.wraps, frames.refusals))


def test_the_text_of_a_question_reads_back_to_its_prompt() -> None:
    for made in lessons():
        prompt = read_prompt(made.prompt.messages())
        assert prompt is not None
        assert prompt.parse(made.answer) == made.prompt.parse(made.answer)


def test_answers_are_in_the_grammar() -> None:
    small = [made for made in lessons() if len(made.prompt.scene.objects) < 7]
    for made in small[:15]:
        assert pattern(made.prompt.grammar()).fullmatch(made.answer), made.answer


def test_what_is_missing_is_named_in_the_instruction() -> None:
    found = [made for made in lessons() if made.answer.startswith("Cannot: missing: ")]
    assert found
    for made in found:
        words = made.answer.removeprefix("Cannot: missing: ").lower().split()
        said = made.prompt.instruction.lower()
        assert sum(word not in said for word in words) <= 1, made  # one word may be misspelt


# ---- the whole ---------------------------------------------------------------------------------


def test_shares_of_sources_answers_and_clauses() -> None:
    made = lessons()
    sources = Counter(one.source for one in made)
    told = {source: share for source, (share, _) in TOLD.items()}
    frames = 1 - sum(told.values())
    abroad = dict.fromkeys(("de", "es", "fr", "zh"), frames * ABROAD / 5)
    expected = told | abroad | {"en": frames * (1 - ABROAD * 4 / 5)}
    assert set(sources) == set(expected)
    for source, share in expected.items():
        assert abs(sources[source] / len(made) - share) < 0.05, source
    declined = Counter(
        one.answer.removeprefix("Cannot: ").partition(":")[0]
        for one in made
        if one.answer.startswith("Cannot: ")
    )
    assert set(declined) == set(DeclineReason)
    assert 0.12 < declined.total() / len(made) < 0.3
    goals = [value for one in made if isinstance(value := check(one), GoalDescription)]
    clauses = [clause for value in goals for clause in value.clauses]
    for found, least in (
        (sum(not clause.positive for clause in clauses), 0.05),
        (sum(clause.later for clause in clauses), 0.02),
        (sum(clause.mode is ClauseMode.KEEP for clause in clauses), 0.02),
        (sum(clause.mode is ClauseMode.ASK for clause in clauses), 0.04),
        (sum(any(isinstance(a, Selection) for a in clause.args) for clause in clauses), 0.1),
    ):
        assert least < found / len(clauses) < 0.5
    assert 0.2 < sum(len(value.clauses) > 1 for value in goals) / len(goals) < 0.6


def test_the_same_seed_gives_the_same_lessons_in_another_process() -> None:
    code = (
        "import hashlib, random\n"
        "from regrasp.lab.language.instruction_examples import instruction\n"
        "from regrasp.lab.language.vocabulary import TRAINING_WORDS\n"
        "rng = random.Random('seed')\n"
        "made = [instruction(rng, TRAINING_WORDS) for _ in range(60)]\n"
        "text = repr([(one.prompt.messages(), one.answer) for one in made])\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_no_instruction_of_a_shipped_world_is_a_lesson() -> None:
    shipped = {task.instruction.lower() for name in WORLDS for task in world_plan(name).tasks}
    assert shipped
    assert not shipped & {made.prompt.instruction.lower().rstrip(".") for made in lessons()}


# ---- evaluation --------------------------------------------------------------------------------


def test_held_out_nouns_are_in_no_training_scene_or_frame() -> None:
    def nouns(held_out: bool) -> set[str]:
        names = (o.name for made in lessons(held_out) for o in made.prompt.scene.objects)
        return {word for name in names for word in name.split("_")}

    unseen = {noun for listed in HELD_OUT_NOUNS.values() for noun in listed}
    assert all(map(is_held_out, unseen))
    assert len(unseen & nouns(True)) > 30
    assert not unseen & nouns(False)
    texts = " ".join(path.read_text("utf-8") for path in FOLDER.glob("en_*.json"))
    assert not unseen & set(re.findall(r"[a-z]+", texts.lower()))
    assert "activity" not in {made.source for made in lessons(True)}


def test_goals_are_asked_for_in_every_part_that_changes_them() -> None:
    assert {part for part, families in EVALUATED.items() if "goal" in families} == {
        "seen", "words", "signs", "no_signs", "repairs",
    }  # fmt: skip
    sources = {q.room for q in questions("seen", 30, 1) if q.family == "goal"}
    assert {"en", "discourse"} <= sources


def test_a_goal_is_right_in_any_order_and_wrong_without_a_clause() -> None:
    several = [made for made in lessons() if made.answer.count("\n") > 1]
    tried = 0
    for made in several[:60]:
        if isinstance(made.prompt.parse(made.answer), Declined):
            continue
        head, *lines = made.answer.split("\n")
        turned = grade(made.prompt, "\n".join([head, *lines[::-1]]), made.answer)
        assert turned.right and not turned.exact
        assert not grade(made.prompt, "\n".join([head, *lines[1:]]), made.answer).right
        tried += 1
    assert tried > 30


def test_a_refusal_is_right_for_the_same_reason_only() -> None:
    prompt = lessons()[0].prompt
    missing = "Cannot: missing: golden harp"
    assert grade(prompt, "Cannot: missing: harp", missing).right
    assert not grade(prompt, "Cannot: impossible", missing).right
    goal = next(made for made in lessons() if isinstance(check(made), GoalDescription))
    assert not grade(goal.prompt, "Cannot: unclear", goal.answer).right
    assert not grade(goal.prompt, "I would rather not.", goal.answer).parsed


# ---- sentences that people wrote ---------------------------------------------------------------


def test_sentences_of_people_become_lessons_and_some_scenes_are_kept(tmp_path: Path) -> None:
    rows = [
        {
            "say": "Put a warm potato on the counter top",
            "goal": ["hot(potato)", "in(potato, counter_top)"],
            "scene": f"room {number:02}",
            "steps": ["Pick up the potato", "Warm it", "Put the potato on the counter top"],
            "actions": [
                ["PickupObject", "potato"],
                ["HeatObject", "potato"],
                ["PutObject", "potato", "countertop"],
            ],
        }
        for number in range(30)
    ]
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    listed = ["potato", "counter_top", "fork", "sink", "stove_burner", "apple", "cabinet", "mug"]
    scenes = {str(row["scene"]): listed for row in rows}
    (tmp_path / "scenes.json").write_text(json.dumps(scenes))

    def read(held_out: bool) -> HumanInstructions:
        paths = (tmp_path / "rows.jsonl.gz", tmp_path / "scenes.json")
        return HumanInstructions.read(*paths, held_out=held_out)

    assert {row["scene"] for row in read(True).rows} == {"room 00", "room 25"}
    assert len(read(False).rows) == 28
    rng = random.Random("people")
    made = [one for _ in range(60) if (one := read(False).draw(rng, TRAINING_WORDS))]
    assert {one.source for one in made} == {"people"}
    values = [check(one) for one in made]
    assert any(isinstance(value, Declined) for value in values)
    assert any(isinstance(v, GoalDescription) and len(v.clauses) == 2 for v in values)


@pytest.mark.parametrize("count", [4, 9])
def test_a_number_that_no_object_has_is_said_only_if_there_is_one(count: int) -> None:
    names = [f"stove_burner_{i}" for i in range(1, count + 1)]
    objects = tuple(ObjectDescription(name, "surface") for name in names)
    world = InstructionWorld(objects, dict.fromkeys(names, frozenset({"surface"})), {})
    missed = Speaker(world, random.Random(0), TRAINING_WORDS, "en").near_miss(("surface",))
    assert missed in ("", *(f"burner {i}" for i in range(count + 1, 10)))
    assert bool(missed) == (count < 9)
