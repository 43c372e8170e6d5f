"""Tables of published reports in the README and in docs: written between markers, and checked.

    <!-- results NAME -->
    … the table of docs/results/NAME/report.md, and a line with its origin
    <!-- end results NAME -->

`<!-- results NAME: HEADING -->` shows the tables below that heading of the report in full, and
`<!-- results to come -->` lists the planned tables that have no report. Nobody edits what stands
between. A table whose code or weights are no longer those of the package says so in the line below
it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from regrasp.bench.manifest import source_digest
from regrasp.bench.naming import fingerprints
from regrasp.bench.protocol import PlannedTable, Protocol, TableState, seed_ranges
from regrasp.bench.published import REPORT_FILE, PublishedReport, PublishedTable, read_published
from regrasp.bench.report.against import AGAINST
from regrasp.bench.suite_registry import MEASURES
from regrasp.bench.used_code import changed_modules
from regrasp.core.errors import RegraspError
from regrasp.models.pull import BASE_FILE, BASE_SHA256

__all__ = [
    "README", "RESULTS", "changed_since", "origin", "readme_block", "readme_problems",
    "table_problems", "with_results",
]  # fmt: skip

README = Path("README.md")
RESULTS = Path("docs/results")
_MARK = re.compile(
    r"<!-- results (?P<name>[\w.-]+)(?:: (?P<heading>[^\n]+?))? -->\n(?P<block>.*?)"
    r"<!-- end results (?P=name) -->",
    re.DOTALL,
)
_TO_COME = re.compile(
    r"<!-- results to come -->\n(?P<block>.*?)<!-- end results to come -->", re.DOTALL
)
_RATE = re.compile(r"\**[\d.]+%\** \((\d+/\d+), [^;)]*(?:; (\d+) reached, not claimed)?\)")
_COUNT = re.compile(r"(\d+ of \d+) \((\d+–\d+%);[^)]*?(?:; (\d+) reached, not claimed)?\)")
_AVERAGE = re.compile(r"([\d.]+%) \(\d+ tasks?, ([^)]*)\)")
_NAMED = 3
_WEIGHTS = (".gguf", ".onnx", ".npz", ".json")
_READERS = {
    "two_hands*": "regrasp.embedded.vision.two_hands",
    "*.gguf": "regrasp.embedded.language",
    "*.onnx": "regrasp.embedded.vision.network",
    "segments.npz": "regrasp.embedded.segments",
}  # files of ours, and the module that reads them: the first that fits
_FIGURE = re.compile(r"\d+ of \d+|\d+/\d+|\d%")


def readme_block(
    table: PlannedTable, report: PublishedReport, page: Path = README, heading: str = ""
) -> str:
    """The text between the markers of a page: the tables in short, then their origin."""
    shown: list[str] = []
    for one in report.sections.get(heading, ()) if heading else _shown(table, report):
        whole = bool(heading) or table.suite in MEASURES
        rows = map(_plain, one.rows) if whole else _merged(one)
        head = one.head if whole else _head(one)
        shown += [_line(head), "|" + "---|" * len(head), *map(_line, rows), ""]
    if heading and not shown:
        raise RegraspError(f"{report.path} has no table below the heading {heading!r}.")
    return "\n".join([*shown, origin(table, report, page), ""])


def _plain(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell.replace("**", "") for cell in row)


def _shown(table: PlannedTable, report: PublishedReport) -> tuple[PublishedTable, ...]:
    """The tables of a report that belong into the README."""
    if table.against:
        return report.sections.get(f"{AGAINST}{table.against}", ())
    for heading in ("Any method in any world", "Success"):
        if report.sections.get(heading):
            return report.sections[heading]
    return next((tables[:1] for tables in report.sections.values() if tables), ())


def _head(table: PublishedTable) -> tuple[str, ...]:
    return (table.head[0], *table.head[2:]) if _has_paper(table) else table.head


def _has_paper(table: PublishedTable) -> bool:
    return bool(table.rows) and table.rows[0][1] == "ours"


def _merged(table: PublishedTable) -> Iterator[tuple[str, ...]]:
    """One row for each method: our counts, and behind them the paper's rates if it has any."""
    if not _has_paper(table):
        for cells in table.rows:
            total = _COUNT.fullmatch(cells[-1])
            last = _short(cells[-1]) + (f" ({total[2]})" if total else "")
            yield *map(_short, cells[:-1]), last
        return
    rows = list(table.rows)
    for number, row in enumerate(rows):
        if row[1] != "ours":
            continue
        ours = [_short(cell) for cell in row[2:]]
        following = rows[number + 1] if number + 1 < len(rows) else row
        if following[1] == "paper":
            rates = [cell.partition(" ")[0].strip("*") for cell in following[2:]]
            ours = [f"{a} · {b}" for a, b in zip(ours, rates, strict=True)]
        yield row[0].strip("*"), *ours


def _short(cell: str) -> str:
    """A cell without what the report has besides: `20/20`, `5 of 5`, `97.9% (91–99%)`."""
    if found := _RATE.fullmatch(cell):
        return f"{found[1]} (+{found[2]})" if found[2] else found[1]
    if found := _COUNT.fullmatch(cell):
        return f"{found[1]} (+{found[3]})" if found[3] else found[1]
    if found := _AVERAGE.fullmatch(cell):
        return f"{found[1]} ({found[2]})"
    return cell.strip("*")


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def origin(table: PlannedTable, report: PublishedReport, page: Path = README) -> str:
    """Where a table comes from, and whether the package that ships would still give it."""
    file = os.path.relpath(RESULTS / table.name / REPORT_FILE, page.parent)
    older = table.state is TableState.OLDER
    parts = [
        f"[report]({Path(file).as_posix()})",
        f"commit {(table.commit if older else report.commit) or 'unknown'}",
        f"seeds {seed_ranges(table.seeds)}",
    ]
    parts += [f"language model {table.llm}"] if table.llm else []
    parts += [f"vision model {table.vlm}"] if table.vlm else []
    if used := {n: d for n, d in report.weights.items() if _was_read(n, report)}:
        parts.append(f"weights {_digest_of(used)}")
    parts += [report.made["machine"]] if "machine" in report.made else []
    if older:
        return f"*{', '.join(parts)}.* **Older:** {table.why}"
    text = f"*`regrasp results {table.name}`: {', '.join(parts)}.*"
    changed = changed_since(report)
    return f"{text} **No longer what ships:** changed since: {changed}." if changed else text


def _digest_of(weights: dict[str, str]) -> str:
    """The first digits of each digest of weights, by file."""
    return " ".join(f"{name} {digest[:8]}" for name, digest in sorted(weights.items()))


def changed_since(report: PublishedReport) -> str:
    """What differs between the package of a report and this one."""
    now = {
        name: digest
        for model in (report.made.get("llm", ""), report.made.get("vlm", ""))
        for name, digest in fingerprints(model).items()
    }
    then = {n: d for n, d in report.weights.items() if n in now or n.endswith(_WEIGHTS)}
    if now and BASE_FILE in then:  # the package names these weights, and fetches them later
        now.setdefault(BASE_FILE, BASE_SHA256)
    names = [n for n in {*then, *now} if then.get(n) != now.get(n)] if now else []
    names = [n for n in names if _was_read(n, report)]
    return ", ".join([*_changed_code(report), *sorted(names)])


def _was_read(file: str, report: PublishedReport) -> bool:
    """Whether the run of a report may have read this file of weights: all, if it lists no code."""
    readers = (module for files, module in _READERS.items() if fnmatch(file, files))
    reader = next(readers, None)
    return not report.code or reader is None or reader in report.code


def _changed_code(report: PublishedReport) -> list[str]:
    """The modules of the run that changed; without a list of them, any change counts."""
    if not report.code:
        return ["the code"] if report.made.get("source", "") != source_digest() else []
    changed = changed_modules(report.code)
    more = f" and {len(changed) - _NAMED} more modules" if len(changed) > _NAMED else ""
    return [f"{', '.join(changed[:_NAMED])}{more}"] if changed else []


def with_results(text: str, root: Path, protocol: Protocol, page: Path = README) -> str:
    """A page's text with every marked table as its report has it; `page` is its path in `root`."""

    def written(found: re.Match[str]) -> str:
        name, head = found["name"], found[0].partition("\n")[0]
        return f"{head}\n{_block_of(found, root, protocol, page)}<!-- end results {name} -->"

    def listed(found: re.Match[str]) -> str:
        head = found[0].partition("\n")[0]
        return f"{head}\n{_to_come(root, protocol)}<!-- end results to come -->"

    return _TO_COME.sub(listed, _MARK.sub(written, text))


def _block_of(mark: re.Match[str], root: Path, protocol: Protocol, page: Path) -> str:
    """What should stand between a pair of markers."""
    table = protocol.table(mark["name"])
    if not _is_made(table.name, root):
        return f"*Not made yet: `regrasp results {table.name}`.*\n"
    report = read_published(root / RESULTS / table.name)
    return readme_block(table, report, page, mark["heading"] or "")


def _is_made(name: str, root: Path) -> bool:
    return (root / RESULTS / name / REPORT_FILE).is_file()


def _to_come(root: Path, protocol: Protocol) -> str:
    """The planned tables without a report: what they ask, and their seeds."""
    rows = [
        f"- `{table.name}` ({table.suite}{_models(table)}): {table.asks} "
        f"Seeds {seed_ranges(table.seeds)}.\n"
        for table in protocol.tables
        if table.state is TableState.PLANNED and not _is_made(table.name, root)
    ]
    return "".join(rows)


def _models(table: PlannedTable) -> str:
    """The models of a table, for the list."""
    return f", {table.llm} and {table.vlm}" if table.llm else ""


def table_problems(text: str, root: Path, protocol: Protocol, page: Path) -> list[str]:
    """The marked tables of a page that are not what their reports say."""
    found = []
    for mark in _MARK.finditer(text):
        if mark["block"] != _block_of(mark, root, protocol, page):
            report = root / RESULTS / mark["name"] / REPORT_FILE
            found.append(f"{page}: the table {mark['name']} is not what {report} says")
    for mark in _TO_COME.finditer(text):
        if mark["block"] != _to_come(root, protocol):
            found.append(f"{page}: the list of planned tables without a report is out of date")
    return found


def readme_problems(text: str, root: Path, protocol: Protocol) -> list[str]:
    """What is wrong with the README's tables, and with the reports; empty if nothing is."""
    found = table_problems(text, root, protocol, README)
    names = [mark["name"] for mark in _MARK.finditer(text)]
    found += [f"README.md: {n} has no report yet" for n in names if not _is_made(n, root)]
    for line in _MARK.sub("", text).splitlines():
        if line.startswith("|") and _FIGURE.search(line):
            found.append(f"README.md: figures of no report: {line[:60]}")
    known = {table.name for table in protocol.tables}
    for folder in sorted((root / RESULTS).iterdir()):
        if folder.is_dir() and folder.name not in known:
            found.append(f"{folder}: no table of the protocol has this name")
    return found
