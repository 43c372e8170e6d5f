"""`regrasp results`: make the published tables as the protocol has them, and check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli import options

if TYPE_CHECKING:
    from regrasp.bench.protocol import PlannedTable

__all__ = ["results"]


def results(
    names: Annotated[
        list[str] | None, typer.Argument(help="Tables of the protocol; else all that are missing.")
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Only compare README and docs with the reports.")
    ] = False,
    readme: Annotated[
        bool, typer.Option("--readme", help="Only write the tables of README and docs anew.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="Only list the tables.")] = False,
    root: Annotated[Path, typer.Option(help="The repository.")] = Path(),
    runs: Annotated[Path, typer.Option(help="The folder of the runs.")] = Path("runs/results"),
    workers: options.Workers = 0,
    executor: options.ExecutorName = "local",
    as_json: options.AsJson = False,
) -> None:
    """Make the tables of the protocol: run what is missing, write docs/results and the README.

    A run that was stopped goes on where it stopped. Older tables are not run: they were made from
    other code. With --check nothing is written; a table in the README that is not what its report
    says, or a figure in docs without an origin, makes the command exit with 1.
    """
    from regrasp.bench.protocol import read_protocol
    from regrasp.bench.readme_results import (
        README,
        RESULTS,
        readme_problems,
        table_problems,
        with_results,
    )
    from regrasp.bench.weight_stamps import doc_pages, stamp_problems, with_stamps
    from regrasp.cli.output import print_error, print_note, print_rows
    from regrasp.core.errors import RegraspError
    from regrasp.core.files import write_text

    protocol, page = read_protocol(), root / README
    if not (page.is_file() and (root / RESULTS).is_dir()):
        raise RegraspError(f"{root} has no README.md and {RESULTS}: name the repository by --root.")
    if listed:
        print_rows([_row(table, root) for table in protocol.tables], _COLUMNS, as_json, "results")
        return
    if check:
        problems = readme_problems(page.read_text(encoding="utf-8"), root, protocol)
        for doc in doc_pages(root):
            problems += stamp_problems(doc.read_text(encoding="utf-8"), str(doc.relative_to(root)))
        for doc in _pages(root):
            text = doc.read_text(encoding="utf-8")
            problems += table_problems(text, root, protocol, doc.relative_to(root))
        for problem in problems:
            print_error(problem)
        if problems:
            print_error("`regrasp results --readme` writes the tables of README and docs anew.")
            raise typer.Exit(1)
        return
    if not readme:
        chosen = [protocol.table(name) for name in names or ()] or _missing(root)
        for table in chosen:
            print_note(f"{table.name}: {table.asks}")
            _make(table, root, runs, workers, executor)
    for doc in (page, *_pages(root)):
        text = doc.read_text(encoding="utf-8")
        write_text(doc, with_results(text, root, protocol, doc.relative_to(root)))
    for doc in doc_pages(root):
        write_text(doc, with_stamps(doc.read_text(encoding="utf-8")))


def _pages(root: Path) -> list[Path]:
    """The pages of docs that have tables of reports."""
    from regrasp.bench.readme_results import RESULTS

    pages = sorted((root / "docs").rglob("*.md"))
    marked = (doc for doc in pages if "<!-- results " in doc.read_text(encoding="utf-8"))
    return [doc for doc in marked if not doc.is_relative_to(root / RESULTS)]


_COLUMNS = ("table", "suite", "state", "seeds", "report", "as shipped")


def _row(table: PlannedTable, root: Path) -> dict[str, object]:
    from regrasp.bench.protocol import TableState, seed_ranges
    from regrasp.bench.published import read_published
    from regrasp.bench.readme_results import changed_since

    report = _report(table, root)
    made = report.is_file()
    older = table.state is TableState.OLDER
    return {
        "table": table.name, "suite": table.suite, "state": str(table.state),
        "seeds": seed_ranges(table.seeds), "report": made,
        "as shipped": made and not older and not changed_since(read_published(report.parent)),
    }  # fmt: skip


def _report(table: PlannedTable, root: Path) -> Path:
    from regrasp.bench.published import REPORT_FILE
    from regrasp.bench.readme_results import RESULTS

    return root / RESULTS / table.name / REPORT_FILE


def _missing(root: Path) -> list[PlannedTable]:
    from regrasp.bench.protocol import TableState, read_protocol

    planned = (t for t in read_protocol().tables if t.state is TableState.PLANNED)
    return [table for table in planned if not _report(table, root).is_file()]


def _make(table: PlannedTable, root: Path, runs: Path, workers: int, executor: str) -> None:
    """Run a table's commands, each in a process of its own, and write its report."""
    import subprocess
    import sys

    from regrasp.bench.manifest import MANIFEST_FILE
    from regrasp.bench.protocol import TableState
    from regrasp.bench.published import as_published
    from regrasp.bench.report.write import write_report
    from regrasp.bench.store import load_results
    from regrasp.bench.suite_registry import MEASURES, open_suite
    from regrasp.bench.used_code import CODE_FILE, used_code
    from regrasp.core.errors import RegraspError
    from regrasp.core.files import write_json, write_text

    if table.state is TableState.OLDER:
        raise RegraspError(
            f"{table.name} is an older table, made at commit {table.commit}: {table.why} "
            "Its seeds have been looked at; plan a new table."
        )
    if table.suite in MEASURES:
        raise RegraspError(
            f"{table.suite} measures a part: `regrasp bench {table.suite}` prints it."
        )
    if table.against and not (runs / table.against / MANIFEST_FILE).exists():
        raise RegraspError(
            f"{table.name} is compared with {table.against}: make that table first, with the same "
            "--runs."
        )
    out, commit = runs / table.name, _commit(root)
    for words in table.commands(str(out), begun=(out / MANIFEST_FILE).exists()):
        more = ["--executor", executor, *(["--workers", str(workers)] if workers else [])]
        command = [sys.executable, "-m", "regrasp.cli.main", *words[1:], *more]
        ended = subprocess.run(command, check=False)
        if ended.returncode:
            raise RegraspError(
                f"{table.name} is not complete (exit {ended.returncode}). The same command goes on."
            )
    against = (table.against, load_results(runs / table.against)) if table.against else None
    folder = _report(table, root).parent
    written = write_report(load_results(out), open_suite(table.suite), folder, against)
    text = written.markdown.read_text(encoding="utf-8")
    write_text(written.markdown, as_published(text, commit, table.name))
    write_json(written.markdown.parent / CODE_FILE, used_code(out))
    for file in (written.html, *(f for f in written.figures if f.suffix == ".svg")):
        file.unlink()  # a page links to the run's folder, which is not published


def _commit(root: Path) -> str:
    """The commit of the repository; a working tree with changes is refused."""
    import subprocess

    from regrasp.core.errors import RegraspError

    def git(*words: str) -> str:
        try:
            done = subprocess.run(
                ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise RegraspError(f"cannot ask git for the commit of {root}: {error}.") from error
        return done.stdout.strip()

    if git("status", "--porcelain", "--untracked-files=no", "--", "src"):
        raise RegraspError("src has changes that are not committed: a table needs a commit.")
    return git("rev-parse", "--short=12", "HEAD")
