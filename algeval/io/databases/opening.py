"""A table of a database's file, ready to query like any other."""

from __future__ import annotations

from pathlib import Path

from algeval.io.databases.duckdb_file import open_duckdb
from algeval.io.databases.sqlite_file import open_sqlite
from algeval.io.opened import Opened

__all__ = ["is_database", "open_database"]


def is_database(path: Path) -> bool:
    """Whether a file is a database of DuckDB or SQLite, by its first bytes."""
    return _kind(path) != ""


def _kind(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(16)
    if head == b"SQLite format 3\0":
        return "sqlite"
    return "duckdb" if head[8:12] == b"DUCK" else ""


def open_database(path: Path, table: str | None = None) -> Opened:
    """Open one table of a database, read only.

    Raises
    ------
    DataError
        If the table is not there or not clear, or the file cannot be read.
    """
    return open_sqlite(path, table) if _kind(path) == "sqlite" else open_duckdb(path, table)
