"""What may follow the colon of a task's name."""

from __future__ import annotations

import pytest

from regrasp.core.errors import RegraspError
from regrasp.worlds.task_options import TaskOptions, plain_task


def test_a_recipe_and_faults_are_read() -> None:
    task = "make-drink:mojito,empty=rum_bottle,locked=fridge,missing=mint_bowl,missing=basil_bowl"
    assert plain_task(task) == "make-drink"
    assert TaskOptions.parse(task) == TaskOptions(
        "mojito", ("rum_bottle",), ("mint_bowl", "basil_bowl"), ("fridge",)
    )
    assert TaskOptions.parse("make-drink") == TaskOptions()


@pytest.mark.parametrize("text", ["a:b,c", "a:full=glass", "a:empty="])
def test_what_is_no_option_is_answered_with_the_options(text: str) -> None:
    with pytest.raises(RegraspError, match="empty=VESSEL"):
        TaskOptions.parse(text)
