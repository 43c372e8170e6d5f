"""Images combined into an mp4 video, or into a contact sheet."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from regrasp.core.arrays import Floats, Picture
from regrasp.core.errors import RegraspError

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream

__all__ = ["VIDEO_FILE", "VideoWriter", "captioned", "contact_sheet"]

VIDEO_FILE = "run.mp4"
"""The name of the video in a run's folder."""

_MIN_FONT, _FONT_SHARE = 10, 24  # a caption's letters are 1/24 of the picture's height, at least 10
_CAPTION_LINES = 2
_BAND = np.array((18, 20, 26), np.float32)  # colour behind a caption
_BAND_ALPHA = np.float32(0.62)


class VideoWriter:
    """Writes images to an H.264 mp4 (yuv420p, index first) with the ffmpeg inside PyAV.

    The file has another name until `close`: a process that is killed leaves `NAME.part`, never an
    incomplete file at `path`. An image of odd width or height gets its last column or row twice,
    because yuv420p needs even sizes. In a `with` block the video is also closed, and kept, when the
    block fails: it shows what led to the failure. Every `keyframe_every`-th image is a keyframe,
    for readers that seek; without it the encoder decides.
    """

    def __init__(
        self, path: Path | str, fps: float, width: int, height: int, *, keyframe_every: int = 0
    ) -> None:
        if fps <= 0 or width < 1 or height < 1:
            raise RegraspError(
                f"a video needs positive fps, width and height, not {fps}, {width}, {height}."
            )
        self.path, self.frames = Path(path), 0
        self._part = self.path.with_name(self.path.name + ".part")
        self._shape = (height, width, 3)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._encoder: tuple[OutputContainer, VideoStream] | None = _open(
            self._part, fps, width + width % 2, height + height % 2, keyframe_every
        )

    def add(self, rgb: Picture, caption: str = "") -> None:
        """Append an image (height, width, 3) uint8, with up to two lines of text at the bottom."""
        if self._encoder is None:
            raise RegraspError(f"the video {self.path} is closed: open another VideoWriter.")
        if rgb.shape != self._shape or rgb.dtype != np.uint8:
            raise RegraspError(
                f"the video {self.path.name} takes pictures of shape {self._shape}, uint8; "
                f"this one is {rgb.shape}, {rgb.dtype}. Render at the size the video has."
            )
        import av  # noqa: PLC0415 - an extra; __init__ has shown that it is there

        picture = captioned(rgb, caption) if caption else rgb
        height, width, _ = self._shape
        picture = np.pad(picture, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
        container, stream = self._encoder
        container.mux(stream.encode(frame))
        self.frames += 1

    @property
    def size_bytes(self) -> int:
        """The present size of the file."""
        return self._part.stat().st_size if self._part.exists() else 0

    def close(self) -> None:
        """Finish the file and rename it to `path`. Without an image there is no file.

        The encoder's threads end with it, also where the file cannot be finished. A second call
        does nothing.
        """
        if self._encoder is None:
            return
        container, stream = self._encoder
        self._encoder = None  # its threads end when nothing refers to it any more
        try:
            if self.frames:
                container.mux(stream.encode(None))
        finally:
            container.close()
            del container, stream
        if self.frames:
            self._part.replace(self.path)
        else:
            self._part.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def contact_sheet(
    frames: Sequence[Picture], columns: int, *, gap: int = 4, background: int = 255
) -> Picture:
    """Arrange images (H, W, 3) of one size in rows of `columns`, `gap` pixels apart."""
    if not frames or columns < 1:
        raise RegraspError("a contact sheet needs at least one picture and one column.")
    if len({frame.shape for frame in frames}) != 1:
        sizes = sorted({frame.shape for frame in frames})
        raise RegraspError(f"a contact sheet needs pictures of one size, not {sizes}.")
    height, width, _ = frames[0].shape
    columns = min(columns, len(frames))
    rows = -(-len(frames) // columns)
    shape = (rows * (height + gap) - gap, columns * (width + gap) - gap, 3)
    sheet = np.full(shape, background, np.uint8)
    for i, frame in enumerate(frames):
        y, x = (i // columns) * (height + gap), (i % columns) * (width + gap)
        sheet[y : y + height, x : x + width] = frame
    return sheet


def _open(
    path: Path, fps: float, width: int, height: int, keyframe_every: int
) -> tuple[OutputContainer, VideoStream]:
    try:
        import av  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise RegraspError("video needs PyAV: `pip install 'regrasp[video]'`.") from error
    container = av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})
    stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1000))
    stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
    apart = {"g": str(keyframe_every), "bf": "0"} if keyframe_every else {}
    stream.options = {"crf": "20", "preset": "veryfast", **apart}
    return container, stream


def captioned(rgb: Picture, caption: str) -> Picture:
    """The image with up to two lines of text at the bottom."""
    mask = _caption_mask(caption, rgb.shape[1], rgb.shape[0])
    out = rgb.copy()
    foot = out[-len(mask) :].astype(np.float32)
    foot += _BAND_ALPHA * (_BAND - foot)
    foot += mask[:, :, None] * (np.float32(245) - foot)
    out[-len(mask) :] = (foot + np.float32(0.5)).astype(np.uint8)
    return out


@functools.lru_cache(maxsize=64)
def _caption_mask(caption: str, width: int, height: int) -> Floats:
    """The mask of the letters in the caption band: (h, width) in 0..1."""
    size = max(_MIN_FONT, height // _FONT_SHARE)
    font = ImageFont.load_default(size)
    margin = size // 2
    lines = _wrap(caption, font, width - 2 * margin)
    pitch = round(1.3 * size)
    image = Image.new("L", (width, min(height, pitch * len(lines) + margin)), 0)
    draw = ImageDraw.Draw(image)
    for i, line in enumerate(lines):
        draw.text((margin, margin // 2 + i * pitch), line, fill=255, font=font)
    return np.asarray(image, np.float32) / np.float32(255)


def _wrap(text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, width: int) -> list[str]:
    """Break `text` into at most two lines of `width` pixels; longer text ends in dots."""
    lines: list[str] = []
    for word in text.split():
        fits = lines and font.getlength(f"{lines[-1]} {word}") <= width
        if not fits and len(lines) < _CAPTION_LINES:
            lines.append(word)
        else:
            lines[-1] += f" {word}"  # if too long, it is cut below
    return [_cut(line, font, width) for line in lines]


def _cut(line: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, width: int) -> str:
    kept, shown = len(line), line
    while kept > 1 and font.getlength(shown) > width:
        kept -= 1
        shown = line[:kept].rstrip() + "…"
    return shown
