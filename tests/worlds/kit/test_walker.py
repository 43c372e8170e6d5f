"""The walker's body: the paper's joints, a pose that stands on its soles, and equal sides."""

import mujoco
import numpy as np
import pytest

from regrasp.worlds.kit.scene import MOVABLE, Scene
from regrasp.worlds.kit.walker import (
    ARMS,
    HANDS,
    HEAD,
    HOME,
    JOINTS,
    KD,
    KP,
    LEGS,
    SOLES,
    STAND_M,
    add_walker,
)


def model(*, soles_only: bool = False, planning: bool = True) -> mujoco.MjModel:
    rng = np.random.default_rng(0)
    scene = Scene(layout=rng, look=rng, planning=planning)
    scene.spec.worldbody.add_geom(
        name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1], **MOVABLE
    )
    add_walker(scene, soles_only=soles_only)
    return scene.compile()


def standing(of: mujoco.MjModel, height: float = STAND_M) -> mujoco.MjData:
    data = mujoco.MjData(of)
    data.qpos[:] = [0, 0, height, 1, 0, 0, 0, *HOME]
    mujoco.mj_forward(of, data)
    return data


def test_it_has_sixteen_joints_and_seventeen_links() -> None:
    walker = model()
    hinges = [walker.joint(i).name for i in range(walker.njnt) if walker.jnt_type[i] == 3]
    assert tuple(hinges) == JOINTS
    assert (len(ARMS), len(LEGS)) == (6, 10)
    moved = {walker.body(int(b)).name for b in walker.jnt_bodyid}
    assert moved == {"base", *JOINTS}


def test_every_joint_has_the_gains_of_the_paper() -> None:
    walker = model()
    for name in JOINTS:
        servo = walker.actuator(name)
        assert servo.gainprm[0] == KP == 40.0
        assert servo.biasprm[2] == -KD == -1.0
        assert servo.forcelimited


def test_at_home_its_soles_are_on_the_ground() -> None:
    data = standing(model())
    assert [float(data.site(sole).xpos[2]) for sole in SOLES] == pytest.approx([0, 0], abs=1e-3)


def test_left_and_right_are_mirror_images() -> None:
    walker = model()
    data = mujoco.MjData(walker)
    rng = np.random.default_rng(2)
    arm, leg = rng.uniform(-0.5, 0.5, 3), rng.uniform(-0.5, 0.5, 5)
    data.qpos[:] = [0, 0, 1, 1, 0, 0, 0, *arm, *arm, *leg, *leg]
    mujoco.mj_forward(walker, data)
    for left, right in ((HANDS[0], HANDS[1]), ("left_ankle_pitch", "right_ankle_pitch")):
        mirrored = data.body(right).xpos * np.array([1, -1, 1])
        assert np.allclose(data.body(left).xpos, mirrored)


def test_for_training_nothing_but_its_soles_touches_the_ground() -> None:
    sunk = STAND_M - 0.5
    assert standing(model(), sunk).ncon > 8
    trained = model(soles_only=True)
    data = standing(trained, sunk)
    touching = {trained.geom(int(g)).name for g in data.contact.geom.ravel()}
    assert touching == {"floor", *SOLES}
    assert data.ncon == 8
    assert trained.nu == len(JOINTS)


def test_both_bodies_weigh_the_same() -> None:
    one, other = model(), model(soles_only=True)
    assert np.allclose(one.body_mass, other.body_mass)
    assert one.body_mass.sum() == pytest.approx(19.1)


def test_its_head_looks_ahead_and_down() -> None:
    walker = model(planning=False)
    data = standing(walker)
    ahead = -data.camera(HEAD).xmat.reshape(3, 3)[:, 2]
    assert ahead[0] > 0.7
    assert -0.7 < ahead[2] < -0.3
