"""A state of a room as its cameras show it, what each picture shows, and questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.embedded.vision.picture import EDGE, square
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.lab.vision.questions import LabelledQuestion, QuestionGenerator, answer_to
from regrasp.lab.vision.rooms import open_room
from regrasp.lab.vision.scene_sampler import Shows, Visibility
from regrasp.lab.vision.scene_samplers import open_scene_sampler
from regrasp.worlds.render.raycast import RaycastRenderer

__all__ = ["LabelledScene", "best_of", "generate_scenes", "true_answer"]

_SIZES = (EDGE, 240)  # pixels: what a robot gives by default, and the middle of a recorded run's
_PLAIN = 0.4  # of the rooms are as agents meet them


@dataclass(frozen=True, slots=True, eq=False)
class LabelledScene:
    """Pictures (EDGE, EDGE, 3) of one state by camera, what each shows, and questions about it.

    The first `views` cameras are those that agents look through.
    """

    world: str
    seed: int
    pictures: dict[str, npt.NDArray[np.uint8]]
    shows: Shows
    questions: tuple[LabelledQuestion, ...]
    views: int = 2

    @property
    def cameras(self) -> tuple[str, ...]:
        """Those that agents look through."""
        return tuple(self.shows)[: self.views]


def true_answer(
    exhibit: LabelledScene, asking: LabelledQuestion, cameras: Iterable[str] | None = None
) -> str | None:
    """The right answer for who sees the pictures of `cameras`; None where it is doubtful.

    Without `cameras`, for an agent.
    """
    views = [exhibit.shows[camera] for camera in cameras or exhibit.cameras]
    return answer_to(asking, best_of(views))


def best_of(views: Iterable[Mapping[str, Visibility]]) -> dict[str, Visibility]:
    """How much of each thing is shown by that view which shows most of it."""
    best: dict[str, Visibility] = {}
    for view in views:
        best |= {name: max(how, best.get(name, how)) for name, how in view.items()}
    return best


def generate_scenes(
    world: str,
    seeds: Sequence[int],
    *,
    states: int = 20,
    count: int = 24,
    held_out: bool = False,
    wrist: float = 0.25,
) -> Iterator[LabelledScene]:
    """`states` exhibits of a room for each of `seeds`, each with up to `count` questions.

    With `held_out` half of the wordings, and whatever colours are drawn, are those that are kept
    from training. `wrist` is how often a camera that agents do not look through, such as the one on
    the wrist, takes a picture as well.
    """
    number = PICTURED_WORLDS.index(world)
    questioner = QuestionGenerator(np.random.default_rng([seeds[0], 13, number]))
    for seed in seeds:
        rng = np.random.default_rng([seed, 12, number])
        plain = bool(rng.random() < _PLAIN)
        stage = open_scene_sampler(open_room(world, seed, plain=plain, held_out=held_out), rng)
        renderer = RaycastRenderer(stage.room.world.model)
        for _ in range(states):
            stage.pose()
            cameras = (*stage.cameras, *(stage.more if rng.random() < wrist else ()))
            edge, data = int(rng.choice(_SIZES)), stage.room.world.data
            drawn = {c: renderer.labelled(data, c, edge, edge) for c in cameras}
            shows = stage.shown({c: ids for c, (_, ids) in drawn.items()}, renderer)
            view = best_of(shows[camera] for camera in stage.cameras)
            asked = questioner.ask(stage, view, count, held_out=held_out)
            pictures = {c: square(frame.rgb) for c, (frame, _) in drawn.items()}
            views = len(stage.cameras)
            yield LabelledScene(world, seed, pictures, shows, tuple(asked), views)
