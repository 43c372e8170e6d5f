"""What a look confirms: only what every answer since that look says."""

from __future__ import annotations

import pytest

from fake_tabletop import FakeTabletop, FakeVision, Told
from regrasp.core.answer import Verdict
from regrasp.core.event import SCAN
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.grounded import Grounded
from regrasp.domains.tabletop import tabletop_domain
from regrasp.perception.facts import FactObserver, gripper_sensor
from regrasp.perception.observer import Observer

ON_TABLE = Literal(Fact("on", ("red_block", "table")))
ON_FIXTURE = Literal(Fact("on", ("red_block", "fixture")))


@pytest.fixture
def vision() -> FakeVision:
    return FakeVision(FakeTabletop())


@pytest.fixture
def facts(vision: FakeVision) -> FactObserver:
    observer = Observer(vision.robot, vision, Told(vision.robot))
    return FactObserver(observer, tabletop_domain().lexicon, gripper_sensor(vision.robot))


class Depth:
    """A grounding that knows what is on what, as long as it can tell."""

    predicates = ("on",)

    def __init__(self) -> None:
        self.on: set[Fact] = set()
        self.tells, self.looks = True, 0

    def look(self) -> None:
        self.looks += 1

    def expect(self, facts: State) -> None:
        raise AssertionError("nobody said where anything is")

    def can_ground(self, fact: Fact) -> bool:
        return self.tells

    def ground(self, fact: Fact) -> Grounded:
        return Grounded(fact, fact in self.on, "by its depth.")


def test_a_yes_confirms_a_literal_and_a_no_its_opposite(facts: FactObserver) -> None:
    facts.look()
    assert not facts.confirmed(ON_TABLE)
    facts.ask(ON_TABLE, SCAN)
    facts.ask(ON_FIXTURE, SCAN)
    assert facts.confirmed(ON_TABLE) and facts.confirmed(ON_FIXTURE.opposite)
    assert not facts.confirmed(ON_TABLE.opposite) and not facts.confirmed(ON_FIXTURE)


def test_unknown_confirms_nothing(facts: FactObserver, vision: FakeVision) -> None:
    vision.blind = True
    facts.look()
    facts.ask(ON_TABLE, SCAN)
    assert not facts.confirmed(ON_TABLE) and not facts.confirmed(ON_TABLE.opposite)


def test_answers_that_differ_confirm_nothing(facts: FactObserver, vision: FakeVision) -> None:
    facts.look()
    facts.ask(ON_TABLE, SCAN)
    vision.false_no = 1.0
    facts.ask(ON_TABLE, SCAN, 1)
    assert not facts.confirmed(ON_TABLE) and not facts.confirmed(ON_TABLE.opposite)


def test_what_an_earlier_look_confirmed_is_forgotten(facts: FactObserver) -> None:
    for forget in (facts.look, facts.forget):
        facts.look()
        facts.ask(ON_TABLE, SCAN)
        forget()
        assert not facts.confirmed(ON_TABLE)


def test_what_geometry_tells_is_not_asked_of_the_vision_model(
    facts: FactObserver, vision: FakeVision
) -> None:
    facts.grounding = depth = Depth()
    vision.blind = True
    depth.on = {ON_FIXTURE.fact}  # the vision model would say: on the table
    facts.look()
    assert facts.ask(ON_FIXTURE, SCAN).verdict is Verdict.YES
    assert facts.observe(ON_TABLE) is False
    assert facts.confirmed(ON_TABLE.opposite)
    assert depth.looks == 2  # one for each look


def test_where_geometry_does_not_tell_the_vision_model_is_asked(facts: FactObserver) -> None:
    facts.grounding = depth = Depth()
    depth.tells = False
    facts.look()
    assert facts.ask(ON_TABLE, SCAN).verdict is Verdict.YES
    assert facts.confirmed(ON_TABLE)
