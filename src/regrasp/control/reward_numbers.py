"""Constant numbers in a reward: `0.5`, `-np.pi / 2`, `np.deg2rad(90)`, folded and never executed.

All arithmetic is done in floating point, so that `10**10**10` overflows at once instead of growing.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["NoValueError", "fold_number"]

MAX_DEPTH = 20
"""How deep arithmetic may be nested."""

_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_NUMPY = ("np", "numpy")
_CONSTANTS = {"pi": math.pi}
_FUNCTIONS = {"deg2rad": math.radians, "radians": math.radians}


class NoValueError(ValueError):
    """The expression at `node` is not a finite constant number."""

    def __init__(self, node: ast.expr, problem: str) -> None:
        super().__init__(problem)
        self.node, self.problem = node, problem


def fold_number(node: ast.expr, depth: int = 0) -> float:
    """Return the value of a constant expression; NoValueError names the part without a value."""
    if depth > MAX_DEPTH:
        raise NoValueError(node, "the arithmetic is nested too deeply; write the number.")
    try:
        result = _fold(node, depth + 1)
    except OverflowError:
        raise NoValueError(node, "this number is too large.") from None
    except ZeroDivisionError:
        raise NoValueError(node, "this divides by zero.") from None
    if not isinstance(result, float) or not math.isfinite(result):
        raise NoValueError(node, "this is not a finite real number.")  # (-1)**0.5 is complex
    return result


def _fold(node: ast.expr, depth: int) -> Any:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -fold_number(operand, depth)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return fold_number(operand, depth)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return _ARITHMETIC[type(op)](fold_number(left, depth), fold_number(right, depth))
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (
            module in _NUMPY and name in _CONSTANTS
        ):
            return _CONSTANTS[name]
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=module), attr=name), args=[angle], keywords=[]
        ) if module in _NUMPY and name in _FUNCTIONS:
            return _FUNCTIONS[name](fold_number(angle, depth))
    raise NoValueError(
        node, "expected a number: a constant, np.pi, np.deg2rad(…), or + - * / ** of these."
    )
