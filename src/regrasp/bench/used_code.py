"""The code that a run used: the modules its workers loaded, each with a digest.

    DIR/code/DIGEST.json        the modules of one worker; many workers have the same file
    docs/results/NAME/code.json the modules of all, beside a published report

A table depends on these modules and on no others, so a change elsewhere leaves it as it is, and so
does a change of what does not run: comments, docstrings and blank lines. The laboratory and the
command line are left out: no episode depends on them.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import tokenize
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import regrasp
from regrasp.core.document import read_json_file
from regrasp.core.errors import RegraspError
from regrasp.core.files import write_json
from regrasp.core.run_folder import inside

__all__ = ["CODE_FILE", "changed_modules", "note_used_code", "read_code", "used_code", "what_runs"]

CODE_FILE = "code.json"
_FOLDER = "code"
_REMEDY = "Restore the file, or make the table again."
_NOT_USED = ("regrasp.cli", "regrasp.lab", "regrasp.bench.report", "regrasp.bench.used_code")
_DIGITS = 16
_BETWEEN = (
    tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT,
)  # fmt: skip


def note_used_code(root: Path) -> None:
    """Write down the modules that this process has loaded, in the run's folder `root`."""
    modules = {name: _digest(name) for name in sorted(sys.modules) if _counts(name)}
    text = json.dumps(modules)
    path = inside(root, f"{_FOLDER}/{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}.json")
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        write_json(path, modules)


def used_code(root: Path) -> dict[str, str]:
    """The modules of all workers of a run. A module that changed during the run has both digests,
    and so equals no later version."""
    found: dict[str, set[str]] = {}
    for path in sorted((root / _FOLDER).glob("*.json")):
        for name, digest in read_code(path).items():
            found.setdefault(name, set()).add(digest)
    return {name: " ".join(sorted(digests)) for name, digests in sorted(found.items())}


def read_code(path: Path) -> dict[str, str]:
    """Modules and digests from a file."""
    data = read_json_file(path, _REMEDY)
    digests = (
        {k: v for k, v in data.items() if isinstance(v, str)} if isinstance(data, dict) else {}
    )
    if digests != data:
        raise RegraspError(f"{path} has no digests of modules. {_REMEDY}")
    return digests


def changed_modules(code: Mapping[str, str]) -> list[str]:
    """The modules that are gone or have another digest now."""
    return [name for name, was in code.items() if not _left_out(name) and _digest(name) != was]


def _counts(name: str) -> bool:
    inner = name == "regrasp" or name.startswith("regrasp.")
    return inner and not _left_out(name) and bool(_digest(name))


def _left_out(name: str) -> bool:
    return any(name == part or name.startswith(f"{part}.") for part in _NOT_USED)


@cache
def _digest(name: str) -> str:
    """The first digits of the SHA-256 of a module's code; empty if it has none."""
    path = Path(regrasp.__file__).parent.joinpath(*name.split(".")[1:])
    file = next((f for f in (path.with_suffix(".py"), path / "__init__.py") if f.is_file()), None)
    if file is None:
        return ""
    return hashlib.sha256(what_runs(file.read_text("utf-8")).encode()).hexdigest()[:_DIGITS]


def what_runs(source: str) -> str:
    """The lines of a module without comments, docstrings and blank lines."""
    lines, starts, text = source.split("\n"), True, None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        (row, column), (last, _) = token.start, token.end
        if token.type == tokenize.COMMENT:
            lines[row - 1] = lines[row - 1][:column]
        elif token.type == tokenize.NEWLINE and text is not None:
            lines[text[0] - 1 : text[1]] = [""] * (text[1] - text[0] + 1)
        if token.type not in _BETWEEN:
            text = (row, last) if starts and token.type == tokenize.STRING else None
        starts = token.type in _BETWEEN and (starts or token.type == tokenize.NEWLINE)
    return "\n".join(line.rstrip() for line in lines if line.strip())
