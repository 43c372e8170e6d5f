"""Renderers by name. Each is imported when it is opened, so a ray cast needs no OpenGL."""

from __future__ import annotations

import mujoco

from regrasp.core.errors import UnknownNameError
from regrasp.worlds.render.base import Renderer

__all__ = ["BACKENDS", "open_renderer"]

BACKENDS = ("auto", "gl", "raycast")


def open_renderer(model: mujoco.MjModel, backend: str = "raycast") -> Renderer:
    """A renderer for `model`: `raycast`, `gl`, or `auto`, which is `gl` where it works.

    Colours, lights and cameras are read from the model at every frame, so they may be changed.
    Raises a RegraspError that names what to install if `gl` is requested and does not work.
    """
    if backend not in BACKENDS:
        raise UnknownNameError("renderer", backend, BACKENDS)
    if backend != "raycast":
        from regrasp.worlds.render.gl import GlRenderer, probe  # noqa: PLC0415

        if backend == "gl" or probe().works:
            return GlRenderer(model)
    from regrasp.worlds.render.raycast import RaycastRenderer  # noqa: PLC0415

    return RaycastRenderer(model)
