"""The scene sampler of an arm: visibility of objects is counted in pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from regrasp.embedded.vision.picture import EDGE
from regrasp.lab.vision import relations
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, Ids, Shows, Visibility
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.sim_robot import CAMERAS

__all__ = ["ArmSceneSampler"]

_SMALL, _LARGE = (2, 16), (8, 120)  # pixels at which an object is hidden, visible; small, large
_SHARE = 0.25  # visible share of a small object's outline that is needed to recognise it
_COARSE = 2  # pixels along an edge that count as one when outlines are measured


class ArmSceneSampler:
    """An arm with furniture and objects, seen by fixed cameras."""

    cameras: tuple[str, ...] = CAMERAS[:2]
    more: tuple[str, ...] = CAMERAS[2:]

    def __init__(self, room: VisionRoom, pose: Callable[[], None]) -> None:
        self.room, self.pose = room, pose

    def shown(self, ids: Ids, renderer: RaycastRenderer) -> Shows:
        """Visibility by the number of pixels and by the visible share of the outline."""
        return {camera: self._shown(camera, seen, renderer) for camera, seen in ids.items()}

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """See `SceneSampler`."""
        return relations.candidates(self.room, seen, rng)

    def _shown(
        self, camera: str, ids: npt.NDArray[np.int32], renderer: RaycastRenderer
    ) -> dict[str, Visibility]:
        world, scene = self.room.world, self.room.world.scene
        model, data = world.model, world.data
        counts = np.bincount(ids[ids >= 0], minlength=model.ngeom) * (EDGE / len(ids)) ** 2
        bodies = np.bincount(model.geom_bodyid, counts, minlength=model.nbody)
        roots = np.bincount(model.body_rootid[model.geom_bodyid], counts, minlength=model.nbody)
        shown: dict[str, Visibility] = {}
        loose = dict.fromkeys(self.room.truth.movable)  # two equal objects have no name, but exist
        for name in self.room.spoken | loose:
            if name not in scene.things or scene.things[name].of:
                continue
            body = int(model.site_bodyid[model.site(scene.things[name].site).id])
            movable = scene.things[name].movable
            pixels = bodies[body] if movable else roots[model.body_rootid[body]]
            none, enough = _SMALL if movable else _LARGE
            if movable and pixels >= enough:
                coarse = EDGE // _COARSE
                whole = renderer.alone(data, camera, coarse, coarse, model.geom_bodyid == body)
                enough = max(enough, round(_SHARE * _COARSE**2 * whole))
            shown[name] = (
                Visibility.HIDDEN
                if pixels < none
                else Visibility.YES
                if pixels >= enough
                else Visibility.DOUBTFUL
            )
        return shown
