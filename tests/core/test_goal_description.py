"""The goal language: text and back, stages, and errors that name the fix."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrasp.core.errors import RegraspError
from regrasp.core.goal_description import (
    ANYTHING,
    EXTREMES,
    RELATIONS,
    Clause,
    ClauseMode,
    Filter,
    GoalDescription,
    Quantifier,
    Selection,
    parse_clause,
    parse_description,
    parse_term,
)

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True)
WORDS = st.from_regex(r"[a-z]{1,10}", fullmatch=True).filter(lambda w: w not in (*RELATIONS, "not"))
FILTERS = st.one_of(
    st.builds(Filter, st.sampled_from(RELATIONS), NAMES, st.booleans()),
    st.builds(Filter, st.sampled_from(EXTREMES) | WORDS, positive=st.booleans()),
)
SELECTIONS = st.one_of(
    st.builds(
        Selection,
        st.sampled_from(Quantifier),
        NAMES | st.just(ANYTHING),
        st.lists(FILTERS, max_size=3).map(tuple),
    ),
    st.builds(
        Selection,
        st.just(Quantifier.SOME),
        NAMES,
        st.lists(FILTERS, max_size=2).map(tuple),
        st.integers(2, 30),
    ),
)
TERMS = st.one_of(NAMES, NAMES.map("?{}".format), SELECTIONS)
CLAUSES = st.builds(
    Clause,
    st.from_regex(r"[a-z][a-z_]{0,10}", fullmatch=True),
    st.lists(TERMS, max_size=4).map(tuple),
    st.booleans(),
    st.sampled_from(ClauseMode),
    st.booleans(),
)


@given(st.lists(CLAUSES, min_size=1, max_size=5))
def test_a_description_reads_back_from_its_text(clauses: list[Clause]) -> None:
    description = GoalDescription(tuple(clauses))
    assert parse_description(str(description).split("\n")) == description


@given(st.text(max_size=40))
def test_any_text_is_a_clause_or_an_error_for_a_person(text: str) -> None:
    try:
        clause = parse_clause(f"on({text})")
    except RegraspError:
        return
    assert parse_clause(str(clause)) == clause


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("red_cube", "red_cube"),
        ("?cup", "?cup"),
        ("the cube leftmost", Selection(Quantifier.THE, "cube", (Filter("leftmost"),))),
        ("Each thing", Selection(Quantifier.EACH, "thing")),
        ("2 cup on shelf", Selection(Quantifier.SOME, "cup", (Filter("on", "shelf"),), 2)),
        ("1 cup", Selection(Quantifier.SOME, "cup")),
        (
            "some cup not red not in box except cup_1",
            Selection(
                Quantifier.SOME,
                "cup",
                (
                    Filter("red", positive=False),
                    Filter("in", "box", positive=False),
                    Filter("except", "cup_1"),
                ),
            ),
        ),
    ],
)
def test_a_term_is_a_name_a_variable_or_a_selection(text: str, term: object) -> None:
    assert parse_term(text) == term


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("on(a, b)", Clause("on", ("a", "b"))),
        ("  On( a ,b ).", Clause("on", ("a", "b"))),
        ("handempty()", Clause("handempty")),
        ("NOT closed(oven)", Clause("closed", ("oven",), positive=False)),
        ("then not closed(oven)", Clause("closed", ("oven",), positive=False, later=True)),
        ("keep not moved(jar)", Clause("moved", ("jar",), positive=False, mode=ClauseMode.KEEP)),
        ("ask where(jar)", Clause("where", ("jar",), mode=ClauseMode.ASK)),
        ("not keep closed(oven)", Clause("closed", ("oven",), False, ClauseMode.KEEP)),
    ],
)
def test_a_clause_is_read_with_the_words_before_it(text: str, clause: Clause) -> None:
    assert parse_clause(text) == clause


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("", "write one such as on(red_cube, crate)"),
        ("the cube is on the crate", "write one such as on(red_cube, crate)"),
        ("on(a, b) and on(c, d)", "write one such as on(red_cube, crate)"),
        ("first on(a, b)", "then, keep, ask or not before it"),
        ("not not on(a, b)", "may each stand once"),
        ("keep ask closed(oven)", "keep or ask"),
        ("on(red cube, crate)", "is a name, or begins with the, each, some or 2"),
        ("on(0 cube, crate)", "is a name, or begins with the, each, some or 2"),
        ("on(the cube on, crate)", "'the cube on': a word is missing at its end"),
        ("on(each cube not, crate)", "a word is missing at its end"),
        ("on(each cube not like, crate)", "a word is missing at its end"),
    ],
)
def test_what_is_no_clause_is_refused_with_what_would_be(text: str, fix: str) -> None:
    with pytest.raises(RegraspError) as refused:
        parse_clause(text)
    assert fix in str(refused.value)


def test_then_starts_a_stage_and_what_is_kept_or_asked_is_in_none() -> None:
    description = parse_description(
        [
            "not closed(box)",
            "keep not moved(jar)",
            "inside(each cup, box)",
            "",
            "then closed(box)",
            "ask where(jar)",
            "then on(box, table)",
        ]
    )
    assert [[str(clause) for clause in stage] for stage in description.stages] == [
        ["not closed(box)", "inside(each cup, box)"],
        ["then closed(box)"],
        ["then on(box, table)"],
    ]
    assert [str(clause) for clause in description.of(ClauseMode.KEEP)] == ["keep not moved(jar)"]
    assert [str(clause) for clause in description.of(ClauseMode.ASK)] == ["ask where(jar)"]


def test_a_first_clause_that_begins_with_then_starts_no_empty_stage() -> None:
    assert len(parse_description(["then closed(box)"]).stages) == 1
    assert parse_description(["ask where(jar)"]).stages == ()


@pytest.mark.parametrize(
    ("text", "plain", "nothing"),
    [
        ("not on(each thing on crate, crate)", "not on(each thing, crate)", False),
        ("not ontop(each cup on crate red, crate)", "not ontop(each cup red, crate)", False),
        ("on(each thing on crate, crate)", "on(each thing, crate)", True),
        ("ask on(each thing on crate, crate)", "ask on(each thing, crate)", False),
        ("on(each thing on table, crate)", "on(each thing on table, crate)", False),
        ("inside(each thing on crate, crate)", "inside(each thing on crate, crate)", False),
        ("not on(the cup on crate, crate)", "not on(the cup on crate, crate)", False),
        ("closed(crate)", "closed(crate)", False),
    ],
)
def test_a_filter_that_repeats_its_clause(text: str, plain: str, nothing: bool) -> None:
    clause = parse_clause(text)
    assert str(clause.without_repetition()) == plain
    assert clause.says_nothing is nothing


def test_goals_are_the_same_in_any_order_and_without_repetition() -> None:
    clauses = ["not on(each thing on crate, crate)", "closed(oven)"]
    goal = parse_description(clauses)
    assert goal.same_as(parse_description(["closed(oven)", "not on(each thing, crate)"]))
    assert not goal.same_as(parse_description(["closed(oven)"]))
    assert not goal.same_as(parse_description(["not on(each thing, crate)", "then closed(oven)"]))
