"""Names of skills, by their part: in training, in the evaluation, and invented ones.

A name must not reveal what the skill does: a model that uses the name instead of the skill's line
fails on a robot with other names. Therefore many names in training are meaningless.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

__all__ = ["HELD_OUT_SKILL_NAMES", "SKILL_NAMES", "SkillNames"]

_NONSENSE = 0.4

SKILL_NAMES: Mapping[str, tuple[str, ...]] = {
    "pick": ("pick", "pick", "grab", "take", "lift", "pick_up", "grasp", "get", "fetch", "hold"),
    "place": (
        "place", "place", "put", "put_on", "set_down", "stack", "put_down", "lay", "place_on",
        "move_onto", "drop_on",
    ),
    "aside": (
        "set_aside", "set_aside", "put_aside", "park", "clear_away", "move_away", "put_back",
        "drop", "place_on_table",
    ),
    "beside": ("put_by", "place_beside", "put_next_to", "place_near"),
    "insert": ("put_in", "insert", "store", "drop_in", "load", "place_in", "put_into", "pack"),
    "remove": ("take_out", "remove", "unpack", "pull_out", "get_out", "unload"),
    "open": ("open", "open", "open_up", "open_door", "unlock", "pull_open"),
    "close": ("close", "close", "shut", "close_door", "lock", "push_shut"),
    "go": (
        "go_to", "go_to", "navigate_to", "walk_to", "move_to", "find", "drive_to", "approach",
        "look_for",
    ),
    "forward": ("go_forward", "go_forward", "walk_on", "walk_through", "keep_going"),
    "left": ("turn_left", "turn_left", "step_left", "bear_left"),
    "right": ("turn_right", "turn_right", "step_right", "bear_right"),
    "raise": (
        "pick_up_from_floor", "pick_up_from_floor", "raise", "lift_off_floor", "pick_from_ground",
        "bend_down_for",
    ),
    "rest": ("rest", "wait", "look_around", "stand", "do_nothing"),
    "switch": ("turn_on", "switch_on", "start_up"),
}  # fmt: skip
"""Names of a skill in training, by its part."""

HELD_OUT_SKILL_NAMES: Mapping[str, tuple[str, ...]] = {
    "pick": ("seize", "collect", "clutch"),
    "place": ("deposit", "rest_on", "set_upon"),
    "aside": ("lay_aside", "shelve"),
    "beside": ("park_beside", "set_near"),
    "insert": ("stow", "tuck_in"),
    "remove": ("extract", "draw_out"),
    "open": ("swing_open", "unseal"),
    "close": ("swing_shut", "seal"),
    "go": ("head_to", "travel_to"),
    "forward": ("march_on", "advance_to"),
    "left": ("veer_left", "swerve_left"),
    "right": ("veer_right", "swerve_right"),
    "raise": ("scoop_up", "recover"),
    "rest": ("pause", "idle"),
    "switch": ("activate", "power_up"),
}
"""Names that only the evaluation uses."""


class SkillNames:
    """Draws unique names for the skills of one robot; `coined` invents one."""

    def __init__(
        self, rng: random.Random, coined: Callable[[random.Random], str], *, held_out: bool
    ) -> None:
        self._rng, self._coined, self._exam = rng, coined, held_out
        self._taken: set[str] = set()

    def draw(self, part: str) -> str:
        """A name for the skill of that part; in training, often a meaningless one."""
        names = (HELD_OUT_SKILL_NAMES if self._exam else SKILL_NAMES)[part]
        while True:
            odd = not self._exam and self._rng.random() < _NONSENSE
            name = self._coined(self._rng) if odd else self._rng.choice(names)
            if name not in self._taken:
                self._taken.add(name)
                return name
