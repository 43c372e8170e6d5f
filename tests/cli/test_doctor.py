"""`regrasp doctor` survives whatever the machine is like, and says how to mend it."""

from __future__ import annotations

import json
import time

import pytest
from typer.testing import CliRunner

from regrasp.cli import checks
from regrasp.cli.checks import MachineCheck, Status, attempt, core_works, examine
from regrasp.cli.main import app
from regrasp.embedded.language import missing_requirement


@pytest.fixture(scope="module")
def found() -> tuple[MachineCheck, ...]:
    return examine()


def test_the_core_works_where_the_tests_run(found: tuple[MachineCheck, ...]) -> None:
    assert core_works(found)
    assert {"Python", "mujoco", "numpy", "physics", "cores", "memory", "disk"} <= {
        check.name for check in found
    }


def test_every_backend_and_the_video_writer_are_looked_at(found: tuple[MachineCheck, ...]) -> None:
    names = {check.name for check in found}
    assert {"OpenGL egl", "OpenGL osmesa", "OpenGL glfw", "video"} <= names


def test_whatever_is_not_ok_says_how_to_get_it_and_what_it_is_for(
    found: tuple[MachineCheck, ...],
) -> None:
    for check in found:
        assert check.found and check.needed_for
        assert bool(check.fix) == (check.status is not Status.OK)


def test_the_embedded_model_is_found_where_it_can_run() -> None:
    works, found = attempt(checks._PROBES["embedded language model"].code, 60)
    assert works == (not missing_requirement())
    assert "cannot import name" not in found


def test_a_crash_a_hang_and_an_error_are_only_findings() -> None:
    assert attempt("print('fine')", 20) == (True, "fine")
    assert attempt("import os; os.abort()", 20) == (False, "crashed with signal 6")
    assert attempt("import nonesuch", 20)[1].endswith("No module named 'nonesuch'")
    start = time.perf_counter()
    assert attempt("import time; time.sleep(60)", 0.5) == (False, "no answer in 0.5 s")
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize(
    ("asked", "cure"), [("osmesa", "apt install libosmesa6"), ("nonesuch", "unset MUJOCO_GL")]
)
def test_an_opengl_that_is_not_here_is_told_from_broken_physics(
    monkeypatch: pytest.MonkeyPatch, asked: str, cure: str
) -> None:
    """MuJoCo's own import crashes then, so every command would."""

    def crashes(code: str, seconds: float, variables: dict[str, str]) -> tuple[bool, str]:
        return variables.get("MUJOCO_GL") == "disable", "no attribute 'glGetError'"

    monkeypatch.setattr(checks, "attempt", crashes)
    monkeypatch.setenv("MUJOCO_GL", asked)
    (physics,) = (check for check in examine() if check.name == "physics")
    assert physics.status is Status.FAILED
    assert f"MUJOCO_GL={asked}" in physics.found
    assert physics.fix.startswith("unset MUJOCO_GL")
    assert cure in physics.fix


def report(monkeypatch: pytest.MonkeyPatch, *given: MachineCheck, as_json: bool) -> tuple[int, str]:
    monkeypatch.setattr(checks, "examine", lambda: given)
    result = CliRunner().invoke(app, ["doctor", *(["--json"] if as_json else [])])
    return result.exit_code, result.stdout


FINE = MachineCheck("physics", Status.OK, "steps", "everything that moves")
NO_GL = MachineCheck("OpenGL egl", Status.MISSING, "libEGL is not here", "speed", "install libegl1")
NO_CORE = MachineCheck(
    "numpy", Status.FAILED, "not installed", "everything", "run pip install numpy"
)


def test_a_missing_option_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    code, out = report(monkeypatch, FINE, NO_GL, as_json=False)
    assert code == 0
    assert "OpenGL egl: install libegl1. It is for speed." in out
    assert "The core works." in out


def test_a_missing_core_is(monkeypatch: pytest.MonkeyPatch) -> None:
    code, out = report(monkeypatch, FINE, NO_CORE, as_json=False)
    assert code == 1
    assert "The core does not work" in out


def test_json_is_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    code, out = report(monkeypatch, FINE, NO_GL, as_json=True)
    document = json.loads(out)
    assert code == 0
    assert document["core_works"] is True
    assert [row["status"] for row in document["rows"]] == ["ok", "missing"]
    assert document["rows"][1]["fix"] == "install libegl1"
