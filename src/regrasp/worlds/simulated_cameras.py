"""The cameras of a simulated robot.

A camera's last image is cached and returned until something visible changes. An agent that asks
many questions takes many images of a world at rest.
"""

from __future__ import annotations

from copy import deepcopy
from hashlib import blake2b

import mujoco

from regrasp.core.errors import UnknownNameError
from regrasp.core.robot import CameraImage
from regrasp.worlds.render.backends import open_renderer
from regrasp.worlds.render.base import Renderer
from regrasp.worlds.world import World

__all__ = ["SimulatedCameras"]


# The visible fields that may change; meshes and textures do not.
_SEEN_OF_DATA = ("geom_xpos", "geom_xmat", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir")
_SEEN_OF_MODEL = (
    "geom_rgba", "geom_size", "geom_matid", "mat_rgba", "cam_fovy",
    "light_active", "light_ambient", "light_diffuse", "light_specular",
)  # fmt: skip


class SimulatedCameras:
    """Takes images of `world` with `cameras`, of `size` (width, height)."""

    def __init__(
        self, world: World, cameras: tuple[str, ...], renderer: str, size: tuple[int, int]
    ) -> None:
        self._world, self._cameras, self._backend, self._size = world, cameras, renderer, size
        self._renderer: Renderer | None = None
        self._last: dict[str, tuple[bytes, CameraImage]] = {}

    def look(self, camera: str) -> CameraImage:
        """An image, with the camera's pose in the world's frame."""
        if camera not in self._cameras:
            raise UnknownNameError("camera", camera, self._cameras)
        if self._renderer is None:
            self._renderer = open_renderer(self._world.model, self._backend)
        seen = _fingerprint(self._world.model, self._world.data)
        if camera in self._last and self._last[camera][0] == seen:
            return deepcopy(self._last[camera][1])
        frame = self._renderer.render(self._world.data, camera, *self._size)
        pose = self._world.data.camera(camera)
        fovy = float(self._world.model.camera(camera).fovy[0])
        image = CameraImage(
            camera, frame.rgb, frame.depth, fovy, pose.xpos.copy(), pose.xmat.reshape(3, 3).copy()
        )
        self._last[camera] = (seen, image)
        return deepcopy(image)

    def close(self) -> None:
        """Free the renderer."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None


def _fingerprint(model: mujoco.MjModel, data: mujoco.MjData) -> bytes:
    """A key that is equal for two moments exactly if all their images are equal."""
    digest = blake2b(digest_size=16)
    for holder, names in ((data, _SEEN_OF_DATA), (model, _SEEN_OF_MODEL)):
        for name in names:
            digest.update(getattr(holder, name).tobytes())
    return digest.digest()
