"""No two things of a kind look alike."""

from __future__ import annotations

from regrasp.worlds.appearances import BOTTLE_LABELS, BOWL_STAVES, GLASS_RIMS, block_paints


def test_labels_bowls_and_rims_differ_even_upside_down() -> None:
    labels = {frozenset((one.upper, one.lower)) for one in BOTTLE_LABELS.values()}
    assert len(labels) == len(BOTTLE_LABELS)
    assert len({frozenset(pair) for pair in BOWL_STAVES.values()}) == len(BOWL_STAVES)
    assert len(set(GLASS_RIMS.values())) == len(GLASS_RIMS)


def test_a_block_is_painted_by_its_number_in_every_scene() -> None:
    few, all_of_them = block_paints(["b12", "b3"]), block_paints([f"b{n}" for n in range(1, 21)])
    assert few["b3"] == all_of_them["b3"] and few["b12"] == all_of_them["b12"]
    assert len(set(all_of_them.values())) == 20


def test_blocks_with_other_names_differ_too() -> None:
    assert len(set(block_paints(["a", "b", "c", "block_d"]).values())) == 4
