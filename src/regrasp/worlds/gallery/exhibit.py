"""A state of a room as its cameras show it, what each picture shows, and questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt
from PIL import Image

from regrasp.models.seeing.picture import EDGE, square
from regrasp.worlds import WORLDS
from regrasp.worlds.gallery.poses import Poser
from regrasp.worlds.gallery.questions import Asking, Questioner
from regrasp.worlds.gallery.rooms import Room, open_room
from regrasp.worlds.gallery.wording import Topic
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.sim_robot import CAMERAS

__all__ = ["Exhibit", "Shown", "exhibits", "true_answer"]

AGENT_CAMERAS = CAMERAS[:2]
"""Where agents look from unless they are told otherwise."""
_SIZES = (EDGE, 240)  # pixels: what a robot gives by default, and the middle of a recorded run's
_PLAIN = 0.4  # of the rooms are as agents meet them
_SMALL, _LARGE = (2, 16), (8, 120)  # pixels: fewer is hidden, as many is shown; small and large
_SHARE = 0.25  # of its own outline that a small thing must show: nobody knows it by less
_COARSE = 2  # pixels along an edge that count as one where outlines are measured


class Shown(IntEnum):
    """How much of a thing a picture shows."""

    HIDDEN = 0
    DOUBTFUL = 1
    YES = 2


@dataclass(frozen=True, slots=True, eq=False)
class Exhibit:
    """Pictures (EDGE, EDGE, 3) of one state by camera, what each shows, and questions about it."""

    world: str
    seed: int
    pictures: dict[str, npt.NDArray[np.uint8]]
    shows: dict[str, dict[str, Shown]]
    questions: tuple[Asking, ...]


def true_answer(exhibit: Exhibit, asking: Asking, cameras: Iterable[str]) -> str | None:
    """The right answer for who sees the pictures of `cameras`; None where it is doubtful."""
    views = [exhibit.shows[camera] for camera in cameras]
    best = [max(view.get(need, Shown.HIDDEN) for view in views) for need in asking.needs]
    if asking.topic is Topic.NONSENSE or Shown.HIDDEN in best:
        return "no" if asking.topic is Topic.SEEN else "unknown"
    return None if Shown.DOUBTFUL in best else asking.answer


def exhibits(
    world: str,
    seeds: Sequence[int],
    *,
    states: int = 20,
    count: int = 24,
    held_out: bool = False,
    wrist: float = 0.25,
) -> Iterator[Exhibit]:
    """`states` exhibits of a room for each of `seeds`, each with up to `count` questions.

    With `held_out` half of the wordings, and whatever colours are drawn, are those that are kept
    from training. `wrist` is how often the camera on the wrist takes a picture as well.
    """
    questioner = Questioner(np.random.default_rng([seeds[0], 13, WORLDS.index(world)]))
    for seed in seeds:
        rng = np.random.default_rng([seed, 12, WORLDS.index(world)])
        plain = bool(rng.random() < _PLAIN)
        room = open_room(world, seed, plain=plain, held_out=held_out)
        poser, renderer = Poser(room, rng), RaycastRenderer(room.world.model)
        for _ in range(states):
            poser.pose()
            cameras = CAMERAS if rng.random() < wrist else AGENT_CAMERAS
            edge = int(rng.choice(_SIZES))
            drawn = {c: _draw(room, renderer, c, edge) for c in cameras}
            shows = {camera: shown for camera, (_, shown) in drawn.items()}
            best = {n: max(shows[c][n] for c in AGENT_CAMERAS) for n in shows[cameras[0]]}
            seen, doubtful = (
                {name for name, how in best.items() if how is as_said}
                for as_said in (Shown.YES, Shown.DOUBTFUL)
            )
            asked = questioner.ask(room, seen, doubtful, count, held_out=held_out)
            pictures = {camera: rgb for camera, (rgb, _) in drawn.items()}
            yield Exhibit(world, seed, pictures, shows, tuple(asked))


def _draw(
    room: Room, renderer: RaycastRenderer, camera: str, edge: int
) -> tuple[npt.NDArray[np.uint8], dict[str, Shown]]:
    data = room.world.data
    frame, ids = renderer.labelled(data, camera, edge, edge)
    model, scene = room.world.model, room.world.scene
    counts = np.bincount(ids[ids >= 0], minlength=model.ngeom) * (EDGE / edge) ** 2
    bodies = np.bincount(model.geom_bodyid, counts, minlength=model.nbody)
    roots = np.bincount(model.body_rootid[model.geom_bodyid], counts, minlength=model.nbody)
    shown: dict[str, Shown] = {}
    loose = dict.fromkeys(room.truth.movable)  # two alike have no name, but are there
    for name in room.spoken | loose:
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
    return square(Image.fromarray(frame.rgb)), shown
