"""A policy that stands and does nothing else: ankles that push back against tilt, by hand."""

import numpy as np

from regrasp.control.gait import ACTIONS, OBSERVATIONS
from regrasp.control.walking import WalkingPolicy

TILT, TURNING = 30, 39  # where "down" along x, and turning about y, are in the observation


def standing() -> WalkingPolicy:
    weights = np.zeros((OBSERVATIONS, ACTIONS))
    for ankle in (4, 9):
        weights[TILT, ankle], weights[TURNING, ankle] = 2.0, 0.6
    return WalkingPolicy([(weights, np.zeros(ACTIONS))])
