"""Finds, in source that agents are made of, every way around the wall that source can show."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOMS = (
    "methods", "planners", "domains", "verifiers", "perception", "monitors", "prompts", "models",
    "embedded",
)  # fmt: skip
"""The rooms of code that stands on the agent's side of the wall."""

FORBIDDEN = (
    "regrasp.worlds",
    "regrasp.episodes",
    "regrasp.core.judge",
    "regrasp.control.controller",
    "regrasp.control.skill",
    "regrasp.control.suction_arm",
    "mujoco",
    "gc",
    "ctypes",
    "inspect",
    "sys.modules",
)
"""What holds the truth, or leads to whatever Python holds."""

_BUILTINS = ("__import__", "eval", "exec", "globals", "locals", "vars")
_BY_NAME = ("getattr", "hasattr", "setattr", "delattr", "attrgetter", "methodcaller")
_HARMLESS = ("__doc__", "__init__", "__module__", "__name__", "__qualname__", "__setattr__")


def offences(file: Path, package: str) -> list[str]:
    """What `file`, a module of the package of that dotted name, does that it must not do."""
    found = sorted(set(_found(ast.parse(file.read_text(encoding="utf-8")), package)))
    return [f"line {line}: {what}" for line, what in found]


def offenders(root: Path) -> dict[str, list[str]]:
    """The files under the agent's rooms of the package at `root` that offend, and how."""
    found = {}
    for room in ROOMS:
        for file in sorted((root / room).rglob("*.py")):
            package = ".".join(file.relative_to(root.parent).parent.parts)
            if wrong := offences(file, package):
                found[file.relative_to(root).as_posix()] = wrong
    return found


def _found(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        for name in _names(node, package):
            for forbidden in FORBIDDEN:
                if name == forbidden or name.startswith(f"{forbidden}."):
                    yield node.lineno, f"reaches {forbidden}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Name) and node.id in _BUILTINS:
            yield node.lineno, f"uses {node.id}"
        if isinstance(node, ast.Attribute) and _is_private(node.attr) and not _is_own(node.value):
            yield node.lineno, f"reads {ast.unparse(node)}"
        if isinstance(node, ast.Call):
            yield from ((node.lineno, what) for what in _by_name(node))


def _names(node: ast.AST, package: str) -> Iterator[str]:
    """The dotted names of modules and their members that a node speaks of."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        yield module
        yield from (f"{module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Attribute):
        yield ast.unparse(node)


def _by_name(call: ast.Call) -> Iterator[str]:
    """Attributes and modules that are asked for by their name in a string."""
    function = ast.unparse(call.func).rpartition(".")[2]
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if function in _BY_NAME:
        if any(map(_is_private, ".".join(texts).split("."))):
            yield f"reads {ast.unparse(call)}"
        if function == "getattr" and not texts:
            yield "reads an attribute whose name is computed"
    if function == "import_module":
        if not texts:
            yield "imports a module whose name is computed"
        for text in texts:
            for forbidden in FORBIDDEN:
                if text == forbidden or text.startswith(f"{forbidden}."):
                    yield f"reaches {forbidden}"


def _is_private(name: str) -> bool:
    return name.startswith("_") and name not in _HARMLESS


def _is_own(value: ast.expr) -> bool:
    """Whether it is self, cls or super()."""
    return ast.unparse(value) in ("self", "cls", "super()")
