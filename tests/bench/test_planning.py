"""The mpc suite: what is measured, and how the peer is talked to (with a stand-in for judo-rai)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

from regrasp.bench.mpc_scenes import SCENES, PeerTask
from regrasp.bench.planning import OurPlanner, Peer, PeerError, planning_rows
from regrasp.core.codec import from_json

LEVER = SCENES[2]


def test_a_row_says_what_a_plan_costs() -> None:
    (row,) = planning_rows(repeats=1, scenes=[LEVER], drive_s=0.3)
    assert (row["task"], row["method"], row["steps_per_plan"]) == ("lever", "regrasp ps", 1920)
    assert row["plans_per_cpu_s"] == pytest.approx(1e3 / row["plan_ms"])
    assert 0.8 < row["physics_share"] < 1.0
    assert row["ratio_to_judo"] is None


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_peer_gets_the_same_model_moments_and_things(scene: object, tmp_path: Path) -> None:
    assert isinstance(scene, type(LEVER))
    planner = OurPlanner(scene, drive_s=0.1)
    planner.write_task(tmp_path)
    planner.close()
    model = mujoco.MjModel.from_xml_path(str(tmp_path / f"{scene.name}.xml"))
    ours = planner.world.planning
    assert (model.nq, model.nv, model.nu) == (ours.nq, ours.nv, ours.nu)
    assert [model.sensor(i).name for i in range(model.nsensor)] == [
        ours.sensor(i).name for i in range(ours.nsensor)
    ]
    assert model.opt.timestep == ours.opt.timestep
    np.testing.assert_allclose(model.body_mass, ours.body_mass, atol=1e-4)
    np.testing.assert_allclose(model.geom_size, ours.geom_size, atol=1e-5)
    moments = np.load(tmp_path / f"{scene.name}.npz")
    assert moments["states"].shape == (2, model.nq + model.nv)
    assert moments["knots"].shape == (2, planner.config.knots, model.nu)
    task = from_json(PeerTask, json.loads((tmp_path / f"{scene.name}.json").read_text()))
    assert (task.scene, task.samples, task.horizon_s) == (scene, 32, pytest.approx(0.6))
    assert dict(task.affordances.things) == dict(planner.affordances.things)


def stand_in(folder: Path, body: str) -> Path:
    """A `python` that is no Python but a script that answers as the peer does."""
    path, script = folder / "python", folder / "answers.py"
    script.write_text(f"import json, sys\n{body}\n")
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}"\n')  # paths may have spaces
    path.chmod(0o755)
    return path


ANSWERS = """
print(json.dumps({"method": "judo-rai 0", "mujoco": "3.6.0"}), flush=True)
for line in sys.stdin:
    answer = {"plans": 30, "plan_ms": 1e6, "physics_ms": 9e5, "steps": 1920}
    print(json.dumps(answer), flush=True)
"""


def test_ours_and_theirs_stand_side_by_side(tmp_path: Path) -> None:
    ours, theirs = planning_rows(stand_in(tmp_path, ANSWERS), 1, [LEVER], drive_s=0.2)
    assert (theirs["method"], theirs["mujoco"]) == ("judo-rai 0 ps", "3.6.0")
    assert theirs["physics_share"] == pytest.approx(0.9)
    assert ours["ratio_to_judo"] == pytest.approx(ours["plan_ms"] / 1e6)


def test_a_peer_that_dies_says_why(tmp_path: Path) -> None:
    python = stand_in(tmp_path, 'sys.exit("No module named judo")')
    with pytest.raises(PeerError, match=r"No module named judo.*pip install judo-rai"):
        Peer(python, tmp_path)


def test_a_python_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="cannot run"):
        Peer(tmp_path / "nowhere", tmp_path)
