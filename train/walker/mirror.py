"""What a walker would see and do if left were right: its body is the same in a mirror.

A policy that is not asked to be so learns a limp. Joints turn outward on both sides, so that what
they do is mirrored by changing sides alone; what is measured in the trunk's frame changes sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from regrasp.control.gait import ACTIONS, OBSERVATIONS

__all__ = ["done_otherwise", "seen_otherwise"]

Array = Any  # of NumPy or of JAX

_OTHER_SIDE = np.roll(np.arange(ACTIONS), ACTIONS // 2)
_FIRST = 3 * ACTIONS  # angles, speeds and the last action come first
_WHERE = np.concatenate(
    [*(k * ACTIONS + _OTHER_SIDE for k in range(3)), np.arange(_FIRST, OBSERVATIONS)]
)
# Down; the clock, half a stride later; velocity; angular velocity; height.
_SIGNS = np.array([1.0] * _FIRST + [1, -1, 1] + [-1, -1] + [1, -1, -1] + [-1, 1, -1] + [1])


def seen_otherwise(seen: Array) -> Array:
    """The observation (…, 42) in the mirror."""
    return seen[..., _WHERE] * _SIGNS.astype(np.float32)


def done_otherwise(action: Array) -> Array:
    """The action (…, 10) in the mirror."""
    return action[..., _OTHER_SIDE]
