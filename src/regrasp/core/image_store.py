"""Pictures of a run, stored once each as `<folder>/<sha256>.png`.

A picture's name is the hash of its pixels and shape, not of the PNG file, so that two encoders
give the same name. A file is written under another name and then renamed, so it is never partial.
"""

from __future__ import annotations

import hashlib
import io
import re
from pathlib import Path

import numpy as np

from regrasp.core.arrays import Picture
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import UnreadableFileError, read_limited
from regrasp.core.files import atomic_path
from regrasp.core.run_folder import inside

__all__ = [
    "PNG_LEVEL",
    "ImageError",
    "load_image",
    "pixel_hash",
    "read_image_bytes",
    "save_image",
]

PNG_LEVEL = 1
"""PNG compression level. The usual level 6 takes three times as long and saves a sixth."""


_MAX_BYTES = 64_000_000
_NAME = re.compile(r"[0-9a-f]{64}")
_PNG = b"\x89PNG\r\n\x1a\n"


class ImageError(RegraspError):
    """A picture that is not (height, width, 3) uint8, does not exist, or was changed."""


def pixel_hash(rgb: Picture) -> str:
    """SHA-256, in hex, of the shape and pixels of `rgb`, (height, width, 3) uint8."""
    if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.size == 0:
        raise ImageError(
            f"expected a picture (height, width, 3) of uint8, got {rgb.shape} of {rgb.dtype}."
        )
    height, width, channels = rgb.shape
    return hashlib.sha256(f"{height}x{width}x{channels}:".encode() + rgb.tobytes()).hexdigest()


def save_image(folder: Path, rgb: Picture) -> str:
    """Store `rgb` (height, width, 3) in `folder` unless it is there; return its name, the hash.

    An OSError (a full disk, a folder that may not be written) leaves nothing behind.
    """
    name = pixel_hash(rgb)
    target = folder / f"{name}.png"
    if target.exists():
        return name
    from PIL import Image  # noqa: PLC0415  (a run without pictures does not pay for Pillow)

    with atomic_path(target, sync=False) as draft:  # many pictures a run: a sync takes longer
        Image.fromarray(np.ascontiguousarray(rgb)).save(
            draft, format="PNG", compress_level=PNG_LEVEL
        )
    return name


def _image_path(folder: Path, name: str) -> Path:
    """The file of the picture called `name`; ImageError if that is no name of a picture."""
    if not _NAME.fullmatch(name):
        raise ImageError(f"{name[:80]!r} is no name of a picture: 64 digits of a SHA-256 are.")
    return inside(folder, f"{name}.png")


def read_image_bytes(folder: Path, name: str) -> bytes:
    """The PNG file of the picture called `name`; ImageError where there is none."""
    path = _image_path(folder, name)
    try:
        data = read_limited(path, _MAX_BYTES)
    except (OSError, UnreadableFileError) as error:
        raise ImageError(f"cannot read the picture {path}: {error}. Make the run again.") from error
    if not data.startswith(_PNG) or len(data) <= 24:
        raise ImageError(f"cannot read the picture {path}: it is no PNG. Make the run again.")
    return data


def load_image(folder: Path, name: str) -> Picture:
    """Load the picture called `name` from `folder`, (height, width, 3), and check its hash."""
    from PIL import Image  # noqa: PLC0415

    path, data = _image_path(folder, name), read_image_bytes(folder, name)
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            rgb: Picture = np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        # Pillow raises SyntaxError for a broken PNG
        raise ImageError(f"cannot read the picture {path}: {error}. Make the run again.") from error
    if pixel_hash(rgb) != name:
        raise ImageError(f"{path} was changed: its pixels are not those it is named after.")
    return rgb
