"""The walker's room, with a walker that can only stand: what is where, held, dropped and seen."""

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from regrasp.control.arm_kinematics import ThreeJointArm
from regrasp.worlds.kit.walker import ARM_M, BASE, FOREARM_M, HANDS, HOME, KP, SHOULDER_M
from regrasp.worlds.staged_robot import SimulatedCameras
from regrasp.worlds.walker_room.judge import WalkerJudge
from regrasp.worlds.walker_room.plan import PLAN
from regrasp.worlds.walker_room.tasks import FROM, TABLE_TOP_M, TO
from regrasp.worlds.walker_room.world import CAMERAS, STAND, WalkerWorld
from regrasp.worlds.world import Snapshot
from standing_policy import standing

Array = npt.NDArray[np.float64]
Carried = tuple[WalkerWorld, Array, Snapshot]
SIDES = (1, -1)
CARRY = [np.array([0.30, side * 0.12, 0.08]) for side in SIDES]


def room(task: str = "move-box", seed: int = 0) -> WalkerWorld:
    return WalkerWorld(PLAN, task, seed, policy=standing())


def box_of(world: WalkerWorld) -> str:
    return next(thing.name for thing in world.scene.things.values() if thing.movable)


def stand_before_the_box(world: WalkerWorld, away: float = 0.36) -> None:
    """Where a walk to it would end."""
    box = world.data.body(box_of(world))
    ahead = box.xmat.reshape(3, 3)[:2, 0]
    yaw = float(np.arctan2(ahead[1], ahead[0]))
    world.data.qpos[:2] = box.xpos[:2] - away * ahead
    world.data.qpos[3:7] = [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
    world.data.qvel[:] = 0.0
    mujoco.mj_forward(world.model, world.data)


def move_hands(
    world: WalkerWorld, arms: Array, to: list[Array], seconds: float, *, grip: float = 0.0
) -> Array:
    """Bring the hands to places in the trunk's frame, straight; gives the arms' targets then."""
    trunk = world.data.body(BASE)
    start = [trunk.xmat.reshape(3, 3).T @ (world.data.body(h).xpos - trunk.xpos) for h in HANDS]
    steps = round(100 * seconds)
    for k in range(1, steps + 1):
        wanted = np.concatenate(
            [
                ThreeJointArm(SHOULDER_M, ARM_M, FOREARM_M, side).reach(a + k / steps * (b - a))
                for side, a, b in zip(SIDES, start, to, strict=True)
            ]
        )
        arms = arms + np.clip(wanted - arms, -0.03, 0.03)
        weight = world.data.qfrc_bias[6:12] / KP
        world.advance(np.array([*STAND[:4], *(arms + weight), grip]))
    return arms


def beside_the_box(world: WalkerWorld, gap: float, up: float) -> list[Array]:
    """Places `gap` beside the box's middle, in the trunk's frame."""
    box, trunk = world.data.body(box_of(world)), world.data.body(BASE)
    lateral = box.xmat.reshape(3, 3)[:, 1]
    back = trunk.xmat.reshape(3, 3).T
    return [
        back @ (box.xpos + side * gap * lateral + np.array([0, 0, up]) - trunk.xpos)
        for side in SIDES
    ]


def take_the_box(world: WalkerWorld) -> Array:
    stand_before_the_box(world)
    arms = move_hands(world, np.array(HOME[:6]), beside_the_box(world, 0.20, 0.12), 1.0)
    arms = move_hands(world, arms, beside_the_box(world, 0.18, 0.02), 0.7)
    arms = move_hands(world, arms, beside_the_box(world, 0.12, 0.02), 0.8, grip=1.0)
    return move_hands(world, arms, CARRY, 1.5, grip=1.0)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_at_the_start_it_stands_and_the_box_is_on_one_of_two_tables(seed: int) -> None:
    world = room(seed=seed)
    judge, box = WalkerJudge(world), box_of(world)
    judge.check_start()
    assert judge.holds("on", box, FROM)
    assert not judge.holds("on", box, TO)
    assert judge.holds("handempty")
    assert not judge.holds("fallen")
    assert box in world.task.instruction


@pytest.fixture(scope="module")
def carried() -> Carried:
    """A walker that has taken the box, the targets of its arms, and that moment."""
    world = room()
    return world, take_the_box(world), world.snapshot()


def test_it_takes_the_box_with_both_hands_lifts_it_and_keeps_it(carried: Carried) -> None:
    world, arms, then = carried
    world.restore(then)
    judge, box = WalkerJudge(world), box_of(world)
    move_hands(world, arms, CARRY, 1.0, grip=1.0)
    assert judge.holds("holding", box)
    assert not judge.holds("on", box, FROM)
    assert world.data.body(box).xpos[2] > TABLE_TOP_M + 0.15
    assert not world.fallen


def test_hands_that_let_go_do_not_hold(carried: Carried) -> None:
    world, arms, then = carried
    world.restore(then)
    judge, box = WalkerJudge(world), box_of(world)
    apart = [place + 0.06 * np.array([0, s, 0]) for place, s in zip(CARRY, SIDES, strict=True)]
    move_hands(world, arms, apart, 0.8)
    assert judge.holds("handempty")
    assert judge.holds("on", box, FROM)


def test_a_drop_is_told_of_and_the_box_falls() -> None:
    world = room("move-box:p=0.9")
    judge, box, told = WalkerJudge(world), box_of(world), []
    world.on_disturbance = told.append
    take_the_box(world)
    assert told == [f"the hands slip, and the {box} falls"]
    assert judge.holds("handempty")
    assert judge.holds("on", box, FROM)


def test_hands_cling_to_nothing_that_only_one_of_them_touches() -> None:
    world = room()
    stand_before_the_box(world)
    above = beside_the_box(world, 0.20, 0.12)
    arms = move_hands(world, np.array(HOME[:6]), above, 1.0)
    left, right = beside_the_box(world, 0.11, 0.02)[0], above[1]
    move_hands(world, arms, [left, right], 1.0, grip=1.0)
    assert world.holding == ""
    assert world.data.ctrl[-2:] == pytest.approx([0, 0])


def test_a_snapshot_holds_what_the_legs_and_hands_remember(carried: Carried) -> None:
    world, arms, then = carried
    ends = []
    for _ in range(2):
        world.restore(then)
        move_hands(world, arms, CARRY, 0.2, grip=1.0)
        ends.append(world.data.qpos.copy())
    assert np.array_equal(*ends)


def test_its_head_sees_what_it_carries(carried: Carried) -> None:
    world, _, then = carried
    world.restore(then)
    box = box_of(world)
    assert WalkerJudge(world).holds("visible", box)
    lens = SimulatedCameras(world, CAMERAS, "raycast", (64, 48))
    picture = lens.look("head").rgb.astype(float)
    lens.close()
    assert box == "blue_box"
    assert (picture[..., 2] > 1.5 * picture[..., 0]).mean() > 0.1
