"""Pictures by content: stored once, whole, and checked when loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from regrasp.core.image_store import ImageError, load_image, pixel_hash, save_image

RGB = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def test_a_picture_comes_back_as_it_was(tmp_path: Path) -> None:
    assert np.array_equal(load_image(tmp_path, save_image(tmp_path, RGB)), RGB)


def test_the_same_pixels_are_stored_once(tmp_path: Path) -> None:
    name = save_image(tmp_path, RGB)
    before = (tmp_path / f"{name}.png").stat().st_mtime_ns
    assert save_image(tmp_path, RGB[::-1][::-1]) == name
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.png"]
    assert (tmp_path / f"{name}.png").stat().st_mtime_ns == before


def test_the_name_depends_on_pixels_and_shape_and_not_on_the_encoder(tmp_path: Path) -> None:
    name = save_image(tmp_path, RGB)
    Image.fromarray(RGB).save(tmp_path / f"{name}.png", compress_level=0)
    assert np.array_equal(load_image(tmp_path, name), RGB)
    assert pixel_hash(RGB.reshape(6, 4, 3)) != name
    other = RGB.copy()
    other[0, 0, 0] += 1
    assert pixel_hash(other) != name


@pytest.mark.parametrize(
    "wrong",
    [RGB[:, :, 0], RGB.astype(np.float32), np.zeros((4, 6, 4), np.uint8), RGB[:0]],
    ids=["grey", "float", "rgba", "empty"],
)
def test_what_is_no_rgb_picture_is_refused(tmp_path: Path, wrong: np.ndarray) -> None:
    with pytest.raises(ImageError, match=r"expected a picture \(height, width, 3\)"):
        save_image(tmp_path, wrong)


def test_a_picture_that_was_changed_broken_or_lost_is_noticed(tmp_path: Path) -> None:
    name = save_image(tmp_path, RGB)
    path = tmp_path / f"{name}.png"
    Image.fromarray(RGB + 1).save(path)
    with pytest.raises(ImageError, match="was changed"):
        load_image(tmp_path, name)
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(ImageError, match="cannot read"):
        load_image(tmp_path, name)
    path.unlink()
    with pytest.raises(ImageError, match="cannot read"):
        load_image(tmp_path, name)
