"""CoPAL when the robot refuses: another place, another hand, and no command twice in vain."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
from refusing_bar import Refusals
from symbolic_bar import MOJITO, BlindVision, Breaks, Events, SymbolicBar, bar_domain
from test_copal import Ran, Replies

from regrasp.core.action import Action
from regrasp.core.answer import Verdict
from regrasp.core.event import ReplanLevel, Replanned
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.domains.two_hands import HANDS
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.models.vision import Answer

BACK = frozenset(("put", "rum_bottle", "shelf", hand) for hand in ("left_hand", "right_hand"))


def puts(bar: SymbolicBar, name: str) -> list[str]:
    return [one.args[1] for one in bar.tried if one.name == "put" and one.args[0] == name]


@pytest.mark.parametrize("method", ["copal", "copal-mh1", "copal-h1", "copal-h2"])
def test_what_cannot_be_put_back_is_put_elsewhere_before_anything_else_is_taken(
    method: str,
) -> None:
    ran = Ran(method, breaks=Refusals(0, always=BACK))
    assert ran.claim.done and ran.served and ran.bar.content("first_glass") == MOJITO
    assert puts(ran.bar, "rum_bottle") == ["shelf", "table"]
    tried = [str(one) for one in ran.bar.tried]
    failed = tried.index("put(rum_bottle, shelf)")
    assert tried[failed + 1] == "put(rum_bottle, table)"
    assert "holding" not in {one.predicate for one in ran.bar.truth}


def test_rules_put_down_what_the_planner_forgot() -> None:
    def commands(number: int) -> str:
        lines = {
            1: ["get(rum_bottle, shelf)", "put(rum_bottle, shelf)", "get(first_glass, table)"],
            2: ["get(first_glass, table)"],
        }
        written = [*lines[min(number, 2)], "put(first_glass, tray)"]
        return "\n".join(["Thought: go", *(f"{i}. {one}" for i, one in enumerate(written, 1))])

    says, model = "put the first_glass on the tray", Replies({"commands": commands})
    ran = Ran(says=says, breaks=Refusals(0, always=BACK), model=model)
    assert ran.claim.done and puts(ran.bar, "rum_bottle") == ["shelf", "table"]
    mended = [one.commands for one in ran.events.of(Replanned) if one.level is ReplanLevel.MID]
    assert ("put rum_bottle table",) in mended


def test_a_thing_that_changed_hands_before_the_put_failed_is_believed_where_it_is() -> None:
    one_hand = frozenset({("put", "rum_bottle", "shelf", "left_hand")})
    both = Ran(breaks=Refusals(0, always=BACK))
    handed = Ran(breaks=Refusals(0, always=one_hand))
    for ran in (both, handed):
        assert ran.claim.done and ran.claim.believed is not None
        held = {one for one in ran.claim.believed if one.predicate == "holding"}
        assert held == {one for one in ran.bar.truth if one.predicate == "holding"}
    assert puts(handed.bar, "rum_bottle") == ["shelf"]  # the robot changed hands by itself


def test_a_loss_that_the_report_does_not_name_is_felt() -> None:
    lost: list[Action] = []

    def slips(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != "unscrew" or lost:
            return None
        lost.append(action)
        bar.truth -= {Fact.of("holding", "left_hand", "rum_bottle")}
        bar.truth |= {Fact.of("free", "left_hand"), Fact.of("on", "rum_bottle", "table")}
        return Feedback(FeedbackLevel.PHYSICAL, FailureCode.UNREACHED, "The cap was missed.")

    ran = Ran(breaks=slips)
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO
    taken = [
        one.args[1] for one in ran.bar.tried if one.name == "get" and one.args[0] == "rum_bottle"
    ]
    assert taken == ["shelf", "table"] and ran.replans(ReplanLevel.HIGH) == 1


def test_no_command_is_refused_twice_in_the_same_situation() -> None:
    for seed in range(6):
        seen: list[tuple[Action, frozenset[Fact]]] = []
        refusals = Refusals(seed, reach=0.1, way=0.1, slips=0.02)

        def breaks(
            bar: SymbolicBar, action: Action, refusals: Refusals = refusals,
            seen: list[tuple[Action, frozenset[Fact]]] = seen,
        ) -> Feedback | None:  # fmt: skip
            found = refusals(bar, action)
            if found is not None and found.code is not FailureCode.DROPPED:
                seen.append((action, bar.truth))
            return found

        ran = Ran(breaks=breaks)
        assert ran.claim.done and ran.bar.content("first_glass") == MOJITO, seed
        assert len(set(seen)) == len(seen), seed


def test_a_pour_that_is_tried_again_keeps_its_quantity() -> None:
    failed: list[Action] = []

    def left_short(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != "pour" or action.args[0] != "rum_bottle" or failed:
            return None
        failed.append(action)
        error = "The left_hand finds no way."
        return Feedback(FeedbackLevel.PHYSICAL, FailureCode.JOINT_LIMIT, error)

    ran = Ran(breaks=left_short)
    poured = [
        one.args[2] for one in ran.bar.ran if one.name == "pour" and one.args[0] == "rum_bottle"
    ]
    assert ran.claim.done and poured == ["50"]


def test_what_every_hand_failed_at_is_tried_again_after_a_change() -> None:
    left = ["left_hand", "right_hand"]

    def at_first(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != "pour" or action.args[0] != "rum_bottle":
            return None
        hand = next(one for one in HANDS if Fact.of("holding", one, "rum_bottle") in bar.truth)
        if hand not in left:
            return None
        left.remove(hand)
        error = f"The {hand} finds no way."
        return Feedback(FeedbackLevel.PHYSICAL, FailureCode.JOINT_LIMIT, error)

    ran = Ran(breaks=at_first)
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO
    tried = [str(one) for one in ran.bar.tried]
    pours = [i for i, one in enumerate(tried) if one.startswith("pour(rum_bottle")]
    assert len(pours) == 3 and all(b > a + 1 for a, b in itertools.pairwise(pours))


@dataclass
class SeesTheTray(BlindVision):
    """Sees truly what is on the tray, and nothing else."""

    bar: SymbolicBar | None = None

    def answer(self, images: object, question: str, **options: object) -> Answer:  # type: ignore[override]
        if "on the tray?" not in question or self.bar is None:
            return Answer(Verdict.UNKNOWN, "unknown")
        served = any(one.args[1:] == ("tray",) for one in self.bar.truth if one.predicate == "on")
        return Answer(Verdict.YES if served else Verdict.NO, "")


def test_a_glass_that_does_not_arrive_is_seen_and_served_again() -> None:
    fell: list[Action] = []

    def falls(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name == "get" and action.args[0] == "first_glass":
            fell.append(action)
        return None

    class Slippery(SymbolicBar):
        def start(self, action: Action) -> object:  # type: ignore[override]
            run = super().start(action)
            step = run.step

            def stepped() -> bool:
                more = step()
                if not more and str(action) == "put(first_glass, tray)" and len(fell) == 1:
                    self.truth -= {Fact.of("on", "first_glass", "tray")}
                    self.truth |= {Fact.of("on", "first_glass", "table")}
                return more

            run.step = stepped  # type: ignore[method-assign]
            return run

    breaks: Breaks = falls
    bar, events = Slippery(breaks), Events()
    seeing = SeesTheTray(bar)
    given = Assignment("a mojito", bar, bar_domain(), ScriptedModel(), seeing, events)
    assert open_method("copal")(given).done
    assert puts(bar, "first_glass") == ["tray", "tray"]
    assert Fact.of("on", "first_glass", "tray") in bar.truth
