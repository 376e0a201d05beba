"""A table of a DuckDB file, queried where it lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from algeval.errors import DataError
from algeval.io.databases.choosing import choose_table
from algeval.io.opened import Opened, connect, quoted, sql_text
from algeval.io.parquet_files import cell_as_text, is_nested

if TYPE_CHECKING:
    import duckdb

__all__ = ["open_duckdb"]

_TABLES = (
    "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = 'votes_file' "
    "ORDER BY table_schema <> 'main', table_schema, table_name"
)


def open_duckdb(path: Path, table: str | None) -> Opened:
    """Open a table or view of a DuckDB file, read only.

    Raises
    ------
    DataError
        If it is not there or not clear, or DuckDB cannot open the file.
    """
    import duckdb

    connection = connect()
    try:
        connection.execute(f"ATTACH {sql_text(str(path))} AS votes_file (READ_ONLY)")
        connection.execute("USE votes_file")  # a view names the tables it reads without the file
        places = _places(connection)
        name = choose_table(path.name, _counted(connection, places), table)
        described = connection.execute(f"DESCRIBE SELECT * FROM {places[name]}").fetchall()
    except duckdb.Error as error:
        raise _refusal(path, error) from None
    kinds = {str(row[0]): str(row[1]) for row in described}
    nested = frozenset(column for column, kind in kinds.items() if is_nested(kind))
    cells = {column: cell_as_text(column, kind) for column, kind in kinds.items()}
    cells |= dict.fromkeys(nested, "CAST(NULL AS VARCHAR)")
    note = f"{path.name} read as a DuckDB file, table {name!r}"
    return Opened(path, connection, places[name], cells, False, note, nested)


def _places(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return {table, with its schema unless it is the main one: where it stands}."""
    found = connection.execute(_TABLES).fetchall()
    return {
        table
        if schema == "main"
        else f"{schema}.{table}": f"votes_file.{quoted(schema)}.{quoted(table)}"
        for schema, table in found
    }


def _counted(
    connection: duckdb.DuckDBPyConnection, places: dict[str, str]
) -> dict[str, int | None]:
    import duckdb

    counted: dict[str, int | None] = {}
    for name, place in places.items():
        try:
            row = connection.execute(f"SELECT count(*) FROM {place}").fetchone()
            counted[name] = int(row[0]) if row else None
        except duckdb.Error:  # a view of what is gone
            counted[name] = None
    return counted


def _refusal(path: Path, error: Exception) -> DataError:
    first = str(error).splitlines()[0]
    if "lock" in first.lower() or "already attached" in first or "file handle" in first:
        return DataError(
            f"{path.name} must not be open elsewhere while it is read; another connection holds it; close "
            "that, or pass one of its relations, as con.table('votes')"
        )
    return DataError(
        f"{path.name} must be a DuckDB file that DuckDB can open; got {first[:200]!r}; check the file, or "
        "export the table as Parquet"
    )
