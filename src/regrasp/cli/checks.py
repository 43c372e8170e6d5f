"""The checks of `regrasp doctor`. A check that could crash runs in a process of its own."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from ctypes.util import find_library
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from regrasp._version import __version__
from regrasp.cli.options import cores

__all__ = ["MachineCheck", "Status", "attempt", "core_works", "examine"]

PROBE_SECONDS = 60.0
"""Seconds that a probe may take before it counts as broken."""

GIB = 2.0**30


class Status(StrEnum):
    """The result of a check."""

    OK = "ok"
    MISSING = "missing"  # not there, and not needed for the core
    FAILED = "failed"  # the core needs it


@dataclass(frozen=True, slots=True)
class MachineCheck:
    """One check: what was found, what needs it, and how to install it if it is missing."""

    name: str
    status: Status
    found: str
    needed_for: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class _Probe:
    """A program that exits with 0 if the component works, and the texts about the component."""

    code: str
    needed_for: str
    fix: str
    core: bool = False
    backend: str = ""  # of MUJOCO_GL
    library: str = ""  # that the linker must find


_SCENE = "<mujoco><worldbody><light/><geom type='sphere' size='.1'/></worldbody></mujoco>"

_PHYSICS = f"""
import mujoco, numpy as np
model = mujoco.MjModel.from_xml_string("{_SCENE}")
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
eye, ahead = np.array([1.0, 0, 0]), np.array([-1.0, 0, 0])
hit = mujoco.mj_ray(model, data, eye, ahead, None, 1, -1, np.zeros(1, np.int32))
assert abs(hit - 0.9) < 1e-6, hit
assert np.isfinite(data.qpos).all() and data.time > 0
print("steps and casts rays")
"""

_PICTURE = f"""
import mujoco
model = mujoco.MjModel.from_xml_string("{_SCENE}")
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
renderer = mujoco.Renderer(model, 32, 32)
renderer.update_scene(data)
assert renderer.render().shape == (32, 32, 3)
renderer.close()
print("renders")
"""

_VIDEO = """
import av
av.codec.Codec("libx264", "w")
print("PyAV", av.__version__, "with H.264")
"""

_LLAMA = """
import xllamacpp
from regrasp.embedded.language import missing_requirement
assert not (needed := missing_requirement()), needed
features = xllamacpp.get_system_info()
slow = "NEON" in features and "DOTPROD" not in features
print("here, but built without dot products: slow (docs/models.md)" if slow else "here")
"""


def _opengl(backend: str, library: str, fix: str) -> _Probe:
    use = "faster pictures; without it the built-in ray-cast renderer draws them"
    return _Probe(_PICTURE, use, fix, backend=backend, library=library)


_PROBES: Mapping[str, _Probe] = {
    "physics": _Probe(
        _PHYSICS,
        "everything that moves",
        "run pip install --force-reinstall mujoco numpy",
        core=True,
    ),
    "OpenGL egl": _opengl(
        "egl",
        "EGL",
        "install libEGL and a driver for it (Debian, Ubuntu: apt install libegl1 libgl1-mesa-dri)",
    ),
    "OpenGL osmesa": _opengl(
        "osmesa", "OSMesa", "install libOSMesa (Debian, Ubuntu: apt install libosmesa6)"
    ),
    "OpenGL glfw": _opengl(
        "glfw",
        "GL",
        "attach a display (DISPLAY) and install libGL (Debian, Ubuntu: apt install libgl1)",
    ),
    "video": _Probe(
        _VIDEO,
        "mp4 films of runs; without it pictures and traces are still written",
        "run pip install 'regrasp[video]'",
    ),
    "figures": _Probe(
        'import matplotlib; print("matplotlib", matplotlib.__version__)',
        "the figures of regrasp report; without it its tables are still written",
        "run pip install 'regrasp[report]'",
    ),
    "Fast Downward": _Probe(
        "from regrasp.planners.downward import find_downward\n"
        'assert find_downward(), "no package that carries it is installed"; print("found")',
        "classical planning of larger problems; without it our own search plans",
        "run pip install 'regrasp[planning]'",
    ),
    "embedded language model": _Probe(
        _LLAMA,
        "--llm embedded, the default; without it scripted rules reason",
        "run pip install 'regrasp[local]', then regrasp models pull",
    ),
    "LeRobot": _Probe(
        'import pyarrow; print("pyarrow", pyarrow.__version__)',
        "regrasp export lerobot",
        "run pip install 'regrasp[lerobot]'",
    ),
}

_PACKAGES = ("mujoco", "numpy", "pillow", "rich", "typer")


def examine() -> tuple[MachineCheck, ...]:
    """Run every check; takes about a second, and a minute at most."""
    return (*_software(), *_probes(), *_hardware())


def core_works(checks: tuple[MachineCheck, ...]) -> bool:
    """Whether nothing that the core needs has failed."""
    return all(check.status is not Status.FAILED for check in checks)


def _software() -> Iterator[MachineCheck]:
    yield MachineCheck("regrasp", Status.OK, __version__, "everything")
    yield MachineCheck("Python", Status.OK, platform.python_version(), "everything")
    yield MachineCheck("platform", Status.OK, platform.platform(), "everything")
    for package in _PACKAGES:
        try:
            found, status, fix = metadata.version(package), Status.OK, ""
        except metadata.PackageNotFoundError:
            found, status, fix = "not installed", Status.FAILED, f"run pip install {package}"
        yield MachineCheck(package, status, found, "everything", fix)


def _probes() -> Iterator[MachineCheck]:
    with ThreadPoolExecutor(len(_PROBES)) as pool:  # each waits for a process of its own
        yield from pool.map(_run, _PROBES, _PROBES.values())


def _run(name: str, probe: _Probe) -> MachineCheck:
    variables = {"MUJOCO_GL": probe.backend, "PYOPENGL_PLATFORM": probe.backend}
    works, found = attempt(probe.code, PROBE_SECONDS, variables if probe.backend else {})
    if works:
        return MachineCheck(name, Status.OK, found, probe.needed_for)
    fix = probe.fix
    if probe.core and (backend := os.environ.get("MUJOCO_GL", "")):
        if attempt(probe.code, PROBE_SECONDS, {"MUJOCO_GL": "disable"})[0]:
            found, fix = _bad_backend(backend)
    elif probe.library and find_library(probe.library) is None:
        found = f"lib{probe.library} is not on this machine"
    elif probe.backend == "glfw" and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        found = "there is no display"
    status = Status.FAILED if probe.core else Status.MISSING
    return MachineCheck(name, status, found, probe.needed_for, fix)


def _bad_backend(backend: str) -> tuple[str, str]:
    """MuJoCo loads the OpenGL named by MUJOCO_GL on import; the import fails without it."""
    fix = "unset MUJOCO_GL: Regrasp finds an OpenGL that works, and needs none"
    for probe in _PROBES.values():
        if probe.backend == backend.strip().lower():
            fix = f"{fix}; or {probe.fix}"
    return f"`import mujoco` fails because MUJOCO_GL={backend} asks for an OpenGL not here", fix


def attempt(
    code: str, seconds: float, variables: Mapping[str, str] | None = None
) -> tuple[bool, str]:
    """Run `code` in a new Python process: whether it works, and its last line or its error."""
    try:
        ended = subprocess.run(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
            env={**os.environ, **(variables or {})},
        )
    except subprocess.TimeoutExpired:
        return False, f"no answer in {seconds:g} s"
    if ended.returncode < 0:
        return False, f"crashed with signal {-ended.returncode}"
    lines = (ended.stdout if ended.returncode == 0 else ended.stderr).strip().splitlines()
    return ended.returncode == 0, lines[-1][:160] if lines else f"exit code {ended.returncode}"


def _hardware() -> Iterator[MachineCheck]:
    yield MachineCheck("cores", Status.OK, f"{cores()} of {os.cpu_count()}", "planning speed")
    yield MachineCheck("memory", Status.OK, _memory(), "many episodes at once")
    disk = shutil.disk_usage(Path.cwd())
    yield MachineCheck(
        "disk", Status.OK, f"{disk.free / GIB:.1f} GiB free here", "traces and films"
    )


def _memory() -> str:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIB
    except (AttributeError, ValueError, OSError):
        return "unknown"
    return f"{total:.1f} GiB"
