"""Instructions that nobody prepared: what the robot would do with each, before anything moves.

The file has instructions for all worlds, each with the goals that count as right, or the
expectation that the robot refuses or asks back. Whoever wrote them had not seen the training data,
and a test keeps their sentences out of it. The whole road is measured: the language model, the
cameras that decide which objects are meant, and the doubt.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import TypeAlias

from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError
from regrasp.core.event import Event, GoalUnderstood
from regrasp.core.goal_description import parse_description
from regrasp.episodes.runner import WorldTask, open_place
from regrasp.episodes.setting import VisionFactory, oracle_of
from regrasp.methods.method import Assignment
from regrasp.methods.reading import instruction_scene, read_instruction
from regrasp.models.language import LanguageModel
from regrasp.models.vision import VisionModel
from regrasp.planners.goal_grounding import GroundedGoal, ground
from regrasp.planners.understanding import SAMPLES

__all__ = ["Expected", "Result", "UnpreparedInstruction", "examine", "read_unprepared"]

Canonical: TypeAlias = tuple[object, ...]


class Expected(StrEnum):
    """What the robot should do with an instruction."""

    ACT = "goal"
    ANSWER = "question"
    REFUSE = "refuse"
    ASK = "ask"


class Result(StrEnum):
    """What it would have done."""

    RIGHT = "right"
    WRONG = "acted on wrongly"
    NOT_ACTED = "asked back or declined"
    REFUSED = "rightly refused"
    ACTED = "acted on what should be refused"


@dataclass(frozen=True, slots=True)
class UnpreparedInstruction:
    """An instruction for a task of a world; `goals` are descriptions that count as right."""

    world: str
    task: str
    say: str
    expect: Expected
    goals: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Examined:
    """The result for one instruction, with the reading in words and its confidence.

    `wall_s` and `cpu_s` are the time from the instruction to the goal over objects, with the looks
    through the cameras and without the loading of the world.
    """

    instruction: UnpreparedInstruction
    result: Result
    words: str
    confidence: float
    wall_s: float = 0.0
    cpu_s: float = 0.0


def read_unprepared(text: str = "") -> tuple[UnpreparedInstruction, ...]:
    """The instructions of a JSON text; of the file that ships with the package if it is empty."""
    source = text or (resources.files("regrasp.bench") / "unprepared.json").read_text("utf-8")
    try:
        return tuple(
            UnpreparedInstruction(
                row["world"],
                row["task"],
                row["say"],
                Expected(row["expect"]),
                tuple(map(tuple, row["goals"])),
            )
            for row in json.loads(source)
        )
    except (ValueError, KeyError, TypeError) as error:
        raise RegraspError(
            f"not a list of instructions with world, task, say, expect and goals ({error})."
        ) from None


def examine(
    asked: UnpreparedInstruction, language: LanguageModel, vision: VisionFactory
) -> Examined:
    """Read one instruction in its world, with the models given."""
    events: list[Event] = []
    place = WorldTask(asked.world, asked.task)
    with open_place(place, size=(224, 224)) as setting:

        def assigned(model: VisionModel) -> Assignment:
            robot, domain = setting.robot, setting.domain
            return Assignment(asked.say, robot, domain, language, model, events.append)

        assignment = assigned(vision(setting))
        wall, cpu = time.perf_counter(), time.process_time()
        # what is asked back is not scored; samples decide where the model is not calibrated
        samples = 0 if language.capabilities.calibrated else SAMPLES
        found = read_instruction(assignment, samples=samples)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        right = set(_goals(asked, assigned(oracle_of(setting)))) if asked.goals else set()
    read = next((one for one in events if isinstance(one, GoalUnderstood)), None)
    words = found.reason if isinstance(found, Claim) else read.words if read else ""
    sure = read.confidence if read else 0.0
    return Examined(asked, _result(asked, found, right), words, sure, wall, cpu)


def _result(
    asked: UnpreparedInstruction, found: GroundedGoal | Claim, right: set[Canonical]
) -> Result:
    acted = isinstance(found, GroundedGoal)
    if asked.expect in (Expected.REFUSE, Expected.ASK):
        return Result.ACTED if acted else Result.REFUSED
    if not isinstance(found, GroundedGoal):
        return Result.NOT_ACTED if right else Result.RIGHT
    return Result.RIGHT if _canonical(found) in right else Result.WRONG


def _goals(asked: UnpreparedInstruction, assignment: Assignment) -> Iterable[Canonical]:
    """The right goals over objects, as a perfect vision model decides it.

    There are none if even that model cannot see which objects are meant.
    """
    scene = instruction_scene(assignment)
    for lines in asked.goals:
        found = ground(parse_description(lines), scene, scene.place_of)
        if isinstance(found, GroundedGoal):
            yield _canonical(found)


def _canonical(goal: GroundedGoal) -> Canonical:
    """The goal without the order of literals in a stage."""
    questions = frozenset((one.kind, frozenset(one.names), one.literals) for one in goal.questions)
    stages = tuple(frozenset(stage.literals) for stage in goal.stages)
    return stages, frozenset(goal.keep), questions
