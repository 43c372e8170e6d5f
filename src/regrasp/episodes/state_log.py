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
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.errors import RegraspError
from regrasp.core.run_folder import inside
from regrasp.episodes.own_run import trusted_world
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World

__all__ = ["STATES_FILE", "StateLog", "States", "read_states"]

STATES_FILE = "states.jsonl"
"""The name of the file in a run's folder."""

_SCHEMA = 1
_DECIMALS = 5  # hundredths of a millimetre, and of a milliradian


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
        self._append(_header(world))

    def add(self) -> None:
        """Append the present state."""
        data = self._world.data
        qpos, user = (
            [round(float(value), _DECIMALS) for value in values]
            for values in (data.qpos, data.userdata)
        )
        self._append({"sim_s": round(self._world.seconds, _DECIMALS), "qpos": qpos, "user": user})

    def _append(self, line: dict[str, object]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

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
        whole = path.read_bytes().rpartition(b"\n")[0]
    except OSError as error:
        raise RegraspError(
            f"cannot read {path}: {error.strerror}. A run keeps its states unless it was made with "
            "--no-video; make it again."
        ) from error
    try:
        header, *lines = [json.loads(line) for line in whole.split(b"\n")]
        name = trusted_world(Path(folder), str(header["world"]), world, known_worlds)
        built = open_world(name, header["task"], header["seed"])
        seconds = np.array([line["sim_s"] for line in lines], np.float64)
        qpos = np.array([line["qpos"] for line in lines], np.float64).reshape(-1, built.model.nq)
        shape = len(lines), built.model.nuserdata
        user = np.array([line.get("user", []) for line in lines], np.float64).reshape(shape)
    except (ValueError, KeyError, TypeError) as error:
        raise RegraspError(f"{path} is damaged ({error}). Make the run again.") from error
    if {**header, "world": name} != _header(built):
        raise RegraspError(
            f"{path} is of a world {header['world']!r} with other joints than this version of "
            "Regrasp builds. Open it with the version that made it, or make the run again."
        )
    if not len(seconds):
        raise RegraspError(f"{path} has no state yet: the run was stopped before it began to move.")
    return States(built, seconds, qpos, user)


def _header(world: World) -> dict[str, object]:
    model = world.model
    return {
        "states": "regrasp",
        "schema": _SCHEMA,
        "world": world.address,
        "task": world.task.name,
        "seed": world.seed,
        "joints": [model.joint(i).name for i in range(model.njnt)],
    }
