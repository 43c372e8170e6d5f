"""The network of the worlds with two hands, which other worlds never load.

A report lists the modules that its run loaded, and so whether these weights answered.
"""

from __future__ import annotations

from pathlib import Path

from regrasp.embedded.vision.network import TWO_HANDS, Network

__all__ = ["open_two_hands"]


def open_two_hands(folder: Path) -> Network:
    """Load it."""
    return Network(TWO_HANDS, folder)
