"""A table of a SQLite file, copied into DuckDB as text."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.databases.choosing import choose_table
from algeval.io.opened import Opened, connect, quoted

if TYPE_CHECKING:
    import duckdb

__all__ = ["open_sqlite"]

_BLOCK = 50_000
"""Rows copied at once."""

_TABLES = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
    "ESCAPE '\\' ORDER BY type, name"
)


def open_sqlite(path: Path, table: str | None) -> Opened:
    """Open a table or view of a SQLite file, read only.

    Raises
    ------
    DataError
        If it is not there or not clear, or SQLite cannot read the file.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source:
            name = choose_table(path.name, _tables(source), table)
            return _copied(path, source, name)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise DataError(
            f"{path.name} must be a SQLite file that can be read; got {str(error)!r}; check the file, and "
            "copy one that is in use with what lies beside it (-wal)"
        ) from None


def _tables(source: sqlite3.Connection) -> dict[str, int | None]:
    counted: dict[str, int | None] = {}
    for (name,) in source.execute(_TABLES).fetchall():
        try:
            counted[name] = source.execute(f"SELECT count(*) FROM {quoted(name)}").fetchone()[0]
        except sqlite3.Error:  # a view of what is gone
            counted[name] = None
    return counted


def _copied(path: Path, source: sqlite3.Connection, name: str) -> Opened:
    rows = source.execute(f"SELECT * FROM {quoted(name)}")
    columns = [str(column[0]) for column in rows.description]
    if len(set(columns)) < len(columns):
        raise DataError(
            f"column names of {name!r} in {path.name} must be distinct; got {columns}; rename them"
        )
    places = [f"c{place}" for place in range(len(columns))]
    connection = connect()
    connection.execute(f"CREATE TABLE copied ({', '.join(f'{p} VARCHAR' for p in places)})")
    binary: set[str] = set()
    while block := rows.fetchmany(_BLOCK):
        for column, held in zip(columns, zip(*block, strict=True), strict=True):
            if any(isinstance(cell, bytes) for cell in held):
                binary.add(column)
        _add(connection, places, block)
    cells = dict(zip(columns, places, strict=True))
    note = f"{path.name} read as a SQLite file, table {name!r}"
    return Opened(path, connection, "copied", cells, False, note, frozenset(binary))


def _add(
    connection: duckdb.DuckDBPyConnection, places: list[str], block: list[tuple[Any, ...]]
) -> None:
    columns = {}
    for place, cells in zip(places, zip(*block, strict=True), strict=True):
        columns[place] = np.empty(len(block), object)
        columns[place][:] = [None if isinstance(cell, bytes) else plain(cell) for cell in cells]
    connection.register("block", columns)
    listed = ", ".join(f"CAST({place} AS VARCHAR)" for place in places)
    connection.execute(f"INSERT INTO copied SELECT {listed} FROM block")
    connection.unregister("block")
