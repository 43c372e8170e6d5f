"""Goals that a model writes are compared with those of a set, in the words of the set."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from regrasp.bench.goal_sets import GoalScore, GoalSet, read_set, summary


def _set(folder: Path, **row: object) -> GoalSet:
    path = folder / "set.jsonl"
    path.write_text(json.dumps({"id": "one", **row}) + "\n", "utf-8")
    return read_set(path)


def _score(goals: GoalSet, *lines: str) -> GoalScore:
    row = goals.rows[0]
    return goals.score(row, goals.prompt(row).read("Goal:\n" + "\n".join(lines)))


def test_each_is_expanded_over_the_objects(tmp_path: Path) -> None:
    goals = _set(
        tmp_path,
        say="all scrub brushes in the bin",
        objects=["scrub_brush_1", "scrub_brush_2", "bin_1"],
        goal=["inside(scrub_brush_1, bin_1)", "inside(scrub_brush_2, bin_1)"],
    )
    assert _score(goals, "inside(each brush, bin_1)").exact
    assert _score(goals, "inside(each scrub_brush, the bin)").exact


def test_a_selection_of_several_where_one_is_meant_is_asked_back(tmp_path: Path) -> None:
    goals = _set(
        tmp_path, say="x", objects=["cup_1", "cup_2", "bin_1"], goal=["inside(cup_1, bin_1)"]
    )
    score = _score(goals, "inside(the cup, bin_1)")
    assert score.declined and not score.exact


def test_clean_is_without_the_dirt_of_the_start(tmp_path: Path) -> None:
    goals = _set(
        tmp_path,
        say="clean the oven",
        objects=["oven_1", "rag_1"],
        init=["dusty(oven_1)", "stained(oven_1)"],
        goal=["not(dusty(oven_1))", "not(stained(oven_1))"],
    )
    assert [form.predicate for form in goals.prompt(goals.rows[0]).forms] == ["clean"]
    assert _score(goals, "clean(oven_1)").exact


def test_the_person_comes_back_when_scored(tmp_path: Path) -> None:
    goals = _set(
        tmp_path,
        say="read on the bench with the lamp on",
        objects=["character", "bench", "comic", "lamp"],
        init_states={"lamp": ["OFF", "PLUGGED_IN"]},
        goal=[
            "holds_rh(character, comic)",
            "on(character, bench)",
            "turned_on(lamp)",
            "plugged_in(lamp)",
        ],
    )
    assert "character" not in goals.prompt(goals.rows[0]).render()
    read = ("holding(comic)", "person_on(bench)", "turned_on(lamp)")
    assert not _score(goals, *read).exact
    assert _score(replace(goals, implied=True), *read).exact


def test_regions_are_parts_with_names(tmp_path: Path) -> None:
    goals = _set(
        tmp_path,
        say="put the mug in the top drawer and the pan on the stove",
        objects=["mug_1", "pan_1", "oak_cabinet_1", "stove_1", "oak_cabinet_1_top_region",
                 "oak_cabinet_1_bottom_region", "stove_1_cook_region"],
        types={"mug_1": "mug", "pan_1": "pan", "oak_cabinet_1": "oak_cabinet", "stove_1": "stove"},
        goal=["in(mug_1, oak_cabinet_1_top_region)", "on(pan_1, stove_1_cook_region)"],
    )  # fmt: skip
    assert _score(goals, "in(mug_1, oak_cabinet_1_top_drawer)", "on(pan_1, stove_1)").exact
    assert _score(goals, "in(mug_1, the top_drawer)", "on(pan_1, the stove)").exact


def test_wrong_is_answered_and_not_exact() -> None:
    scores = [GoalScore(True, 1, 1, 1, False), GoalScore(False, 0, 0, 1, True)]
    figures = summary([*scores, GoalScore(False, 1, 2, 2, False)])
    assert figures["wrong"] == figures["declined"] == figures["exact"] == pytest.approx(1 / 3)
    assert figures["f1"] == pytest.approx(4 / 7)
