"""Descriptions become objects: kinds by any ending of a name, and shares among places."""

from __future__ import annotations

from collections.abc import Sequence

from regrasp.core.goal_description import parse_description
from regrasp.planners.goal_grounding import GroundedGoal, NothingFits, ground


class _Scene:
    def __init__(self, **kinds: str) -> None:
        self._kinds = kinds

    def kinds(self) -> dict[str, str]:
        return self._kinds

    def movable(self) -> frozenset[str]:
        return frozenset(self._kinds)

    def has(self, name: str, word: str) -> bool | None:
        return word in name

    def related(self, relation: str, name: str, other: str) -> bool | None:
        return False

    def extreme(self, word: str, names: Sequence[str]) -> str | None:
        return names[0]


def _literals(scene: _Scene, line: str) -> list[str]:
    found = ground(parse_description([line]), scene, lambda _: None)
    assert isinstance(found, GroundedGoal), found
    return [str(one) for stage in found.stages for one in stage.literals]


def test_a_kind_is_any_ending_of_a_name() -> None:
    scene = _Scene(scrub_brush_1="scrub_brush", cabinet_1_top_drawer="drawer")
    for kind in ("brush", "scrub_brush"):
        assert _literals(scene, f"clean(each {kind})") == ["clean(scrub_brush_1)"]
    assert _literals(scene, "open(the top_drawer)") == ["open(cabinet_1_top_drawer)"]
    assert _literals(scene, "held(?brush)") == ["held(?scrub_brush)"]


def test_each_place_gets_other_objects() -> None:
    scene = _Scene(cup_1="cup", cup_2="cup", tray_1="tray", tray_2="tray")
    assert _literals(scene, "on(some cup, each tray)") == ["on(cup_1, tray_1)", "on(cup_2, tray_2)"]
    few = _Scene(cup_1="cup", tray_1="tray", tray_2="tray")
    assert isinstance(
        ground(parse_description(["on(some cup, each tray)"]), few, lambda _: None), NothingFits
    )


def test_places_are_used_again() -> None:
    scene = _Scene(cup_1="cup", cup_2="cup", cup_3="cup", tray_1="tray", tray_2="tray")
    assert _literals(scene, "on(each cup, some tray)") == [
        "on(cup_1, tray_1)", "on(cup_2, tray_2)", "on(cup_3, tray_1)",
    ]  # fmt: skip
