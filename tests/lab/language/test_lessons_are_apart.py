"""No lesson of the goal adapter, or of the agents', is made of sentences on which it is evaluated.

A text of the generator and an evaluated instruction may not share five words in a row. A slot of a
text stands for any words, so it ends a row. In Chinese a row is eight characters, about as long.
"""

from __future__ import annotations

import ast
import itertools
import json
import os
import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from regrasp.bench.suite_registry import SUITES, open_suite
from regrasp.bench.unprepared import read_unprepared
from regrasp.lab import language
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.generators import GENERATORS as GENERATORS_OF
from regrasp.lab.language.next_action_examples import next_actions
from regrasp.lab.language.next_action_search import read_pddl
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.specify import SpecifyPrompt
from regrasp.worlds.registry import world_plan

PACKAGE = Path(language.__file__).parent
GENERATORS = sorted(
    path.name
    for pattern in ("instruction_*.py", "copal_*.py", "interpret_*.py", "next_action_*.py")
    for path in PACKAGE.glob(pattern)
)
FOLDER = "REGRASP_INSTRUCTION_SETS"
COPAL_DATA = "REGRASP_COPAL_DATA"
SLOT = "{}"
COMMON = frozenset(
    ["a", "an", "and", "at", "from", "in", "into", "is", "it", "of", "on", "the", "to"]
)
WORDS, CHARACTERS = 5, 8


def rows_of_words(text: str) -> Iterator[str]:
    """Every row of five words, or of eight Chinese characters, that no slot interrupts."""
    for piece in re.split(r"{\w*}", text.lower()):
        words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", piece)
        yield from (" ".join(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1))
        for run in re.findall(r"[\u4e00-\u9fff]+", re.sub(r"\W", "", piece)):
            yield from (run[i : i + CHARACTERS] for i in range(len(run) - CHARACTERS + 1))


def texts_of_frames() -> Iterator[str]:
    """Every text in the files of frames."""

    def texts(value: object, wanted: bool = False) -> Iterator[str]:
        if isinstance(value, str) and wanted:
            yield value
        elif isinstance(value, list):
            for one in value:
                yield from texts(one, wanted)
        elif isinstance(value, dict):
            for key, one in value.items():
                yield from texts(one, key in ("do", "state", "say", "title"))

    for path in sorted((PACKAGE / "frames").rglob("*.json")):
        if path.stem != "words":
            yield from texts(json.loads(path.read_text("utf-8")))


def texts_of_code(names: Iterable[str] = GENERATORS) -> Iterator[str]:
    """Every string of the generators but docstrings; what an f-string inserts is a slot."""
    for name in names:
        tree = ast.parse((PACKAGE / name).read_text("utf-8"))
        inner: set[ast.AST] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                inner.add(node.value)
            if isinstance(node, ast.JoinedStr):
                inner |= set(node.values)
                pieces = (v.value if isinstance(v, ast.Constant) else SLOT for v in node.values)
                yield "".join(map(str, pieces))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner:
                yield node.value


@cache
def taught() -> dict[str, set[str]]:
    """The texts of the generator that have rows of words, with those rows."""
    rows = {text: set(rows_of_words(text)) for text in (*texts_of_frames(), *texts_of_code())}
    return {text: found for text, found in rows.items() if found}


def shared(instructions: Iterable[str]) -> dict[str, set[str]]:
    """Texts of the generator with the rows of words that some instruction has too."""
    rows = {row for said in instructions for row in rows_of_words(said)}
    return {text: found & rows for text, found in taught().items() if found & rows}


def test_rows_end_at_slots_and_punctuation_does_not_count() -> None:
    assert list(rows_of_words("Put {x} on top of the {y}, right there")) == []
    assert list(rows_of_words("don't, ever: touch the jar")) == ["don't ever touch the jar"]
    assert list(rows_of_words("请把那个杯子放好吧")) == ["请把那个杯子放好", "把那个杯子放好吧"]


def test_frames_and_code_have_texts() -> None:
    assert "put {x} on {y}" in set(texts_of_frames())
    assert "distribute the {}: {} {} {}" in set(texts_of_code())
    assert not any("known by construction" in text for text in texts_of_code())  # a docstring
    assert len(taught()) > 1000


def test_a_shared_row_is_found() -> None:
    text, rows = next(iter(taught().items()))
    row = min(rows)
    assert row in shared([f"Oh well, {row.upper()}!"])[text]


def test_no_text_is_in_the_unprepared_instructions() -> None:
    try:
        instructions = read_unprepared()
    except FileNotFoundError:
        pytest.skip("src/regrasp/bench/unprepared.json is not there")
    assert shared(one.say for one in instructions) == {}


@cache
def fixed_words(text: str) -> list[str]:
    return words_of(re.sub(r"{\w*}", " ", text))


@cache
def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower().replace("_", " "))


def is_frame_of(text: str, instruction: str) -> bool:
    """Whether slots of `text` can make it `instruction`, and it is more than a common sentence.

    It begins with the same word, its words come in that order, and three or more of them are not
    articles, prepositions and the like.
    """
    fixed, said = fixed_words(text), words_of(instruction)
    if len(set(fixed) - COMMON) < 3 or fixed[0] != said[0]:
        return False
    following = iter(said)
    return all(word in following for word in fixed)


def suite_instructions() -> set[str]:
    """Every instruction that a suite of the bench gives."""
    return {
        task.instruction or world_plan(task.world).task(task.task).instruction
        for name in SUITES
        for task in open_suite(name).tasks
    }


def test_no_lesson_has_an_instruction_of_a_suite_as_its_frame() -> None:
    assert is_frame_of(
        "open the {y}. The {s} lock opens", "open the red_box. The steel lock opens."
    )
    assert not is_frame_of("put the {x} on the {s}", "put the cube on the tray")
    instructions = suite_instructions()
    assert len(instructions) > 15
    texts = {*texts_of_frames(), *texts_of_code(sorted(p.name for p in PACKAGE.glob("*.py")))}
    found = {text: said for text in texts for said in instructions if is_frame_of(text, said)}
    assert found == {}


def test_no_text_is_in_the_published_sets() -> None:
    folder = os.environ.get(FOLDER)
    if not folder:
        pytest.skip(f"{FOLDER} names no folder with the published sets (JSON lines with `say`)")
    paths = sorted(Path(folder).glob("*.jsonl"))
    assert paths, f"no *.jsonl file in {folder}"
    rows = (json.loads(line) for path in paths for line in path.open(encoding="utf-8"))
    assert shared(row["say"] for row in rows) == {}


VERBS = {"put", "bring", "take", "lift", "onto"}


def test_no_lesson_of_the_next_action_names_what_is_in_the_apartment() -> None:
    """Neither an object of our apartment nor any word of its name is the name of an object."""
    said = [one.instruction for one in world_plan("apartment").tasks]
    taken = {word for text in said for word in words_of(text)} - COMMON - VERBS
    assert {"bucket", "drawer", "bookshelf", "wooden", "person"} <= taken
    lessons = next_actions(ExampleSource(random.Random("apart"), TRAINING_TYPES))
    for lesson in itertools.islice(lessons, 60):
        prompt = lesson.prompt
        assert isinstance(prompt, NextActionPrompt)
        domain, problem = read_pddl(prompt)
        assert domain.name != "apartment"
        assert prompt.instruction not in said
        for one in problem.objects:
            assert not {one.name, *one.name.split("_")} & taken, one.name


# ---- CoPAL's own data --------------------------------------------------------------------------


@cache
def copal_data() -> Path:
    """The folder of the paper's requests, recipes, inventories and scenes of blocks."""
    folder = os.environ.get(COPAL_DATA)
    if not folder:
        pytest.skip(f"{COPAL_DATA} names no folder with CoPAL's data")
    return Path(folder)


@cache
def copal_lessons() -> tuple[LanguageExample, ...]:
    source = ExampleSource(random.Random("apart"), TRAINING_TYPES)
    families = ("interpret", "specify", "commands")
    return tuple(GENERATORS_OF[family](source) for family in families for _ in range(40))


def plain_words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def test_no_request_of_copal_is_a_text_or_a_lesson() -> None:
    paths = sorted(copal_data().glob("User prompt list*.txt"))
    lines = (line for path in paths for line in path.read_text("utf-8").splitlines())
    requests = {plain_words(line) for line in lines if line.strip()}
    assert len(requests) >= 20
    assert shared(requests) == {}
    for lesson in copal_lessons():
        text = f" {plain_words(lesson.messages[1].content)} "
        assert not [one for one in requests if f" {one} " in text]


def test_no_recipe_of_copal_is_in_a_lesson() -> None:
    recipes = json.loads((copal_data() / "cocktails.json").read_text("utf-8"))
    names = {plain_words(re.sub(r"^[\d. ]+", "", name)) for name in recipes}
    contents = {frozenset(one["ingredient"]) | frozenset(one["liquid"]) for one in recipes.values()}
    assert len(names) >= 20
    checked = 0
    for lesson in copal_lessons():
        prompt = lesson.prompt
        if isinstance(prompt, SpecifyPrompt) and prompt.recipe:
            used = {m[1] for line in prompt.recipe if (m := re.match(r"[\d.]+ ml (\w+)", line))}
            assert used and frozenset(used) not in contents
            assert plain_words(prompt.recipe_name) not in names
            checked += 1
    assert checked > 10


def test_no_scene_of_copal_is_in_a_lesson() -> None:
    """A scene is its set of objects: the lessons draw theirs at random, from other names."""
    inventories = [
        set(re.findall(r'"(\w+)": \{', path.read_text("utf-8")))
        for path in sorted(copal_data().glob("environment_*.txt"))
    ]
    assert len(inventories) == 2
    for lesson in copal_lessons():
        prompt = lesson.prompt
        if isinstance(prompt, SpecifyPrompt):
            names = {name for name, kind in prompt.objects if kind not in ("substance", "hand")}
            assert all(len(names & one) < len(names) for one in inventories)
