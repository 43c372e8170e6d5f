"""MuJoCo's own OpenGL renderer without a display: EGL where there is one, else OSMesa.

A missing or broken driver can crash the whole process, so the first attempt is made in another
process (`probe`). Multisampling, shadows and reflections are off: on a CPU they cost ten times as
much as everything else together.
"""

from __future__ import annotations

import copy
import ctypes.util
import functools
import importlib
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats, Picture
from regrasp.core.errors import RegraspError
from regrasp.worlds.render.base import ALPHA_MIN, FAR_M, GROUPS, Frame, camera_id
from regrasp.worlds.render.solids import geom_rgba

__all__ = ["GlRenderer", "OpenGLProbe", "probe"]

_PROBE_S = 60.0
_CONTEXTS = {"Linux": ("egl", "osmesa"), "Darwin": ("cgl",), "Windows": ("glfw",)}
_OFF = ("disable", "disabled", "off", "false", "0")
_LIBRARIES = {"egl": ("EGL", "libegl1 libgl1-mesa-dri"), "osmesa": ("OSMesa", "libosmesa6")}
# Runs in the other process: draw a white ball, and see that the middle of the picture is bright.
_TRIAL = """
import importlib, sys, mujoco, numpy as np
context = importlib.import_module("mujoco." + sys.argv[1]).GLContext(32, 32)
context.make_current()
model = mujoco.MjModel.from_xml_string(
    "<mujoco><worldbody><light pos='0 0 3'/><camera name='eye' pos='0 0 1'/>"
    "<geom size='.3' rgba='1 1 1 1'/></worldbody></mujoco>")
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
scene, eye = mujoco.MjvScene(model, 10), mujoco.MjvCamera()
eye.type, eye.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, eye, 7, scene)
gpu = mujoco.MjrContext(model, 150)
mujoco.mjr_setBuffer(int(mujoco.mjtFramebuffer.mjFB_OFFSCREEN), gpu)
window, rgb = mujoco.MjrRect(0, 0, 32, 32), np.zeros((32, 32, 3), np.uint8)
mujoco.mjr_render(window, scene, gpu)
mujoco.mjr_readPixels(rgb, None, window, gpu)
sys.exit(0 if rgb[16, 16].min() > 30 else "the picture is black")
"""


@dataclass(frozen=True, slots=True)
class OpenGLProbe:
    """Whether OpenGL works here, through which of MuJoCo's contexts, and if not how to fix it."""

    works: bool
    context: str = ""
    advice: str = ""


@functools.cache
def probe() -> OpenGLProbe:
    """Try, once per process, to draw a small picture in another process.

    The environment variable MUJOCO_GL, where it names a context, decides which one is tried.
    """
    contexts = _CONTEXTS.get(platform.system(), ())
    wanted = os.environ.get("MUJOCO_GL", "").strip().lower()
    if wanted in _OFF:
        return OpenGLProbe(False, advice=f"OpenGL is switched off by MUJOCO_GL={wanted}: unset it.")
    if wanted in contexts:
        contexts = (wanted,)
    troubles = []
    for context in contexts:
        trouble = _try(context)
        if not trouble:
            return OpenGLProbe(True, context)
        troubles.append(f"{context}: {trouble}")
    packages = " or ".join(f"`{_LIBRARIES[c][1]}`" for c in contexts if c in _LIBRARIES)
    cure = f" On Debian or Ubuntu install {packages}." if packages else ""
    return OpenGLProbe(
        False,
        advice=f"OpenGL draws nothing on this machine ({'; '.join(troubles) or 'no context'})."
        f"{cure} The raycast renderer needs none of this: use it instead.",
    )


class GlRenderer:
    """Draws a model with OpenGL. Use it in the thread that made it."""

    name = "gl"

    def __init__(self, model: mujoco.MjModel) -> None:
        found = probe()
        if not found.works:
            raise RegraspError(found.advice)
        self._model = model
        self._scene = mujoco.MjvScene(model, maxgeom=2 * model.ngeom + 100)
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
            self._scene.flags[int(flag)] = 0
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = [group < GROUPS for group in range(6)]
        self._option.sitegroup[:] = 0
        self._eye = mujoco.MjvCamera()
        self._eye.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._gl: Any = importlib.import_module(f"mujoco.{found.context}").GLContext(64, 64)
        self._gl.make_current()
        plain = copy.copy(model)  # the caller's model keeps its own quality settings
        plain.vis.quality.offsamples = 0
        plain.vis.quality.shadowsize = 0
        self._size = (int(plain.vis.global_.offwidth), int(plain.vis.global_.offheight))
        self._gpu = mujoco.MjrContext(plain, int(mujoco.mjtFontScale.mjFONTSCALE_100))
        mujoco.mjr_setBuffer(int(mujoco.mjtFramebuffer.mjFB_OFFSCREEN), self._gpu)
        self._gpu.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR

    def render(self, data: mujoco.MjData, camera: str, width: int, height: int) -> Frame:
        """The picture that `camera` takes of the state `data`, `width` by `height` pixels."""
        rgb, depth = self._draw(data, camera, width, height, ids=False)
        # Reversed z: the buffer holds 1 at the near plane, 0 at the far one, hyperbolic between.
        extent = float(self._model.stat.extent)
        near, far = (
            extent * float(x) for x in (self._model.vis.map.znear, self._model.vis.map.zfar)
        )
        metres = near * far / (near + depth.astype(np.float64) * (far - near))
        metres[metres > FAR_M] = np.inf
        return Frame(rgb, metres.astype(np.float32))

    def segment(
        self, data: mujoco.MjData, camera: str, width: int, height: int
    ) -> npt.NDArray[np.int32]:
        """The geom id seen by each pixel, (H, W) int32, -1 for none: for training data only."""
        colours = self._draw(data, camera, width, height, ids=True)[0].astype(np.int32)
        number = colours[:, :, 0] + (colours[:, :, 1] << 8) + (colours[:, :, 2] << 16)
        geom = int(mujoco.mjtObj.mjOBJ_GEOM)
        ids = np.full(self._scene.ngeom + 1, -1, np.int32)
        for shown in self._scene.geoms[: self._scene.ngeom]:
            if shown.segid >= 0 and int(shown.objtype) == geom:
                ids[shown.segid + 1] = shown.objid
        return np.asarray(ids[number], np.int32)

    def close(self) -> None:
        """Free the OpenGL context; closing twice is allowed."""
        if self._gl is not None:
            self._gl.make_current()
            self._gpu.free()
            self._gl.free()
            self._gl = None

    def _draw(
        self, data: mujoco.MjData, camera: str, width: int, height: int, *, ids: bool
    ) -> tuple[Picture, Floats]:
        if self._gl is None:
            raise RegraspError("this renderer is closed: open another with open_renderer.")
        model, scene = self._model, self._scene
        self._eye.fixedcamid = camera_id(model, camera)
        every = int(mujoco.mjtCatBit.mjCAT_ALL)
        mujoco.mjv_updateScene(model, data, self._option, None, self._eye, every, scene)
        self._hide_faint()
        for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
            scene.flags[int(flag)] = ids
        self._gl.make_current()
        if width > self._size[0] or height > self._size[1]:
            self._size = (max(width, self._size[0]), max(height, self._size[1]))
            mujoco.mjr_resizeOffscreen(*self._size, self._gpu)
        rgb, depth = np.empty((height, width, 3), np.uint8), np.empty((height, width), np.float32)
        window = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(window, scene, self._gpu)
        mujoco.mjr_readPixels(rgb, depth, window, self._gpu)
        return rgb[::-1].copy(), depth[::-1]

    def _hide_faint(self) -> None:
        """Remove nearly transparent geoms from the scene: their depth would be drawn."""
        alpha = geom_rgba(self._model)[:, 3]
        if not ((alpha > 0) & (alpha < ALPHA_MIN)).any():
            return
        for shown in self._scene.geoms[: self._scene.ngeom]:
            if shown.rgba[3] < ALPHA_MIN:
                shown.type = int(mujoco.mjtGeom.mjGEOM_NONE)


def _try(context: str) -> str:
    """Draw in another process. Returns the error, or an empty text."""
    library, _ = _LIBRARIES.get(context, ("", ""))
    if library and ctypes.util.find_library(library) is None:
        return f"the system library lib{library} is missing"
    environment = {k: v for k, v in os.environ.items() if k != "PYOPENGL_PLATFORM"}
    environment["MUJOCO_GL"] = context
    try:
        done = subprocess.run(
            [sys.executable, "-c", _TRIAL, context],
            env=environment, capture_output=True, text=True, timeout=_PROBE_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no picture within {_PROBE_S:.0f} s"
    if done.returncode == 0:
        return ""
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"the driver crashed (exit status {done.returncode})"
