"""The reward language: what it takes, what it says to the rest, and that nothing breaks it."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.control.rewards import (
    DEFAULT_DISTANCE,
    DEFAULT_DURATION,
    MAX_CHARACTERS,
    JointFraction,
    MaximizeDistance,
    MinimizeDistance,
    ObjectHeight,
    ObjectOrientation,
    Reward,
    RewardError,
    RewardNameError,
    RewardProgram,
    RewardSyntaxError,
    parse_rewards,
)
from regrasp.core.errors import RegraspError, UnknownNameError

OBJECTS = ("kettle", "microwave_handle", "red_block_right_side")
JOINTS = ("microwave", "left_door")

PAPER_EXAMPLE = """
import numpy as np

reset_reward()
# This is a new task so reset reward; otherwise we don't need it
minimize_l2_distance_reward("palm", "microwave_handle")
set_joint_fraction_reward("microwave", 1.0)

execute_plan(4)
"""


def parse(text: str) -> RewardProgram:
    return parse_rewards(text, objects=OBJECTS, joints=JOINTS)


def one(text: str) -> Reward:
    (term,) = parse(text).terms
    return term


class TestAccepted:
    def test_the_example_of_the_paper(self) -> None:
        program = parse(PAPER_EXAMPLE)
        assert program == RewardProgram(
            (MinimizeDistance("palm", "microwave_handle"), JointFraction("microwave", 1.0)), 4.0
        )

    @pytest.mark.parametrize(
        ("call", "term"),
        [
            (
                'minimize_l2_distance_reward("palm", "kettle", 0.5, True)',
                MinimizeDistance("palm", "kettle", weight=0.5, primary=True),
            ),
            (
                'minimize_l2_distance_reward(name_obj_B="kettle", name_obj_A="rest_position")',
                MinimizeDistance("rest_position", "kettle"),
            ),
            (
                "maximize_l2_distance_reward('kettle', 'microwave_handle')",
                MaximizeDistance("kettle", "microwave_handle", DEFAULT_DISTANCE),
            ),
            (
                "maximize_l2_distance_reward(a='kettle', b='palm', distance=.5, weight=2)",
                MaximizeDistance("kettle", "palm", 0.5, weight=2.0),
            ),
            (
                'set_joint_fraction_reward(name_joint="left_door", fraction=1/4)',
                JointFraction("left_door", 0.25),
            ),
            (
                'set_obj_z_position_reward(name_obj="kettle", z_height=2**-1)',
                ObjectHeight("kettle", 0.5),
            ),
            (
                'set_obj_orientation_reward("kettle", x_axis_rotation_radians=-np.pi / 2)',
                ObjectOrientation("kettle", -math.pi / 2),
            ),
            (
                'set_obj_orientation_reward("kettle", np.deg2rad(+90.0))',
                ObjectOrientation("kettle", math.pi / 2),
            ),
        ],
    )
    def test_every_function_by_position_and_by_either_name(self, call: str, term: Reward) -> None:
        assert one(call) == term

    @pytest.mark.parametrize(
        "wrapped",
        [
            f"```python\n{PAPER_EXAMPLE}\n```",
            f"Here you are:\n\n```\n{PAPER_EXAMPLE}```\nIt moves the palm, then: it opens!",
            f"```py\n{PAPER_EXAMPLE}",  # the model ran out of tokens before the closing fence
            PAPER_EXAMPLE.replace("\n", "\r\n"),
            PAPER_EXAMPLE.replace("import numpy as np", "import numpy"),
            PAPER_EXAMPLE.replace("\n\n", "  # a remark\n"),
        ],
    )
    def test_what_models_put_around_the_calls_is_skipped(self, wrapped: str) -> None:
        assert parse(wrapped) == parse(PAPER_EXAMPLE)

    def test_reset_drops_what_stands_before_it(self) -> None:
        text = 'set_joint_fraction_reward("microwave", 0)\nreset_reward()\n'
        assert one(text + 'set_joint_fraction_reward("microwave", 1)') == JointFraction(
            "microwave", 1.0
        )

    def test_without_a_duration_the_limit_is_generous(self) -> None:
        call = 'set_joint_fraction_reward("microwave", 1)'
        assert parse(call).duration == DEFAULT_DURATION
        assert parse(f"{call}\nexecute_plan()").duration == DEFAULT_DURATION
        assert parse(f"{call}\nexecute_plan(duration=2*5)").duration == 10.0


class TestPrimary:
    def test_is_the_flagged_term(self) -> None:
        program = parse(
            'minimize_l2_distance_reward("palm", "kettle", primary_reward=True)\n'
            'maximize_l2_distance_reward("kettle", "microwave_handle", primary_reward=False)'
        )
        assert program.primary is program.terms[0]

    def test_is_else_the_last_term_that_is_not_about_the_palm(self) -> None:
        program = parse(
            'set_joint_fraction_reward("microwave", 1)\n'
            'maximize_l2_distance_reward("kettle", "microwave_handle")\n'
            'minimize_l2_distance_reward("palm", "kettle")'
        )
        assert program.primary is program.terms[1]

    def test_is_the_last_term_if_all_are_about_the_palm(self) -> None:
        program = parse(
            'minimize_l2_distance_reward("palm", "kettle")\n'
            'minimize_l2_distance_reward("palm", "rest_position")'
        )
        assert program.primary is program.terms[1]

    def test_cannot_be_two(self) -> None:
        with pytest.raises(RewardSyntaxError, match=r"line 2.*two primary rewards"):
            parse(
                'minimize_l2_distance_reward("palm", "kettle", primary_reward=True)\n'
                'set_joint_fraction_reward("microwave", 1, primary_reward=True)'
            )


class TestUnknownNames:
    @pytest.mark.parametrize(
        ("text", "name", "near", "line", "column"),
        [
            ('minimise_l2_distance("palm", "kettle")', "minimise_l2_distance",
             "minimize_l2_distance_reward", 1, 1),
            ('\nminimize_l2_distance_reward("palm", "ketle")', "ketle", "kettle", 2, 37),
            ('set_joint_fraction_reward("mikrowave", 1)', "mikrowave", "microwave", 1, 27),
            ('set_joint_fraction_reward("microwave", fration=1)', "fration", "fraction", 1, 40),
            ('set_joint_fraction_reward("kettle", 1)', "kettle", None, 1, 27),
            ('```\nset_joint_fraction_reward("é", 1); reset()', "é", None, 2, 27),
        ],
    )  # fmt: skip
    def test_name_the_place_the_valid_ones_and_the_closest(
        self, text: str, name: str, near: str | None, line: int, column: int
    ) -> None:
        with pytest.raises(RewardNameError) as caught:
            parse(text)
        error = caught.value
        assert isinstance(error, UnknownNameError)
        assert (error.name, error.closest) == (name, near)
        assert (error.line, error.column) == (line, column)
        assert f"line {line}, column {column}" in str(error)
        assert "Valid: " in str(error)
        assert error.text in text

    def test_columns_count_characters_and_not_bytes(self) -> None:
        with pytest.raises(RewardNameError) as caught:
            text = 'minimize_l2_distance_reward("théière", "tasse")'
            parse_rewards(text, objects=("théière",), joints=())
        assert caught.value.column == text.index('"tasse"') + 1

    def test_the_palm_and_the_rest_position_are_always_objects(self) -> None:
        text = 'minimize_l2_distance_reward("palm", "rest_position")'
        assert parse_rewards(text, objects=(), joints=()).terms[0].names == (
            "palm",
            "rest_position",
        )

    def test_errors_can_cross_processes(self) -> None:
        for text in ("nothing()", "1 +"):
            with pytest.raises(RegraspError) as caught:
                parse(text)
            assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "no reward"),
            ("reset_reward()", "no reward"),
            ("execute_plan()", "needs 1 to 20 rewards, got 0"),
            ("import os", "only these calls"),
            ("import numpy as np, os", "only these calls"),
            ("from numpy import pi", "only these calls"),
            ("x = 1", "only these calls"),
            ("def f(): pass", "only these calls"),
            ("for i in range(9): reset_reward()", "only these calls"),
            ("(lambda: 1)()", "only these calls"),
            ("__import__('os').system('true')", "only these calls"),
            ("np.pi", "only these calls"),
            ("'just a string'", "only these calls"),
            ("open the door", "invalid syntax"),
            ('minimize_l2_distance_reward("palm", f"{1}")', "object's name in quotes"),
            ('minimize_l2_distance_reward("palm", kettle)', "object's name in quotes"),
            ('minimize_l2_distance_reward("palm", None)', "object's name in quotes"),
            ('minimize_l2_distance_reward("palm", "palm")', "'palm' twice"),
            ('minimize_l2_distance_reward("palm")', "needs the argument 'b'"),
            ('minimize_l2_distance_reward("palm", *["kettle"])', "object's name in quotes"),
            ('minimize_l2_distance_reward(**{"a": "palm"})', "** is not allowed"),
            ('minimize_l2_distance_reward("palm", "kettle", a="palm")', "given twice"),
            ('minimize_l2_distance_reward("palm", "kettle", 1, True, 2)', "at most 4 arguments"),
            ('minimize_l2_distance_reward("palm", "kettle", weight=-1)', "weight must be"),
            ('minimize_l2_distance_reward("palm", "kettle", weight=True)', "expected a number"),
            ('minimize_l2_distance_reward("palm", "kettle", weight="1")', "expected a number"),
            ('minimize_l2_distance_reward("palm", "kettle", weight=1j)', "expected a number"),
            ('minimize_l2_distance_reward("palm", "kettle", weight=1e999)', "finite"),
            ('minimize_l2_distance_reward("palm", "kettle", weight=np.inf)', "expected a number"),
            ('minimize_l2_distance_reward("palm", "kettle", weight=np.sum(1))', "expected a num"),
            ('minimize_l2_distance_reward("palm", "kettle", primary_reward=1)', "True or False"),
            ('maximize_l2_distance_reward("palm", "kettle", distance=0)', "above 0"),
            ('set_joint_fraction_reward("microwave", 1.01)', "fraction must be at least 0"),
            ('set_joint_fraction_reward("microwave", 1/0)', "divides by zero"),
            ('set_joint_fraction_reward("microwave", 10**10**10)', "too large"),
            ('set_joint_fraction_reward("microwave", (-1)**0.5)', "not a finite real"),
            ('set_joint_fraction_reward("microwave", 1 << 2)', "expected a number"),
            (f'set_joint_fraction_reward("microwave", {"9" * 3000})', "too large"),
            (f'set_joint_fraction_reward("microwave", {"-" * 50}1)', "nested too deeply"),
            (f'set_joint_fraction_reward("microwave", {"(" * 1000})', "nested"),
            ('set_obj_z_position_reward("kettle", 1e6)', "z_height must be"),
            ('set_joint_fraction_reward("microwave", 1)\nexecute_plan(0)', "duration must be"),
            ('set_joint_fraction_reward("microwave", 1)\nexecute_plan(121)', "duration must be"),
            ('set_joint_fraction_reward("microwave", 1)\nexecute_plan(2, 3)', "at most 1"),
            ('set_joint_fraction_reward("microwave", 1)\nexecute_plan()\nexecute_plan()', "last"),
            ('set_joint_fraction_reward("microwave", 1)\nexecute_plan()\nreset_reward()', "last"),
            ('set_joint_fraction_reward("microwave", 1)\n' * 21, "needs 1 to 20 rewards, got 21"),
            ("```\nreset_reward()\n```\n```\nreset_reward()\n```", "two code blocks"),
            (" " * (MAX_CHARACTERS + 1), "at most 4000"),
            ("reset_reward()\0", "null"),
            ("'\ud800'", "cannot be parsed"),
        ],
    )
    def test_anything_else_is_an_error_that_says_what_is_wrong(self, text: str, says: str) -> None:
        with pytest.raises(RewardSyntaxError) as caught:
            parse(text)
        assert says in str(caught.value)
        assert str(caught.value).startswith(f"reward line {caught.value.line}, column ")

    def test_a_term_made_in_python_is_held_to_the_same_bounds(self) -> None:
        for make in (
            lambda: JointFraction("microwave", math.nan),
            lambda: MinimizeDistance("palm", "kettle", weight=math.inf),
            lambda: MinimizeDistance("", "kettle"),
            lambda: ObjectHeight("ket\ntle", 0.5),
            lambda: RewardProgram(()),
            lambda: RewardProgram((JointFraction("microwave", 1.0),), duration=-1.0),
        ):
            with pytest.raises(RewardError):
                make()


names = st.text(
    st.characters(categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=20
).filter(str.isprintable)
weights = st.floats(0, 1000)
pairs = st.tuples(names, names).filter(lambda pair: pair[0] != pair[1])
terms: st.SearchStrategy[Reward] = st.one_of(
    st.builds(lambda p, w, f: MinimizeDistance(*p, w, f), pairs, weights, st.just(False)),
    st.builds(
        lambda p, d, w: MaximizeDistance(*p, d, w),
        pairs,
        st.floats(0, 10, exclude_min=True),
        weights,
    ),
    st.builds(JointFraction, names, st.floats(0, 1), weights),
    st.builds(ObjectHeight, names, st.floats(-10, 10), weights),
    st.builds(ObjectOrientation, names, st.floats(-12, 12), weights),
)
programs = st.builds(
    RewardProgram, st.lists(terms, min_size=1, max_size=20).map(tuple), st.floats(0.1, 120)
)


class TestProperties:
    @settings(deadline=None)
    @given(programs)
    def test_a_program_round_trips_through_its_text(self, program: RewardProgram) -> None:
        mentioned = [name for term in program.terms for name in term.names]
        text = str(program)
        assert parse_rewards(text, objects=mentioned, joints=mentioned) == program

    def test_the_flag_round_trips_too(self) -> None:
        program = RewardProgram(
            (JointFraction("microwave", 1.0, primary=True), ObjectHeight("kettle", 0.5))
        )
        assert parse(str(program)) == program
