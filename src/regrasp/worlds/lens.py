"""The cameras of a simulated robot: what they show of its world, and nothing else."""

from __future__ import annotations

from regrasp.core.errors import UnknownNameError
from regrasp.core.robot import CameraImage
from regrasp.worlds.render.base import Renderer, open_renderer
from regrasp.worlds.world import World

__all__ = ["Lens"]


class Lens:
    """Takes pictures of `world` with `cameras`, of `size` (width, height)."""

    def __init__(
        self, world: World, cameras: tuple[str, ...], renderer: str, size: tuple[int, int]
    ) -> None:
        self._world, self._cameras, self._backend, self._size = world, cameras, renderer, size
        self._renderer: Renderer | None = None

    def look(self, camera: str) -> CameraImage:
        """A picture, with where the camera stands in the world's frame."""
        if camera not in self._cameras:
            raise UnknownNameError("camera", camera, self._cameras)
        if self._renderer is None:
            self._renderer = open_renderer(self._world.model, self._backend)
        frame = self._renderer.render(self._world.data, camera, *self._size)
        pose = self._world.data.camera(camera)
        fovy = float(self._world.model.camera(camera).fovy[0])
        return CameraImage(
            camera, frame.rgb, frame.depth, fovy, pose.xpos.copy(), pose.xmat.reshape(3, 3).copy()
        )

    def close(self) -> None:
        """Free the renderer."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None
