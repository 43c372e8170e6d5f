"""Monitoring with the embedded eyes keeps up: five constraints, two cameras, ten looks a second."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from fake_tabletop import FakeTabletop, Told
from regrasp.core.fact import Fact, Literal
from regrasp.core.robot import CameraImage
from regrasp.domains.tabletop import tabletop_domain
from regrasp.embedded.vision.model import EmbeddedVision
from regrasp.lab.vision.labelled_scene import generate_scenes
from regrasp.monitors.monitor import Monitor
from regrasp.perception.observer import Observer

PERIOD_S = 0.1
LOOKS = 12
WATCHED = tuple(
    Literal(Fact(*fact), True)
    for fact in (
        ("on", ("red_block", "fixture")),
        ("on", ("green_block", "red_block")),
        ("on", ("blue_block", "green_block")),
        ("on", ("blue_block", "table")),
        ("holding", ("blue_block",)),
    )
)


class Filmed(FakeTabletop):
    """A robot whose cameras show what was rendered beforehand, another picture at every look."""

    def __init__(self, film: Iterator[npt.NDArray[np.uint8]]) -> None:
        super().__init__()
        self._film = film

    def look(self, camera: str) -> CameraImage:
        rgb = next(self._film)
        depth = np.ones(rgb.shape[:2], np.float32)
        return CameraImage(camera, rgb, depth, 45.0, np.zeros(3), np.eye(3))


def test_a_look_at_five_constraints_takes_less_than_the_time_to_the_next() -> None:
    pytest.importorskip("onnxruntime")
    shown = [one.pictures for one in generate_scenes("tabletop", [9_400_002], states=3)]
    frames = [picture for pictures in shown for picture in list(pictures.values())[:2]]
    noise = np.random.default_rng(0)
    film = (
        frame ^ noise.integers(0, 2, frame.shape, np.uint8) for frame in itertools.cycle(frames)
    )
    observer = Observer(Filmed(film), EmbeddedVision(), Told(FakeTabletop()))
    monitor = Monitor(observer, tabletop_domain().lexicon, period_s=PERIOD_S)
    told = monitor.answers(WATCHED)  # loads the weights
    took = []
    for _ in range(LOOKS):
        began = time.process_time()
        told |= {one: so for one, so in monitor.answers(WATCHED).items() if so is not None}
        took.append(time.process_time() - began)
    assert sum(so is not None for so in told.values()) >= 3  # it did look
    # The quickest: whatever else the machine does can only make a look take longer.
    assert min(took) < PERIOD_S, f"{1e3 * min(took):.0f} ms of one core a look"
