"""Two networks answer: each is asked what it knows, and loaded when it is first asked."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")

from regrasp.embedded.resolve import chooses_by_things, resolve_vision
from regrasp.embedded.vision.choice import networks_for
from regrasp.embedded.vision.model import EmbeddedVision
from regrasp.embedded.vision.network import FIRST, TWO_HANDS, WEIGHTS, read_about, weights_files
from regrasp.episodes.setting import Setting, world_setting
from regrasp.episodes.vision import vision_factory
from regrasp.models.images import ImageData
from regrasp.models.vision import VisionModel
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot

KITCHEN = ("kettle", "green_apple", "microwave", "counter")
BAR = ("first_glass", "vodka_bottle", "tray", "table", "left_hand")
CAMERAS = ("head", "over_left", "over_right")
LATER = "regrasp.embedded.vision.two_hands"


@functools.cache
def views(world: str) -> tuple[ImageData, ...]:
    with world_setting(open_world(world, None, 41)) as setting:
        robot = setting.robot
        return tuple(ImageData.from_array(robot.look(c).rgb) for c in CAMERAS)


@functools.cache
def model(world: str) -> VisionModel:
    with world_setting(open_world(world, None, 41)) as setting:
        return vision_factory("embedded")(setting)


def order(*things: str) -> list[str]:
    return [one.name for one in networks_for(things, WEIGHTS)]


def test_the_network_that_knows_more_of_the_things_goes_first() -> None:
    assert order(*KITCHEN) == [FIRST, TWO_HANDS]
    assert order(*BAR) == [TWO_HANDS, FIRST]
    assert order("b1", "b2", "table") == [TWO_HANDS, FIRST]
    assert order("red_block", "fixture", "table") == [FIRST, TWO_HANDS]


def test_without_things_and_among_equals_the_first_does() -> None:
    assert order() == order("table") == order("fnord") == [FIRST, TWO_HANDS]


@pytest.mark.parametrize("things", [(), KITCHEN, BAR])
@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Is the kettle blocking the microwave?", FIRST),
        ("Is the first_glass on the tray?", TWO_HANDS),
        ("Is the left_hand holding the first_glass?", TWO_HANDS),
    ],
)
def test_what_only_one_knows_that_one_answers(
    things: tuple[str, ...], question: str, name: str
) -> None:
    knows = (one for one in networks_for(things, WEIGHTS) if one.numbers(question))
    assert next(knows).name == name


@pytest.mark.parametrize(("things", "name"), [((), FIRST), (KITCHEN, FIRST), (BAR, TWO_HANDS)])
def test_what_both_know_is_answered_by_the_first_in_order(
    things: tuple[str, ...], name: str
) -> None:
    knows = [one.name for one in networks_for(things, WEIGHTS) if one.numbers("Is the oven open?")]
    assert knows[0] == name
    assert len(knows) == 2


@pytest.mark.parametrize(
    ("world", "question", "answer"),
    [
        ("bar", "Do you see the first_glass?", "yes"),
        ("bar", "Is the first_glass on the table?", "yes"),
        ("bar", "Is the first_glass on the tray?", "no"),
        ("bar", "Is the fridge open?", "no"),
        ("pizza", "Do you see the salt_bottle?", "yes"),
        ("pizza", "Is the salt_bottle on the tray?", "no"),
        ("pizza", "Is the oven open?", "no"),
        ("blocks", "Is the b4 on the b3?", "yes"),
        ("blocks", "Is the b1 on the b2?", "no"),
        ("blocks", "Is the robot holding anything?", "no"),
        ("bar", "Is the vodka_bottle capped?", "unknown"),
        ("bar", "Is the kettle on the tray?", "unknown"),
    ],
)
def test_the_worlds_with_two_hands(world: str, question: str, answer: str) -> None:
    assert model(world).answer(views(world), question).text == answer


def test_it_is_unknown_below_the_confidence_of_its_own() -> None:
    assert read_about(FIRST).least == 0.5
    assert read_about(TWO_HANDS).least == 0.95
    found = [
        model(world).answer(views(world), f"Is the {a} on the {b}?")
        for world, a in (("blocks", "b1"), ("blocks", "b4"), ("bar", "first_glass"))
        for b in ("table", "b2", "b3", "tray", "shelf")
    ]
    sure = [one.confidence for one in found if one.text in ("yes", "no")]
    assert sure and all(one is not None and one >= 0.95 for one in sure)


def test_a_robot_of_the_first_worlds_gets_the_answers_of_the_first_network_alone(
    tmp_path: Path,
) -> None:
    for name in weights_files(FIRST):
        shutil.copy(WEIGHTS / name, tmp_path)
    alone = EmbeddedVision(tmp_path)
    with closing(SimRobot(open_world("kitchen", None, 0))) as robot:
        names = tuple(one.name for one in robot.knowledge())
        pictures = [ImageData.from_array(robot.look(c).rgb) for c in robot.cameras()[:2]]
    both = EmbeddedVision(things=names)
    asked = [f"Is the {a} {how} the {b}?" for a in names for b in names if a != b
             for how in ("on", "inside", "next to", "blocking")]  # fmt: skip
    asked += [f"Do you see the {a}?" for a in names] + ["Is the robot holding anything?"]
    assert (alone.chances(pictures, asked) == both.chances(pictures, asked)).all()


def test_a_run_with_things_of_the_first_worlds_never_loads_the_second() -> None:
    code = (
        "import sys, numpy as np\n"
        "from regrasp.embedded.resolve import resolve_vision\n"
        "from regrasp.models.images import ImageData\n"
        f"model = resolve_vision('bayes:embedded', {KITCHEN})\n"
        "picture = ImageData.from_array(np.zeros((224, 224, 3), np.uint8))\n"
        f"later, first = '{LATER}', 'onnxruntime'\n"
        "print(first in sys.modules, later in sys.modules)\n"
        "model.answer([picture], 'Is the kettle on the counter?')\n"
        "print(first in sys.modules, later in sys.modules)\n"
        "model.answer([picture], 'Is the first_glass on the tray?')\n"
        "print(first in sys.modules, later in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True", "False", "True", "True"]


@pytest.mark.parametrize(
    ("name", "does"),
    [
        ("embedded", True),
        ("bayes:embedded", True),
        ("degraded:yes_to_no=0.2:embedded", True),
        ("recorded:tape.jsonl#embedded", True),
        ("recorded:tape.jsonl", False),
        ("openai:gpt-x", False),
    ],
)
def test_names_of_models_that_choose_by_things(name: str, does: bool) -> None:
    assert chooses_by_things(name) is does


def test_things_go_through_the_wrappers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        "regrasp.embedded.vision.model.networks_for",
        lambda things, folder: given.append(tuple(things)) or (),
    )
    for wrapper in ("", "bayes:", "degraded:yes_to_no=0.2:", f"recorded:{tmp_path / 'tape'}#"):
        resolve_vision(f"{wrapper}embedded", BAR)
    assert given == [BAR] * 4


def test_a_run_passes_the_things_of_its_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, ...]] = []
    make = vision_factory("embedded")
    monkeypatch.setattr(
        "regrasp.embedded.vision.model.networks_for",
        lambda things, folder: given.append(tuple(things)) or (),
    )
    with world_setting(open_world("cubes", "match", 0)) as setting:
        assert isinstance(setting, Setting)
        assert make(setting) is make(setting)
        assert given == [tuple(one.name for one in setting.robot.knowledge())]
