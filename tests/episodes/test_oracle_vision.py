"""The oracle answers our questions truly, says what it cannot see, and errs as often as asked."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.episodes.oracle_vision import VisionErrors
from regrasp.models.vision import VisionModel
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.see_object import SeeObjectPrompt
from regrasp.prompts.why import why_prompts
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World
from world_oracle import open_oracle_vision


@functools.cache
def world(name: str, task: str | None = None) -> World:
    return open_world(name, task, 0)


def ask(where: World, question: str) -> str:
    prompt = AskVisionPrompt(question, ("a_name", "another"))
    return open_oracle_vision(where).answer((), prompt.render(), kind=prompt.kind).text


@pytest.mark.parametrize(
    ("name", "task", "question", "answer"),
    [
        ("kitchen", None, "Do you see the kettle?", "yes"),
        ("kitchen", None, "Do you see the green_apple?", "no"),
        ("kitchen", None, "Do you see the spoon?", "no"),
        ("kitchen", None, "Do you see the microwave?", "yes"),
        ("kitchen", None, "Is the microwave open?", "no"),
        ("kitchen", None, "Is the microwave closed?", "yes"),
        ("kitchen", None, "Is the kettle blocking the microwave?", "yes"),
        ("kitchen", None, "Is the kettle blocking the wooden_cabinet?", "no"),
        ("kitchen", None, "Is the kettle in front of the microwave?", "yes"),
        ("kitchen", None, "Is the kettle on the counter?", "yes"),
        ("kitchen", None, "Is the kettle inside the microwave?", "no"),
        ("kitchen", None, "Is the green_apple inside the microwave?", "unknown"),
        ("kitchen", None, "Is the green_apple on the counter?", "unknown"),
        ("kitchen", None, "Is the robot holding the kettle?", "no"),
        ("kitchen", None, "What colour is the kettle?", "blue"),
        ("kitchen", None, "What colour is the green_apple?", "unknown"),
        ("kitchen", None, "How many stars are there?", "unknown"),
        ("cabinet", "open", "Is the wooden_cabinet open?", "yes"),
        ("cabinet", "barred", "Is the red_bar blocking the wooden_cabinet_left_handle?", "yes"),
        ("cabinet", "barred", "Is the yellow_cube blocking the wooden_cabinet?", "no"),
        ("cubes", "occupied", "Is the yellow_cube on the crate?", "yes"),
        ("cubes", "occupied", "Is the red_cube on the crate?", "no"),
        ("cubes", "occupied", "Is there anything on the crate?", "yes"),
        ("cubes", "occupied", "Is the red_cube on the yellow_cube?", "no"),
        ("cubes", "match", "Is there anything on the crate?", "no"),
        ("cubes", "occupied", "What colour is the crate?", "red"),
        ("sensor", None, "What colour is the weight_sensor?", "green"),
        ("household", "boil-water", "Do you see the cabinet_left_handle?", "yes"),
        ("household", "halve-egg", "Do you see the hard_boiled_egg_half_1?", "no"),
        ("household", "halve-egg", "Is there anything on the countertop?", "unknown"),
    ],
)
def test_what_is_true(name: str, task: str | None, question: str, answer: str) -> None:
    assert ask(world(name, task), question) == answer


@pytest.mark.parametrize(
    ("name", "task", "action", "answer"),
    [
        ("kitchen", None, "Open the microwave", "The kettle is blocking microwave."),
        ("cabinet", "barred", "Open the wooden_cabinet", "The red_bar is blocking wooden_cabinet."),
        ("cubes", "occupied", "Place the red_cube on the crate", "The yellow_cube is on crate."),
        ("cabinet", "closed", "Open the wooden_cabinet", "nothing"),
        ("lever", None, "Open the wooden_cabinet", "nothing"),
        ("sensor", None, "Open the stone_cabinet", "nothing"),
        ("kitchen", None, "Sing a song", "nothing"),
        (
            "kitchen",
            None,
            "Place the kettle in the wooden_cabinet",
            "The wooden_cabinet is closed.",
        ),
    ],
)
def test_what_prevents_it(name: str, task: str | None, action: str, answer: str) -> None:
    vision = open_oracle_vision(world(name, task))
    prompts = why_prompts(action, ("some", "names"))
    assert {vision.answer((), p.render(), kind=p.kind).text for p in prompts} == {answer}


def test_it_is_a_vision_model_by_its_honest_name() -> None:
    assert isinstance(open_oracle_vision(world("cubes")), VisionModel)
    assert open_oracle_vision(world("cubes")).name == "oracle"
    assert (
        open_oracle_vision(world("cubes"), VisionErrors(0.9, 0.05)).name == "oracle:tp=0.9,fp=0.05"
    )


def test_it_errs_at_its_rates_and_the_same_way_each_time() -> None:
    def said(question: str) -> list[Verdict]:
        vision = open_oracle_vision(
            world("kitchen"), VisionErrors(0.8, 0.3), np.random.default_rng(5)
        )
        return [vision.answer((), question).verdict for _ in range(400)]

    seen, unseen = (SeeObjectPrompt(name).render() for name in ("kettle", "green_apple"))
    assert said(seen) == said(seen)
    assert abs(said(seen).count(Verdict.YES) / 400 - 0.8) < 0.06
    assert abs(said(unseen).count(Verdict.YES) / 400 - 0.3) < 0.06


def test_the_worst_vision_model_names_the_wrong_thing() -> None:
    vision = open_oracle_vision(world("kitchen"), VisionErrors(0.0, 1.0))
    (blocked, *_), (free, *_) = (
        why_prompts(f"Open the {x}", ()) for x in ("microwave", "wooden_cabinet")
    )
    assert vision.answer((), blocked.render(), kind=QuestionKind.OPEN).text == "nothing"
    assert "is blocking" in vision.answer((), free.render(), kind=QuestionKind.OPEN).text


def test_error_models_are_read_and_checked() -> None:
    assert VisionErrors.parse("") == VisionErrors()
    assert VisionErrors.parse("fp=0.1") == VisionErrors(1.0, 0.1)
    assert VisionErrors.parse(str(VisionErrors(0.5, 0.25))) == VisionErrors(0.5, 0.25)
    for wrong in ("tp=2", "tp", "x=1", "tp=a"):
        with pytest.raises(RegraspError):
            VisionErrors.parse(wrong)
