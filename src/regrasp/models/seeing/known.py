"""What the eyes have learnt to be asked: which things, by which names, and what of each.

The network answers anything; here is what its answers are worth something for. A question is
brought into the one wording that it was trained on, and what lies outside (a thing it has never
seen, whether a cube is open, what is behind what) is not asked at all.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from regrasp.prompts.reading import read_sight
from regrasp.prompts.sight import ANYTHING, Look, Side, Sight

__all__ = ["Known"]

_OTHER_SIDE: dict[Look | Side, Look | Side] = {
    Side.LEFT: Side.RIGHT,
    Side.RIGHT: Side.LEFT,
    Look.NEXT_TO: Look.NEXT_TO,
}


@dataclass(frozen=True, slots=True)
class Known:
    """Kinds of thing by what they can be; names are a kind, or a tint and a kind.

    `parts` are doors and handles with the kind they belong to (`cabinet left door`); `doors` are
    the kinds that can be open or closed and hold things inside, `tops` the fixed ones that things
    stand on, `driven` those that move by a joint but have no door, `plain` those whose colour is
    not asked.
    """

    tints: tuple[str, ...]
    loose: tuple[str, ...]
    fixed: tuple[str, ...]
    parts: tuple[str, ...]
    doors: tuple[str, ...]
    tops: tuple[str, ...]
    driven: tuple[str, ...]
    plain: tuple[str, ...]

    @classmethod
    def of(cls, said: dict[str, list[str]]) -> Known:
        """From what `as_dict` gave, through JSON."""
        return cls(**{name: tuple(words) for name, words in said.items()})

    def as_dict(self) -> dict[str, tuple[str, ...]]:
        """For eyes.json."""
        return asdict(self)

    def canonical(self, question: str) -> str | None:
        """The question in the wording that is trained on; None if it is none of those."""
        sight = read_sight(question)
        if sight is None:
            return None
        if self.kind(sight.object) in self.fixed and sight.look in _OTHER_SIDE:
            look = _OTHER_SIDE[sight.look]  # it is things that are next to furniture
            sight = replace(sight, look=look, object=sight.other, other=sight.object)
        return _spelt(str(sight)) if self._learnt(sight) else None

    def kind(self, name: str) -> str | None:
        """What a name stands for without its tint, if it is known: `red_cube` → `cube`."""
        words = _spelt(name)
        tint, _, rest = words.partition(" ")
        every = (*self.loose, *self.fixed, *self.parts)
        return words if words in every else rest if tint in self.tints and rest in every else None

    def _learnt(self, sight: Sight) -> bool:
        a, b = (self.kind(name) if name != ANYTHING else ANYTHING for name in _names(sight))
        if a is None or b is None:
            return False
        if a == ANYTHING:
            places: dict[Look | Side, tuple[str, ...]]
            places = {Look.ON: self.tops, Look.IN_FRONT: self.fixed}
            return sight.look is Look.HELD or b in places.get(sight.look, ())
        things, opening = (*self.loose, *self.fixed), (*self.doors, *self.parts)
        beside = a in self.loose and b in things
        coloured = a in things and a not in self.plain
        learnt: dict[Look | Side, bool] = {
            Look.SEEN: a in things,
            Look.OPEN: a in opening,
            Look.CLOSED: a in opening,
            Look.ON: a in things and b in (*self.loose, *self.tops),
            Look.INSIDE: a in self.loose and b in self.doors,
            Look.NEXT_TO: beside,
            Look.IN_FRONT: beside,
            Side.LEFT: beside,
            Side.RIGHT: beside,
            Look.BLOCKING: a in things and b in (*opening, *self.driven),
            Look.HELD: a in self.loose,
            Look.ATTRIBUTE: {"colour": coloured, "state": a in opening}.get(sight.attribute, False),
        }
        return learnt[sight.look]


def _names(sight: Sight) -> tuple[str, str]:
    """Both names; a question with one thing has it twice, so that none is missing."""
    return sight.object, sight.other or sight.object


def _spelt(text: str) -> str:
    return text.replace("_", " ").replace("gray", "grey")
