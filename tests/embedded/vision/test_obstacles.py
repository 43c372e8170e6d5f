"""Each named thing is asked about, and nothing is asked about itself."""

from __future__ import annotations

import pytest

from regrasp.embedded.vision.obstacles import obstacles
from regrasp.prompts.why import WhyQuestion, read_why, why_prompts

KITCHEN = ("counter", "microwave", "kettle", "microwave_handle", "target_position_in_microwave")


@pytest.mark.parametrize(
    ("action", "names", "asked"),
    [
        (
            "open the microwave",
            KITCHEN,
            ["Is the counter blocking the microwave?", "Is the kettle blocking the microwave?"],
        ),
        (
            "place the red_cube on the crate",
            ("crate", "red_cube", "yellow_cube"),
            ["Is the yellow_cube on the crate?", "Is the yellow_cube on the red_cube?"],
        ),
        (
            "place the kettle in the microwave",
            ("microwave", "kettle", "crate"),
            [
                "Is the microwave closed?",
                "Is the crate blocking the microwave?",
                "Is the crate on the kettle?",
            ],
        ),
        ("pull the lever", ("lever", "bar"), ["Is the bar blocking the lever?"]),
        ("pick up the bar", ("bar",), []),
        ("sing a song", KITCHEN, []),
        ("open the oven", KITCHEN, []),
    ],
)
def test_what_is_asked(action: str, names: tuple[str, ...], asked: list[str]) -> None:
    assert [str(sight) for sight in obstacles(WhyQuestion(action, names))] == asked


def test_all_six_wordings_are_read_back() -> None:
    for prompt in why_prompts("Open the microwave", KITCHEN):
        assert read_why(prompt.render()) == WhyQuestion("open the microwave", KITCHEN)
    assert read_why("Is the kettle blocking the microwave?") is None
