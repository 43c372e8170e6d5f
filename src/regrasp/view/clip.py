"""A run's video as a small animation for documentation: WebP or GIF.

The video runs on the robot's clock, which stops while a model thinks. The clip pauses at each plan,
disturbance and alarm, and shows a caption in a strip below the image.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from regrasp.core.arrays import Picture
from regrasp.core.errors import RegraspError
from regrasp.core.event import (
    ConstraintViolated,
    Disturbed,
    GoalUnderstood,
    PersonAsked,
    PlanMade,
    Replanned,
)
from regrasp.core.file_reading import open_regular
from regrasp.core.files import atomic_path, refuse_to_overwrite
from regrasp.core.run_folder import inside
from regrasp.core.trace import read_trace
from regrasp.view.descriptions import summarise_run
from regrasp.view.run_timeline import RunTimeline, build_timeline
from regrasp.view.timeline_entries import Ending
from regrasp.view.video import VIDEO_FILE, captioned

__all__ = ["KINDS", "write_clip"]

KINDS = {".webp": "WEBP", ".gif": "GIF"}
"""The formats of a clip, by file extension."""

_MARKS = (b"WEBPVP8", b"GIF89a", b"GIF87a")
_STRIP = 7  # image height / strip height: room for two lines
_STILL_MS = 1600
_DARK = 24


def write_clip(folder: Path | str, out: Path | str, *, slow: float = 2.0) -> Path:
    """Write the video of the run in `folder` to `out`, `slow` times slower. Returns the path."""
    path, film = Path(out), inside(folder, VIDEO_FILE)
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise RegraspError(f"a clip is a {' or '.join(KINDS)} file, not {path.name!r}.")
    refuse_to_overwrite(path, _MARKS, "a clip")
    if not film.is_file():
        raise RegraspError(f"{folder} has no film; `regrasp run … --video` makes one.")
    captions = list(_captions(build_timeline(read_trace(folder))))
    frames: list[Image.Image] = []
    lasting: list[int] = []
    caption = ""
    for seconds, rgb, length in _film(film):
        while captions and captions[0][0] <= seconds:
            caption = captions.pop(0)[1]
            frames.append(_under(rgb, caption))
            lasting.append(_STILL_MS)
        frames.append(_under(rgb, caption))
        lasting.append(round(1000 * slow * length))
    first, *rest = frames
    try:
        with atomic_path(path) as draft:
            first.save(
                draft, kind, save_all=True, append_images=rest, duration=lasting, loop=0, quality=60
            )
    except OSError as error:
        raise RegraspError(f"cannot write {path}: {error.strerror or error}.") from error
    return path


def _film(path: Path) -> Iterator[tuple[float, Picture, float]]:
    """Each frame of a video: its time (s), the image, and its duration (s)."""
    try:
        import av  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise RegraspError("a clip needs PyAV: `pip install 'regrasp[video]'`.") from error
    try:
        with open_regular(path) as file, av.open(file, "r") as container:
            stream = container.streams.video[0]
            length = 1.0 / float(stream.average_rate or 25)
            for number, frame in enumerate(container.decode(stream)):
                rgb = np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
                yield number * length, rgb, length
    except (av.FFmpegError, IndexError) as error:
        raise RegraspError(f"{path} is no film ({error}). Make the run again.") from error


def _captions(run: RunTimeline) -> Iterator[tuple[float, str]]:
    """The captions at which the clip pauses, and their times."""
    plan = "Plan"
    for entry in run.entries:
        match entry.what:
            case GoalUnderstood(goal=goal, words=words):
                text = f"Understood: {words}" if goal else words
            case PersonAsked(question=question, chosen=chosen):
                text = f"{question} {chosen or '(no answer)'}"
            case Replanned(command=command, commands=commands) if commands:
                text = f"{command} is mended: {', '.join(commands)}"
            case PlanMade(steps=steps):
                text, plan = f"{plan}: {', '.join(steps)}", "New plan"
            case Disturbed(fault=fault):
                text = f"Unknown to the robot: {fault}"
            case ConstraintViolated(found=found):
                text = f"The monitor: {'; '.join(found)}. Stop!"
            case Ending():
                text = summarise_run(run).word
            case _:
                continue
        yield entry.began.sim_s, text


def _under(rgb: Picture, text: str) -> Image.Image:
    strip = np.full((rgb.shape[0] // _STRIP, rgb.shape[1], 3), _DARK, np.uint8)
    return Image.fromarray(captioned(np.concatenate([rgb, strip]), text or " "))
