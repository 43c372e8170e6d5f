"""What a reward program asks for becomes stages in an order that makes sense."""

import mujoco
import numpy as np
import pytest

from regrasp.control.estimate import StateEstimate
from regrasp.control.free_space import free_position
from regrasp.control.motion import Motion, RewardAbandoned, measures, motion
from regrasp.control.rewards import ImpossibleRewardError, parse_rewards
from regrasp.control.stages import Stages
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World


def begin(world: World, text: str) -> Motion:
    affordances = world.scene.affordances()
    program = parse_rewards(text, objects=affordances.things, joints=affordances.joints)
    return motion(program, Stages(affordances, StateEstimate(world.model, world.data)))


def names(world: World, text: str, *, done: bool = True) -> list[str]:
    """The stages of a motion, each answered with `done`."""
    plan = begin(world, text)
    found = [next(plan).name]
    try:
        while len(found) < 20:
            found.append(plan.send(done).name)
    except StopIteration:
        pass
    return found


def test_a_palm_term_only_says_what_to_touch() -> None:
    both = """minimize_l2_distance_reward("palm", "wooden_cabinet_left_handle")
set_joint_fraction_reward("wooden_cabinet_left_door", 1)"""
    alone = 'set_joint_fraction_reward("wooden_cabinet_left_door", 1)'
    world = open_world("cabinet", "closed")
    assert names(world, both) == names(world, alone) == ["work wooden_cabinet_left_door", "rest"]


def test_two_doors_are_worked_one_after_the_other_from_the_rest_position() -> None:
    text = """set_joint_fraction_reward("wooden_cabinet_left_door", 1)
set_joint_fraction_reward("wooden_cabinet_right_door", 1, primary_reward=True)"""
    stages = names(open_world("cabinet", "closed"), text)
    assert stages[:3] == [
        "work wooden_cabinet_left_door",
        "rest",
        "work wooden_cabinet_right_door",
    ]


def test_a_term_that_fails_ends_the_program() -> None:
    text = """set_joint_fraction_reward("wooden_cabinet_left_door", 1)
set_joint_fraction_reward("wooden_cabinet_right_door", 1, primary_reward=True)"""
    stages = names(open_world("cabinet", "closed"), text, done=False)
    assert stages == ["work wooden_cabinet_left_door", "rest"]


def test_a_grasp_that_fails_is_tried_again_and_then_given_up() -> None:
    text = 'minimize_l2_distance_reward("red_cube", "crate")'
    stages = names(open_world("cubes"), text, done=False)
    assert stages == ["grasp red_cube", "grasp red_cube", "rest"]


def test_whoever_is_stopped_goes_to_rest() -> None:
    world = open_world("cubes")
    plan = begin(world, 'minimize_l2_distance_reward("red_cube", "crate")')
    next(plan)
    assert plan.throw(RewardAbandoned()).name == "rest"


def test_a_door_that_got_stuck_is_put_back_before_what_it_holds_is_taken_away() -> None:
    world = open_world("kitchen", "apple")
    affordances = world.scene.affordances()
    now = StateEstimate(world.model, world.data)
    stages = Stages(affordances, now)

    def begun(text: str) -> Motion:
        program = parse_rewards(text, objects=affordances.things, joints=affordances.joints)
        return motion(program, stages)

    door, away = (
        world.data.joint("microwave_door"),
        'maximize_l2_distance_reward("kettle", "microwave")',
    )
    stuck = begun('set_joint_fraction_reward("microwave_door", 1)')
    next(stuck)
    assert stages.half_done == {}
    assert [next(begun(away)).name] == ["grasp kettle"]
    door.qpos[0] = 0.3
    mujoco.mj_forward(world.model, world.data)
    stuck.send(False)
    assert stages.half_done == {"microwave_door": pytest.approx(0.0, abs=0.01)}
    undoing = begun(away)
    first = next(undoing)
    assert first.name == "work microwave_door" and not first.needed and not first.done(now)
    assert [undoing.send(True).name, undoing.send(True).name] == [
        "retreat", "grasp kettle",
    ]  # fmt: skip
    assert stages.half_done == {}


@pytest.mark.parametrize(
    "text",
    [
        'minimize_l2_distance_reward("wooden_cabinet", "wooden_cabinet_left_handle")',
        'set_obj_z_position_reward("wooden_cabinet", 0.5)',
    ],
)
def test_what_cannot_be_moved_is_refused_with_what_can(text: str) -> None:
    with pytest.raises(ImpossibleRewardError, match="Movable here: yellow_cube"):
        begin(open_world("cabinet", "closed"), text)


@pytest.mark.parametrize(
    "text",
    [
        'minimize_l2_distance_reward("yellow_cube", "rest_position")',
        'maximize_l2_distance_reward("palm", "rest_position")',
        'maximize_l2_distance_reward("rest_position", "yellow_cube")',
    ],
)
def test_only_the_palm_rests(text: str) -> None:
    with pytest.raises(ImpossibleRewardError, match="only the palm rests"):
        begin(open_world("cabinet", "closed"), text)


def test_the_primary_reward_is_measured_and_not_yet_met() -> None:
    world = open_world("cabinet", "closed")
    affordances = world.scene.affordances()
    now = StateEstimate(world.model, world.data)
    for text, error in (
        ('set_joint_fraction_reward("wooden_cabinet_left_door", 1)', 1.0),
        ('set_obj_z_position_reward("yellow_cube", 0.323)', 0.3),
        ('set_obj_orientation_reward("yellow_cube", np.pi / 2)', np.pi / 2),
    ):
        program = parse_rewards(text, objects=affordances.things, joints=affordances.joints)
        measured = measures(program, Stages(affordances, now))[0]
        assert measured.error(now) == pytest.approx(error, abs=0.01)
        assert not measured.met(now)


class TestFreeSpot:
    @pytest.mark.parametrize("seed", range(4))
    def test_a_kettle_goes_along_its_counter_out_of_the_doors_way(self, seed: int) -> None:
        world = open_world("kitchen", seed=seed)
        affordances = world.scene.affordances()
        kettle, handle = affordances.things["kettle"], world.data.site("microwave_handle").xpos
        spot = free_position(world.model, world.data, affordances, kettle, handle, 0.3)
        assert spot is not None
        assert np.linalg.norm(spot - handle) >= 0.3
        assert spot[2] == pytest.approx(world.data.site("kettle").xpos[2], abs=0.01)

    @pytest.mark.parametrize("seed", range(4))
    def test_a_bar_leaves_its_handles_along_its_own_axis(self, seed: int) -> None:
        world = open_world("cabinet", "barred", seed)
        affordances = world.scene.affordances()
        bar, handle = affordances.things["red_bar"], "wooden_cabinet_left_handle"
        at = world.data.site(handle).xpos
        spot = free_position(world.model, world.data, affordances, bar, at, 0.3)
        assert spot is not None
        step = spot - world.data.site("red_bar").xpos
        assert abs(step[1]) > 0.2 and abs(step[0]) < 0.02

    def test_a_bar_that_hangs_askew_leaves_along_its_own_axis_too(self) -> None:
        # The doors were pulled: they stand ajar, and the bar's end hangs down in the handles.
        world = open_world("kitchen", "apple", 4100)
        model, data, affordances = world.model, world.data, world.scene.affordances()
        for joint, q in (
            ("microwave_door", 1.227),
            ("wooden_cabinet_left_door", 0.1055),
            ("wooden_cabinet_right_door", 0.1055),
        ):
            data.qpos[model.joint(joint).qposadr[0]] = q
        askew = [0.4171, 0.4777, 0.2335, 0.8869, -0.1989, -0.1464, 0.3903]
        bar = model.body(model.site_bodyid[model.site("red_bar").id])
        first = model.jnt_qposadr[bar.jntadr[0]]
        data.qpos[first : first + 7] = askew
        mujoco.mj_forward(model, data)
        handle = data.site("wooden_cabinet_left_handle").xpos
        spot = free_position(model, data, affordances, affordances.things["red_bar"], handle, 0.3)
        assert spot is not None
        out, along = spot - askew[:3], data.site("red_bar").xmat.reshape(3, 3)[:, 1]
        assert abs(out[:2] @ along[:2]) > 0.97 * np.linalg.norm(out[:2]) * np.linalg.norm(along[:2])
        assert out[1] > 0.2  # not into the microwave's door
