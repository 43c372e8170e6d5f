"""CoPAL at a bar without physics: what each configuration mends, learns, tries again and says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from symbolic_bar import (
    MOJITO,
    BlindVision,
    Breaks,
    Events,
    SymbolicBar,
    bar_domain,
    blocked,
    nothing,
)

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import (
    CommandChecked,
    Layer,
    LayerMessage,
    PlanMade,
    ReplanLevel,
    Replanned,
)
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.goal import parse_goal
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.chat import Chat
from regrasp.methods.copal import copal
from regrasp.methods.method import Assignment
from regrasp.methods.registry import METHODS, open_method
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    LanguageModel,
    Request,
    RequestModel,
)

COPAL = tuple(name for name in METHODS if name.startswith("copal"))
RIGHT = ("right_hand",)
BLOCKED = blocked("lime_slice_bowl", "mint_bowl")


class Ran:
    """One request in one configuration."""

    def __init__(
        self,
        method: str = "copal",
        says: str = "a mojito, please",
        breaks: Breaks = nothing,
        model: LanguageModel | None = None,
    ) -> None:
        self.bar, self.events = SymbolicBar(breaks), Events()
        self.claim: Claim = open_method(method)(
            Assignment(
                says, self.bar, bar_domain(), model or ScriptedModel(), BlindVision(), self.events
            )
        )

    @property
    def served(self) -> bool:
        on_tray = {f.args[0] for f in self.bar.truth if f.predicate == "on" and "tray" in f.args}
        return on_tray == {"first_glass"}

    def replans(self, level: ReplanLevel) -> int:
        return sum(one.level is level for one in self.events.of(Replanned))


def test_a_drink_is_mixed_and_served() -> None:
    ran = Ran()
    assert ran.claim.done and ran.served
    assert ran.bar.content("first_glass") == MOJITO


def test_rules_mend_what_the_commander_forgot() -> None:
    ran = Ran("copal-m")
    assert ran.claim.done and ran.served
    mended = [one for one in ran.events.of(Replanned) if one.level is ReplanLevel.MID]
    assert [one.command for one in mended] == [
        "pour(rum_bottle, first_glass, 50)",
        "pour(soda_water_bottle, first_glass, 80)",
    ]
    assert mended[0].commands == ("unscrew rum_bottle",)
    assert mended[0].feedback.reason == "rum_bottle is closed with its cap."


def test_without_any_level_the_first_error_ends_the_run_and_nothing_moves() -> None:
    ran = Ran("copal-bl")
    assert not ran.claim.done and "rum_bottle is closed with its cap" in ran.claim.reason
    assert not ran.bar.ran
    assert not ran.events.of(Replanned)


def test_without_logic_the_robot_finds_out_what_a_command_needs() -> None:
    ran = Ran("copal-physical")
    assert ran.bar.ran[0].name == "get"  # it begins with a plan that cannot be carried out
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO
    assert all(one.feedback is None for one in ran.events.of(CommandChecked))
    assert ran.replans(ReplanLevel.HIGH) > 0 == ran.replans(ReplanLevel.MID)


@pytest.mark.parametrize("method", ["copal-h1", "copal-h2"])
def test_a_planner_that_is_told_why_corrects_every_later_command_too(method: str) -> None:
    ran = Ran(method)
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO
    assert ran.replans(ReplanLevel.HIGH) == 1  # it learns of caps once, for both bottles
    assert ran.replans(ReplanLevel.MID) == 0


def test_a_planner_that_is_told_the_error_alone_guesses() -> None:
    told, guessed = Ran("copal-h1"), Ran("copal-h0")
    assert guessed.replans(ReplanLevel.HIGH) > told.replans(ReplanLevel.HIGH)


def test_the_planner_is_told_no_more_than_its_configuration_says() -> None:
    said = {
        method: next(
            one.text for one in Ran(method).events.of(LayerMessage) if one.sender is Layer.SEQUENCER
        )
        for method in ("copal-h0", "copal-h1", "copal-h2")
    }
    assert "because" not in said["copal-h0"] and "perhaps" not in said["copal-h0"]
    assert "because" in said["copal-h1"] and "perhaps" not in said["copal-h1"]
    assert "because" in said["copal-h2"] and "perhaps" in said["copal-h2"]


@pytest.mark.parametrize("method", ["copal", "copal-mh1"])
def test_a_robot_that_says_what_is_in_the_way_gets_another_plan(method: str) -> None:
    ran = Ran(method, breaks=BLOCKED)
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO
    assert ran.replans(ReplanLevel.HIGH) == 1
    moved = next(one for one in ran.bar.ran if one.args[0] == "mint_bowl")
    taken = next(one for one in ran.bar.ran if one.args[0] == "lime_slice_bowl")
    assert ran.bar.ran.index(moved) < ran.bar.ran.index(taken)


def test_what_was_set_aside_once_stays_there_in_later_plans() -> None:
    slips = ["ice_cubes_bowl"]

    def also_slips(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name == "get" and action.args[0] in slips:
            slips.clear()
            reason = "The fingers closed on nothing."
            return Feedback(FeedbackLevel.PHYSICAL, FailureCode.NOT_GRASPED, "It slipped.", reason)
        return BLOCKED(bar, action)

    ran = Ran(breaks=also_slips)
    assert ran.claim.done and ran.replans(ReplanLevel.HIGH) == 2
    moved = [one.name for one in ran.bar.ran if one.args[0] == "mint_bowl"]
    assert moved == ["get", "put", "get", "pour", "put"]  # set aside, then used, and no more


def test_rules_alone_cannot_mend_what_the_robot_reports() -> None:
    ran = Ran("copal-m", breaks=BLOCKED)
    assert not ran.claim.done and "lime_slice_bowl" in ran.claim.reason


def test_it_gives_up_after_five_new_plans() -> None:
    def never(bar: SymbolicBar, action: Action) -> Feedback | None:
        reason = "The shoulder is at its limit."
        return Feedback(FeedbackLevel.PHYSICAL, FailureCode.JOINT_LIMIT, "It failed.", reason)

    ran = Ran(breaks=never)
    assert not ran.claim.done and ran.claim.reason.startswith("gave up after 5 new plans: get")
    assert len(ran.bar.tried) == 2  # each hand once: the checker remembers what the robot said
    assert ran.replans(ReplanLevel.HIGH) == 5 and len(ran.events.of(PlanMade)) == 6


def test_the_stages_of_a_request_share_its_new_plans() -> None:
    def at_first(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.args[:1] != ("second_glass",) and len(bar.tried) > 1:
            return None
        reason = "The shoulder is at its limit."
        return Feedback(FeedbackLevel.PHYSICAL, FailureCode.GUARD, "It failed.", reason)

    says = "first put the first_glass on the tray, then put the second_glass on the shelf"
    ran = Ran(says=says, breaks=at_first)
    assert not ran.claim.done and "gave up after 5 new plans" in ran.claim.reason
    assert any(one.args[0] == "second_glass" for one in ran.bar.tried)  # the second stage
    assert ran.replans(ReplanLevel.HIGH) == 5


@pytest.mark.parametrize("method", ["copal", "copal-h1"])
def test_a_hand_that_does_not_reach_a_thing_is_not_used_for_it_again(method: str) -> None:
    def short(bar: SymbolicBar, action: Action) -> Feedback | None:
        if action.name != "get" or action.args[0] != "mint_bowl" or action.args[2:] == RIGHT:
            return None
        error = "Could not get mint_bowl from table: the left_hand would stay 5 cm short."
        return Feedback(
            FeedbackLevel.PHYSICAL, FailureCode.OUT_OF_REACH, error, "With the left_hand."
        )

    ran = Ran(method, breaks=short)
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO
    taken = [
        one.args[2:] for one in ran.bar.tried if one.args[0] == "mint_bowl" and one.name == "get"
    ]
    assert taken == [(), RIGHT]
    other = [one.args for one in ran.bar.tried if one.name == "get" and one.args[0] == "rum_bottle"]
    assert other == [("rum_bottle", "shelf")]  # of other things, the robot chooses the hand


@pytest.mark.parametrize("method", COPAL)
def test_every_configuration_makes_a_claim(method: str) -> None:
    ran = Ran(method, "a gin and tonic without ice")  # the tonic is in a closed fridge
    assert ran.claim.done is (ran.bar.content("first_glass") == {"gin", "tonic_water"})
    assert ran.claim.believed is not None


def test_a_request_about_the_scene_needs_no_recipe() -> None:
    ran = Ran(says="put the second_glass on the tray")
    assert ran.claim.done
    assert [str(one) for one in ran.bar.ran] == [
        "get(second_glass, table)",
        "put(second_glass, tray)",
    ]


def test_what_is_wanted_and_unwanted_is_heard() -> None:
    ran = Ran(says="make me a mojito without mint and ice cubes")
    assert ran.bar.content("first_glass") == MOJITO - {"mint", "ice_cubes"}
    with_lime = Ran(says="a gin and tonic with a lime slice")
    assert with_lime.bar.content("first_glass") == {"gin", "tonic_water", "ice_cubes", "lime_slice"}


def test_a_slip_of_the_pen_is_read_as_the_recipe_it_means() -> None:
    ran = Ran(says="could you make a mojitto cocktail?")
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("a cosmopolitan", "needs vodka and triple_sec and cranberry_juice"),
        ("a zombie", "zombie"),
        ("mix me some gin and coke, please", "I know no recipe for gin and coke"),
        ("i would like a glass of kombucha", "I know no recipe for kombucha"),
        ("fly to the moon", ""),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_moves(says: str, why: str) -> None:
    ran = Ran(says=says)
    assert not ran.claim.done and why in ran.claim.reason
    assert not ran.bar.ran


@pytest.mark.parametrize(
    ("says", "part"),
    [
        ("what cocktails can you make?", "mojito"),
        ("do you have any gin?", "gin_bottle"),
        ("what did you do?", "not done anything"),
        ("hello!", "Hello"),
    ],
)
def test_a_question_is_answered_and_nothing_moves(says: str, part: str) -> None:
    ran = Ran(says=says)
    assert ran.claim.done and part in ran.claim.reason
    assert not ran.bar.ran and not ran.events.of(PlanMade)


# ---- replies that are no good ----------------------------------------------------------------


@dataclass
class Replies(RequestModel):
    """The scripted model, except for some questions."""

    answers: dict[str, Callable[[int], str]]
    asked: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "replies"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        made = self.answers.get(request.purpose)
        if made is None:
            return ScriptedModel().respond(request, cancel)
        number = self.asked[request.purpose] = self.asked.get(request.purpose, 0) + 1
        return Completions((Completion(made(number)),))


@pytest.mark.parametrize("purpose", ["specify", "commands"])
def test_a_planner_that_cannot_be_read_is_refused_in_words(purpose: str) -> None:
    ran = Ran(model=Replies({purpose: lambda number: "certainly! here is what I would do"}))
    assert not ran.claim.done and "could not be read" in ran.claim.reason
    assert not ran.bar.ran


def test_an_interpreter_that_cannot_be_read_passes_on_what_was_said() -> None:
    ran = Ran(model=Replies({"interpret": lambda number: "hm"}))
    assert ran.claim.done and ran.bar.content("first_glass") == MOJITO


def test_a_wrong_command_goes_up_with_the_closest_right_one() -> None:
    def commands(number: int) -> str:
        name = "first_glas" if number == 1 else "first_glass"
        return f"Thought: go\n1. get({name}, table)\n2. put(first_glass, tray)"

    ran = Ran(says="put the first_glass on the tray", model=Replies({"commands": commands}))
    assert ran.claim.done and ran.served and ran.replans(ReplanLevel.HIGH) == 1
    wrong = next(one.feedback for one in ran.events.of(CommandChecked) if one.feedback)
    assert wrong.code is FailureCode.UNKNOWN_NAME and "first_glass" in wrong.suggestion


def test_a_plan_of_what_is_already_so_ends_without_a_motion() -> None:
    replies = {
        "specify": lambda number: (
            "Goal: close the fridge\nObjects: fridge\nState: fridge is closed\nSteps:\n"
            "1. Make sure that fridge is closed"
            if number == 1
            else "Done"
        ),
        "commands": lambda number: "Thought: close it\n1. close_door(fridge)",
    }
    ran = Ran(says="close the fridge", model=Replies(replies))
    assert ran.claim.done and not ran.bar.ran
    assert [one.rules for one in ran.events.of(Replanned)] == [("leave out",)]


@pytest.mark.parametrize(("most", "is_served"), [(1, True), (0, False)])
def test_a_planner_that_overlooks_the_goal_is_told_so(most: int, is_served: bool) -> None:
    def specify(number: int) -> str:
        head = "Goal: serve it\nObjects: first_glass, tray\nState: first_glass is on table"
        steps = "Steps:\n1. Make sure that first_glass is on tray"
        return f"{head}\n{steps}" if number == 2 else "Done"

    bar, events, model = SymbolicBar(nothing), Events(), Replies({"specify": specify})
    says, goal = "put the first_glass on the tray", parse_goal(["on(first_glass, tray)"])
    given = Assignment(says, bar, bar_domain(), model, BlindVision(), events, goal=goal)
    assert copal(given, replans=most).done
    assert (Fact.of("on", "first_glass", "tray") in bar.truth) is is_served
    told = [one.command for one in events.of(Replanned) if one.level is ReplanLevel.HIGH]
    assert told == ["Make sure that first_glass is on tray"] * most


def test_a_recipe_that_is_looked_up_in_vain_is_a_refusal() -> None:
    ran = Ran(model=Replies({"specify": lambda number: "Look up: mojitto"}))
    assert not ran.claim.done
    assert ran.claim.reason == "I know no recipe for mojitto. The closest is mojito."


# ---- talk ------------------------------------------------------------------------------------


@dataclass
class Partner:
    """Says prepared lines, and some at given times."""

    lines: list[str]
    timed: list[tuple[float, str]] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def next(self) -> str | None:
        return self.lines.pop(0) if self.lines else None

    def interjection(self, seconds: float) -> str:
        due = self.timed and seconds >= self.timed[0][0]
        return self.timed.pop(0)[1] if due else ""

    def hear(self, text: str) -> None:
        self.heard.append(text)


def talk(*lines: str, timed: tuple[tuple[float, str], ...] = ()) -> tuple[SymbolicBar, list[str]]:
    bar, partner = SymbolicBar(), Partner(list(lines), list(timed))
    chat = Chat(partner)
    original = bar.start

    def start(action: Action) -> object:
        run = original(action)
        step = run.step

        def recorded() -> bool:
            more = step()
            if not more and run.report is not None:
                chat.record(bar.seconds, run.report)
            return more

        run.step = recorded  # type: ignore[method-assign]
        return run

    bar.start = start  # type: ignore[assignment, method-assign]
    chat.run(Assignment("", bar, bar_domain(), ScriptedModel(), BlindVision(), Events()))
    return bar, partner.heard


def test_a_conversation_is_remembered() -> None:
    bar, heard = talk(
        "what did you do with the gin?",
        "a mojito, please",
        "what did you do with the rum?",
        "the same again",
    )
    assert heard[0] == "I have not done anything yet."
    assert heard[1] == "Done: a mojito, please"
    assert heard[2].startswith("Take the rum_bottle from the shelf with the left_hand (at ")
    assert "pour 50 ml from the rum_bottle into the first_glass" in heard[2]
    assert "mint" not in heard[2]
    assert bar.content("second_glass") == bar.content("first_glass") == MOJITO


def test_stop_cancels_a_pour_and_what_was_begun_can_be_finished() -> None:
    bar, heard = talk("a mojito, please", "go on", timed=((2.55, "stop!"),))
    assert heard[0] == "I stopped, as you said"
    assert heard[1] == "Done: a mojito, please"
    poured = [one.args[0] for one in bar.ran if one.name == "pour"]
    assert poured.count("rum_bottle") == 1  # the part that was poured is not poured again
    assert bar.content("first_glass") == MOJITO and not bar.content("second_glass")


def test_a_change_of_mind_changes_the_plan_in_the_middle() -> None:
    bar, heard = talk("a mojito, please", timed=((1.5, "no ice, please"),))
    assert bar.content("first_glass") == MOJITO - {"ice_cubes"}
    assert len(heard) == 1 and heard[0].startswith("Done")


def test_another_request_waits_and_a_question_does_not() -> None:
    bar, heard = talk(
        "put the first_glass on the tray",
        timed=((0.1, "do you have gin?"), (0.2, "put the second_glass on the shelf")),
    )
    assert heard[0].startswith("Yes: gin_bottle")
    assert heard[1:] == [
        "I will do that next.",
        "Done: put the first_glass on the tray",
        "Done: put the second_glass on the shelf",
    ]
    assert [str(one) for one in bar.ran][-1] == "put(second_glass, shelf)"
