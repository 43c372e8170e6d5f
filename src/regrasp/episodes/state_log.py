"""The states of a run, in its folder: `states.jsonl`, for drawing the run in 3D.

The first line is a header with the world, task and seed of the states and the names of the joints.
Each line after it is one state, the positions of those joints in MuJoCo's order:

    {"states": "regrasp", "schema": 1, "world": "cubes", "task": "match", "seed": 0, "joints": […]}
    {"sim_s": 0.08, "qpos": [0.0, -0.78, …], "user": []}

`user` is the state of a world besides positions, for example whether a mug is full. Shapes are not
stored: world, task and seed build them again. The file is appended to line by line like the trace,
so a killed run loses at most the line it was writing. It holds the ground truth and is not part of
the trace: no agent reads it, and a run without it can still be shown.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, cast

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.codec import from_json, to_json
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import LineReader
from regrasp.core.json_text import parse_json
from regrasp.core.json_value import JsonValue
from regrasp.core.run_folder import inside
from regrasp.episodes.own_run import trusted_world
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World

__all__ = ["STATES_FILE", "StateLog", "States", "read_states"]

STATES_FILE = "states.jsonl"
"""The name of the file in a run's folder."""

_SCHEMA = 1
_DECIMALS = 5  # hundredths of a millimetre, and of a milliradian
_LATEST_S = 1e7  # four months of simulated time
_LARGEST = 1e6  # m, rad: a simulation that is further out has diverged


@dataclass(frozen=True, slots=True)
class StatesHeader:
    """The first line: the world, task and seed that build the shapes, and the joints' names."""

    states: str
    schema: int
    world: str
    task: str
    seed: int
    joints: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """A world at its start, and `seconds` (n,) with the positions (n, nq) at each.

    `user` (n, nuserdata) is the world's user data at each.
    """

    world: World
    seconds: Array
    qpos: Array
    user: Array


class StateLog:
    """Writes the states of `world` to `folder`; a context manager."""

    def __init__(self, folder: Path, world: World) -> None:
        self._world = world
        self._file = inside(folder, STATES_FILE).open("wb", buffering=0)
        self._append(to_json(_header(world)))

    def add(self) -> None:
        """Append the present state, unless the simulation has diverged."""
        data = self._world.data
        if not np.isfinite(data.qpos).all():
            return
        qpos, user = (
            [cast("JsonValue", round(float(value), _DECIMALS)) for value in values]
            for values in (data.qpos, data.userdata)
        )
        self._append({"sim_s": round(self._world.seconds, _DECIMALS), "qpos": qpos, "user": user})

    def _append(self, line: JsonValue) -> None:
        text = json.dumps(line, separators=(",", ":"), allow_nan=False)
        self._file.write(text.encode() + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def read_states(
    folder: Path | str, *, world: str = "", known_worlds: Collection[str] = ()
) -> States:
    """The states of the run in `folder`, and its world built again; a cut last line is left out.

    The header names the world. One that is not part of Regrasp is code, and is opened only if it is
    in `known_worlds`, if the run is the user's own, or if the user names it with `world`.
    """
    path = inside(folder, STATES_FILE)
    try:
        lines = iter(LineReader(path, "file of states"))
    except FileNotFoundError:
        raise RegraspError(
            f"there is no {path}. A run keeps its states unless it was made with --no-video; "
            "make it again."
        ) from None
    header = _read_header(path, next(lines, b""))
    trusted = trusted_world(Path(folder), header.world, world, known_worlds)
    built = _rebuilt(path, replace(header, world=trusted))
    seconds, positions, users = array("d"), array("d"), array("d")
    for number, line in enumerate(lines, start=2):
        try:
            state = parse_json(line)
            if not isinstance(state, dict):
                raise RegraspError("it is no object")
            seconds.append(_seconds(state.get("sim_s"), seconds[-1] if seconds else 0.0))
            positions.extend(_numbers("qpos", state.get("qpos"), built.model.nq))
            users.extend(_numbers("user", state.get("user", []), built.model.nuserdata))
        except RegraspError as error:
            raise RegraspError(
                f"{path}, line {number} is damaged: {error}. Make the run again."
            ) from error
    if not seconds:
        raise RegraspError(f"{path} has no state yet: the run was stopped before it began to move.")
    shape = len(seconds), -1
    user = np.array(users).reshape(len(seconds), built.model.nuserdata)
    return States(built, np.array(seconds), np.array(positions).reshape(shape), user)


def _read_header(path: Path, line: bytes) -> StatesHeader:
    try:
        header = from_json(StatesHeader, parse_json(line))
    except RegraspError as error:
        raise RegraspError(f"{path} is damaged: {error}. Make the run again.") from error
    if header.schema > _SCHEMA:
        raise RegraspError(f"{path} was written by a newer Regrasp: upgrade to read it.")
    return header


def _rebuilt(path: Path, header: StatesHeader) -> World:
    try:
        world = open_world(header.world, header.task, header.seed)
    except RegraspError as error:
        raise RegraspError(f"{path} names a world that cannot be built: {error}") from error
    if header != _header(world):
        raise RegraspError(
            f"{path} is of a world {header.world!r} with other joints than this version of "
            "Regrasp builds. Open it with the version that made it, or make the run again."
        )
    return world


def _seconds(value: JsonValue, before: float) -> float:
    if type(value) not in (int, float) or not before <= cast("float", value) <= _LATEST_S:
        raise RegraspError(f"sim_s must be a time after {before:g} s, not {str(value)[:40]}")
    return float(cast("float", value))


def _numbers(name: str, values: JsonValue, count: int) -> list[float]:
    """`values`, if they are `count` numbers of a size that a simulation can have."""
    if (
        not isinstance(values, list)
        or len(values) != count
        or not set(map(type, values)) <= {int, float}
    ):
        raise RegraspError(f"{name} must be {count} numbers")
    numbers = cast("list[float]", values)
    if any(abs(number) > _LARGEST for number in numbers):
        raise RegraspError(f"{name} has a number beyond {_LARGEST:g}, which no joint reaches")
    return numbers


def _header(world: World) -> StatesHeader:
    model = world.model
    joints = tuple(model.joint(i).name for i in range(model.njnt))
    return StatesHeader("regrasp", _SCHEMA, world.address, world.task.name, world.seed, joints)
