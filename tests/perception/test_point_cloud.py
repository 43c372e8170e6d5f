"""Point clouds from depth."""

from __future__ import annotations

import numpy as np
from rendered_room import BLUE, Box, looking, render

from regrasp.core.grounded import BasePose
from regrasp.perception.point_cloud import point_cloud

FLOOR = Box((-5, -5, -0.1), (5, 5, 0.0))
BOX = Box((0.9, -0.2, 0.0), (1.3, 0.2, 0.3), BLUE)
VIEW = looking((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))


def test_every_point_lies_on_a_surface_that_was_drawn() -> None:
    cloud = point_cloud(render([FLOOR, BOX], VIEW))
    blue = cloud.colours[:, 2] > 150
    assert blue.sum() > 100
    on_top = np.abs(cloud.points[blue, 2] - 0.3) < 1e-3
    on_front = np.abs(cloud.points[blue, 0] - 0.9) < 1e-3
    assert (on_top | on_front).all()
    assert (np.abs(cloud.points[~blue, 2]) < 1e-3).all()


def test_normals_are_those_of_the_faces_and_point_to_the_camera() -> None:
    cloud = point_cloud(render([FLOOR, BOX], VIEW))
    known = np.linalg.norm(cloud.normals, axis=1) > 0.5
    top = known & (np.abs(cloud.points[:, 2] - 0.3) < 1e-3)
    front = known & (np.abs(cloud.points[:, 0] - 0.9) < 1e-3) & (cloud.points[:, 2] < 0.28)
    assert np.median(cloud.normals[top, 2]) > 0.999
    assert np.median(cloud.normals[front, 0]) < -0.999


def test_the_map_frame_is_the_base_turned_and_moved() -> None:
    base = BasePose(2.0, 1.0, np.pi / 2)
    turned = Box((1.8, 1.9, 0.0), (2.2, 2.3, 0.3), BLUE)  # what BOX is, seen from that base
    image = render([FLOOR, turned], VIEW, base=base)
    own, mapped = point_cloud(image), point_cloud(image, base=base)
    expected = own.points @ base.rotation.T + base.position
    assert np.allclose(mapped.points, expected, atol=1e-4)
    blue = mapped.colours[:, 2] > 150
    assert np.allclose(mapped.points[blue].min(axis=0)[:2], [1.8, 1.9], atol=0.03)


def test_holes_and_far_pixels_give_no_point() -> None:
    image = render([FLOOR, BOX], VIEW)
    image.depth[:60] = np.inf
    cloud = point_cloud(image, max_range=1.3)
    assert (cloud.pixels // image.depth.shape[1] >= 60).all()
    assert image.depth.ravel()[cloud.pixels].max() < 1.3
