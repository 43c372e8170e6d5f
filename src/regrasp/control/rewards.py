"""The reward language of REPLAN (figures B.6 to B.8): text in, typed terms out, nothing executed.

    reset_reward()
    minimize_l2_distance_reward("palm", "kettle")
    maximize_l2_distance_reward("kettle", "microwave_handle", distance=0.5, primary_reward=True)
    execute_plan(duration=10)

A language model wrote the text, so it is data: it is parsed with `ast` and checked against a
whitelist of calls with quoted names and constant numbers as arguments. Markdown fences (and
the prose around them), comments and `import numpy as np` are skipped; `np.pi`, `np.deg2rad(90)` and
arithmetic on constants are folded here, in floating point. `reset_reward()` drops the terms before
it. `execute_plan` comes last, at most once. Anything else is an error with a line and a column.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias

from regrasp.control.reward_numbers import NoValueError, fold_number
from regrasp.control.reward_terms import (
    DEFAULT_DISTANCE,
    DEFAULT_DURATION,
    PALM,
    REST_POSITION,
    ImpossibleRewardError,
    JointFraction,
    MaximizeDistance,
    MinimizeDistance,
    ObjectHeight,
    ObjectOrientation,
    Reward,
    RewardError,
    RewardProgram,
)
from regrasp.core.errors import UnknownNameError

__all__ = [
    "DEFAULT_DISTANCE",
    "DEFAULT_DURATION",
    "MAX_CHARACTERS",
    "PALM",
    "REST_POSITION",
    "ImpossibleRewardError",
    "JointFraction",
    "MaximizeDistance",
    "MinimizeDistance",
    "ObjectHeight",
    "ObjectOrientation",
    "Reward",
    "RewardError",
    "RewardNameError",
    "RewardProgram",
    "RewardSyntaxError",
    "parse_rewards",
]

MAX_CHARACTERS = 4000
"""The longest text that is parsed at all."""


class RewardSyntaxError(RewardError):
    """Text that is not in the reward language: its place, the text there, and what is valid."""

    def __init__(self, problem: str, line: int = 1, column: int = 1, text: str = "") -> None:
        super().__init__(problem, line, column, text)
        self.problem, self.line, self.column, self.text = problem, line, column, text

    def __str__(self) -> str:
        shown = f" In: {self.text}" if self.text else ""
        return f"reward line {self.line}, column {self.column}: {self.problem}{shown}"


class RewardNameError(UnknownNameError):
    """An unknown function, object, joint or argument in a reward, with its place in the text."""

    def __init__(
        self, what: str, name: str, valid: Iterable[str], where: tuple[int, int, str]
    ) -> None:
        super().__init__(what, name, valid)
        self.line, self.column, self.text = where

    def __str__(self) -> str:
        problem = super().__str__()
        return f"reward line {self.line}, column {self.column}: {problem} In: {self.text}"

    def __reduce__(self) -> Any:
        where = (self.line, self.column, self.text)
        return (RewardNameError, (self.what, self.name, self.valid, where))


def parse_rewards(text: str, *, objects: Iterable[str], joints: Iterable[str]) -> RewardProgram:
    """Parse a reward program about `objects` (and always the palm and rest position) and `joints`.

    Raises RewardSyntaxError or RewardNameError, both RegraspErrors; never anything else.
    """
    if len(text) > MAX_CHARACTERS:
        raise RewardSyntaxError(
            f"the text has {len(text)} characters; a reward has at most {MAX_CHARACTERS}."
        )
    code = _code(text.replace("\r\n", "\n").replace("\r", "\n"))
    names = {"object": frozenset(objects) | {PALM, REST_POSITION}, "joint": frozenset(joints)}
    return _Parser(code, names).program()


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of a reward function: the field it fills, its names in the text, its kind."""

    field: str
    names: tuple[str, ...]
    kind: Literal["object", "joint", "number", "flag"]
    required: bool = False


_A = _Parameter("a", ("a", "name_obj_A"), "object", required=True)
_B = _Parameter("b", ("b", "name_obj_B"), "object", required=True)
_OBJ = _Parameter("obj", ("obj", "name_obj"), "object", required=True)
_JOINT = _Parameter("joint", ("joint", "name_joint"), "joint", required=True)
_FRACTION = _Parameter("fraction", ("fraction",), "number", required=True)
_HEIGHT = _Parameter("height", ("z_height",), "number", required=True)
_ANGLE = _Parameter("angle", ("x_axis_rotation_radians",), "number", required=True)
_DISTANCE = _Parameter("distance", ("distance",), "number")
_DURATION = _Parameter("duration", ("duration",), "number")
_OPTIONS = (
    _Parameter("weight", ("weight",), "number"),
    _Parameter("primary", ("primary_reward",), "flag"),
)

_Node: TypeAlias = ast.stmt | ast.expr | ast.keyword

_RESET, _EXECUTE = "reset_reward", "execute_plan"
_TERMS: Mapping[str, type[Reward]] = {
    term.function: term
    for term in (MinimizeDistance, MaximizeDistance, JointFraction, ObjectHeight, ObjectOrientation)
}
_PARAMETERS: Mapping[str, tuple[_Parameter, ...]] = {
    MinimizeDistance.function: (_A, _B, *_OPTIONS),
    MaximizeDistance.function: (_A, _B, _DISTANCE, *_OPTIONS),
    JointFraction.function: (_JOINT, _FRACTION, *_OPTIONS),
    ObjectHeight.function: (_OBJ, _HEIGHT, *_OPTIONS),
    ObjectOrientation.function: (_OBJ, _ANGLE, *_OPTIONS),
    _RESET: (),
    _EXECUTE: (_DURATION,),
}


class _Parser:
    """Walks the syntax tree of one program."""

    def __init__(self, code: str, names: Mapping[str, frozenset[str]]) -> None:
        self._code = code
        self._lines = code.split("\n")
        self._names = names

    def program(self) -> RewardProgram:
        terms: tuple[Reward, ...] = ()
        duration: float | None = None
        for statement in self._statements():
            call, name, values = self._call(statement)
            if duration is not None:
                self._fail(call, f"nothing may follow {_EXECUTE}(); make it the last call.")
            try:
                if name == _RESET:
                    terms = ()
                elif name == _EXECUTE:
                    duration = values.get("duration", DEFAULT_DURATION)
                    RewardProgram(terms, duration)
                else:
                    terms = (*terms, _TERMS[name](**values))
                    RewardProgram(terms)
            except RewardError as error:
                self._fail(call, str(error))
        if not terms:
            raise RewardSyntaxError(f"no reward. Write at least one of: {', '.join(_TERMS)}.")
        return RewardProgram(terms, DEFAULT_DURATION if duration is None else duration)

    def _statements(self) -> list[ast.stmt]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # ignore warnings about escapes in strings
                body = ast.parse(self._code).body
        except SyntaxError as error:
            line = min(max(error.lineno or 1, 1), len(self._lines))
            where = (line, max(error.offset or 1, 1), _clip(self._lines[line - 1]))
            raise RewardSyntaxError(f"{error.msg}.", *where) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise RewardSyntaxError(f"the text cannot be parsed ({error}).") from None
        return [statement for statement in body if not _is_numpy_import(statement)]

    def _call(self, statement: ast.stmt) -> tuple[ast.Call, str, dict[str, Any]]:
        """The function that `statement` calls and the values of its parameters, checked."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            self._fail(statement, f"only these calls are allowed: {', '.join(_PARAMETERS)}.")
        name = call.func.id
        if name not in _PARAMETERS:
            self._unknown(call.func, "reward function", name, _PARAMETERS)
        values: dict[str, Any] = {}
        for parameter, node in self._arguments(call, name):
            if parameter.field in values:
                self._fail(node, f"the argument {parameter.names[0]!r} is given twice.")
            values[parameter.field] = self._value(parameter, node)
        for parameter in _PARAMETERS[name]:
            if parameter.required and parameter.field not in values:
                self._fail(call, f"{name} needs the argument {parameter.names[0]!r}.")
        return call, name, values

    def _arguments(self, call: ast.Call, name: str) -> list[tuple[_Parameter, ast.expr]]:
        """Each argument of `call` with its parameter."""
        parameters = _PARAMETERS[name]
        if len(call.args) > len(parameters):
            extra = call.args[len(parameters)]
            self._fail(extra, f"{name} takes at most {len(parameters)} arguments.")
        found = list(zip(parameters, call.args, strict=False))
        by_name = {alias: parameter for parameter in parameters for alias in parameter.names}
        for keyword in call.keywords:
            if keyword.arg is None:
                self._fail(keyword, "** is not allowed; write the arguments out.")
            if keyword.arg not in by_name:
                self._unknown(keyword, f"argument of {name}", keyword.arg, by_name)
            found.append((by_name[keyword.arg], keyword.value))
        return found

    def _value(self, parameter: _Parameter, node: ast.expr) -> str | float | bool:
        value = node.value if isinstance(node, ast.Constant) else None
        if parameter.kind == "number":
            try:
                return fold_number(node)
            except NoValueError as error:
                self._fail(error.node, error.problem)
        if parameter.kind == "flag":
            return value if isinstance(value, bool) else self._fail(node, "expected True or False.")
        if not isinstance(value, str):
            self._fail(node, f"expected the {parameter.kind}'s name in quotes.")
        if value not in self._names[parameter.kind]:
            self._unknown(node, parameter.kind, value, self._names[parameter.kind])
        return value

    def _where(self, node: _Node) -> tuple[int, int, str]:
        """Line and column from 1, in characters, and the line itself."""
        line = self._lines[node.lineno - 1]
        before = line.encode()[: node.col_offset].decode(errors="replace")
        return node.lineno, len(before) + 1, _clip(line)

    def _fail(self, node: _Node, problem: str) -> NoReturn:
        raise RewardSyntaxError(problem, *self._where(node))

    def _unknown(self, node: _Node, what: str, name: str, valid: Iterable[str]) -> NoReturn:
        raise RewardNameError(what, _clip(name, 64), valid, self._where(node))


def _code(text: str) -> str:
    """The content of the one Markdown code block, if there is one, on its original lines."""
    kept: list[str] = []
    fences = 0
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        fence = line.lstrip().startswith("```")
        fences += fence
        if fences == 3:
            raise RewardSyntaxError("there are two code blocks; write one.", number, 1, _clip(line))
        kept.append(line if fences == 1 and not fence else "")
    return "\n".join(kept) if fences else text


def _is_numpy_import(statement: ast.stmt) -> bool:
    """Whether this is `import numpy` or `import numpy as np`, which is ignored."""
    match statement:
        case ast.Import(names=[ast.alias(name="numpy", asname=None | "np")]):
            return True
    return False


def _clip(text: str, limit: int = 120) -> str:
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"
