"""A state of a room: camera images, the visibility in each image, and questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.bench.protocol import refuse_reserved
from regrasp.embedded.vision.picture import EDGE, square
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.lab.vision.questions import LabelledQuestion, QuestionGenerator, answer_to
from regrasp.lab.vision.rooms import open_room
from regrasp.lab.vision.scene_sampler import Shows, Visibility
from regrasp.lab.vision.scene_samplers import open_scene_sampler
from regrasp.worlds.render.raycast import RaycastRenderer

__all__ = ["LabelledScene", "best_of", "generate_scenes", "true_answer"]

_SIZES = (EDGE, 240)  # pixels: a robot's default image, and the middle of a recorded run's image
_PLAIN = 0.4  # share of unchanged rooms, as agents get them


@dataclass(frozen=True, slots=True, eq=False)
class LabelledScene:
    """Images (EDGE, EDGE, 3) of one state by camera, their visibility, and questions about it.

    The first `views` cameras are the agents' cameras.
    """

    world: str
    seed: int
    pictures: dict[str, npt.NDArray[np.uint8]]
    shows: Shows
    questions: tuple[LabelledQuestion, ...]
    views: int = 2

    @property
    def cameras(self) -> tuple[str, ...]:
        """The agents' cameras."""
        return tuple(self.shows)[: self.views]


def true_answer(
    exhibit: LabelledScene, asking: LabelledQuestion, cameras: Iterable[str] | None = None
) -> str | None:
    """The right answer from the images of `cameras`; None if it is doubtful.

    Without `cameras`, from the agents' images.
    """
    views = [exhibit.shows[camera] for camera in cameras or exhibit.cameras]
    return answer_to(asking, best_of(views))


def best_of(views: Iterable[Mapping[str, Visibility]]) -> dict[str, Visibility]:
    """The best visibility of each object over the views."""
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
    """`states` scenes of a room for each of `seeds`, each with up to `count` questions.

    With `held_out` half of the wordings are those held out from training, and colours may be held
    out, too. `wrist` is how often a camera that agents do not use, such as the wrist camera, takes
    an image as well. Seeds that the bench reserves are refused.
    """
    refuse_reserved(seeds, "these pictures")
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
