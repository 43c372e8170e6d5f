"""The stage of each world: the arm's worlds and the tabletop, and the household."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from regrasp.models.seeing.picture import EDGE
from regrasp.worlds.gallery import relations
from regrasp.worlds.gallery.blocks import BlockPoser, clear_of_the_cup
from regrasp.worlds.gallery.house import HouseStage
from regrasp.worlds.gallery.poses import Poser
from regrasp.worlds.gallery.rooms import Room
from regrasp.worlds.gallery.stage import Candidate, Ids, Shown, Shows, Stage
from regrasp.worlds.gallery.wording import Topic
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.sim_robot import CAMERAS
from regrasp.worlds.tabletop.judge import TabletopJudge
from regrasp.worlds.tabletop.tasks import TABLE
from regrasp.worlds.tabletop.world import CAMERAS as TABLETOP_CAMERAS
from regrasp.worlds.tabletop.world import TabletopWorld

__all__ = ["open_stage"]

_SMALL, _LARGE = (2, 16), (8, 120)  # pixels: fewer is hidden, as many is shown; small and large
_SHARE = 0.25  # of its own outline that a small thing must show: nobody knows it by less
_COARSE = 2  # pixels along an edge that count as one where outlines are measured


def open_stage(room: Room, rng: np.random.Generator) -> Stage:
    """The stage for a room; `rng` draws its states."""
    if isinstance(room.world, HouseholdWorld):
        return HouseStage(room, room.world, rng)
    if isinstance(room.world, TabletopWorld):
        return TabletopStage(room, room.world, rng)
    return ArmStage(room, Poser(room, rng))


class ArmStage:
    """An arm among furniture and things, seen by cameras that stand still."""

    cameras: tuple[str, ...] = CAMERAS[:2]
    more: tuple[str, ...] = CAMERAS[2:]

    def __init__(self, room: Room, poser: Poser | BlockPoser) -> None:
        self.room, self.pose = room, poser.pose

    def shown(self, ids: Ids, renderer: RaycastRenderer) -> Shows:
        """By how many pixels of it, and how much of its outline, a thing is shown."""
        return {camera: self._shown(camera, seen, renderer) for camera, seen in ids.items()}

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """See `Stage`."""
        return relations.candidates(self.room, seen, rng)

    def _shown(
        self, camera: str, ids: npt.NDArray[np.int32], renderer: RaycastRenderer
    ) -> dict[str, Shown]:
        world, scene = self.room.world, self.room.world.scene
        model, data = world.model, world.data
        counts = np.bincount(ids[ids >= 0], minlength=model.ngeom) * (EDGE / len(ids)) ** 2
        bodies = np.bincount(model.geom_bodyid, counts, minlength=model.nbody)
        roots = np.bincount(model.body_rootid[model.geom_bodyid], counts, minlength=model.nbody)
        shown: dict[str, Shown] = {}
        loose = dict.fromkeys(self.room.truth.movable)  # two alike have no name, but are there
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
                Shown.HIDDEN if pixels < none else Shown.YES if pixels >= enough else Shown.DOUBTFUL
            )
        return shown


class TabletopStage(ArmStage):
    """The arm with the suction cup, and its two cameras."""

    cameras: tuple[str, ...] = TABLETOP_CAMERAS
    more: tuple[str, ...] = ()

    def __init__(self, room: Room, world: TabletopWorld, rng: np.random.Generator) -> None:
        super().__init__(room, BlockPoser(room, world, rng))
        self._table, self._judge = world, TabletopJudge(world)

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """See `Stage`; nothing is asked that the pump decides and no picture shows.

        The table is asked about as what blocks are on, and no more: all is before or beside it.
        """
        for one in relations.candidates(self.room, seen, rng):
            fits = (one.a != TABLE or one.topic is Topic.SEEN) and (
                one.b != TABLE or one.topic in (Topic.ON, Topic.ANY_ON)
            )
            if fits and clear_of_the_cup(self._table, self._judge, one):
                yield one
