"""The names of a table's columns, without reading the table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from algeval.io.opened import connect, is_parquet, read_call

__all__ = ["columns_of"]

_HEAD = 1 << 16


def columns_of(path: Path) -> tuple[str, ...]:
    """Return the column names of CSV, TSV, Parquet or JSON lines; none of anything else.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = path.write_text("item,a,b")
    >>> columns_of(path)
    ('item', 'a', 'b')
    """
    if is_parquet(path):
        return _of_parquet(path)
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    text = head.decode("utf-8-sig", errors="replace").lstrip()
    if text.startswith("{"):
        return _of_object(text.splitlines()[0])
    if not text or text.startswith("[") or "\0" in text:
        return ()
    first = text.splitlines()[0]
    mark = max(",\t;", key=first.count)
    return tuple(name.strip() for name in next(csv.reader([first], delimiter=mark)))


def _of_object(line: str) -> tuple[str, ...]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return ()
    return tuple(found) if isinstance(found, dict) else ()


def _of_parquet(path: Path) -> tuple[str, ...]:
    import duckdb

    try:
        relation = read_call("read_parquet", path, "hive_partitioning=false")
        rows = connect().execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
    except duckdb.Error:
        return ()
    return tuple(str(row[0]) for row in rows)
