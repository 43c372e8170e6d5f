"""The command language reads what it writes, in every domain, and explains what it cannot read."""

from __future__ import annotations

import random

import pytest
from gbnf_sampler import Sampler
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.domains.command_grammar import command_grammar
from regrasp.domains.command_language import CommandLanguage
from regrasp.prompts.grammar import grammar
from skill_domains import PLACES


def language(name: str = "two_hands") -> CommandLanguage:
    place = PLACES[name]()
    return CommandLanguage(place.skills, place.known)


def ground_actions(spoken: CommandLanguage) -> list[Action]:
    """Every well-typed action, complete, without what may be left out, and with a quantity."""
    found = []
    for schema in spoken.skills.domain.actions:
        optional = spoken.skills.optional.get(schema.name, 0)
        for binding in spoken.rules.bindings(schema.parameters):
            args = tuple(binding.values())
            found += [Action(schema.name, args[: len(args) - n]) for n in range(optional + 1)]
            if schema.name in spoken.skills.quantities:
                found.append(Action(schema.name, (*args, "12.5")))
    return found


@pytest.mark.parametrize("name", PLACES)
def test_every_action_is_read_as_it_was_written(name: str) -> None:
    spoken = language(name)
    actions = ground_actions(spoken)
    assert len(actions) >= 6
    for action in actions:
        assert spoken.parse(spoken.write(action)) == action
        assert spoken.parse(str(action)) == action
        assert spoken.check(action) is None


@pytest.mark.parametrize("name", PLACES)
def test_the_grammar_writes_only_commands(name: str) -> None:
    spoken = language(name)
    sampler = Sampler(grammar("command", command_grammar(spoken)), random.Random(7))
    heads = set()
    for _ in range(150):
        action = spoken.parse(sampler.sample())
        assert isinstance(action, Action), action
        heads.add(action.name)
    assert len(heads) > 1


@given(st.text(max_size=120), st.sampled_from(sorted(PLACES)))
@settings(max_examples=100, deadline=None)
def test_no_text_raises(text: str, name: str) -> None:
    assert isinstance(language(name).parse(text), Action | Feedback)
    assert isinstance(language(name).parse_plan(text), tuple | Feedback)


WORDS = st.sampled_from(
    ["get", "put", "pour", "open", "door", "gin", "bottle", "gin_bottle", "first_glass", "from",
     "(", ")", "left_hand", "40", "-3", "ml", "40ml", "1e9", "nan", ",", "the", "1.", "fridge", "٣"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=9).map(" ".join))
@settings(max_examples=120, deadline=None)
def test_what_is_read_can_be_written_and_read_again(text: str) -> None:
    spoken = language()
    found = spoken.parse(text)
    if isinstance(found, Action):
        assert spoken.parse(spoken.write(found)) == found
    else:
        assert found.error and found.suggestion


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("get gin_bottle from shelf (left_hand)",
         Action("get", ("gin_bottle", "shelf", "left_hand"))),
        ("2. Get the gin bottle from the shelf.", Action("get", ("gin_bottle", "shelf"))),
        ("get(gin_bottle, shelf)", Action("get", ("gin_bottle", "shelf"))),
        ("pour gin_bottle first_glass 40", Action("pour", ("gin_bottle", "first_glass", "40"))),
        ("pour gin-bottle into first_glass 2.5 ml",
         Action("pour", ("gin_bottle", "first_glass", "2.5"))),
        ("pour gin_bottle first_glass 40ml", Action("pour", ("gin_bottle", "first_glass", "40"))),
        ("Open door fridge", Action("open_door", ("fridge",))),
        ("wait 3 seconds", Action("wait", ("3",))),
        ("- wait", Action("wait")),
    ],
)  # fmt: skip
def test_the_commands_of_table_1_are_read_in_many_spellings(text: str, expected: Action) -> None:
    assert language().parse(text) == expected


@pytest.mark.parametrize(
    ("text", "level", "code", "suggestion"),
    [
        ("", FeedbackLevel.SYNTAX, FailureCode.UNREADABLE, "Write one of: get, put, pour"),
        ("put gin_bottle", FeedbackLevel.SYNTAX, FailureCode.UNREADABLE, "Write put <portable>"),
        ("wait 3 4", FeedbackLevel.SYNTAX, FailureCode.UNREADABLE, "Write wait <s>."),
        ("put mint_bowl tray 5", FeedbackLevel.SYNTAX, FailureCode.UNREADABLE, "Write put"),
        ("open_dor fridge", FeedbackLevel.SEMANTIC, FailureCode.UNKNOWN_NAME, "Write open_door"),
        ("get gin_botle from shelf", FeedbackLevel.SEMANTIC, FailureCode.UNKNOWN_NAME,
         "Write get gin_bottle from shelf."),
        ("get golden bottle from shelf", FeedbackLevel.SEMANTIC, FailureCode.UNKNOWN_NAME,
         "Write get gin_bottle from shelf."),
        ("unscrew first_glass", FeedbackLevel.SEMANTIC, FailureCode.WRONG_TYPE, "Write unscrew"),
        ("get gin from shelf", FeedbackLevel.SEMANTIC, FailureCode.WRONG_TYPE,
         "Write get gin_bottle from shelf."),
        ("pour gin_bottle first_glass 5000", FeedbackLevel.SEMANTIC, FailureCode.WRONG_TYPE,
         "Write pour gin_bottle into first_glass 1000."),
    ],
)  # fmt: skip
def test_an_error_names_the_closest_command_and_object(
    text: str, level: FeedbackLevel, code: FailureCode, suggestion: str
) -> None:
    found = language().parse(text)
    assert isinstance(found, Feedback)
    assert (found.level, found.code) == (level, code)
    assert found.suggestion.startswith(suggestion)
    assert found.reason.endswith(".")


def test_a_plan_is_its_lines_or_the_first_error() -> None:
    spoken = language()
    assert spoken.parse_plan("1. open_door fridge\n\n2. wait 5\n") == (
        Action("open_door", ("fridge",)),
        Action("wait", ("5",)),
    )
    wrong = spoken.parse_plan("open_door fridge\nopen_door shelf")
    assert isinstance(wrong, Feedback) and "shelf" in wrong.error


def test_the_help_says_what_a_command_takes() -> None:
    lines = language().help_lines()
    assert lines[0].startswith("get <portable> from <place or block> (<hand>): take the <portable>")
    assert any(line.endswith("<ml> is 1 to 1000 ml, 40 if left out") for line in lines)
    assert len(lines) == 9
