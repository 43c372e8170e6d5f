"""A tiling texture on a plane, and the sky, read from a model's texture data.

A texture is kept as a pyramid of halved copies (Williams 1983, "Pyramidal parametrics"); a pixel
takes the copy whose texels are as large as itself, so that a floor does not flicker.
"""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats

__all__ = ["Pyramid", "floor_texture", "sky_profile"]

_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)
_SKY, _HORIZON, _BELOW = (0.42, 0.56, 0.74), (0.88, 0.91, 0.94), (0.62, 0.62, 0.62)


class Pyramid:
    """A texture (H, W, 3) in 0..1 and its halved copies, down to a single texel."""

    def __init__(self, pixels: Floats) -> None:
        self.width = pixels.shape[1]
        levels = [pixels]
        while max(levels[-1].shape[:2]) > 1:
            levels.append(_halved(levels[-1]))
        shapes = np.array([level.shape[:2] for level in levels])
        self._height, self._width = shapes.T.astype(np.float32)  # exact: textures are small
        self._start = np.concatenate([[0], np.cumsum(shapes[:, 0] * shapes[:, 1])[:-1]])
        self._texels = np.concatenate([level.reshape(-1, 3) for level in levels]).T.copy()

    def sample(self, s: Floats, t: Floats, footprint: Floats) -> Floats:
        """Colours (3, N) at `s`, `t` (N,) in texture lengths, averaged over `footprint` of them."""
        # frexp counts the binary digits exactly, where a logarithm would round.
        level = np.clip(np.frexp(footprint * np.float32(self.width))[1], 0, len(self._start) - 1)
        width, height = self._width.take(level), self._height.take(level)
        column = np.minimum(np.floor((s - np.floor(s)) * width), width - 1)
        line = np.minimum(np.floor((t - np.floor(t)) * height), height - 1)
        index = self._start.take(level) + (line * width + column).astype(np.intp)
        return np.asarray(self._texels.take(index, axis=1), np.float32)


def floor_texture(model: mujoco.MjModel, material: int) -> Pyramid | None:
    """The colour texture of a material, or None where it has none that tiles a plane."""
    texture = int(model.mat_texid[material, _RGB]) if material >= 0 else -1
    flat = int(mujoco.mjtTexture.mjTEXTURE_2D)
    if texture < 0 or int(model.tex_type[texture]) != flat:
        return None
    return Pyramid(_pixels(model, texture))


def sky_profile(model: mujoco.MjModel) -> Floats:
    """Colours of the sky (3, K) from 45 degrees up, through the horizon, to 45 degrees down.

    They are those of the middle of a side of the model's sky box, or of a hazy day if it has none.
    """
    boxes = np.flatnonzero(model.tex_type == int(mujoco.mjtTexture.mjTEXTURE_SKYBOX))
    if len(boxes):
        pixels = _pixels(model, int(boxes[0]))
        edge = pixels.shape[1]
        side = pixels[4 * edge : 5 * edge] if len(pixels) == 6 * edge else pixels
        return np.asarray(side[:, edge // 2].T.copy(), np.float32)
    k = np.linspace(1, -1, 65, dtype=np.float32)
    up = np.maximum(k, 0) * np.array(_SKY, np.float32)[:, None]
    down = np.maximum(-k, 0) * np.array(_BELOW, np.float32)[:, None]
    return np.asarray(up + down + (1 - np.abs(k)) * np.array(_HORIZON, np.float32)[:, None])


def _pixels(model: mujoco.MjModel, texture: int) -> Floats:
    height, width, channels = (
        int(table[texture]) for table in (model.tex_height, model.tex_width, model.tex_nchannel)
    )
    start = int(model.tex_adr[texture])
    raw: npt.NDArray[np.uint8] = model.tex_data[start : start + height * width * channels]
    return raw.reshape(height, width, channels)[:, :, :3].astype(np.float32) / np.float32(255)


def _halved(pixels: Floats) -> Floats:
    """Each 2 x 2 texels become one; an odd edge is repeated."""
    odd = [(0, n % 2) for n in pixels.shape[:2]]
    padded = np.pad(pixels, [*odd, (0, 0)], "edge")
    four = padded[::2, ::2] + padded[1::2, ::2] + padded[::2, 1::2] + padded[1::2, 1::2]
    return np.asarray(four * np.float32(0.25))
