"""A picture as a model gets it: PNG bytes, and the SHA-256 of exactly those bytes.

Never a perceptual hash: the frame before and the frame after a failed grasp must not share a key.
"""

from __future__ import annotations

import base64
import hashlib
import io
from functools import cached_property
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError
from PIL.Image import DecompressionBombError

from regrasp.core.arrays import Picture
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import read_limited
from regrasp.core.image_store import PNG_LEVEL

__all__ = ["ImageData"]

_MAX_FILE_BYTES = 64_000_000
_PNG = b"\x89PNG\r\n\x1a\n"


class ImageData:
    """PNG bytes with their hash; two images are equal when their bytes are.

    From pixels, the PNG is encoded only on demand: the embedded vision model takes the pixels, and
    encoding would take a third of its answering time.
    """

    def __init__(self, png: bytes = b"", pixels: Picture | None = None) -> None:
        if pixels is None and not png.startswith(_PNG):
            raise RegraspError(
                "ImageData takes PNG bytes; use ImageData.from_file for other formats."
            )
        self._rgb = pixels
        if png:
            self.png = png

    @cached_property
    def png(self) -> bytes:
        """The picture as PNG."""
        return _encode(Image.fromarray(self.to_array()))

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of `png`."""
        return hashlib.sha256(self.png).hexdigest()

    @cached_property
    def digest(self) -> str:
        """A name for this picture within this process; faster to compute than `sha256`."""
        rgb = self._rgb
        content = self.png if rgb is None else repr(rgb.shape).encode() + rgb.tobytes()
        return hashlib.sha256(content).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ImageData) and self.png == other.png

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __repr__(self) -> str:
        return f"ImageData(sha256={self.sha256!r})"

    @classmethod
    def from_array(cls, rgb: Picture) -> ImageData:
        """Encode `rgb` (height, width, 3) uint8, e.g. `CameraImage.rgb`."""
        if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
            raise RegraspError(
                f"an image is (height, width, 3) uint8, not {rgb.shape} {rgb.dtype}; "
                "scale floats to 0..255 first."
            )
        kept = np.array(rgb, order="C")
        kept.flags.writeable = False
        return cls(pixels=kept)

    @classmethod
    def from_file(cls, path: Path) -> ImageData:
        """Read a PNG as it is, or any format Pillow reads as a new PNG."""
        try:
            data = read_limited(path, _MAX_FILE_BYTES)
            with Image.open(io.BytesIO(data)) as image:
                image.load()
                return cls(data if data.startswith(_PNG) else _encode(image.convert("RGB")))
        except (UnidentifiedImageError, SyntaxError, ValueError, DecompressionBombError) as error:
            raise RegraspError(
                f"{path} is not an image Pillow can read; use PNG or JPEG."
            ) from error
        except OSError as error:
            raise RegraspError(
                f"cannot read the image {path}: {error.strerror or error}."
            ) from error

    def to_array(self) -> Picture:
        """The pixels, (height, width, 3) uint8, read-only."""
        if self._rgb is not None:
            return self._rgb
        with Image.open(io.BytesIO(self.png)) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)

    @property
    def data_url(self) -> str:
        """The `data:` URL that chat APIs take."""
        return "data:image/png;base64," + base64.b64encode(self.png).decode("ascii")


def _encode(image: Image.Image) -> bytes:
    """Write a PNG with no time stamp or metadata, so equal pixels give equal bytes."""
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", compress_level=PNG_LEVEL)
    return buffer.getvalue()
