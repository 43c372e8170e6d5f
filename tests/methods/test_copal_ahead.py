"""Planning ahead: commands that are still valid run while the language model is asked."""

from __future__ import annotations

from slow_planner import Timed
from symbolic_bar import MOJITO, BlindVision, Events, SymbolicBar, bar_domain

from regrasp.core.event import Event, PlanMade, StepStarted
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.copal import copal
from regrasp.methods.method import Assignment
from regrasp.models.budget import Meter
from regrasp.models.metered import CallRecord, MeteredLanguage


def test_valid_commands_run_while_the_planner_thinks_and_the_drink_is_the_same() -> None:
    waits, ahead = (Timed("copal-h2", value, "a mojito") for value in (False, True))
    assert waits.claim.done and ahead.claim.done
    assert ahead.bar.content("first_glass") == waits.bar.content("first_glass") == MOJITO
    assert ahead.bar.ran == waits.bar.ran  # the same commands, in the same order
    assert not waits.overlapping and ahead.overlapping


def one_run(events: Events) -> SymbolicBar:
    bar = SymbolicBar()

    def observe(record: CallRecord) -> None:
        events(PlanMade("call", record.request.purpose, ()))

    model = MeteredLanguage(ScriptedModel(), Meter(), observe=observe)
    given = Assignment("a mojito", bar, bar_domain(), model, BlindVision(), events)
    assert copal(given, repair=False, ahead=True).done
    return bar


def test_the_trace_does_not_depend_on_who_is_quicker() -> None:
    first, second = Events(), Events()
    one_run(first)
    one_run(second)
    kinds: list[list[type[Event]]] = [list(map(type, one.all)) for one in (first, second)]
    assert first.all == second.all and kinds[0].count(StepStarted) > 1


def test_a_valid_command_that_fails_makes_the_prepared_plan_void() -> None:
    failures = ["slipped"]

    def once(bar: SymbolicBar, action: object) -> Feedback | None:
        why = failures.pop() if failures else ""
        level, code = FeedbackLevel.PHYSICAL, FailureCode.NOT_GRASPED
        return (
            Feedback(level, code, f"It {why}.", "The fingers closed on nothing.") if why else None
        )

    bar, events = SymbolicBar(once), Events()
    given = Assignment("a mojito", bar, bar_domain(), ScriptedModel(), BlindVision(), events)
    claim = copal(given, repair=False, ahead=True)
    assert claim.done and bar.content("first_glass") == MOJITO
