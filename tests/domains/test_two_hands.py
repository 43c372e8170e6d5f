"""The domain of two hands: what each command needs, what it changes, and what failures show."""

from __future__ import annotations

import pytest

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal, State, parse_literals
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.domains.rules import Rules
from regrasp.domains.two_hands import two_hands_domain

KNOWN = tuple(
    ObjectDescription(name, kind)
    for name, kind in {
        "table": "table", "shelf": "shelf", "fridge": "refrigerator", "oven": "oven",
        "gin_bottle": "bottle", "milk_bottle": "bottle", "ice_bowl": "bowl", "glass": "glass",
        "other_glass": "glass", "dough": "dough", "b1": "block", "b2": "block", "b3": "block",
    }.items()
)  # fmt: skip


def state(*texts: str) -> State:
    return frozenset(literal.fact for literal in parse_literals(*texts))


START = state(
    "on(gin_bottle, shelf)", "capped(gin_bottle)", "contains(gin_bottle, gin)",
    "inside(milk_bottle, fridge)", "capped(milk_bottle)", "contains(milk_bottle, milk)",
    "on(ice_bowl, table)", "contains(ice_bowl, ice)", "on(glass, table)", "empty(glass)",
    "on(other_glass, table)", "empty(other_glass)", "on(dough, table)", "empty(dough)",
    "on(b1, table)", "on(b2, b1)", "on(b3, table)",
)  # fmt: skip
DOMAIN = two_hands_domain(START, ("gin", "milk", "ice"))
RULES = DOMAIN.rules(KNOWN)


def action(text: str) -> Action:
    name, _, args = text.removesuffix(")").partition("(")
    return Action(name, tuple(arg for arg in args.split(", ") if arg))


def after(rules: Rules, now: State, *texts: str) -> State:
    """The state after actions that are all possible."""
    for text in texts:
        assert not rules.unmet_preconditions(action(text), now), text
        now = rules.successor(now, action(text))
    return now


TAKEN = ("get(gin_bottle, shelf, left_hand)", "unscrew(gin_bottle)")


@pytest.mark.parametrize(
    ("done", "then", "unmet"),
    [
        ((), "get(gin_bottle, table, left_hand)", {"on(gin_bottle, table)"}),
        ((), "get(milk_bottle, fridge, left_hand)", {"open(fridge)"}),
        ((), "get(b1, table, left_hand)", {"not on(b2, b1)"}),
        (TAKEN[:1], "get(b2, b1, left_hand)", {"free(left_hand)"}),
        ((), "put(glass, table)", {"holding(left_hand, glass)", "holding(right_hand, glass)"}),
        (TAKEN[:1], "put(gin_bottle, fridge)", {"open(fridge)"}),
        (("get(b3, table, left_hand)",), "put(b3, b1)", {"not on(b2, b1)"}),
        (TAKEN[:1], "pour(gin_bottle, glass)", {"not capped(gin_bottle)"}),
        ((), "unscrew(gin_bottle)",
         {"holding(left_hand, gin_bottle)", "holding(right_hand, gin_bottle)"}),
        ((*TAKEN[:1], "get(glass, table, right_hand)"), "unscrew(gin_bottle)",
         {"free(left_hand)", "free(right_hand)"}),
        ((*TAKEN[:1], "get(glass, table, right_hand)"), "open_door(fridge)",
         {"free(left_hand)", "free(right_hand)"}),
        ((), "close_door(fridge)", {"open(fridge)"}),
        (("open_door(fridge)", "get(glass, table, left_hand)", "put(glass, fridge)", *TAKEN),
         "pour(gin_bottle, glass)", {"not inside(glass, fridge)"}),
    ],
)  # fmt: skip
def test_what_a_command_needs(done: tuple[str, ...], then: str, unmet: set[str]) -> None:
    now = after(RULES, DOMAIN.init, *done)
    schema, binding = RULES.bind(action(then))
    found = RULES.unmet_literals(schema.precondition, now, binding)
    assert set(map(str, found)) == unmet


def test_a_thing_is_in_one_place_or_in_one_hand() -> None:
    held = after(RULES, DOMAIN.init, "get(glass, table, right_hand)")
    assert Fact.of("holding", "right_hand", "glass") in held
    assert not {Fact.of("on", "glass", "table"), Fact.of("free", "right_hand")} & held
    put = after(RULES, held, "open_door(oven)", "put(glass, oven)")
    assert {Fact.of("inside", "glass", "oven"), Fact.of("free", "right_hand")} <= put
    assert Fact.of("on", "glass", "oven") not in put


def test_pouring_moves_a_mixture() -> None:
    now = after(RULES, DOMAIN.init, *TAKEN, "pour(gin_bottle, glass)",
                "get(ice_bowl, table, right_hand)", "pour(ice_bowl, glass)",
                "put(ice_bowl, table)", "get(glass, table, right_hand)",
                "pour(glass, other_glass)")  # fmt: skip
    assert {Fact.of("contains", "other_glass", s) for s in ("gin", "ice")} <= now
    assert Fact.of("empty", "other_glass") not in now


def test_a_dough_is_baked_by_waiting_in_a_hot_closed_oven() -> None:
    done = ["open_door(oven)", "get(dough, table, left_hand)", "put(dough, oven)"]
    baked = Fact.of("baked", "dough")
    cold = after(RULES, DOMAIN.init, *done, "close_door(oven)", "wait()")
    ajar = after(RULES, DOMAIN.init, *done, "finger_push(oven)", "wait()")
    hot = after(RULES, DOMAIN.init, *done, "close_door(oven)", "finger_push(oven)", "wait()")
    assert (baked in cold, baked in ajar, baked in hot) == (False, False, True)
    assert Fact.of("switched_on", "oven") not in after(RULES, hot, "finger_push(oven)")


def test_reports_of_an_empty_bottle_and_a_full_glass_are_facts() -> None:
    poured = Action("pour", ("gin_bottle", "glass", "40"))
    concerned = (Literal.of("empty", "gin_bottle", positive=False),
                 Literal.of("empty", "glass", positive=False),
                 Literal.of("full", "glass", positive=False))  # fmt: skip
    for code, fact in (
        (FailureCode.EMPTY, Fact.of("empty", "gin_bottle")),
        (FailureCode.OVERFLOW, Fact.of("full", "glass")),
    ):
        stopped = Feedback(FeedbackLevel.PHYSICAL, code, "the flow stopped")
        report = SkillReport(poured, Outcome.FAILED, 3.0, stopped)
        assert DOMAIN.shown_facts(report) == (fact,)
        assert DOMAIN.denied_literals(report, concerned) == (Literal(fact, False),)
        assert DOMAIN.explains(report)


def test_every_predicate_can_be_said_and_read_back() -> None:
    entries = {entry.predicate for entry in DOMAIN.lexicon.entries}
    assert entries == {predicate.name for predicate in DOMAIN.domain.predicates}
    for text in ("holding(left_hand, glass)", "free(right_hand)", "contains(glass, gin)",
                 "capped(gin_bottle)", "on(b2, b1)", "inside(milk_bottle, fridge)",
                 "switched_on(oven)", "full(glass)", "empty(glass)", "baked(dough)",
                 "open(fridge)"):  # fmt: skip
        (literal,) = parse_literals(text)
        for one in (literal, literal.opposite):
            statement = DOMAIN.lexicon.statement(one)
            assert DOMAIN.lexicon.parse_literal(statement, RULES) == one, statement
            question = DOMAIN.lexicon.question_for(one)
            assert DOMAIN.lexicon.parse_literal(question.text, RULES) == question.yes


def test_what_is_seen_in_a_hand_is_no_longer_where_it_was() -> None:
    seen = Literal.of("holding", "left_hand", "gin_bottle")
    now = DOMAIN.lexicon.update_state(DOMAIN.init, seen, RULES)
    assert seen.fact in now
    assert not {Fact.of("on", "gin_bottle", "shelf"), Fact.of("free", "left_hand")} & now
    lost = DOMAIN.lexicon.update_state(now, seen.opposite, RULES)
    assert {Fact.of("free", "left_hand"), Fact.of("on", "gin_bottle", "table")} <= lost


def test_commands_take_quantities_and_may_leave_out_the_hand() -> None:
    assert DOMAIN.skill(action("pour(gin_bottle, glass)")).args[-1] == "40"
    assert DOMAIN.describe(action("pour(gin_bottle, glass, 15)")) == (
        "pour 15 ml from the gin_bottle into the glass"
    )
    assert DOMAIN.describe(action("wait(3)")) == "wait for 3 s"
    assert DOMAIN.optional == {"get": 1}
