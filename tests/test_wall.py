"""Truth is behind a wall: no agent's source reaches for it, and nothing a robot gives holds it.

The controller works on the simulator's state, which stands for the robot's own estimator; what may
cross the `Robot` seam is pictures, joint readings, names, and what a skill reports of itself.
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regrasp
from regrasp.control.rewards import PALM, REST_POSITION
from regrasp.core.action import Action
from regrasp.core.codec import to_json
from regrasp.core.outcome import Outcome
from regrasp.worlds.examples import (
    cabinet_robot,
    household_robot,
    tabletop_robot,
    walker_robot,
)
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.world import SimulatedRobot
from wall_checker import ROOMS, offences, offenders

PACKAGE = Path(regrasp.__file__).parent

# What a file may do all the same, and why. Whoever adds a line here answers for it.
EXEMPT: dict[str, str] = {
    # Walk the fields of our own dataclasses.
    "models/budget.py": "reads an attribute whose name is computed",
    "models/degraded.py": "reads an attribute whose name is computed",
    "models/language.py": "reads an attribute whose name is computed",
}


# ---- the source of agents ----------------------------------------------------------------------


def test_no_agent_reaches_for_the_truth() -> None:
    found = offenders(PACKAGE)
    left = {
        file: [what for what in wrong if what.partition(": ")[2] != EXEMPT.get(file)]
        for file, wrong in found.items()
    }
    assert {file: wrong for file, wrong in left.items() if wrong} == {}
    assert EXEMPT.keys() <= found.keys(), "an exemption that nothing needs any more"


def test_importing_every_agent_loads_neither_the_physics_nor_a_world() -> None:
    files = [file for room in ROOMS for file in (PACKAGE / room).rglob("*.py")]
    parts = [file.relative_to(PACKAGE.parent).with_suffix("").parts for file in files]
    modules = [".".join(part).removesuffix(".__init__") for part in parts]
    assert modules
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)\n"
    code += "truth = ('mujoco', 'regrasp.worlds', 'regrasp.episodes')\n"
    code += "print(*[m for m in sys.modules if m.startswith(truth)])\n"
    code += "print('regrasp.core.judge' in sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", code, *modules], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == ["False"]


@pytest.mark.parametrize(
    "planted",
    [
        "import mujoco",
        "import mujoco.rollout as r",
        "import gc, sys",
        "def f():\n    import inspect",
        "from ctypes import py_object",
        "from regrasp.worlds.judge import WorldJudge",
        "from regrasp import worlds",
        "from ..worlds import open_world",
        "from ..core import judge",
        "from .. import worlds",
        "from regrasp.core.judge import Judge",
        "import regrasp.worlds.world",
        "from regrasp.episodes.setting import oracle",
        "from ..episodes.oracle_vision import OracleVision",
        "import regrasp\nregrasp.worlds.open_world('cabinet')",
        "from importlib import import_module\nimport_module('regrasp.worlds')",
        "import importlib\nimportlib.import_module('mujoco')",
        "import importlib\nimportlib.import_module('regrasp.' + 'worlds')",
        "__import__('mujoco')",
        "import sys\nsys.modules['regrasp.worlds']",
        "def f(robot): return robot._world",
        "def f(robot): return robot.start._controller",
        "class A:\n    def f(self): return self.robot._world",
        "def f(robot): return robot.look.__self__",
        "def f(error): return error.__traceback__.tb_frame",
        "def f(robot): return robot.__dict__",
        "def f(robot): return vars(robot)",
        "def f(robot): return getattr(robot, '_world')",
        "def f(robot): return getattr(robot, '_' + 'world')",
        "from operator import attrgetter\nf = attrgetter('_world.data')",
        "def f(robot): return object.__getattribute__(robot, 'x')",
        "exec('import mujoco')",
        "def f(robot): robot._world = None",
    ],
)
def test_a_planted_offender_is_found(planted: str, tmp_path: Path) -> None:
    file = tmp_path / "regrasp" / "methods" / "cheat.py"
    file.parent.mkdir(parents=True)
    file.write_text(planted)
    assert offenders(tmp_path / "regrasp").keys() == {"methods/cheat.py"}


def test_the_embedded_models_are_on_the_agent_s_side(tmp_path: Path) -> None:
    file = tmp_path / "regrasp" / "embedded" / "rules" / "cheat.py"
    file.parent.mkdir(parents=True)
    file.write_text("import regrasp.worlds.world")
    assert offenders(tmp_path / "regrasp").keys() == {"embedded/rules/cheat.py"}


def test_honest_source_is_let_through(tmp_path: Path) -> None:
    file = tmp_path / "honest.py"
    file.write_text(
        "from regrasp.core.robot import Robot\n"
        "from regrasp.control.rewards import parse_rewards\n"
        "class Method:\n"
        "    def __init__(self, robot: Robot) -> None:\n"
        "        super().__init__()\n"
        "        self._robot = robot\n"
        "    def look(self):\n"
        "        return self._robot.look('front').rgb, type(self).__name__, getattr(self, 'x')\n"
    )
    assert offences(file, "regrasp.methods") == []


# ---- what a robot gives ------------------------------------------------------------------------

_PLAIN = (str, bytes, int, float, bool, type(None), Enum, np.generic)


def leaks(value: object, path: str, doors: tuple[object, ...]) -> Iterator[str]:
    """Where, from `value` on, something is not plain data; `doors` are walked member by member."""
    if isinstance(value, _PLAIN):
        return
    if isinstance(value, tuple | list | set | frozenset):
        for i, entry in enumerate(value):
            yield from leaks(entry, f"{path}[{i}]", doors)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from leaks(key, f"{path} key", doors)
            yield from leaks(entry, f"{path}[{key!r}]", doors)
    elif isinstance(value, np.ndarray):
        if value.dtype.hasobject or not _owns_its_memory(value):
            yield f"{path}: an array over somebody else's memory"
    elif is_dataclass(value) and type(value).__module__.startswith("regrasp.core."):
        for field in fields(value):
            yield from leaks(getattr(value, field.name), f"{path}.{field.name}", doors)
    elif any(value is door for door in doors):
        yield from _member_leaks(value, path, doors)
    else:
        yield f"{path}: {type(value).__module__}.{type(value).__qualname__}"


def _member_leaks(door: object, path: str, doors: tuple[object, ...]) -> Iterator[str]:
    """Public attributes, and what public methods return that need no arguments."""
    within = tuple(other for other in doors if other is not door)
    for name in (n for n in dir(door) if not n.startswith("_") and n != "close"):
        member = getattr(door, name)
        if not callable(member):
            yield from leaks(member, f"{path}.{name}", within)
            continue
        parameters = inspect.signature(member).parameters.values()
        if all(parameter.default is not parameter.empty for parameter in parameters):
            yield from leaks(member(), f"{path}.{name}()", within)


def _owns_its_memory(array: Any) -> bool:
    while isinstance(array, np.ndarray):
        array = array.base
    return array is None


@pytest.mark.parametrize(
    ("make", "action"),
    [
        (cabinet_robot, Action("rest")),
        (household_robot, Action("find", ("sink",))),
        (tabletop_robot, Action("pick", ("red_block",))),
        (walker_robot, Action("go_to", ("white_table",))),
    ],
)
def test_nothing_reachable_from_a_robot_holds_the_truth(
    make: Callable[[], SimulatedRobot], action: Action
) -> None:
    with closing(make()) as robot:
        run = robot.start(action)
        for _ in range(5):
            run.step()
        looks = [robot.look(camera) for camera in robot.cameras()]
        assert list(leaks([run, robot, *looks], "seen", (robot, run))) == []
        robot.stop()
        assert run.report is not None
        assert list(leaks([robot, run, run.report], "ended", (robot, run))) == []


def _planted(**members: Any) -> Callable[[], SimRobot]:
    def make() -> SimRobot:
        cheat = type("Cheat", (SimRobot,), members)
        robot: SimRobot = cheat(open_world("cabinet", "closed", 0), size=(8, 6))
        return robot

    return make


@pytest.mark.parametrize(
    ("make", "leak"),
    [
        (_planted(world=property(lambda self: self._world)), "robot.world: "),
        (_planted(scene=lambda self: self._world.scene), "robot.scene(): "),
        (_planted(objects=lambda self: (self._world.model,)), "robot.objects()[0]: "),
        (_planted(state=lambda self: self._world.data.qpos), "robot.state(): an array"),
        (_planted(state=lambda self: {"goal": self._world.goal, "x": len}), "robot.state()['x']"),
    ],
)
def test_a_planted_leak_is_found(make: Callable[[], SimRobot], leak: str) -> None:
    with closing(make()) as robot:
        found = list(leaks(robot, "robot", (robot,)))
    assert len(found) == 1 and found[0].startswith(leak)


def test_no_picture_or_reading_is_a_way_to_change_the_world() -> None:
    with closing(cabinet_robot()) as robot:
        before, joints = robot.look("wrist"), robot.joints()
        for array in (before.rgb, before.depth, before.position, before.rotation):
            array[...] = 0
        after = robot.look("wrist")
        assert after.rgb.any() and after.position.any()
        assert robot.joints() == joints


# ---- what a failure says -----------------------------------------------------------------------

REQUEST = (
    'set_joint_fraction_reward("wooden_cabinet_right_door", 1.0, primary_reward=True)\n'
    "execute_plan(2.5)"
)


def test_a_blocked_door_never_says_what_blocks_it() -> None:
    with closing(SimRobot(open_world("cabinet", "barred", 0))) as robot:
        names = {*robot.objects(), *robot.movable_joints()} - {PALM, REST_POSITION}
        secret = [name for name in names if not re.search(rf"\b{name}\b", REQUEST)]
        assert "red_bar" in secret
        run = robot.start(Action("follow_reward", (REQUEST,)))
        said = []
        while run.step() and robot.seconds < 8.0:
            said.append(run.progress.stage)
        robot.stop()
    report = run.report
    assert report is not None and report.feedback is not None
    assert report.outcome is not Outcome.SUCCEEDED
    said += [str(report), json.dumps(to_json(report))]
    text = "\n".join(dict.fromkeys(said))
    assert [name for name in secret if re.search(rf"\b{name}\b", text)] == []
    assert "bar" not in text.lower()
