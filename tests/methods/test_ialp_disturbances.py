"""IALP in an apartment without physics: what goes wrong is observed, the next action mends it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symbolic_bar import BlindVision, Events, SymbolicBar

from regrasp.core.action import Action, SkillSpec
from regrasp.core.claim import Claim
from regrasp.core.event import PersonAsked
from regrasp.core.fact import Fact, State
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.grounded import Grounded
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.apartment import apartment_skills
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.ialp import ialp
from regrasp.methods.method import Assignment
from regrasp.models.cancel import CancelToken
from regrasp.models.language import Completion, Completions, Request

KNOWN = (
    ObjectDescription("book", "book"),
    ObjectDescription("pill_box", "box"),
    ObjectDescription("black_table", "table"),
    ObjectDescription("bookshelf", "shelf"),
    ObjectDescription("drawer", "drawer"),
    ObjectDescription("person", "person"),
)
SHELVE = "take the book on the black table and put it on the bookshelf"
FETCH = "bring the pill box from the drawer to the person"
ALERT = SkillSpec("alert", ("thing",), "call a person")


class Rooms(SymbolicBar):
    """The robot; it can always call a person."""

    def skills(self) -> tuple[SkillSpec, ...]:
        return (*super().skills(), ALERT)


@dataclass
class Looks:
    """Grounds every predicate in the truth of the rooms; nothing is seen in a shut drawer."""

    rooms: SymbolicBar
    predicates: tuple[str, ...] = (
        "find", "at", "detected", "graspable", "placeable", "reachable", "on", "in", "opened",
        "holding",
    )  # fmt: skip

    def look(self) -> None:
        return None

    def expect(self, facts: State, wanted: State = frozenset()) -> None:
        self.rooms.truth |= {Fact.of("find", one.args[0]) for one in facts}

    def can_ground(self, fact: Fact) -> bool:
        return fact.predicate not in ("on", "in") or fact in self.rooms.truth

    def ground(self, fact: Fact) -> Grounded:
        return Grounded(fact, fact in self.rooms.truth, "it is so.")


def rooms(*facts: Fact, **options: object) -> Rooms:
    found = {Fact.of("find", one.name) for one in KNOWN if one.name != "pill_box"}
    domain = apartment_skills(frozenset({*found, *facts}))
    return Rooms(domain=domain, known=KNOWN, **options)  # type: ignore[arg-type]


def run(
    robot: Rooms, instruction: str, events: Events, model: ScriptedModel | None = None
) -> Claim:
    known = replace(robot.domain, init=frozenset(f for f in robot.truth if f.predicate != "in"))
    model, vision = model or ScriptedModel(), BlindVision()
    return ialp(
        Assignment(instruction, robot, known, model, vision, events, grounding=Looks(robot))
    )


def once(name: str, code: FailureCode, *lost: Fact):  # type: ignore[no-untyped-def]
    """The first skill of that name fails, and some facts are true no longer."""
    failed: list[Action] = []

    def breaks(robot: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != name or failed:
            return None
        failed.append(action)
        robot.truth -= set(lost)
        return Feedback(FeedbackLevel.PHYSICAL, code, f"Could not {action}.")

    return breaks


def test_a_thing_that_was_moved_is_looked_for_again() -> None:
    seen = Fact.of("detected", "book"), Fact.of("reachable", "book")
    robot = rooms(
        Fact.of("on", "book", "black_table"), breaks=once("grasp", FailureCode.NOT_GRASPED, *seen)
    )
    claim = run(robot, SHELVE, Events())
    assert claim.done and Fact.of("on", "book", "bookshelf") in robot.truth
    names = [str(one) for one in robot.tried]
    missed = names.index("grasp(book)")
    assert names[missed + 1 : missed + 4] == ["scan(book)", "adjust(book)", "grasp(book)"]


def test_a_drawer_that_jams_is_grasped_and_pulled_again() -> None:
    slipped = once("pull", FailureCode.RESISTED, Fact.of("holding", "drawer"))
    robot = rooms(Fact.of("in", "pill_box", "drawer"), breaks=slipped)
    claim = run(robot, FETCH, Events())
    assert claim.done and Fact.of("holding", "pill_box") in robot.truth
    names = [one.name for one in robot.tried if one.args == ("drawer",)]
    assert names == ["move", "scan", "adjust", "grasp", "pull", "grasp", "pull"]


def test_a_thing_that_does_not_exist_is_for_a_person() -> None:
    robot, events = rooms(), Events()
    claim = run(robot, "put the pill box on the black table", events)
    assert not claim.done and "a person is needed" in claim.reason
    assert [str(one) for one in robot.tried] == ["alert(pill_box)"]
    assert "I cannot go on" in str(events.of(PersonAsked)[0])


class Timid(ScriptedModel):
    """Declines as long as the pill box is not in the prompt."""

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        if any("pill_box" in one.content for one in request.messages):
            return super().respond(request, cancel)
        return Completions((Completion("Cannot: no action leads to the goal"),))


def test_where_the_model_declines_it_is_asked_again_over_all_known_objects() -> None:
    robot, events = rooms(Fact.of("on", "book", "black_table")), Events()
    claim = run(robot, SHELVE, events, Timid())
    assert claim.done and Fact.of("on", "book", "bookshelf") in robot.truth
    assert not events.of(PersonAsked)
    assert "alert" not in {one.name for one in robot.tried}


def test_an_action_that_failed_three_times_is_tried_again_later() -> None:
    missed: list[Action] = []

    def breaks(robot: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != "grasp" or len(missed) == 3:
            return None
        missed.append(action)
        robot.truth -= {Fact.of("reachable", "book")}
        return Feedback(FeedbackLevel.PHYSICAL, FailureCode.NOT_GRASPED, f"Could not {action}.")

    robot = rooms(Fact.of("on", "book", "black_table"), breaks=breaks)
    claim = run(robot, SHELVE, Events())
    assert claim.done and len(missed) == 3
    names = [str(one) for one in robot.tried]
    assert names.count("grasp(book)") == 4 and names.count("move(book)") == 2  # from elsewhere
