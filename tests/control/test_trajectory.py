"""A path in time: it starts and ends at rest, and no joint is ever asked for more than it may."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrasp.control.trajectory import Trajectory

joint = st.floats(-3.0, 3.0)


@given(st.lists(st.tuples(joint, joint), min_size=2, max_size=6))
def test_limits_hold_all_the_way(knots: list[tuple[float, float]]) -> None:
    course = Trajectory(np.array(knots), speed=2.0, acceleration=5.0)
    first, last = course.at(0.0), course.at(course.seconds)
    assert first.q == pytest.approx(knots[0]) and last.q == pytest.approx(knots[-1], abs=1e-9)
    assert np.allclose(first.v, 0.0) and np.allclose(last.v, 0.0)
    for t in np.linspace(0.0, course.seconds, 60):
        point = course.at(float(t))
        assert np.all(np.abs(point.v) <= 2.0 + 1e-9) and np.all(np.abs(point.a) <= 5.0 + 1e-9)


def test_it_takes_no_longer_than_the_limits_ask() -> None:
    far = Trajectory(np.array([[0.0], [4.0]]), speed=2.0, acceleration=50.0)
    near = Trajectory(np.array([[0.0], [0.1]]), speed=2.0, acceleration=5.0)
    speeds = [far.at(t).v[0] for t in np.linspace(0.0, far.seconds, 401)]
    pulls = [near.at(t).a[0] for t in np.linspace(0.0, near.seconds, 401)]
    assert max(speeds) == pytest.approx(2.0, rel=1e-3)
    assert max(pulls) == pytest.approx(5.0, rel=1e-3)


def test_velocity_is_the_slope_of_the_position() -> None:
    course = Trajectory(np.array([[0.0, 1.0], [0.7, -0.3]]), speed=2.0, acceleration=5.0)
    for t in np.linspace(0.05, course.seconds - 0.05, 9):
        slope = (course.at(t + 1e-5).q - course.at(t - 1e-5).q) / 2e-5
        bend = (course.at(t + 1e-5).v - course.at(t - 1e-5).v) / 2e-5
        assert course.at(t).v == pytest.approx(slope, abs=1e-6)
        assert course.at(t).a == pytest.approx(bend, abs=1e-4)
