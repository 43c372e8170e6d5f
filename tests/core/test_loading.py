"""Something of the user's own by FILE.py:NAME or MODULE:NAME."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.loading import is_address, load_object


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("my_robot.py:make", True),
        ("folder/my_world.py", True),
        ("my_package.robots:make", True),
        ("replan", False),
        ("gguf:model.gguf", False),
        ("dkprompt:situations=0,1", False),
        ("http://localhost:8000/v1#name", False),
    ],
)
def test_an_address_is_told_from_a_name_of_ours(name: str, address: bool) -> None:
    assert is_address(name) is address


def test_a_file_and_a_module_give_what_they_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("PLAN = 'a plan'\nother = [1]\n")
    assert load_object(f"{file}:other") == [1]
    assert load_object(str(file), "PLAN") == "a plan"
    assert load_object(f"{file}:other") is load_object(f"{file}:other"), "it is run once"
    assert load_object("regrasp.core.action:Action").__name__ == "Action"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("mine.py", "names nothing"),
        ("no_such_file.py:make", "there is no file no_such_file.py"),
        ("no_such_module:make", "importing no_such_module failed with ModuleNotFoundError"),
        (":make", "names nothing"),
    ],
)
def test_what_cannot_be_loaded_says_why(address: str, words: str) -> None:
    with pytest.raises(RegraspError, match=words):
        load_object(address)


def test_a_file_that_raises_and_a_name_that_is_not_there(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("1 / 0\n")
    with pytest.raises(RegraspError, match=r"running .*bad\.py failed with ZeroDivisionError"):
        load_object(f"{bad}:make")
    good = tmp_path / "good.py"
    good.write_text("def make_robot(): ...\n")
    with pytest.raises(UnknownNameError, match="Did you mean 'make_robot'"):
        load_object(f"{good}:make_robt")
