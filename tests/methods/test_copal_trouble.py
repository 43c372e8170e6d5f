"""CoPAL in trouble: a test for each thing that may go wrong at a bar, the last with physics."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from symbolic_bar import BlindVision, Events, SymbolicBar, bar_domain
from test_copal import Partner, Ran, Replies

from regrasp.core.action import Action
from regrasp.core.event import CommandChecked, ReplanLevel
from regrasp.core.fact import Fact
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.domains.two_hands import two_hands_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.chat import Chat
from regrasp.methods.copal import copal
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from small_bar import run, small_kitchen


def physical(code: FailureCode, error: str, *evidence: Evidence) -> Feedback:
    return Feedback(FeedbackLevel.PHYSICAL, code, error, "", "", evidence)


def test_a_command_that_does_not_exist_is_answered_with_the_closest() -> None:
    def commands(number: int) -> str:
        first = "gett(first_glass, table)" if number == 1 else "get(first_glass, table)"
        return f"Thought: go\n1. {first}\n2. put(first_glass, tray)"

    ran = Ran(says="put the first_glass on the tray", model=Replies({"commands": commands}))
    wrong = next(one.feedback for one in ran.events.of(CommandChecked) if one.feedback)
    assert wrong.level in (FeedbackLevel.SYNTAX, FeedbackLevel.SEMANTIC)
    assert wrong.suggestion.startswith("Write get ")
    assert ran.claim.done and ran.served and ran.replans(ReplanLevel.HIGH) == 1


def test_a_missing_ingredient_is_named_and_nothing_moves() -> None:
    told = bar_domain()
    domain = replace(told, init=told.init - {Fact.of("contains", "mint_bowl", "mint")})
    bar = SymbolicBar(domain=domain)
    claim = copal(Assignment("a mojito", bar, domain, ScriptedModel(), BlindVision(), Events()))
    assert not claim.done and "needs mint" in claim.reason and not bar.tried


def test_an_empty_bottle_is_noticed_by_its_flow_and_refused() -> None:
    def empty(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != "pour" or action.args[0] != "rum_bottle":
            return None
        return physical(FailureCode.EMPTY, "0 ml came out.", Evidence("poured", 0.0, "ml"))

    ran = Ran(breaks=empty)
    assert not ran.claim.done and "needs rum" in ran.claim.reason
    assert sum(one.name == "pour" for one in ran.bar.tried) == 1  # it does not pour air again
    assert not ran.bar.content("first_glass")


def test_a_locked_fridge_ends_in_a_refusal_that_says_so() -> None:
    def locked(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != "open_door":
            return None
        return physical(FailureCode.RESISTED, "The handle did not follow: it is locked.")

    ran = Ran(says="a gin and tonic", breaks=locked)
    assert not ran.claim.done and "it is locked" in ran.claim.reason
    assert ran.replans(ReplanLevel.HIGH) == 5 and not ran.served
    assert ran.bar.content("first_glass") <= {"gin", "ice_cubes"}


@pytest.mark.parametrize("method", ["copal", "copal-h1"])
def test_with_both_hands_full_something_is_put_down_first(method: str) -> None:
    held = {Fact.of("holding", "left_hand", "rum_bottle")}
    held |= {Fact.of("holding", "right_hand", "salt_bottle")}
    gone = {Fact.of("free", "left_hand"), Fact.of("free", "right_hand")}
    gone |= {Fact.of("on", one, "shelf") for one in ("rum_bottle", "salt_bottle")}
    domain = replace(bar_domain(), init=(bar_domain().init - gone) | held)
    bar = SymbolicBar(domain=domain)
    given = Assignment(
        "put the mint_bowl on the tray", bar, domain, ScriptedModel(), BlindVision(), Events()
    )
    assert open_method(method)(given).done
    assert Fact.of("on", "mint_bowl", "tray") in bar.truth
    put_down = [one.args[0] for one in bar.ran if one.name == "put"]
    assert put_down[0] in ("rum_bottle", "salt_bottle")


@dataclass
class StopsAPour(Partner):
    """Says stop when some of it is in the glass."""

    world: KitchenWorld | None = None

    def interjection(self, seconds: float) -> str:
        due = self.world is not None and self.world.liquids.volume("glass") > 15.0
        return self.timed.pop(0)[1] if due and self.timed else ""


def test_stop_in_mid_pour_spills_nothing_that_the_judge_does_not_know_of() -> None:
    world, robot = small_kitchen()
    run(robot, "get", "gin_bottle", "table", "left_hand")
    world.liquids.set_cap("gin_bottle", False)
    told = {Fact.of("contains", "gin_bottle", "gin"), Fact.of("holding", "left_hand", "gin_bottle")}
    told |= {Fact.of("on", "glass", "table"), Fact.of("empty", "glass")}
    domain = two_hands_domain(frozenset(told), ("gin",))
    domain = replace(domain, init=domain.init - {Fact.of("free", "left_hand")})
    before = world.liquids.volume("gin_bottle")
    partner = StopsAPour(["pour 150 ml of gin into the glass"], [(0.0, "stop")], world=world)
    chat = Chat(partner)
    step = "1. Pour 150 ml of gin from gin_bottle into glass"
    model = Replies({"specify": lambda n: f"Goal: g\nObjects: glass\nState: s\nSteps:\n{step}"})
    chat.run(Assignment("", robot, domain, model, BlindVision(), Events()))
    assert partner.heard == ["I stopped, as you said"]
    in_glass, spilt = world.liquids.volume("glass"), sum(world.liquids.spilt().values())
    assert 15.0 < in_glass < 40.0 and spilt == 0.0
    assert world.liquids.volume("gin_bottle") + in_glass + spilt == pytest.approx(before)
