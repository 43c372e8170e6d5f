"""The table of words that change what is asked for."""

from __future__ import annotations

import pytest

from regrasp.planners.unreflected import has_check
from regrasp.prompts.operator_words import operators, roles


def found(text: str) -> list[tuple[str, str]]:
    return [(one.text, one.role) for one in operators(text)]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("put both cups on the tray", ("both", "every")),
        ("put the cup in front of the box", ("in front of", "says")),
        ("stell die Tasse hinter den Schrank", ("hinter", "says")),
        ("mets la tasse à côté du bol, pas sur la table", ("pas", "not")),
        ("pon la taza al lado del cuenco", ("al lado", "says")),
        ("把杯子放在桌子后面", ("后面", "says")),
    ],
)
def test_an_operator_is_found_in_every_language(text: str, role: tuple[str, str]) -> None:
    assert role in found(text)


def test_the_longest_phrase_wins_and_an_idiom_is_none() -> None:
    assert found("don't forget the cup") == []
    assert found("close it all the way") == [("close", "does")]


def test_every_role_of_the_table_has_a_check() -> None:
    assert all(map(has_check, roles()))
