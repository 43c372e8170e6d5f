"""The order of the rooms: data walks one way, and no two files import each other."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import regrasp

PACKAGE = Path(regrasp.__file__).parent

ALLOWED = {
    "core": (),
    "control": ("core",),
    "models": ("core",),
    "prompts": ("core", "control", "models"),
    "domains": ("core", "prompts"),
    "embedded": ("core", "models", "prompts", "domains", "planners"),
    "verifiers": ("core", "control", "models", "prompts", "domains"),
    "planners": ("core", "control", "models", "prompts", "domains", "verifiers"),
    "perception": ("core", "models", "prompts", "domains", "verifiers", "planners"),
    "monitors": ("core", "models", "prompts", "domains", "planners", "perception"),
    "methods": (
        "core", "control", "models", "prompts", "domains", "verifiers", "planners", "perception",
        "monitors",
    ),
    "worlds": ("core", "control", "domains"),
    "view": ("core",),
    "episodes": (
        "core", "control", "models", "prompts", "domains", "embedded", "perception", "methods",
        "worlds", "view",
    ),
    "bench": (
        "core", "control", "models", "prompts", "domains", "embedded", "perception", "monitors",
        "planners", "methods", "worlds", "view", "episodes",
    ),
    "bridges": ("core", "worlds", "view", "episodes", "bench"),
    "cli": (
        "core", "control", "models", "prompts", "domains", "embedded", "planners", "methods",
        "worlds", "view", "episodes", "bench", "bridges",
    ),
    "lab": (
        "core", "control", "models", "prompts", "domains", "embedded", "planners", "verifiers",
        "methods", "worlds", "episodes", "bench", "cli",
    ),
}  # fmt: skip
"""What each room may import. Whoever adds a word here answers for it in docs/design.md."""


def modules() -> dict[str, Path]:
    files = PACKAGE.rglob("*.py")
    named = {".".join(f.relative_to(PACKAGE.parent).with_suffix("").parts): f for f in files}
    return {name.removesuffix(".__init__"): file for name, file in named.items()}


def imports(name: str, tree: ast.AST, known: dict[str, Path]) -> Iterator[str]:
    """The modules of ours that a module imports anywhere, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else str(node.module)


def graph() -> dict[str, set[str]]:
    known = modules()
    return {
        name: set(imports(name, ast.parse(file.read_text(encoding="utf-8")), known)) - {name}
        for name, file in known.items()
    }


def room(name: str) -> str:
    return name.split(".")[1] if name.count(".") else ""


GRAPH = graph()


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_a_room_imports_only_rooms_before_it(name: str) -> None:
    wrong = {
        (module, other)
        for module, others in GRAPH.items()
        for other in others
        if room(module) == name and room(other) not in ("", "_version", name, *ALLOWED[name])
    }
    assert not wrong


def test_every_room_is_in_the_order() -> None:
    files = {"", "_version", "__main__"}
    assert {room(name) for name in GRAPH} - files == set(ALLOWED)


def test_no_two_rooms_import_each_other() -> None:
    order = list(ALLOWED)
    late = {(a, b) for a, others in ALLOWED.items() for b in others if a in ALLOWED[b]}
    assert not late and len(order) == len(set(order))


def test_no_cycle_between_files() -> None:
    seen: dict[str, int] = defaultdict(int)
    path: list[str] = []

    def visit(name: str) -> None:
        seen[name] = 1
        path.append(name)
        for other in sorted(GRAPH[name]):
            assert seen[other] != 1, " → ".join([*path[path.index(other) :], other])
            if not seen[other]:
                visit(other)
        path.pop()
        seen[name] = 2

    for name in sorted(GRAPH):
        if not seen[name]:
            visit(name)


def test_nothing_imports_the_laboratory() -> None:
    users = {
        m for m, others in GRAPH.items() if room(m) != "lab" for o in others if room(o) == "lab"
    }
    assert not users


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("regrasp.domains.affordances", ["PIL", "regrasp.models"]),
        ("regrasp.domains", ["PIL", "regrasp.models"]),
        ("regrasp.core.event", ["PIL", "mujoco"]),
        ("regrasp.methods.registry", ["PIL", "mujoco", "onnxruntime"]),
        ("regrasp.worlds.registry", ["mujoco", "numpy"]),
    ],
)
def test_an_import_loads_no_more_than_it_needs(module: str, absent: list[str]) -> None:
    code = f"import json, sys, {module}; print(json.dumps(list(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(ran.stdout)
    assert not [name for name in loaded for gone in absent if name.split(f"{gone}.")[0] == gone]


def test_packages_load_nothing() -> None:
    for file in PACKAGE.rglob("__init__.py"):
        if file.parent != PACKAGE:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            assert len(tree.body) <= 1, f"{file} holds more than a docstring"
