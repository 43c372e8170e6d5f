"""The results as one columnar file, for pandas, Polars, R, DuckDB and spreadsheets.

Parquet, by pyarrow: one row per episode, its checks a list within the row. It is computed from the
traces and can be written again at any time; no part of Regrasp reads it.
"""

from __future__ import annotations

import importlib.util
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from regrasp.bench.record import Alarm, CheckedAnswer, EpisodeKey, EpisodeRecord, NamedObstacle
from regrasp.bench.store import load_results
from regrasp.core.errors import RegraspError
from regrasp.core.files import atomic_path

__all__ = ["RESULTS_FILE", "installed", "write_parquet"]

RESULTS_FILE = "results.parquet"


def installed() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def write_parquet(root: Path) -> Path:
    """Write `results.parquet` of a run's folder, every episode in it, as `load` reads them."""
    if not installed():
        raise RegraspError("results.parquet is written by pyarrow: pip install 'regrasp[bench]'.")
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    schema = _schema(pa)
    rows = [_row(record) for record in load_results(root).records]
    target = root / RESULTS_FILE
    try:
        with atomic_path(target) as draft:
            parquet.write_table(pa.Table.from_pylist(rows, schema), draft)
    except OSError as error:
        raise RegraspError(f"cannot write {target}: {error}.") from error
    return target


def _row(record: EpisodeRecord) -> dict[str, Any]:
    flat = asdict(record)
    return {**flat.pop("key"), **flat, "outcome": str(record.outcome)}


def _schema(pa: Any) -> Any:
    """The columns of the key, then of the record; explicit, so that an empty run has them too."""
    kinds = {
        "str": pa.string(),
        "int": pa.int64(),
        "bool": pa.bool_(),
        "float": pa.float64(),
        "float | None": pa.float64(),
        "Outcome": pa.string(),
        "tuple[str, ...]": pa.list_(pa.string()),
    }
    for part in (CheckedAnswer, Alarm, NamedObstacle):
        struct = pa.struct([(f.name, kinds[str(f.type)]) for f in fields(part)])
        kinds[f"tuple[{part.__name__}, ...]"] = pa.list_(struct)
    columns = [*fields(EpisodeKey), *(f for f in fields(EpisodeRecord) if f.name != "key")]
    return pa.schema([(column.name, kinds[str(column.type)]) for column in columns])
