"""Facts in words and back, over every phrasing; and what an answer changes in a belief."""

from __future__ import annotations

from dataclasses import replace

import pytest

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact, Literal, State
from regrasp.domains.household import TASKS, household_domain, household_lexicon, household_problem
from regrasp.domains.lexicon import Access, Lexicon, PredicateQuestion
from regrasp.domains.pddl_read import PddlError
from regrasp.domains.rules import Rules
from regrasp.lab.vision.wording import WORDINGS, Topic
from regrasp.planners.classical import plan

LEXICON = household_lexicon()
DOMAIN = household_domain()


def rules_of(task: str) -> Rules:
    return Rules.of(DOMAIN, household_problem(task))


def fact(text: str) -> Fact:
    name, *args = text.split()
    return Fact(name, tuple(args))


@pytest.mark.parametrize("task", TASKS)
def test_every_phrasing_of_every_fact_reads_back(task: str) -> None:
    rules, seen = rules_of(task), 0
    for predicate in DOMAIN.predicates:
        for one in rules.facts(predicate.name):
            for asking in LEXICON.questions_for(one):
                for text in (asking.text, asking.text.lower().replace("_", " ").rstrip("?")):
                    assert LEXICON.parse_literal(text, rules) == asking.yes, text
                    seen += 1
            for so in (True, False):
                literal = Literal(one, so)
                assert LEXICON.parse_literal(LEXICON.statement(literal), rules) == literal
    assert seen > 100


def test_every_predicate_has_several_phrasings() -> None:
    assert [e.predicate for e in LEXICON.entries] == [p.name for p in DOMAIN.predicates]
    for entry in LEXICON.entries:
        forms = (*entry.questions, *entry.negated_questions)
        assert len(set(forms)) == len(forms) >= 3, entry.predicate


def test_the_classes_are_those_of_the_paper() -> None:
    of = {access: {e.predicate for e in LEXICON.entries if e.access is access} for access in Access}
    assert of[Access.GROUNDED] == {"handempty", "inhand", "hot"}
    assert of[Access.ASSUMED] == {"turnedon", "filled", "inroom", "insource"}
    better = LEXICON.with_access(Access.SEEN, "filled", "turnedon")
    assert better.access("filled") is Access.SEEN and LEXICON.access("filled") is Access.ASSUMED
    with pytest.raises(UnknownNameError, match="Did you mean 'filled'"):
        LEXICON.with_access(Access.SEEN, "filed")


def test_agents_ask_so_that_yes_is_what_they_hope_for() -> None:
    shut = fact("closed cabinet")
    opened = LEXICON.question_for(Literal(shut, False))
    assert opened == PredicateQuestion("Is the cabinet open?", Literal(shut, False))
    assert opened.means(True) == Literal(shut, False) and opened.means(False) == Literal(shut)
    assert LEXICON.question_for(Literal(shut)).text == "Is the cabinet closed?"
    gone = LEXICON.question_for(Literal(fact("inside mug cabinet"), False))
    assert gone == PredicateQuestion(
        "Is the mug inside the cabinet?", Literal(fact("inside mug cabinet"))
    )


LEARNT = {
    "inview": (Topic.SEEN, None),
    "inhand": (Topic.HELD, None),
    "handempty": (None, Topic.ANY_HELD),
    "closed": (Topic.CLOSED, Topic.OPEN),
    "inside": (Topic.INSIDE, None),
    "ontop": (Topic.ON, None),
    "onfloor": (Topic.ON, None),
    "filled": (Topic.FILLED, Topic.EMPTY),
    "turnedon": (Topic.TURNED_ON, Topic.TURNED_OFF),
    "cooked": (Topic.COOKED, Topic.RAW),
    "hot": (Topic.HOT, Topic.COLD),
    "frozen": (Topic.FROZEN, Topic.THAWED),
    "halved": (Topic.HALVED, Topic.WHOLE),
}
"""What eyes learn to be asked, and the opposite of it."""


@pytest.mark.parametrize("predicate", LEARNT)
def test_what_eyes_learn_is_asked_in_the_same_words(predicate: str) -> None:
    entry = LEXICON.entry(predicate)
    for topic, forms in zip(
        LEARNT[predicate], (entry.questions, entry.negated_questions), strict=True
    ):
        if topic is not None:
            assert forms[0] == WORDINGS[topic][0] and set(forms) <= set(WORDINGS[topic])


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("is the MUG in the cabinet", Literal(fact("inside mug cabinet"))),
        ("Is the mug on the floor?", Literal(fact("onfloor mug floor"))),
        ("Is the mug in the kitchen?", Literal(fact("inroom mug kitchen"))),
        ("Is the microwave on?", Literal(fact("turnedon microwave"))),
        ("Is the robot holding anything?", Literal(fact("handempty"), False)),
        ("Is the robot holding the mug?", Literal(fact("inhand mug"))),
        ("mug is not inside cabinet.", Literal(fact("inside mug cabinet"), False)),
        ("I wonder whether the mug stands in the cabinet.", Literal(fact("inside mug cabinet"))),
        ("Does the cabinet's door stand open?", None),
        ("Is there a mug on the floor?", Literal(fact("onfloor mug floor"))),
        ("Is the cabinet inside the mug?", None),
        ("Is the teapot in the cabinet?", None),
        ("Is the mug heavy?", None),
        ("", None),
    ],
)
def test_types_decide_and_other_text_is_nothing(text: str, literal: Literal | None) -> None:
    assert LEXICON.parse_literal(text, rules_of("boil-water")) == literal


# ---- what an answer changes --------------------------------------------------------------------


def after(task: str, before: State, *learnt: Literal) -> State:
    rules = rules_of(task)
    for literal in learnt:
        before = LEXICON.update_state(before, literal, rules)
    return before


BOIL = household_problem("boil-water").init
HELD = BOIL - {fact("inside mug cabinet"), fact("handempty")} | {fact("inhand mug")}


def test_most_answers_change_one_fact() -> None:
    opened = after("boil-water", BOIL, Literal(fact("closed cabinet"), False))
    assert BOIL - opened == {fact("closed cabinet")} and opened < BOIL
    assert after("boil-water", opened, Literal(fact("closed cabinet"))) == BOIL


def test_what_is_in_the_hand_is_nowhere_else() -> None:
    assert after("boil-water", BOIL, Literal(fact("inhand mug"))) == HELD


def test_what_is_not_in_the_hand_lies_on_the_floor() -> None:
    fallen = after("boil-water", HELD, Literal(fact("inhand mug"), False))
    assert fallen - HELD == {fact("handempty"), fact("onfloor mug floor")}
    assert after("boil-water", HELD, Literal(fact("handempty"))) == fallen
    assert after("boil-water", BOIL, Literal(fact("inhand mug"), False)) == BOIL


def test_it_lies_on_the_floor_of_the_room_the_robot_is_in() -> None:
    problem = household_problem("empty-bottle")
    rules = Rules.of(DOMAIN, problem)
    state = problem.init
    for action in plan(DOMAIN, problem, "search").plan[:2]:
        state = rules.successor(state, action)
    lost = Literal(fact("inhand green_bottle"), False)
    assert fact("onfloor green_bottle wooden_floor") in after("empty-bottle", state, lost)
    carried = rules.successor(state, Action("find", ("tiled_floor",)))
    moved = after("empty-bottle", carried, lost)
    assert {fact("onfloor green_bottle tiled_floor"), fact("inroom green_bottle hall")} <= moved
    assert fact("onfloor green_bottle wooden_floor") not in moved
    assert fact("inroom green_bottle garden") not in moved


def test_a_thing_that_is_not_where_it_was_put_has_fallen_down_unless_it_is_in_the_hand() -> None:
    missed = Literal(fact("inside mug cabinet"), False)
    assert fact("onfloor mug floor") in after("boil-water", BOIL, missed)
    held = Literal(fact("inhand mug"))
    assert after("boil-water", BOIL, missed, held) == HELD
    assert after("boil-water", BOIL, held, missed) == HELD


def test_a_thing_that_is_seen_somewhere_is_there_and_nowhere_else() -> None:
    placed = after("boil-water", HELD, Literal(fact("inside mug microwave")))
    assert placed - HELD == {fact("inside mug microwave"), fact("handempty")}
    assert HELD - placed == {fact("inhand mug")}
    back = after("boil-water", placed, Literal(fact("inside mug cabinet")))
    assert back == BOIL


def test_after_any_answer_there_is_still_a_plan() -> None:
    """A container that fell is given up for the other; a toy is taken up again."""
    problem = household_problem("collect-toys")
    rules, state = Rules.of(DOMAIN, problem), problem.init
    first = plan(DOMAIN, problem, "search").plan
    held = first[1].args[0]
    for action in first[:3]:
        state = rules.successor(state, action)
    lost = LEXICON.update_state(state, Literal(Fact("inhand", (held,)), False), rules)
    again = plan(DOMAIN, replace(problem, init=lost), "search")
    assert len(again.plan) == 12
    assert not any(held in action.args for action in again.plan)


# ---- lexicons that are wrong -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"predicate": "insied"}, UnknownNameError, "Did you mean 'inside'"),
        ({"questions": ()}, RegraspError, "needs a question"),
        ({"questions": ("Is the {a} there?",)}, RegraspError, r"must name \{a\} and \{b\}"),
        ({"if_no": "(not (insid ?a ?b))"}, PddlError, "lexicon, inside, if_no, line 1, column 7"),
    ],
)
def test_a_lexicon_that_is_wrong_says_where(
    changes: dict[str, object], error: type[Exception], message: str
) -> None:
    entry = replace(LEXICON.entry("inside"), **changes)  # type: ignore[arg-type]
    with pytest.raises(error, match=message):
        Lexicon(DOMAIN, (entry,))


def test_a_predicate_has_one_entry() -> None:
    with pytest.raises(RegraspError, match="two entries for 'inview'"):
        Lexicon(DOMAIN, (LEXICON.entry("inview"),) * 2)
