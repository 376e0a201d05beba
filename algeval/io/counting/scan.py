"""Rows that DuckDB can go through again and again: a file's, several files' or a relation's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.layout import shown
from algeval.io.opened import (
    Opened,
    nested_cells,
    one_sentence,
    quoted,
    read_call,
    sql_text,
    watched_query,
)
from algeval.io.parquet_files import cell_as_text, is_nested
from algeval.io.tables import bad_relation

__all__ = ["ROW", "Scan", "known", "of_file", "of_relation"]

Run = Callable[[str], Mapping[str, Any]]

ROW = '"algeval row"'
"""What the number of a row is called in SQL."""

_BASE, _PER_THREAD = 300, 50
"""MB that DuckDB may use before it writes to disk."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A table that a query goes through without loading it.

    Attributes
    ----------
    run : callable
        Runs a query and returns its columns.
    relation : str
        What goes after FROM.
    cells : dict
        The SQL of each column as text, null where there is no cell.
    kinds : dict
        DuckDB's type of each column that is stored as one.
    json : bool
        Whether texts are fragments of JSON.
    """

    run: Run
    relation: str
    cells: dict[str, str]
    kinds: dict[str, str]
    json: bool = False

    def stored(self, name: str) -> str | None:
        """Return the SQL of a column as it is stored, None where only its text can be had."""
        cell = self.cells[name]
        found = [raw for raw in (quoted(name), cell) if raw.strip('"') in self.kinds]
        return found[0] if found else None

    def number(self, name: str) -> str:
        """Return the SQL of a column as a number, null or not finite where a cell spells none."""
        kind = self.kinds.get(name, "")
        typed = bool(kind) and self.cells[name] == cell_as_text(name, kind) and kind != "BOOLEAN"
        return f"TRY_CAST({quoted(name) if typed else self.cells[name]} AS DOUBLE)"

    def kept(self, names: Iterable[str], folder: str) -> Scan:
        """Return some of the columns as they are once parsed, in a file that is gone through faster."""
        places = {name: f"c{place}" for place, name in enumerate(dict.fromkeys(names))}
        listed = ", ".join(f"{self.cells[name]} AS {place}" for name, place in places.items())
        path = Path(folder, "cells.parquet")
        target = sql_text(str(path))
        self.run(f"COPY (SELECT {listed} FROM {self.relation}) TO {target} (FORMAT parquet)")
        return Scan(self.run, read_call("read_parquet", path), places, {}, self.json)

    def numbered(self) -> str:
        """Return what goes after FROM with the number of each row from 1 on, which takes one thread."""
        return f"(SELECT *, row_number() OVER () AS {ROW} FROM {self.relation})"


def known(asked: Iterable[str], names: Iterable[str], what: str, option: str = "judges") -> None:
    """Refuse names that are no columns, of judges unless another option is said to give them."""
    there = tuple(names)
    unknown = [name for name in asked if name not in there]
    if unknown:
        raise DataError(
            f"{option} must name columns of {what}; got {unknown[0]!r}; the columns are {shown(there)}"
        )


def of_file(opened: Opened) -> Scan:
    """Return an opened file to be gone through, in memory that spills to disk."""
    import duckdb

    def run(query: str) -> Mapping[str, Any]:
        try:
            with watched_query(opened.connection, query):
                found: Mapping[str, Any] = opened.connection.execute(query).fetchnumpy()
        except duckdb.Error as error:
            raise one_sentence(opened.path, error) from None
        return found

    threads = int(run("SELECT current_setting('threads') AS n")["n"][0])
    opened.connection.execute(f"SET memory_limit = '{_BASE + _PER_THREAD * threads}MB'")
    described = run(f"SELECT * FROM (DESCRIBE SELECT * FROM {opened.relation})")
    pairs = zip(described["column_name"], described["column_type"], strict=True)
    kinds = {} if opened.json else {str(name): str(kind) for name, kind in pairs}
    return Scan(run, opened.relation, opened.cells, kinds, opened.json)


def of_relation(source: Any, judges: Iterable[str]) -> Scan:
    """Return a DuckDB relation to be gone through.

    Raises
    ------
    DataError
        If a judge is no column, or holds lists or objects.
    """
    import duckdb

    kinds = dict(zip(map(str, source.columns), map(str, source.types), strict=True))
    known(judges, kinds, "the relation")

    def run(query: str) -> Mapping[str, Any]:
        try:
            found: Mapping[str, Any] = source.query("algeval_votes", query).fetchnumpy()
        except duckdb.Error as error:
            raise bad_relation(error) from None
        return found

    for name in judges:
        if is_nested(kinds[name]):
            raise nested_cells(name)
    cells = {name: cell_as_text(name, kind) for name, kind in kinds.items()}
    return Scan(run, "algeval_votes", cells, kinds)
