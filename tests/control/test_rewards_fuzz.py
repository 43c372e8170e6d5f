"""Whatever a model may write, the reward parser gives a program or an error for people."""

from __future__ import annotations

import ast
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.control.rewards import MAX_CHARACTERS, RewardProgram, parse_rewards
from regrasp.core.errors import RegraspError


def parses_or_explains(text: str) -> None:
    try:
        found = parse_rewards(text, objects=("kettle",), joints=("microwave",))
        assert isinstance(found, RewardProgram)
    except RegraspError as error:
        assert str(error)


VALID = (
    "import numpy as np\n\nreset_reward()\n# a new task\n"
    'minimize_l2_distance_reward("palm", "kettle")\nset_joint_fraction_reward("microwave", 1.0)\n'
    "execute_plan(4)\n",
    'maximize_l2_distance_reward("kettle", "palm", distance=np.deg2rad(30), weight=0.5)\n',
    '```python\nset_obj_z_position_reward("kettle", 1/2, primary_reward=True)\nexecute_plan()\n```',
)
FRAGMENTS = (
    '"', "'", "(", ")", "[", "]", "{", "}", ",", "=", ":", ";", "\n", "\t", "\\", "\0", "#", "```",
    "*", "**", "-", "~", "/", "@", ".", "9" * 20, "1e999", "0x", "1j", "None", "True", "lambda: ",
    "f'{x}'", "await ", "yield ", "np.", "__class__", "import ", "def f():", "\ud800", "\u2028",
    "é", "palm", "kettle", "weight=", "primary_reward=", "*args", "**kw", "if ", " else ", ":=",
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid program with pieces cut out, doubled, and replaced by fragments of Python."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(len(text), start + 12)))
        piece = draw(st.sampled_from(FRAGMENTS) | st.just(text[start:stop] * 2))
        text = text[:start] + piece + text[stop:]
    return text


def random_expression(dice: random.Random, depth: int) -> ast.expr:
    """A random Python expression, most kinds of which are not in the reward language."""
    leaves = (1, 0.5, -3, True, None, "palm", "kettle", "microwave", 10**30, b"x", 2j, ...)
    if depth == 0 or dice.random() < 0.2:
        return ast.Constant(dice.choice(leaves))

    def sub() -> ast.expr:
        return random_expression(dice, depth - 1)

    load = ast.Load()
    known = ("minimize_l2_distance_reward", "set_joint_fraction_reward", "execute_plan", "np", "x")
    kinds = (
        lambda: ast.BinOp(sub(), dice.choice((ast.Add, ast.Pow, ast.Div, ast.LShift))(), sub()),
        lambda: ast.UnaryOp(dice.choice((ast.USub, ast.Not, ast.Invert))(), sub()),
        lambda: ast.Attribute(ast.Name("np", load), dice.choice(("pi", "e", "deg2rad")), load),
        lambda: ast.Call(
            ast.Name(dice.choice(known), load),
            [sub() for _ in range(dice.randrange(4))],
            [ast.keyword(dice.choice(("weight", "a", "fraction", None)), sub())],
        ),
        lambda: ast.Call(ast.Attribute(ast.Name("np", load), "deg2rad", load), [sub()], []),
        lambda: ast.List([sub(), sub()], load),
        lambda: ast.Subscript(sub(), sub(), load),
        lambda: ast.IfExp(sub(), sub(), sub()),
        lambda: ast.Starred(sub(), load),
        lambda: ast.JoinedStr([ast.FormattedValue(sub(), -1)]),
        lambda: ast.Dict([sub()], [sub()]),
    )
    return dice.choice(kinds)()


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=200))
def test_random_text(text: str) -> None:
    parses_or_explains(text)


@settings(deadline=None, max_examples=400)
@given(mutated())
def test_mutated_programs(text: str) -> None:
    parses_or_explains(text)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
def test_soups_of_fragments(text: str) -> None:
    parses_or_explains(text)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**32))
def test_random_syntax_trees(seed: int) -> None:
    expression = random_expression(random.Random(seed), depth=4)
    parses_or_explains(ast.unparse(ast.fix_missing_locations(ast.Expr(expression))))


@pytest.mark.parametrize(
    "unit",
    ["-", "~", "(", "[", "not ", "lambda:", "a.", "1+", "1**", "f(", "a if ", "{", "f'{"],
)
def test_deep_nesting(unit: str) -> None:
    for prefix in ("", "execute_plan("):
        parses_or_explains((prefix + unit * MAX_CHARACTERS)[:MAX_CHARACTERS])
        parses_or_explains((prefix + unit * MAX_CHARACTERS)[: MAX_CHARACTERS - 2] + "1)")
