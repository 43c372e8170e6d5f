"""SECURITY.md: every promise names the tests that hold it, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISED = PAGE.split("## What is promised")[1].split("\n## ")[0]
PROMISES = re.split(r"\n\n(?=\*\*)", PROMISED.strip())


def named_tests(text: str) -> list[str]:
    return re.findall(r"`(?:tests/[\w/]*)?(test_\w+\.py)`", text)


@pytest.mark.parametrize("promise", PROMISES, ids=lambda text: text.split("**")[1])
def test_a_promise_names_the_tests_that_hold_it(promise: str) -> None:
    named = named_tests(promise)
    assert named
    for name in named:
        files = list((ROOT / "tests").rglob(name))
        assert files, f"SECURITY.md names {name}, which is not there"
        assert any("def test_" in file.read_text(encoding="utf-8") for file in files)


def test_the_page_says_what_is_not_promised_and_how_to_report() -> None:
    headings = [line.lower() for line in PAGE.splitlines() if line.startswith("## ")]
    assert any("not" in heading for heading in headings)
    assert any("report" in heading for heading in headings)
