"""The shipped weights on what agents ask first, through the pictures that agents get."""

from __future__ import annotations

import functools
import json
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime")

from regrasp.core.answer import Verdict
from regrasp.core.errors import RegraspError
from regrasp.core.weights import DamagedWeightsError
from regrasp.embedded.resolve import resolve_vision
from regrasp.embedded.vision import network
from regrasp.embedded.vision.model import EmbeddedVision
from regrasp.embedded.vision.network import (
    FIRST,
    WEIGHTS,
    WEIGHTS_SHA256,
    weights_digest,
    weights_files,
)
from regrasp.models.images import ImageData
from regrasp.models.vision import VisionModel
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.why import why_prompts
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot

CARD = Path(__file__).parents[3] / "docs" / "models" / "vision.md"
FILES = weights_files(FIRST)
TRAINED = all((WEIGHTS / name).is_file() for name in FILES)
trained = pytest.mark.skipif(not TRAINED, reason="no weights: python -m train.vision makes them")


@functools.cache
def eyes() -> VisionModel:
    return resolve_vision("embedded")


@functools.cache
def views(world: str, task: str | None = None) -> tuple[ImageData, ...]:
    with closing(SimRobot(open_world(world, task, 0), size=(320, 240))) as robot:
        return tuple(ImageData.from_array(robot.look(c).rgb) for c in robot.cameras()[:2])


@trained
@pytest.mark.parametrize(
    ("world", "task", "question", "answer"),
    [
        ("kitchen", None, "Do you see the kettle?", "yes"),
        ("kitchen", None, "Do you see the green_apple?", "no"),
        ("kitchen", None, "Do you see the red_cube?", "no"),
        ("kitchen", None, "Is the microwave open?", "no"),
        ("kitchen", None, "Is the kettle blocking the microwave?", "yes"),
        ("kitchen", None, "Is the kettle blocking the wooden_cabinet?", "no"),
        ("kitchen", None, "Is the green_apple inside the microwave?", "unknown"),
        ("kitchen", None, "Is the robot holding the kettle?", "no"),
        ("kitchen", None, "What colour is the kettle?", "blue"),
        ("kitchen", None, "Is the spoon on the counter?", "unknown"),
        ("cabinet", "open", "Is the wooden_cabinet open?", "yes"),
        ("cabinet", "closed", "Is the wooden_cabinet closed?", "yes"),
        ("cabinet", "barred", "Is the red_bar blocking the wooden_cabinet?", "yes"),
        ("cabinet", "barred", "Is the yellow_cube blocking the wooden_cabinet?", "no"),
        ("cabinet", "barred", "Is the yellow_cube inside the wooden_cabinet?", "no"),
        ("cubes", "occupied", "Is the yellow_cube on the crate?", "yes"),
        ("cubes", "occupied", "Is the red_cube on the crate?", "no"),
        ("cubes", "occupied", "Is there anything on the crate?", "yes"),
        ("cubes", "match", "Is there anything on the crate?", "no"),
        ("cubes", "occupied", "What colour is the crate?", "red"),
        ("lever", None, "Is the wooden_cabinet open?", "no"),
        ("lever", None, "Do you see the blue_cube?", "no"),
        ("sensor", None, "Is the red_cube on the weight_sensor?", "no"),
        ("sensor", None, "Is the stone_cabinet open?", "no"),
    ],
)
def test_a_fixed_sample(world: str, task: str | None, question: str, answer: str) -> None:
    prompt = AskVisionPrompt(question, ("a_name", "another"))
    said = eyes().answer(views(world, task), prompt.render(), kind=prompt.kind)
    assert said.text == answer
    assert said.confidence is not None
    assert 0 <= said.confidence <= 1


@trained
@pytest.mark.parametrize(
    ("world", "task", "action", "names", "answer"),
    [
        (
            "kitchen",
            None,
            "Open the microwave",
            ("counter", "microwave", "kettle", "green_apple", "wooden_cabinet"),
            "The kettle is blocking microwave.",
        ),
        (
            "cabinet",
            "barred",
            "Open the wooden_cabinet",
            ("wooden_cabinet", "yellow_cube", "red_bar", "wooden_cabinet_left_handle"),
            "The red_bar is blocking wooden_cabinet.",
        ),
        (
            "lever",
            None,
            "Open the wooden_cabinet",
            ("wooden_cabinet", "blue_cube", "lever", "wooden_cabinet_handle"),
            "nothing",
        ),
    ],
)
def test_what_prevents_it(
    world: str, task: str | None, action: str, names: tuple[str, ...], answer: str
) -> None:
    prompts = why_prompts(action, names)
    said = {eyes().answer(views(world, task), p.render(), kind=p.kind).text for p in prompts}
    assert said == {answer}


@trained
@pytest.mark.parametrize("name", WEIGHTS_SHA256)
def test_the_card_names_these_weights(name: str) -> None:
    assert weights_digest(name) in CARD.read_text(encoding="utf-8")
    assert weights_digest(name) == WEIGHTS_SHA256[name]


@trained
@pytest.mark.parametrize("name", WEIGHTS_SHA256)
def test_weights_of_the_package_are_verified_when_loaded(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in weights_files(name):
        (tmp_path / file).write_bytes((WEIGHTS / file).read_bytes())
    network.Network(name, tmp_path)  # a user's own may be any
    with (tmp_path / weights_files(name)[0]).open("r+b") as opened:
        opened.seek(1000)
        opened.write(b"x")
    monkeypatch.setattr(network, "WEIGHTS", tmp_path)
    with pytest.raises(DamagedWeightsError, match="Install the package again"):
        network.Network(name, tmp_path)


@trained
def test_a_question_not_understood_is_unknown_however_it_ends() -> None:
    for question in ("Is the zebra open?", "Fnord?", "", "Is the"):
        assert eyes().answer(views("cubes"), question).verdict is Verdict.UNKNOWN
    assert eyes().answer((), "Do you see the crate?").verdict is Verdict.UNKNOWN


@trained
@pytest.mark.parametrize(
    "question",
    [
        "Can the robot open the microwave now?",
        "Did the robot open the microwave?",
        "Did the robot put the red_mug into the microwave?",
        "Did the robot find the red_mug?",
    ],
)
def test_weights_that_were_not_taught_about_actions_do_not_guess(
    question: str, tmp_path: Path
) -> None:
    about = json.loads((WEIGHTS / "vision.json").read_text(encoding="utf-8"))
    asked = about["known"]["asked"]
    learnt = [group for group in asked if not group[0][0].startswith(("affordance", "success"))]
    about["known"]["asked"] = learnt
    for name in FILES:
        if name != "vision.json":
            (tmp_path / name).symlink_to(WEIGHTS / name)
    (tmp_path / "vision.json").write_text(json.dumps(about), encoding="utf-8")
    model = EmbeddedVision(tmp_path)
    assert model.answer(views("kitchen"), question).verdict is Verdict.UNKNOWN
    assert model.answer(views("kitchen"), "Is the microwave open?").text == "no"


@trained
def test_pictures_are_read_once() -> None:
    model, rng = EmbeddedVision(), np.random.default_rng(0)
    first, rest = [], []
    for _ in range(5):
        picture = ImageData.from_array(rng.integers(0, 40, (224, 224, 3), dtype=np.uint8))
        began = time.process_time()
        model.answer([picture], "Is the red cube on the crate?")
        middle = time.process_time()
        for _ in range(4):
            model.answer([picture], "Is the red bar blocking the cabinet?")
        first.append(middle - began)
        rest.append((time.process_time() - middle) / 4)
    assert min(rest) < 0.7 * min(first)


def test_missing_weights_say_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(RegraspError, match=r"train\.vision"):
        EmbeddedVision(tmp_path)
