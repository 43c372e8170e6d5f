"""A report on disk: whole, self-contained, escaped, the same every time, and soon there."""

from __future__ import annotations

import re
import struct
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_up import broken, failed, manifest_of, record, replan_run

from regrasp.bench.report import figures
from regrasp.bench.report import write as writing
from regrasp.bench.report.document import Cell, Code, Document, Picture, ReportSection, Table, Text
from regrasp.bench.report.grid import Grid
from regrasp.bench.report.html import to_html
from regrasp.bench.report.markdown import to_markdown
from regrasp.bench.report.write import Report, write_report
from regrasp.bench.store import Results
from regrasp.bench.suite_registry import open_suite
from regrasp.core.errors import RegraspError

FIGURES = {"success", "actions", "times", "failures", "checkers"}


class Seen(HTMLParser):
    """The tags and attributes of a page, and that every tag is closed in turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of a made-up run of REPLAN's table."""
    pytest.importorskip("matplotlib")
    root = tmp_path_factory.mktemp("run")
    suite, results = replan_run(root, seeds=6)
    return write_report(results, suite, root / "report")


def test_it_is_all_there(reported: Report) -> None:
    assert {path.stem for path in reported.figures} == FIGURES
    assert {path.suffix for path in reported.figures} == {".png", ".svg"}
    for path in (reported.markdown, reported.html, *reported.figures):
        assert path.stat().st_size > 1000


def test_the_page_is_whole_and_needs_nothing_beside_it(reported: Report) -> None:
    seen = Seen(reported.html.read_text())
    assert seen.open == []
    assert seen.tags.count("img") == len(FIGURES)
    assert not {"script", "link", "iframe", "object"} & set(seen.tags)
    assert all(value.startswith("data:") for name, value in seen.attributes if name == "src")
    links = [value for name, value in seen.attributes if name == "href"]
    suite = open_suite("replan")
    episodes = len(suite.methods) * len(suite.tasks) * 6
    assert len([link for link in links if link.startswith("../episodes/")]) == episodes
    assert not [link for link in links if ":" in link]


def test_what_agents_and_errors_say_is_text_and_nothing_else(reported: Report) -> None:
    page, text = reported.html.read_text(), reported.markdown.read_text()
    assert "could not open the &lt;b&gt;door&lt;/b&gt;" in page
    assert r"could not open the \<b\>door\</b\>" in text
    assert "<script" not in page.lower()
    assert not re.search(r"(?<!\\)<script", text.lower())


def test_figures_are_fit_for_print(reported: Report) -> None:
    for path in reported.figures:
        if path.suffix == ".png":
            width, height = struct.unpack(">II", path.read_bytes()[16:24])
            assert width == round(300 * 7.16)
            assert 300 < height < 2 * width


def test_the_same_run_gives_the_same_report(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    suite, results = replan_run(tmp_path, seeds=4)
    few = [r for r in results.records if r.key.task.startswith("cubes") and "no-" in r.key.method]
    small = Results(tmp_path, results.manifest, tuple(few))
    one, other = (write_report(small, suite, tmp_path / name) for name in ("one", "other"))
    assert len(one.figures) == 2 * len(FIGURES)
    for first, second in zip(
        (one.html, one.markdown, *one.figures),
        (other.html, other.markdown, *other.figures),
        strict=True,
    ):
        assert first.read_bytes() == second.read_bytes(), first.name


@pytest.mark.parametrize("name", ["report.md", "report.html"])
def test_a_file_of_the_users_is_not_overwritten(tmp_path: Path, name: str) -> None:
    suite, results = replan_run(tmp_path / "run", seeds=1)
    mine = tmp_path / "mine" / name
    mine.parent.mkdir()
    mine.write_text("# My own report\n")
    with pytest.raises(RegraspError, match="is not a report that Regrasp wrote"):
        write_report(results, suite, mine.parent)
    assert mine.read_text() == "# My own report\n"
    assert [path.name for path in mine.parent.iterdir()] == [name]


def test_without_matplotlib_all_but_the_figures_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (figures, writing):
        monkeypatch.setattr(module, "installed", lambda: False)
    suite, results = replan_run(tmp_path, seeds=2)
    written = write_report(results, suite, tmp_path / "report")
    assert written.figures == ()
    assert not (tmp_path / "report" / "figures").exists()
    for path in (written.markdown, written.html):
        assert "matplotlib is not installed" in path.read_text()
    assert "figures/" not in written.markdown.read_text()
    assert Seen(written.html.read_text()).tags.count("img") == 0


def test_a_run_without_episodes_has_no_report(tmp_path: Path) -> None:
    suite, results = replan_run(tmp_path, seeds=1)
    with pytest.raises(RegraspError, match="holds no episode yet"):
        write_report(Results(tmp_path, results.manifest, ()), suite, tmp_path / "report")


FULL = ("cabinet-open", "full")
LITTLE = {
    "one episode": (record(*FULL),),
    "all broken": (broken(*FULL), broken(*FULL, 1)),
    "all failed": (failed(*FULL), failed(*FULL, 1)),
    "no pair": (record(*FULL), failed("cabinet-open", "no-replan", 3)),
}


@pytest.mark.parametrize("what", LITTLE)
def test_runs_of_little_are_reported_too(what: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    suite, results = replan_run(tmp_path, seeds=1)
    little = Results(tmp_path, results.manifest, LITTLE[what])
    written = write_report(little, suite, tmp_path / "report")
    assert Seen(written.html.read_text()).open == []


def test_a_thousand_episodes_are_reported_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the figures, whose cost does not grow; 10,000 with them are measured by hand."""
    for module in (figures, writing):
        monkeypatch.setattr(module, "installed", lambda: False)
    suite, results = replan_run(tmp_path, seeds=25)
    assert len(results.records) == len(suite.methods) * len(suite.tasks) * 25 >= 1000
    begun = time.process_time()
    write_report(results, suite, tmp_path / "report")
    assert time.process_time() - begun < 5.0


def test_markdown_tables_hold_whatever_a_cell_says() -> None:
    table = Table(
        "a | caption", ("what", "n"), ((Cell("x | y\nz", "a*b", strong=True), Cell("1")),)
    )
    document = Document("T_1", [Text("lead"), Code("a | b")], [ReportSection("S", [table])])
    lines = to_markdown(document, ()).splitlines()
    assert lines[0] == r"# T\_1"
    assert r"| **x \| y z** (a\*b) | 1 |" in lines
    assert "|---|---:|" in lines
    assert "a | b" in lines
    rows = [line for line in lines if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3}


def test_a_picture_that_was_not_drawn_leaves_no_gap() -> None:
    document = Document("t", [], [ReportSection("S", [Picture("success", "how often")])])
    assert "success" not in to_markdown(document, ())
    assert "figures/success.png" in to_markdown(document, ("success",))
    assert "<img" not in to_html(document, {})
    assert "<img" in to_html(document, {"success": b"<svg/>"})


def test_no_count_of_actions_is_cut_off(tmp_path: Path) -> None:
    """Panels share their axis, and the highest count need not be in the first."""
    pytest.importorskip("matplotlib")
    suite, _ = replan_run(tmp_path, seeds=1)
    records = (record(*FULL, motions=2), record("cabinet-open", "no-replan", motions=40, looks=9))
    drawn = figures._actions(Grid.of(suite, records))
    assert all(axes.get_ylim()[1] > 49 for axes in drawn.axes if axes.get_visible())


def test_a_suite_at_several_values_of_a_knob_has_a_line_for_each_method(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    suite = open_suite("dkprompt:situations=0,1")
    methods = [method.name for method in suite.methods[:2]]
    cells = [(task.name, name) for task in suite.chosen_tasks(["halve-egg"]) for name in methods]
    records = tuple(record(*cell, seed) for cell in cells for seed in range(3))
    written = write_report(Results(tmp_path, manifest_of(suite, 3), records), suite, tmp_path)
    assert "success-situations" in {path.stem for path in written.figures}
    assert "![Success against how often things go wrong" in written.markdown.read_text()
