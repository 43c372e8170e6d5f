"""The images and the video of a run, embedded in a page; each image is embedded once."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from urllib.parse import quote

from regrasp.core.file_reading import UnreadableFileError, read_limited
from regrasp.core.image_store import ImageError, read_image_bytes
from regrasp.core.run_folder import LinkedFileError, inside, leads_out
from regrasp.core.trace import IMAGE_FOLDER
from regrasp.view.html import Html, el
from regrasp.view.video import VIDEO_FILE

__all__ = ["LARGEST_FILM", "Pictures", "film"]

LARGEST_FILM = 24 * 2**20
"""Bytes; a larger video stays a file beside the page."""


class Pictures:
    """Creates `<img>` elements for the images in the folder of a run.

    The first `<img>` of an image holds it as a data: URI. The others refer to the first
    (`data-same`), and the page's script copies the URI. No image is in the file twice.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ids: dict[str, tuple[str, int, int]] = {}

    def show(self, name: str, caption: str) -> Html:
        """The image `name`, with the alternative text `caption`."""
        same = self._ids.get(name)
        data = None if same else self._read(name)
        if data is not None:
            width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))  # PNG's IHDR
            same = self._ids[name] = (f"picture{len(self._ids)}", width, height)
        if same is None:
            return el("span", "(the picture is missing)", cls="quiet")
        picture, width, height = same
        source = {"src": _data_uri("image/png", data), "id": picture} if data else {}
        return el(
            "img",
            **source,
            data_same=None if data else picture,
            width=width,
            height=height,
            alt=caption,
            decoding="async",
        )

    def _read(self, name: str) -> bytes | None:
        try:
            return read_image_bytes(inside(self._folder, IMAGE_FOLDER), name)
        except (ImageError, LinkedFileError):
            return None


def film(folder: Path, beside: Path, largest: int = LARGEST_FILM) -> tuple[Html | None, str]:
    """The video of a run as a `<video>` element, if it has one, and a note about it.

    Up to `largest` bytes it is embedded; a larger video is linked from a page in `beside`.
    """
    if leads_out(folder, VIDEO_FILE):
        return None, f"{VIDEO_FILE} is a symbolic link, and links in a run's folder are not shown."
    path = folder / VIDEO_FILE
    try:
        size = path.stat().st_size
        data = read_limited(path, largest) if size <= largest else b""
    except (OSError, UnreadableFileError):
        unfinished = path.with_name(path.name + ".part").exists()
        return None, "The film was never finished." if unfinished else "This run has no film."
    if data:
        return _video(_data_uri("video/mp4", data)), ""
    link = quote(Path(os.path.relpath(path, beside)).as_posix())
    caption = (
        f"The video has {size / 2**20:.0f} MB, so it is not in this page but in the file {link}."
    )
    return _video(link), caption


def _video(source: str) -> Html:
    return el("video", src=source, controls=True, muted=True, playsinline=True, preload="auto")


def _data_uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
