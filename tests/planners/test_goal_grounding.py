"""Descriptions become objects: which are meant, which facts about them, and what is in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from regrasp.core.fact import Fact, Literal, parse_literals
from regrasp.core.goal_description import Selection, parse_description, parse_term
from regrasp.planners.goal_grounding import (
    Ambiguity,
    GroundedGoal,
    GroundedQuestion,
    NothingFits,
    ground,
    with_choice,
)

TABLE_KINDS = {
    "table": "table",
    "crate": "crate",
    "red_cube": "cube",
    "blue_cube": "cube",
    "green_cube": "cube",
    "apple": "apple",
    "pear": "pear",
}
TABLE_FACTS = (
    "on(red_cube, table)",
    "on(blue_cube, crate)",
    "on(green_cube, table)",
    "on(apple, table)",
    "in(pear, crate)",
)


@dataclass(frozen=True)
class Scene:
    """Objects from left to right; `unseen` are words that nobody can see."""

    known: Mapping[str, str] = field(default_factory=lambda: TABLE_KINDS)
    facts: Sequence[str] = TABLE_FACTS
    colours: Mapping[str, str] = field(default_factory=lambda: {"crate": "blue"})
    fixed: frozenset[str] = frozenset(("table", "crate"))
    unseen: frozenset[str] = frozenset()

    def kinds(self) -> dict[str, str]:
        return dict(self.known)

    def movable(self) -> frozenset[str]:
        return frozenset(self.known) - self.fixed

    def has(self, name: str, word: str) -> bool | None:
        return None if word in self.unseen else word in (*name.split("_"), self.colours.get(name))

    def related(self, relation: str, name: str, other: str) -> bool | None:
        if relation in self.unseen:
            return None
        if relation == "like":
            return self.colours.get(name, name.partition("_")[0]) == self.colours.get(other)
        return f"{relation}({name}, {other})" in self.facts

    def extreme(self, word: str, names: Sequence[str]) -> str | None:
        if word in self.unseen or not names:
            return None
        return names[-1] if word == "rightmost" else names[0]

    def place_of(self, name: str) -> Literal | None:
        places = parse_literals(*self.facts)
        return next((one for one in places if one.fact.args[0] == name), None)


def result(*lines: str, scene: Scene | None = None) -> GroundedGoal | NothingFits | Ambiguity:
    scene = scene or Scene()
    return ground(parse_description(lines), scene, scene.place_of)


def literals(*lines: str, scene: Scene | None = None) -> list[str]:
    """The literals of a goal of one stage."""
    found = result(*lines, scene=scene)
    assert isinstance(found, GroundedGoal), found
    assert len(found.stages) <= 1
    return [str(one) for stage in found.stages for one in stage.literals]


def selection(text: str) -> Selection:
    term = parse_term(text)
    assert isinstance(term, Selection)
    return term


# ---- which objects are meant ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "names"),
    [
        ("red_cube", ["red_cube"]),
        ("?cube", ["?cube"]),  # a planner chooses
        ("the apple", ["apple"]),
        ("each cube", ["red_cube", "blue_cube", "green_cube"]),
        ("some cube", ["red_cube"]),
        ("2 cube", ["red_cube", "blue_cube"]),
        ("each fruit", ["apple", "pear"]),  # a group of kinds
        ("each thing", ["red_cube", "blue_cube", "green_cube", "apple", "pear"]),  # not the table
        ("the cube red", ["red_cube"]),
        ("each cube not red", ["blue_cube", "green_cube"]),
        ("the cube on crate", ["blue_cube"]),
        ("each cube not on crate", ["red_cube", "green_cube"]),
        ("each thing in crate", ["pear"]),
        ("the cube like crate", ["blue_cube"]),
        ("each cube not like crate", ["red_cube", "green_cube"]),
        ("each thing except apple except pear", ["red_cube", "blue_cube", "green_cube"]),
        ("the cube leftmost", ["red_cube"]),
        ("the cube rightmost", ["green_cube"]),
        ("each cube not leftmost", ["blue_cube", "green_cube"]),
        ("the cube leftmost not red", ["blue_cube"]),  # of those that are not red
        ("2 cube on table not blue", ["red_cube", "green_cube"]),
    ],
)
def test_a_term_means_the_objects_that_pass_every_filter(term: str, names: list[str]) -> None:
    assert literals(f"held({term})") == [f"held({name})" for name in names]


def test_a_kind_is_any_ending_of_a_name() -> None:
    scene = Scene({"scrub_brush_1": "scrub_brush", "cabinet_1_top_drawer": "drawer"})
    for kind in ("brush", "scrub_brush"):
        assert literals(f"clean(each {kind})", scene=scene) == ["clean(scrub_brush_1)"]
    assert literals("open(the top_drawer)", scene=scene) == ["open(cabinet_1_top_drawer)"]
    assert literals("held(?brush)", scene=scene) == ["held(?scrub_brush)"]


def test_a_variable_of_a_kind_that_is_not_there_fits_nothing() -> None:
    assert result("held(?plate)") == NothingFits(selection("some plate"))


# ---- facts about them ----------------------------------------------------------------------------


def test_each_object_is_related_to_each_other_object_but_not_to_itself() -> None:
    assert literals("near(each fruit, each fruit)") == ["near(apple, pear)", "near(pear, apple)"]
    assert literals("on(each cube, red_cube)") == [
        "on(blue_cube, red_cube)",
        "on(green_cube, red_cube)",
    ]


def test_a_negated_clause_is_false_of_each_object() -> None:
    assert literals("not on(each thing on table, table)") == [
        "not on(red_cube, table)", "not on(green_cube, table)", "not on(apple, table)",
    ]  # fmt: skip


def test_the_same_literal_is_listed_once() -> None:
    assert literals("on(apple, crate)", "on(each apple, crate)") == ["on(apple, crate)"]


TRAYS = {"cup_1": "cup", "cup_2": "cup", "cup_3": "cup", "tray_1": "tray", "tray_2": "tray"}


def test_counted_objects_are_put_in_one_place() -> None:
    assert literals("on(2 cup, tray_1)", scene=Scene(TRAYS)) == [
        "on(cup_1, tray_1)",
        "on(cup_2, tray_1)",
    ]


def test_each_place_gets_other_objects() -> None:
    scene = Scene(TRAYS)
    assert literals("on(some cup, each tray)", scene=scene) == [
        "on(cup_1, tray_1)",
        "on(cup_2, tray_2)",
    ]
    assert result("on(2 cup, each tray)", scene=scene) == NothingFits(selection("2 cup"))


def test_places_are_used_again() -> None:
    assert literals("on(each cup, some tray)", scene=Scene(TRAYS)) == [
        "on(cup_1, tray_1)", "on(cup_2, tray_2)", "on(cup_3, tray_1)",
    ]  # fmt: skip


def test_a_counted_object_is_not_its_own_place() -> None:
    assert literals("on(some cube, red_cube)") == ["on(blue_cube, red_cube)"]


# ---- arrangements --------------------------------------------------------------------------------


def test_a_tower_is_named_from_the_bottom_up() -> None:
    assert literals("tower(crate, red_cube, blue_cube)") == [
        "on(red_cube, crate)",
        "on(blue_cube, red_cube)",
    ]
    assert literals("tower(each cube)") == ["on(blue_cube, red_cube)", "on(green_cube, blue_cube)"]
    assert literals("tower(green_cube, each cube)") == [
        "on(red_cube, green_cube)",
        "on(blue_cube, red_cube)",
    ]


def test_in_a_row_each_object_is_beside_the_one_before() -> None:
    assert literals("row(each cube)") == [
        "beside(blue_cube, red_cube)",
        "beside(green_cube, blue_cube)",
    ]


def test_swapped_objects_take_each_others_places() -> None:
    assert literals("swap(the apple, the pear)") == ["in(apple, crate)", "on(pear, table)"]


def test_a_group_of_two_is_swapped_and_any_other_is_not() -> None:
    assert literals("swap(each fruit, pear)") == ["in(apple, crate)", "on(pear, table)"]
    asked = result("swap(each cube, red_cube)")
    assert isinstance(asked, Ambiguity) and len(asked.names) == 3
    assert isinstance(result("swap(the pear, pear)"), NothingFits)


def test_objects_of_unseen_places_are_not_swapped() -> None:
    scene = Scene(facts=("on(apple, table)",))
    assert result("swap(apple, pear)", scene=scene) == Ambiguity(
        selection("the pear"), ("pear",), unseen=True
    )


# ---- stages, kept literals and questions ---------------------------------------------------------


def test_stages_follow_each_other_and_kept_literals_hold_all_the_time() -> None:
    found = result(
        "on(the apple, crate)",
        "keep not moved(each cube)",
        "on(the pear, crate)",
        "then closed(crate)",
    )
    assert isinstance(found, GroundedGoal)
    assert [str(stage) for stage in found.stages] == [
        "on(apple, crate), on(pear, crate)", "closed(crate)",
    ]  # fmt: skip
    assert [str(one) for one in found.keep] == [
        "not moved(red_cube)", "not moved(blue_cube)", "not moved(green_cube)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("ask where(the apple)", GroundedQuestion("where", ("apple",))),
        ("ask colour(crate)", GroundedQuestion("colour", ("crate",))),
        ("ask which(each thing in crate)", GroundedQuestion("which", ("pear",))),
        ("ask which(each thing on pear)", GroundedQuestion("which", ())),  # "nothing" is an answer
        ("ask count(each cube not red)", GroundedQuestion("count", ("blue_cube", "green_cube"))),
        ("ask count(each cube purple)", GroundedQuestion("count", ())),
        (
            "ask not on(the apple, crate)",
            GroundedQuestion("whether", (), (Literal(Fact("on", ("apple", "crate")), False),)),
        ),
    ],
)
def test_a_question_is_about_objects(line: str, question: GroundedQuestion) -> None:
    assert result(line) == GroundedGoal((), (), (question,))


# ---- doubt ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "term",
    ["the cup", "each cube purple", "some cube in crate", "4 cube", "each vegetable",
     "the cube red blue", "each thing on pear"],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["", "keep "])
def test_what_fits_nothing_is_refused_by_name(term: str, mode: str) -> None:
    assert result(f"{mode}held({term})") == NothingFits(selection(term))


@pytest.mark.parametrize(
    ("term", "names"),
    [
        ("the cube", ("red_cube", "blue_cube", "green_cube")),
        ("the cube on table", ("red_cube", "green_cube")),
        ("the fruit", ("apple", "pear")),
    ],
)
def test_several_objects_for_the_one_are_ambiguous(term: str, names: tuple[str, ...]) -> None:
    assert result(f"on({term}, crate)") == Ambiguity(selection(term), names)


def test_a_person_chooses_one_of_several_objects() -> None:
    description = parse_description(["on(the fruit, crate)", "then held(the fruit)"])
    chosen = with_choice(description, selection("the fruit"), "pear")
    assert str(chosen) == "on(pear, crate)\nthen held(pear)"


@pytest.mark.parametrize(
    ("term", "unseen", "names"),
    [
        ("the cube dusty", "dusty", ("red_cube", "blue_cube", "green_cube")),
        ("each cube not dusty", "dusty", ("red_cube", "blue_cube", "green_cube")),
        ("the cube like crate", "like", ("red_cube", "blue_cube", "green_cube")),
        ("each fruit on table", "on", ("apple", "pear")),
        ("the cube not red dusty", "dusty", ("blue_cube", "green_cube")),
        ("the cube leftmost", "leftmost", ("red_cube", "blue_cube", "green_cube")),
    ],
)
def test_what_nobody_can_see_is_told_from_what_is_not_there(
    term: str, unseen: str, names: tuple[str, ...]
) -> None:
    scene = Scene(unseen=frozenset((unseen,)))
    assert result(f"held({term})", scene=scene) == Ambiguity(selection(term), names, unseen=True)
