"""Figures in docs say which weights they are of, and say themselves when others ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.bench import weight_stamps
from regrasp.bench.weight_stamps import doc_pages, stamp_problems, with_stamps

ROOT = Path(__file__).parents[2]
TABLE = "| world | right |\n|---|---|\n| cubes | 99.0% |\n"
STAMPED = f"# A\n\n## Measured\n\n<!-- weights a.onnx=0123 -->\n<!-- end weights -->\n\n{TABLE}"


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    found = {"a.onnx": "012345"}
    monkeypatch.setattr(weight_stamps, "_shipped", lambda: found)
    return found


def test_every_figure_of_our_pages_of_methods_and_models_has_an_origin() -> None:
    pages = doc_pages(ROOT)
    assert {"dkprompt.md", "vision.md"} <= {page.name for page in pages}
    assert [x for page in pages for x in stamp_problems(page.read_text(), page.name)] == []


def test_figures_of_weights_that_ship_need_no_note(shipped: dict[str, str]) -> None:
    assert with_stamps(STAMPED) == STAMPED
    assert stamp_problems(STAMPED, "a.md") == []


@pytest.mark.parametrize("now", [{"a.onnx": "fedc"}, {}])
def test_figures_of_other_weights_say_so(shipped: dict[str, str], now: dict[str, str]) -> None:
    shipped.clear()
    shipped.update(now)
    assert stamp_problems(STAMPED, "a.md") == ["a.md: a stamp of weights is out of date"]
    written = with_stamps(STAMPED)
    assert "**No longer what ships:** these figures are of other weights (a.onnx)." in written
    assert stamp_problems(written, "a.md") == []
    assert with_stamps(written) == written


def test_a_table_without_an_origin_is_a_problem(shipped: dict[str, str]) -> None:
    assert stamp_problems(f"## B\n\n{TABLE}", "b.md") == [
        "b.md, B: figures of no weights: | cubes | 99.0% |"
    ]
    assert stamp_problems(f"## B\n\n**Older.** Why.\n\n{TABLE}", "b.md") == []
