"""A description names a kind, or says what it is for."""

from __future__ import annotations

import numpy as np
import pytest

from regrasp.bench.description_scores import held_out_descriptions
from regrasp.perception.furniture import FurniturePiece, NamedKind, assign_pieces
from regrasp.perception.kind_words import described_kind, wanted_height


def table(top: float) -> FurniturePiece:
    """A table of a metre by sixty centimetres, seen through below its top."""
    size, colour = np.array([0.5, 0.3]), np.zeros((1, 3), np.uint8)
    return FurniturePiece(np.array([0.0, 0.0, top / 2]), size, 0.0, np.zeros(2), top, 0.9, colour)


DEVELOPED_WITH = [
    ("the thing for coats", "hanger"),
    ("a place to hang my jacket", "hanger"),
    ("the coat rack", "hanger"),
    ("book rack", "bookshelf"),
    ("where the pills are kept", "drawer"),
    ("pill box", "pill box"),
    ("paper_box", "paper box"),
    ("the container with a handle", "bucket"),
    ("something to read in bed", "book"),
    ("where one stores literature", "bookshelf"),
    ("the man standing there", "person"),
    ("white chest of drawers", "drawer"),
    ("a spaceship", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "kind"), DEVELOPED_WITH)
def test_what_a_description_is_taken_for(text: str, kind: str) -> None:
    assert described_kind(text) == kind


def test_words_of_height_choose_among_tables() -> None:
    assert [wanted_height(text) for text in ("low table", "tall desk", "the table")] == [-1, 1, 0]
    pieces = [table(0.72), table(0.45)]
    for height, top in ((-1, 0.45), (1, 0.72)):
        named = NamedKind("one", "table", None, height)
        assert assign_pieces([named], pieces)["one"].top == top


def test_held_out_descriptions_are_of_every_sort_and_do_not_repeat() -> None:
    asked = held_out_descriptions()
    assert {one.sort for one in asked} == {"attribute", "synonym", "purpose"}
    assert len({one.text for one in asked}) == len(asked) > 100


def test_no_description_that_the_words_were_developed_with_is_held_out() -> None:
    held_out = {one.text.removeprefix("the ") for one in held_out_descriptions()}
    assert not held_out.intersection(text.removeprefix("the ") for text, _ in DEVELOPED_WITH)
