"""The README's tables are what their reports say, and say themselves when they are out of date."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regrasp.bench import readme_results
from regrasp.bench.manifest import source_digest
from regrasp.bench.protocol import Protocol, TableState, read_protocol
from regrasp.bench.published import as_published, read_published
from regrasp.bench.readme_results import RESULTS, readme_block, readme_problems, with_results
from regrasp.bench.used_code import _digest
from regrasp.cli.main import app
from regrasp.core.errors import RegraspError, UnknownNameError

ROOT = Path(__file__).parents[2]

REPORT = """# regrasp bench replan: 3 of 4 succeeded

Some words.

## Success

A caption.

|  |  | Task 1: open | average |
|---|---|---:|---:|
| **Full \\[x\\]** | ours | **75%** (3/4, 30–95%; 1 reached, not claimed) | 75% (1 task, 30–95%) |
|  | paper | 100% (10/10, 72–100%) | 100% (1 task, 72–100%) |

## Episodes

- full, open: seed [3](<../../runs/x/trace.jsonl>)

## How this was made

|  |  |
|---|---|
| machine | a laptop |
| source | {source} |
| llm | scripted |
| vlm | oracle |
| file eyes.onnx | 0123456789abcdef |
"""
PAGE = "# A\n\n<!-- results replan-task4 -->\n<!-- end results replan-task4 -->\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / RESULTS / "replan-task4"
    folder.mkdir(parents=True)
    text = REPORT.format(source=source_digest())
    (folder / "report.md").write_text(as_published(text, "abc1234", "replan-task4"))
    (tmp_path / "README.md").write_text(with_results(PAGE, tmp_path, read_protocol()))
    return tmp_path


def problems(root: Path) -> list[str]:
    return readme_problems((root / "README.md").read_text(), root, read_protocol())


def test_every_table_of_our_readme_is_what_its_report_says() -> None:
    assert problems(ROOT) == []
    checked = CliRunner().invoke(app, ["results", "--check", "--root", str(ROOT)])
    assert checked.exit_code == 0, checked.output
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert sum(page.read_text().count("<!-- results ") for page in pages) >= 12


def test_a_table_is_written_in_short_with_its_origin(root: Path) -> None:
    text = (root / "README.md").read_text()
    assert "| Full [x] | 3/4 (+1) · 100% | 75% (30–95%) · 100% |" in text
    for part in ("commit abc1234", "seeds 4000100 to 4000109", "eyes.onnx 01234567", "a laptop"):
        assert part in text
    assert "No longer what ships" not in text
    assert "trace.jsonl" not in (root / RESULTS / "replan-task4" / "report.md").read_text()
    assert problems(root) == []


def test_a_page_of_docs_may_have_tables_too_and_is_checked(root: Path) -> None:
    page = root / "docs" / "methods" / "replan.md"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    command = ["results", "--root", str(root)]
    assert CliRunner().invoke(app, [*command, "--check"]).exit_code == 1
    assert CliRunner().invoke(app, [*command, "--readme"]).exit_code == 0
    assert "[report](../results/replan-task4/report.md)" in page.read_text()
    assert CliRunner().invoke(app, [*command, "--check"]).exit_code == 0


def test_a_page_may_show_any_section_of_a_report_in_full(root: Path) -> None:
    marks = ("<!-- results replan-task4: Failures -->", "<!-- end results replan-task4 -->")
    report = root / RESULTS / "replan-task4" / "report.md"
    more = "\n## Failures\n\n| | dropped |\n|---|---:|\n| **Full** | 1 (2–3) |\n\n## Episodes\n"
    report.write_text(report.read_text().replace("\n## How", f"{more}\n## How"))
    text = with_results("\n".join((*marks, "")), root, read_protocol())
    assert text.startswith(
        f"{marks[0]}\n|  | dropped |\n|---|---|\n| Full | 1 (2–3) |\n\n*`regrasp"
    )
    with pytest.raises(RegraspError, match="no table below the heading 'Failure'"):
        with_results(text.replace("Failures", "Failure"), root, read_protocol())


def test_a_page_may_list_the_planned_tables_that_were_not_made(root: Path) -> None:
    page = root / "docs" / "tables.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text("<!-- results to come -->\n- `headline`: done.\n<!-- end results to come -->\n")
    command = ["results", "--root", str(root)]
    checked = CliRunner().invoke(app, [*command, "--check"])
    assert checked.exit_code == 1 and "out of date" in checked.output
    assert CliRunner().invoke(app, [*command, "--readme"]).exit_code == 0
    assert (
        "- `headline` (replan, embedded and embedded): What does replanning gain"
        in page.read_text()
    )
    assert "`replan-task4`" not in page.read_text()
    assert CliRunner().invoke(app, [*command, "--check"]).exit_code == 0


def test_a_table_that_was_not_made_says_so_and_is_not_for_the_readme(root: Path) -> None:
    marks = PAGE.replace("replan-task4", "headline")
    text = with_results(marks, root, read_protocol())
    assert "*Not made yet: `regrasp results headline`.*" in text
    assert readme_problems(text, root, read_protocol()) == ["README.md: headline has no report yet"]


def test_every_older_table_with_a_report_is_listed_with_its_reason() -> None:
    page = (ROOT / "docs" / "tables.md").read_text()
    for table in read_protocol().tables:
        if table.state is TableState.OLDER and (ROOT / RESULTS / table.name).is_dir():
            assert f"<!-- results {table.name} -->" in page
            assert f"**Older:** {table.why}" in page


def test_a_figure_that_no_report_says_is_an_error(root: Path) -> None:
    page = root / "README.md"
    page.write_text(page.read_text().replace("3/4", "4/4") + "\n| ours | 17 of 20 |\n")
    found = problems(root)
    assert "the table replan-task4 is not what" in found[0]
    assert "figures of no report: | ours | 17 of 20 |" in found[1]
    checked = CliRunner().invoke(app, ["results", "--check", "--root", str(root)])
    assert checked.exit_code == 1
    assert CliRunner().invoke(app, ["results", "--readme", "--root", str(root)]).exit_code == 0
    assert "3/4 (+1)" in page.read_text()


def test_a_table_of_other_code_says_so_below_itself(root: Path) -> None:
    report = root / RESULTS / "replan-task4" / "report.md"
    report.write_text(report.read_text().replace(source_digest(), "0" * 64))
    assert len(problems(root)) == 1
    text = with_results(PAGE, root, read_protocol())
    assert "**No longer what ships:** changed since: the code." in text


def test_the_list_says_which_reports_what_ships_would_still_give(root: Path) -> None:
    def listed(name: str) -> dict[str, object]:
        command = ["results", "--list", "--json", "--root", str(root)]
        (document,) = json.loads(CliRunner().invoke(app, command).stdout).values()
        return next(row for row in document if row["table"] == name)

    assert listed("replan-task4")["as shipped"] and not listed("headline")["as shipped"]
    report = root / RESULTS / "replan-task4" / "report.md"
    report.write_text(report.read_text().replace(source_digest(), "0" * 16))
    assert not listed("replan-task4")["as shipped"] and listed("replan-task4")["report"]


def test_a_table_of_other_weights_says_so_below_itself(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights that changed, that are gone, and that are new."""
    report = root / RESULTS / "replan-task4" / "report.md"
    more = "| file eyes.onnx | 0123456789abcdef |\n| file gone.gguf | 77 |"
    text = report.read_text().replace("| file eyes.onnx | 0123456789abcdef |", more)
    report.write_text(text)
    now = {"eyes.onnx": "fedcba9876543210", "new.gguf": "88"}
    monkeypatch.setattr(readme_results, "fingerprints", lambda model: now)
    text = with_results(PAGE, root, read_protocol())
    assert "changed since: eyes.onnx, gone.gguf, new.gguf." in text
    now |= {"eyes.onnx": "0123456789abcdef", "gone.gguf": "77"}
    del now["new.gguf"]
    assert "No longer what ships" not in with_results(PAGE, root, read_protocol())


def test_weights_that_no_loaded_module_reads_do_not_count(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = root / RESULTS / "replan-task4"
    report = folder / "report.md"
    line = "| file eyes.onnx | 0123456789abcdef |"
    report.write_text(report.read_text().replace(line, f"{line}\n| file speech.gguf | 77 |"))
    now = {"eyes.onnx": "0123456789abcdef", "speech.gguf": "88"}
    monkeypatch.setattr(readme_results, "fingerprints", lambda model: now)
    assert "changed since: speech.gguf." in with_results(PAGE, root, read_protocol())
    loaded = {name: _digest(name) for name in ("regrasp.embedded.vision.network",)}
    (folder / "code.json").write_text(json.dumps(loaded))
    text = with_results(PAGE, root, read_protocol())
    assert "No longer what ships" not in text and "speech.gguf" not in text
    assert "eyes.onnx 01234567" in text


def test_weights_of_the_second_vision_network_count_where_it_was_loaded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, now = root / RESULTS / "replan-task4", {"eyes.onnx": "0123456789abcdef"}
    monkeypatch.setattr(readme_results, "fingerprints", lambda model: now)
    names = ["regrasp.embedded.vision.network", "regrasp.embedded.vision.two_hands"]
    (folder / "code.json").write_text(json.dumps({name: _digest(name) for name in names[:1]}))
    before = with_results(PAGE, root, read_protocol())
    now |= {"two_hands-see.onnx": "88", "two_hands.json": "99"}
    assert with_results(PAGE, root, read_protocol()) == before
    (folder / "code.json").write_text(json.dumps({name: _digest(name) for name in names}))
    text = with_results(PAGE, root, read_protocol())
    assert "changed since: two_hands-see.onnx, two_hands.json." in text


def test_an_older_table_gives_its_commit_and_reason(root: Path) -> None:
    table = replace(
        read_protocol().table("replan-task4"),
        state=TableState.OLDER, commit="fedcba9", why="Another kettle.",
    )  # fmt: skip
    block = readme_block(table, read_published(root / RESULTS / "replan-task4"))
    assert "commit fedcba9" in block
    assert "**Older:** Another kettle." in block


def test_a_report_or_a_marker_without_a_table_of_the_protocol_is_an_error(root: Path) -> None:
    assert "no table of the protocol" in readme_problems("", root, Protocol(0, 0, ()))[0]
    with pytest.raises(UnknownNameError, match="Did you mean 'replan'"):
        with_results(PAGE.replace("replan-task4", "replann"), root, read_protocol())
