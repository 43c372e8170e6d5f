"""An optional skin: the maker's meshes over the arm, if an installed package has them.

It has no contacts and no mass: a world with the skin moves exactly as one without. The meshes are
read from the files of `robosuite`; that package is never imported and does not have to work.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import mujoco

from regrasp.core.errors import RegraspError

__all__ = ["SKINS", "add_mesh_skin", "find_meshes"]

SKINS = ("primitive", "mesh")
_ROBOT, _HAND = "models/assets/robots/panda/meshes", "models/assets/grippers/meshes/panda_gripper"
_FILES = {
    **{f"link{i}": f"{_ROBOT}/link{i}.stl" for i in range(8)},
    "hand": f"{_HAND}/hand.stl",
    "finger_left": f"{_HAND}/finger.stl",
    "finger_right": f"{_HAND}/finger.stl",
}


def find_meshes() -> dict[str, Path] | None:
    """Mesh files by body name, or None if no installed package has them all."""
    spec = find_spec("robosuite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        files = {body: Path(folder) / name for body, name in _FILES.items()}
        if all(file.is_file() for file in files.values()):
            return files
    return None


def add_mesh_skin(spec: mujoco.MjSpec) -> None:
    """Cover the arm in `spec` with meshes; its primitives become invisible."""
    files = find_meshes()
    if files is None:
        raise RegraspError(
            "no installed package has the Panda's meshes: `pip install --no-deps robosuite` (only "
            'its files are used), or leave the skin at "primitive".'
        )
    for body, file in files.items():
        link = spec.body(body)
        for geom in link.geoms:
            geom.group = 3
        name = f"{body}_skin"
        spec.add_mesh(name=name, file=str(file))
        turn = [0.0, 0.0, 0.0, 1.0] if body == "finger_right" else [1.0, 0.0, 0.0, 0.0]
        dark = body.startswith("finger")
        link.add_geom(
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=name,
            quat=turn,
            mass=0,
            contype=0,
            conaffinity=0,
            rgba=[0.35, 0.36, 0.38, 1.0] if dark else [0.93, 0.94, 0.95, 1.0],
        )
