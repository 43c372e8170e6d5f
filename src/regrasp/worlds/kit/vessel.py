"""What a liquid needs to know of a vessel: its size, its mouth, and how it is poured from."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Vessel"]


@dataclass(frozen=True, slots=True)
class Vessel:
    """A body that holds liquids or loose solids, in ml.

    Its inside is a cylinder of `radius` from `bottom` up to `bottom + depth` (m, body frame). Its
    mouth is the site `NAME_mouth` at height `mouth_z`, z outwards, of `mouth_radius` (m). When full
    it begins to flow at a tilt of `tilts[0]` rad, when nearly empty at `tilts[1]`; well beyond,
    `rate` ml leave in a second. `capped` is whether it has a cap. `substance` is the one thing it
    is made for, and `stock` how much of it there is at first; a vessel without one takes anything.
    """

    name: str
    capacity: float
    radius: float
    bottom: float
    depth: float
    mouth_z: float
    mouth_radius: float
    tilts: tuple[float, float]
    rate: float
    capped: bool = False
    substance: str = ""
    stock: float = 0.0

    @property
    def mouth(self) -> str:
        """The site of its mouth."""
        return f"{self.name}_mouth"

    @property
    def fill(self) -> str:
        """The geom that shows how full it is."""
        return f"{self.name}_fill"

    @property
    def cap(self) -> str:
        """The geom and the site of its cap, if it has one."""
        return f"{self.name}_cap"
